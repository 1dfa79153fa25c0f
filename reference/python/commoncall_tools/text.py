"""What the text says of codes and requirements: ``text.json``, which the build of the fixtures
writes, so that no command of users needs the fixtures.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple


class Code(NamedTuple):
    """A code: its meaning, and the ids of the requirements that demand it, which can differ in
    some operations.
    """

    meaning: str
    requirements: Sequence[str]
    operations: Mapping[str, Sequence[str]] = {}

    def demanded(self, operation: str) -> Sequence[str]:
        """Return the requirements that demand it of an operation, the nearest first."""
        return self.operations.get(operation, self.requirements)

    def said(self, name: str) -> str:
        """Return a name of it with its meaning, and the requirements that demand it."""
        by = f" [{', '.join(self.requirements)}]" if self.requirements else ""
        return f"{name}: {self.meaning}{by}"


class Requirement(NamedTuple):
    """A requirement: ``changes`` are the versions that reworded it."""

    title: str
    text: str
    since: str
    changes: Sequence[str]
    address: str


class Withdrawn(NamedTuple):
    """A requirement that is gone, and what stands in its place."""

    since: str
    replaced_by: Sequence[str]

    def said(self) -> str:
        """Return since when, and what to read."""
        after = f"; read {', '.join(self.replaced_by)}" if self.replaced_by else ""
        return f"withdrawn since {self.since}{after}"


class Text(NamedTuple):
    """The text: codes by contract and name, requirements by id, and how many scenarios are asked of
    each format.
    """

    version: str
    codes: Mapping[str, Mapping[str, Code]]
    requirements: Mapping[str, Requirement]
    withdrawn: Mapping[str, Withdrawn]
    scenarios: Mapping[str, int]


def read() -> Text:
    """Read the file."""
    data = json.loads(Path(__file__).with_name("text.json").read_bytes())
    return Text(
        data["version"],
        {
            contract: {name: Code(**code) for name, code in codes.items()}
            for contract, codes in data["codes"].items()
        },
        {id: Requirement(**each) for id, each in data["requirements"].items()},
        {id: Withdrawn(**each) for id, each in data["withdrawn"].items()},
        data["scenarios"],
    )
