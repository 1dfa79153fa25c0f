"""The form of a registry document, and why one does not load.

Holds the definitions "registry that loads", "provider that loads" and "entry" of
spec/v1/capability.md. What is made of a document that loads is in ``registry.py``.
"""

from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase
from typing import Any, Final, Required, TypedDict, TypeGuard, TypeVar

from commoncall.places import pointer

VERSION: Final = "1.0"

_REGISTRY_MEMBERS: Final = ("registry_version", "revision", "providers")
_PROVIDER_MEMBERS: Final = ("aliases", "models", "model_aliases", "prefixes", "default")
ENTRY_MEMBERS: Final = {"tool_calls_supported", "tool_choice", "parallel_tool_calls", "source"}
_TYPES: Final = {str: "string", list: "array", dict: "object"}
Value = TypeVar("Value", str, list[Any], dict[str, Any])
_TO_LOWER: Final = str.maketrans(ascii_uppercase, ascii_lowercase)


class ProviderSection(TypedDict, total=False):
    """One provider of a document. What stands in the place of an entry can be any JSON."""

    aliases: list[str]
    models: Required[dict[str, object]]
    model_aliases: dict[str, str]
    prefixes: list[dict[str, object]]
    default: object


class RegistryDocument(TypedDict):
    """A registry document that loads."""

    registry_version: str
    revision: str
    providers: dict[str, ProviderSection]


@dataclass(frozen=True, slots=True)
class Fault:
    """One defect of a document: a JSON Pointer, and for people what is wrong there."""

    path: str
    text: str


def fold(name: str) -> str:
    """Return a name for comparison: A to Z in lower case, and nothing else changed (CAP-001)."""
    return name.lower() if name.isascii() else name.translate(_TO_LOWER)


def loads(document: object) -> TypeGuard[RegistryDocument]:
    """Tell whether a document is a registry that loads (CAP-001)."""
    return next(load_faults(document), None) is None


def entry_of(item: Mapping[str, object]) -> dict[str, object]:
    """Return the entry of an element of ``prefixes``."""
    return {key: value for key, value in item.items() if key != "prefix"}


def is_malformed(entry: object) -> bool:
    """Tell whether an entry cannot be read (definition "entry")."""
    if not isinstance(entry, dict) or not entry.keys() <= ENTRY_MEMBERS:
        return True
    return not isinstance(entry.get("tool_calls_supported"), bool)


def load_faults(document: object) -> Iterator[Fault]:
    """Yield why a document, which can be any JSON, does not load; nothing where it does."""
    if not isinstance(document, dict):
        yield Fault("", "is no object")
        return
    yield from _name_faults(document, "", _REGISTRY_MEMBERS, required=_REGISTRY_MEMBERS)
    if document.get("registry_version", VERSION) != VERSION:
        yield Fault("/registry_version", f'is not "{VERSION}"')
    yield from _typed(document, "revision", str, "")
    sections = yield from _typed(document, "providers", dict, "")
    for name, section in sections.items():
        yield from _provider_faults(section, pointer(("providers", name)))
    yield from _collisions(_provider_names(sections))


def _provider_faults(section: object, path: str) -> Iterator[Fault]:
    if not isinstance(section, dict):
        yield Fault(path, "is no object")
        return
    yield from _name_faults(section, path, _PROVIDER_MEMBERS, required=("models",))
    for number, alias in enumerate((yield from _typed(section, "aliases", list, path))):
        if not isinstance(alias, str):
            yield Fault(f"{path}/aliases/{number}", "is no string")
    models = yield from _typed(section, "models", dict, path)
    aliases = yield from _typed(section, "model_aliases", dict, path)
    at_alias = {name: path + pointer(("model_aliases", name)) for name in aliases}
    yield from _collisions(
        [*((name, path + pointer(("models", name))) for name in models), *at_alias.items()]
    )
    known = {fold(str(name)) for name in models}
    for name, target in aliases.items():
        if not isinstance(target, str):
            yield Fault(at_alias[name], "is no string")
        elif fold(target) not in known:  # an alias of an alias leads to no model either
            yield Fault(at_alias[name], "leads to no model")
    prefixes = yield from _typed(section, "prefixes", list, path)
    yield from _prefix_faults(prefixes, f"{path}/prefixes")


def _prefix_faults(listed: Iterable[object], path: str) -> Iterator[Fault]:
    names: list[tuple[str, str]] = []
    for number, item in enumerate(listed):
        prefix = item.get("prefix") if isinstance(item, dict) else None
        if not isinstance(item, dict):
            yield Fault(f"{path}/{number}", "is no object")
        elif not isinstance(prefix, str) or not prefix:
            yield Fault(f"{path}/{number}/prefix", "is no text")
        else:
            names.append((prefix, f"{path}/{number}/prefix"))
    yield from _collisions(names)


def _provider_names(sections: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield every name of a provider, and where it stands."""
    for name, section in sections.items():
        yield name, pointer(("providers", name))
        for number, alias in enumerate(member(section, "aliases", list)):
            if isinstance(alias, str):
                yield alias, pointer(("providers", name, "aliases", number))


def _collisions(named: Iterable[tuple[object, str]]) -> Iterator[Fault]:
    """Yield the places of names that equal an earlier one without regard to ASCII case, and of
    those that are no text, as YAML has them.
    """
    first: dict[str, str] = {}
    for name, path in named:
        if not isinstance(name, str):
            yield Fault(path, "has a name that is no text")
            continue
        key = fold(name)
        if key in first:
            yield Fault(path, f"is the same name as {first[key]}")
        first.setdefault(key, path)


def _name_faults(
    given: Mapping[str, object], path: str, known: Iterable[str], *, required: Iterable[str]
) -> Iterator[Fault]:
    for name in given:
        if name not in known:
            yield Fault(path + pointer((name,)), "is an unknown member")
    for name in required:
        if name not in given:
            yield Fault(path + pointer((name,)), "is missing")


def _typed(
    given: Mapping[str, object], name: str, kind: type[Value], path: str
) -> Generator[Fault, None, Value]:
    """Yield a fault where a member is there and of another type; return it as `member` does."""
    if not isinstance(given.get(name, kind()), kind):
        yield Fault(f"{path}/{name}", f"is no {_TYPES[kind]}")
    return member(given, name, kind)


def member(given: object, name: str, kind: type[Value]) -> Value:
    """Return a member of any JSON; an empty one where there is none of this type."""
    value = given.get(name) if isinstance(given, dict) else None
    return value if isinstance(value, kind) else kind()
