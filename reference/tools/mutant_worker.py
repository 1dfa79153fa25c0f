"""Mutants, each in a process: import the reference with one source replaced, run the cases.

``mutants.py`` starts it, with the tasks on standard input, and reads one JSON line for a case that
begins (as errored, should it never end) and one with its outcome. The kit that compares is imported
before the fault comes in, so that a fault in shared code cannot blind it.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util
import json
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final

from commoncall.kit import adapter, data
from commoncall.kit.conformance import CaseError, run
from commoncall.kit.protocol import Declaration

MEMORY: Final = 2 * 1024**3
"""A fault that loops for ever must not take the machine along."""


class _Finder(importlib.abc.MetaPathFinder):
    """Finds one module, with another source than its file has."""

    def __init__(self, module: str, source: str) -> None:
        self.module = module
        self.source = source

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.module:
            return None
        last = fullname.rpartition(".")[2]
        folder = Path((path or [""])[0]) / last
        file = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
        loader = _Loader(fullname, str(file))
        loader.source = self.source
        return importlib.util.spec_from_file_location(fullname, file, loader=loader)


class _Loader(SourceFileLoader):
    source = ""

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.source, self.path, "exec", dont_inherit=True)  # never from a cache


def main() -> int:
    """Do the tasks on standard input, each in a process of its own where the system can fork."""
    tasks: list[dict[str, Any]] = json.load(sys.stdin)
    _limit_memory()
    suite = data.load(Path(tasks[0]["root"])) if tasks else None
    for number, task in enumerate(tasks):
        assert suite is not None
        if not hasattr(os, "fork"):
            _do(number, task, suite)
        elif (child := os.fork()) == 0:
            signal.alarm(task["seconds"])
            try:
                _do(number, task, suite)
            except BaseException as error:
                _say(number, problem=f"the worker fell: {type(error).__name__}: {error}")
            os._exit(0)
        else:
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            # A case that was begun and never ended has its outcome already.
            if status not in (0, -signal.SIGALRM):
                _say(number, problem=f"the worker fell: status {status}")
    return 0


def _do(number: int, task: Mapping[str, Any], suite: data.Suite) -> None:
    """Break the module of a task and run the cases that cite its requirement."""
    declaration = Declaration({}, list(adapter.OPERATIONS), list(adapter.FEATURES))
    answer = adapter.answer
    if task["module"]:
        for name in [name for name in sys.modules if name.split(".")[0] == "commoncall"]:
            del sys.modules[name]
        sys.meta_path.insert(0, _Finder(task["module"], task["source"]))
        try:
            answer = importlib.import_module("commoncall.kit.adapter").answer
        except Exception as error:
            _say(number, problem=f"does not import: {type(error).__name__}: {error}")
            return
        if task["module"] not in sys.modules:
            _say(number, problem="breaks a file that no operation imports")
            return

    def ask(
        operation: str, value: object, env: Mapping[str, object] | None
    ) -> Mapping[str, object]:
        try:
            return answer(operation, value, env)
        except Exception as error:
            raise CaseError(type(error).__name__) from None

    for case in suite.cases:
        if task["requirement"] in (None, *case.requirements):
            _say(number, case=case.id, outcome="errored")
            ((result,), _) = run([case], declaration, ask, 0)
            _say(number, case=case.id, outcome=result.outcome)


def _limit_memory() -> None:
    if os.name == "posix":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _say(task: int, **line: str) -> None:
    print(json.dumps({"task": task, **line}), flush=True)


if __name__ == "__main__":
    sys.exit(main())
