"""The files of ``spec/v1/dialects``, ``formats`` and ``profiles``; what formats call themselves."""

import os
import re
from functools import cache
from typing import Any, Final

from commoncall.packaged import HERE, read_json

_CHECKOUT: Final = f"{HERE}/../../../spec/v1"


def folder_of(name: str) -> str:
    """Return where the files of ``dialects``, ``formats`` or ``profiles`` are."""
    packaged = f"{HERE}/{name}"
    return packaged if os.path.isdir(packaged) else f"{_CHECKOUT}/{name}"


def _read(path: str) -> dict[str, Any]:
    document: dict[str, Any] = read_json(path)
    return document


def _descriptors() -> tuple[dict[str, Any], ...]:
    """Return the descriptors in the order of their files, those of the defaults first."""
    folder = folder_of("dialects")
    descriptors = [_read(f"{folder}/{name}") for name in sorted(os.listdir(folder))]
    return tuple(sorted(descriptors, key=lambda one: not one["default"]))


@cache
def _ids(folder: str) -> tuple[str, ...]:
    return tuple(sorted(name.removesuffix(".json") for name in os.listdir(folder_of(folder))))


def format_ids() -> tuple[str, ...]:
    """Return the ids of the formats, sorted."""
    return _ids("formats")


def profile_ids() -> tuple[str, ...]:
    """Return the ids of the profiles, sorted."""
    return _ids("profiles")


def read_profile(id: str) -> dict[str, Any]:
    """Return the file of a profile, of which the id is known."""
    return _read(f"{folder_of('profiles')}/{id}.json")


def read_format(id: str) -> dict[str, Any]:
    """Return the file of a format, of which the id is known."""
    return _read(f"{folder_of('formats')}/{id}.json")


def format_for(model: str) -> str | None:
    """Return the id of the format of a model, None where no format names it.

    ``model`` is the id of a repository, as ``Qwen/Qwen3-Coder-30B-A3B-Instruct``. Of two patterns
    that fit, the one with more characters beside ``*`` counts.
    """
    fits = [
        (len(pattern.replace("*", "")), id)
        for id in format_ids()
        for pattern in read_format(id)["models"]
        if _is_model(pattern, model)
    ]
    return max(fits)[1] if fits else None


def formats_named(name: str) -> list[str]:
    """Return the ids of the formats that have this id or are called so by a server, or, where
    there is none, that of the model with this name.
    """
    if name in format_ids():
        return [name]
    named = [
        id for id in format_ids() if any(name == each["name"] for each in read_format(id)["names"])
    ]
    model = None if named else format_for(name)
    return [model] if model else named


def _is_model(pattern: str, model: str) -> bool:
    ways = ".*".join(map(re.escape, pattern.split("*")))
    return re.fullmatch(f"(?ais:{ways})", model) is not None


DESCRIPTORS: Final = _descriptors()
