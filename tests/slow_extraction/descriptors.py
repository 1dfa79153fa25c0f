"""Descriptors: the dialects as data, and what of each has markers of its own."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent.parent / "spec" / "v1" / "dialects"

MESSAGES = "harmony-pseudo"
"""The one dialect whose openers a definition has, and no descriptor (message header)."""

DESCRIPTORS: dict[str, dict[str, Any]] = {
    path.stem: json.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.json"))
}
"""Every descriptor, by the id of its dialect (dialect)."""

DEFAULT = [dialect for dialect, written in DESCRIPTORS.items() if written["default"]]
"""The default dialects (dialect, EXT-118)."""


@dataclass(frozen=True, eq=False)
class Form:
    """What has own markers: the blocks of a dialect, or its section (own marker).

    The blocks of a section have no payload, and some dialects have no closer (descriptor).
    """

    dialect: str
    opener: dict[str, Any]
    closer: dict[str, Any] | None
    payload: dict[str, Any] | None

    @property
    def scanner(self) -> str:
        """The payload scanner, or the empty text for a section."""
        return str(self.payload["scanner"]) if self.payload else ""

    @property
    def is_read_as_parameters(self) -> bool:
        """Tell whether the payload is one of parameters."""
        return self.scanner == "parameters"


def forms_of(descriptor: dict[str, Any]) -> list[Form]:
    """Return the forms of one dialect: its blocks, and its section where it has one."""
    dialect, section = descriptor["id"], descriptor.get("section")
    forms = [Form(dialect, descriptor["opener"], descriptor["closer"], descriptor["payload"])]
    if section is not None:  # EXT-140
        forms.append(Form(dialect, section["opener"], section["closer"], None))
    return forms


FORMS = {dialect: forms_of(descriptor) for dialect, descriptor in DESCRIPTORS.items()}


def active_forms(dialects: list[str]) -> list[Form]:
    """Return the forms of the active dialects, each once (EXT-007)."""
    return [form for dialect, forms in FORMS.items() if dialect in dialects for form in forms]


def can_be_active(dialects: list[str]) -> bool:
    """Tell whether these are dialects, and none excludes another one (EXT-117, EXT-119)."""
    listed = set(dialects)
    return listed <= DESCRIPTORS.keys() and not any(
        listed & set(DESCRIPTORS[dialect].get("excludes", ())) for dialect in listed
    )
