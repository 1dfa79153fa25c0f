// llama.cpp's reading of a model's text: a line of JSON goes in, one comes out.

#include "chat.h"
#include "json.h"

#include <fstream>
#include <iostream>
#include <sstream>

// Makes the parser as the server does, from a template and the tools of a request.
static common_chat_parser_params parser_of(const std::string & path, const common_json & tools) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    auto templates = common_chat_templates_init(nullptr, text.str());
    common_chat_templates_inputs inputs;
    common_chat_msg message;
    message.role = "user";
    message.content = "Hi";
    inputs.messages = {message};
    inputs.tools = common_chat_tools_parse_oaicompat(tools);
    inputs.parallel_tool_calls = true;
    inputs.reasoning_format = COMMON_REASONING_FORMAT_AUTO;
    auto params = common_chat_templates_apply(templates.get(), inputs);
    common_chat_parser_params parser(params);
    parser.reasoning_format = inputs.reasoning_format;
    parser.parser.load(params.parser);
    return parser;
}

static common_json answer(const common_json & asked) {
    auto parser = parser_of(asked.at("template").get<std::string>(), asked.at("tools"));
    auto message = common_chat_parse(asked.at("text").get<std::string>(), false, parser);
    auto calls = common_json::array();
    for (const auto & call : message.tool_calls) {
        auto made = common_json::object();
        made["name"] = call.name;
        made["arguments"] = call.arguments;
        calls.push_back(made);
    }
    auto result = common_json::object();
    result["tool_calls"] = calls;
    return result;
}

int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        auto result = common_json::object();
        try {
            result = answer(common_json::parse(line));
        } catch (const std::exception & error) {
            result["error"] = error.what();
        }
        std::cout << result.dump_safe() << std::endl;
    }
}
