"""Tools of Responses in namespaces, by one name each, and calls as the client knows them.

Codex gives the tools of MCP in namespaces, and its `apply_patch` takes a text and no object.
"""

from collections.abc import Iterator
from typing import Any, Final

from commoncall_serve.exchange import Json, parsed

_CALLS: Final = {"function": "function_call", "custom": "custom_tool_call"}
_INPUT_EVENT: Final = "response.custom_tool_call_input"
_ARGUMENTS_EVENT: Final = "response.function_call_arguments"


class FlatTools:
    """The tools of a request.

    Attributes:
        body: the request without namespaces.
    """

    def __init__(self, body: Json) -> None:
        self._own: dict[str, Json] = {}  # what a call has, by the name of its function
        self._texts: set[object] = set()  # the ids of items whose input is a text
        self.body = {**body}
        if isinstance(tools := body.get("tools"), list):
            self.body["tools"] = [flat for tool in tools for flat in self._flat(tool, None)]
        if isinstance(items := body.get("input"), list):
            self.body["input"] = [_flat_item(item) for item in items]
        match body.get("tool_choice"):
            case {"name": str(name), "namespace": str(namespace), **choice}:
                self.body["tool_choice"] = {**choice, "name": _sent_name(name, namespace)}

    def _flat(self, tool: Any, namespace: str | None) -> Iterator[Any]:
        match tool:
            case {"type": "namespace", "name": str(name), "tools": [*tools]}:
                for one in tools:
                    yield from self._flat(one, name)
            case {"type": "custom" | "function" as kind, "name": str(name)}:
                sent = _sent_name(name, namespace)
                own = {} if namespace is None else {"namespace": namespace}
                self._own[sent] = {**own, "type": _CALLS[kind], "name": name}
                yield {**tool, "name": sent}
            case _:
                yield tool

    def item(self, item: Json) -> Json:
        """Return an item of a reply as the client knows its call."""
        own = self._own.get(str(item.get("name")))
        if item["type"] != "function_call" or own is None:
            return item
        item = {**item, **own}
        if own["type"] == "custom_tool_call":
            self._texts.add(item["id"])
            item["input"] = _text_in(item.pop("arguments"))
        return item

    def event(self, event: Json) -> Json:
        """Return an event of a stream as the client knows its call."""
        match event:
            case {"item": item}:
                return {**event, "item": self.item(item)}
            case {"response": response}:
                output = [self.item(item) for item in response["output"]]
                return {**event, "response": {**response, "output": output}}
            case {"type": str(kind), "item_id": id} if id in self._texts:
                told = {**event, "type": kind.replace(_ARGUMENTS_EVENT, _INPUT_EVENT)}
                told.pop("name", None)
                if "delta" in told:
                    return {**told, "delta": _text_in(told["delta"])}
                return {**told, "input": _text_in(told.pop("arguments"))}
            case {"name": str(name)} if name in self._own:
                return {**event, "name": self._own[name]["name"]}
        return event


def _sent_name(name: str, namespace: object) -> str:
    return f"{namespace}__{name}" if isinstance(namespace, str) else name


def _text_in(arguments: str) -> str:
    """Return the text that the arguments of such a function are."""
    match parsed(arguments):
        case {"input": str(text)}:
            return text
    return arguments


def _flat_item(item: Any) -> Any:
    """Return an item of the history, with a call by the name of its function."""
    match item:
        case {"name": str(name), "namespace": str(namespace), **call}:
            return {**call, "name": _sent_name(name, namespace)}
    return item
