"""A message that is nothing but calls, without a marker (definitions "bare message", "guided
payload").
"""

from collections.abc import Sequence

from commoncall.extraction.block import SCANNERS
from commoncall.extraction.call_value import Found, Noted, Refused, read_payload_calls
from commoncall.extraction.dialects import Dialect
from commoncall.extraction.json_block import closing_fence, opening_fence
from commoncall.extraction.payload_scanner import PayloadScanner
from commoncall.extraction.reading import Reading
from commoncall.extraction.scanned_block import Judge
from commoncall.extraction.source import Parse, ParseOf
from commoncall.json_text import LETTER_OR_DIGIT, SPACE_RUN


def read_bare(reading: Reading) -> ParseOf[int]:
    """Read a bare message, if the rest of the text is one, else nothing (EXT-116); return the
    offset of the first character here that is no white space of JSON.
    """
    source = reading.source
    start = source.offset
    source.mark(start)
    yield from source.skip_run(SPACE_RUN)
    first = source.offset
    character = yield from source.peek()
    begun = (one for one in reading.language.bare if character and character in _begins(one))
    dialect = next(begun, None)
    if dialect and dialect is reading.language.guided:
        yield from _read_guided(reading, dialect, start)
        source.unmark()
        return first
    calls: Sequence[Found] = []
    length = 0
    if dialect:
        begin, length, judge = yield from _read_payload(reading, dialect)
        if length > 0 and (yield from _is_end(reading, words=dialect.words_behind)):
            text, base = source.join_kept()
            calls = judge(text, first + begin - base)
    source.back_to(start)
    if dialect and _are_calls(reading, calls):
        reading.prose_to(first)
        source.at += length
        reading.skip()
        reading.strings.is_over = True
        reading.decided.block(dialect, first, source.offset, calls)
    source.unmark()
    return first


def _read_guided(reading: Reading, dialect: Dialect, begin: int) -> Parse:
    """Read a guided payload, which only white space parts from a place, if the rest of the text is
    one (EXT-211).
    """
    source, scanner = reading.source, PayloadScanner()
    start = source.offset
    while True:
        source.at = scanner.scan(source.text, source.at)
        is_whole = scanner.complete and source.at < len(source.text)
        if scanner.is_over or is_whole or not (yield from source.more()):
            break
    is_cut = not (scanner.is_over or scanner.complete)
    if not is_cut:
        source.back_to(start + scanner.end)
    end = source.offset
    is_payload = is_cut or (scanner.complete and (yield from _is_end(reading)))
    text, base = source.join_kept()
    calls: Sequence[Found] = []
    if is_payload and not is_cut:
        name = reading.caller.guided_name
        calls = read_payload_calls(scanner, dialect, name, text, start - base)
    source.back_to(begin)
    if not is_payload:
        return
    reading.prose_to(start)
    source.at += end - start
    reading.skip()
    if is_cut:
        reading.decided.rejected(dialect, start, end, "truncated", meant=True)
    else:
        needed = [edit.code for edit in scanner.edits]
        reading.decided.block(dialect, start, end, calls, needed)


def _read_payload(reading: Reading, dialect: Dialect) -> ParseOf[tuple[int, int, Judge]]:
    """Read the payload that the rest of the text may be; return where its values begin, its length,
    0 where it is none or needs a repair, and what says what it holds.
    """
    source, start = reading.source, reading.source.offset
    scanner, judge = SCANNERS[dialect.scanner].scan(reading, dialect)
    fence = ""
    if dialect.is_fenced:
        fence = yield from opening_fence(reading)
        if not fence:
            return 0, 0, judge
    if dialect.quote and not (yield from source.literal(dialect.name_begin)):
        return 0, 0, judge
    begin = source.offset
    separated = 0  # where the value before the last separator ended
    while True:
        source.at = scanner.scan(source.text, source.at)
        if scanner.is_over:
            break
        if not scanner.complete or source.at == len(source.text):
            if (yield from source.more()):
                continue
            break
        is_separator = source.text[source.at] == dialect.separator
        if not is_separator or scanner.end == separated:
            break
        separated = scanner.end
        source.at += 1
        scanner.offset += 1
    is_payload = scanner.complete and not scanner.edits
    source.back_to(begin + scanner.end)
    if fence and is_payload:
        end = source.offset
        yield from closing_fence(source, fence)
        is_payload = source.offset > end
    return begin - start, source.offset - start if is_payload else 0, judge


def _begins(dialect: Dialect) -> str:
    """Return the characters that a message of a dialect can begin with."""
    written = SCANNERS[dialect.scanner].bare or dialect.name_begin[:1]
    return "`~" if dialect.is_fenced else written


def _is_end(reading: Reading, *, words: bool = False) -> ParseOf[bool]:
    """Tell whether nothing but tokens and white space stands behind the cursor, and with ``words``
    perhaps a text.
    """
    source = reading.source
    yield from source.skip_run(SPACE_RUN)
    while character := (yield from source.peek()):
        found = yield from reading.marker_here()
        if not found or not found.is_token:
            return words and not found and bool(LETTER_OR_DIGIT.match(character))
        reading.move_behind(found)
        yield from source.skip_run(SPACE_RUN)
    return True


def _are_calls(reading: Reading, found: Sequence[Found]) -> bool:
    """Tell whether all values are calls, of tools that are effective."""
    calls = [each for each in found if not isinstance(each, Refused | Noted)]
    refused = any(isinstance(each, Refused) for each in found)
    names = reading.caller.effective
    return bool(calls) and not refused and all(names is None or c["name"] in names for c in calls)
