"""The pages of spec/use show files of this folder; the session `integrations` runs them."""

import ast
import re
from pathlib import Path

import pytest

BLOCK = re.compile(r"^```(?:python|js|yaml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = {
    "litellm.md": ["litellm.yaml"],
    "python.md": ["loop.py", "streaming.py"],
    "javascript.md": ["loop.mjs", "guarded.mjs"],
    "transport.md": ["transport.py"],
    "team.md": ["commoncall.yml"],
    "interfaces.md": ["native.py"],
}
LONGEST = {"loop.py": 25, "streaming.py": 30}
"""How many lines a loop may have, the lines of `outcome` counted in both."""


def blocks(page: Path) -> list[str]:
    """Return the blocks of code on a page."""
    return BLOCK.findall(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", SHOWN)
def test_a_page_shows_the_files_that_it_names(page: str, root: Path) -> None:
    folder = root / "spec" / "use"
    shown = blocks(folder / page)
    for name in SHOWN[page]:
        assert (folder / name).read_text(encoding="utf-8") in shown
        assert f"[{name}]({name})" in (folder / page).read_text(encoding="utf-8")


def test_every_file_is_shown(root: Path) -> None:
    folder = root / "spec" / "use"
    files = {file.name for file in folder.iterdir() if file.is_file() and file.suffix != ".md"}
    assert files == {name for names in SHOWN.values() for name in names}


@pytest.mark.parametrize("name", LONGEST)
def test_the_glue_is_short(name: str, root: Path) -> None:
    folder = root / "spec" / "use"
    lines = glue(folder / name, "converse") + glue(folder / "loop.py", "outcome")
    assert len(lines) <= LONGEST[name], lines


def glue(file: Path, function: str) -> list[str]:
    """Return the lines of a function, but for blank ones and its docstring."""
    text = file.read_text(encoding="utf-8")
    [found] = (
        node
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == function
    )
    doc = found.body[0]
    taken = [
        *range(found.lineno, doc.lineno),
        *range((doc.end_lineno or 0) + 1, (found.end_lineno or 0) + 1),
    ]
    return [line for at in taken if (line := text.splitlines()[at - 1]).strip()]
