"""Survey the systems of a folder, and compare with what is recorded of them.

    python -m tests.systems.record FOLDER [--record]

A folder has an adapter, a description for each system, and what the adapter imports:
`requirements.txt`, installed without what that depends on, or `package.json`. `fetch.py`, where
there is one, fetches what no index installs. ``--record`` writes `reports` and a line of
`history.jsonl`; without it, a report that says something else than the run is an error of one line.
Cases that only one of both has are not compared, so a new suite is none; neither are the day, and
the words of what a system raised.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from commoncall_kit.suite.data import load
from tests.systems import history

HERE: Final = Path(__file__).parent
REPORTS: Final = HERE / "reports"
RUN: Final = HERE.parents[1] / "build" / "systems"
TIMEOUT: Final = "30"
"""In seconds, for a case: a busy machine is no fault of a system."""

Report = Mapping[str, Any]


class RecordError(Exception):
    """A survey did not end, or found something else than its record. One line for people."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command; exit status 0, or 1 with one line on stderr for each system."""
    parser = argparse.ArgumentParser(description="Survey the systems of a folder.")
    parser.add_argument("folder")
    parser.add_argument("--record", action="store_true", help="write what was found")
    options = parser.parse_args(arguments)
    if (HERE / options.folder / "fetch.py").exists():
        subprocess.run(python(f"tests.systems.{options.folder}.fetch"), check=True)
    wrong = 0
    for description in sorted((HERE / options.folder).glob("*.json")):
        if description.name.startswith("package"):  # npm's
            continue
        try:
            settle(description.name, surveyed(description), write=options.record)
        except RecordError as error:
            print(f"systems: {error}", file=sys.stderr)
            wrong += 1
    return bool(wrong)


def python(module: str, *arguments: str) -> list[str]:
    """Return the command that runs a module with this Python."""
    return [sys.executable, "-m", module, *arguments]


def adapter(description: Path) -> list[str]:
    """Return the command of the adapter beside a description."""
    script = description.with_name("adapter.mjs")
    if script.exists():
        return ["node", str(script), description.stem]
    return python(f"tests.systems.{description.parent.name}.adapter", description.stem)


def surveyed(description: Path) -> Report:
    """Survey a system.

    Raises:
        RecordError: it was not asked all that it offers.
    """
    RUN.mkdir(parents=True, exist_ok=True)
    path = RUN / description.name
    options = ["--timeout", TIMEOUT, "--report", str(path)]
    survey = python("commoncall", "survey", str(description), *options, "--", *adapter(description))
    done = subprocess.run(survey, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise RecordError(f"{description.stem}: {done.stdout.strip().rpartition(chr(10))[2]}")
    print(": ".join(done.stdout.splitlines()[:2]))
    report: Report = json.loads(path.read_bytes())
    return report


def settle(name: str, ran: Report, *, write: bool) -> None:
    """Write the record of a system, or compare it with what ran.

    Raises:
        RecordError: it says something else, or is missing.
    """
    path = REPORTS / name
    if write:
        REPORTS.mkdir(exist_ok=True)
        path.write_bytes((RUN / name).read_bytes())
        history.append(history.row(ran, load()))
        return
    differs = difference(json.loads(path.read_bytes()), ran) if path.exists() else "it is missing"
    if differs:
        raise RecordError(f"reports/{name} is not what was run: {differs}")


def difference(record: Report, ran: Report) -> str:
    """Say in a few words where a record says something else than a run; "" where nowhere."""
    for name in ("system", "implementation"):
        if _lasting(record[name]) != _lasting(ran[name]):
            return name
    held, found = _outcomes(record), _outcomes(ran)
    changed = sorted(case for case in held.keys() & found if held[case] != found[case])
    more = f", and {len(changed) - 1} more" if changed[1:] else ""
    return f"{changed[0]}{more}" if changed else ""


def _lasting(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: each for name, each in row.items() if name != "language"}


def _outcomes(report: Report) -> dict[str, object]:
    others = {
        case: (found["outcome"], found.get("answer")) for case, found in report["others"].items()
    }
    return {**dict.fromkeys(report["kept"], "kept"), **others}


if __name__ == "__main__":
    sys.exit(main())
