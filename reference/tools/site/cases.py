"""The cases: read, found by what they cite, and one of them as HTML or alone as JSON.

Reads the built suites under ``fixtures/v1``. Judges nothing: a suite out of form is the builder's
business.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from commoncall import spelled
from tools.site.markdown import escape, html_link, in_form, link
from tools.site.readable import Part, show_json

TEXT_MEMBERS = ("text", "payload")
"""Members of an input that are texts in their own right, shown as lines."""

SHOWN = ("input", "input_json", "env", "expect")
"""Members of a case that an example shows, as they stand in the suite."""

EXAMPLES: dict[str, str] = json.loads(Path(__file__).with_name("examples.json").read_bytes())
"""The example of an operation or a requirement, chosen by hand."""


@dataclass(frozen=True)
class Case:
    """One case as built, and the page that shows it. ``data`` has the members of the format."""

    id: str
    title: str
    requirements: Sequence[str]
    page: str
    data: Mapping[str, Any]

    @property
    def address(self) -> str:
        """The page and the anchor of the case."""
        return f"{self.page}#{self.id}"

    @property
    def raw(self) -> str:
        """The file of the suite, and the case in it."""
        return f"{self.page.removesuffix('.md')}.json#{self.id}"

    @property
    def kind(self) -> str:
        """What it expects where that is an error, and what a port risks that fails it."""
        return "error · " * ("error" in self.data["expect"]) + str(self.data["risk"])

    @property
    def matched(self) -> Sequence[str]:
        """The dialects that match in a case of extraction."""
        result = self.data["expect"].get("result", {})
        return result["matched"] if "segments" in result else ()

    @property
    def suite(self) -> str:
        """The name of the suite, as its page has it."""
        return self.page.removeprefix("fixtures/v1/").removesuffix(".md")

    @property
    def link(self) -> str:
        """A link to the case."""
        return link(self.address, escape(self.title))

    def get(self, label: str = "JSON") -> str:
        """A link to the file of the suite; the script adds a button that copies the case."""
        return html_link(self.raw, label, 'class="cc-get" ')

    @cached_property
    def shown(self) -> str:
        """The case as an example, as JSON."""
        return show_json({name: self.data[name] for name in SHOWN if name in self.data})


@dataclass(frozen=True, slots=True)
class Suite:
    """One built suite, its file in the repository, and its page."""

    name: str
    path: str
    page: str
    operation: str
    cases: Sequence[Case]
    withdrawn: Sequence[Mapping[str, Any]]


def example(name: str, cases: Sequence[Case]) -> Case | None:
    """Return the case that shows a requirement or an operation: the chosen one, else the first."""
    chosen = EXAMPLES.get(name)
    return next((one for one in cases if one.id == chosen), next(iter(cases), None))


def read_suites(root: Path) -> list[Suite]:
    """Read every suite under ``fixtures/v1`` of ``root``, sorted by path.

    Raises:
        SiteError: a file is no JSON, or no suite where it says so.
    """
    suites = []
    for file in sorted((root / "fixtures" / "v1").rglob("*.json")):
        path = file.relative_to(root).as_posix()
        with in_form(f"{path}: not a built suite"):
            text = file.read_bytes()
            data = json.loads(text, parse_int=_whole, parse_float=spelled.SpelledNumber)
            if "suite" in data and "cases" in data:
                page, read = path.removesuffix(".json") + ".md", data["cases"]
                cases = [
                    Case(one["id"], one["title"], one["requirements"], page, one) for one in read
                ]
                gone = data.get("withdrawn", [])
                suites.append(Suite(data["suite"], path, page, data["operation"], cases, gone))
    return suites


def _whole(text: str) -> int | spelled.SpelledNumber:
    """An integer, which is written as it stood; one of many digits, or -0, would not be."""
    return int(text) if len(text) < 300 and text != "-0" else spelled.SpelledNumber(text)


def parts_of(data: Mapping[str, Any]) -> Iterator[Part]:
    """Yield what goes into a case and what must come out."""
    if "input_json" in data:
        yield "Input, as JSON text", data["input_json"], True
    given = data.get("input")
    if isinstance(given, dict):
        texts = {name: given[name] for name in TEXT_MEMBERS if isinstance(given.get(name), str)}
        yield from ((f"Input: {name}", text, True) for name, text in texts.items())
        others = {name: value for name, value in given.items() if name not in texts}
        if others or not texts:
            yield "Input: other members" if texts else "Input", others, False
    elif "input" in data:
        yield "Input", given, False
    if "env" in data:
        yield "Environment", data["env"], False
    for kind, value in data.get("expect", {}).items():
        yield f"Expected {kind}", value, False
