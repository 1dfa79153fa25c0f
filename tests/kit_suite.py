"""A toy suite of two contracts, so that tests of the kit do not depend on the real one.

It is that of ``fixtures/selftest``; its right adapter is ``tests/adapters/broken/good.py``.
"""

import hashlib
import json
import shutil
import sys
from pathlib import Path

from commoncall_kit.suite.data import load

SELFTEST = Path(__file__).resolve().parents[1] / "fixtures" / "selftest"

LEFT_OUT = "toy.echo.plain"
"""The one case that does not apply to an adapter that declares everything."""


def write_suite(root: Path) -> Path:
    """Write the toy suite below a folder as the builder would, and return the folder."""
    tree = root / "fixtures" / "v1"
    shutil.copytree(SELFTEST, tree, ignore=shutil.ignore_patterns("adapters.json", "README.md"))
    file = tree / "toy" / "echo.json"
    suite = json.loads(file.read_bytes())
    suite["cases"] = [case for case in suite["cases"] if case["id"] != LEFT_OUT]
    _write(file, suite)
    file = tree / "requirements.json"
    index = json.loads(file.read_bytes())
    for each in index["requirements"]:
        each["cases"] = [name for name in each["cases"] if name != LEFT_OUT]
    _write(file, index)
    seal(tree)
    return root


def write_reviews(root: Path) -> Path:
    """Add requirements to the toy suite that no case shows: core, of a feature, not in a row."""
    tree = root / "fixtures" / "v1"
    file = tree / "requirements.json"
    index = json.loads(file.read_bytes())
    names = {"TOY-013": "core", "TOY-011": "core", "TOY-012": "core", "TOY-010": "extra"}
    for name, feature in {**names, "TOY-020": "core"}.items():
        about = {"id": name, "feature": feature, "cases": [], "review": "nobody sees it"}
        index["requirements"].append({**index["requirements"][0], **about})
    _write(file, index)
    seal(tree)
    return root


def write_set(root: Path, *gone: str) -> Path:
    """Freeze the toy suite as the set 0.1, but for what is named; return the file."""
    suite = load(root)
    cases = [{"id": case.id, "sha256": case.sha256} for case in suite.cases if case.id not in gone]
    requirements = [
        {"id": each.id, "sha256": each.sha256}
        for each in suite.requirements.values()
        if each.id not in gone
    ]
    file = root / "fixtures" / "sets" / "0.1.json"
    frozen = {"format": 1, "set": "0.1", "version": "0.1.0", "suite": suite.digest}
    _write(file, {**frozen, "cases": cases, "requirements": requirements})
    return file


def seal(tree: Path) -> None:
    """Write ``SHA256SUMS`` for the files of a tree."""
    sums = tree / "SHA256SUMS"
    files = sorted(path for path in tree.rglob("*") if path.is_file() and path != sums)
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(tree).as_posix()}\n"
        for path in files
    ]
    sums.write_text("".join(lines))


def trim(exported: Path) -> None:
    """Take most cases and schemas out of what ``export`` wrote, so that it is soon copied."""
    for tree in ("fixtures/v1", "schemas/v1", "spec/v1"):
        for path in (exported / tree).glob("*/**/*.json"):
            if path.name != "flatten-blocks.json" and path.parent.name != "turn":
                path.unlink()
    for tree in ("fixtures/v1", "schemas/v1", ""):
        seal(exported / tree)


def adapter(name: str, *arguments: str) -> list[str]:
    """Return the command of a broken adapter; it runs from the root of the repository."""
    return [sys.executable, "-m", f"tests.adapters.broken.{name}", *arguments]


def _write(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2) + "\n")
