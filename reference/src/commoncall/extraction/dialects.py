"""What a dialect is made of, as data (definition "dialect"). No code here knows one by its id."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Payload = Literal["json_values", "json_object"]


@dataclass(frozen=True, slots=True)
class Tag:
    """A marker ``<name>``, in any ASCII case, with blanks before its ``>``; a closer begins with
    ``</``.
    """

    name: str


@dataclass(frozen=True, slots=True)
class Literally:
    """A marker that is one fixed text."""

    text: str


@dataclass(frozen=True, slots=True)
class Header:
    """A marker that begins with a fixed text, holds a header, and ends with a fixed text.

    Attributes:
        text: what it begins with.
        end: what it ends with.
        tokens: the only texts in a header that begin like ``end``.
        channel: a header is the opener of a call when the text behind the last of the first, up to
            the next ``<|``, is the second.
        reserved: a header that is no such opener and holds one of these is reserved.
        reserved_closers: what ends a reserved message.
    """

    text: str
    end: str
    tokens: tuple[str, ...]
    channel: tuple[str, str]
    reserved: tuple[str, ...]
    reserved_closers: tuple[str, ...]


HEADER_LENGTH = 128
"""How many characters a header may have."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """A way of writing calls as text.

    Attributes:
        payload: what stands between opener and closer.
        names: the members that can hold the name of a call, in order.
        arguments: the members that can hold its arguments.
        nested: the member that can hold the call value in the place of the object itself.
    """

    id: str
    opener: Tag | Literally | Header
    closer: Tag | Literally
    payload: Payload = "json_values"
    names: tuple[str, ...] = ("name", "function", "tool")
    arguments: tuple[str, ...] = ("arguments", "parameters")
    nested: str | None = "function"


TAG_DIALECTS = ("tool_call", "tools", "tool_calls", "function_call", "function")

HARMONY_PSEUDO = Dialect(
    "harmony-pseudo",
    Header(
        "<|start|>assistant",
        "<|message|>",
        tokens=("<|channel|>", "<|constrain|>"),
        channel=("<|channel|>", "tool"),
        reserved=("recipient:", "to:", "to=", "<|constrain|>"),
        reserved_closers=("<|end|>", "<|call|>"),
    ),
    Literally("<|end|>"),
    payload="json_object",
    names=("tool",),
    arguments=("arguments",),
    nested=None,
)

DIALECTS = {
    **{name: Dialect(name, Tag(name), Tag(name)) for name in TAG_DIALECTS},
    HARMONY_PSEUDO.id: HARMONY_PSEUDO,
}

FOREIGN_OPENINGS = ("<function=", "<parameter", "<invoke", "<arg_key", "<arg_value")
"""How the payloads of other dialects begin. Behind an undecided opener they tell that it is no
mention in prose.
"""

REASONING = "think"
"""The name of the reasoning tag."""
