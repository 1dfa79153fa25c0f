"""Files that are written whole or not at all, and files that are read if they are files."""

import errno
import json
import os
from pathlib import Path
from typing import Any, BinaryIO, Final

_FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    # Between a look at a path and its opening it can become a pipe, which would wait for a writer,
    # or a link.
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
)


def json_file(document: object) -> str:
    """Return the one form of a JSON file: two spaces, ASCII, the order as given, a final LF."""
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def parsed(content: bytes, refuse: type[Exception]) -> Any:
    """Return the JSON of a file that people keep.

    Raises:
        refuse: it is none.
    """
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise refuse("no JSON") from None


def write(path: Path, text: str) -> None:
    """Write a text as UTF-8; who reads the file meanwhile sees the old one or the new one.

    Raises:
        OSError: the folder does not take it.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(text.encode())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def opened(path: Path) -> tuple[BinaryIO, int]:
    """Open what may be anything, if it is a plain file or a link to one; return its size, too.

    A pipe or a device is not touched.

    Raises:
        OSError: it cannot be opened, or is no plain file.
        ValueError: there can be no such path.
    """
    place = Path(os.path.realpath(path)) if path.is_symlink() else path
    if not place.is_file():
        place.stat()  # what is not there says so itself
        raise OSError(errno.EINVAL, "no plain file", str(path))
    file = os.fdopen(os.open(place, _FLAGS), "rb")
    return file, os.fstat(file.fileno()).st_size


def read(path: Path, limit: int) -> bytes:
    """Return what stands in a plain file of at most so many bytes.

    Raises:
        OSError: it cannot be read, is no plain file, or is longer.
        ValueError: there can be no such path.
    """
    file, size = opened(path)
    with file:
        content = b"" if size > limit else file.read(limit + 1)
    if max(size, len(content)) > limit:
        raise OSError(errno.EFBIG, f"longer than {limit:,} bytes", str(path))
    return content
