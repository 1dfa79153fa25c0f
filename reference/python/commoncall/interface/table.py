"""The tables of `spec/v1/interfaces`: where an interface has what the contracts have elsewhere."""

from collections.abc import Mapping
from typing import Final, Literal, NotRequired, TypedDict, get_args

from commoncall.dialect_data import read_interface

JsonObject = dict[str, object]
Interface = Literal["anthropic-messages", "openai-responses", "ollama-chat"]


class Call(TypedDict):
    """The block of a call, and the names of its members."""

    type: str
    id: str
    arguments: str
    arguments_are: Literal["object", "text"]


class Result(TypedDict):
    """The block of a result, and the names of its members."""

    type: str
    id: str
    content: str


class TextTool(TypedDict):
    """A tool that takes a text, its calls and their results: their types."""

    tool: str
    call: str
    result: str


class Form(TypedDict):
    """What a port reads of the table of an interface whose messages have blocks."""

    messages: str
    system: str
    has_items: bool
    takes_blank_text: bool
    text: Mapping[str, str]
    call: Call
    result: Result
    text_tool: TextTool | None
    namespace: str | None
    signed: list[str]
    signatures: Mapping[str, str]
    most_marks: int | None
    own_parts: list[str]
    own_items: list[str]
    tool_items: list[str]
    ids: NotRequired[Mapping[str, str]]
    function_types: list[str | None]
    parameters: str
    choices: Mapping[str, object]
    named: str


class Flat(TypedDict):
    """What a port reads of the table of an interface whose messages are almost those of Chat
    Completions: the names of members, and how the data of a kind of image begin.
    """

    messages: str
    images: str
    media: Mapping[str, str]
    result_name: str


_TABLES: Final = {name: read_interface(name)["form"] for name in get_args(Interface)}
FLAT: Final[Mapping[str, Flat]] = {
    name: form for name, form in _TABLES.items() if form.get("is_flat")
}
FORMS: Final[Mapping[str, Form]] = {
    name: form for name, form in _TABLES.items() if name not in FLAT
}
"""The forms of the interfaces, by their names."""


def history_member(interface: Interface) -> str:
    """Return the name of the member with the history."""
    member: str = _TABLES[interface]["messages"]
    return member


INPUT: Final = "input"
"""What the text of such a call is called, there and in the arguments that stand for it."""


def types_of(form: Form, what: Literal["call", "result"]) -> tuple[str, ...]:
    """Return the types of the blocks of calls, or of results."""
    text = form["text_tool"]
    return (form[what]["type"],) if text is None else (form[what]["type"], text[what])


def flat_name(function: JsonObject, namespace: object) -> object:
    """Return the name that a function, a call or a choice has in the contracts: they have no
    namespaces.
    """
    name = function.get("name")
    known = isinstance(name, str) and isinstance(namespace, str)
    return f"{namespace}__{name}" if known else name
