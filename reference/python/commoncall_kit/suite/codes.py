"""What codes mean, and which requirements demand them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from commoncall_kit.suite.data import Documents

_ID: Final = re.compile(r"\b[A-Z]{3}-[0-9]{3}\b")


class Code(NamedTuple):
    """A code: its meaning, and the ids of the requirements that speak of it."""

    meaning: str
    requirements: list[str]


def read(files: Documents, contract: str, names: Iterable[str]) -> dict[str, Code]:
    """Return what codes mean in a contract."""
    rows = [row for table in files.manifest["codes"].values() for row in table]
    # Of two meanings that of the contract has the say, and else the first.
    rows.sort(key=lambda row: f"{contract}." not in " ".join(row["operations"]))
    meanings = {row["code"]: row["meaning"] for row in reversed(rows)}
    return {name: Code(meanings[name], _demanding(files.index, contract, name)) for name in names}


def _demanding(index: Mapping[str, Any], contract: str, name: str) -> list[str]:
    """Return the requirements whose text has a code, or that link the definition with its row; else
    those that its row in a definition names; else those that link the definition.
    """
    requirements = [each for each in index["requirements"] if each["contract"] == contract]
    quoted = f"`{name}`"
    listed = with_row(index, quoted)
    if found := [
        each["id"]
        for each in requirements
        if quoted in each["text"] or not listed.isdisjoint(each["links"])
    ]:
        return found
    above = f"v1/{contract}/"
    definitions = [
        each
        for each in index["definitions"]
        if each["address"].startswith(above) and quoted in each["text"]
    ]
    rows = (row for each in definitions for row in _rows(each["text"], quoted))
    if found := sorted({id for row in rows for id in _ID.findall(row)}):
        return found
    linked = {each["address"] for each in definitions}
    return [each["id"] for each in requirements if not linked.isdisjoint(each["links"])]


def with_row(index: Mapping[str, Any], quoted: str) -> set[str]:
    """Return the addresses of definitions that list a code in a row with an id."""
    row = re.compile(rf"^\| D[0-9]+\.[0-9]+ \| {re.escape(quoted)} \|", re.MULTILINE)
    return {each["address"] for each in index["definitions"] if row.search(each["text"])}


def _rows(text: str, quoted: str) -> Iterator[str]:
    """Give the rows of tables that begin with a code."""
    return (line for line in text.splitlines() if line.startswith(f"| {quoted} |"))
