"""The files of ``spec/v1/dialects``, ``formats`` and ``profiles``; what formats call themselves."""

import os
import re
from functools import cache
from typing import Any, Final

from commoncall.packaged import HERE, read_json

_BETWEEN: Final = re.compile(
    r"(?<=[a-z])(?=[0-9])|(?<=[0-9])(?=[a-z])|\.(?![0-9])|(?<![0-9])\.|[^a-z0-9.]+"
)

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


def read_interface(id: str) -> dict[str, Any]:
    """Return the table of an interface, of which the name is known."""
    return _read(f"{folder_of('interfaces')}/{id}.json")


def read_format(id: str) -> dict[str, Any]:
    """Return the file of a format, of which the id is known."""
    return _read(f"{folder_of('formats')}/{id}.json")


@cache
def _models() -> tuple[tuple[str, str], ...]:
    """Return each pattern of a model, with the id of its format."""
    return tuple((pattern, id) for id in format_ids() for pattern in read_format(id)["models"])


def format_for(model: str) -> str | None:
    """Return the id of the format of a model, None where no format names it.

    ``model`` is the id of a repository, as ``Qwen/Qwen3-Coder-30B-A3B-Instruct``, or else what
    names the same weights elsewhere: a repository that quantised or repackaged them, a file, a tag
    of Ollama or LM Studio. Of two patterns that fit, the one with more characters beside ``*``
    counts.
    """
    for fits in (_is_model, _is_copy):
        found = [
            (len(pattern.replace("*", "")), id) for pattern, id in _models() if fits(pattern, model)
        ]
        if found:
            return max(found)[1]
    if ":" not in _own_name(model):
        return None
    # A tag can leave out how a name ends, where all that begin so are of one format.
    begin = _plain(f"{_own_name(model)}-")
    begun = {id for pattern, id in _models() if _plain(f"{_own_name(pattern)}-").startswith(begin)}
    return begun.pop() if len(begun) == 1 else None


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
    return _of_models(pattern).fullmatch(model) is not None


def _is_copy(pattern: str, model: str) -> bool:
    """Tell whether a name begins as those that fit a pattern, whoever owns what it names.

    Copies keep the name of the weights, and add to its end how they are packed. Some put the
    owner's name before it.
    """
    return _of_copies(pattern).fullmatch(_plain(f"{_own_name(model)}-")) is not None


@cache
def _of_models(pattern: str) -> re.Pattern[str]:
    ways = ".*".join(map(re.escape, pattern.split("*")))
    return re.compile(f"(?ais:{ways})")


@cache
def _of_copies(pattern: str) -> re.Pattern[str]:
    owner = re.escape(_plain(pattern.partition("/")[0]))
    ways = ".*".join(re.escape(_plain(piece)) for piece in _own_name(pattern).split("*"))
    end = ".*" if pattern.endswith("*") else "-.*"
    return re.compile(f"(?s:({owner}-)?{ways}{end})")


def _own_name(model: str) -> str:
    return model.rpartition("/")[2].removesuffix(":latest")


def _plain(name: str) -> str:
    """Return a name in small letters, with ``-`` between its words and its numbers."""
    return _BETWEEN.sub("-", name.lower())


DESCRIPTORS: Final = _descriptors()
