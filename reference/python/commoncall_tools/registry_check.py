"""What is wrong with a registry document, or looks so, for the people who keep it.

Stands beside the contract, which never imports it: a registry is searched as it is. The form for
authors is that of schemas/v1/formats/registry.schema.json, which is stricter than loading.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal, get_args

from commoncall.capability.registry import Provider, load_registry
from commoncall.capability.registry_document import author_troubles, is_in_entry, load_troubles
from commoncall.json_text import compact
from commoncall.places import pointer

ProblemKind = Literal["fault", "stale", "conflict", "unsafe"]
KINDS: Final[tuple[ProblemKind, ...]] = get_args(ProblemKind)

MAX_AGE: Final = 90
"""Days. In three months one public catalogue lost a fifth of its rows."""

_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_NAMED = 3


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to look at: ``fault``, against the form; ``stale``, the revision is old or no
    date; ``conflict``, providers disagree on a model of one id; ``unsafe``, a prefix or a default
    would open a model that is listed as closed, were it not listed.
    """

    kind: ProblemKind
    text: str


def check(document: object, *, today: date) -> list[Problem]:
    """Return what is wrong with a document, any JSON, or looks so: faults first.

    Of a document that does not load there is nothing but faults.
    """
    in_entries = (one for one in author_troubles(document) if is_in_entry(one.place))
    faults = [*load_troubles(document), *in_entries]
    problems = [Problem("fault", f"{pointer(place) or '/'} {what}") for place, what in faults]
    registry = load_registry(document)
    if registry is None:
        return problems
    providers = registry.providers.values()
    return [
        *problems,
        *_staleness(registry.revision, today),
        *_conflicts(providers),
        *(problem for provider in providers for problem in _unsafe(provider)),
    ]


def parse_date(text: str) -> date | None:
    """Return the date that a text of the form 2026-08-18 is, or None."""
    try:
        return date.fromisoformat(text) if _DATE.fullmatch(text) else None
    except ValueError:
        return None


def _staleness(revision: str, today: date) -> Iterator[Problem]:
    day = parse_date(revision)
    if day is None:
        yield Problem("stale", f"revision {compact(revision)} is no date, so its age is unknown")
    elif day > today:
        yield Problem("stale", f"revision {revision} is later than {today}")
    elif (age := (today - day).days) > MAX_AGE:
        yield Problem("stale", f"revision {revision} is {age} days old, and {MAX_AGE} are allowed")


def _conflicts(providers: Iterable[Provider]) -> Iterator[Problem]:
    """Yield the ids of models that several providers list with different answers."""
    answers: defaultdict[str, dict[bool, list[str]]] = defaultdict(lambda: {True: [], False: []})
    for provider in providers:
        for model, held in provider.exact.items():
            answers[model][held.supported].append(provider.name)
    for model, names in sorted(answers.items()):
        if names[True] and names[False]:
            text = f"supported at {_some(names[True])}, and not at {_some(names[False])}"
            yield Problem("conflict", f"model {compact(model)} is {text}")


def _some(names: list[str]) -> str:
    """Return the first names in quotes, and how many more there are."""
    shown, more = ", ".join(map(compact, names[:_NAMED])), len(names) - _NAMED
    return shown if more <= 0 else f"{shown} and {more} more"


def _unsafe(provider: Provider) -> Iterator[Problem]:
    """Yield what would open a model that is listed as closed, if the list lost that row."""
    for model, held in provider.exact.items():
        inferred = provider.longest_prefix(model) or provider.default
        if inferred and inferred.supported and not held.supported:
            what = "the default" if inferred.rank == "provider_default" else "the prefix"
            name = "" if inferred.rank == "provider_default" else f" {compact(inferred.key)}"
            where = f"of provider {compact(provider.name)} would open"
            text = f"{what}{name} {where} {compact(held.key)}, which is listed as closed"
            yield Problem("unsafe", text)
