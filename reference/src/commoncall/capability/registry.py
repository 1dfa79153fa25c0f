"""A registry document as a table that can be searched, or None where it does not load.

Holds the definitions "registry that loads", "provider that loads", "rank" and "entry" of
spec/v1/capability.md. Which registry is asked when is in ``resolve.py``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase
from typing import Final, Literal, TypeVar

VERSION: Final = "1.0"

_REGISTRY_MEMBERS: Final = {"registry_version", "revision", "providers"}
_PROVIDER_MEMBERS: Final = {"aliases", "models", "model_aliases", "prefixes", "default"}
_ENTRY_MEMBERS: Final = {"tool_calls_supported", "tool_choice", "parallel_tool_calls", "source"}
_TO_LOWER: Final = str.maketrans(ascii_uppercase, ascii_lowercase)

Rank = Literal["exact", "alias", "prefix", "provider_default"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Held:
    """An entry and how it was found. ``key`` is the name that the document gives it (CAP-022)."""

    rank: Rank
    key: str
    entry: object


@dataclass(frozen=True, slots=True)
class Provider:
    """One provider. The names are folded; prefixes stand longest first."""

    models: Mapping[str, tuple[str, object]]
    aliases: Mapping[str, str]
    prefixes: Sequence[tuple[str, str, object]]
    default: Held | None

    def find(self, model: str) -> Held | None:
        """Return what the first rank holds for a model (CAP-008, CAP-013, CAP-014)."""
        name = fold(model)
        if name in self.models:
            return Held("exact", *self.models[name])
        if name in self.aliases:
            return Held("alias", *self.models[self.aliases[name]])
        for folded, prefix, entry in self.prefixes:
            if name.startswith(folded):
                return Held("prefix", prefix, entry)
        return self.default


@dataclass(frozen=True, slots=True)
class Registry:
    """A registry that loads: its providers by folded name and by folded alias."""

    providers: Mapping[str, Provider]


def fold(name: str) -> str:
    """Return a name for comparison: A to Z in lower case, and nothing else changed (CAP-011)."""
    return name.translate(_TO_LOWER)


def is_malformed(entry: object) -> bool:
    """Tell whether an entry cannot be read (definition "entry")."""
    if not isinstance(entry, dict) or not entry.keys() <= _ENTRY_MEMBERS:
        return True
    return not isinstance(entry.get("tool_calls_supported"), bool)


def load_registry(document: object) -> Registry | None:
    """Read a registry document once, so that it can be searched many times.

    Args:
        document: any JSON; meant is ``{registry_version: "1.0", revision, providers}``.

    Returns:
        The registry, or None where it is no registry that loads; then no part of it is used
        (CAP-001). Entries are not judged here (CAP-003). Raises nothing on JSON input.
    """
    if not isinstance(document, dict) or document.keys() != _REGISTRY_MEMBERS:
        return None
    if document["registry_version"] != VERSION or not isinstance(document["revision"], str):
        return None
    sections = document["providers"]
    if not isinstance(sections, dict):
        return None
    named: list[tuple[str, Provider]] = []
    for name, section in sections.items():
        provider = _load_provider(section)
        if provider is None:
            return None
        named += [(key, provider) for key in (name, *section.get("aliases", ()))]
    providers = _by_name(named)
    return None if providers is None else Registry(providers)


def _load_provider(section: object) -> Provider | None:
    if not isinstance(section, dict) or not section.keys() <= _PROVIDER_MEMBERS:
        return None
    entries, listed = section.get("models"), section.get("prefixes", [])
    if not isinstance(entries, dict) or not _are_strings(section.get("aliases", [])):
        return None
    models = _by_name((name, (name, entry)) for name, entry in entries.items())
    if models is None:
        return None
    aliases = _load_aliases(section.get("model_aliases", {}), models)
    prefixes = _load_prefixes(listed) if isinstance(listed, list) else None
    if aliases is None or prefixes is None:
        return None
    default: Held | None = None
    if "default" in section:
        default = Held("provider_default", "default", section["default"])
    return Provider(models, aliases, prefixes, default)


def _load_aliases(given: object, models: Collection[str]) -> dict[str, str] | None:
    if not isinstance(given, dict) or not _are_strings(list(given.values())):
        return None
    aliases = _by_name((name, fold(target)) for name, target in given.items())
    if aliases is None or not aliases.keys().isdisjoint(models):
        return None
    # An alias that leads nowhere, or to another alias.
    return aliases if all(target in models for target in aliases.values()) else None


def _load_prefixes(listed: Sequence[object]) -> list[tuple[str, str, object]] | None:
    named: list[tuple[str, tuple[str, object]]] = []
    for item in listed:
        prefix = item.get("prefix") if isinstance(item, dict) else None
        if not isinstance(item, dict) or not isinstance(prefix, str) or not prefix:
            return None
        entry = {name: value for name, value in item.items() if name != "prefix"}
        named.append((prefix, (prefix, entry)))
    prefixes = _by_name(named)
    if prefixes is None:
        return None
    longest_first = sorted(prefixes, key=len, reverse=True)
    return [(folded, *prefixes[folded]) for folded in longest_first]


def _by_name(named: Iterable[tuple[str, T]]) -> dict[str, T] | None:
    """Return values by their folded names, or None where two of these are equal."""
    found: dict[str, T] = {}
    for name, value in named:
        key = fold(name)
        if key in found:
            return None
        found[key] = value
    return found


def _are_strings(given: object) -> bool:
    return isinstance(given, list) and all(isinstance(item, str) for item in given)
