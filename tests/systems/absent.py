"""Stand-ins for modules that a parser imports and does not need: an engine, its protocol, torch.

The parsers of an engine are a small part of a package that needs a graphics card. What they import
beside themselves gives them records and base classes; a stand-in takes any members and keeps them.
"""

import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any


class _AnyMember(type):
    """A class has each member that is asked for; subscripts and unions give it back."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = _AnyMember(name, (Record,), {"__module__": cls.__module__})
        setattr(cls, name, made)
        return made

    def __getitem__(cls, key: object) -> Any:
        return cls

    def __or__(cls, other: object) -> Any:
        return cls

    __ror__ = __or__

    def __iter__(cls) -> Iterator[Any]:
        return iter(())


class Record(metaclass=_AnyMember):
    """A record of what it is made with; any other member is None."""

    def __init__(self, *values: object, **members: Any) -> None:
        self.__dict__.update(members)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return None

    def __call__(self, *values: Any, **members: object) -> Any:
        """A decorator that was made with arguments gives its function back."""
        return values[0] if values else None

    def model_copy(self, *, update: dict[str, Any] | None = None) -> Any:
        return type(self)(**{**self.__dict__, **(update or {})})

    def model_dump(self, **_: object) -> dict[str, Any]:
        return {name: _plain(each) for name, each in self.__dict__.items()}


def _plain(value: object) -> object:
    if isinstance(value, Record):
        return value.model_dump()
    return [_plain(each) for each in value] if isinstance(value, list) else value


class _Module(ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = _AnyMember(name, (Record,), {"__module__": self.__name__})
        setattr(self, name, made)
        return made


class _Finder:
    """Finds a stand-in for the modules that are named, and those in them."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if any(name == each or name.startswith(f"{each}.") for each in self.names):
            return ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Module(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing: its members are made when they are asked for."""


def stand_in(names: Sequence[str]) -> None:
    """Put stand-ins where these modules, and all in them, are imported."""
    sys.meta_path.insert(0, _Finder(names))


def bare(name: str, folder: Path) -> None:
    """Make a package that has the modules of a folder, without what its ``__init__`` does."""
    module = ModuleType(name)
    module.__path__ = [str(folder)]
    sys.modules[name] = module


def give(module: str, **members: object) -> None:
    """Put members into a stand-in that does not do with records."""
    vars(import_module(module)).update(members)
