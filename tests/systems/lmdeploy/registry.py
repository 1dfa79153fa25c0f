"""The little that LMDeploy uses of the registry of mmengine, which needs torch."""

from collections.abc import Callable, Sequence
from typing import Any


class Registry:
    def __init__(self, name: str, **_: object) -> None:
        self.module_dict: dict[str, Any] = {}

    def register_module(self, name: str | Sequence[str]) -> Callable[[Any], Any]:
        def register(made: Any) -> Any:
            self.module_dict |= dict.fromkeys([name] if isinstance(name, str) else name, made)
            return made

        return register

    def get(self, name: str) -> Any:
        return self.module_dict[name]
