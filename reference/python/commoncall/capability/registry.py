"""A registry as tables that can be searched: made once of a document, asked many times.

Holds the definition "search" of spec/v1/capability.md. Which registry is asked when is in
``resolve.py``; which documents load is in ``registry_document.py``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from commoncall.capability.registry_document import (
    ProviderSection,
    entry_of,
    fold,
    is_malformed,
    loads,
)
from commoncall.stated_capability import ChoiceKind, stated_choices, stated_parallel, supports

Rank = Literal["exact", "prefix", "provider_default"]


@dataclass(frozen=True, slots=True)
class Held:
    """An entry as it is read, and how it is found. ``key`` is the name that the document gives it
    (CAP-022). No malformed one is supported.
    """

    rank: Rank
    key: str
    malformed: bool
    supported: bool
    choices: Sequence[ChoiceKind] | None
    parallel: bool | None


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider: a table for each rank. All names but its own are folded; long prefixes first."""

    name: str
    exact: Mapping[str, Held]
    prefixes: Sequence[tuple[str, Held]]
    default: Held | None

    def find(self, model: str) -> Held | None:
        """Return what the first rank holds for a model (CAP-001)."""
        name = fold(model)
        return self.exact.get(name) or self.longest_prefix(name) or self.default

    def longest_prefix(self, name: str) -> Held | None:
        """Return what the longest prefix of a folded name holds (CAP-001)."""
        for folded, held in self.prefixes:
            if name.startswith(folded):
                return held
        return None


@dataclass(frozen=True, slots=True)
class Registry:
    """A registry that loads: its providers by folded name."""

    revision: str
    providers: Mapping[str, Provider]


def load_registry(document: object) -> Registry | None:
    """Compile a document, any JSON, once, so that it can be searched many times.

    None where it is no registry that loads (CAP-001): `commoncall registry check` says why.
    Malformed entries are kept, each for its own models (CAP-001). What is made of the document
    later does not change the registry.
    """
    if not loads(document):
        return None
    sections = document["providers"].items()
    providers = {fold(name): _provider(name, section) for name, section in sections}
    return Registry(document["revision"], providers)


def read_registries(value: object, place: str) -> list[Registry | None]:
    """Return registries of a Python program; a document of one is loaded.

    Raises:
        TypeError: something in it is no registry, and no document that loads.
    """
    if not isinstance(value, list | tuple):
        raise TypeError(f"{place} is no list")
    read = []
    for at, one in enumerate(value):
        registry = one if one is None or isinstance(one, Registry) else load_registry(one)
        if registry is None and one is not None:
            raise TypeError(f"{place}[{at}] is no registry, and no document of one that loads")
        read.append(registry)
    return read


def _provider(name: str, section: ProviderSection) -> Provider:
    models = section["models"].items()
    prefixes = []
    for item in section.get("prefixes", ()):
        prefix = str(item["prefix"])
        prefixes.append((fold(prefix), _held("prefix", prefix, entry_of(item))))
    return Provider(
        name,
        {fold(key): _held("exact", key, entry) for key, entry in models},
        sorted(prefixes, key=lambda one: len(one[0]), reverse=True),
        _held("provider_default", "default", section["default"]) if "default" in section else None,
    )


def _held(rank: Rank, key: str, entry: object) -> Held:
    malformed = is_malformed(entry)
    return Held(
        rank,
        key,
        malformed=malformed,
        supported=not malformed and supports(entry),
        choices=stated_choices(entry),
        parallel=stated_parallel(entry),
    )
