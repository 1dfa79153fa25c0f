// Reads lines of a parser's name, tools and a text, and writes what Ollama's parser makes of each.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/model/parsers"
)

type asked struct {
	Parser string     `json:"parser"`
	Tools  []api.Tool `json:"tools"`
	Text   string     `json:"text"`
}

type call struct {
	Name      string                        `json:"name"`
	Arguments api.ToolCallFunctionArguments `json:"arguments"`
}

type answer struct {
	Content string `json:"content"`
	Calls   []call `json:"tool_calls"`
	Error   string `json:"error,omitempty"`
}

func main() {
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		made, err := json.Marshal(parse(line))
		if err != nil {
			made, _ = json.Marshal(answer{Error: "the answer is no JSON: " + err.Error()})
		}
		fmt.Println(string(made))
	}
}

// parse gives the text as one piece, and then the end, to a parser that is not thinking.
func parse(line []byte) (found answer) {
	defer func() {
		if broken := recover(); broken != nil {
			found = answer{Error: fmt.Sprint("panic: ", broken)}
		}
	}()
	var given asked
	if err := json.Unmarshal(line, &given); err != nil {
		return answer{Error: "tools: " + err.Error()}
	}
	parser := parsers.ParserForName(given.Parser)
	parser.Init(given.Tools, nil, &api.ThinkValue{Value: false})
	found = answer{Calls: []call{}}
	for _, piece := range []string{given.Text, ""} {
		content, _, calls, err := parser.Add(piece, piece == "")
		if err != nil {
			return answer{Error: err.Error()}
		}
		found.Content += content
		for _, each := range calls {
			found.Calls = append(found.Calls, call{each.Function.Name, each.Function.Arguments})
		}
	}
	return found
}
