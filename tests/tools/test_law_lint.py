"""The linter of the law: a specification that passes, and for each rule one that breaks just it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalogues import SECTIONS
from tools.fixtures.authored import Context, Tree, expected_codes
from tools.fixtures.schemas import Schemas
from tools.law.lint import enumerated_codes, lint, main
from tools.law.text import Spec, read_spec, write_indices

PAGES = {
    "vocabulary.md": """\
# Vocabulary

Words.

<!-- index:begin -->
<!-- index:end -->

### blank

> **Definition.** A blank is white space. A text is blank when it holds no other character:
> `must`, [a code](v1/codes.md).
""",
    "v1/payload.md": """\
# Payload

Prose must not be judged, and MUST as well; see PAY-001 and [the words](../vocabulary.md#blank).

<!-- index:begin -->
<!-- index:end -->

## Calls

> A quote without law.

### PAY-001

> **Empty tools.** When, e.g., `tools. It must` is [blank](../vocabulary.md#blank) (cf. the
> [`bad`](codes.md#errors) of [PAY-002](#pay-002)), the sanitizer **MUST NOT** keep
>
> 1. `tools`, or
> 2. version 0.1 of
>    it.

core · since 0.1 · ADR-0001 · source first

Rationale. It should be free.

### PAY-002

> **Short.** It **MAY** end, as [RFC 8259](https://example.org/rfc8259) says.

unique-keys · since 0.1 · review: nobody sees it
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

"""
    + "\n".join(SECTIONS.values()),
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
        "features": [{"feature": "unique-keys"}],
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
    write_indices(root, check=False)
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


WITHDRAWN = """

### PAY-003

withdrawn 0.2 · replaced by {}

Nobody kept it. See PAY-003.
"""


def withdraw(line: str) -> dict[str, str]:
    text = PAGES["v1/payload.md"] + WITHDRAWN.replace("replaced by {}", line)
    return {**PAGES, "v1/payload.md": text}


@pytest.mark.parametrize("line", ["replaced by PAY-001", "replaced by nothing"])
def test_a_withdrawn_requirement_keeps_its_heading(tmp_path: Path, line: str) -> None:
    assert problems(tmp_path, withdraw(line)) == []
    gone = read_spec(tmp_path).withdrawn["PAY-003"]
    assert (gone.since, gone.page) == ("0.2", "v1/payload.md")
    assert gone.replaced_by == (("PAY-001",) if "PAY" in line else ())


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("replaced by PAY-009", "replaced by PAY-009, which is no requirement"),
        ("replaced by PAY-003", "replaced by PAY-003, which is no requirement"),
        ("", "malformed; the form is: withdrawn 0.2 · replaced by PAY-090, PAY-091"),
        ("replaced by nothing\n\n> **X.** Y.", "a withdrawn requirement has no quote"),
    ],
)
def test_a_withdrawal_out_of_form(tmp_path: Path, line: str, reason: str) -> None:
    assert any(reason in one for one in problems(tmp_path, withdraw(line)))


def test_an_id_that_is_withdrawn_is_not_given_again(tmp_path: Path) -> None:
    again = withdraw("replaced by nothing")
    again["v1/payload.md"] += "\n### PAY-003\n\n> **Anew.** It **MAY**.\n\ncore · since 0.2\n"
    assert any("the id stands twice" in one for one in problems(tmp_path, again))


NOT_SHOWN = "no case cites it, and the facts line has no `review:`"


@pytest.mark.parametrize(
    ("old", "new", "name", "reason"),
    [
        ("ADR-0001 ·", "ADR-0002 ·", "PAY-001", "ADR-0002 does not exist"),
        ("source first", "source second", "PAY-001", "the source second does not exist"),
        ("unique-keys ·", "streaming ·", "PAY-002", "the feature streaming does not exist"),
        (" · review: nobody sees it", "", "PAY-002", NOT_SHOWN),
    ],
)
def test_facts(tmp_path: Path, old: str, new: str, name: str, reason: str) -> None:
    found = problems(tmp_path, changed("v1/payload.md", old, new))
    assert [one.split(": ", 1)[1] for one in found] == [f"{name}: {reason}"]


def test_a_stale_index(tmp_path: Path) -> None:
    problems(tmp_path, PAGES)
    page = tmp_path / "spec/v1/payload.md"
    page.write_text(
        page.read_text(encoding="utf-8").replace("**Short.**", "**Brief.**"), encoding="utf-8"
    )
    found = [str(problem) for problem in lint(read_spec(tmp_path), EVIDENCE)]
    assert found == [
        "spec/v1/payload.md:5: -: stale index; run: python3 noxfile.py -s spec -- --write"
    ]


def test_no_index(tmp_path: Path) -> None:
    found = problems(tmp_path, changed("vocabulary.md", "<!-- index:end -->\n", ""))
    reason = "no index; add the lines <!-- index:begin --> and <!-- index:end -->"
    assert found == [f"spec/vocabulary.md:1: -: {reason}"]


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


UNLISTED = "new: codes.md does not list it under findings"
NOT_IN_SCHEMA = "odd: codes.md lists it, the schema does not"


@pytest.mark.parametrize(
    ("schema", "reasons"),
    [
        ({"finding": {"code": {"enum": ["odd", "new"]}}}, [UNLISTED]),
        ({"finding": {"code": {"enum": []}}}, [NOT_IN_SCHEMA]),
        ({"findings": {"items": {"code": {"const": "odd"}}}}, []),
        ({"error": {"code": {"enum": ["bad"]}}}, []),
        ({"code": {"enum": ["bad", "odd"]}}, []),
        ({"code": {"enum": ["bad"]}}, [NOT_IN_SCHEMA]),
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
    assert list(enumerated_codes(schema)) == [
        ("rejections", ["a"]),
        ("repairs", ["b"]),
        ("repairs", ["c"]),
        ("rejections", ["d"]),
    ]


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    problems(tmp_path, changed("v1/payload.md", "It **MAY** end", "It ends"), None)
    assert main([], tmp_path) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("spec/v1/payload.md:")
    assert lines[-1].startswith("spec: 2 requirements, 1 definitions, 4 codes: ")
