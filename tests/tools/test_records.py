"""Records of what ports were found to do: what is kept, and that those here are whole."""

import json
from pathlib import Path
from typing import Any

from tools import records
from tools.site.implementations import OURS

SUITE = {"version": "0.1.0", "digest": "sha256:1"}
REPORT: dict[str, Any] = {
    "date": "2026-01-01",
    "suite": SUITE,
    "seed": 5,
    "implementation": {"name": "toy", "version": "1", "language": "Toy 1"},
    "features": ["streaming", "diagnostics"],
    "contracts": [{"contract": "toy", "verdict": "not_conformant", "cases": {"passed": 1}}],
    "requirements": [
        {"requirement": "TOY-001", "verdict": "satisfied", "cases": ["a"]},
        {"requirement": "TOY-002", "verdict": "violated", "cases": ["b", "c"]},
    ],
    "cases": [
        {"case": "c", "outcome": "errored"},
        {"case": "b", "outcome": "failed"},
        {"case": "a", "outcome": "passed"},
    ],
}


def test_a_record_of_a_port_keeps_what_stays_true(tmp_path: Path) -> None:
    report = tmp_path / records.RAN.format("toy")
    report.parent.mkdir(parents=True)
    report.write_text(json.dumps(REPORT))
    records.main(["toy", "toy adapter"], tmp_path)
    assert json.loads((tmp_path / records.PORTS / "toy.json").read_bytes()) == {
        "format": 1,
        "date": "2026-01-01",
        "suite": SUITE,
        "implementation": REPORT["implementation"],
        "command": "toy adapter",
        "features": ["diagnostics", "streaming"],
        "contracts": {"toy": {"verdict": "not_conformant", "passed": 1}},
        "failed": ["b", "c"],
        "requirements": {"TOY-001": "satisfied", "TOY-002": "violated"},
    }


def test_the_records_are_small_and_hold_nothing_volatile(root: Path) -> None:
    for name in OURS:
        data = (root / records.PORTS / f"{name}.json").read_bytes()
        assert len(data) < 60_000
        assert not {"seed", "kit", "cases"} & json.loads(data).keys()
