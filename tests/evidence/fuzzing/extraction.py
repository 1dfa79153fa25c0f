"""Looks for an input on which extraction raises, loses, invents, or depends on the chunks.

`python -m tests.evidence.fuzzing.extraction` is guided by coverage where atheris is installed, and
random where it is not, and says which. Both make inputs with the `generator` of
`tests/contracts/extraction` and hold them to its `checks`, the second reading included. A failure
prints the smallest input found, as JSON.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

Check = Callable[[dict[str, Any], Callable[[int], int]], None]

LONGEST = 4096
"""Bytes that guide one input. What they do not decide is the first of each choice."""


def main(argv: list[str] | None = None) -> int:
    """Fuzz for so many seconds; status 1 and more when something was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.evidence.fuzzing.extraction")
    parser.add_argument("--seconds", type=int, default=120, help="how long to look")
    parser.add_argument("--seed", type=int, default=1, help="where the random numbers begin")
    parser.add_argument("--random", action="store_true", help="do without atheris")
    chosen = parser.parse_args(argv)
    if chosen.random:
        say(f"random, as asked for, {chosen.seconds} s, seed {chosen.seed}")
    elif find_spec("atheris"):
        say(f"guided by atheris {version('atheris')}, {chosen.seconds} s, seed {chosen.seed}")
        return guided(chosen.seconds, chosen.seed)
    else:
        say("NOT GUIDED BY COVERAGE, because atheris is not installed on this Python and platform")
        say(f"random in its place, {chosen.seconds} s, seed {chosen.seed}")
    return at_random(chosen.seconds, chosen.seed)


def say(line: str) -> None:
    """Print a line on stderr at once, where libFuzzer writes too."""
    print(f"fuzz: {line}", file=sys.stderr, flush=True)


def guided(seconds: int, seed: int) -> int:
    """Let atheris choose; it ends the process itself, with a status that is not 0 on a failure."""
    import atheris  # type: ignore[import-not-found, import-untyped, unused-ignore]

    with atheris.instrument_imports(include=["commoncall.extraction"]):
        from tests.contracts.extraction.checks import check_everything

    def one(data: bytes) -> None:
        provider = atheris.FuzzedDataProvider(data)
        examine(lambda count: int(provider.ConsumeIntInRange(0, count - 1)), check_everything)

    limits = [f"-max_total_time={seconds}", f"-seed={seed}", f"-max_len={LONGEST}"]
    atheris.Setup([sys.argv[0], *limits, "-len_control=0", "-print_final_stats=1"], one)
    atheris.Fuzz()
    return 0


def at_random(seconds: int, seed: int) -> int:
    """Choose by seeded random numbers; each input has a seed of its own."""
    from tests.contracts.extraction.checks import check_everything

    end = time.monotonic() + seconds
    runs = 0
    while time.monotonic() < end:
        examine(random.Random(f"{seed} {runs}").randrange, check_everything)
        runs += 1
    say(f"{runs} inputs, nothing found")
    return 0


def examine(pick: Callable[[int], int], check: Check) -> None:
    """Make one input and check it; a failure is printed, as small as it can be made."""
    from tests.contracts.extraction.generator import given

    made = given(pick, pieces=16)
    try:
        check(made, pick)
    except Exception:
        say(f"FOUND {json.dumps(smallest(made, check))}")
        raise


def smallest(made: dict[str, Any], check: Check) -> dict[str, Any]:
    """Return the input without what the failure does not need."""

    def fails(candidate: dict[str, Any]) -> bool:
        try:
            check(candidate, random.Random(0).randrange)
        except Exception:
            return True
        return False

    for name in [name for name in made if name not in ("text", "effective")]:
        rest = {member: value for member, value in made.items() if member != name}
        made = rest if fails(rest) else made
    size = len(made["text"])
    while size:
        at = 0
        while at < len(made["text"]):
            text = made["text"][:at] + made["text"][at + size :]
            if fails({**made, "text": text}):
                made = {**made, "text": text}
            else:
                at += size
        size //= 2
    return made


if __name__ == "__main__":
    sys.exit(main())
