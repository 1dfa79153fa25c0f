"""Descriptors: the dialects as data, and what of each has markers of its own."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[3] / "spec" / "v1" / "dialects"

MESSAGES = "harmony-pseudo"
"""The one dialect whose openers a definition has, and no descriptor (message header)."""

DESCRIPTORS: dict[str, dict[str, Any]] = {
    path.stem: json.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.json"))
}
"""Every descriptor, by the id of its dialect (dialect)."""

DEFAULT = [dialect for dialect, written in DESCRIPTORS.items() if written["default"]]
"""The default dialects (dialect)."""


@dataclass(frozen=True, eq=False)
class Form:
    """What has own markers: the blocks of a dialect, or its section (own marker).

    The blocks of a section have no payload, and some dialects have no closer (descriptor).
    ``repairs`` is None where every repair is made, ``limit_bytes`` where there is no limit.
    """

    dialect: str
    opener: dict[str, Any]
    closer: dict[str, Any] | None
    payload: dict[str, Any] | None
    repairs: list[str] | None = None
    limit_bytes: int | None = None
    values: dict[str, Any] = field(default_factory=dict)

    @property
    def is_bare(self) -> bool:
        """Tell whether there is no opener (bare message)."""
        return not self.opener

    @property
    def scanner(self) -> str:
        """The payload scanner, or the empty text for a section."""
        return str(self.payload["scanner"]) if self.payload else ""

    @property
    def is_read_as_parameters(self) -> bool:
        """Tell whether the payload is one of parameters."""
        return self.scanner == "parameters"

    @property
    def has_exact_members(self) -> bool:
        """Tell whether a call value has no member but those that the payload names (EXT-161)."""
        return self.values.get("members") == "exact"

    @property
    def takes_objects_alone(self) -> bool:
        """Tell whether arguments in a string are none (EXT-162)."""
        return self.values.get("arguments") == "object"

    @property
    def takes_names_verbatim(self) -> bool:
        """Tell whether nothing is taken off the ends of a name (cleaned name)."""
        return self.values.get("name") == "verbatim"


def forms_of(descriptor: dict[str, Any]) -> list[Form]:
    """Return the forms of one dialect: its blocks, and its section where it has one."""
    dialect, section = descriptor["id"], descriptor.get("section")
    narrower = {
        member: descriptor[member]
        for member in ("repairs", "limit_bytes", "values")
        if member in descriptor
    }
    own = (descriptor["opener"] or {}, descriptor["closer"], descriptor["payload"])
    forms = [Form(dialect, *own, **narrower)]
    if section is not None:  # EXT-116
        forms.append(Form(dialect, section["opener"], section["closer"], None))
    return forms


FORMS = {dialect: forms_of(descriptor) for dialect, descriptor in DESCRIPTORS.items()}


def active_forms(dialects: list[str]) -> list[Form]:
    """Return the forms of the active dialects, each once (EXT-007)."""
    return [form for dialect, forms in FORMS.items() if dialect in dialects for form in forms]


def can_be_active(dialects: list[str]) -> bool:
    """Tell whether these are dialects, and none excludes another one (EXT-119)."""
    listed = set(dialects)
    return listed <= DESCRIPTORS.keys() and not any(
        listed & set(DESCRIPTORS[dialect].get("excludes", ())) for dialect in listed
    )
