"""The generator of the site: what a small tree becomes, and that the navigation misses no page."""

import html
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml

from commoncall.spelled import SpelledNumber as Number
from tools.finish import check_site
from tools.fixtures.incidents import FILE as INCIDENTS
from tools.fixtures.user_text import FILE as USER_TEXT
from tools.law.text import NOW, read_spec
from tools.release import bundle
from tools.site import (
    changelog,
    dialects,
    download,
    errors,
    formats,
    incidents,
    operations,
    playground,
    profiles,
    systems,
)
from tools.site.__main__ import main, site_files, write_site
from tools.site.book import PROSE, WORDINGS
from tools.site.cases import EXAMPLES, Case, parts_of
from tools.site.errors import CAUSES, FLAGS
from tools.site.markdown import (
    SiteError,
    address,
    barred,
    escape,
    link_ids,
    move_links,
    relative,
    relative_address,
    settled,
)
from tools.site.readable import blocks, show_json, show_text

PAYLOAD = """# Payload

What may leave. See the [schema](../../schemas/v1/payload/check_tool_call.schema.json),
the [cases](../../fixtures/v1/payload/names.json), [the
sources](../sources.md#some-source) and `tests/[x](y)`; PAY-002 and PAY-999 too.

## Names

### blank

> **Definition.** A blank is a space.

### PAY-001

> **Blank name.** A [blank](#blank) name **MUST** be reported as one of
>
> - `name_blank`, or
> - nothing.

core · source some-source

Because of the [builder](../../reference/builder.py).

### PAY-002

> **Other name.** A name that is not blank **MUST NOT** be reported.

core · review: nobody can show it

```
### not a heading
```

### flag

> **Definition.** A flag is one of these names.
>
> | flag | values | strict | open | read by |
> |---|---|---|---|---|
> | `ids` | `"any"`, `"short"` | `"short"` | `"any"` | PAY-001, [blank](#blank) |
> | `roles` | a boolean | `false` | `true` | PAY-002 |
> | `parts` | names | the empty list | the empty list | [blank](#blank) |

## Names

Again.
"""
THEME = "reference/tools/site/theme"
EXTRACTION = """# Extraction

### descriptor

> **Definition.** A descriptor is a file.

### payload scanner

> **Definition.** The payload scanners are these and no other:
>
> - `json_values`: a [descriptor](#descriptor) that
>   lists `names`;
> - `json_object`: the same, and takes one object.
"""
PROFILE: dict[str, Any] = {
    "format": 1,
    "profile": "acme",
    "title": "Acme, any",
    "revision": "2026-11-22",
    "flags": {"ids": "any", "roles": False},
    "evidence": {
        "ids": [
            {"kind": "report", "ref": "a/b-c#12", "says": "at most 40"},
            {"kind": "documentation", "ref": "docs.acme.example/api"},
        ],
        "roles": [{"kind": "measured", "ref": "Acme 1.2"}],
    },
}
DIALECT: dict[str, Any] = {
    "format": 1,
    "id": "tools",
    "title": "JSON between <tools> tags",
    "default": True,
    "excludes": ["other"],
    "section": {"opener": {"text": "<|a|>"}, "closer": {"text": "<|b|>"}},
    "opener": {"text": "<tools=", "end": ">", "name": {"prefix": "f.", "counter": True}},
    "closer": {"tag": "tools"},
    "payload": {"scanner": "json_object", "names": ["name"], "nested": None},
    "repairs": [],
    "limit_bytes": 8192,
    "values": {"members": "exact"},
    "novel": "new",
}
WHOLE = DIALECT | {"id": "whole", "opener": None, "closer": None}
OTHER = DIALECT | {"id": "other", "default": False, "opener": {"tag": "tools"}, "closer": None}
del OTHER["repairs"], OTHER["limit_bytes"], OTHER["excludes"], OTHER["section"]
FORMAT: dict[str, Any] = {
    "format": 1,
    "id": "acme-1",
    "title": "Acme *1*",
    "dialects": ["other"],
    "reasoning": [{"open": {"text": "[A]"}, "close": {"text": "[/A]"}}],
    "tokens": ["<|end|>"],
    "models": ["acme/One-*", "acme/Two"],
    "names": [{"name": "acme_one", "in": "vllm 1.2"}, {"name": "One", "in": "other 3"}],
    "evidence": [{"kind": "template", "ref": "acme: a.jinja", "says": "so it is"}],
}
BARE = FORMAT | {"id": "bare", "dialects": ["tools", "other"], "models": [], "names": []}
del BARE["reasoning"], BARE["tokens"]
RUNS = [
    {
        "date": "2026-11-18",
        "suite": "sha256:fedcba9876",
        "system": "toy",
        "version": "1.2.1",
        "kept": 4,
        "not_kept": ["PAY-003"],
    },
    {
        "date": "2026-11-20",
        "suite": "sha256:0123456789",
        "system": "toy",
        "version": "1.2.2",
        "kept": 3,
        "raised": 1,
        "not_kept": ["PAY-001"],
    },
    {
        "date": "2026-11-23",
        "suite": "sha256:0123456789",
        "system": "toy",
        "version": "1.2.3",
        "kept": 4,
        "not_kept": ["PAY-002"],
    },
]
REPORTS = [
    {
        "id": "acme/thing#7",
        "software": "Thing",
        "version": "1.2",
        "profile": "acme",
        "harm": "lost-call",
        "what": "A `name` | was blank.",
        "right": "It is reported.",
        "rules": ["PAY-002"],
        "cases": ["payload.check_tool_call.case-1"],
    },
    {
        "id": "acme/other#8",
        "software": "Other",
        "harm": "crash",
        "what": "It ended.",
        "refused": "Nobody can know.",
    },
]
NOTE = "{: .cc-suite data-search-exclude='' }"
CODES = """# Codes

The lists.

## Errors

| code | operations | meaning |
|---|---|---|
| `invalid_input` | all | the input is out of form |

## Findings

| code | operations | meaning | level |
|---|---|---|---|
| `name_blank` | `payload.check_tool_call` | the name is blank | loss |

## Rejections

| code | operations | meaning |
|---|---|---|

## Repairs

| code | operations | meaning |
|---|---|---|
"""
ADR = """---
status: "accepted"
date: 2026-11-21
requirements: [PAY-001]
source: some-source
---

# 0001: Blank `names` are reported

## Context

See [the text](../spec/v1/payload.md#pay-001).
"""
DRAFT = "https://json-schema.org/draft/2020-12/schema"
SCHEMA: dict[str, Any] = {
    "$schema": DRAFT,
    "$id": "urn:commoncall:v1:payload:check_tool_call",
    "description": "Input and result. See PAY-001.",
    "$defs": {
        "finding": {
            "oneOf": [
                {"type": "object", "properties": {"code": {"const": "a|b"}}, "required": ["code"]},
                {"type": "object", "properties": {"bytes": {"type": "integer", "minimum": 0}}},
            ]
        },
        "result": {
            "type": "object",
            "properties": {
                "name": {"type": ["string", "null"], "description": "`name` or <null>."},
                "findings": {"type": "array", "items": {"$ref": "#/$defs/finding"}},
            },
            "required": ["name"],
            "additionalProperties": False,
            "if": {},
        },
        "input": {
            "type": "object",
            "properties": {
                "kind": {"enum": ["a", 1]},
                "tool": {"type": "object", "properties": {"id": {"type": "string"}}},
                "calls": {"type": "array", "items": {"properties": {"id": True}}},
                "other": {"$ref": "urn:commoncall:v1:formats:thing#/$defs/part"},
            },
            "additionalProperties": {"type": "integer"},
        },
    },
}
THING: dict[str, Any] = {
    "$schema": DRAFT,
    "$id": "urn:commoncall:v1:formats:thing",
    "$defs": {"part": {"type": "string", "pattern": "^a|b$"}},
}


def case(number: int, **more: object) -> dict[str, object]:
    return {
        "id": f"payload.check_tool_call.case-{number}",
        "title": f"a <name> of {number} *stars*",
        "requirements": ["PAY-001"],
        "since": "0.1",
        "risk": "crash",
        "origin": {"kind": "incident", "ref": "some-source"},
        "input": {"text": f"{number} \n\n  x", "truncated": True},
        "expect": {"result": {"valid": False}},
    } | more


SUITE: dict[str, Any] = {
    "format": 1,
    "suite": "payload/names",
    "operation": "payload.check_tool_call",
    "cases": [
        case(1, requirements=["PAY-002", "PAY-001"], notes="A *note*."),
        case(2, features=["diagnostics"], laws=["key-order"], env={"ids": ["a"]}),
        case(3, input={"text": "x" * 4000}),
        case(4, input_json='{"a": 1}', expect={"error": {"code": "invalid_input"}}),
        case(5),
    ],
}


def sums(manifest: str) -> str:
    return f"{sha256(manifest.encode()).hexdigest()}  manifest.json\n"


SET = {
    "format": 1,
    "set": "0.1",
    "version": "0.1.0",
    "suite": "sha256:0",
    "cases": [
        {"id": "payload.check_tool_call.case-1", "sha256": "0"},
        {"id": "payload.check_tool_call.case-0", "sha256": "0"},
    ],
    "requirements": [{"id": "PAY-001", "sha256": "0"}, {"id": "PAY-000", "sha256": "0"}],
}
MANIFEST = {
    "format": 1,
    "version": "0.1.0",
    "operations": [{"operation": "payload.check_tool_call"}],
}
SUMS = sums(json.dumps(MANIFEST))
DIGEST = f"sha256:{sha256(SUMS.encode()).hexdigest()}"

READING = {"requirement": "PAY-001", "reading": "kept", "why": "`a | b` is read."}
SERVER: dict[str, Any] = {
    "server": "Acme | 1",
    "flags": "--fast",
    "date": "2026-01-02",
    "golden": 2,
    "generated": 10,
    "refused": {"turn.prepare.gone": {"status": 400, "message": "no"}},
}

SURVEY: dict[str, Any] = {
    "format": 1,
    "date": "2026-01-02",
    "suite": {"version": "0.0.9", "digest": "sha256:0123456789abcdef"},
    "system": {
        "format": 1,
        "name": "toy",
        "title": "Toy | parser",
        "project": "Toys",
        "package": "toy",
        "home": "https://example.org/",
        "operations": {
            "payload.check_tool_call": {
                "inputs": ["tool_call"],
                "members": ["valid"],
                "leaves": ["name_blank"],
                "mapping": "As it is.",
            }
        },
    },
    "implementation": {"name": "toy", "version": "1.2.3", "language": "Python"},
    "kept": ["payload.check_tool_call.gone"],
    "others": {
        "payload.check_tool_call.case-1": {"outcome": "broken", "answer": {"valid": None}},
        "payload.check_tool_call.also-gone": {"outcome": "raised", "reason": "KeyError: '<b>'"},
    },
    "not_offered": {"an input with <env>": 3},
    "incomplete": None,
}


WHEEL = "commoncall-0.1.0-py3-none-any.whl"
KIT = WHEEL.replace("commoncall", "commoncall_kit")
PACKAGE = {"name": "commoncall", "version": "0.1.0", "files": ["*/*.mjs"]}


INDEX = """# CommonCall

Read [the payload contract](v1/payload.md).

| operation | what it does |
|---|---|
| [`payload.check_tool_call`](v1/payload.md#names) | judges a call |
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a small repository that the generator takes."""
    files = {
        "spec/index.md": INDEX,
        "spec/v1/payload.md": PAYLOAD,
        "spec/v1/codes.md": CODES,
        "spec/v1/withdrawn.md": "# Withdrawn\n\n| id | since | replaced by |\n|---|---|---|\n"
        "| PAY-003 | 0.2 | PAY-001 |\n",
        "spec/v1/extraction.md": EXTRACTION,
        "spec/v1/profiles/acme.json": json.dumps(PROFILE),
        "spec/v1/dialects/tools.json": json.dumps(DIALECT),
        "spec/v1/dialects/other.json": json.dumps(OTHER),
        "spec/v1/dialects/whole.json": json.dumps(WHOLE),
        "spec/v1/formats/whole.json": json.dumps(BARE | {"id": "whole", "dialects": ["whole"]}),
        "spec/v1/formats/acme-1.json": json.dumps(FORMAT),
        "spec/v1/formats/bare.json": json.dumps(BARE),
        "spec/sources.md": "# Sources\n\nWho reported.\n\n### some-source\n\nA thing.\n",
        "adr/0001-blank-names.md": ADR,
        "schemas/v1/payload/check_tool_call.schema.json": json.dumps(SCHEMA),
        "schemas/v1/formats/thing.schema.json": json.dumps(THING),
        "fixtures/v1/payload/names.json": json.dumps(SUITE),
        USER_TEXT: '{"codes": {}}',
        "fixtures/v1/manifest.json": json.dumps(MANIFEST),
        "fixtures/v1/SHA256SUMS": SUMS,
        "fixtures/v1/requirements.json": "{}",
        "fixtures/selftest/SHA256SUMS": sums("{}"),
        "fixtures/selftest/manifest.json": "{}",
        "fixtures/sets/0.1.json": json.dumps(SET),
        "CHANGELOG.md": "# Changelog\n\n## [0.1.0]\n\nPAY-001, [text](spec/v1/payload.md).\n",
        "CITATION.cff": 'title: "A: b"\nauthors: [{name: The authors}]\n',
        f"{download.WHEELS}/{WHEEL}": "a wheel",
        f"{download.WHEELS}/{KIT}": "a kit",
        f"{bundle.NPM}/package.json": json.dumps(PACKAGE),
        f"{bundle.NPM}/a/b.mjs": "// b",
        f"{bundle.NPM}/a/b.test.js": "",
        "LICENSES/README.md": "",
        "LICENSES/MIT-0.txt": "",
        "fixtures/v1/README.md": "# The fixtures\n\nThe [suite](payload/names.json), a loop.\n",
        "reference/builder.py": "",
        f"{systems.REPORTS}/toy.json": json.dumps(SURVEY),
        systems.HISTORY: "".join(f"{json.dumps(one)}\n" for one in RUNS),
        INCIDENTS: json.dumps({"format": 1, "incidents": REPORTS}),
        systems.NOT_RUN: json.dumps([{"system": "Gone", "why": "no package | left"}]),
        systems.READINGS: json.dumps([READING]),
        systems.SERVERS: json.dumps({"acme": SERVER}),
        systems.NOT_OURS: json.dumps({"no images | here": ["payload.check_tool_call.case-1"]}),
    }
    for name, text in files.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return tmp_path


def page(files: Mapping[str, str | bytes], path: str) -> str:
    text = files[path]
    assert isinstance(text, str)
    return text


class TestMarkdown:
    def test_links_between_pages(self) -> None:
        assert relative("v1/payload.md", "v1/payload.md#a") == "#a"
        assert relative("v1/payload.md", "index.md") == "../index.md"
        assert relative("index.md", "adr/x.md#b") == "adr/x.md#b"

    @pytest.mark.parametrize(
        ("path", "expected"),
        [
            ("v1/payload.md#pay-001", "v1/payload/#pay-001"),
            ("index.md", ""),
            ("adr/index.md", "adr/"),
            ("fixtures/v1/README.md#a", "fixtures/v1/#a"),
            ("fixtures/v1/a.json", "fixtures/v1/a.json"),
        ],
    )
    def test_what_a_browser_asks_for(self, path: str, expected: str) -> None:
        assert address(path) == expected

    @pytest.mark.parametrize(
        ("source", "target", "expected"),
        [
            ("v1/payload.md", "fixtures/v1/a.md#b", "../../fixtures/v1/a/#b"),
            ("index.md", "v1/payload.md", "v1/payload/"),
            ("v1/payload.md", "index.md", "../../"),
            ("r/PAY-001/index.md", "v1/payload.md#pay-001", "../../v1/payload/#pay-001"),
            ("adr/index.md", "fixtures/v1/a.json", "../fixtures/v1/a.json"),
        ],
    )
    def test_links_in_raw_html(self, source: str, target: str, expected: str) -> None:
        assert relative_address(source, target) == expected

    def test_escaped_text_is_inert(self) -> None:
        assert escape("<a> & `b` *c* [d] | {e}") == (
            "&lt;a&gt; &amp; &#96;b&#96; &#42;c&#42; &#91;d&#93; &#124; &#123;e&#125;"
        )

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("[a](../sources.md#x)", "[a](../sources.md#x)"),
            ("[a `[b]`](../../adr/0001.md)", "[a `[b]`](../adr/0001.md)"),
            ("![a](../pic.svg)", "![a](../pic.svg)"),
            ("[a](../../hidden.py) b", "a b"),
            ("[a](https://example.org/) [b](#here)", "[a](https://example.org/) [b](#here)"),
            ("`[a](gone.md)` ``PAY-001 ` ``", "`[a](gone.md)` ``PAY-001 ` ``"),
            ("```\n[a](gone.md) PAY-001\n```", "```\n[a](gone.md) PAY-001\n```"),
            ("> ~~~\n> [a](gone.md)\n> ~~~", "> ~~~\n> [a](gone.md)\n> ~~~"),
            ("[a\nb](../sources.md)", "[a\nb](../sources.md)"),
        ],
    )
    def test_links_move_to_the_site(self, text: str, expected: str) -> None:
        places = {
            "spec/sources.md": "sources.md",
            "spec/pic.svg": "pic.svg",
            "adr/0001.md": "adr/0001.md",
            "hidden.py": None,
        }
        where = places.__getitem__
        moved = move_links(text, "spec/v1/codes.md", where)
        assert settled("v1/codes.md", moved) == expected

    def test_a_dead_link_stops_the_site(self) -> None:
        def nothing(path: str) -> str | None:
            raise LookupError(path)

        with pytest.raises(SiteError, match=r"a\.md: the link to gone\.md#x leads nowhere"):
            move_links("[a](gone.md#x)", "a.md", nothing)

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("[raw](x.json) PAY-001", "[raw](x.json) [PAY-001](../v1/payload.md#pay-001)"),
            ("see `PAY-001`, PAY-002", "see [`PAY-001`](../v1/payload.md#pay-001), PAY-002"),
            ("[PAY-001](#x) XPAY-001 PAY-0011", "[PAY-001](#x) XPAY-001 PAY-0011"),
            ("``PAY-001 ` `` <i>", "``PAY-001 ` `` <i>"),
            ("```\nPAY-001\n```", "```\nPAY-001\n```"),
            ("### PAY-001", "### PAY-001"),
        ],
    )
    def test_ids_become_links_and_links_stay(self, text: str, expected: str) -> None:
        ids = {"PAY-001": "v1/payload.md#pay-001"}
        assert settled("schemas/a.md", link_ids(text, ids.get)) == expected

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("[a](site:adr/b.md#c)", "[a](../adr/b.md#c)"),
            ('<a href="site:adr/b.md#c">', '<a href="../../adr/b/#c">'),
            ("[a](site:v1/payload.md#b) [c](site:#d)", "[a](#b) [c](#d)"),
        ],
    )
    def test_links_of_the_site_become_those_of_a_page(self, text: str, expected: str) -> None:
        assert settled("v1/payload.md", text) == expected

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            (r"> | D1 | `<\|end\|>` or `a` |", "> | D1 | `<|end|>` or `a` |"),
            (r"| a\|b | `<\|end\|>` |", r"| a\|b | `<|end|>` |"),
            (r"Outside tables, `a\|b`.", r"Outside tables, `a\|b`."),
        ],
    )
    def test_a_bar_in_the_code_of_a_cell_needs_no_sign(self, text: str, expected: str) -> None:
        assert barred(text) == expected


class TestCases:
    def test_short_json_stands_on_one_line(self) -> None:
        assert show_json({"a": [1, None, True], "b": {}}) == '{"a": [1, null, true], "b": {}}'

    def test_long_json_is_spread(self) -> None:
        text = "x" * 90
        assert show_json({"a": [{"b": text, "c": []}], "d": [text, "e"]}) == (
            '{\n  "a": [{\n    "b": "' + text + '",\n    "c": []\n  }],\n'
            '  "d": [\n    "' + text + '",\n    "e"\n  ]\n}'
        )

    def test_numbers_keep_their_spelling(self) -> None:
        data = json.loads('[1.50, 1e2, 12345678901234567890, "1"]', parse_int=Number)
        assert show_json(data[2:]) == '[12345678901234567890, "1"]'
        assert show_json(json.loads("[1.50, 1e2]", parse_float=Number)) == "[1.50, 1e2]"

    def test_invisible_characters_are_escaped(self) -> None:
        assert show_json("a\u2028\ufeff\ud83dé😀") == '"a\\u2028\\ufeff\\ud83dé😀"'

    def test_a_text_shows_its_lines_and_blanks(self) -> None:
        assert show_text("<a>  \n\tb\r\n\u00a0") == (
            "&lt;a&gt;<b>  </b><i></i>\n"
            '<u data-c="U+0009">&#9;</u>b<u data-c="U+000D">&#13;</u><i></i>\n'
            '<u data-c="U+00A0">&#160;</u>'
        )

    def test_what_is_copied_is_the_text(self) -> None:
        text = "a\r\n\t \x01\x85\u2028<&>\ufeff\U0001f600 \n"
        shown = re.sub("<[^>]*>", "", show_text(text))
        shown = re.sub("&#([0-9]+);", lambda match: chr(int(match[1])), shown)
        assert html.unescape(shown) == text
        # HTML holds neither of these, and a reader sees which it was.
        assert show_text("\0\ud83d") == '<u data-c="U+0000"></u><u data-c="U+D83D"></u>'

    def test_no_raw_html_holds_a_blank_line(self) -> None:
        one = Case("a", "b", ("PAY-001",), "x.md", case(1, input={"text": "a\n\n \n\nb\n"}))
        text = blocks(parts_of(one.data))
        assert all(line.strip() for line in text.split("\n"))

    def test_a_number_in_place_of_a_text_is_json(self) -> None:
        text = blocks(parts_of({"input": {"text": Number("1.0")}}))
        assert '<pre class="cc-json">{"text": 1.0}</pre>' in text


def test_chosen_examples_are_cases_of_what_they_stand_for(root: Path) -> None:
    suites = [json.loads(path.read_bytes()) for path in (root / "fixtures/v1").glob("*/*.json")]
    cited = {one["id"]: one["requirements"] for suite in suites for one in suite["cases"]}
    manifest = json.loads((root / "fixtures/v1/manifest.json").read_bytes())
    assert {one["operation"] for one in manifest["operations"]} <= EXAMPLES.keys()
    for name, id in EXAMPLES.items():
        assert name in (id.rpartition(".")[0], *cited[id])
    script = (root / "reference/tools/site/assets/try.mjs").read_text(encoding="utf-8")
    opened = re.findall(r'^  "[^"]+": "(\w+\.\w+\.\S+)",$', script, re.MULTILINE)
    assert opened
    assert set(opened) <= cited.keys()


def test_what_an_endpoint_answers_to_has_words(root: Path) -> None:
    files = (root / "spec/v1/profiles").glob("*.json")
    seen = [json.loads(file.read_bytes()).get("evidence", {}) for file in files]
    told = {name for one in seen for name in (*one.get("refuses", ()), *(set(one) & set(FLAGS)))}
    assert told == CAUSES.keys()


class TestPages:
    def test_a_requirement_on_its_contract_page(
        self, tree: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(EXAMPLES, "PAY-001", "payload.check_tool_call.case-4")
        text = page(site_files(tree), "v1/payload.md")
        start = text.index('<div class="cc-req" id="PAY-001" markdown="1">\n\n### [PAY-001](../r/')
        section = text[start : text.index('<div class="cc-req" id="PAY-002"')]
        assert "### [PAY-001](../r/PAY-001.md) Blank name { #pay-001 }" in section
        assert "\n> A [blank](#blank) name **MUST** be reported as one of\n>\n> - `name" in section
        assert "Blank name." not in section, "the title stands in the heading"
        told = f"changed {NOW} · [5 cases](../r/PAY-001.md#cases)"
        assert f"\n{told}\n{{: .cc-facts data-search-exclude='' }}" in section
        assert "Because of the builder." in section, "the site does not show the reference"
        assert section.index("Because") < section.index("<details")
        assert section.count("<details") == 1, "one example"
        assert '"expect": {"error": {"code": "invalid_input"}}' in section, "the chosen one"

    def test_a_requirement_without_a_case(self, tree: Path) -> None:
        suite = SUITE | {"cases": [case(1)]}
        (tree / "fixtures/v1/payload/names.json").write_text(json.dumps(suite))
        files = site_files(tree)
        text = page(files, "v1/payload.md")
        section = text[text.index('id="PAY-002"') :]
        assert f"\nsince {NOW} · by review: nobody can show it\n" in section
        assert "Example" not in section
        assert "```\n### not a heading\n```" in section
        assert "## Names\n" in section
        assert "#cases" not in page(files, "r/PAY-002.md")

    def test_the_index_of_a_page_is_folded(self, tree: Path) -> None:
        text = page(site_files(tree), "v1/payload.md")
        assert "<summary>Index: 2 requirements and 2 definitions</summary>" in text
        assert "- [PAY-002 Other name](#pay-002)\n\n</div>\n\n<div" in text

    def test_the_page_of_a_requirement(self, tree: Path) -> None:
        text = page(site_files(tree), "r/PAY-001.md")
        front, _, body = text.removeprefix("---\n").partition("\n---\n")
        assert yaml.safe_load(front) == {
            "title": "PAY-001 Blank name",
            "hide": ["toc"],
            "search": {"exclude": True},
        }
        assert '<a href="../../v1/payload/">Payload</a> › <a href="../../v1/payload/#na' in body
        assert "# PAY-001 Blank name { #pay-001 }" in body
        assert "> A [blank](#def-blank) name **MUST** be reported as one of" in body
        assert "<summary>blank</summary>\n\n> A blank is a space.\n" in body
        assert "[In the text](../v1/payload.md#blank)" in body
        assert "## Why\n\nBecause of the builder." in body
        assert f"- since 0.1, changed {NOW}\n" in body
        assert "- [ADR-0001 Blank `names` are reported](../adr/0001-blank-names.md)" in body
        digest = read_spec(tree).requirements["PAY-001"].sha256[:8]
        cite = f"commoncall:PAY-001 (CommonCall 0.1, sha256 {digest})"
        # The script puts before it where the site stands.
        for copied in (cite, "[PAY-001 Blank name](r/PAY-001/)", "r/PAY-001/"):
            assert f'data-clipboard-text="{copied}"' in body
        # Where none is chosen, the first that names it first is open.
        assert (
            body.index("## Example") < body.index("case-2)") < body.index('<ul class="cc-cases">')
        )
        assert "case-4)" not in body
        assert "<summary>✗ not kept: 1 system</summary>\n\n[Toy &#124; parser](../systems/" in body
        assert body.count("<li><a") == 5
        assert (
            '<a href="../../fixtures/v1/payload/names/#payload.check_tool_call.case-4">a &lt;name'
            "&gt; of 4 *stars*</a> <small>error · crash</small> "
            '<a class="cc-get" href="../../fixtures/v1/payload/names.json'
            '#payload.check_tool_call.case-4">JSON</a>'
        ) in body

    def test_the_page_of_a_withdrawn_requirement(self, tree: Path) -> None:
        files = site_files(tree)
        text = page(files, "r/PAY-003.md")
        assert "# PAY-003 (withdrawn) { #pay-003 }" in text
        assert "withdrawn 0.2 · replaced by [PAY-001](PAY-001.md)\n" in text
        text = page(files, "v1/withdrawn.md")
        row = '| <span id="pay-003"></span>[PAY-003](../r/PAY-003.md) | 0.2 |'
        assert f"{row} [PAY-001](../r/PAY-001.md) |" in text

    def test_former_sentences(self, tree: Path) -> None:
        """Of a release that changed nothing there is none; a table stands apart."""
        now = read_spec(tree).requirements["PAY-001"].text
        law = "A name:\n| a |\n|---|\n| b |\nor `c`."
        for version, one in {"0.1": law, "0.2": law, "0.10": now}.items():
            file = tree / WORDINGS / f"{version}.json"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps({"PAY-001": one, "PAY-003": one}))
        files = site_files(tree)
        former = (
            "## Wording in 0.1 and 0.2\n\n> A name:\n>\n> | a |\n> |---|\n> | b |\n>\n> or `c`.\n"
        )
        rule, gone = page(files, "r/PAY-001.md"), page(files, "r/PAY-003.md")
        assert rule.count("## Wording") == 1
        assert former in rule
        last = (
            "## Wording in 0.10\n\n> A blank name MUST be reported as one of\n>\n> - `name_blank`,"
        )
        assert gone.index(last) < gone.index(former)
        assert f"- since 0.1, changed {NOW} (a definition that it links)\n" in rule

    def test_the_lists_of_the_law(self, tree: Path) -> None:
        files = site_files(tree)
        assert "- [blank](../v1/payload.md#blank)" in page(files, "d/index.md")
        row = "| [PAY-001 Blank name](PAY-001.md) | A blank name MUST be reported as one of … |"
        assert row in page(files, "r/index.md")
        assert "\n### blank\n\n> A blank is a space." in page(files, "v1/payload.md")

    def test_flags_that_a_requirement_reads(self, tree: Path) -> None:
        files = site_files(tree)
        shown = page(files, "r/PAY-001.md").replace("&quot;", '"')
        assert (
            '- <code>ids</code>: [acme](../profiles/acme.md) <code>"any"</code>; absent: `"short"`'
        ) in shown
        wide = '<div class="cc-req cc-wide" markdown="1">\n\n### flag'
        assert wide in page(files, "v1/payload.md")

    def test_long_tables_of_the_law_are_folded(self, tree: Path) -> None:
        file = tree / "spec/v1/extraction.md"
        for count in (9, 10):
            rows = "".join(f"> | {number} |\n" for number in range(count))
            table = f"\n### rows\n\n> **Definition.** Rows are:\n>\n> | n |\n> |---|\n{rows}"
            file.write_text(EXTRACTION + table + "\nWhy.\n")
            text = page(site_files(tree), "v1/extraction.md")
            folded = (
                '<details class="cc-more cc-rows" markdown="1">\n<summary>10 rows</summary>\n\n'
            )
            assert (folded + "> | n |" in text) == (count == 10)

    def test_home_shows_a_requirement(self, tree: Path) -> None:
        source = "```\n### PAY-002\n\n> **Other name.** As source.\n```"
        (tree / "spec/index.md").write_text(f"# C\n\n{source}\n")
        text = page(site_files(tree), "index.md")
        assert "As source" not in text
        assert "> A name that is not blank **MUST NOT** be reported." in text
        assert f"since {NOW} · by review: nobody can show it · [1 case]" in text

    def test_prose_links_move(self, tree: Path) -> None:
        text = page(site_files(tree), "v1/payload.md")
        assert "[schema](../schemas/v1/payload/check_tool_call.md)" in text
        assert "[cases](../fixtures/v1/payload/names.md)" in text
        assert "`tests/[x](y)`; [PAY-002](#pay-002) and PAY-999 too." in text

    def test_sources_list_their_requirements(self, tree: Path) -> None:
        text = page(site_files(tree), "sources.md")
        assert "Requirements: [PAY-001](r/PAY-001.md)\n" in text
        assert "\n## some-source\n" in text, "no level of headings is left out"

    def test_a_suite(self, tree: Path) -> None:
        files = site_files(tree)
        text = page(files, "fixtures/v1/payload/names.md")
        name = "payload.check_tool_call.case-2"
        assert f'<h2 id="{name}">a &lt;name&gt; of 2 *stars*</h2>' in text
        assert (
            f'<a class="cc-get" href="../names.json#{name}">JSON</a> · '
            '<a href="../../../../r/PAY-001/">PAY-001</a> · risk crash · incident '
            '<a href="../../../../sources/#some-source">some-source</a> · '
            "feature <code>diagnostics</code> · laws key-order · since 0.1"
        ) in text
        assert "<p>A *note*.</p>" in text
        for label in (
            "Input: text",
            "Input: other members",
            "Input, as JSON text",
            "Environment",
            "Expected result",
            "Expected error",
        ):
            assert f'<p class="cc-label">{label}</p>' in text
        assert "operation [<code>payload.check&#95;tool&#95;call</code>](../../../schemas/" in text
        index = page(files, "fixtures/index.md")
        assert "| [payload/names](v1/payload/names.md) |" in index
        assert "| 5 | 2 |" in index
        assert "- [fixtures/v1/manifest.json](v1/manifest.json)" in index

    def test_a_schema(self, tree: Path) -> None:
        files = site_files(tree)
        text = page(files, "schemas/v1/payload/check_tool_call.md")
        assert "Input and result. See [PAY-001](../../../r/PAY-001.md)." in text
        assert text.index("## finding") < text.index("## result") < text.index("## input")
        assert '"description": "`name` or &lt;null&gt;."' in text
        assert "| [formats/thing](v1/formats/thing.md) |" in page(files, "schemas/index.md")
        assert "alone" not in text, "nothing is built here"

    def test_a_schema_links_the_files_that_are_built_from_it(self, tree: Path) -> None:
        built = "schemas/v1/bundled/payload/check_tool_call.input.schema.json"
        (tree / built).parent.mkdir(parents=True)
        (tree / built).write_text("{}")
        files = site_files(tree)
        assert files[built] == b"{}"
        for path, link in (
            ("schemas/v1/payload/check_tool_call.md", "../bundled/payload/check_tool_call.input"),
            ("schemas/index.md", "v1/bundled/payload/check_tool_call.input"),
        ):
            assert f"[input alone]({link}.schema.json)" in page(files, path)
            assert "result alone" not in page(files, path)

    def test_a_profile(self, tree: Path) -> None:
        (tree / "spec/v1/profiles.md").write_text(
            "# Profiles\n\n[acme](profiles/acme.json), [all of them](profiles)\n"
        )
        files = site_files(tree)
        text = page(files, "profiles/acme.md")
        for row in (
            "# acme <small>Acme, any</small>\n",
            "[Profiles](index.md) · revision 2026-11-22 · 2 of 3 flags stated · "
            "[what each flag does](../v1/payload.md#flag) · [raw JSON](../v1/profiles/acme.json)\n",
            '| <code>ids</code> | <code>"any"</code> | <span class="cc-takes">✓ takes</span> |',
            "| <code>roles</code> | <code>false</code> | "
            '<span class="cc-refuses">✗ refuses</span> |',
            "| <code>ids</code> | report "
            "| [a/b-c&#35;12](https://github.com/a/b-c/issues/12) | at most 40 |",
            "| documentation | [docs.acme.example/api](https://docs.acme.example/api) "
            "|  | 2026-11-22 |",
            "| measured | Acme 1.2 |  | 2026-11-22 |",
        ):
            assert row in text
        grid = page(files, "profiles/index.md")
        assert '<th scope="col" title="ids">ids</th><th scope="col" title="roles">' in grid
        assert '<td class="cc-takes" data-head="ids">✓&nbsp;any</td>' in grid
        assert '<td class="cc-refuses" data-head="roles">✗&nbsp;no</td>' in grid
        intro = page(files, "v1/profiles.md")
        assert "[all of them](../profiles/index.md)" in intro
        assert "[acme](../profiles/acme.md)" in intro

    def test_a_message_of_an_endpoint_stands_under_what_it_is_about(self, tree: Path) -> None:
        law = tree / "spec/v1/payload.md"
        table = (
            "> | refusal | code | where |\n> |---|---|---|\n> | `parts_empty` | `x` | no parts |\n"
        )
        law.write_text(
            f"{law.read_text()}\n### refusal\n\n> **Definition.** A refusal is:\n>\n{table}"
        )
        seen = {"kind": "report", "ref": "a/b#1", "says": "no parts: 422", "date": "2026-11-22"}
        same = seen | {"says": "the same"}
        told = PROFILE | {"evidence": {"refuses": {"parts_empty": [seen, same]}}}
        (tree / "spec/v1/profiles/acme.json").write_text(json.dumps(told))
        text = page(site_files(tree), "use/errors.md")
        assert "## <code>parts&#95;empty</code> <small>" in text
        assert "| no parts: 422 | [<code>acme</code>](../profiles/acme.md) |" in text
        assert "the same" not in text.partition("## <code>parts")[2]

    def test_a_dialect(self, tree: Path) -> None:
        def found(number: int, text: str, *calls: object, **more: object) -> dict[str, object]:
            read = [{"id": "c", "name": "f", "arguments": each} for each in calls]
            result = {"tool_calls": read, "matched": ["tools"], "repairs": [], "segments": []}
            return case(number, input={"text": text}, expect={"result": result | more})

        cases = [
            found(1, "none"),
            found(2, "<tools=f>{longer}", {"a": 1}),
            found(3, "short", {"a": 1}, repairs=[{"code": "missing_closer"}]),
            found(4, "<tools=f>{12}", {"a": 2}),
            found(5, "<tools=f>", {"a": 3}, matched=["other", "tools"]),
            found(6, "f", {"a": 4}, matched=[]),
        ]
        (tree / "fixtures/v1/payload/names.json").write_text(json.dumps(SUITE | {"cases": cases}))
        files = site_files(tree)
        text = page(files, "dialects/tools.md")
        assert "# tools <small>JSON between &lt;tools&gt; tags</small>\n" in text
        # The shortest in this dialect alone that needs no repair.
        assert "From the case [a &lt;name&gt; of 4 &#42;stars&#42;](../fixtures/v1/payload/" in text
        assert '<pre class="cc-text">&lt;tools=f&gt;{12}</pre>' in text
        assert '<pre class="cc-json">[{"name": "f", "arguments": {"a": 2}}]</pre>' in text
        for part in (
            "active by default · [raw JSON](../v1/dialects/tools.json)\n",
            "Formats with it: [bare](../formats/bare.md)\n\n"
            "Never active beside: [other](other.md)\n",
            '"closer": {"tag": "tools"},\n',
            '  "novel": "new"\n}</pre>',
            "| [payload/names](../fixtures/v1/payload/names.md) | 5 |",
        ):
            assert part in text
        assert '"title"' not in text, "the heading says it"
        # It is the sample of a format, too.
        assert "From the case [a &lt;name&gt; of 4" in page(files, "formats/bare.md")
        text = page(files, "dialects/other.md")
        assert "[acme-1](../formats/acme-1.md), [bare](../formats/bare.md)\n" in text
        assert "Never active" not in text
        grid = page(files, "dialects/index.md")
        assert grid.index("[other](other.md)") < grid.index("[tools](tools.md)<br>JSON")
        assert "<code>&lt;/tools&gt;</code> | <code>json&#95;object</code> | yes | 5 |\n" in grid
        assert "| none | none | <code>json&#95;object</code> | yes | 0 |\n" in grid

    def test_a_format(self, tree: Path) -> None:
        files = site_files(tree)
        text = page(files, "formats/acme-1.md")
        assert "# acme-1 <small data-search-exclude=''>Acme &#42;1&#42;</small> { #acme-1 }" in text
        assert "[Formats](index.md) · [raw JSON](../v1/formats/acme-1.json)\n" in text
        assert "v1/formats/acme-1.json" in files
        one = "<code>acme&#95;one</code> by vllm 1.2<br><code>One</code> by other 3"
        for row in (
            "| models | <code>acme/One-&#42;</code><br><code>acme/Two</code> |",
            f"| name | {one} |",
            "| dialects | [other](../dialects/other.md) |",
            '<pre class="cc-json">[{"open": {"text": "[A]"}, "close": {"text": "[/A]"}}]</pre>',
            '<pre class="cc-json">["&lt;|end|&gt;"]</pre>',
            "| template | acme: a.jinja | so it is |",
        ):
            assert row in text
        text = page(files, "formats/bare.md")
        assert "## Sample" not in text, "no case has a call of it"
        assert "| models | none |\n| name | none |" in text
        assert (
            "| dialects | [tools](../dialects/tools.md)<br>[other](../dialects/other.md) |" in text
        )
        assert '[{"open": {"tag": "think"}, "close": {"tag": "think"}}]</pre>' in text
        assert '<p class="cc-label">Tokens</p>\n<pre class="cc-json">[]</pre>' in text

    def test_the_grid_of_formats(self, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        text = page(site_files(tree), formats.PAGE)
        first = "[acme-1](acme-1.md)<br>Acme &#42;1&#42; | [other](../dialects/other.md) |"
        assert f"| {first} vllm <code>acme&#95;one</code> · other <code>One</code> |" in text
        assert "| [tools](../dialects/tools.md)<br>[other](../dialects/other.md) |  |" in text
        rows = [{"id": "acme-2", "by": "Acme", "form": "<a|b>", "because": "it *is*"}]
        monkeypatch.setattr(formats, "NO_FORMATS", tree / "no_formats.json")
        (tree / "no_formats.json").write_text(json.dumps(rows))
        text = page(site_files(tree), formats.PAGE)
        assert 'tags: ["acme"]' in text
        assert "| acme-2 | Acme | <code>&lt;a&#124;b&gt;</code> | it &#42;is&#42; |" in text
        (tree / "no_formats.json").write_text(json.dumps([{**rows[0], "id": "acme-1"}]))
        with pytest.raises(SiteError, match="acme-1 is a format"):
            site_files(tree)

    def test_what_is_no_format_is_none_here(self, root: Path) -> None:
        rows = json.loads(formats.NO_FORMATS.read_bytes())
        assert [sorted(row) for row in rows] == [["because", "by", "form", "id"]] * len(rows)
        names = [row["id"] for row in rows]
        assert len({*names}) == len(names)
        for name in names:
            assert not [*(root / "spec/v1").glob(f"[df]*/{name}.json")], f"{name} is data"

    def test_a_decision(self, tree: Path) -> None:
        files = site_files(tree)
        text = page(files, "adr/0001-blank-names.md")
        assert "---\n\n# 0001: Blank `names` are reported\n" in text
        assert (
            "[ADRs](index.md) · ADR-0001 · accepted · date 2026-11-21 · "
            "requirements [PAY-001](../r/PAY-001.md) · "
            "source [some-source](../sources.md#some-source)\n{: .cc-facts data-search-exclude='' }"
        ) in text
        assert "[the text](../v1/payload.md#pay-001)" in text
        title = "[Blank `names` are reported](0001-blank-names.md)"
        row = f"| ADR-0001 | {title} | 2026-11-21 | accepted | payload |"
        assert row in page(files, "adr/index.md")

    def test_raw_files_are_served(self, tree: Path) -> None:
        files = site_files(tree)
        for path in (
            "fixtures/v1/payload/names.json",
            "fixtures/v1/manifest.json",
            "schemas/v1/formats/thing.schema.json",
        ):
            assert files[path] == (tree / path).read_bytes()
        assert "[suite](payload/names.md)" in page(files, "fixtures/v1/README.md")
        assert "assets/site.css" in files

    def test_every_page_says_to_which_suite_it_belongs(self, tree: Path) -> None:
        digest = f"sha256:{sha256(SUMS.encode()).hexdigest()}"
        shown = f'[suite 0.1.0]({{}}) <span title="{digest}">{digest[:19]}</span>'
        files = site_files(tree)
        pages = [path for path in files if path.endswith(".md")]
        for path in pages:
            line = f"This text belongs to {shown.format(relative(path, 'download.md'))}"
            assert page(files, path).count(line) == 1
            assert page(files, path).endswith(f"\n\n{line}\n{NOTE}\n")

    def test_the_law_stands_there_as_plain_text_too(self, tree: Path) -> None:
        files = site_files(tree)
        text = page(files, "v1/payload.txt")
        assert text.startswith(PAYLOAD.rstrip() + "\n\nThis text belongs to suite 0.1.0 `sha256:")
        assert "[The text alone](payload.txt), " in page(files, "v1/payload.md")
        assert {path for path in files if path.endswith(".txt")} == {
            "v1/codes.txt",
            "v1/extraction.txt",
            "v1/payload.txt",
        }

    def test_an_operation_has_its_rules_and_to_each_an_example(self, tree: Path) -> None:
        files = site_files(tree)
        text = page(files, "o/payload.check_tool_call.md")
        assert "\n\nCheck tool call: judges a call.\n\n2 rules · 5 cases · " in text
        assert "### [PAY-001](../r/PAY-001.md) " in text
        assert "\n> - `name_blank`, or\n" in text
        assert text.count('<details class="cc-case" open>') == 2, "a short example is open"
        row = "| [<code>payload.check&#95;tool&#95;call</code>](payload.check_tool_call.md) |"
        assert row in page(files, operations.INDEX)
        assert "\n\n[All operations](o/index.md)\n" in page(files, "index.md")

    def test_systems_stand_in_a_list_without_a_score(self, tree: Path) -> None:
        text = page(site_files(tree), systems.PAGE)
        assert (
            "| [Toy &#124; parser](toy.md)<br><small>Toys</small> "
            '| <span class="cc-bar"><i style="width:33%"></i></span> 1 | 3 | 0 | <small>3</small> '
            "| <code>payload.check&#95;tool&#95;call</code> | 1.2.3 |" in text
        )
        assert "<summary>payload: 2 requirements, 1 system</summary>" in text
        assert '<td class="cc-refuses" title="Toy | parser: not kept">✗</td>' in text
        assert re.search(r"\| \[PAY-001\]\(\S+\) .* \| \*kept\*. `a &#124; b` is read. \|", text)
        assert "| Gone | no package &#124; left |" in text

    def test_servers_show_what_they_refuse_and_why(self, tree: Path) -> None:
        text = page(site_files(tree), systems.PAGE)
        assert "| Acme &#124; 1 | <code>--fast</code> | [<code>acme</code>]" in text
        assert "| 2026-01-02 | 2 | 1 | 10 | 0 |" in text
        assert re.search(r"\| no images &#124; here \| \[`payload.*case-1`\]\(", text)

    def test_a_system_shows_what_it_did_with_each_case(self, tree: Path) -> None:
        files = site_files(tree)
        text = page(files, "systems/toy.md")
        assert " · recorded with suite 0.0.9 sha256:0123456789ab of 2026-01-02 · " in text
        assert "| left to its caller | <code>name&#95;blank</code> |" in text
        assert "| an input with &lt;env&gt; | 3 |" in text
        broken = r"- \[.*\]\(\S+case-1\), broken, <code>valid</code> <button .* data-case="
        assert re.search(broken, text)
        assert (
            "- <code>payload.check&#95;tool&#95;call.also-gone</code>, raised an exception" in text
        )
        assert "KeyError: '&lt;b&gt;'" in text
        assert "| 1.2.2 | 2026-11-20 | <code>012345</code> | 3 | 1 |  |  |" in text
        row = r"\| 1.2.3 \| 2026-11-23 \| <code>012345</code> \| 4 \| 0 \|"
        assert re.search(row + r" \[PAY-002\].* \| \[PAY-001\]", text)
        assert "| 1.2.1 | 2026-11-18 | <code>fedcba</code> | 4 | 0 |  |  |" in text
        assert json.loads(page(files, "systems/toy.json")) == SURVEY

    def test_incidents_stand_by_harm_and_software(self, tree: Path) -> None:
        files = site_files(tree)
        lost = "[acme/thing#7](https://github.com/acme/thing/issues/7)".replace("#", "&#35;")
        text = page(files, incidents.PAGE)
        assert text.index("{ #lost-call }") < text.index("{ #crash }")
        assert f"| {lost} | A <code>name</code> &#124; was blank. | [PAY-002](" in text
        text = page(files, incidents.SOFTWARE)
        assert text.index("| Other |") < text.index("| Thing |")
        assert "| It ended.<br>*Refused.* Nobody can know. |  |" in text
        assert "<br>version 1.2<br>[profile acme](../profiles/acme.md) |" in text
        assert "<br>*Right.* It is reported. | [PAY-002](" in text
        text = page(files, incidents.RULES)
        assert "PAY-002" not in text
        assert "1 requirements have no public report." in text
        text = page(files, "r/PAY-002.md")
        assert f"{{ #reported }}\n\n- {lost}: A <code>name</code> &#124; was blank." in text

    def test_ids_lead_to_requirements_and_stay_within_the_text(self, tree: Path) -> None:
        files = site_files(tree)
        assert "[PAY-002](#pay-002) and PAY-999 too" in page(files, "v1/payload.md")
        for path in (changelog.PAGE, systems.PAGE):
            assert "[PAY-001](" in page(files, path)
            assert "#pay-001)" not in page(files, path)

    @pytest.mark.parametrize(
        "path",
        [
            systems.NOT_RUN,
            systems.READINGS,
            systems.SERVERS,
        ],
    )
    def test_without_a_record_there_is_no_site(self, path: str, tree: Path) -> None:
        (tree / path).write_text('{"format": 1}')
        with pytest.raises(SiteError, match="not in form"):
            site_files(tree)
        (tree / path).unlink()
        with pytest.raises(SiteError, match=r"no record .* -- --record writes it"):
            site_files(tree)

    def test_downloads_have_their_sums(self, tree: Path) -> None:
        files = site_files(tree)
        archive = "commoncall-fixtures-0.1.0.tar.gz"
        content = files[f"download/{archive}"]
        assert isinstance(content, bytes)
        digest = sha256(content).hexdigest()
        text = page(files, download.PAGE)
        assert f"[{archive}](download/{archive})" in text
        assert f"`{digest}`" in text
        assert "title = {{A: b}}" in text
        assert "author = {{The authors}}" in text
        assert files["CITATION.cff"] == (tree / "CITATION.cff").read_text()
        assert files[f"download/{WHEEL}"] == b"a wheel"
        assert files[f"download/{KIT}"] == b"a kit"
        assert f"pip install ./{WHEEL}" in text
        assert "npm install ./commoncall-0.1.0.tgz" in text
        npm = files["download/commoncall-0.1.0.tgz"]
        assert isinstance(npm, bytes)
        with tarfile.open(fileobj=io.BytesIO(npm)) as packed:
            assert packed.getnames() == ["package/a/b.mjs", "package/package.json"]
        assert files["try/commoncall/a/b.mjs"] == b"// b"
        sums = files["download/SHA256SUMS"]
        assert isinstance(sums, bytes)
        assert f"{digest}  {archive}\n" in sums.decode()
        assert sums.count(b"\n") == 5

    @pytest.mark.parametrize("path", [f"{download.WHEELS}/{WHEEL}", f"{bundle.NPM}/package.json"])
    def test_without_a_package_there_is_no_site(self, path: str, tree: Path) -> None:
        (tree / path).unlink()
        with pytest.raises(SiteError, match="no bundle, package or citation can be made"):
            site_files(tree)

    def test_each_page_of_prose_is_made(self, tree: Path) -> None:
        pages = {path.relative_to(PROSE).as_posix() for path in PROSE.rglob("*.md")}
        assert pages <= site_files(tree).keys()

    def test_the_changelog(self, tree: Path) -> None:
        files = site_files(tree)
        text = page(files, "changelog.md")
        assert "## 0.1.0 { data-search-exclude='' }" in text
        assert "[PAY-001](r/PAY-001.md), [text](v1/payload.md)." in text


class TestCommand:
    def test_it_writes_the_site(self, tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
        stale = tree / "build/site-src/stale.md"
        stale.parent.mkdir(parents=True)
        stale.touch()
        assert main(["--root", str(tree)]) == 0
        assert not stale.exists()
        assert (tree / "build/site-src/r/PAY-002.md").exists()
        assert capsys.readouterr().out.startswith("site: ")

    @pytest.mark.parametrize(
        ("path", "text", "reason"),
        [
            ("spec/v1/payload.md", "# P\n\n### PAY-001\n\nNo quote.\n", "spec/v1/payload.md:3"),
            ("spec/index.md", "# C\n\n[a](gone.md)\n", "the link to gone.md leads nowhere"),
            ("fixtures/v1/payload/names.json", "{", "names.json"),
            ("fixtures/v1/payload/names.json", '{"suite": 1, "cases": [1]}', "not a built suite"),
            ("schemas/v1/formats/thing.schema.json", "[]", "no object"),
            ("adr/0001-blank-names.md", "---\n- a\n---\n# T\n", "no mapping"),
            ("adr/0001-blank-names.md", "---\na: [\n---\n# T\n", "no YAML"),
            ("adr/0001-blank-names.md", "No title.\n", "no title"),
            ("fixtures/v1/manifest.json", "{}", "fixtures/v1: not a built suite"),
            ("fixtures/v1/SHA256SUMS", "", "no bundle, package or citation"),
            ("CITATION.cff", "- a", "no bundle, package or citation"),
            ("spec/v1/profiles/acme.json", "{", "acme.json"),
            (
                "spec/v1/profiles/acme.json",
                '{"flags": []}',
                "tools.site.profiles: what it shows is not in form",
            ),
            ("spec/v1/dialects/tools.json", "{", "dialects/tools.json"),
            ("spec/v1/formats/acme-1.json", "{", "formats/acme-1.json"),
            ("spec/v1/formats/acme-1.json", "{}", "acme-1.md: what it shows is not in form"),
            ("spec/v1/dialects/tools.json", json.dumps(DIALECT | {"payload": {}}), "not in form"),
        ],
    )
    def test_what_is_out_of_form_is_one_line(
        self, path: str, text: str, reason: str, tree: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tree / path).write_text(text)
        assert main(["--root", str(tree)]) == 1
        error = capsys.readouterr().err
        assert error.startswith("site: ")
        assert reason in error
        assert error.count("\n") == 1
        assert not (tree / "build/site-src").exists(), "nothing half-written"


def nav_pages(entry: object) -> list[str]:
    """Return the pages of a part of the navigation, in order."""
    if isinstance(entry, str):
        return [entry]
    parts = list(entry.values()) if isinstance(entry, dict) else entry
    assert isinstance(parts, list)
    return [page for part in parts for page in nav_pages(part)]


def test_the_navigation_names_every_page_once(root: Path) -> None:
    config = yaml.safe_load((root / "mkdocs.yml").read_text(encoding="utf-8"))
    pages = {file.relative_to(root / "spec").as_posix() for file in root.glob("spec/**/*.md")}
    made = {
        "fixtures/index.md",
        "fixtures/v1/README.md",
        "schemas/index.md",
        "adr/index.md",
        "d/index.md",
        "r/index.md",
        operations.INDEX,
        profiles.PAGE,
        dialects.PAGE,
        formats.PAGE,
        systems.PAGE,
        incidents.PAGE,
        download.PAGE,
        errors.PAGE,
        playground.PAGE,
        changelog.PAGE,
    }
    assert sorted(nav_pages(config["nav"])) == sorted(pages | made)


def test_the_site_asks_for_nothing_from_elsewhere(root: Path) -> None:
    config = yaml.safe_load((root / "mkdocs.yml").read_text(encoding="utf-8"))
    assert [name for plugin in config["plugins"] for name in plugin] == ["search"]
    assert config["theme"]["font"] is False
    assert "site_url" not in config, "links stay relative, so that any host will do"
    for file in (root / "reference/tools/site/assets").iterdir():
        text = file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "//" not in text.replace("// ", "")


@pytest.mark.skipif(find_spec("mkdocs") is None, reason="mkdocs belongs to the session docs")
def test_mkdocs_builds_the_small_tree(root: Path, tree: Path) -> None:
    shutil.copy(root / "mkdocs.yml", tree)
    config = yaml.safe_load((tree / "mkdocs.yml").read_text(encoding="utf-8"))
    for path in nav_pages(config["nav"]):
        file = tree / "spec" / path
        if not file.exists() and "/" not in path.removeprefix("v1/").removeprefix("use/"):
            file.parent.mkdir(exist_ok=True)
            file.write_text("# A page\n\nText.\n", encoding="utf-8")
    made = (download.PAGE, changelog.PAGE)
    for path in made:
        (tree / "spec" / path).unlink()
    for law, heading in (
        ("payload", "flag"),
        ("extraction", "descriptor"),
        ("dialects", "Formats"),
    ):
        with (tree / f"spec/v1/{law}.md").open("a", encoding="utf-8") as text:
            text.write(f"\n## {heading}\n")
    form = THING | {"$id": "urn:commoncall:v1:formats:dialect"}
    (tree / "schemas/v1/formats/dialect.schema.json").write_text(json.dumps(form))
    shutil.copytree(root / THEME, tree / THEME)
    write_site(tree)
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict"],
        cwd=tree,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(root / "reference")},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert built.returncode == 0, built.stderr
    problems, pages, _ = check_site(tree / "build/site")
    assert (problems, pages > 20) == ([], True)
    html = (tree / "build/site/v1/payload/index.html").read_text(encoding="utf-8")
    assert '<div class="cc-req" id="PAY-001">' in html
    assert '<h3 id="pay-001"><a href="../../r/PAY-001/">PAY-001</a> Blank name' in html
    assert f'exclude="">changed {NOW} · <a href="../../r/PAY-001/#cases">5 cases</a>' in html
    lean = (tree / "build/site/r/PAY-001/index.html").read_text(encoding="utf-8")
    assert '<div class="cc-leaf">' in lean
    assert 'data-md-type="toc" hidden' in lean
    assert "<title>PAY-001 Blank name - CommonCall</title>" in lean
    assert len(lean) < 26_000
    assert '<a href="../payload.txt">The text alone</a>' in html
    assert '>This text belongs to <a href="../../download/">suite 0.1.0</a> ' in html
    suite = (tree / "build/site/fixtures/v1/payload/names/index.html").read_text(encoding="utf-8")
    assert '<h2 id="payload.check_tool_call.case-2">a &lt;name&gt; of 2 *stars*</h2>' in suite
    missing = (tree / "build/site/404.html").read_text(encoding="utf-8")
    assert "There is no such page" in missing
    assert re.findall("href=(.)(.{5})", missing) == [('"', "data:")], "it is shown at any depth"
    index = json.loads((tree / "build/site/search/search_index.json").read_text(encoding="utf-8"))
    boosts = {one["location"]: one.get("boost") for one in index["docs"]}
    assert boosts["v1/payload/"] > boosts["adr/0001-blank-names/"]
    assert not any(place.startswith("fixtures/v1/payload/") for place in boosts)
