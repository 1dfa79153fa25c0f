"""Blocks joined to messages and items, in the form of the interface.

Holds ITF-012, ITF-013, ITF-014, ITF-016 and ITF-048 of spec/v1/interfaces.md.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from commoncall.call_object import SENDABLE
from commoncall.interface.blocks import FAILED, type_of
from commoncall.interface.table import Form, JsonObject, types_of
from commoncall.interface.units import SYSTEM_MEMBER, Piece, role_of_item
from commoncall.interface.written import Written, place_of
from commoncall.json_text import equal, is_blank
from commoncall.places import Findings, Place


@dataclass(slots=True)
class _Message:
    """A message that is being made: where it was, below `SYSTEM_MEMBER` if it was nowhere, the
    message that it was made for last, and the blocks so far.
    """

    role: str | None
    home: int
    number: int
    blocks: list[Written] = field(default_factory=list)
    only_results: bool = True


REFERENCE: Final = "item_reference"
"""The type of an item that is nothing but the id of one that the provider keeps."""

IMAGE_CALL: Final = "image_generation_call"
"""The type of an item that is this, too, where no image came of it."""

THOUGHT: Final = ("summary", "content", "encrypted_content")
"""The members of which a thought has one, or it is this, too."""


class _Item(NamedTuple):
    """A block in the list itself, and the position of the message that it is of."""

    written: Written
    message: int


def joined(
    said: Iterable[tuple[str | None, list[Written]]],
    natives: Sequence[Any],
    form: Form,
    found: Findings,
    *,
    is_kept: bool = True,
) -> tuple[list[Any], list[Any]]:
    """Return messages and items, and the contents that are for the member of the system text.

    ``said`` holds for each message of the contracts its role and its blocks; ``is_kept``: the
    provider keeps what it gives, and knows it again.
    """
    made: list[_Message | _Item] = []
    top: list[_Message] = []
    for number, (role, blocks) in enumerate(said):
        homes = [one.piece.home for one in blocks if one.piece is not None]
        is_first_system = role == "system" and not (homes or form["has_items"] or made)
        if SYSTEM_MEMBER in homes or (is_first_system and blocks):
            top.append(_Message(role, SYSTEM_MEMBER, number, blocks))
            continue
        # What was made joins what its message came with; else it was nowhere: a home of its own.
        new_home = homes[0] if homes and not form["has_items"] else -2 - number
        for written in blocks:
            if _is_item(written, natives, form):
                item = _Item(written, number)
                if not is_kept and _is_elsewhere(written.block, form):
                    found.add(_place(item, form), "opaque_removed")
                else:
                    made.append(item)
                continue
            home = new_home if written.piece is None else written.piece.home
            message = made[-1] if made and isinstance(made[-1], _Message) else None
            is_result = type_of(written.block) == form["result"]["type"]
            made_there = message is not None and message.number == number and not written.piece
            if message is None or not (made_there or _goes_on(message, role, home, is_result)):
                message = _Message(role, home, number)
                made.append(message)
            message.blocks.append(written)
            message.number = number
            message.only_results &= is_result
    sent: list[tuple[str | None, Any]] = []
    for one in _with_followers(made, form, found):
        if isinstance(one, _Item):
            place = _place(one, form)
            element = _with_summary(one.written.block, place, form, found)
        else:
            place = ("carried", form["messages"], one.home)
            element = _message(one, natives, form)
        element = _with_known_id(element, place, form, found, is_kept=is_kept)
        sent.append((_role_of(one, form), _with_told_status(element)))
    return [*_without_lone_ids(sent, form)], [_content(one, form) for one in top]


def _role_of(one: _Message | _Item, form: Form) -> str | None:
    """Return who says what stands in the list; None for what is neither a message nor an item."""
    if isinstance(one, _Message):
        return one.role
    block = one.written.block
    return None if type_of(block) in (None, "message") else role_of_item(block, form)


def _is_elsewhere(item: Any, form: Form) -> bool:
    """Tell whether an item has nothing but the id of what the provider would have to keep
    (ITF-016).
    """
    kind = type_of(item)
    if kind in form["signed"]:
        return all(item.get(name) in (None, "", []) for name in THOUGHT)
    return kind == REFERENCE or (kind == IMAGE_CALL and item.get("result") is None)


def _without_lone_ids(sent: Iterable[tuple[str | None, Any]], form: Form) -> Iterator[Any]:
    """Yield what stands in the list, without the ids by which its endpoint knows of reasoning that
    is not there (ITF-016).
    """
    has_thought = has_known_thought = False  # of the assistant, before what comes
    for role, element in sent:
        kind = type_of(element)
        if role != "assistant":
            has_thought = has_known_thought = False
        elif kind in (*form["signed"], REFERENCE):
            has_thought = True
            has_known_thought |= "id" in element
        elif not has_known_thought and (has_thought or kind in types_of(form, "call")):
            yield _without_id(element, form)
            continue
        yield element


def _without_id(element: Any, form: Form) -> Any:
    """Return an item of a type that can stand without its id without it (ITF-016)."""
    if not _begin_of_id(element, form):
        return element
    return {name: value for name, value in element.items() if name != "id"}


def _begin_of_id(element: Any, form: Form) -> str:
    """Return what the id of an item begins with; an empty text where any can stand."""
    kind = type_of(element)
    return form.get("ids", {}).get("message" if kind is None else str(kind), "")


def _with_known_id(
    element: Any, place: Place, form: Form, found: Findings, *, is_kept: bool
) -> Any:
    """Return what stands in the list without an id that its endpoint refuses (ITF-016)."""
    if not isinstance(element, dict) or "id" not in element:
        return element
    given, begin = element["id"], _begin_of_id(element, form)
    is_text = isinstance(given, str)
    is_known = is_text and given.startswith(begin) and re.fullmatch(SENDABLE, given)
    if not begin or (is_known and is_kept):
        return element
    if is_kept and given is not None:
        found.add(place, "opaque_removed")
    return _without_id(element, form)


def _with_told_status(element: Any) -> Any:
    """Return what stands in the list without a status that is null (ITF-016)."""
    if isinstance(element, dict) and element.get("status", "") is None:
        return {name: value for name, value in element.items() if name != "status"}
    return element


def _with_summary(item: Any, place: Place, form: Form, found: Findings) -> Any:
    """Return an item, a thought with the summary that its endpoint wants (ITF-048)."""
    if type_of(item) not in form["signed"] or item.get("summary") is not None:
        return item
    found.add((*place, "summary"), "opaque_added")
    return {**item, "summary": []}


def _with_followers(
    made: list[_Message | _Item], form: Form, found: Findings
) -> list[_Message | _Item]:
    """Return what stands in the list without signed items that nothing of the assistant follows
    (ITF-016).
    """
    kept: list[_Message | _Item] = []
    follows = False
    for one in reversed(made):
        if isinstance(one, _Message) or type_of(one.written.block) not in form["signed"]:
            follows = _role_of(one, form) == "assistant"
        elif not follows:
            found.add(_place(one, form), "opaque_removed")
            continue
        kept.append(one)
    return kept[::-1]


def _place(item: _Item, form: Form) -> Place:
    piece = item.written.piece
    return ("request", "messages", item.message) if piece is None else place_of(piece, form)


def _is_item(written: Written, natives: Sequence[Any], form: Form) -> bool:
    """Tell whether a block stands in the list itself, where the interface has such items."""
    block, piece = written
    if not form["has_items"]:
        return False
    own = (*types_of(form, "call"), *types_of(form, "result"), *form["own_items"])
    return type_of(block) in own or (piece is not None and is_whole(piece, natives))


def is_whole(piece: Piece, natives: Sequence[Any]) -> bool:
    """Tell whether a piece is a whole item, or what is no message."""
    return piece.home >= 0 and natives[piece.home] is piece.block


def _goes_on(message: _Message, role: str | None, home: int, is_result: bool) -> bool:
    """Tell whether a block goes into the last message: one that was there, and where that holds
    only results, a result, and what was made (ITF-014).
    """
    if message.role != role:
        return False
    return message.home == home or (message.only_results and (is_result or home < SYSTEM_MEMBER))


def _message(made: _Message, natives: Sequence[Any], form: Form) -> Any:
    given = natives[made.home] if made.home >= 0 else {}
    if made.role is None:
        return made.blocks[0].block
    content = _with_failures_of_text(_content(made, form), form)
    same = equal(given.get("content"), content)
    return given if same else {"role": made.role, **given, "content": content}


def _content(made: _Message, form: Form) -> Any:
    """Return a content; what was no array stays none, and one text that was made is one."""
    blocks = [one.block for one in made.blocks]
    if len(blocks) == 1:
        piece = made.blocks[0].piece
        if piece is not None and piece.at is None:
            return blocks[0]
        is_text = piece is None and type_of(blocks[0]) in form["text"].values()
        if is_text and isinstance(text := blocks[0].get("text"), str):
            return text
    kind = form["text"].get(str(made.role), form["text"]["user"])
    return [
        one.block
        if one.piece is not None and one.piece.at is not None
        else as_block(one.block, kind)
        for one in made.blocks
    ]


def _with_failures_of_text(content: Any, form: Form) -> Any:
    """Return a content in which results that failed are texts, what else they held behind the
    results (ITF-014).
    """
    if not isinstance(content, list):
        return content
    sent: list[Any] = []
    moved: list[Any] = []
    behind = 0
    for block in content:
        if type_of(block) == form["result"]["type"]:
            block = _failure_of_text(block, form, moved)
            behind = len(sent) + 1
        sent.append(block)
    return [*sent[:behind], *moved, *sent[behind:]]


def _failure_of_text(result: JsonObject, form: Form, moved: list[Any]) -> JsonObject:
    """Return a result; where it failed, it holds a text, and what is none goes into ``moved``."""
    name, kind = form["result"]["content"], form["text"]["user"]
    content = result.get(name)
    blocks = [] if content is None or _is_blank(content) else content
    if result.get("is_error") is not True or not isinstance(blocks, list):
        return result
    texts = [block for block in blocks if type_of(block) == kind]
    moved += [block for block in blocks if type_of(block) != kind]
    is_bare = all(_is_blank(block.get("text")) for block in texts)
    return {**result, name: [{"type": kind, "text": FAILED}] if is_bare else texts}


def _is_blank(text: object) -> bool:
    return isinstance(text, str) and is_blank(text)


def as_block(block: Any, kind: str) -> Any:
    """Return a block for what was a content by itself."""
    return {"type": kind, "text": block} if isinstance(block, str) else block
