"""The flags of profiles: as the text has them in a table, and as the schema of a profile gets them.

The build of the fixtures renews the schema.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

PAGE: Final = Path("spec/v1/payload.md")
SCHEMA: Final = Path("schemas/v1/formats/profile.schema.json")

_ROW: Final = re.compile(r"^> \| `(\w+)` \| (.+) \| (.+) \| .+ \| (.+) \|$", re.MULTILINE)
_REFUSALS: Final = re.compile(r"^> \| (`\w+`(?:, `\w+`)*) \| [^|]+ \| [^|]+ \|$", re.MULTILINE)
_FORMS: Final = re.compile(
    r'(?<="type": "object",\n      "properties": \{\n)        "strict_field".*?(?=\n      \})',
    re.DOTALL,
)
_KINDS: Final = {
    "a boolean": '{ "type": "boolean" }',
    "a limit": '{ "$ref": "#/$defs/limit" }',
    "names": '{ "$ref": "#/$defs/names" }',
    "choices": '{ "$ref": "#/$defs/choices" }',
    "refusals": '{ "$ref": "#/$defs/refusals" }',
    "required members": '{ "$ref": "#/$defs/required" }',
    "other names": '{ "$ref": "#/$defs/others" }',
}


class Flag(NamedTuple):
    """A row of the law's table; the cells are Markdown of that page."""

    name: str
    values: str
    strict: str
    readers: str


def read_flags(text: str) -> list[Flag]:
    """Return the flags of the table in the text of their page, or in a quote of it, in order."""
    return [Flag(*row) for row in _ROW.findall(text)]


def read_refusals(text: str) -> list[str]:
    """Return the names of refusals (definition "refusal") in the text of their page, in order."""
    _, _, below = text.partition("\n### refusal\n")
    table, _, _ = below.partition("\n### ")
    names = [name for row in _REFUSALS.findall(table) for name in re.findall("`(.+?)`", row)]
    return [*dict.fromkeys(names)]  # one name can have several rows


def renewed(root: Path) -> str:
    """Return the schema of profiles with the flags of the text; "" where there is no such text."""
    if not (root / PAGE).exists():
        return ""
    law = (root / PAGE).read_text(encoding="utf-8")
    rows = read_flags(law)
    text = (root / SCHEMA).read_text(encoding="utf-8")
    text = with_values(text, "flag", [one.name for one in rows])
    text = with_values(text, "refusal", read_refusals(law))
    forms = ",\n".join(f"        {json.dumps(one.name)}: {_form(one.values)}" for one in rows)
    return _FORMS.sub(lambda _: forms, text)


def with_values(text: str, name: str, values: Iterable[str]) -> str:
    """Return the text of a schema in which a definition lists these values."""
    listed = ",\n".join(f"        {json.dumps(value)}" for value in values)
    place = rf'("{name}": \{{\n      "enum": \[\n)[^\]]*(?=\n      \])'
    return re.sub(place, lambda found: found[1] + listed, text)


def _form(values: str) -> str:
    words = re.findall('`("[^`]*"|true|false)`', values)
    return _KINDS.get(values) or f'{{ "enum": [{", ".join(words)}] }}'
