"""The linter of the law: a specification that passes, and for each rule one that breaks just it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tools.fixtures.authored import Context, Tree, expected_codes
from tools.fixtures.schemas import Schemas
from tools.law.lint import enumerated_codes, lint, main, rows_shown
from tools.law.text import Spec, read_spec

PAGES = {
    "vocabulary.md": """\
# Vocabulary

Words.

### blank

> **Definition.** A blank is white space. A text is blank when it holds no other character:
> `must`, [a code](v1/codes.md).
""",
    "v1/payload.md": """\
# Payload

Prose must not be judged, and MUST as well; see PAY-001 and [the words](../vocabulary.md#blank).

## Calls

> A quote without law.

### PAY-001

> **Empty tools.** When, e.g., `tools. It must` is [blank](../vocabulary.md#blank) (cf. the
> [`bad`](codes.md#errors) of [PAY-002](#pay-002)), the sanitizer **MUST NOT** keep
>
> 1. `tools`, or
> 2. version 0.1 of
>    it.

core · source first

Rationale. It should be free.

### PAY-002

> **Short.** It **MAY** end, as [RFC 8259](https://example.org/rfc8259) says.

otel · review: nobody sees it
""",
    "v1/codes.md": """\
# Codes

## Errors

| code | operations | meaning |
|---|---|---|
| `bad` | all | it must be bad |

## Findings

| code | operations | meaning | level |
|---|---|---|---|
| `odd` | `payload.check` | it is odd | loss |

## Rejections

| code | operations | meaning |
|---|---|---|
| `cut` | `extraction.extract` | it ends |

## Repairs

| code | operations | meaning |
|---|---|---|
| `comma` | `extraction.extract` | one too many |
""",
    "sources.md": "# Sources\n\n### first\n",
    "coverage.md": """\
# Coverage

## first

| n | statement | where |
|---|---|---|
| S0-1 | Nothing happens. | out of scope: there is nothing to hold |
| S0-2 | Empty `tools` go. | [PAY-001](v1/payload.md#pay-001): `payload.check.case-0` |
""",
}

BAD = {"error": {"code": "bad"}}
ODD = {"result": {"findings": [{"code": "odd"}]}}
CUT = {"result": {"segments": [{"codes": ["cut"]}], "repairs": [{"code": "comma"}]}}
EXPECTED = {"payload.check": [BAD, ODD], "extraction.extract": [BAD, CUT]}

FINDING = {"oneOf": [{"properties": {"code": {"const": "odd"}}}]}
SCHEMAS: dict[str, dict[str, Any]] = {
    "urn:commoncall:v1:payload:check": {
        "description": "The law is PAY-001.",
        "$defs": {"finding": FINDING},
    },
    "urn:commoncall:v1:formats:suite": {
        "properties": {"error": {"properties": {"code": {"type": "string"}}}},
    },
}


def evidence(
    expected: Mapping[str, list[Any]] = EXPECTED, schemas: Mapping[str, dict[str, Any]] = SCHEMAS
) -> Tree:
    """A case that cites PAY-001 for each expectation, by operation; and these schemas."""
    suites: dict[str, Any] = {
        operation: {
            "operation": operation,
            "cases": [
                {"id": f"{operation}.case-{number}", "requirements": ["PAY-001"], "expect": expect}
                for number, expect in enumerate(each)
            ],
        }
        for operation, each in expected.items()
    }
    manifest: Any = {
        "operations": [{"operation": name} for name in EXPECTED],
        "features": [{"feature": "otel"}],
    }
    return Tree(Context(manifest, Schemas(schemas), Spec()), suites, [])


EVIDENCE = evidence()


def problems(root: Path, pages: dict[str, str], tree: Tree | None = EVIDENCE) -> list[str]:
    """Write the pages with fresh indices and return what the linter says."""
    for name, text in pages.items():
        path = root / "spec" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (root / "adr").mkdir(exist_ok=True)
    (root / "adr" / "0001-one.md").write_text("# One\n", encoding="utf-8")
    return [str(problem) for problem in lint(read_spec(root), tree)]


def changed(page: str, old: str, new: str) -> dict[str, str]:
    assert PAGES[page].count(old) == 1, old
    return {**PAGES, page: PAGES[page].replace(old, new)}


def test_a_page_that_keeps_every_rule(tmp_path: Path) -> None:
    assert problems(tmp_path, PAGES) == []


KEYWORDS = "they are MUST, MUST NOT, SHOULD, SHOULD NOT, MAY"
REWORD = "in a quote; say it without, or make it the keyword"
INLINE = "a reference link; links in quotes have their target inline"
LOOSE_NOT = "a `not` stands behind the keyword; write **MUST NOT** in bold"
WORDING = [
    ("It **MAY** end", "It ends", f"no bold keyword; {KEYWORDS}"),
    ("**MAY** end", "**MAY** and **MUST** end", "2 keywords (MAY, MUST); it has to be one"),
    ("**MAY** end", "**MAY** end if it MUST", "MUST stands outside bold marks"),
    ("**MAY** end", "**MUST** not end", LOOSE_NOT),
    ("**MAY** end", "**MAY** end a REQUIRED one", f"REQUIRED is no keyword here; {KEYWORDS}"),
    ("**MAY** end", "**MAY** end what it should", f"`should` {REWORD}"),
    ("**Short.**", "**May be short.**", f"`May` {REWORD}"),
    ("**MAY** end,", "**MAY** end. So it is,", "a second sentence, at: So it is,"),
    ("**MAY** end,", '**MAY** say "so." to `it`,', "a second sentence, at: to `…`, as"),
    ("**MAY** end,", "**MAY** [end][x],", INLINE),
]


@pytest.mark.parametrize(("old", "new", "reason"), WORDING)
def test_wording(tmp_path: Path, old: str, new: str, reason: str) -> None:
    found = problems(tmp_path, changed("v1/payload.md", old, new))
    line = line_of(tmp_path, "> **")
    assert found == [f"spec/v1/payload.md:{line}: PAY-002: {reason}"]


def line_of(root: Path, start: str, page: str = "v1/payload.md") -> int:
    """The number of the last line of a page that begins with ``start``."""
    lines = (root / "spec" / page).read_text(encoding="utf-8").split("\n")
    return max(number for number, line in enumerate(lines, 1) if line.startswith(start))


def test_an_item_of_a_list_can_hold_a_second_sentence(tmp_path: Path) -> None:
    found = problems(tmp_path, changed("v1/payload.md", "`tools`, or", "`tools`. Or"))
    assert [one.split(": ", 2)[2] for one in found] == ["a second sentence, at: Or version 0.1"]


def test_a_list_without_its_blank_line(tmp_path: Path) -> None:
    found = problems(tmp_path, changed("v1/payload.md", "keep\n>\n>", "keep\n>"))
    line = line_of(tmp_path, "> 1.")
    assert found == [f"spec/v1/payload.md:{line}: PAY-001: no blank `>` line before the list"]


def test_a_table_without_its_blank_line(tmp_path: Path) -> None:
    found = problems(
        tmp_path, changed("vocabulary.md", "> `must`", "> | a |\n> |---|\n>\n> `must`")
    )
    line = line_of(tmp_path, "> | a", "vocabulary.md")
    assert found == [f"spec/vocabulary.md:{line}: blank: no blank `>` line before the table"]


@pytest.mark.parametrize("keyword", ["MUST", "**MUST**", "SHALL", "OPTIONAL"])
def test_a_definition_has_no_keyword(tmp_path: Path, keyword: str) -> None:
    found = problems(tmp_path, changed("vocabulary.md", "is white", f"{keyword} be white"))
    reason = f"{keyword.strip('*')} in a definition; only requirements have keywords"
    line = line_of(tmp_path, "> **", "vocabulary.md")
    assert found == [f"spec/vocabulary.md:{line}: blank: {reason}"]


def test_a_definition_has_no_lower_case_keyword(tmp_path: Path) -> None:
    found = problems(tmp_path, changed("vocabulary.md", "`must`", "must"))
    line = line_of(tmp_path, "> must", "vocabulary.md")
    assert found == [f"spec/vocabulary.md:{line}: blank: `must` {REWORD}"]


def test_a_keyword_in_a_quote_without_id(tmp_path: Path) -> None:
    found = problems(tmp_path, changed("v1/payload.md", "without law", "that **MUST** not be"))
    line = line_of(tmp_path, "> A quote")
    reason = "a keyword in a quote that is no requirement"
    assert found == [f"spec/v1/payload.md:{line}: Calls: {reason}"]


BLANK = "[blank](../vocabulary.md#blank)"
BAD_CODE = "[`bad`](codes.md#errors)"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (BLANK, "[x](../vocabulary.md#x)", "a link without target: ../vocabulary.md#x"),
        (BLANK, "[x](../words.md)", "a link without target: ../words.md"),
        (BLANK, "[x](#calls)", "#calls is neither definition nor requirement"),
        (BLANK, "[x](../sources.md)", "../sources.md is neither definition nor requirement"),
        (BAD_CODE, "[`bod`](codes.md#errors)", "the code `bod` is not listed at codes.md#errors"),
        (BAD_CODE, "[`odd`](codes.md#errors)", "the code `odd` is not listed at codes.md#errors"),
        (BAD_CODE, "[`bod`](codes.md)", "the code `bod` is not listed at codes.md"),
    ],
)
def test_links_of_a_quote(tmp_path: Path, old: str, new: str, reason: str) -> None:
    found = problems(tmp_path, changed("v1/payload.md", old, new))
    assert [one.split(": ", 1)[1] for one in found] == [f"PAY-001: {reason}"]


def test_a_dead_link_in_prose(tmp_path: Path) -> None:
    found = problems(
        tmp_path,
        changed("v1/payload.md", "[the words](../vocabulary.md#blank)", "[the\nwords](#x)"),
    )
    assert found == ["spec/v1/payload.md:4: Payload: a link without target: #x"]


@pytest.mark.parametrize("name", ["PAY-009", "ADR-0009"])
def test_an_id_that_does_not_exist(tmp_path: Path, name: str) -> None:
    found = problems(tmp_path, changed("v1/payload.md", "see PAY-001", f"see `{name}`"))
    assert found == [f"spec/v1/payload.md:3: Payload: {name} does not exist"]


WITHDRAWN = """\
# Withdrawn

See PAY-003.

| id | since | replaced by |
|---|---|---|
"""


def withdraw(*rows: str) -> dict[str, str]:
    return {**PAGES, "v1/withdrawn.md": WITHDRAWN + "\n".join([*rows, ""])}


@pytest.mark.parametrize("after", ["PAY-001, PAY-002", "nothing"])
def test_a_withdrawn_requirement_stands_in_the_list(tmp_path: Path, after: str) -> None:
    assert problems(tmp_path, withdraw(f"| PAY-003 | 0.2 | {after} |")) == []
    gone = read_spec(tmp_path).withdrawn["PAY-003"]
    assert (gone.since, gone.page, gone.line) == ("0.2", "v1/withdrawn.md", 7)
    assert gone.replaced_by == (("PAY-001", "PAY-002") if "PAY" in after else ())


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("| PAY-003 | 0.2 | PAY-009 |", "replaced by PAY-009, which is no requirement"),
        ("| PAY-003 | 0.2 | PAY-003 |", "replaced by PAY-003, which is no requirement"),
        ("| PAY-003 | 0.2 | |", "malformed row; its form is: | PAY-003, PAY-004 | 0.2 |"),
        ("| PAY-003 | soon | nothing |", "malformed row"),
        ("| PAY-003 | 0.2 |", "malformed row"),
    ],
)
def test_a_withdrawal_out_of_form(tmp_path: Path, row: str, reason: str) -> None:
    assert any(reason in one for one in problems(tmp_path, withdraw(row)))


def test_requirements_that_went_together_share_a_row(tmp_path: Path) -> None:
    assert problems(tmp_path, withdraw("| PAY-003, PAY-004 | 0.2 | PAY-001 |")) == []
    gone = read_spec(tmp_path).withdrawn
    assert [gone[name].replaced_by for name in ("PAY-003", "PAY-004")] == [("PAY-001",)] * 2


def test_an_id_that_is_withdrawn_is_not_given_again(tmp_path: Path) -> None:
    row = "| PAY-003 | 0.2 | nothing |"
    assert any("the id stands twice" in one for one in problems(tmp_path, withdraw(row, row)))
    again = withdraw(row)
    again["v1/payload.md"] += "\n### PAY-003\n\n> **Anew.** It **MAY**.\n\ncore\n"
    assert any("PAY-003: is withdrawn" in one for one in problems(tmp_path, again))


NUMBERED = """

### word

> **Definition EXT-D1.** A word is one of these:
>
> | id | word | case |
> |---|---|---|
> | D1.1 | `a` | `case-1` |
> | D1.2 | `b` | `~case-2` |
>
> and is read so:
>
> ```abnf
> word = "a" / "b"
> ```

### step

> **Definition EXT-D2.** A step is read so:
>
> 1. First this (`case-1`).
> 2. Then that (`case-1`). Or this (`case-2`, `~case-3`).

### other

> **Definition EXT-D3.** Another has a case beside it.

So `a` (`case-1`).
"""


def numbered(old: str = "", new: str = "") -> dict[str, str]:
    assert old in NUMBERED
    text = PAGES["v1/payload.md"] + NUMBERED.replace(old, new, 1)
    return {**PAGES, "v1/payload.md": text}


def test_rows_and_steps_have_ids_and_cases(tmp_path: Path) -> None:
    fresh = numbered()
    assert all(one.endswith("is no case") for one in problems(tmp_path, fresh))
    spec = read_spec(tmp_path)
    shown = [(each.id, each.cases) for one in spec.definitions.values() for each in one.shown]
    assert shown == [
        ("EXT-D1.1", ("case-1",)),
        ("EXT-D1.2", ("~case-2",)),
        ("EXT-D2.1", ("case-1",)),
        ("EXT-D2.2", ("case-1", "case-2", "~case-3")),
        ("EXT-D3", ("case-1",)),
    ]


def test_what_names_a_case_is_no_law(tmp_path: Path) -> None:
    problems(tmp_path, numbered())
    before = read_spec(tmp_path).definitions
    problems(tmp_path, numbered("`case-1`", "`case-7`"))
    after = read_spec(tmp_path).definitions
    assert {key: one.sha256 for key, one in before.items()} == {
        key: one.sha256 for key, one in after.items()
    }
    assert "case-1" not in "".join(one.text for one in before.values())


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("| D1.2 |", "| D1.3 |", "EXT-D1.3: stands in place of EXT-D1.2"),
        ("| D1.2 |", "| D2.2 |", "EXT-D2.2: stands in place of EXT-D1.2"),
        ("> 2. Then", "> 1. Then", "EXT-D2.1: stands in place of EXT-D2.2"),
        ("EXT-D3", "EXT-D2", "EXT-D2: is the id of step, too"),
    ],
)
def test_ids_out_of_order(tmp_path: Path, old: str, new: str, reason: str) -> None:
    assert any(reason in one for one in problems(tmp_path, numbered(old, new)))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("| `b` | `~case-2` |", "| `b` | |", "EXT-D1.2: names no case"),
        (" (`case-1`). Or this (`case-2`, `~case-3`)", "", "EXT-D2.2: names no case"),
        ("So `a` (`case-1`).", "", "EXT-D3: names no case"),
        ("`~case-2`", "`case-4`", "EXT-D1.2: extraction.extract.case-4 is no case"),
        ("`~case-2`", "`~case-1`", "EXT-D1.2: extraction.stream.case-1 is no case"),
    ],
)
def test_rows_without_a_case(tmp_path: Path, old: str, new: str, reason: str) -> None:
    problems(tmp_path, numbered(old, new))
    ids = ("extract.case-1", "extract.case-2", "stream.case-2", "stream.case-3")
    found = rows_shown(read_spec(tmp_path), {f"extraction.{id}" for id in ids})
    assert [str(one).split(": ", 1)[1] for one in found] == [reason]


NOT_SHOWN = "no case cites it, and the facts line has no `review:`"


@pytest.mark.parametrize(
    ("old", "new", "name", "reason"),
    [
        ("source first", "source second", "PAY-001", "the source second does not exist"),
        ("otel ·", "streaming ·", "PAY-002", "the feature streaming does not exist"),
        (" · review: nobody sees it", "", "PAY-002", NOT_SHOWN),
    ],
)
def test_facts(tmp_path: Path, old: str, new: str, name: str, reason: str) -> None:
    found = problems(tmp_path, changed("v1/payload.md", old, new))
    assert [one.split(": ", 1)[1] for one in found] == [f"{name}: {reason}"]


@pytest.mark.parametrize(
    ("expect", "line", "reason"),
    [
        (BAD, 13, "odd: no case of payload.check expects it among the findings"),
        (ODD, 7, "bad: no case of payload.check expects it among the errors"),
    ],
)
def test_a_listed_code_that_no_case_expects(
    tmp_path: Path, expect: object, line: int, reason: str
) -> None:
    found = problems(tmp_path, PAGES, evidence({**EXPECTED, "payload.check": [expect]}))
    assert found == [f"spec/v1/codes.md:{line}: {reason}"]


def test_a_code_of_an_operation_that_does_not_exist(tmp_path: Path) -> None:
    pages = changed("v1/codes.md", "`payload.check` |", "`payload.check`, `payload.chock` |")
    found = problems(tmp_path, pages)
    assert found == ["spec/v1/codes.md:13: odd: the operation payload.chock does not exist"]


UNLISTED = "new: codes.md does not list it"


@pytest.mark.parametrize(
    ("schema", "reasons"),
    [
        ({"finding": {"code": {"enum": ["odd", "new"]}}}, [UNLISTED]),
        ({"findings": {"items": {"code": {"const": "odd"}}}}, []),
        ({"error": {"code": {"enum": ["bad"]}}}, []),
        ({"code": {"enum": ["bad", "odd"]}}, []),
        ({"description": "PAY-007"}, ["PAY-007: mentioned, but does not exist"]),
        ({"description": "spec/v1/payload.md, section Calls. Next."}, []),
        ({"description": "The law is spec/v1/payload.md, PAY-001 to PAY-002."}, []),
        (
            {"description": "spec/v1/payload.md, section Call, says it."},
            ["Call: does not stand in spec/v1/payload.md"],
        ),
        (
            {"description": "The law is spec/v1/codes.md, PAY-001 and more."},
            ["PAY-001: does not stand in spec/v1/codes.md"],
        ),
        ({"description": "spec/v1/words.md says it."}, ["-: spec/v1/words.md does not exist"]),
    ],
)
def test_schemas(tmp_path: Path, schema: dict[str, object], reasons: Sequence[str]) -> None:
    schemas = {"urn:commoncall:v1:payload:check": {"$defs": schema}}
    found = problems(tmp_path, PAGES, evidence(schemas=schemas))
    assert found == [f"schemas/v1/payload/check.schema.json:1: {reason}" for reason in reasons]


def test_a_format_that_enumerates_codes_holds_those_of_all_operations(tmp_path: Path) -> None:
    schemas = {"urn:commoncall:v1:formats:report": {"repair_code": {"enum": ["comma"]}}}
    assert problems(tmp_path, PAGES, evidence(schemas=schemas)) == []


def test_without_evidence_only_the_text_is_judged(tmp_path: Path) -> None:
    pages = changed("v1/payload.md", " · review: nobody sees it", "")
    assert problems(tmp_path, pages, None) == []


NOT_HELD = "neither the id of a requirement nor `out of scope:` and a reason"
UNCITED = "payload.check.case-0 cites no requirement of the row"


@pytest.mark.parametrize(
    ("row", "reasons"),
    [
        ("| S0-1 | S. | out of scope |", [f"S0-1: {NOT_HELD}"]),
        ("| S0-1 | S. | [first](sources.md) |", [f"S0-1: {NOT_HELD}"]),
        ("| S0-1 | S. |", [f"-: {NOT_HELD}"]),
        (
            "| S0-1 | S. | out of scope: see `payload.check.lost` |",
            ["S0-1: the case payload.check.lost does not exist"],
        ),
        ("| S0-1 | S. | out of scope: see `payload.check.case-0` |", []),
        (
            "| S0-1 | S. | [PAY-002](v1/payload.md#pay-002): `payload.check.case-0` |",
            [f"S0-1: {UNCITED}"],
        ),
    ],
)
def test_a_statement_of_a_source_is_held(tmp_path: Path, row: str, reasons: list[str]) -> None:
    whole = "| S0-1 | Nothing happens. | out of scope: there is nothing to hold |"
    found = problems(tmp_path, changed("coverage.md", whole, row))
    assert found == [f"spec/coverage.md:7: {reason}" for reason in reasons]


def test_codes_are_found_in_expectations() -> None:
    case: Any = {"expect": {"error": {"code": "bad"}}}
    assert expected_codes(case) == {("errors", "bad")}
    segments = [{"kind": "text"}, {"kind": "rejected", "codes": ["cut", "empty"]}]
    case["expect"] = {
        "result": {
            "findings": [{"code": "odd"}],
            "repairs": [{"code": "comma", "count": 2}],
            "segments": segments,
            "tool_calls": [{"arguments": {"findings": [{"code": "data"}]}}],
        }
    }
    assert expected_codes(case) == {
        ("findings", "odd"),
        ("repairs", "comma"),
        ("rejections", "cut"),
        ("rejections", "empty"),
    }


def test_codes_are_found_in_schemas() -> None:
    schema = {
        "properties": {
            "segments": {"items": {"properties": {"codes": {"items": {"enum": ["a"]}}}}},
            "repairs": {"items": {"$ref": "#/$defs/repair"}},
        },
        "$defs": {
            "repair": {"properties": {"code": {"anyOf": [{"const": "b"}, {"enum": ["c"]}]}}},
            "rejection_code": {"enum": ["d"]},
        },
    }
    assert list(enumerated_codes(schema)) == ["a", "b", "c", "d"]


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    problems(tmp_path, changed("v1/payload.md", "It **MAY** end", "It ends"), None)
    assert main(tmp_path) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("spec/v1/payload.md:")
    assert lines[-1].startswith("spec: 2 requirements, 1 definitions, 4 codes: ")
