"""Runs the reference, and the reference with one module broken, in one process, for mutants.py, as
port_worker.mjs does it for the Node port: a line {module, file, source, stale} puts another source
in place of a file, and imports it again with all that imports it; {} none; each other line is a
request to what was loaded last, as the harness protocol has it. An answer a line.

What reads and writes the lines is a copy of the package that nobody breaks.
"""

import importlib
import importlib.abc
import importlib.util
import os
import sys
from collections.abc import Collection, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any, Final, cast

sys.path.insert(0, sys.argv[1])

from commoncall import protocol

MEMORY: Final = 2 * 1024**3
"""A fault that loops for ever must not take the machine along."""


class Broken(importlib.abc.MetaPathFinder):
    """Finds the one module that has another source."""

    def __init__(self) -> None:
        self.module, self.file = "", ""
        self.code = compile("", "", "exec")

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.module:
            return None
        loader = _Loader(fullname, self.file)
        loader.code = self.code
        return importlib.util.spec_from_file_location(fullname, self.file, loader=loader)


class _Loader(SourceFileLoader):
    code: CodeType

    def get_code(self, fullname: str) -> CodeType:
        return self.code  # never from a cache of files


def main() -> None:
    """Answer each line of standard input."""
    if os.name == "posix":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    broken = Broken()
    sys.meta_path.insert(0, broken)
    stale: Collection[str] = [name for name in sys.modules if name.split(".")[0] == "commoncall"]
    adapter: Any = None
    for line in sys.stdin.buffer:
        message = cast(dict[str, Any], protocol.parse(line))
        try:
            if "operation" in message:
                given = (message["operation"], message["input"], message.get("env"))
                said = {"seq": message["seq"], **adapter.answer(*given)}
            else:
                _forget(stale)  # also what the last one broke
                stale = message.get("stale", ())
                _forget(stale)
                broken.module, broken.file = message.get("module", ""), message.get("file", "")
                broken.code = compile(message.get("source", ""), broken.file, "exec")
                adapter = importlib.import_module("commoncall.adapter")
                said = {
                    "protocol": protocol.PROTOCOL,
                    "implementation": dict.fromkeys(("name", "version", "language"), "-"),
                    "operations": [*adapter.OPERATIONS],
                    "features": [*adapter.FEATURES],
                }
        except Exception as error:
            said = {"problem": f"{type(error).__name__}: {error}"}
        sys.stdout.buffer.write(protocol.encode(said))
        sys.stdout.buffer.flush()


def _forget(names: Collection[str]) -> None:
    """Let modules be imported again, by packages that stay as well."""
    for name in {*names} & sys.modules.keys():
        module = sys.modules.pop(name)
        package, _, last = name.rpartition(".")
        if getattr(sys.modules.get(package), last, None) is module:
            delattr(sys.modules[package], last)


if __name__ == "__main__":
    main()
