"""The parser of the law: what it reads from a page, what it refuses, digests and indices."""

import json
from pathlib import Path

import pytest

from tools.law.text import NOW, Problem, Spec, mask, plain, prose, read_spec, slug

VOCABULARY = """\
# Vocabulary

Words.

What is said before the first section
can take two lines.

### blank

> **Definition.** A blank is a character of `White_Space`;
> a text of [white space](#white-space) is blank too.

### white space

> **Definition.** White space is `**` this:
>
> - a [blank](#blank),
>   or
> - a tab.
>
> ```
> # code   as it is, **bold** too
> ```
>
> | a | b |
> |---|---|
> | 1 |  2 |

### JSON text

> **Definition.** A JSON text follows the grammar.
"""

PAYLOAD = """\
# Payload

What is said before the first section
can take two lines.

```
### PAY-009
> not a heading, not a quote
```

## A heading

### PAY-001

> **Empty tools.** When `**tools**` is [blank](../vocabulary.md#blank), the sanitizer **MUST
> NOT** keep:
>
> - `tools` or [`a` code](codes.md#errors), and
> - `tool_choice`.

core · source first, second-one · review: a · b

Rationale with a > sign, MUST and **MAY**.

### PAY-002

> **Short.** It **MAY** end.

typed-parameters
"""

CODES = """\
# Codes

## Errors

| code | operations | meaning |
|---|---|---|
| `bad` | `payload.check`, `extraction.extract` | it is bad |

## Findings

| code | operations | meaning | level |
| :-- | --- | --- | --- |
| `bad` | all | a `a|b` choice | loss |

## Others

| `not_read` | x | y |

## Reasons

| reason | meaning |
|---|---|
| `exact` | it is there |

## Fixed texts

Words.

| name | text |
|---|---|
| `gone` | Error: it is gone. |
"""

SOURCES = "# Sources\n\n### first\n\nText.\n\n### second-one\n\n### Not one\n"


def spec_of(root: Path, **pages: str) -> Spec:
    """Write the pages of a small specification and read them; ``v1_x`` is ``v1/x.md``."""
    texts = {
        "vocabulary": VOCABULARY,
        "v1_payload": PAYLOAD,
        "v1_codes": CODES,
        "sources": SOURCES,
        **pages,
    }
    for name, text in texts.items():
        path = root / "spec" / (name.replace("_", "/") + ".md")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (root / "adr").mkdir(exist_ok=True)
    for name in ("0001-one.md", "0002-two.md", "README.md"):
        (root / "adr" / name).write_text("# x\n", encoding="utf-8")
    return read_spec(root)


def test_requirement(tmp_path: Path) -> None:
    spec = spec_of(tmp_path)
    assert spec.problems == []
    assert list(spec.requirements) == ["PAY-001", "PAY-002"]
    found = spec.requirements["PAY-001"]
    assert (found.title, found.level) == ("Empty tools", "MUST NOT")
    assert found.text == (
        "When `**tools**` is blank, the sanitizer MUST NOT keep:\n"
        "- `tools` or `a` code, and\n"
        "- `tool_choice`."
    )
    assert (found.contract, found.feature) == ("payload", "core")
    assert found.source == ("first", "second-one")
    assert found.review == "a · b"
    assert (found.page, found.line) == ("v1/payload.md", 13)
    assert found.links == ("vocabulary.md#blank",)


def test_requirement_with_the_shortest_facts(tmp_path: Path) -> None:
    found = spec_of(tmp_path).requirements["PAY-002"]
    assert found.feature == "typed-parameters"
    assert (found.adr, found.source, found.changes, found.review) == ((), (), (), None)
    assert found.text == "It MAY end."


def test_the_sets_say_which_versions_brought_and_changed_a_requirement(tmp_path: Path) -> None:
    now = spec_of(tmp_path).requirements["PAY-001"].sha256
    (tmp_path / "fixtures/sets").mkdir(parents=True)
    for name, digest in {"0.0": "a", "0.1": "b", "0.10": now}.items():
        held = {"set": name, "requirements": [{"id": "PAY-001", "sha256": digest}]}
        (tmp_path / f"fixtures/sets/{name}.json").write_text(json.dumps(held))
    first, second = spec_of(tmp_path).requirements.values()
    assert (first.since, first.changes, first.released) == ("0.0", ("0.1", "0.10"), "0.10")
    assert (second.since, second.changes, second.released) == (NOW, (), None)
    (tmp_path / "fixtures/sets/0.10.json").unlink()
    assert spec_of(tmp_path).requirements["PAY-001"].released is None


def test_a_decision_that_names_a_requirement_settled_it(tmp_path: Path) -> None:
    front = "---\nstatus: x\nrequirements: [PAY-001, PAY-002, PAY-099]\n---\n# x\n"
    (tmp_path / "adr").mkdir()
    (tmp_path / "adr" / "0003-three.md").write_text(front, encoding="utf-8")
    spec = spec_of(tmp_path)
    assert spec.requirements["PAY-001"].adr == ("ADR-0003",)
    assert spec.requirements["PAY-002"].adr == ("ADR-0003",)


def test_a_requirement_that_holds_a_statement_has_its_source(tmp_path: Path) -> None:
    rows = "| S1-1 | A. | PAY-002 |\n| S1-2 | B. | out of scope: PAY-001 does not say |\n"
    page = tmp_path / "spec" / "coverage.md"
    page.parent.mkdir(parents=True)
    page.write_text(f"# Coverage\n\n## second-one\n\n{rows}", encoding="utf-8")
    spec = spec_of(tmp_path)
    assert spec.requirements["PAY-001"].source == ("first", "second-one")
    assert spec.requirements["PAY-002"].source == ("second-one",)


def test_definition(tmp_path: Path) -> None:
    spec = spec_of(tmp_path)
    keys = ["vocabulary.md#blank", "vocabulary.md#white-space", "vocabulary.md#json-text"]
    assert list(spec.definitions) == keys
    assert spec.definitions[keys[0]].links == ("vocabulary.md#white-space",)
    assert spec.definitions[keys[1]].name == "white space"
    assert spec.definitions[keys[1]].text == (
        "White space is `**` this:\n"
        "- a blank, or\n"
        "- a tab.\n"
        "```\n# code   as it is, **bold** too\n```\n"
        "| a | b |\n|---|---|\n| 1 | 2 |"
    )


def test_codes_sources_and_decisions(tmp_path: Path) -> None:
    spec = spec_of(tmp_path)
    assert list(spec.codes) == [("errors", "bad"), ("findings", "bad")]
    assert spec.codes["errors", "bad"].operations == ("payload.check", "extraction.extract")
    assert spec.codes["findings", "bad"].operations == ("all",)
    assert spec.codes["findings", "bad"].meaning == "a `a|b` choice"
    assert [code.level for code in spec.codes.values()] == ["", "loss"]
    assert spec.sources == ("first", "second-one")
    assert spec.adrs == ("ADR-0001", "ADR-0002")


def test_digest_covers_level_text_and_linked_definitions(tmp_path: Path) -> None:
    before = spec_of(tmp_path)
    first, second = (before.requirements[name].sha256 for name in ("PAY-001", "PAY-002"))
    assert len(first) == 64
    assert first != second

    def after(old: str, new: str, page: str, text: str) -> tuple[bool, bool]:
        assert text.count(old) == 1
        spec = spec_of(tmp_path, **{page: text.replace(old, new)})
        now = [spec.requirements[name].sha256 for name in ("PAY-001", "PAY-002")]
        return now[0] == first, now[1] == second

    same, changed = (True, True), (False, True)
    assert after("MUST\n> NOT**", "MUST**", "v1_payload", PAYLOAD) == changed
    assert after("keep:", "hold:", "v1_payload", PAYLOAD) == changed
    assert after("a character of", "one character of", "vocabulary", VOCABULARY) == changed
    assert after("a tab.", "a TAB.", "vocabulary", VOCABULARY) == changed  # reached through blank
    assert after("the grammar", "grammar", "vocabulary", VOCABULARY) == same
    assert after("Empty tools", "No tools", "v1_payload", PAYLOAD) == same
    assert after("**MUST\n> NOT** keep:", "\n> **MUST NOT** keep:", "v1_payload", PAYLOAD) == same
    assert after("first, ", "", "v1_payload", PAYLOAD) == same


def test_definitions_that_link_each_other_have_digests_of_their_own(tmp_path: Path) -> None:
    spec = spec_of(tmp_path)
    assert len({definition.sha256 for definition in spec.definitions.values()}) == 3


FORM = "nearly an id; the heading has to be a bare id, as in PAY-003"
FACTS = "no facts line after the quote, as in: core"
MALFORMED = "malformed facts line; its form is: core · source NAME, NAME · review: REASON"
ROW = "malformed row; its form is: | `code` | operations | meaning |"
ROW_OF_A_FINDING = f"{ROW} level |"
NO_LEVEL = "`{}` is no level; they are note, repair, loss"
NAME_ROW = "malformed row; its form is: | `{}` | text |"
LAST = "typed-parameters"


@pytest.mark.parametrize(
    ("page", "old", "new", "line", "name", "reason"),
    [
        ("v1_payload", "### PAY-002", "### PAY-001", 25, "PAY-001", "the id stands twice"),
        ("v1_payload", "### PAY-002", "### Pay-2", 25, "Pay-2", FORM),
        ("v1_payload", "### PAY-002", "### pay-002", 25, "pay-002", FORM),
        ("v1_payload", "### PAY-002", "### PAY-0002", 25, "PAY-0002", FORM),
        ("v1_payload", "### PAY-002", "### PAY 002", 25, "PAY 002", FORM),
        ("v1_payload", "### PAY-002", "### PAY-002 Short", 25, "PAY-002 Short", FORM),
        ("v1_payload", "### PAY-002", "### `PAY-002`", 25, "`PAY-002`", FORM),
        ("v1_payload", "### PAY-002", "### PEY-002", 25, "PEY-002", FORM),
        ("v1_payload", "### PAY-002", "###PAY-002", 25, "###PAY-002", FORM),
        (
            "v1_payload",
            "### PAY-002",
            "### EXT-002",
            25,
            "EXT-002",
            "the id belongs on spec/v1/extraction.md",
        ),
        (
            "v1_payload",
            "> **Short.** It **MAY** end.\n\n",
            "",
            25,
            "PAY-002",
            "no quote under the heading",
        ),
        (
            "v1_payload",
            "> **Short.** It",
            "> **Short** It",
            27,
            "PAY-002",
            "the quote has to begin with a bold title and its full stop",
        ),
        (
            "v1_payload",
            "> **Short.** It",
            "Words.\n\n> **Short.** It",
            25,
            "PAY-002",
            "the quote has to follow the heading directly",
        ),
        (
            "v1_payload",
            LAST,
            LAST + "\n\n> More of it.",
            31,
            "PAY-002",
            "a second quote; only one is normative",
        ),
        ("v1_payload", "end.\n\n", "end.\n", 28, "PAY-002", "no blank line after the quote"),
        ("v1_payload", "\n\n" + LAST, "", 25, "PAY-002", FACTS),
        ("v1_payload", LAST, "Because it is so.", 29, "PAY-002", FACTS),
        ("v1_payload", LAST, LAST + "\nmore", 29, "PAY-002", "no blank line after the facts line"),
        ("v1_payload", LAST, "core · since 0.1", 29, "PAY-002", MALFORMED),
        ("v1_payload", LAST, "core · source a,b", 29, "PAY-002", MALFORMED),
        ("v1_payload", LAST, "core · source", 29, "PAY-002", MALFORMED),
        ("v1_payload", LAST, "core · because", 29, "PAY-002", MALFORMED),
        ("v1_payload", LAST, "core · changed soon", 29, "PAY-002", MALFORMED),
        ("v1_payload", LAST, "core · review:  ", 29, "PAY-002", MALFORMED),
        (
            "vocabulary",
            "### JSON text",
            "### Json text",
            29,
            "Json text",
            "a definition's heading has to be a lower-case name",
        ),
        ("vocabulary", "### JSON text", "### blank", 29, "blank", "the definition stands twice"),
        ("vocabulary", "Words.", "## Blank", 8, "blank", "line 3 has the same anchor"),
        ("v1_codes", "| `bad` | all", "| bad | all", 13, "-", ROW_OF_A_FINDING),
        ("v1_codes", "| `bad` | all", "| `Bad` | all", 13, "Bad", ROW_OF_A_FINDING),
        ("v1_codes", "| `bad` | all", "| `bad` | ", 13, "bad", ROW_OF_A_FINDING),
        (
            "v1_codes",
            "it is bad |",
            "it is bad |\n| `bad` | all | twice |",
            8,
            "bad",
            "the code stands twice under errors",
        ),
        ("v1_codes", "a `a|b` choice | loss |", "a `a|b` choice |", 13, "-", ROW_OF_A_FINDING),
        ("v1_codes", "choice | loss |", "choice | |", 13, "bad", NO_LEVEL.format("")),
        (
            "v1_codes",
            "choice | loss |",
            "choice | note, loss |",
            13,
            "bad",
            NO_LEVEL.format("note, loss"),
        ),
        ("v1_codes", "| `exact` |", "| exact |", 23, "-", NAME_ROW.format("reason")),
        ("v1_codes", "| Error: it is gone. |", "| |", 31, "-", NAME_ROW.format("name")),
        (
            "v1_codes",
            "it is gone. |",
            "it is gone. |\n| `gone` | Again. |",
            32,
            "gone",
            "the name stands twice under Fixed texts",
        ),
    ],
)
def test_form_is_judged(
    tmp_path: Path, page: str, old: str, new: str, line: int, name: str, reason: str
) -> None:
    texts = {"vocabulary": VOCABULARY, "v1_payload": PAYLOAD, "v1_codes": CODES}
    assert texts[page].count(old) == 1
    spec = spec_of(tmp_path, **{page: texts[page].replace(old, new)})
    path = "spec/" + page.replace("_", "/") + ".md"
    assert [str(problem) for problem in spec.problems] == [str(Problem(path, line, name, reason))]


def test_names_of_two_columns(tmp_path: Path) -> None:
    spec = spec_of(tmp_path)
    assert spec.reasons == {"exact": "it is there"}
    assert spec.texts == {"gone": "Error: it is gone."}


def test_anchors() -> None:
    assert slug("PAY-003") == "pay-003"
    assert slug("JSON white space") == "json-white-space"
    assert slug("What `code` is, really?") == "what-code-is-really"


def test_masks_keep_lines() -> None:
    assert mask("a `b\nc` d") == "a \0\0\n\0\0 d"
    assert mask("``a ` b`` `open") == "\0" * 9 + " `open"
    assert prose("see [the `x` list](y.md#z)!") == "see [the \0\0\0 list](y.md#z)!".replace(
        "[", ""
    ).replace("](y.md#z)", "")


def test_an_unclosed_fence_in_a_quote_is_kept() -> None:
    assert plain(["a", "~~~", "**b**  c"]) == "a\n~~~\n**b**  c"


def test_the_example_on_the_first_page_is_a_requirement_as_it_stands() -> None:
    pages = Path(__file__).parents[2] / "spec"
    home = (pages / "index.md").read_text(encoding="utf-8")
    example = home.partition("## How to read a requirement")[2].split("```\n")[1]
    assert example.startswith("### PAY-")
    assert _unwrapped(example) in _unwrapped((pages / "v1/payload.md").read_text(encoding="utf-8"))


def _unwrapped(text: str) -> str:
    return " ".join(text.replace("\n> ", "\n").split())
