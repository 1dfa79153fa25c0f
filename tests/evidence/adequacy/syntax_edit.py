"""Find syntax in a function, and put other syntax in its place.

Syntax is compared as a tree, so layout, comments and quotes do not matter; it is sought by the name
of what holds it, so the file does not matter. A local variable may have another name by now: a name
in ``find`` that nothing binds any more stands for a local, and means the same in ``replace``.
"""

import ast
import builtins
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import Any, Final, NamedTuple

FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS: Final = (*FUNCTIONS, ast.ClassDef)
INNER: Final = (*DEFINITIONS, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
"""What has names of its own, which are not those around it."""

NAMES: Final[dict[type[ast.AST], str]] = {
    ast.Name: "id",
    ast.arg: "arg",
    ast.MatchMapping: "rest",
    **dict.fromkeys((ast.ExceptHandler, ast.MatchAs, ast.MatchStar, *DEFINITIONS), "name"),
}
"""What holds the name of a variable, and in which field."""

CHAINS: Final[dict[type[ast.AST], tuple[str, ...]]] = {
    ast.BoolOp: ("values",),
    ast.Call: ("keywords",),
    **dict.fromkeys((ast.List, ast.Set, ast.Tuple), ("elts",)),
    ast.Dict: ("keys", "values"),
}
"""What is also found inside a longer one, and in which fields: ``a and b`` in ``a and b and c``."""


class EditError(Exception):
    """An edit does not apply. The text says why, in one line that begins with the edit's name."""


class Scope(NamedTuple):
    """What a name stands for: a function, a class, or the statement that gives a constant."""

    module: str
    tree: ast.Module
    node: ast.AST
    outer: ast.AST
    """The outermost function around: what it binds anywhere is local."""


class Place(NamedTuple):
    """Where ``find`` stands: in fields of ``parent``, ``where`` in them if they are lists."""

    scope: Scope
    parent: ast.AST
    fields: Sequence[str]
    where: slice
    nodes: Sequence[list[Any]]
    """What comes into each field."""
    renamed: Mapping[str, str]

    def change(self) -> None:
        """Make the edit in the tree of the module."""
        for field, nodes in zip(self.fields, self.nodes, strict=True):
            held = getattr(self.parent, field)
            if isinstance(held, list):
                held[self.where] = nodes
                held += ast.parse("pass").body if field == "body" and not held else []
            else:
                setattr(self.parent, field, nodes[0])


def scopes(modules: Mapping[str, ast.Module]) -> dict[str, list[Scope]]:
    """Return what each name stands for: ``function``, ``Class.method``, ``function.inner``."""
    found: dict[str, list[Scope]] = {}
    for module, tree in modules.items():
        for name, node, outer in _named(tree):
            found.setdefault(name, []).append(Scope(module, tree, node, outer))
    return found


def locate(known: Mapping[str, Sequence[Scope]], at: str, find: str, replace: str) -> Place:
    """Find the one place of an edit. Before the name in ``at`` may stand ``PART:``, a part of the
    name of its module.

    Raises:
        EditError: there is none or several, or the edit changes nothing or is no Python.
    """
    part, _, name = at.rpartition(":")
    within = [one for one in known.get(name, ()) if not part or part in one.module.split(".")]
    if not within:
        raise EditError(f"does not apply: nothing is named {at}")
    old, new = _read(find, replace)
    if _equal([old], [new]) is not None:
        raise EditError("changes nothing")
    places = [place for scope in within if old for place in _places(scope, old, new)]
    if len(places) != 1:
        problem = "is ambiguous" if places else "does not apply"
        raise EditError(f"{problem}: `find` stands {len(places)} times in {at}")
    for node in _walk(new):
        if field := NAMES.get(type(node)):
            setattr(node, field, places[0].renamed.get(name := getattr(node, field), name))
    read = {name for name, binds in _names(_walk(new)) if not binds}
    if unbound := read - _bound(new) - _known(places[0].scope):
        raise EditError(f"does not apply: nothing binds {min(unbound)}, which `replace` reads")
    return places[0]


def _named(
    tree: ast.AST, prefix: str = "", outer: ast.AST | None = None
) -> Iterator[tuple[str, ast.AST, ast.AST]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, DEFINITIONS):
            inner = outer or (node if isinstance(node, FUNCTIONS) else None)
            yield prefix + node.name, node, inner or node
            yield from _named(node, f"{prefix}{node.name}.", inner)
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and not outer:
            for name in _bound(node.targets if isinstance(node, ast.Assign) else [node.target]):
                yield prefix + name, node, node
        elif isinstance(node, (ast.stmt, ast.excepthandler)):
            yield from _named(node, prefix, outer)


def _read(find: str, replace: str) -> list[list[Any]]:
    """Read both as an expression, or else both as statements."""
    texts = {"find": find, "replace": replace}
    try:
        return [[ast.parse(text, mode="eval").body] for text in texts.values()]
    except SyntaxError:
        pass
    try:
        return [ast.parse(text, filename=member).body for member, text in texts.items()]
    except SyntaxError as error:
        words = f"{error.msg}, line {error.lineno}"
        raise EditError(f"is no Python in `{error.filename}`: {words}") from None


def _places(scope: Scope, old: list[Any], new: list[Any]) -> Iterator[Place]:
    """Yield where a function holds what is sought, modulo the names of locals."""
    used = {name for name, _ in _names(_walk(old))}
    free = used - _known(scope)
    local = _bound([scope.outer]) - {name for name, _ in _names(_walk([*old, *new]))}
    for parent in _walk([scope.node]):
        for fields, where, found, nodes in (*_slots(parent, old, new), *_parts(parent, old, new)):
            renamed = _equal(found, old, free, local)
            if renamed is not None:
                yield Place(scope, parent, fields, where, nodes, renamed)


Slot = tuple[Sequence[str], slice, list[Any], Sequence[list[Any]]]
"""Fields of a node, where in them, what stands there, and what would come into each."""


def _slots(parent: ast.AST, old: list[Any], new: list[Any]) -> Iterator[Slot]:
    for field, held in ast.iter_fields(parent):
        nodes = held if isinstance(held, list) else [held]
        for start in range(len(nodes) - len(old) + 1):
            where = slice(start, start + len(old))
            yield (field,), where, nodes[where], [new]


def _parts(parent: ast.AST, old: list[Any], new: list[Any]) -> Iterator[Slot]:
    """Yield the shorter chains in a chain that could be what is sought."""
    fields = CHAINS.get(type(parent), ())
    if not fields or type(old[0]) is not type(parent):
        return
    links, others = ([getattr(node, field) for field in fields] for node in (old[0], parent))
    if type(new[0]) is type(parent) and _equal(_chain(new[0], fields, links), old[0]) is not None:
        nodes = [getattr(new[0], field) for field in fields]
    elif isinstance(parent, ast.BoolOp):
        nodes = [new]
    else:
        return
    size = len(links[0])
    for start in range(len(others[0]) - size + 1) if 0 < size < len(others[0]) else ():
        where = slice(start, start + size)
        yield fields, where, [_chain(parent, fields, [each[where] for each in others])], nodes


def _chain(like: ast.AST, fields: Sequence[str], links: Sequence[list[Any]]) -> ast.AST:
    """Return a chain with other links: with the operator of ``like``, or a call of the same."""
    chain = copy(like)
    for field, nodes in zip(fields, links, strict=True):
        setattr(chain, field, nodes)
    return chain


def _equal(
    found: Any, wanted: Any, free: Collection[str] = (), local: Collection[str] = ()
) -> Mapping[str, str] | None:
    """Say which locals the free names stand for where syntax is equal; None where it is not."""
    renamed: dict[str, str] = {}

    def same(found: Any, wanted: Any, name: bool = False) -> bool:
        if isinstance(wanted, list):
            return len(found) == len(wanted) and all(map(same, found, wanted))
        if type(found) is not type(wanted):
            return False
        if isinstance(wanted, ast.AST):
            return all(
                same(
                    getattr(found, field), getattr(wanted, field), NAMES.get(type(wanted)) == field
                )
                for field in wanted._fields
            )
        if name and wanted in free and found in local and found not in renamed.values():
            renamed.setdefault(wanted, found)
        return bool((renamed.get(wanted, wanted) if name else wanted) == found)

    return renamed if same(found, wanted) else None


def _walk(nodes: Iterable[ast.AST], stops: tuple[type[ast.AST], ...] = ()) -> Iterator[ast.AST]:
    for node in nodes:
        yield node
        if not isinstance(node, stops):
            yield from _walk(ast.iter_child_nodes(node), stops)


def _names(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, bool]]:
    """Yield the names of variables, and whether they are bound there."""
    for node in nodes:
        if isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0], True
        elif name := getattr(node, NAMES.get(type(node), ""), None):
            yield name, not isinstance(getattr(node, "ctx", None), ast.Load)


def _bound(nodes: Iterable[ast.AST], stops: tuple[type[ast.AST], ...] = ()) -> set[str]:
    return {name for name, binds in _names(_walk(nodes, stops)) if binds}


def _known(scope: Scope) -> set[str]:
    """Return the names that a function can read: of its own, of the module, of the language."""
    return _bound([scope.outer]) | _bound(scope.tree.body, INNER) | set(dir(builtins))
