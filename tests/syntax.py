"""Python as syntax, for tests and engines that look at many files."""

import ast
import functools
from collections.abc import Iterator
from pathlib import Path


@functools.cache
def tree(file: Path) -> ast.Module:
    """Return what stands in a file. It is read once a process, and nobody changes it."""
    return ast.parse(file.read_text(encoding="utf-8"))


def imports(within: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield what is imported anywhere within: only statements are looked at, which are few."""
    for field in ("body", "handlers", "orelse", "finalbody", "cases"):
        for node in getattr(within, field, ()):
            if isinstance(node, ast.Import | ast.ImportFrom):
                yield node
            yield from imports(node)
