"""The queries that the session `docs` puts to the built site, and the program that asks them."""

import json
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

from tools.finish import trim
from tools.law.text import read_spec
from tools.site.places import front_matter

QUERIES = "reference/tools/site/queries.json"
ASK = "reference/tools/site/ask.mjs"
DOCS = [
    {"location": "v1/a/", "title": "A", "text": "<p>All of it.</p>"},
    {"location": "v1/a/#pay-001", "title": "PAY-001 No tools", "text": "<p>An empty list.</p>"},
    {"location": "adr/b/", "title": "Commands", "text": "<p>Lists, and a comma.</p>", "boost": 0.2},
    {"location": "v1/c/", "title": "C", "text": "<p>A <code>trailing_comma</code>, comma.</p>"},
]


def test_the_queries_lead_to_what_there_is(root: Path) -> None:
    spec = read_spec(root)
    queries = json.loads((root / QUERIES).read_text(encoding="utf-8"))
    assert len(queries) >= 46
    for query, place in queries.items():
        found = re.search("(?:#|r/)([a-z]{3}-[0-9]{3})/?$", place, re.IGNORECASE)
        if found:
            known = spec.requirements | spec.withdrawn
            assert found[1].upper() in known, f"{query}: {place}"


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("v1/payload.md", "boost: 3"),
        ("fixtures/v1/payload/names.md", "exclude: true"),
        ("r/PAY-001/index.md", "exclude: true"),
        ("adr/index.md", "exclude: true"),  # each decision is found by itself
        ("adr/0001-a.md", "boost: 0.2"),
    ],
)
def test_what_the_search_is_told(path: str, told: str) -> None:
    assert f"\nsearch: {{{told}" in front_matter(path)
    own = front_matter(path, "title: A\n")
    assert own.startswith("---\ntitle: A\n")
    assert f"\nsearch: {{{told}" in own
    assert own.endswith("\n---\n\n")


@pytest.mark.parametrize("path", ["index.md", "fixtures/v1/README.md", "harness.md"])
def test_other_pages_stay_as_they_are(path: str) -> None:
    assert front_matter(path) == ""


@pytest.fixture
def site(root: Path, tmp_path: Path) -> Path:
    """Return a site of four sections, with the worker of the theme and the script of the site."""
    theme = find_spec("material")
    if theme is None or theme.origin is None or shutil.which("node") is None:
        pytest.skip("the theme belongs to the session docs, and Node asks its worker")
    workers = "assets/javascripts/workers"
    shutil.copytree(Path(theme.origin).parent / "templates" / workers, tmp_path / workers)
    shutil.copy(root / "reference/tools/site/assets/site.js", tmp_path / "assets")
    config = {
        "lang": ["en"],
        "separator": r"[\s\-,:;]+|\.+(?=[\s<&]|$)",
        "pipeline": ["stopWordFilter"],
        "fields": {"title": {"boost": 2.0}, "text": {"boost": 1.0}, "tags": {"boost": 1.0}},
    }
    files = {
        "index.html": "",
        "sitemap.xml": "",
        "search/search_index.json": json.dumps({"config": config, "docs": DOCS}),
        **{f"{place}/index.html": "" for place in ("v1/a", "v1/c", "adr/b", "r/PAY-001")},
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def ask(root: Path, site: Path, queries: dict[str, str]) -> subprocess.CompletedProcess[str]:
    (site / "queries.json").write_text(json.dumps(queries), encoding="utf-8")
    command = ["node", str(root / ASK), str(site), str(site / "queries.json")]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


def test_the_site_is_asked_as_readers_do(root: Path, site: Path) -> None:
    assert trim(site) > 0
    good = {
        "comma": "v1/c/",
        "empty tools": "v1/a/#pay-001",
        '"tools": []': "v1/a/#pay-001",
        "lists": "adr/b/",
        "what are the lists in this": "adr/b/",
        "pay 001": "r/PAY-001/",
        "PAY-001 ": "r/PAY-001/",
    }
    asked = ask(root, site, good)
    assert asked.stderr == ""
    assert asked.stdout.startswith("ask: 7 queries, 0 problems, ")
    assert asked.returncode == 0


def test_a_worker_that_takes_two_nodes_for_one_is_refused(root: Path, site: Path) -> None:
    asked = ask(root, site, {})
    assert asked.returncode == 1
    assert "names of nodes can be read in two ways" in asked.stderr


def test_a_query_that_leads_elsewhere_is_a_problem(root: Path, site: Path) -> None:
    trim(site)
    asked = ask(root, site, {"comma": "v1/a/", "nothing": "v1/a/", "pay-002": "r/PAY-002/"})
    assert asked.returncode == 1
    assert asked.stderr.splitlines() == [
        "comma: leads to v1/c/, adr/b/, and should to v1/a/",
        "nothing: leads to nothing, and should to v1/a/",
        "pay-002: there is no r/PAY-002/",
    ]


def test_trimming_leaves_what_is_loaded(site: Path) -> None:
    script = site / "assets/javascripts/bundle.js"
    script.write_text("a()\n")
    (site / "assets/javascripts/lunr").mkdir()
    trim(site)
    assert script.read_text() == "a()\n"
    names = {file.suffix for file in site.rglob("*")}
    assert ".map" not in names
    assert ".xml" not in names
    assert not (site / "assets/javascripts/lunr").exists()
