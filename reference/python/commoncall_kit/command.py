"""What the command ``conformance`` does between its options and its output.

Options become one run, the run becomes one report, and the report becomes files.
"""

import gc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Final

from commoncall import files
from commoncall.near import near_names
from commoncall_kit import runner
from commoncall_kit.suite import data
from commoncall_kit.suite.data import Suite
from commoncall_kit.verdict import claim, junit, known_failures, markdown, report
from commoncall_kit.verdict.claim import ClaimError
from commoncall_kit.verdict.known_failures import KnownFailuresError
from commoncall_kit.verdict.report import Report, Selection

FORMS: Final[Mapping[str, Callable[[Report], str]]] = {
    "report": report.to_json,
    "junit": junit.render,
    "markdown": markdown.render,
    "claim": claim.render,
}
"""The forms of a report that become a file, by the name of their option."""


class OptionError(Exception):
    """An option does not fit the suite or the file system. The text says how, in one line."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the caller asked for; ``digest`` and ``frozen`` are None where it does not matter."""

    command: Sequence[str]
    seed: int
    timeout: float
    today: date
    suite: Path | None = None
    frozen: str | None = None
    digest: str | None = None
    only: Selection = field(default_factory=Selection)
    known: Path | None = None
    site: str | None = None


def conformance(options: Options, progress: Callable[[int, int], None]) -> Report:
    """Run an adapter.

    Raises:
        SuiteError: there is no such suite or set.
        OptionError: an option names what is not in the suite, or the known failures are unreadable.
    """
    suite = data.load(options.suite, options.frozen)
    gc.freeze()  # the cases stay to the end: who looks for garbage passes them by
    if options.site:
        suite = suite.on_site(options.site)
    only = options.only
    check_names("contract", only.contracts, suite.contracts)
    check_names("operation", only.operations, list(suite.operations))
    check_names("case", only.cases, [case.id for case in suite.cases])
    if only.level:
        check_names("level", [only.level], list(suite.levels))
        level = suite.levels[only.level]
        cases = [case.id for case in suite.cases if level.holds(case)]
        only = Selection((), level.operations, cases, only.level)
    return runner.drive(
        suite,
        options.command,
        seed=options.seed,
        timeout=options.timeout,
        selection=only,
        progress=progress,
        digest=options.digest,
        known=_known(options.known, suite) if options.known else (),
        today=options.today,
    )


def write(found: Report, places: Mapping[str, Path]) -> str | None:
    """Write each form of a report that is asked for; return why there is no claim, or None.

    Raises:
        OptionError: a file cannot be written.
    """
    refused = None
    for name, path in places.items():
        try:
            files.write(path, FORMS[name](found))
        except ClaimError as error:
            refused = str(error)
        except OSError as error:
            raise OptionError(f"cannot write {path}: {error.strerror}") from None
    return refused


def check_names(what: str, names: Sequence[str], known: Sequence[str]) -> None:
    """See that names exist.

    Raises:
        OptionError: one does not; the text offers those that come near.
    """
    for name in names:
        if name not in known:
            near = near_names(name, known)
            hint = f"; near it: {', '.join(near)}" if near else ""
            if set(name.split(",")) <= set(known):
                hint = "; names are parted by spaces"
            raise OptionError(f"no {what} {name}{hint}")


def _known(file: Path, suite: Suite) -> list[known_failures.KnownFailure]:
    try:
        return known_failures.read(_read(file), suite)
    except KnownFailuresError as error:
        raise OptionError(f"{file}: {error}") from None


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise OptionError(f"cannot read {file}: {error.strerror}") from None
