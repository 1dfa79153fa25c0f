"""Records of what sessions ran: what is kept, what is compared, and that those here are whole."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

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


def put(root: Path, path: str, value: object) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(json.dumps(value))


def run_port(root: Path, *more: str) -> int:
    return records.main(["toy", "toy adapter", "--root", str(root), *more])


def test_a_record_of_a_port_keeps_what_stays_true() -> None:
    record = records.port_record(REPORT, "toy adapter")
    assert record == {
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


def test_it_is_written_when_told_to_and_compared_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, "build/reports/toy.json", REPORT)
    assert run_port(tmp_path) == 1
    assert "no record can be read" in capsys.readouterr().err
    assert run_port(tmp_path, "--record") == 0
    assert run_port(tmp_path) == 0
    changed = copy.deepcopy(REPORT)
    changed["requirements"][0]["verdict"] = "violated"
    changed["requirements"].append({"requirement": "TOY-003", "verdict": "satisfied"})
    put(tmp_path, "build/reports/toy.json", changed)
    capsys.readouterr()
    assert run_port(tmp_path) == 1
    assert capsys.readouterr().err == (
        "records: tests/adapters/reports/toy.json is not what was run (requirements: TOY-001 was "
        "satisfied and is violated, and 1 more): nox -s reference -- --record\n"
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"date": "2026-02-02", "suite": {}, "implementation": {}, "contracts": {}}, ""),
        ({"features": []}, "features"),
        ({"failed": ["b"]}, "failed"),
    ],
)
def test_what_of_a_port_may_differ(change: dict[str, object], said: str) -> None:
    record = records.port_record(REPORT, "toy adapter")
    assert records.difference(record, {**record, **change}) == said


@pytest.mark.parametrize("text", ["[]", "{", "{}"])
def test_a_broken_record_is_one_line(
    tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, "build/reports/toy.json", REPORT)
    file = tmp_path / records.PORTS / "toy.json"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    assert run_port(tmp_path) == 1
    assert capsys.readouterr().err.count("\n") == 1


# The real records. Whether a run still gives them takes its time; the sessions say it.


def test_the_records_are_small_and_hold_nothing_volatile(root: Path) -> None:
    for name in OURS:
        data = (root / records.PORTS / f"{name}.json").read_bytes()
        assert len(data) < 60_000
        assert not {"seed", "kit", "cases"} & json.loads(data).keys()
