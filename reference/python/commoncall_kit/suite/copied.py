"""A tree that nobody vouches for: what a path in it is, before anything is opened.

Such a tree can hold a pipe that nobody writes to, a device, a file of terabytes that takes no
place on the disk, or a link to any of them. Nothing outside of the tree is opened, nothing is read
but plain files, and of these no more than a limit in all.
"""

import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

from commoncall import files

MOST: Final = 256 * 1024 * 1024
"""So many bytes of a tree are read to take digests, in all."""

CHUNK: Final = 1024 * 1024

FileState = Literal[
    "missing", "changed", "superfluous", "unreadable", "irregular", "outside", "oversize"
]
"""``irregular``: a pipe, a device or a socket, or a folder and a file in place of each other.
``outside``: a link that leads out of the tree. ``oversize``: longer than what is read.
"""


class Refused(Exception):
    """A path is not read: its state, and the part of it that has this state."""

    def __init__(self, state: FileState, path: str) -> None:
        super().__init__(f"{state} {path}")
        self.state: FileState = state
        self.path = path


class Copy:
    """A tree below a folder; paths in it have slashes, and no part of them is ``..``."""

    def __init__(self, root: Path) -> None:
        self._root = Path(os.path.realpath(root))
        self._left = MOST
        self._digests: dict[str, str] = {}
        self._seen: dict[str, tuple[Path, int]] = {}

    def is_folder(self, path: str) -> bool:
        """Tell whether a folder of the tree is there, wherever a link in its place may lead."""
        return (self._root / path).is_dir()

    def read(self, path: str, limit: int) -> bytes:
        """Return the bytes of a file.

        Raises:
            Refused: it is no plain file of the tree, or longer than the limit.
        """
        place = self._place(path)
        try:
            return files.read(place, limit)
        except OSError as error:
            raise Refused(_state(error), path) from None

    def digest(self, path: str) -> str:
        """Return the SHA-256 of a file in hex.

        Raises:
            Refused: it is no plain file of the tree, or more than what is left of the limit.
        """
        if path not in self._digests:
            place = self._place(path)
            try:
                self._digests[path] = self._digest(place)
            except OSError as error:
                raise Refused(_state(error), path) from None
        return self._digests[path]

    def files(self, folder: str) -> Iterator[tuple[str, bool]]:
        """Yield every path below a folder that is no folder itself, and True.

        A link is one, wherever it leads. Of a folder that cannot be listed the path, and False.

        Args:
            folder: its path with a slash behind it, or nothing for the whole tree.
        """
        folders = [folder]
        while folders:
            above = folders.pop()
            try:
                with os.scandir(self._root / above) as entries:
                    for entry in entries:
                        path = above + entry.name
                        if entry.is_dir(follow_symlinks=False):
                            folders.append(f"{path}/")
                        else:
                            yield path, True
            except OSError:
                yield above.rstrip("/"), False

    def _place(self, path: str) -> Path:
        """Return where a file of the tree is, with no link on the way.

        Raises:
            Refused: it is no file, or not in the tree.
        """
        place = self._root
        parts = path.split("/")
        for number, part in enumerate(parts, 1):
            here = "/".join(parts[:number])
            if here not in self._seen:
                try:
                    place /= part
                    if os.name == "nt" or place.is_symlink():  # there, links have several kinds
                        place = Path(os.path.realpath(place))
                    if not place.is_relative_to(self._root):
                        raise Refused("outside", here)
                    self._seen[here] = place, place.stat().st_mode
                except (OSError, ValueError) as error:
                    raise Refused(_state(error), here) from None
            place, mode = self._seen[here]
            wanted = stat.S_ISREG if number == len(parts) else stat.S_ISDIR
            if not wanted(mode):
                raise Refused("irregular", here)
        return place

    def _digest(self, place: Path) -> str:
        digest = hashlib.sha256()
        file, size = files.opened(place)
        with file:
            if size > self._left:
                raise OSError(errno.EFBIG, "more than is read")
            while chunk := file.read(min(CHUNK, self._left + 1)):
                if len(chunk) > self._left:  # it grew
                    raise OSError(errno.EFBIG, "more than is read")
                self._left -= len(chunk)
                digest.update(chunk)
        return digest.hexdigest()


def _state(error: OSError | ValueError) -> FileState:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return "missing"
    if isinstance(error, OSError) and error.errno == errno.EFBIG:
        return "oversize"
    return "unreadable"
