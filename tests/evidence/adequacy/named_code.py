"""What the rows of mutants name in the reference, and where in it the code of a row stands.

Code is compared token by token: layout, comments and the spelling of strings do not count, nor does
a comma before a bracket that closes. What stands in no row of tokens, as within a string, is
compared as text.
"""

import ast
import builtins
import io
import re
import symtable
import tokenize
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import Final, NamedTuple

from tests.syntax import imports

DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
LAYOUT: Final = {
    tokenize.COMMENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
    tokenize.INDENT,
    tokenize.NEWLINE,
    tokenize.NL,
}
OF_MODULES: Final = {"__file__", "__name__"}


class PlaceError(Exception):
    """A row does not apply. The text says why, in one line that begins with the row's name."""


class Token(NamedTuple):
    """What stands from one place of a text to another."""

    text: str
    start: int
    end: int


class Module(NamedTuple):
    """A file of the reference: its text and tokens, where a name stands, what it imports, and where
    each statement outside of others stands, with the names that it binds.
    """

    name: str
    file: Path
    text: str
    tokens: Sequence[Token]
    names: Mapping[str, Sequence[tuple[int, int]]]
    imported: Set[str]
    statements: Sequence[tuple[int, int, Set[str]]]


def read_modules(folder: Path) -> dict[str, Module]:
    """Return the modules of a package by name."""
    found = (_module(folder, file) for file in sorted(folder.rglob("*.py")))
    return {each.name: each for each in found}


def reaching(modules: Mapping[str, Module], name: str) -> set[str]:
    """Return a module, and all that import it, or that import what does."""
    reached: set[str] = set()
    found = {name}
    while found:
        reached |= found
        found = {each.name for each in modules.values() if each.imported & found} - reached
    return reached


def edited(modules: Mapping[str, Module], at: str, find: str, replace: str) -> tuple[Module, str]:
    """Return the module of an edit, and its text afterwards. Before the name in ``at`` may stand
    ``PART:``, a part of the name of the module.

    Raises:
        PlaceError: what is sought stands nowhere or more than once, or nothing binds a name.
    """
    part, _, name = at.rpartition(":")
    within = [
        (module, *lines)
        for module in modules.values()
        if not part or part in module.name.split(".")
        for lines in module.names.get(name, ())
    ]
    sought = [each.text for each in _tokens(find)]
    places = [place for each in within for place in _in_tokens(*each, sought)]
    places = places or [place for each in within for place in _in_text(*each, find)]
    if len(places) != 1:
        raise PlaceError(f"does not apply: `find` stands {len(places)} times in {at}")
    ((module, start, end),) = places
    line = module.text[module.text.rfind("\n", 0, start) + 1 : start]
    indent = line[: len(line) - len(line.lstrip())]
    body = replace.replace("\n", f"\n{indent}")
    text = module.text[:start] + body + module.text[end:]
    if unbound := _unbound(module, start, text):
        raise PlaceError(f"does not apply: nothing binds {min(unbound)}, which `replace` reads")
    return module, text


def _module(folder: Path, file: Path) -> Module:
    parts = [folder.name, *file.relative_to(folder).with_suffix("").parts]
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    text = file.read_text("utf-8")
    tree = ast.parse(text)
    lines = _starts(text)
    names: dict[str, list[tuple[int, int]]] = {}
    for each, node in _named(tree):
        names.setdefault(each, []).append((lines[node.lineno - 1], lines[node.end_lineno or 0]))
    ends = [lines[node.end_lineno or 0] for node in tree.body]
    begins = [0, *ends[:-1]]  # with what stands above it: decorators
    places = zip(begins, ends, strict=True)
    statements = [(begin, end, _bound(_table(text[begin:end]))) for begin, end in places]
    tokens, imported = _tokens(text), {*_imported(name, tree)}
    return Module(name, file, text, tokens, names, imported, statements)


def _named(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.stmt]]:
    """Name functions, classes, and the statements that bind names outside of functions."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, DEFINITIONS):
            yield prefix + node.name, node
            yield from _named(node, f"{prefix}{node.name}.")
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                bound = (each for each in ast.walk(target) if isinstance(each, ast.Name))
                yield from ((prefix + each.id, node) for each in bound)
        elif isinstance(node, ast.stmt | ast.excepthandler):
            yield from _named(node, prefix)


def _imported(module: str, tree: ast.Module) -> Iterator[str]:
    """Name what a module imports wherever in it; a name out of a package may be a module's."""
    yield from _with_packages(module)
    for node in imports(tree):
        origin = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
        for alias in node.names:
            yield from _with_packages(origin + alias.name)


def _with_packages(name: str) -> Iterator[str]:
    while name:
        yield name
        name = name.rpartition(".")[0]


def _starts(text: str) -> list[int]:
    """Return where each line begins, and the end of the last one."""
    return [0, *accumulate(map(len, text.splitlines(keepends=True)))]


def _tokens(text: str) -> list[Token]:
    lines = _starts(text)
    read: list[tokenize.TokenInfo] = []
    found: list[Token] = []
    with suppress(tokenize.TokenError, IndentationError):  # of a piece, in which something is open
        read += tokenize.generate_tokens(io.StringIO(text).readline)
    for each in read:
        if each.type in LAYOUT:
            continue
        shown = each.string
        if each.type in (tokenize.STRING, tokenize.NUMBER):
            with suppress(ValueError):  # an f-string has no value
                shown = repr(ast.literal_eval(shown))
        if shown in ")]}" and found and found[-1].text == ",":
            found.pop()
        start, end = (lines[row - 1] + column for row, column in (each.start, each.end))
        found.append(Token(shown, start, end))
    return found


Place = tuple[Module, int, int]


def _in_tokens(module: Module, begin: int, end: int, sought: Sequence[str]) -> Iterator[Place]:
    within = [each for each in module.tokens if begin <= each.start < end]
    size = len(sought)
    for at in range(len(within) - size + 1) if size else ():
        found = within[at : at + size]
        if [each.text for each in found] == sought:
            yield module, found[0].start, found[-1].end


def _in_text(module: Module, begin: int, end: int, find: str) -> Iterator[Place]:
    for found in re.finditer(re.escape(find), module.text[begin:end]) if find else ():
        yield module, begin + found.start(), begin + found.end()


def _unbound(module: Module, place: int, text: str) -> set[str]:
    """Return the names that a statement reads and nothing binds; none where it is no Python.

    The statement is the one around a place where the text of its module was changed.
    """
    others = (each for each in module.statements if not each[0] <= place < each[1])
    [(begin, end, _)] = [each for each in module.statements if each[0] <= place < each[1]]
    try:
        table = _table(text[begin : end + len(text) - len(module.text)])
    except SyntaxError:
        return set()
    bound = _bound(table).union(*(names for _, _, names in others))
    return {*_globals(table)} - bound - {*dir(builtins)} - OF_MODULES


def _table(text: str) -> symtable.SymbolTable:
    return symtable.symtable(text, "", "exec")


def _bound(table: symtable.SymbolTable) -> set[str]:
    symbols = table.get_symbols()
    return {each.get_name() for each in symbols if each.is_assigned() or each.is_imported()}


def _globals(table: symtable.SymbolTable) -> Iterator[str]:
    is_top = table.get_type() == "module"
    for each in table.get_symbols():
        if each.is_referenced() and (is_top or each.is_global()):
            yield each.get_name()
    for inner in table.get_children():
        yield from _globals(inner)
