"""The files that a command writes beside its output: seen to be writable first, then written."""

import os
from collections.abc import Sequence
from pathlib import Path

from commoncall import files
from commoncall_tools.console import UsageError


def check_targets(paths: Sequence[Path]) -> None:
    """See before long work that its files can be written after it, each of them."""
    for path in paths:
        if not path.parent.is_dir():
            raise UsageError(f"no folder {path.parent} for {path.name}")
        if path.exists() and not path.is_file():
            raise UsageError(f"{path} is no plain file")
    if len({*map(os.path.realpath, paths)}) < len(paths):
        raise UsageError("two of the files are the same")


def write_target(path: Path, content: str) -> None:
    """Write a file whole or not at all."""
    try:
        files.write(path, content)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
