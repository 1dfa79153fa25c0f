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
    number = 1
    kept: list[bytes] = []  # of a line whose end has not come
    length = 0
    for at, piece in enumerate(_pieces(name, stream)):
        if at == 0:
            piece = piece.removeprefix(BOM_UTF8)
        end = piece.rfind(b"\n") + 1
        if length <= MAX_LINE:
            kept.append(piece[:end] or piece)
        if not end:
            length += len(piece)
            if length > MAX_LINE:
                kept.clear()
            continue
        begin = 0
        if length > MAX_LINE:
            yield Batch(name, number, None)
            number += 1
            begin = piece.find(b"\n") + 1
            kept = [piece[begin:end]]
        lines = b"".join(kept)
        yield Batch(name, number, lines)
        number += lines.count(b"\n")
        kept, length = [piece[end:]], len(piece) - end
    if length > MAX_LINE:
        yield Batch(name, number, None)
    elif last := b"".join(kept):
        yield Batch(name, number, last)


def _pieces(name: str, stream: io.BufferedReader) -> Iterator[bytes]:
    """Yield what a stream holds, decompressed, in pieces of about `BATCH` bytes."""
    source = _decompressed(name, stream)
    problem: Exception | None = None
    ended = False
    while not ended:
        kept: list[bytes] = []
        length = 0
        while length < BATCH and not ended:
            try:
                piece = source.read1(BATCH)
            except Exception as error:  # each way to compress has errors of its own
                problem, piece = error, b""
            ended = not piece
            kept.append(piece)
            length += len(piece)
        yield b"".join(kept)
    if problem:
        raise BrokenFileError(f"cannot read {name} to its end: {problem}") from problem


class _Source(Protocol):
    def read1(self, size: int, /) -> bytes: ...


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
