"""The head of a class says what it holds: no attribute of one appears later."""

import ast
from collections.abc import Iterable, Iterator

from tests import syntax
from tests.each import check_each
from tests.repository.test_imports import MODULES

FOREIGN = {"options", "request"}
"""What holds an object of another package: ``argparse`` fills its own in, as vLLM does."""


def classes(tree: ast.AST) -> Iterator[ast.ClassDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))


def stored(node: ast.AST) -> Iterator[ast.Attribute]:
    """Give each attribute that a piece of code sets, changes or deletes."""
    for found in ast.walk(node):
        if isinstance(found, ast.Attribute) and not isinstance(found.ctx, ast.Load):
            yield found


def is_own(attribute: ast.Attribute) -> bool:
    return isinstance(attribute.value, ast.Name) and attribute.value.id == "self"


def declared(owner: ast.ClassDef) -> set[str]:
    """Return the attributes that the body, the slots and ``__init__`` of a class declare."""
    names: set[str] = set()
    for node in owner.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__slots__":
            held = ast.walk(node.value)
            texts = (each.value for each in held if isinstance(each, ast.Constant))
            names |= {text for text in texts if isinstance(text, str)}
        elif isinstance(node, ast.FunctionDef) and node.name == "__init__":
            names |= {attribute.attr for attribute in stored(node) if is_own(attribute)}
    return names


def undeclared(trees: Iterable[ast.Module]) -> list[str]:
    """Return what code sets that no class declares: on ``self`` its own class or one of its bases
    in the package, on anything else any class.
    """
    owners = [owner for tree in trees for owner in classes(tree)]
    by_name = {owner.name: owner for owner in owners}

    def known(owner: ast.ClassDef) -> set[str]:
        bases = (by_name.get(ast.unparse(base)) for base in owner.bases)
        return declared(owner).union(*(known(base) for base in bases if base))

    faults = []
    for owner in owners:
        own = (attribute for attribute in stored(owner) if is_own(attribute))
        faults += [f"{owner.name}.{each.attr}" for each in own if each.attr not in known(owner)]
    all_known = set[str]().union(*map(declared, owners))
    others = (each for tree in trees for each in stored(tree) if not is_own(each))
    others = (each for each in others if ast.unparse(each.value) not in FOREIGN)
    return faults + [ast.unparse(each) for each in others if each.attr not in all_known]


def test_no_class_gets_an_attribute_that_its_head_does_not_declare() -> None:
    trees = list(map(syntax.tree, MODULES.values()))
    assert undeclared(trees) == []


def test_a_class_says_once_what_it_holds() -> None:
    """Nothing sets attributes by their names as texts, where no reader finds them."""

    def check(module: str) -> None:
        nodes = ast.walk(syntax.tree(MODULES[module]))
        called = [node.func for node in nodes if isinstance(node, ast.Call)]
        names = {each.id for each in called if isinstance(each, ast.Name)}
        names |= {each.attr for each in called if isinstance(each, ast.Attribute)}
        assert not {"setattr", "delattr", "__setattr__"} & names

    check_each(((name, name) for name in MODULES), check)


def test_what_appears_later_is_found() -> None:
    source = """
class Base:
    __slots__ = ("a", *("b",))
class Whole(Base):
    c: int = 0
    def __init__(self): self.d = 1
    def change(self, other):
        self.a = self.b = self.c = 2
        self.d += 1
        other.d, other.a = 1, 2
class Late:
    def fill(self, other):
        self.e, other.f = 1, 2
        del self.d
"""
    assert sorted(undeclared([ast.parse(source)])) == ["Late.d", "Late.e", "other.f"]
