"""What formats, dialects, profiles and refusals are, for people: files are data of the package."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from commoncall.dialect_data import (
    DESCRIPTORS,
    format_ids,
    profile_ids,
    read_format,
    read_profile,
)

Told = tuple[str, Mapping[str, object]]
"""The first line, and facts by their names."""


def told() -> Iterator[tuple[str, Told]]:
    """Yield what there is to say under each id, and of a format under each name of a server."""
    formats = [read_format(id) for id in format_ids()]
    for each in formats:
        yield from _format(each)
    for each in DESCRIPTORS:
        yield each["id"], _dialect(each, formats)
    profiles = [read_profile(id) for id in profile_ids()]
    for each in profiles:
        yield each["profile"], _profile(each)
    for name in sorted({name for each in profiles for name in each["flags"].get("refuses", ())}):
        yield name, _refusal(name, profiles)


def _format(file: Mapping[str, Any]) -> Iterator[tuple[str, Told]]:
    names = [f"{each['name']} ({each['in']})" for each in file.get("names", ())]
    facts = {
        "dialects": file["dialects"],
        "models": file.get("models", []),
        "names": names,
        "file": f"commoncall formats {file['id']}",
    }
    about = (f"{file['id']}: a format: {file['title']}", facts)
    for name in dict.fromkeys([file["id"], *(each["name"] for each in file.get("names", ()))]):
        yield name, about


def _dialect(file: Mapping[str, Any], formats: Sequence[Mapping[str, Any]]) -> Told:
    facts = {
        "scanner": file["payload"]["scanner"],
        "opener": _shown(file["opener"]),
        "closer": _shown(file["closer"]),
        "models": file.get("models", []),
        "read": "by default" if file["default"] else "where it is named, or a format has it",
        "formats": [each["id"] for each in formats if file["id"] in each["dialects"]],
    }
    return f"{file['id']}: a dialect: {file['title']}", facts


def _profile(file: Mapping[str, Any]) -> Told:
    facts = {name: json.dumps(value) for name, value in file["flags"].items()}
    return f"{file['profile']}: a profile: {file['title']}", {
        **facts,
        "check": f"commoncall check --profile {file['profile']} FILE",
    }


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


def _shown(marker: Mapping[str, Any] | None) -> str:
    return "" if marker is None else json.dumps(marker, ensure_ascii=False)
