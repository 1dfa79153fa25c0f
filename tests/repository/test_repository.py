"""The repository as a whole: its pages promise what exists, and its parts say the same version."""

import hashlib
import json
import os
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest
import yaml

import commoncall
from tests.command import commoncall as run_here

PAGES = ["README.md", "CONTRIBUTING.md", "LICENSES/README.md"]

MACHINE = re.compile(
    r"(?<![\w./~-])/(?:home|root|Users|work)/[\w.-]+|[A-Z]:\\Users\\|\blocalhost:\d+"
)
"""Paths and addresses that exist on one machine only."""

OF_MACHINES = ("/home/", "/root/", "/Users/", "/work/", ":\\Users\\", "localhost:")
"""What stands in each of them: to look for these is faster."""

NAMES = {
    "161c0fa971df0c95",
    "27b50557de800b45",
    "2999459dd850d138",
    "2b726fe07b4c50ba",
    "474cb35097bb5119",
    "4db27c91daa401d0",
    "6ed9d1c41b57f682",
    "764a51ba6de8ebf2",
    "839f33eed38655f8",
    "9589556e9bda9a96",
    "bd04d809ad74d20f",
    "c75532c3b1592fdb",
    "d63939c95e48b215",
    "e554ac28471f4ba3",
}
"""Companies, people and products of the incidents, which stay anonymous: the first 16 hex digits of
the SHA-256 of each word in lower case, so that this list names nobody either."""

PUBLISHED_MODEL = re.compile(r"\w+(?=[/-]Hermes-[234])")
"""A format names the models that it is for by their public ids, whoever published them."""

TOP_LEVEL = {
    *(".ci", ".editorconfig", ".gitattributes", ".gitignore", "adr", "fixtures", "reference"),
    *("CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "LICENSES", "README.md"),
    *("constraints.txt", "mkdocs.yml", "noxfile.py", "pyproject.toml", "schemas", "spec", "tests"),
    ".github",  # where its readers look for it
}
LARGEST = 1_700_000
"""Bytes of a file; the index of the requirements has four fifths of that."""

WORDS = bytes(each if chr(each).isalnum() and each < 128 else ord(" ") for each in range(256))
"""What parts words: all but letters and digits."""

REPORT = re.compile(r"\b[\w.-]+/[\w.-]+#[0-9]+")
"""A public report, which a case names as its origin, whoever received it."""

SOURCE_NUMBER = re.compile(r"\bseeds? 00\d\b", re.IGNORECASE)
"""Sources have names (spec/sources.md); a number would mean nothing to a reader."""


@pytest.mark.parametrize("page", [*PAGES[:2], ".ci/run"])
def test_every_session_that_a_page_names_exists(
    root: Path, page: str, sessions: dict[str, bool]
) -> None:
    text = (root / page).read_text(encoding="utf-8")
    commands = re.findall(r"python3 noxfile\.py(?: -s ([a-z]+(?: [a-z]+)*))?", text)
    assert "" in commands
    assert "tests" in commands
    assert {name for names in commands for name in names.split()} <= sessions.keys()


def test_ci_runs_the_two_commands_of_the_readme_first(root: Path) -> None:
    readme = (root / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^```\n(python3 noxfile\.py.*)\n```$", readme, re.MULTILINE)
    ci = (root / ".ci/run").read_text(encoding="utf-8")
    runs = re.findall(r"^(python3 noxfile\.py(?: -s [a-z]+)?)", ci, re.MULTILINE)
    assert len(commands) == 2
    assert runs[:2] == commands
    assert os.access(root / ".ci/run", os.X_OK)


@pytest.mark.parametrize("page", PAGES[:2])
def test_every_subcommand_that_a_page_names_exists(root: Path, page: str) -> None:
    text = (root / page).read_text(encoding="utf-8")
    for name in set(re.findall(r"(?:^|`|\| )commoncall ([a-z]+)", text, re.MULTILINE)):
        assert run_here(name, "--help").returncode == 0, name


@pytest.mark.parametrize("page", PAGES)
def test_every_path_that_a_page_names_exists(root: Path, page: str) -> None:
    text = (root / page).read_text(encoding="utf-8")
    base = (root / page).parent
    links = [base / target for target in re.findall(r"\]\(([^):#]+)\)", text)]
    roots = r"spec|schemas|fixtures|reference|tests|adr|\.ci|\.github"
    spans = re.findall(rf"`((?:{roots})/[\w./-]*)`", text)
    missing = [path for path in [*links, *(root / span for span in spans)] if not path.exists()]
    assert missing == []


def test_who_reads_the_code_is_told_of_every_module_of_extraction(root: Path) -> None:
    page = (root / ".github/contributing/code.md").read_text(encoding="utf-8")
    table = page.split("| module | what it shows |")[1].split("\n\n")[0]
    named = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    package = root / "reference/python/commoncall/extraction"
    folders = [path.parent for path in package.glob("*/__init__.py")]
    assert sorted(named) == sorted(path.stem for path in [*package.glob("*.py"), *folders])


@pytest.mark.parametrize(("page", "least"), [("README.md", 1), ("spec/use/tour.md", 5)])
def test_the_examples_of_a_page_print_what_it_says(root: Path, page: str, least: int) -> None:
    examples = (root / page).read_text(encoding="utf-8")
    lines = r"((?:(?!```).*\n)+)"  # of one block
    pair = rf"^```sh\n{lines}```\n\n```(?:json)?\n{lines}```$"
    pairs = re.findall(pair, examples, re.MULTILINE)
    scripts = str(Path(sys.executable).parent)
    env = {**os.environ, "PATH": os.pathsep.join([scripts, os.environ["PATH"]])}
    for command, output in pairs:
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=root,
            env=env,
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        assert mask_ids(done.stdout) == mask_ids(output)
    assert len(pairs) == examples.count("```sh\n") >= least


def mask_ids(text: str) -> str:
    """Replace every UUID: without injected ids each run makes new ones."""
    return re.sub(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", "UUID", text)


def test_all_parts_have_the_same_version(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    source = root / project["tool"]["hatch"]["version"]["path"]
    assert source.samefile(commoncall.__file__)
    assert project["project"]["dynamic"] == ["version"]

    citation = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    manifest = json.loads((root / "fixtures/v1/manifest.json").read_text(encoding="utf-8"))
    index = json.loads((root / "fixtures/v1/requirements.json").read_text(encoding="utf-8"))
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## \[(.+?)\]", changelog, re.MULTILINE)
    assert newest is not None
    versions = [citation["version"], manifest["version"], index["version"], newest[1]]
    assert versions == [commoncall.__version__] * 4


def test_the_first_page_lists_the_operations_of_the_manifest(root: Path) -> None:
    manifest = json.loads((root / "fixtures/v1/manifest.json").read_text(encoding="utf-8"))
    page = (root / "spec/index.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| \[`(\w+\.\w+)`\]\(.+\) \| .+? (?:\(feature `(\w+)`\) )?\|$", page, re.MULTILINE
    )
    wanted = [(each["operation"], each["feature"]) for each in manifest["operations"]]
    assert [(name, feature or "core") for name, feature in rows] == wanted


def test_every_dependency_has_its_exact_version_in_the_constraints(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    groups = project["dependency-groups"]
    own = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    needed = project["project"]["dependencies"]
    own_pins = ("integrations", "plugs", "servers")
    apart = {name: groups.pop(name) + needed for name in own_pins}
    wanted = [entry for group in groups.values() for entry in group if isinstance(entry, str)]
    for file, entries in {
        "constraints.txt": wanted + own,
        **{f"tests/evidence/{name}/constraints.txt": entries for name, entries in apart.items()},
    }.items():
        lines = (root / file).read_text(encoding="utf-8").splitlines()
        pinned = {line.partition("==")[0] for line in lines if "==" in line}
        names = {re.split(r"[^\w-]", entry)[0].lower() for entry in entries}
        assert names <= pinned, file


@pytest.fixture
def files(root: Path) -> list[Path]:
    """Return the files of the repository, and those that are about to belong to it."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=root,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if listed.returncode:
        pytest.skip("no git work tree: nothing says which files belong to the repository")
    paths = [root / name for name in sorted(filter(None, listed.stdout.split("\0")))]
    return [path for path in paths if path.is_file()]


def test_no_file_is_there_by_mistake(root: Path, files: list[Path]) -> None:
    """A dump or a download that was added with all else shows by its place or its size."""
    assert {path.relative_to(root).parts[0] for path in files} <= TOP_LEVEL
    assert [path for path in files if path.stat().st_size > LARGEST] == []


def test_no_file_names_a_machine_or_an_origin(root: Path, files: list[Path]) -> None:
    found = []
    for path in files:
        name = path.relative_to(root)
        text = path.read_bytes().decode("utf-8", "replace")
        if not names_one(text):
            continue  # as each file does; the lines are for who has to find it
        for number, line in enumerate(text.split("\n"), 1):
            if names_one(line):
                found.append(f"{name}:{number}: {line.strip()[:80]}")
    assert found == []


def names_one(text: str) -> bool:
    """Tell whether a text names a machine, the number of a source, or by a word an origin."""
    text = REPORT.sub("", text)
    lower = text.lower()
    if "seed" in lower and SOURCE_NUMBER.search(text):
        return True
    if any(part in text for part in OF_MACHINES) and MACHINE.search(text):
        return True
    named = PUBLISHED_MODEL.sub("", text).lower() if "Hermes-" in text else lower
    words = named.encode("ascii", "replace").translate(WORDS).split()
    return any(map(is_an_origin, {*words}))


@cache
def is_an_origin(word: bytes) -> bool:
    return hashlib.sha256(word).hexdigest()[:16] in NAMES
