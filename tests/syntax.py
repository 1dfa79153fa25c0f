"""Python as syntax, for tests and evidence that look at many files."""

import ast
import builtins
import functools
import symtable
from collections.abc import Iterator, Set
from pathlib import Path
from typing import Final

OF_MODULES: Final = {"__file__", "__name__"}


@functools.cache
def tree(file: Path) -> ast.Module:
    """Return what stands in a file. It is read once a process, and nobody changes it."""
    return ast.parse(file.read_text(encoding="utf-8"))


def module_name(source: Path, file: Path) -> str:
    """Return the name by which a file below a folder of sources is imported."""
    parts = file.relative_to(source).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@functools.cache
def imported(file: Path) -> Set[str]:
    """Return the absolute names that a file imports, wherever in it."""
    found: set[str] = set()
    for node in _imports(tree(file)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        else:
            assert node.level == 0, f"{file} imports relatively"
            assert node.module is not None
            # "from commoncall import payload" names a module, "from x import y" may.
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def _imports(within: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield what is imported anywhere within: only statements are looked at, which are few."""
    for field in ("body", "handlers", "orelse", "finalbody", "cases"):
        for node in getattr(within, field, ()):
            if isinstance(node, ast.Import | ast.ImportFrom):
                yield node
            yield from _imports(node)


def unbound(source: str) -> set[str]:
    """Return the names that a module reads and nothing binds; none where it is no Python."""
    try:
        table = symtable.symtable(source, "", "exec")
    except SyntaxError:
        return set()
    symbols = table.get_symbols()
    bound = {each.get_name() for each in symbols if each.is_assigned() or each.is_imported()}
    return {*_globals(table)} - bound - {*dir(builtins)} - OF_MODULES


def _globals(table: symtable.SymbolTable) -> Iterator[str]:
    is_top = table.get_type() == "module"
    for each in table.get_symbols():
        if each.is_referenced() and (is_top or each.is_global()):
            yield each.get_name()
    for inner in table.get_children():
        yield from _globals(inner)
