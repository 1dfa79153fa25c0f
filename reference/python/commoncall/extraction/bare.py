"""A message that is nothing but calls, without a marker (definitions "bare message", "guided
payload").
"""

from collections.abc import Sequence

from commoncall.extraction.call_value import Found, Noted, Refused
from commoncall.extraction.decided import Rejected, Whole
from commoncall.extraction.dialects import Dialect
from commoncall.extraction.headless import read_headless
from commoncall.extraction.json_block import closing_fence, opening_fence
from commoncall.extraction.payloads import Broken, Payload, ended
from commoncall.extraction.readers import READERS
from commoncall.extraction.reading import Block, Reading
from commoncall.extraction.source import ParseOf
from commoncall.json_text import LETTER_OR_DIGIT, SPACE_RUN


def read_bare(reading: Reading) -> ParseOf[int]:
    """Read a bare message, if the rest of the text is one, or a headless block, if one begins here,
    else nothing (EXT-116, EXT-211, EXT-222); return the offset of the first character here that is
    no white space of JSON.
    """
    source, guided = reading.source, reading.language.guided
    start = source.offset
    source.mark(start)
    yield from source.skip_run(SPACE_RUN)
    first = source.offset
    character = yield from source.peek()
    begun = (one for one in reading.language.bare if character and character in _begins(one))
    dialect = next(begun, None)
    read: Payload | Broken = "wrong"
    calls: Sequence[Found] = ()
    if dialect:
        name = reading.caller.guided_name if dialect is guided else ""
        read = yield from _read_payload(reading, Block(dialect, first, first, name))
    end = source.offset
    if dialect:
        calls = yield from _calls_in(reading, dialect, read)
    is_cut = read == "cut" and dialect is guided
    if not calls and not is_cut:
        source.back_to(first)
        headless = yield from read_headless(reading)
        end = source.offset
        if headless:
            dialect, read = headless
            found = read.judge(source.since(read.start, read.end))
            calls = found if _are_calls(reading, found) else ()
            reading.is_behind_block = bool(calls)
    source.back_to(start)
    if calls or is_cut:
        reading.prose_to(first)
        source.at = end - source.base
        reading.skip()
    if dialect and isinstance(read, Payload) and calls:
        reading.decided.say(Whole(dialect, first, end, calls, read.needed))
    elif dialect and is_cut:
        reading.decided.say(Rejected(dialect, first, end, "truncated", is_meant=True))
    source.unmark()
    return first


def _calls_in(
    reading: Reading, dialect: Dialect, read: Payload | Broken
) -> ParseOf[Sequence[Found]]:
    """Return what a payload holds that is a bare message; nothing where it is none."""
    is_guided = dialect is reading.language.guided
    if not isinstance(read, Payload) or (read.needed and not is_guided):
        return ()
    if not (yield from _is_end(reading, dialect)):
        return ()
    found = read.judge(reading.source.since(read.start, read.end))
    return found if is_guided or _are_calls(reading, found) else ()


def _read_payload(reading: Reading, block: Block) -> ParseOf[Payload | Broken]:
    """Read the payload that the rest of the text may be."""
    source, dialect = reading.source, block.dialect
    scanner, judge = READERS[dialect.scanner].scan(reading, block)
    fence = ""
    if dialect.is_fenced:
        fence = yield from opening_fence(reading)
        if not fence:
            return "wrong"
    if dialect.quote and not (yield from source.literal(dialect.name_begin)):
        return "wrong"
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
    read = ended(source, scanner, begin, judge)
    if fence and isinstance(read, Payload) and not read.needed:
        yield from closing_fence(source, fence)
        return read if source.offset > read.end else "wrong"
    return read


def _begins(dialect: Dialect) -> str:
    """Return the characters that a message of a dialect can begin with."""
    written = READERS[dialect.scanner].bare or dialect.name_begin[:1]
    return "`~" if dialect.is_fenced else written


def _is_end(reading: Reading, dialect: Dialect) -> ParseOf[bool]:
    """Tell whether nothing but tokens and white space stands behind the cursor, or a text where
    the dialect lets one stand there.
    """
    found = yield from reading.skip_markers(lambda each: each.is_token)
    character = yield from reading.source.peek()
    is_text = not found and LETTER_OR_DIGIT.match(character) is not None
    return not character or (dialect.words_behind and is_text)


def _are_calls(reading: Reading, found: Sequence[Found]) -> bool:
    """Tell whether all values are calls, of tools that are effective."""
    calls = [each for each in found if not isinstance(each, Refused | Noted)]
    refused = any(isinstance(each, Refused) for each in found)
    names = reading.caller.effective
    return bool(calls) and not refused and all(names is None or c["name"] in names for c in calls)
