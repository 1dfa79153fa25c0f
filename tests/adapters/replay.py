"""An adapter that answers as ``fixtures/selftest/adapters.json`` says: ``replay.py FILE NAME``."""

import json
import sys
from pathlib import Path
from typing import Any


def key(operation: str, value: Any) -> str:
    """Return what is equal for equal questions: member order says nothing."""
    return json.dumps([operation, value], sort_keys=True)


def table(file: Path, name: str) -> tuple[str, dict[str, list[str | None]]]:
    """Return the line for ``start``, and the lines for each question."""
    document = json.loads(file.read_bytes())
    (adapter,) = (each for each in document["adapters"] if each["adapter"] == name)
    rows = [*document["right"], *adapter["answers"]]
    return adapter["start"], {key(row["operation"], row["input"]): row["lines"] for row in rows}


def main() -> None:
    start, answers = table(Path(sys.argv[1]), sys.argv[2])
    for text in sys.stdin:
        request = json.loads(text)
        if request["cmd"] == "start":
            print(start, flush=True)
        elif request["cmd"] == "run":
            lines = answers[key(request["operation"], request["input"])]
            line = lines[0] if len(lines) == 1 else lines.pop(0)
            if line is None:
                return
            print(line.replace("SEQ", str(request["seq"])), flush=True)
        else:
            return


if __name__ == "__main__":
    main()
