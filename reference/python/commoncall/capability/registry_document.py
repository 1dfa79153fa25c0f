"""The form of a registry document, and why one does not load.

Holds the definitions "registry that loads", "provider that loads" and "entry" of
spec/v1/capability.md. What is made of a document that loads is in ``registry.py``.
"""

from collections.abc import Iterable, Iterator, Mapping
from string import ascii_lowercase, ascii_uppercase
from typing import Any, Final, Required, TypedDict, TypeGuard

from commoncall.forms import Trouble, form_of, troubles
from commoncall.places import Place, pointer

ENTRY_MEMBERS: Final = form_of("formats.registry#entry")["properties"].keys()
_TO_LOWER: Final = str.maketrans(ascii_uppercase, ascii_lowercase)


class ProviderSection(TypedDict, total=False):
    """One provider of a document. What stands in the place of an entry can be any JSON."""

    models: Required[dict[str, object]]
    prefixes: list[dict[str, object]]
    default: object


class RegistryDocument(TypedDict):
    """A registry document that loads."""

    registry_version: str
    revision: str
    providers: dict[str, ProviderSection]


def fold(name: str) -> str:
    """Return a name for comparison: A to Z in lower case, and nothing else changed (CAP-001)."""
    return name.translate(_TO_LOWER)


def loads(document: object) -> TypeGuard[RegistryDocument]:
    """Tell whether a document is a registry that loads (CAP-001)."""
    return next(load_troubles(document), None) is None


def entry_of(item: Mapping[str, object]) -> dict[str, object]:
    """Return the entry of an element of ``prefixes``."""
    return {key: value for key, value in item.items() if key != "prefix"}


def is_malformed(entry: object) -> bool:
    """Tell whether an entry cannot be read (definition "entry")."""
    if not isinstance(entry, dict) or not entry.keys() <= ENTRY_MEMBERS:
        return True
    return not isinstance(entry.get("tool_calls_supported"), bool)


def author_troubles(document: object) -> Iterator[Trouble]:
    """Yield what is wrong with a document, any JSON, by the form for its authors."""
    yield from troubles(document, form_of("formats.registry"))


def load_troubles(document: object) -> Iterator[Trouble]:
    """Yield why a document does not load: its form, but for that of its entries, then its names."""
    form = [one for one in author_troubles(document) if not is_in_entry(one.place)]
    yield from form or _of_names(document)


def is_in_entry(place: Place) -> bool:
    """Tell whether a place of a document is an entry, or in one: it closes its own models only."""
    match place:
        case ("providers", _, "models", _, *_) | ("providers", _, "default", *_):
            return True
        case ("providers", _, "prefixes", _, member, *_):
            return member != "prefix"
    return False


def _of_names(document: Any) -> Iterator[Trouble]:
    """Yield what is wrong with the names of a document in form: each stands once."""
    providers = document["providers"]
    yield from _collisions((name, ("providers", name)) for name in providers)
    for provider, section in providers.items():
        place = ("providers", provider)
        yield from _collisions((name, (*place, "models", name)) for name in section["models"])
        prefixes = enumerate(section.get("prefixes", ()))
        yield from _collisions(
            (one["prefix"], (*place, "prefixes", at, "prefix")) for at, one in prefixes
        )


def _collisions(named: Iterable[tuple[object, Place]]) -> Iterator[Trouble]:
    """Yield the names that equal an earlier one without regard to ASCII case, and those that are
    no text, as YAML has them.
    """
    first: dict[str, Place] = {}
    for name, place in named:
        if not isinstance(name, str):
            yield Trouble(place, "has a name that is no text")
        elif (key := fold(name)) in first:
            yield Trouble(place, f"is the same name as {pointer(first[key])}")
        else:
            first[key] = place
