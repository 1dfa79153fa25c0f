"""Files of lines, plain or compressed, in batches that fit in memory."""

import io
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, Protocol

from commoncall_tools.scanning.lines import MAX_LINE

BATCH: Final = 1024 * 1024
"""So many bytes go to a process at once, about."""

ZSTD: Final = b"\x28\xb5\x2f\xfd"


class Batch(NamedTuple):
    """Whole lines and the number of the first; None for one that is too long to be held."""

    file: str
    first: int
    lines: bytes | Sequence[str] | None


class BrokenFileError(Exception):
    """A file cannot be read to its end, in one line."""


def batches(name: str, stream: io.BufferedReader) -> Iterator[Batch]:
    """Yield the lines of a stream; a last line without a line feed is one.

    Raises:
        BrokenFileError: it cannot be read on. What was yielded before stands; a line that is cut
            off there is none.
    """
    source = _decompressed(name, stream)
    problem: Exception | None = None

    def read(most: int) -> bytes:
        nonlocal problem
        try:
            return source.readline(most)
        except Exception as error:  # each way to compress has errors of its own
            problem = error
            return b""

    first, held, size = 1, list[bytes](), 0
    line = read(MAX_LINE + 2).removeprefix(BOM_UTF8)
    while line or held:
        is_too_long = len(line.removesuffix(b"\n")) > MAX_LINE
        if held and (size >= BATCH or is_too_long or not line):
            yield Batch(name, first, b"".join(held))
            first, held, size = first + len(held), [], 0
        if is_too_long:
            yield Batch(name, first, None)
            first += 1
            while line and not line.endswith(b"\n"):
                line = read(BATCH)
        elif line:
            held.append(line)
            size += len(line)
        line = line and read(MAX_LINE + 2)
    if problem:
        raise BrokenFileError(f"cannot read {name} to its end: {problem}") from problem


class _Source(Protocol):
    def readline(self, size: int, /) -> bytes: ...


def _decompressed(name: str, stream: io.BufferedReader) -> _Source:
    """Return a stream of what a stream holds, by its magic bytes.

    A pipe may show one byte at first. That is enough: no JSON begins with one of these.
    """
    begin = stream.peek(6)[:6]
    if not begin:
        return stream
    if begin.startswith(b"\x1f\x8b"[: len(begin)]):
        import gzip

        return gzip.GzipFile(fileobj=stream)
    if begin.startswith(b"BZh"[: len(begin)]):
        import bz2

        return bz2.BZ2File(stream)
    if begin.startswith(b"\xfd7zXZ\0"[: len(begin)]):
        import lzma

        return lzma.LZMAFile(stream)
    if begin.startswith(ZSTD[: len(begin)]):
        raise BrokenFileError(f"{name} is compressed with zstd; give what zstd -dc prints")
    return stream
