"""What endpoints answer to what they refuse, and what can be done about it, for ``check``."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, get_args

from commoncall.dialect_data import profile_ids
from commoncall.interface import Interface
from commoncall.payload import load_profile
from commoncall.payload.profile import STRICT
from commoncall_tools.profiles import document_of
from commoncall_tools.request_findings import Entry, check

_TO_DO: Final[Mapping[str, str]] = {
    "assistant_last": "let a message of the user or a result stand behind it",
    "bridge_missing": "put a message of the other role between them",
    "choice_malformed": "send auto, none, required or the name of a function",
    "choice_unknown_tool": "name a tool that is sent",
    "choice_unsupported": "ask for auto, or switch thinking off",
    "duplicate_tool": "give each tool a name of its own",
    "form_not_chat_completions": "map it to Chat Completions first",
    "history_emptied": "send a message that says something",
    "legacy_and_tools": "leave functions out",
    "opaque_missing": "send this history to where it came from, or without its calls",
    "too_many_tools": "send fewer tools",
}
"""What is to be done where ``--fix`` mends nothing: about errors, and two codes of findings."""

_OF_ERRORS: Final[Mapping[str, Sequence[str]]] = {
    "choice_unsupported": ("refused_thinking", "refused_choices"),
    "too_many_tools": ("max_tools",),
}
"""The flags whose evidence says what an endpoint answers to an error."""


def answer(
    profile: str, code: str, refusals: Sequence[str], said_of: str, refuses: Callable[[str], bool]
) -> str:
    """Return who was seen to answer what, with the source, or "".

    Args:
        profile: its name; under ``strict`` any endpoint that was seen will do.
        code: the code of a finding or of an error.
        refusals: the names of refusals that it is, or of the flags that say so.
        said_of: the keyword or the form of a schema that it is about, or "".
        refuses: tells of a profile whether it, too, says that this is refused.
    """
    names = [*refusals, *_OF_ERRORS.get(code, ())]
    ids = [profile] if profile != STRICT else profile_ids()
    told = ((id, [*_evidence(document_of(id)["evidence"], names)]) for id in ids)
    seen = [(id, one) for id, found in told if found and refuses(id) for one in found]
    if not seen:
        return ""
    about = re.compile(rf"(?<![\w$]){re.escape(said_of)}\b")
    exactly = [one for one in seen if about.search(one[1]["says"])]
    who, said = (exactly or seen)[0]
    answers = "answers" if exactly else "answers in such a case"
    words = said["says"].removeprefix(f"{said_of}: ")
    source = ", ".join(filter(None, [said["ref"], said.get("date")]))
    return f"{'it' if who == profile else who} {answers}: {words} ({source})"


def to_do(code: str, is_mended: bool) -> str:
    """Return what is to be done about what is refused, or ""."""
    return _TO_DO.get(code, "send what --fix prints" if is_mended else "")


def refusing(document: object, known: Iterable[Entry]) -> list[str]:
    """Return a line for each endpoint that refuses what is not among the known; those that answer
    the same share one.

    Who wrote the history is not said, so what only its provider understands counts as its own.
    """
    said = {(one.code, one.place) for one in known if one.refused}
    lines: dict[str, list[str]] = {}
    for profile in profile_ids():
        if profile in get_args(Interface):  # it takes no request of Chat Completions
            continue
        here = {"provider": profile, "model": "any"}
        flags = {**load_profile(profile, origin=here), "unmarked": here}
        found = [one for one in check(document, flags).entries if one.refused]
        if news := [one for one in found if (one.code, one.place) not in said]:
            lines.setdefault(_line(profile, news), []).append(profile)
    return [f"refused by {', '.join(profiles)}: {line}" for line, profiles in lines.items()]


def _line(profile: str, news: list[Entry]) -> str:
    first = news[0]
    said = answer(profile, first.code, first.refusals, first.said_of, lambda _: True)
    more = f", and {len(news) - 1} more" if len(news) > 1 else ""
    return f"{first.code} at {first.place or '/'}{more}: {said or first.why}"


def _evidence(evidence: Mapping[str, Any], names: Sequence[str]) -> Iterator[Mapping[str, str]]:
    for name in names:
        yield from evidence.get("refuses", {}).get(name, ())
        if name != "refuses":
            yield from evidence.get(name, ())
