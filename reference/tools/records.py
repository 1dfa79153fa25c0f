"""Keep what a port was found to do, so that the site shows it without running it.

    python -m tools.records NAME COMMAND      # at the end of `nox -s reference -- --record`

The session itself fails where a port does not conform, so a record is of one that does.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

RAN: Final = "build/reports/{}.json"
"""Where the session leaves the report of the kit on a port."""

PORTS: Final = "tests/adapters/reports"
FORMAT: Final = 1


def port_record(report: Mapping[str, Any], command: str) -> dict[str, Any]:
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


def main(arguments: Sequence[str] | None = None, root: Path | None = None) -> None:
    """Write the record of a port."""
    parser = argparse.ArgumentParser(prog="python -m tools.records", description="Keep a record.")
    parser.add_argument("name", help=f"the report is {RAN.format('NAME')}")
    parser.add_argument("command", help="what was run, for readers")
    options, root = parser.parse_args(arguments), root or Path.cwd()
    report = json.loads((root / RAN.format(options.name)).read_bytes())
    file = root / PORTS / f"{options.name}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(port_record(report, options.command), indent=1)
    file.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
