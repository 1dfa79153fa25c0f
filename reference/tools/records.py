"""Keep what a port was found to do, so that the site shows it without running it.

    python -m tools.records NAME COMMAND [--record]      # after `nox -s reference`

``--record`` writes the record. Without it, a record that says something else than the run is an
error of one line: no record rots in silence. What changes with every case is kept for readers and
not compared: date, suite, versions, and how many cases passed.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

RAN: Final = "build/reports/{}.json"
"""Where the session leaves the report of the kit on a port."""

PORTS: Final = "tests/adapters/reports"
FORMAT: Final = 1
COMPARED: Final = ("features", "requirements", "failed")

Record = dict[str, Any]


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


def difference(record: Mapping[str, Any], ran: Mapping[str, Any]) -> str:
    """Say in a few words where a record says something else than a run; "" where nowhere."""
    for name in COMPARED:
        held, found = record[name], ran[name]
        if held == found:
            continue
        if not isinstance(held, dict):
            return name
        changed = sorted(key for key in held | found if held.get(key) != found.get(key))
        more = f", and {len(changed) - 1} more" if changed[1:] else ""
        first = changed[0]
        return f"{name}: {first} was {held.get(first)} and is {found.get(first)}{more}"
    return ""


def settle(file: Path, ran: Record, *, write: bool) -> str:
    """Write the record, or compare it with what ran; return what differs."""
    if write:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(ran, indent=1) + "\n", encoding="utf-8")
        return ""
    try:
        return difference(json.loads(file.read_bytes()), ran)
    except (OSError, ValueError, LookupError, TypeError):
        return "no record can be read"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; exit status 0, or 1 with one line on stderr."""
    parser = argparse.ArgumentParser(prog="python -m tools.records", description="Keep a record.")
    parser.add_argument("name", help=f"the report is {RAN.format('NAME')}")
    parser.add_argument("command", help="what was run, for readers")
    parser.add_argument("--record", action="store_true", help="write the record")
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="default: here")
    options = parser.parse_args(arguments)
    report, path = RAN.format(options.name), f"{PORTS}/{options.name}.json"
    try:
        ran = port_record(json.loads((options.root / report).read_bytes()), options.command)
    except (OSError, ValueError) as error:
        print(f"records: {report}: no report of a run ({error})", file=sys.stderr)
        return 1
    if differs := settle(options.root / path, ran, write=options.record):
        remedy = "nox -s reference -- --record"
        print(f"records: {path} is not what was run ({differs}): {remedy}", file=sys.stderr)
        return 1
    print(f"records: {path} is {'written' if options.record else 'what was run'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
