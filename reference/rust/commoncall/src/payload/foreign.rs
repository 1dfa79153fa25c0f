//! Signs that a request or a history has the form of another interface.

use serde_json::Value;

use crate::shared::findings::{Path, below, pointer, steps};
use crate::shared::outcome::{Failure, Object};

/// The form of another interface, and where the sign of it stands.
pub(crate) type Sign = (&'static str, Path);

/// The form of another interface, and whether an object is a sign of it.
pub(crate) type Row = (&'static str, fn(&Object) -> bool);

pub(crate) const ANTHROPIC: &str = "anthropic-messages";
pub(crate) const BEDROCK: &str = "bedrock-converse";
pub(crate) const CAMEL: &str = "camel-case";
pub(crate) const GEMINI: &str = "gemini-generate-content";
pub(crate) const OLLAMA: &str = "ollama-chat";
pub(crate) const RESPONSES: &str = "openai-responses";

/// The error of a request of another form, if it is one. `supports` says whether the model takes tools.
pub(crate) fn refuse_request(request: &Value, supports: bool) -> Result<(), Failure> {
    let Some(request) = request.as_object() else { return Ok(()) };
    let place = steps!["request"];
    let messages = present(request, "messages");
    let sign = sign_of_request(request, &place, messages.is_none(), supports)
        .or_else(|| sign_of_messages(messages?.as_array()?, &below(&place, "messages")));
    refused(sign)
}

/// The error of a history of another form, if it is one.
pub(crate) fn refuse_history(messages: &[Value], place: &Path) -> Result<(), Failure> {
    refused(sign_of_messages(messages, place))
}

/// The error of a sign.
pub(crate) fn refused(sign: Option<Sign>) -> Result<(), Failure> {
    sign.map_or(Ok(()), |(form, path)| {
        Err(Failure::of("form_not_chat_completions").with("form", form).with("path", pointer(&path)))
    })
}

/// A member that is there and not null.
pub(crate) fn present<'a>(object: &'a Object, name: &str) -> Option<&'a Value> {
    object.get(name).filter(|value| !value.is_null())
}

fn sign_of_request(request: &Object, place: &Path, no_messages: bool, supports: bool) -> Option<Sign> {
    if no_messages && present(request, "contents").is_some() {
        return Some((GEMINI, below(place, "contents")));
    }
    if no_messages && present(request, "input").is_some_and(|input| is_input(input, present(request, "tools").is_some())) {
        return Some((RESPONSES, below(place, "input")));
    }
    if present(request, "toolConfig").is_some_and(|config| config.get("tools").is_some_and(Value::is_array)) {
        return Some((BEDROCK, below(place, "toolConfig")));
    }
    let tools = present(request, "tools").and_then(Value::as_array).filter(|_| supports)?;
    let has_function = |tool: &Value| tool.as_object().is_some_and(|tool| present(tool, "function").is_some());
    if tools.iter().any(has_function) {
        return None;
    }
    let rows: [Row; 3] = [(GEMINI, declares), (ANTHROPIC, is_anthropic_tool), (RESPONSES, is_responses_tool)];
    rows.into_iter().find_map(|(form, is_sign)| {
        let at = tools.iter().position(|tool| tool.as_object().is_some_and(is_sign))?;
        Some((form, below(&below(place, "tools"), at)))
    })
}

fn is_input(input: &Value, beside_tools: bool) -> bool {
    let is_item = |item: &Value| {
        item.as_object()
            .is_some_and(|item| present(item, "role").is_some() || is_typed(item, &["function_call", "function_call_output"]))
    };
    beside_tools || input.as_array().is_some_and(|items| items.iter().any(is_item))
}

pub(crate) fn is_typed(object: &Object, types: &[&str]) -> bool {
    object.get("type").and_then(Value::as_str).is_some_and(|each| types.contains(&each))
}

fn declares(tool: &Object) -> bool {
    present(tool, "functionDeclarations").or_else(|| present(tool, "function_declarations")).is_some()
}

fn has_name(tool: &Object) -> bool {
    tool.get("name").is_some_and(Value::is_string)
}

fn is_anthropic_tool(tool: &Object) -> bool {
    let dated = |each: &str| {
        each.rsplit_once('_').is_some_and(|(_, date)| date.len() == 8 && date.bytes().all(|each| each.is_ascii_digit()))
    };
    has_name(tool) && (present(tool, "input_schema").is_some() || tool.get("type").and_then(Value::as_str).is_some_and(dated))
}

fn is_responses_tool(tool: &Object) -> bool {
    has_name(tool) && (present(tool, "parameters").is_some() || is_typed(tool, &["function", "custom"]))
}

fn sign_of_messages(messages: &[Value], place: &Path) -> Option<Sign> {
    messages.iter().enumerate().find_map(|(at, message)| sign_of_message(message.as_object()?, &below(place, at)))
}

fn sign_of_message(message: &Object, place: &Path) -> Option<Sign> {
    let role = present(message, "role").and_then(Value::as_str);
    let in_list = |name: &str, form: &'static str, is_sign: fn(&Object) -> bool| {
        let at = message.get(name)?.as_array()?.iter().position(|each| each.as_object().is_some_and(is_sign))?;
        Some((form, below(&below(place, name), at)))
    };
    if matches!(role, Some("system" | "developer" | "user" | "assistant")) {
        let rows: [Row; 3] = [
            (ANTHROPIC, is_anthropic_part),
            (RESPONSES, |part| is_typed(part, &["input_text", "input_image", "input_file", "output_text"])),
            (BEDROCK, is_bedrock_part),
        ];
        if let Some(sign) = rows.into_iter().find_map(|(form, is_sign)| in_list("content", form, is_sign)) {
            return Some(sign);
        }
    }
    let calls = in_list("parts", GEMINI, is_gemini_part);
    if calls.is_some() {
        return calls;
    }
    if present(message, "content").is_none() {
        let words =
            in_list("parts", GEMINI, |part| present(part, "type").is_none() && part.get("text").is_some_and(Value::is_string));
        if words.is_some() {
            return words;
        }
    }
    if present(message, "role").is_none() && is_typed(message, &["function_call", "function_call_output"]) {
        return Some((RESPONSES, place.clone()));
    }
    match role {
        Some("assistant") => in_list("tool_calls", OLLAMA, is_ollama_call)
            .or_else(|| in_list("content", CAMEL, is_camel_part))
            .or_else(|| camel_calls(message, place)),
        Some("tool") if present(message, "tool_call_id").is_none() && is_camel_part(message) => {
            Some((CAMEL, below(place, "toolCallId")))
        }
        _ => None,
    }
}

/// The sign of calls under the name that they have in camelCase.
pub(crate) fn camel_calls(message: &Object, place: &Path) -> Option<Sign> {
    let calls = message.get("toolCalls")?.as_array()?;
    (present(message, "tool_calls").is_none() && !calls.is_empty()).then(|| (CAMEL, below(place, "toolCalls")))
}

pub(crate) fn is_camel_part(part: &Object) -> bool {
    part.get("toolCallId").is_some_and(Value::is_string)
}

pub(crate) fn is_anthropic_part(part: &Object) -> bool {
    is_typed(part, &["tool_use", "tool_result"])
}

pub(crate) fn is_bedrock_part(part: &Object) -> bool {
    is_untyped_with(part, &["toolUse", "toolResult"])
}

pub(crate) fn is_gemini_part(part: &Object) -> bool {
    is_untyped_with(part, &["functionCall", "function_call", "functionResponse", "function_response"])
}

pub(crate) fn is_ollama_call(call: &Object) -> bool {
    present(call, "id").is_none()
        && present(call, "type").is_none()
        && call.get("function").is_some_and(|each| each.get("arguments").is_some_and(Value::is_object))
}

fn is_untyped_with(part: &Object, names: &[&str]) -> bool {
    present(part, "type").is_none() && names.iter().any(|name| part.get(*name).is_some_and(Value::is_object))
}
