"""Compare the recorded verdicts with what the judges say now, or record that.

    python -m tests.evidence.validators.record [--write]

Exit status 1 where they differ: a judge has a new version, a case is new, or a request changed.
"""

import difflib
import sys

from tests.evidence.validators.panel import current_verdicts
from tests.evidence.validators.verdicts import FILE, text_of


def main(arguments: list[str]) -> int:
    """Run the command; returns its exit status."""
    if arguments not in ([], ["--write"]):
        print("usage: python -m tests.evidence.validators.record [--write]", file=sys.stderr)
        return 2
    now = text_of(current_verdicts())
    if arguments:
        FILE.write_text(now, encoding="ascii")
        return 0
    recorded = FILE.read_text(encoding="ascii") if FILE.exists() else ""
    lines = difflib.unified_diff(recorded.splitlines(), now.splitlines(), "recorded", "now", n=0)
    for line in lines:
        print(line)
    if recorded != now:
        print("validators: the verdicts differ; -- --write records these", file=sys.stderr)
    return int(recorded != now)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
