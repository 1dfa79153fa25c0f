"""Files that are written whole or not at all, and files that are read if they are files."""

import errno
import json
import os
import stat
from pathlib import Path
from tempfile import TemporaryDirectory
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
        refuse: it is none, or nests too deep to be read.
    """
    try:
        return json.loads(content)
    except ValueError:
        raise refuse("no JSON") from None
    except RecursionError:
        raise refuse("JSON that nests too deep") from None


def write(path: Path, text: str) -> None:
    """Write a text as UTF-8; who reads the file meanwhile sees the old one or the new one.

    Of a link it is what the link leads to. A new file takes the place of the old one, and has its
    mode; an old file that has other names keeps its content under those.

    Raises:
        OSError: the folder does not take it, or something else than a plain file stands there.
    """
    place = Path(os.path.realpath(path))
    before = place.stat() if os.path.lexists(place) else None
    if before and not stat.S_ISREG(before.st_mode):
        raise OSError(errno.EINVAL, "no plain file", str(path))
    # Nobody else can put a link, or look, into the scratch folder.
    with TemporaryDirectory(prefix=".commoncall-", dir=place.parent) as scratch:
        written = Path(scratch, place.name)
        written.write_bytes(text.encode())
        if before:
            written.chmod(stat.S_IMODE(before.st_mode))
        written.replace(place)


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
