"""Mutants, each in a process: the reference with one function or module changed runs the cases.

``mutants.py`` starts it, with the tasks on standard input, and reads one JSON line for a case that
begins (as errored, should it never end) and one with its outcome. Two copies of the package are
imported: the kit that compares is of the one, what answers is of the other, so that a fault in
shared code cannot blind the comparison.

The module that is changed is imported again, with all that imports it, because what a function gave
while it was imported may have been kept.
"""

import ast
import gc
import importlib
import importlib.abc
import importlib.util
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final

from commoncall import adapter
from commoncall.protocol import Declaration
from commoncall_kit.drive.ask import CaseError
from commoncall_kit.suite import data
from commoncall_kit.suite.data import Case
from commoncall_kit.verdict.conformance import run
from tests.evidence.adequacy.syntax_edit import EditError, Scope, locate, scopes
from tests.syntax import imports

MEMORY: Final = 2 * 1024**3
"""A fault that loops for ever must not take the machine along."""


class Package:
    """The modules of the package: what each compiles to, and which of them import which."""

    def __init__(self, folder: Path) -> None:
        self.files = {_module_of(folder, file): file for file in sorted(folder.rglob("*.py"))}
        self.codes: dict[str, CodeType] = {}
        self.imported: dict[str, set[str]] = {}
        self.trees: dict[str, ast.Module] = {}
        self.scopes: dict[str, list[Scope]] = {}

    def read(self) -> None:
        """Read and compile all of it, so that parts can be changed."""
        self.trees = {each: ast.parse(file.read_bytes()) for each, file in self.files.items()}
        self.scopes = scopes(self.trees)
        for module, tree in self.trees.items():
            self.compile(module)
            self.imported[module] = set(_imported(module, tree)) & self.files.keys()

    def compile(self, module: str) -> None:
        """Make the code of a module from its tree."""
        file = self.files[module]
        self.codes[module] = compile(self.trees[module], file, "exec", dont_inherit=True)

    def broken(self, edit: Sequence[str]) -> str:
        """Change the tree of a module and its code for good; returns the name of the module.

        Raises:
            EditError: the edit does not apply, or gives no Python.
        """
        place = locate(self.scopes, *edit)
        place.change()
        try:
            self.compile(place.scope.module)
        except (SyntaxError, TypeError, ValueError) as error:
            raise EditError(f"does not compile: {error.args[0]}") from None
        return place.scope.module

    def reached_by(self, module: str) -> set[str]:
        """Return a module, and all that import it, or that import what does."""
        reached: set[str] = set()
        found = {module}
        while found:
            reached |= found
            found = {name for name, imported in self.imported.items() if imported & found} - reached
        return reached


def _module_of(folder: Path, file: Path) -> str:
    parts = [folder.name, *file.relative_to(folder).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(module: str, tree: ast.Module) -> Iterator[str]:
    """Name what a module imports wherever in it; a name out of a package may be a module's."""
    yield from _with_packages(module)
    for node in imports(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _with_packages(alias.name)
        else:
            assert node.module is not None
            assert node.level == 0
            for alias in node.names:
                yield from _with_packages(f"{node.module}.{alias.name}")


def _with_packages(name: str) -> Iterator[str]:
    while name:
        yield name
        name = name.rpartition(".")[0]


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the modules of the package as they were compiled before."""

    def __init__(self, package: Package) -> None:
        self.package = package

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        file = self.package.files.get(fullname)
        if file is None:
            return None
        loader = _Loader(fullname, str(file))
        loader.code = self.package.codes[fullname]
        return importlib.util.spec_from_file_location(fullname, file, loader=loader)


class _Loader(SourceFileLoader):
    code: CodeType

    def get_code(self, fullname: str) -> CodeType:
        return self.code  # never from a cache of files


def main() -> int:
    """Do the tasks on standard input, each in a process of its own where the system can fork."""
    tasks: list[dict[str, Any]] = json.load(sys.stdin)
    _limit_memory()
    if not tasks:
        return 0
    suite = data.load(Path(tasks[0]["root"]))
    package = Package(Path(adapter.__file__).parent)
    _forget(set(package.files))
    if any(task["edit"] for task in tasks):
        package.read()
        sys.meta_path.insert(0, _Finder(package))
    answer = _imported_answer()
    # A child that looked at each case would copy the memory of them all.
    citing: dict[str | None, list[Case]] = {None: list(suite.cases)}
    for case in suite.cases:
        for requirement in case.requirements:
            citing.setdefault(requirement, []).append(case)
    # A collection in a child would write to each object, and so copy all memory that it shares.
    gc.freeze()
    for number, task in enumerate(tasks):
        if not hasattr(os, "fork"):
            _do(number, task, citing.get(task["requirement"], []), package, answer)
        elif (child := os.fork()) == 0:
            signal.setitimer(signal.ITIMER_PROF, task["seconds"])
            try:
                _do(number, task, citing.get(task["requirement"], []), package, answer)
            except BaseException as error:
                _say(number, problem=f"the worker fell: {type(error).__name__}: {error}")
            os._exit(0)
        else:
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            # A case that was begun and never ended has its outcome already.
            if status not in (0, -signal.SIGPROF):
                _say(number, problem=f"the worker fell: status {status}")
    return 0


Answer = Callable[[str, object, Mapping[str, object] | None], Mapping[str, object]]


def _imported_answer() -> Answer:
    """Import the package but for what is imported already; return what answers for it."""
    answer: Answer = importlib.import_module("commoncall.adapter").answer
    return answer


def _do(
    number: int, task: Mapping[str, Any], citing: Sequence[Case], package: Package, answer: Answer
) -> None:
    """Break a module as a task says, and run the cases that cite its requirement."""
    if not task["edit"]:
        _run(number, citing, answer, to_the_end=True)
        return
    try:
        module = package.broken(task["edit"])
    except EditError as error:
        _say(number, problem=str(error))
        return
    if module not in sys.modules:
        _say(number, problem="breaks a file that no operation imports")
        return
    # What cannot reach the fault stays: importing it again would give the same.
    _forget(package.reached_by(module))
    try:
        answer = _imported_answer()
    except Exception as error:
        _say(number, problem=f"does not import: {type(error).__name__}: {error}")
        return
    _run(number, sorted(citing, key=lambda case: case.id != task["noticed_by"]), answer)


def _run(number: int, cases: Sequence[Case], answer: Answer, *, to_the_end: bool = False) -> None:
    """Run cases up to the first that fails, and say their outcomes."""
    declaration = Declaration({}, list(adapter.OPERATIONS), list(adapter.FEATURES))

    def ask(
        operation: str, value: object, env: Mapping[str, object] | None
    ) -> Mapping[str, object]:
        try:
            return answer(operation, value, env)
        except Exception as error:
            raise CaseError(type(error).__name__) from None

    for case in cases:
        _say(number, case=case.id, outcome="errored")
        ((result,), _) = run([case], declaration, ask, 0)
        _say(number, case=case.id, outcome=result.outcome)
        if result.outcome in ("failed", "errored") and not to_the_end:
            return


def _forget(names: set[str]) -> None:
    """Let modules be imported again, by packages that stay as well."""
    for name in names & sys.modules.keys():
        module = sys.modules.pop(name)
        package, _, last = name.rpartition(".")
        if getattr(sys.modules.get(package), last, None) is module:
            delattr(sys.modules[package], last)


def _limit_memory() -> None:
    if os.name == "posix":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _say(task: int, **line: str) -> None:
    print(json.dumps({"task": task, **line}), flush=True)


if __name__ == "__main__":
    sys.exit(main())
