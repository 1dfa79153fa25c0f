"""A toy suite of two contracts, so that tests of the kit do not depend on the real one.

Its right adapter is ``tests/adapters/broken/good.py``.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from commoncall.kit.data import load

OPERATIONS = [
    {"operation": "toy.echo", "contract": "toy", "feature": "core", "diagnostics": ["notes"]},
    {"operation": "toy.pick", "contract": "toy", "feature": "core", "diagnostics": []},
    {"operation": "toy.extra", "contract": "toy", "feature": "extra", "diagnostics": ["notes"]},
    {"operation": "spare.flip", "contract": "spare", "feature": "core", "diagnostics": []},
]
FEATURES = ["diagnostics", "extra", "lone-surrogates"]
CASES: dict[str, list[dict[str, Any]]] = {
    "toy.echo": [
        {
            "id": "toy.echo.text",
            "requirements": ["TOY-001"],
            "input": {"value": "é"},
            "expect": {"result": {"value": "é", "notes": ["echoed"]}},
        },
        {
            "id": "toy.echo.number",
            "requirements": ["TOY-001", "TOY-004"],
            "input": {"value": 1},
            "expect": {"result": {"value": 1, "notes": ["echoed"]}},
        },
        {
            "id": "toy.echo.surrogate",
            "requirements": ["TOY-001"],
            "features": ["lone-surrogates"],
            "input_json": '{"value": "\\ud800"}',
            "expect": {"result": {"value": "\ud800", "notes": ["echoed"]}},
        },
    ],
    "toy.pick": [
        {
            "id": "toy.pick.members",
            "requirements": ["TOY-002"],
            "laws": ["key-order"],
            "input": {"a": 1, "b": 2},
            "expect": {"result": {"names": ["a", "b"]}},
        },
        {
            "id": "toy.pick.no-object",
            "requirements": ["TOY-002"],
            "input": "a",
            "expect": {"error": {"code": "invalid_input"}},
        },
    ],
    "toy.extra": [
        {
            "id": "toy.extra.null",
            "requirements": ["TOY-003"],
            "input": {"value": None},
            "expect": {"result": {"value": None, "notes": ["echoed"]}},
        },
    ],
    "spare.flip": [
        {
            "id": "spare.flip.on",
            "requirements": ["SPR-001"],
            "input": {"flag": True},
            "expect": {"result": {"flag": False}},
        },
    ],
}
REQUIREMENTS = [
    ("TOY-001", "toy", "core"),
    ("TOY-002", "toy", "core"),
    ("TOY-003", "toy", "extra"),
    ("TOY-004", "toy", "diagnostics"),
    ("SPR-001", "spare", "core"),
]


def write_suite(root: Path) -> Path:
    """Write the toy suite below a folder as the builder would, and return the folder."""
    tree = root / "fixtures" / "v1"
    suites = []
    for operation, cases in CASES.items():
        path = operation.replace(".", "/") + ".json"
        suites.append({"path": path, "operation": operation})
        _write(tree / path, {"format": 1, "operation": operation, "cases": cases})
    findings = [{"code": "value_odd", "meaning": "the value is odd"}]
    _write(
        tree / "manifest.json",
        {
            "format": 1,
            "version": "0.1.0",
            "operations": OPERATIONS,
            "features": [{"feature": name} for name in FEATURES],
            "codes": {"errors": [], "findings": findings},
            "suites": suites,
        },
    )
    requirements = [
        {
            "id": name,
            "title": f"Title of {name}",
            "level": "MUST",
            "contract": contract,
            "feature": feature,
            "text": "The operation MUST report `value_odd`.",
            "cases": [
                case["id"]
                for cases in CASES.values()
                for case in cases
                if name in case["requirements"]
            ],
            "address": f"v1/{contract}/#{name.lower()}",
            "sha256": hashlib.sha256(name.encode()).hexdigest(),
        }
        for name, contract, feature in REQUIREMENTS
    ]
    _write(tree / "requirements.json", {"format": 1, "requirements": requirements})
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
    files = sorted(path for path in tree.rglob("*.json"))
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(tree).as_posix()}\n"
        for path in files
    ]
    (tree / "SHA256SUMS").write_text("".join(lines))


def adapter(name: str, *arguments: str) -> list[str]:
    """Return the command of a broken adapter; it runs from the root of the repository."""
    return [sys.executable, "-m", f"tests.adapters.broken.{name}", *arguments]


def _write(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2) + "\n")
