"""Keep what a session ran in the repository, so that the site shows it without running it.

    python -m tools.records port NAME COMMAND [--record]      # after `nox -s reference`
    python -m tools.records mutants [--record]                # after `nox -s mutants`

``--record`` writes the record. Without it, a record that says something else than the run is an
error of one line: no record rots in silence. What changes with every case is kept for readers and
not compared: date, suite, versions, and how many cases passed.
"""

import argparse
import datetime
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

RAN: Final = "build/{}.json"
"""Where a session leaves its report; that of the kit on a port is called ``reports/PORT``."""

PORTS: Final = "tests/adapters/reports"
MUTANTS: Final = "tests/evidence/mutants/record.json"
FORMAT: Final = 1
COMPARED: Final = ("features", "requirements", "failed", "mutants", "readings", "equal", "alive")

Record = dict[str, Any]


class RecordError(Exception):
    """There is no report to record, or the record is not what was run. One line for people."""


def port_record(report: Mapping[str, Any], command: str) -> Record:
    """Return what stays true of a report of the kit: not its seed, nor the cases that passed."""
    contracts = {
        row["contract"]: {"verdict": row["verdict"], **row["cases"]} for row in report["contracts"]
    }
    bad = ("failed", "errored")
    return {
        "format": FORMAT,
        "date": report["date"],
        "suite": report["suite"],
        "implementation": report["implementation"],
        "command": command,
        "features": sorted(report["features"]),
        "contracts": contracts,
        "failed": sorted(row["case"] for row in report["cases"] if row["outcome"] in bad),
        "requirements": {row["requirement"]: row["verdict"] for row in report["requirements"]},
    }


def mutants_record(
    mutants: Mapping[str, Any], readings: Mapping[str, Any], trivial: Mapping[str, Any], date: str
) -> Record:
    """Return how many mutants and wrong readings each requirement has, and what is alive."""
    faults, misread = mutants["mutants"], readings["mutants"]
    alive = [row for row in [*faults, *misread] if not row["killed_by"] and not row.get("equal")]
    return {
        "format": FORMAT,
        "date": date,
        "suite": trivial["suite"],
        "trivial": trivial["scores"],
        "alive": _count(alive),
        "mutants": _count(faults),
        "readings": _count(misread),
        "equal": _count([row for row in misread if row["equal"]]),
    }


def difference(record: Mapping[str, Any], ran: Mapping[str, Any]) -> str:
    """Say in a few words where a record says something else than a run; "" where nowhere."""
    now = _compared(ran)
    for name, held in _compared(record).items():
        found = now[name]
        if held == found:
            continue
        if not (isinstance(held, dict) and isinstance(found, dict)):
            return name
        changed = sorted(key for key in held | found if held.get(key) != found.get(key))
        more = f", and {len(changed) - 1} more" if changed[1:] else ""
        first = changed[0]
        return f"{name}: {first} was {held.get(first)} and is {found.get(first)}{more}"
    return ""


def settle(root: Path, path: str, ran: Record, *, session: str, write: bool) -> None:
    """Write the record, or compare it with what ran.

    Raises:
        RecordError: it says something else, or is missing.
    """
    file = root / path
    if write:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(ran, indent=1) + "\n", encoding="utf-8")
        return
    try:
        record = json.loads(file.read_bytes())
        differs = difference(record, ran)
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        differs = "no record can be read"
    if differs:
        raise RecordError(f"{path} is not what was run ({differs}): nox -s {session} -- --record")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; exit status 0, or 1 with one line on stderr."""
    parser = argparse.ArgumentParser(prog="python -m tools.records", description="Keep a record.")
    kinds = parser.add_subparsers(dest="kind", required=True)
    port, mutants = kinds.add_parser("port"), kinds.add_parser("mutants")
    port.add_argument("name", help=f"the report is {RAN.format('reports/NAME')}")
    port.add_argument("command", help="what was run, for readers")
    for each in (port, mutants):
        each.add_argument("--record", action="store_true", help="write the record")
        each.add_argument("--root", type=Path, default=Path.cwd(), help="default: here")
    options = parser.parse_args(arguments)
    try:
        if options.kind == "port":
            report = _read(options.root, RAN.format(f"reports/{options.name}"))
            ran = port_record(report, options.command)
            path, session = f"{PORTS}/{options.name}.json", "reference"
        else:
            names = ("mutants", "port-mutants", "trivial")
            first, second, third = (_read(options.root, RAN.format(name)) for name in names)
            ran = mutants_record(first, second, third, datetime.date.today().isoformat())
            path, session = MUTANTS, "mutants"
        settle(options.root, path, ran, session=session, write=options.record)
    except RecordError as error:
        print(f"records: {error}", file=sys.stderr)
        return 1
    print(f"records: {path} is {'written' if options.record else 'what was run'}")
    return 0


def _count(rows: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    return dict(sorted(Counter(str(row["requirement"]) for row in rows).items()))


def _compared(record: Mapping[str, Any]) -> dict[str, Any]:
    rows = record.get("trivial", ())
    scores = [[row["adapter"], row["diagnostics"], row["satisfied"]] for row in rows]
    kept = {name: record.get(name) for name in COMPARED}
    return {**kept, "what the trivial adapters satisfy": scores}


def _read(root: Path, path: str) -> Any:
    try:
        return json.loads((root / path).read_bytes())
    except (OSError, ValueError) as error:
        raise RecordError(f"{path}: no report of a run ({error})") from None


if __name__ == "__main__":
    sys.exit(main())
