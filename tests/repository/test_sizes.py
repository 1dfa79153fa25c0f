"""How large things may be. What each number counts says ADR-0168.

Lines are those of files, with their docstrings, comments and blank lines: a reader reads them all.
"""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests import syntax
from tests.each import check_each
from tests.repository.test_classes import classes, declared
from tests.repository.test_imports import CONTRACTS, MODULES, ours, part

FUNCTION = 50
"""Lines of a function behind its docstring."""

ATTRIBUTES = 10
"""Attributes of an object that changes. Rows of data have as many as a schema has members."""

ROWS = (
    *("TypedDict", "NamedTuple", "dataclass(frozen=True, slots=True)"),
    "dataclass(frozen=True, slots=True, eq=False)",
)


def reached(modules: Iterable[str]) -> set[str]:
    """Return modules, and all of the package that they import, directly or not."""
    found: set[str] = set()
    waiting = set(modules)
    while waiting:
        found |= waiting
        waiting = set[str]().union(*map(ours, waiting)) - found
    return found


def lines(files: Iterable[Path]) -> int:
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)


def test_the_package_does_not_creep() -> None:
    def size(modules: Iterable[str]) -> int:
        return lines(MODULES[name] for name in modules)

    reference = reached(name for name in MODULES if part(name) in CONTRACTS and name in CONTRACTS)
    commands = {name for name in MODULES if part(name) in ("kit", "cli")}
    assert size(reference) < 12_880, "what the contracts import"
    assert size(name for name in MODULES if part(name) == "extraction") < 5_000
    beside = MODULES.keys() - reference - commands
    assert size(beside) < 1_820, "what stands beside the contracts"


def test_the_tools_do_not_creep(root: Path) -> None:
    assert lines((root / "reference/tools").rglob("*.py")) < 6_420
    assert lines((root / "reference/tools/site").rglob("*.py")) < 2_510


Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(tree: ast.AST) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def behind_docstring(function: Function) -> int:
    """Return how many lines a function has behind its docstring."""
    body = function.body
    first = body[1] if ast.get_docstring(function) is not None and len(body) > 1 else body[0]
    assert function.end_lineno is not None
    return function.end_lineno - first.lineno + 1


def test_a_function_fits_on_a_screen() -> None:
    def check(module: str) -> None:
        found = functions(syntax.tree(MODULES[module]))
        assert not [each.name for each in found if behind_docstring(each) > FUNCTION]

    check_each(((name, name) for name in MODULES), check)


def is_row(owner: ast.ClassDef) -> bool:
    marks = [*map(ast.unparse, owner.bases), *map(ast.unparse, owner.decorator_list)]
    return any(mark in ROWS for mark in marks)


def test_an_object_that_changes_holds_few_things() -> None:
    found = {
        owner.name: len(declared(owner))
        for file in MODULES.values()
        for owner in classes(syntax.tree(file))
        if not is_row(owner) and len(declared(owner)) > ATTRIBUTES
    }
    assert not found


def test_what_is_too_large_is_found() -> None:
    long = "def long():\n    '''What it\n    does.'''\n" + "    pass\n" * 51
    (function,) = functions(ast.parse(long))
    assert behind_docstring(function) == 51
    source = "class Wide:\n    def __init__(self):\n" + "".join(
        f"        self.a{number} = 0\n" for number in range(11)
    )
    (wide,) = classes(ast.parse(source))
    assert len(declared(wide)) == 11
    assert not is_row(wide)
