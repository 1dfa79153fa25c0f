"""What formats, dialects, profiles and refusals are, for people: files are data of the package."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from commoncall.dialect_data import (
    DESCRIPTORS,
    format_ids,
    profile_ids,
    read_format,
    read_profile,
)

Told = tuple[str, Mapping[str, object]]
"""The first line, and facts by their names."""

FEWEST: Final = 3
"""So many words make a message."""

LEAST: Final = 0.75
"""Such a share of the words of the shorter one stands in both."""

_APART: Final = ("format", "id", "title", "evidence")
"""Members that the first line says, or that are of the file alone."""


def told() -> Iterator[tuple[str, Told]]:
    """Yield what there is to say under each id, and of a format under each name of a server."""
    for each in map(read_format, format_ids()):
        names = [each["id"], *(one["name"] for one in each.get("names", ()))]
        yield from ((name, _file("format", each["id"], each)) for name in dict.fromkeys(names))
    for each in DESCRIPTORS:
        yield each["id"], _file("dialect", each["id"], each)
    profiles = [*map(read_profile, profile_ids())]
    for each in profiles:
        flags = {"title": each["title"], **each["flags"]}
        yield each["profile"], _file("profile", each["profile"], flags)
    for name in sorted({name for each in profiles for name in each["flags"].get("refuses", ())}):
        yield name, _refusal(name, profiles)


def words_of(text: str) -> set[str]:
    """Return the words of a name or a message; `PAY-3` has those of `PAY-003`."""
    return {word.lstrip("0") for word in re.findall("[a-z0-9]+", text.casefold())}


def refused_with(words: set[str]) -> list[str]:
    """Return what endpoints refuse with a message of these words, the likeliest first.

    A message has an id or a name where the record has none, and a record is often a part of it.
    """
    likely: dict[str, float] = {}
    for profile in map(read_profile, profile_ids()):
        for name, seen in profile["evidence"].get("refuses", {}).items():
            for one in seen:
                said = words_of(one["says"])
                common = len(said & words)
                share = common / max(1, min(len(said), len(words)))
                if common >= FEWEST and share >= LEAST:
                    likely[name] = max(likely.get(name, 0), share * common)
    return sorted(likely, key=lambda name: -likely[name])


def _file(kind: str, id: str, members: Mapping[str, Any]) -> Told:
    facts = {
        name: json.dumps(value, ensure_ascii=False)
        for name, value in members.items()
        if name not in _APART
    }
    return f"{id}: a {kind}: {members['title']}", facts


def _refusal(name: str, profiles: Sequence[Mapping[str, Any]]) -> Told:
    """Say which endpoints were seen to refuse something, and where and when that was."""
    seen = {
        each["profile"]: "; ".join(
            f"{one['ref']} ({one['date']}): {one['says']}"
            for one in each["evidence"].get("refuses", {}).get(name, ())
        )
        for each in profiles
    }
    return f"{name}: a refusal, by endpoints", {id: said for id, said in seen.items() if said}
