"""Valid requests of each interface, made from a seed, and ways to break them.

What is made here is what a client sends: with cache marks, citations, images, documents, tools of
the provider, thoughts with signatures, ids of items and results that are errors.
"""

import copy
import json
import random
from typing import Any

DOCS = "mcp__docs"
PNG = "iVBORw0KGgo="
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
PICTURE = {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}"}
WORDS = ("Oslo", "eins, zwei", "line\nfeed", "über", '{"a": 1}', "ok", "ok", "done", "<tools>")


def request_of(interface: str, seed: int) -> dict[str, Any]:
    """Return a valid request of an interface."""
    makers: dict[str, type[_Anthropic | _Responses | _Ollama]] = {
        "anthropic-messages": _Anthropic,
        "openai-responses": _Responses,
        "ollama-chat": _Ollama,
    }
    return makers[interface](random.Random(seed)).request()


class _Maker:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.number = self.marks = 0

    def some(self, *options: Any) -> Any:
        return self.rng.choice(options)

    def maybe(self, chance: float = 0.3) -> bool:
        return self.rng.random() < chance

    def text(self) -> str:
        """Return a text that stands nowhere else."""
        words = " ".join(self.rng.choices(WORDS, k=self.rng.randint(1, 3)))
        return self.fresh(f"{words} #")

    def fresh(self, prefix: str) -> str:
        self.number += 1
        return f"{prefix}{self.number:04d}"

    def arguments(self) -> dict[str, Any]:
        values: list[Any] = [self.text(), 1, 2.5, True, None, [], {"deep": [{"x": "y"}]}]
        return {
            name: self.rng.choice(values)
            for name in self.rng.sample("abcd", self.rng.randint(0, 3))
        }

    def schema(self) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": {name: {"type": "string"} for name in self.rng.sample("abcd", 2)},
        }


class _Anthropic(_Maker):
    def request(self) -> dict[str, Any]:
        request: dict[str, Any] = {"model": "m", "max_tokens": 2048, "messages": self.messages()}
        if self.maybe(0.6):
            request["system"] = self.some(
                self.text(), [self.marked({"type": "text", "text": self.text()})]
            )
        request["tools"] = [self.tool(name) for name in ("read", "write")]
        if self.maybe():
            request["tools"].insert(
                self.rng.randint(0, 2), {"type": "web_search_20250305", "name": "web_search"}
            )
        if self.maybe(0.5):
            request["tool_choice"] = self.choice()
        if self.maybe() and request.get("tool_choice", {}).get("type") not in ("any", "tool"):
            # A turn that goes on while the model must think begins with a thought.
            goes_on = "tool_result" in str(request["messages"][-1]["content"])
            enabled = {"type": "enabled", "budget_tokens": 1024}
            adaptive = {"type": "adaptive"}
            request["thinking"] = adaptive if goes_on else self.some(enabled, adaptive)
        if self.maybe():
            request["metadata"] = {"user_id": "u"}
        return request

    def choice(self) -> dict[str, Any]:
        choice = self.some(
            {"type": "auto"}, {"type": "any"}, {"type": "none"}, {"type": "tool", "name": "read"}
        )
        if self.maybe() and choice["type"] != "none":
            choice = {**choice, "disable_parallel_tool_use": self.some(True, False)}
        return dict(choice)

    def tool(self, name: str) -> dict[str, Any]:
        tool = {"name": name, "input_schema": self.schema()}
        if self.maybe(0.7):
            tool["description"] = self.text()
        if self.maybe(0.2):
            tool["type"] = "custom"
        return self.marked(tool, 0.2)

    def marked(self, block: dict[str, Any], chance: float = 0.15) -> dict[str, Any]:
        if self.maybe(chance) and self.marks < 4:
            self.marks += 1
            return {**block, "cache_control": {"type": "ephemeral"}}
        return {**block}  # faults are put into one

    def messages(self) -> list[Any]:
        messages: list[Any] = [self.user([])]
        for _ in range(self.rng.randint(0, 4)):
            calls = [self.call() for _ in range(self.rng.randint(0, 3))]
            messages.append(self.assistant(calls))
            results = [self.result(call) for call in calls]
            if results and self.maybe(0.2):
                messages += [{"role": "user", "content": results}, self.user([])]
            else:
                messages.append(self.user(results))
        return messages

    def user(self, results: list[Any]) -> dict[str, Any]:
        if not results and self.maybe(0.5):
            return {"role": "user", "content": self.text()}
        said = [self.said() for _ in range(self.rng.randint(0 if results else 1, 2))]
        return {"role": "user", "content": [*results, *said]}

    def said(self) -> dict[str, Any]:
        return self.marked(
            self.some(
                {"type": "text", "text": self.text()},
                IMAGE,
                {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
                {
                    "type": "document",
                    "title": self.text(),
                    "source": {"type": "text", "media_type": "text/plain", "data": self.text()},
                },
            )
        )

    def call(self) -> dict[str, Any]:
        name = self.some("read", "write")
        return self.marked(
            {
                "type": "tool_use",
                "id": self.fresh("toolu_"),
                "name": name,
                "input": self.arguments(),
            }
        )

    def assistant(self, calls: list[Any]) -> dict[str, Any]:
        blocks: list[Any] = []
        if self.maybe(0.4):
            blocks.append(
                self.some(
                    {"type": "thinking", "thinking": self.text(), "signature": self.fresh("sig")},
                    {"type": "redacted_thinking", "data": self.fresh("enc")},
                )
            )
        if self.maybe(0.2):
            search = self.fresh("srvtoolu_")
            blocks.append(
                {
                    "type": "server_tool_use",
                    "id": search,
                    "name": "web_search",
                    "input": {"query": "x"},
                }
            )
            blocks.append({"type": "web_search_tool_result", "tool_use_id": search, "content": []})
        texts: list[Any] = [
            {"type": "text", "text": self.text()}
            for _ in range(self.rng.randint(0 if calls else 1, 2))
        ]
        if texts and self.maybe(0.2):
            cited = {
                "type": "char_location",
                "cited_text": "x",
                "document_index": 0,
                "document_title": None,
                "start_char_index": 0,
                "end_char_index": 1,
            }
            texts[-1] = {**texts[-1], "citations": [cited]}
        rest = [*texts, *calls]
        if self.maybe(0.2):
            self.rng.shuffle(rest)
            in_order = iter(calls)  # results stand in the order of the calls
            rest = [next(in_order) if block in calls else block for block in rest]
        if not blocks and not calls and len(texts) == 1 and self.maybe(0.4):
            return {"role": "assistant", "content": texts[0]["text"]}
        return {"role": "assistant", "content": [*blocks, *rest]}

    def result(self, call: dict[str, Any]) -> dict[str, Any]:
        result: dict[str, Any] = {"type": "tool_result", "tool_use_id": call["id"]}
        text = {"type": "text", "text": self.text()}
        content = self.some(None, self.text(), [text], [text, IMAGE], [IMAGE], [text, text])
        if content is not None:
            result["content"] = content
        holds_words = isinstance(content, str) or content in ([text], [text, text])
        if self.maybe(0.2) and holds_words:  # a failed result holds words alone
            result["is_error"] = True
        return self.marked(result)


def _without_id(item: Any) -> Any:
    known = {"message", "reasoning", "function_call", "function_call_output"}
    known |= {"custom_tool_call", "custom_tool_call_output"}
    if not isinstance(item, dict) or item.get("type", "message") not in known:
        return item
    return {name: value for name, value in item.items() if name != "id"}


class _Responses(_Maker):
    def request(self) -> dict[str, Any]:
        request: dict[str, Any] = {"model": "m", "input": self.items()}
        if self.maybe(0.1):
            request["input"] = self.text()
        if self.maybe(0.5):
            request["instructions"] = self.text()
        request["tools"] = [self.tool(name) for name in ("read", "write")]
        if self.maybe():
            request["tools"].insert(self.rng.randint(0, 2), {"type": "web_search"})
        if self.maybe(0.5):
            request["tools"].append({"type": "custom", "name": "patch", "description": "Edits."})
        if DOCS in str(request["input"]) or self.maybe(0.2):
            members = [self.tool("search"), {**self.tool("read"), "defer_loading": True}]
            members.append({"type": "custom", "name": "patch"})
            request["tools"].append(
                {"type": "namespace", "name": DOCS, "description": self.text(), "tools": members}
            )
        if self.maybe(0.5):
            allowed = {
                "type": "allowed_tools",
                "mode": "auto",
                "tools": [{"type": "function", "name": "read"}],
            }
            request["tool_choice"] = self.some(
                "auto", "none", "required", {"type": "function", "name": "read"}, allowed
            )
        if self.maybe():
            request["parallel_tool_calls"] = self.some(True, False)
        if self.maybe():
            request |= {
                "store": False,
                "include": ["reasoning.encrypted_content"],
                "reasoning": {"effort": "low"},
            }
            if isinstance(request["input"], list):
                # Nobody knows an id of what is not stored (ITF-016).
                request["input"] = [_without_id(item) for item in request["input"]]
        if isinstance(request["input"], list) and self.maybe():
            brought = [request["tools"].pop() for _ in range(self.rng.randint(1, 2))]
            item = {"type": "additional_tools", "role": "developer", "tools": brought}
            request["input"].insert(0, item)
        return request

    def tool(self, name: str) -> dict[str, Any]:
        tool = {"type": "function", "name": name, "parameters": self.schema(), "strict": False}
        if self.maybe(0.7):
            tool["description"] = self.text()
        return tool

    def items(self) -> list[Any]:
        items: list[Any] = [self.said("user")]
        for _ in range(self.rng.randint(0, 4)):
            if self.maybe(0.1):
                items.append(self.said(self.some("system", "developer")))
            if self.maybe(0.2):
                items.append(
                    {
                        "type": "web_search_call",
                        "id": self.fresh("ws_"),
                        "status": "completed",
                        "action": {"type": "search", "query": "x"},
                    }
                )
            if reasons := self.maybe(0.4):
                items.append(
                    {
                        "type": "reasoning",
                        "id": self.fresh("rs_"),
                        "summary": [],
                        "encrypted_content": self.text(),
                    }
                )
                if self.maybe(0.3):
                    items.append(self.answer())
            calls = [self.call(has_id=reasons) for _ in range(self.rng.randint(0, 3))]
            if not calls or self.maybe():
                items.append(self.answer())
            results = [self.result(call) for call in calls]
            if len(calls) == 2 and self.maybe():
                calls[1].pop("id", None)  # behind a result, no reasoning is its own
                items += [calls[0], results[0], calls[1], results[1]]
            else:
                items += [*calls, *results]
            if self.maybe(0.7):
                items.append(self.said("user"))
        return items

    def said(self, role: str) -> dict[str, Any]:
        message: dict[str, Any] = {"role": role, "content": self.text()}
        if self.maybe(0.5):
            parts = [
                {"type": "input_text", "text": self.text()} for _ in range(self.rng.randint(1, 2))
            ]
            if role == "user" and self.maybe():
                parts.append(
                    self.some(
                        {**PICTURE, "detail": "auto"},
                        {"type": "input_file", "file_id": "file_1"},
                        {"type": "input_image", "file_id": "file_2", "detail": "low"},
                    )
                )
            message["content"] = parts
        if self.maybe():
            message["type"] = "message"
        return message

    def answer(self) -> dict[str, Any]:
        if self.maybe():
            return {"role": "assistant", "content": self.text()}
        parts: list[Any] = [
            {"type": "output_text", "text": self.text(), "annotations": []}
            for _ in range(self.rng.randint(1, 2))
        ]
        if self.maybe(0.1):
            parts = [{"type": "refusal", "refusal": self.text()}]
        return {
            "type": "message",
            "role": "assistant",
            "id": self.fresh("msg_"),
            "status": "completed",
            "content": parts,
        }

    def call(self, *, has_id: bool) -> dict[str, Any]:
        """Return a call, which goes back with an id only beside its reasoning (ITF-016)."""
        within = {"namespace": DOCS} if self.maybe(0.2) else {}
        if self.maybe(0.2):
            said = {"call_id": self.fresh("call_"), "name": "patch", "input": self.text()}
            return {"type": "custom_tool_call", **said, **within}
        call = {
            "type": "function_call",
            "call_id": self.fresh("call_"),
            "name": self.some("read", "search" if within else "write"),
            "arguments": json.dumps(self.arguments()),
            **within,
        }
        if has_id and self.maybe(0.6):
            call |= {"id": self.fresh("fc_"), "status": "completed"}
        return call

    def result(self, call: dict[str, Any]) -> dict[str, Any]:
        output = self.some(
            self.text(),
            "",
            [{"type": "input_text", "text": self.text()}],
            [PICTURE],
        )
        if call["type"] == "custom_tool_call":
            output = self.some(self.text(), [{"type": "input_text", "text": self.text()}])
        kind = f"{call['type']}_output"
        return {"type": kind, "call_id": call["call_id"], "output": output}


class _Ollama(_Maker):
    def request(self) -> dict[str, Any]:
        functions = [{"name": name, "parameters": self.schema()} for name in ("read", "write")]
        tools = [{"type": "function", "function": function} for function in functions]
        request: dict[str, Any] = {"model": "m", "messages": self.messages(), "tools": tools}
        if self.maybe():
            request["options"] = {"num_ctx": 4096}
        if self.maybe():
            request["think"] = self.some(True, False, "low")
        return request

    def messages(self) -> list[Any]:
        messages: list[Any] = []
        if self.maybe(0.5):
            messages.append({"role": "system", "content": self.text()})
        messages.append(self.user())
        for _ in range(self.rng.randint(0, 4)):
            calls = [self.call() for _ in range(self.rng.randint(0, 3))]
            messages.append(self.assistant(calls))
            messages += [self.result(call) for call in calls]
            if not calls or self.maybe():
                messages.append(self.user())
        return messages

    def user(self) -> dict[str, Any]:
        user: dict[str, Any] = {"role": "user", "content": self.text()}
        if self.maybe(0.2):
            user["images"] = self.some([PNG], ["/9j/4AAQ", "R0lGODlh"])
        return user

    def call(self) -> dict[str, Any]:
        function = {"name": self.some("read", "write"), "arguments": self.arguments()}
        if self.maybe(0.2):
            function["index"] = self.rng.randrange(3)
        return (
            {"id": self.fresh("call_"), "function": function}
            if self.maybe()
            else {"function": function}
        )

    def assistant(self, calls: list[Any]) -> dict[str, Any]:
        said: dict[str, Any] = {"role": "assistant", "content": self.text()}
        if calls:
            said |= {"content": self.some("", said["content"]), "tool_calls": calls}
        if self.maybe():
            said["thinking"] = self.text()
        return said

    def result(self, call: dict[str, Any]) -> dict[str, Any]:
        result = {"role": "tool", "tool_name": call["function"]["name"], "content": self.text()}
        return {**result, "tool_call_id": call["id"]} if "id" in call else result


def broken(interface: str, request: dict[str, Any], seed: int) -> dict[str, Any]:
    """Return a request with one or two faults that histories have in public reports."""
    rng = random.Random(seed)
    request = copy.deepcopy(request)
    for _ in range(rng.randint(1, 2)):
        FAULTS[interface](request, rng)
    return request


def _break_messages(request: dict[str, Any], rng: random.Random) -> None:
    messages = request["messages"]
    lists = [message["content"] for message in messages if isinstance(message["content"], list)]
    if not lists:
        return
    content = rng.choice(lists)
    fault = rng.randrange(9)
    if fault == 8:
        _break_results(content)
    elif fault > 5:
        _break_blocks(content, unsigned=fault == 6)
    elif fault == 0:  # a cut: what stood first is gone
        del messages[: rng.randint(1, len(messages)) - 1]
    elif fault == 1 and content:
        del content[rng.randrange(len(content))]
    elif fault == 2:
        content.insert(
            rng.randint(0, len(content)), {"type": "text", "text": rng.choice(("", " "))}
        )
    elif fault == 3:
        for block in (one for one in content if one["type"] in ("tool_use", "tool_result")):
            block["id" if "id" in block else "tool_use_id"] = "functions.read:0"
    elif fault == 4:
        for block in (one for one in content if one["type"] == "tool_use"):
            block["input"] = rng.choice((["x"], "x", None))
    elif content:
        content.append(copy.deepcopy(rng.choice(content)))


def _break_blocks(content: list[Any], *, unsigned: bool) -> None:
    for block in content:
        if unsigned:
            block.pop("signature", None)
        else:
            block["cache_control"] = {"type": "ephemeral"}


def _break_results(content: list[Any]) -> None:
    for block in (one for one in content if one["type"] == "tool_result"):
        block |= {"is_error": True, "content": ""}


def _break_items(request: dict[str, Any], rng: random.Random) -> None:
    items = request["input"]
    if not isinstance(items, list) or not items:
        return
    # Whoever loses the tools of the history has lost tools, and no history.
    first = 1 if items[0].get("type") == "additional_tools" else 0
    if len(items) == first:
        return
    at = rng.randrange(first, len(items))
    fault = rng.randrange(6)
    if fault == 0:
        del items[first:at]
    elif fault == 1:
        del items[at]
    elif fault == 2:
        items.append(copy.deepcopy(items[at]))
    else:
        _break_members(items[at:], fault, rng)


def _break_members(items: list[Any], fault: int, rng: random.Random) -> None:
    for item in items:
        if fault == 3 and "call_id" in item:
            item["call_id"] = "g" * 80
        elif fault == 4 and item.get("type") == "function_call":
            item["arguments"] = rng.choice(("{", "", "[1]"))
            break
        elif fault > 4:
            item.pop("encrypted_content", None)


def _break_flat(request: dict[str, Any], rng: random.Random) -> None:
    messages = request["messages"]
    if not messages:
        return
    at = rng.randrange(len(messages))
    message, fault = messages[at], rng.randrange(6)
    if fault == 0:
        del messages[:at]
    elif fault == 1:
        del messages[at]
    elif fault == 2:
        message["content"] = rng.choice((None, "", [{"type": "text", "text": "again"}]))
    elif fault == 3:
        for call in message.get("tool_calls", ()):
            given = call["function"]["arguments"]
            call["function"]["arguments"] = rng.choice((json.dumps(given), "{", [given], None))
    elif fault == 4:
        request["tools"][0]["function"]["parameters"]["properties"] = []
    else:
        messages.append(copy.deepcopy(message))


FAULTS = {
    "anthropic-messages": _break_messages,
    "openai-responses": _break_items,
    "ollama-chat": _break_flat,
}
