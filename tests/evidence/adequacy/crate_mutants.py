"""Wrong readings of the text, as mutants of the crate in Rust; a case has to notice each.

They stand in ``tests/evidence/mutants/rust`` as those of the Node port do in ``mutants/node``, but
that ``find`` and ``replace`` are expressions: all of them are compiled into one copy of the crate,
and an adapter of it is told by its argument which one to misread.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import groupby
from pathlib import Path
from typing import Final

from commoncall_kit.drive.ask import RunError
from commoncall_kit.drive.session import Session
from commoncall_kit.suite.data import Case, Suite, load
from commoncall_kit.verdict.conformance import run
from commoncall_tools.progress import progress
from tests.evidence.adequacy import lists
from tests.evidence.adequacy.lists import MutantError
from tests.evidence.adequacy.mutants import ROOT, Mutant, NodePort, nearest

CRATE: Final = "reference/rust"
SOURCES: Final = "commoncall/src"
LISTS: Final = "tests/evidence/mutants/rust"
COPY: Final = "build/rust-mutants"
SECONDS: Final = 5
"""How long one answer may take; a mutant that takes longer loops for ever."""

SWITCH: Final = """
/// Which expression is misread, by the argument of the adapter.
pub(crate) fn misread() -> usize {
    static NUMBER: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    *NUMBER.get_or_init(|| std::env::args().nth(1).and_then(|each| each.parse().ok()).unwrap_or(0))
}
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run all mutants; the exit status is 0 when each case that a row names notices it."""
    parser = argparse.ArgumentParser(prog="python -m tests.evidence.adequacy.crate_mutants")
    parser.add_argument("--write", action="store_true", help="renew `noticed_by` in the lists")
    parser.add_argument("--root", type=Path, default=ROOT, help="a checkout (default: this one)")
    options = parser.parse_args(argv)
    root = options.root.resolve()
    try:
        mutants = read(root)
        killers = judge_all(root, mutants)
    except (MutantError, RunError) as error:
        print(f"crate_mutants: {error}", file=sys.stderr)
        return 1
    if options.write:
        mutants = [replace(one, noticed_by=by) for one, by in zip(mutants, killers, strict=True)]
        lists.write(root, map(asdict, mutants), NodePort.MEMBERS)
    wrong = [
        f"{mutant} is noticed by {killer or 'no case'}: {mutant.reading}"
        for mutant, killer in zip(mutants, killers, strict=True)
        if not killer or killer != mutant.noticed_by
    ]
    for problem in wrong:
        print(f"crate_mutants: {problem}", file=sys.stderr)
    print(f"{len(list(filter(None, killers)))} of {len(mutants)} wrong readings are noticed")
    return 1 if wrong else 0


def read(root: Path) -> list[Mutant]:
    """Read the rows of all lists."""
    return [Mutant(**row) for row in lists.read(root, LISTS, (), NodePort.MEMBERS, ("noticed_by",))]


def judge_all(root: Path, mutants: Sequence[Mutant]) -> list[str]:
    """Return for each mutant the case that noticed it, or "".

    Raises:
        MutantError: a row does not apply, or the copy is no program.
        RunError: the unbroken copy does not start.
    """
    suite = load(root)
    if lost := [str(one) for one in mutants if one.requirement not in suite.requirements]:
        raise MutantError(f"{', '.join(lost)}: there is no such requirement")
    adapter = build(root, mutants)
    named = {mutant.noticed_by for mutant in mutants}
    if failed := first_failed(suite, adapter, 0, [one for one in suite.cases if one.id in named]):
        raise MutantError(f"the unbroken crate fails {failed}")
    tell = progress("wrong readings")
    killers = []
    for number, mutant in enumerate(mutants, 1):
        asked = [case for case in suite.cases if NodePort.may_notice(case, mutant, suite)]
        killers.append(first_failed(suite, adapter, number, nearest(asked, mutant)))
        tell(number, len(mutants))
    return killers


def build(root: Path, mutants: Sequence[Mutant]) -> Path:
    """Compile a copy of the crate with all mutants in it, and return its adapter."""
    copy = root / COPY
    for part in ("commoncall", "commoncall-adapter"):
        shutil.rmtree(copy / part, ignore_errors=True)
        shutil.copytree(root / CRATE / part, copy / part)
    for name in ("Cargo.toml", "Cargo.lock"):
        shutil.copy(root / CRATE / name, copy / name)
    sources = copy / SOURCES
    numbered = sorted(enumerate(mutants, 1), key=lambda each: each[1].file)
    for name, rows in groupby(numbered, key=lambda each: each[1].file):
        path = sources / name
        text = path.read_text("utf-8")
        for number, mutant in rows:
            if text.count(mutant.find) != 1:
                times = text.count(mutant.find)
                raise MutantError(f"{mutant} does not apply: `find` stands {times} times")
            condition = f"if crate::misread() == {number}"
            both = f"({condition} {{ {mutant.replace} }} else {{ {mutant.find} }})"
            text = text.replace(mutant.find, both)
        path.write_text(text, "utf-8")
    with (sources / "lib.rs").open("a", encoding="utf-8") as library:
        library.write(SWITCH)
    target = str(copy / "target")
    cargo = ["cargo", "build", "--locked", "--offline", "--quiet", "--target-dir", target]
    # What a misreading leaves over is no fault of the crate.
    env = {**os.environ, "RUSTFLAGS": "--cap-lints allow"}
    done = subprocess.run(
        cargo, cwd=copy, env=env, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        raise MutantError(f"the copy is no program:\n{done.stderr}")
    return copy / "target" / "debug" / "commoncall-adapter"


def first_failed(suite: Suite, adapter: Path, number: int, cases: Sequence[Case]) -> str:
    """Return the first case on which the misread crate fails, or ""."""
    session = Session([str(adapter), str(number)], suite, SECONDS)
    try:
        declaration = session.start()
        for case in cases:
            ((result,), _) = run([case], declaration, session.ask, 0)
            if result.outcome in ("failed", "errored"):
                return case.id
    finally:
        session.kill()
    return ""


if __name__ == "__main__":
    sys.exit(main())
