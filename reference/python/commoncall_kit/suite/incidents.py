"""The ledger of incidents: what people reported, and the requirements and cases that answer it.

It is no part of a suite: a report more changes no digest.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from commoncall import files
from commoncall_kit.suite.data import MAX_BYTES, find_root

FILE: Final = "fixtures/incidents.json"

Incident = Mapping[str, Any]
"""A record: ``schemas/v1/formats/incidents.schema.json``."""


def read() -> Sequence[Incident]:
    """Return all records of this installation, in the order of their ids."""
    records: list[Incident] = json.loads(files.read(find_root() / FILE, MAX_BYTES))["incidents"]
    return records


def names(incident: Incident) -> Iterator[str]:
    """Yield how people name a report: with the owner of its repository, and without."""
    yield incident["id"]
    yield incident["id"].partition("/")[2]


def address(id: str) -> str:
    """Return where a report stands. GitHub leads from there to a pull request, too."""
    repository, _, number = id.partition("#")
    return f"https://github.com/{repository}/issues/{number}"


def citing(rule: str, records: Sequence[Incident]) -> list[Incident]:
    """Return the reports that a requirement answers."""
    return [one for one in records if rule in one.get("rules", ())]
