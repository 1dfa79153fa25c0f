"""The tables of `spec/v1/interfaces`: where an interface has what the contracts have elsewhere."""

from collections.abc import Mapping
from typing import Final, Literal, TypedDict

from commoncall.dialect_data import read_interface

Interface = Literal["anthropic-messages", "openai-responses"]


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


class Form(TypedDict):
    """What a port reads of a table (definition "table of an interface")."""

    messages: str
    system: str
    has_items: bool
    takes_blank_text: bool
    text: Mapping[str, str]
    call: Call
    result: Result
    signed: list[str]
    own_parts: list[str]
    own_items: list[str]
    function_types: list[str | None]
    parameters: str
    choices: Mapping[str, object]
    named: str


FORMS: Final[Mapping[str, Form]] = {
    name: read_interface(name)["form"] for name in ("anthropic-messages", "openai-responses")
}
"""The forms of the interfaces, by their names."""

JsonObject = dict[str, object]
