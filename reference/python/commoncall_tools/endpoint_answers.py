"""What endpoints answer to what they refuse, and what can be done about it, for ``check``."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, get_args

from commoncall.dialect_data import profile_ids
from commoncall.interface import Interface
from commoncall.payload.profile import STRICT
from commoncall_tools.profiles import document_of, flags_for
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

_What = tuple[str, str]
"""The code of an entry, and its place."""


class Endpoints:
    """The known endpoints, and what each of them refuses of a request or a history."""

    def __init__(self, document: object) -> None:
        self._document = document
        self._refused: dict[str, dict[_What, Entry]] = {}

    def answers(self, entries: Iterable[Entry], profile: str) -> list[str]:
        """Return what an endpoint answers to each entry: that of the profile; or where it was not
        seen to refuse it, another one.
        """
        return [self._answer(entry, profile) for entry in entries]

    def _answer(self, entry: Entry, profile: str) -> str:
        if entry.refused and profile != STRICT:
            return _who_answers(entry, profile)
        what = entry.code, entry.place
        seen = entry if entry.refused else self._refused_by(STRICT).get(what)
        if seen is None or profile in get_args(Interface):
            return ""
        said = _who_answers(seen, STRICT, lambda id: what in self._refused_by(id))
        return said if entry.refused or not said else f"not seen there, but {said}"

    def refusing(self, known: Iterable[Entry]) -> list[str]:
        """Return a line for each endpoint that refuses what is not among the known; those that
        answer the same share one.
        """
        said = {(one.code, one.place) for one in known if one.refused}
        lines: dict[str, list[str]] = {}
        for profile in profile_ids():
            if profile in get_args(Interface):  # it takes no request of Chat Completions
                continue
            found = self._refused_by(profile)
            if news := [entry for what, entry in found.items() if what not in said]:
                lines.setdefault(_line(profile, news), []).append(profile)
        return [f"refused by {', '.join(profiles)}: {line}" for line, profiles in lines.items()]

    def _refused_by(self, id: str) -> dict[_What, Entry]:
        if id not in self._refused:
            entries = check(self._document, flags_for(id, self._document)).entries
            refused = (one for one in entries if one.refused)
            self._refused[id] = {(one.code, one.place): one for one in refused}
        return self._refused[id]


def to_do(code: str, is_mended: bool) -> str:
    """Return what is to be done about what is refused, or ""."""
    return _TO_DO.get(code, "send what --fix prints" if is_mended else "")


def _line(profile: str, news: Sequence[Entry]) -> str:
    first = news[0]
    more = f", and {len(news) - 1} more" if len(news) > 1 else ""
    said = _who_answers(first, profile) or first.why
    return f"{first.code} at {first.place or '/'}{more}: {said}"


def _who_answers(
    entry: Entry, profile: str, refuses: Callable[[str], bool] = lambda profile: True
) -> str:
    """Return who was seen to answer what to an entry, with the source, or "".

    Args:
        entry: what is refused.
        profile: that of the endpoint; under ``strict`` any that was seen will do.
        refuses: tells of a profile whether it, too, says that this is refused.
    """
    names = [*entry.refusals, *_OF_ERRORS.get(entry.code, ())]
    ids = [profile] if profile != STRICT else profile_ids()
    told = ((id, [*_evidence(document_of(id)["evidence"], names)]) for id in ids)
    seen = [(id, one) for id, found in told if found and refuses(id) for one in found]
    if not seen:
        return ""
    about = re.compile(rf"(?<![\w$]){re.escape(entry.said_of)}\b")
    exactly = [one for one in seen if about.search(one[1]["says"])]
    who, said = (exactly or seen)[0]
    answers = "answers" if exactly else "answers in such a case"
    words = said["says"].removeprefix(f"{entry.said_of}: ")
    source = ", ".join(filter(None, [said["ref"], said.get("date")]))
    return f"{'it' if who == profile else who} {answers}: {words} ({source})"


def _evidence(evidence: Mapping[str, Any], names: Sequence[str]) -> Iterator[Mapping[str, str]]:
    for name in names:
        yield from evidence.get("refuses", {}).get(name, ())
        if name != "refuses":
            yield from evidence.get(name, ())
