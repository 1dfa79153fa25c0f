"""Which format a model writes, or a server means by a name, as the files of the formats say."""

from __future__ import annotations

import re

from commoncall.dialect_data import format_ids, read_format


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
