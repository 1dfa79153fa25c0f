"""The linter of the coverage: a page that passes, and for each rule a page that breaks just it."""

from collections.abc import Collection, Mapping
from pathlib import Path

import pytest

from tests.tools.catalogues import SECTIONS
from tools.law.coverage import coverage_problems
from tools.law.lint import lint
from tools.law.text import Spec, read_spec

PAYLOAD = """\
# Payload

### PAY-001

> **Empty tools.** The sanitizer **MUST** remove `tools`.

core

### PAY-002

> **Other tools.** The sanitizer **MUST** keep `tools`.

core
"""
COVERAGE = """\
# Coverage

A table outside of the sections is no coverage.

| n |
|---|
| 1 |

## first

| n | statement | where |
|---|---|---|
| S0-1 | Empty `tools` go. | [PAY-001](v1/payload.md#pay-001) |
| S0-2 | Others stay. | [PAY-002](v1/payload.md#pay-002): `payload.check.keep` |
| S0-3 | Who reviewed. | out of scope: it is no behaviour of `payload.check` |

## second

Some words.

| n | statement | where |
|:--|:-:|--:|
| S1-1 | Nulls go. | [PAY-001](v1/payload.md#pay-001). Not so: [ADR-0001](../adr/0001-one.md) |
"""
SOURCES = "# Sources\n\nWords.\n\n### first\n\nOne.\n\n### second\n\nTwo.\n"
CASES = {"payload.check.keep": ("PAY-002",)}


def spec_of(
    root: Path, coverage: str | None, sections: Collection[str] = tuple(SECTIONS.values())
) -> Spec:
    """Write a small specification with this page, and these catalogues behind it, and read it."""
    if coverage is not None:
        coverage = "\n".join([coverage, *sections])
    pages = {"v1/payload.md": PAYLOAD, "sources.md": SOURCES, "coverage.md": coverage}
    for name, text in pages.items():
        if text is not None:
            path = root / "spec" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    (root / "adr").mkdir(exist_ok=True)
    (root / "adr" / "0001-one.md").write_text("# One\n", encoding="utf-8")
    return read_spec(root)


def problems(
    root: Path, coverage: str | None, cases: Mapping[str, Collection[str]] | None = CASES
) -> list[tuple[str, str]]:
    """The name and the reason of each problem."""
    return [(one.id, one.reason) for one in coverage_problems(spec_of(root, coverage), cases)]


def changed(old: str, new: str) -> str:
    assert COVERAGE.count(old) == 1, old
    return COVERAGE.replace(old, new)


def test_a_page_that_keeps_every_rule(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, COVERAGE)
    assert list(coverage_problems(spec, CASES)) == []
    assert lint(spec, None) == []


def test_a_problem_stands_where_its_row_stands(tmp_path: Path) -> None:
    page = changed("out of scope: it is no behaviour of `payload.check`", "open")
    [problem] = coverage_problems(spec_of(tmp_path, page), CASES)
    line = COVERAGE.split("\n").index(
        "| S0-3 | Who reviewed. | out of scope: it is no behaviour of `payload.check` |"
    )
    assert (problem.page, problem.line, problem.id) == ("spec/coverage.md", line + 1, "S0-3")


OUT_OF_SCOPE = "out of scope: it is no behaviour of `payload.check`"
NOT_HELD = "neither the id of a requirement nor `out of scope:` and a reason"
PLACES = [
    ("open", NOT_HELD),
    ("", NOT_HELD),
    ("`payload.check.keep`", NOT_HELD),
    ("[ADR-0001](../adr/0001-one.md)", NOT_HELD),
    ("[sources](sources.md)", NOT_HELD),
    ("out of scope", NOT_HELD),
    ("out of scope:", NOT_HELD),
    (
        "[PAY-001](v1/payload.md#pay-001): `payload.check.lost`",
        "the case payload.check.lost does not exist",
    ),
    ("out of scope: see `turn.settle.lost`", "the case turn.settle.lost does not exist"),
]


@pytest.mark.parametrize(("where", "reason"), PLACES)
def test_where(tmp_path: Path, where: str, reason: str) -> None:
    assert problems(tmp_path, changed(OUT_OF_SCOPE, where)) == [("S0-3", reason)]


@pytest.mark.parametrize("name", ["PAY-009", "EXT-001", "ADR-0009"])
def test_an_id_that_does_not_exist(tmp_path: Path, name: str) -> None:
    """The rules for every page report it, once as an id and once, for a requirement, as a link."""
    page = {"PAY": "v1/payload.md#pay-009", "EXT": "v1/extraction.md#ext-001"}
    target = page.get(name[:3], "../adr/0009-nine.md")
    where = f"[PAY-001](v1/payload.md#pay-001), [{name}]({target})"
    found = lint(spec_of(tmp_path, changed(OUT_OF_SCOPE, where)), None)
    assert f"{name} does not exist" in [one.reason for one in found]


def test_without_cases_their_ids_are_not_judged(tmp_path: Path) -> None:
    page = changed("payload.check.keep", "payload.check.lost")
    assert problems(tmp_path, page, None) == []


UNCITED = [("S0-2", "the case payload.check.keep cites no requirement of the row")]


@pytest.mark.parametrize(
    ("cited", "found"),
    [
        (("PAY-002",), []),
        (("PAY-001", "PAY-002"), []),
        (("PAY-001",), UNCITED),
        ((), UNCITED),
    ],
)
def test_a_case_cites_a_requirement_of_its_row(
    tmp_path: Path, cited: Collection[str], found: list[tuple[str, str]]
) -> None:
    assert problems(tmp_path, COVERAGE, {"payload.check.keep": cited}) == found


def test_one_requirement_of_the_row_is_enough(tmp_path: Path) -> None:
    both = "[PAY-001](v1/payload.md#pay-001), [PAY-002](v1/payload.md#pay-002): `payload"
    page = changed("[PAY-002](v1/payload.md#pay-002): `payload", both)
    assert problems(tmp_path, page, {"payload.check.keep": ("PAY-001",)}) == []


def test_each_case_of_a_row_is_judged(tmp_path: Path) -> None:
    page = changed("`payload.check.keep`", "`payload.check.keep`, `payload.check.lose`")
    cases = {"payload.check.keep": ("PAY-002",), "payload.check.lose": ("PAY-001",)}
    reason = "the case payload.check.lose cites no requirement of the row"
    assert problems(tmp_path, page, cases) == [("S0-2", reason)]


def test_a_case_of_a_row_that_is_out_of_scope_needs_no_requirement(tmp_path: Path) -> None:
    where = "out of scope: [PAY-001](v1/payload.md#pay-001) and `payload.check.keep` show others"
    page = changed("out of scope: it is no behaviour of `payload.check`", where)
    assert problems(tmp_path, page) == []


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("| S0-2 |", "| S0-3 |", [("S0-3", "out of sequence; it has to be S0-2")]),
        ("| S0-2 |", "| S1-2 |", [("S1-2", "out of sequence; it has to be S0-2")]),
        ("| S0-1 |", "| S0-0 |", [("S0-0", "out of sequence; it has to be S0-1")]),
        ("| S1-1 |", "| |", [("", "out of sequence; it has to be S1-1")]),
        (" Who reviewed. ", " ", [("S0-3", "no statement")]),
    ],
)
def test_number_and_statement(
    tmp_path: Path, old: str, new: str, found: list[tuple[str, str]]
) -> None:
    assert problems(tmp_path, changed(old, new)) == found


def test_a_gap(tmp_path: Path) -> None:
    line = next(line for line in COVERAGE.split("\n") if line.startswith("| S0-2 "))
    found = problems(tmp_path, changed(f"{line}\n", ""))
    assert found == [("S0-3", "out of sequence; it has to be S0-2")]


@pytest.mark.parametrize(
    "row", ["| S0-3 | Two cells. |", "| S0-3 | Four | cells | here |", "| | |", "|"]
)
def test_a_malformed_row(tmp_path: Path, row: str) -> None:
    line = next(line for line in COVERAGE.split("\n") if line.startswith("| S0-3 "))
    reason = "malformed row; its form is: | n | statement | where |"
    assert problems(tmp_path, changed(line, row)) == [("first", reason)]


def test_a_table_without_its_head(tmp_path: Path) -> None:
    page = changed("| n | statement | where |\n|:--|:-:|--:|\n", "")
    reason = "malformed row; its form is: | n | statement | where |"
    assert ("second", reason) in problems(tmp_path, page)


def test_a_source_without_a_statement(tmp_path: Path) -> None:
    line = next(line for line in COVERAGE.split("\n") if line.startswith("| S1-1 "))
    assert problems(tmp_path, changed(line, "")) == [("second", "no statement")]


@pytest.mark.parametrize("change", ["lacks", "more", "twice", "order"])
def test_the_sections_are_the_sources_in_order(tmp_path: Path, change: str) -> None:
    head, _, rest = COVERAGE.partition("## first")
    first, _, second = rest.partition("## second")
    first, second = f"## first{first}", f"## second{second}"
    page = {
        "lacks": head + first,
        "more": COVERAGE + "\n## third\n\nWords.\n",
        "twice": COVERAGE + f"\n{second}",
        "order": f"{head}{second}\n{first}",
    }[change]
    reason = "the sections are not the sources of sources.md and the catalogues, in order"
    assert ("-", reason) in problems(tmp_path, page)


def test_no_page(tmp_path: Path) -> None:
    assert problems(tmp_path, None) == [("-", "no page, but sources.md has sources")]


def found_with(root: Path, old: str, new: str) -> list[tuple[str, str]]:
    """The problems of the page with another catalogue of requests."""
    held = SECTIONS | {"Refused requests": SECTIONS["Refused requests"].replace(old, new)}
    spec = spec_of(root, COVERAGE, list(held.values()))
    return [(one.id, one.reason) for one in coverage_problems(spec, CASES)]


def test_a_catalogue_is_held_to_the_same_rules(tmp_path: Path) -> None:
    assert found_with(tmp_path, "R-2", "R-3") == [("R-3", "out of sequence; it has to be R-2")]
    assert found_with(tmp_path, "R-2 | One. | out of scope: elsewhere", "R-2 | One. | later") == [
        ("R-2", NOT_HELD)
    ]
