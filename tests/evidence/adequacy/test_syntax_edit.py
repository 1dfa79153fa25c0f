"""Edits of syntax: what they stand, and what they say when they do not apply."""

import ast
from collections.abc import Callable

import pytest

from tests.evidence.adequacy.syntax_edit import EditError, locate, scopes

CODE = """
from commoncall.kinds import kind_of

LIMITS: Final = {"all": 1, "each": 2, "none": 3}

def shown(text, limit):
    '''Return the parts of a text.'''
    parts = [part for part in text.split(",") if part and part.isascii() and len(part) < 9]
    if len(parts) > limit:
        parts.pop()
        parts = parts[:limit]
    return {"parts": parts, "text": text, "kind": kind_of(parts, limit=limit, deep=True)}

class Reader:
    def read(self, text):
        def one(line):
            return line.strip() or text
        return [one(line) for line in text.splitlines()]
"""
EDITS = [
    ("shown", "len(parts) > limit", "len(parts) >= limit"),
    ("shown", "parts.pop()", ""),
    ("shown", "parts.pop()\nparts = parts[:limit]", "parts = parts[1:]"),
    ("shown", "part and part.isascii()", "part"),
    ("shown", "part.isascii() and len(part) < 9", "len(part) < 9 and part.isascii()"),
    ("shown", '{"text": text}', "{}"),
    ("shown", "kind_of(parts, deep=True)", "kind_of(parts)"),
    ("Reader.read", "[one(line) for line in text.splitlines()]", "[one(text)]"),
    ("Reader.read.one", "line.strip() or text", "text or line.strip()"),
    ("LIMITS", '{"each": 2, "none": 3}', '{"none": 3}'),
]


def changed(code: str, at: str, find: str, replace: str) -> str:
    """Return the code after an edit, as Python writes its tree."""
    tree = ast.parse(code)
    locate(scopes({"commoncall.toy.code": tree}), at, find, replace).change()
    return ast.unparse(ast.parse(ast.unparse(tree)))


def as_it_was(code: str) -> str:
    return code


def comments(code: str) -> str:
    return code.replace(":\n", ":  # why\n").replace("\n", "\n\n  # because\n")


def layout(code: str) -> str:
    return code.replace("(", "(\n").replace(" > ", "\\\n>").replace('"', "'").replace("'''", '"""')


def new_docstring(code: str) -> str:
    return code.replace("Return the parts", "Say parts.pop() and the parts")


def members_more(code: str) -> str:
    more = code.replace('"text": t', '"new": 0, "text": t').replace(
        "if part and", "if 1 and part and"
    )
    return more.replace('"none": 3', '"none": 3, "more": 4').replace("limit=limit", "limit=0")


@pytest.mark.parametrize("change", [as_it_was, comments, layout, new_docstring, members_more])
@pytest.mark.parametrize(("at", "find", "replace"), EDITS)
def test_an_edit_stands_what_does_not_change_its_syntax(
    at: str, find: str, replace: str, change: Callable[[str], str]
) -> None:
    before, after = ast.unparse(ast.parse(change(CODE))), changed(change(CODE), at, find, replace)
    removed = set(before.splitlines()) - set(after.splitlines())
    assert removed or len(after) < len(before)
    assert changed(CODE, at, find, replace) != ast.unparse(ast.parse(CODE))


LOCALS = {"parts": "kept", "part": "each", "limit": "most", "text": "given", "line": "row"}


def renamed(code: str, names: list[str]) -> str:
    class Rename(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.Name:
            return ast.Name(LOCALS[node.id], node.ctx) if node.id in names else node

        def visit_arg(self, node: ast.arg) -> ast.arg:
            return ast.arg(LOCALS[node.arg]) if node.arg in names else node

    return ast.unparse(Rename().visit(ast.parse(code)))


@pytest.mark.parametrize("names", [*([name] for name in LOCALS), ["part", "parts"], list(LOCALS)])
@pytest.mark.parametrize(("at", "find", "replace"), EDITS)
def test_an_edit_follows_locals_that_are_renamed(
    at: str, find: str, replace: str, names: list[str]
) -> None:
    after = changed(renamed(CODE, names), at, find, replace)
    assert after == renamed(changed(CODE, at, find, replace), names)


@pytest.mark.parametrize(
    ("at", "find", "replace", "problem"),
    [
        ("gone", "1", "2", "does not apply: nothing is named gone"),
        ("other:shown", "1", "2", "does not apply: nothing is named other:shown"),
        ("shown", "parts.clear()", "", "does not apply: `find` stands 0 times in shown"),
        (
            "Reader.read",
            "line.rstrip()",
            "",
            "does not apply: `find` stands 0 times in Reader.read",
        ),
        ("shown", "", "pass", "does not apply: `find` stands 0 times in shown"),
        ("shown", "limit", "9", "is ambiguous: `find` stands 3 times in shown"),
        ("shown", "parts.pop()", "parts . pop( )  # so", "changes nothing"),
        ("shown", "parts.pop(", "", "is no Python in `find`: '(' was never closed, line 1"),
        ("shown", "limit", "if", "is no Python in `replace`: invalid syntax, line 1"),
        (
            "shown",
            "parts.pop()",
            "found.pop()",
            "does not apply: nothing binds found, which `replace` reads",
        ),
    ],
)
def test_what_does_not_apply_says_so_in_a_line(
    at: str, find: str, replace: str, problem: str
) -> None:
    with pytest.raises(EditError) as error:
        changed(CODE, at, find, replace)
    assert str(error.value) == problem


def test_a_renamed_local_is_none_that_the_edit_names_too() -> None:
    code = "def both(known, more):\n    return [n for n in known if n in known or n in more]\n"
    after = changed(code, "both", "n in names", "n in names and n in more")
    assert "n in known and n in more or n in more" in after


def test_what_is_gone_is_not_taken_for_a_renamed_local() -> None:
    with pytest.raises(EditError, match="stands 0 times"):
        changed(
            CODE.replace("parts[:limit]", "parts[:len(text)]"), "shown", "parts[:limit]", "parts"
        )
    with pytest.raises(EditError, match="stands 0 times"):  # `kind_of` is no local
        changed(CODE.replace("kind_of(", "type_of("), "shown", "kind_of(parts, deep=True)", "1")


def test_one_name_can_stand_in_several_modules() -> None:
    modules = {"commoncall.one.code": ast.parse(CODE), "commoncall.two": ast.parse(CODE)}
    with pytest.raises(EditError, match="is ambiguous: `find` stands 2 times in shown"):
        locate(scopes(modules), "shown", "parts.pop()", "")
    assert locate(scopes(modules), "one:shown", "parts.pop()", "").scope.module.endswith("code")
    modules["commoncall.two"] = ast.parse(CODE.replace("pop()", "clear()"))
    assert locate(scopes(modules), "shown", "parts.pop()", "").scope.module.endswith("code")


def test_a_body_never_becomes_empty() -> None:
    code = "def both(text):\n    if text:\n        print(text)\n"
    assert changed(code, "both", "print(text)", "").endswith("pass")
