"""The tutorial, followed by a machine: each block is written or run, each output compared."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

BLOCK = re.compile(r"(?:`([\w.]+)`:\n\n)?^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(root: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the file that a block is for, or nothing, its language and its text."""
    text = (root / "spec" / "adapter.md").read_text(encoding="utf-8")
    for match in BLOCK.finditer(text):
        yield match[1] or "", match[2], match[3]


def run(command: list[str], folder: Path) -> str:
    scripts = folder / "bin"
    env = {
        **os.environ,
        "PATH": os.pathsep.join([str(scripts), os.environ["PATH"]]),
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    done = subprocess.run(
        command, cwd=folder, env=env, capture_output=True, encoding="utf-8", check=False
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder, with `commoncall` and `python3` of this environment on the path."""
    (tmp_path / "bin").mkdir()
    for name, module in (("commoncall", "-m commoncall "), ("python3", "")):
        script = tmp_path / "bin" / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {module}"$@"\n')
        script.chmod(0o755)
    return tmp_path


@pytest.mark.skipif(os.name != "posix", reason="its commands are for a POSIX shell")
def test_every_block_does_what_the_page_says(root: Path, folder: Path) -> None:
    output, outputs = "", 0
    for file, language, text in blocks(root):
        match language:
            case "python" if file:
                (folder / file).write_text(text, encoding="utf-8")
            case "python":
                assert run([sys.executable, "-c", text], folder) == ""
            case "sh":
                output = run(["sh", "-c", text], folder)
                assert output
            case "text":
                outputs += 1
                assert fits(text, output), output
            case "js":
                if node := shutil.which("node"):
                    assert run([node, "-e", text], folder) == ""
                else:
                    print("NOT RUN: a block of JavaScript, because there is no command `node`")
            case _:
                raise AssertionError(f"nobody runs a block of {language or 'no language'}")
    assert outputs >= 4


def fits(said: str, output: str) -> bool:
    """Tell whether an output is the one that is said, where `...` stands for any text."""
    pattern = ".*".join(map(re.escape, said.rstrip("\n").split("...")))
    return re.fullmatch(pattern, output.rstrip("\n"), re.DOTALL) is not None
