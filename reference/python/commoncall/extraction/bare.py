"""A message that is nothing but calls, without a marker (definitions "bare message", "guided
payload").
"""

from collections.abc import Sequence

from commoncall.extraction.call_value import Found, Noted, Refused
from commoncall.extraction.dialects import Dialect
from commoncall.extraction.headless import begins_call, read_headless
from commoncall.extraction.json_block import FENCE_RUN
from commoncall.extraction.pairs import Rejected, Whole, opening_tag
from commoncall.extraction.payloads import Payload
from commoncall.extraction.readers import READERS
from commoncall.extraction.reading import Block, Reading
from commoncall.extraction.source import ParseOf
from commoncall.json_text import LETTER_OR_DIGIT, SPACE_RUN


def read_bare(reading: Reading) -> ParseOf[int]:
    """Read a bare message, if the rest of the text is one, or a headless block, if one begins here,
    else nothing (EXT-116, EXT-211, EXT-222); return the offset of the first character here that is
    no white space of JSON.
    """
    source = reading.source
    start = source.offset
    source.mark(start)
    yield from source.skip_run(SPACE_RUN)
    first = source.offset
    block = (yield from _read_message(reading)) or (yield from _read_headless(reading, first))
    source.back_to(start)
    if block:
        reading.prose_to(block.start)
        source.at = block.end - source.base
        reading.skip()
        reading.decided.say(block)
    source.unmark()
    return first


def _read_message(reading: Reading) -> ParseOf[Whole | Rejected | None]:
    """Read a bare message at the cursor."""
    source, tag = reading.source, ""
    character = yield from source.peek()
    taken = reading.language.taken
    if character == "<" and taken is not None and not (yield from reading.marker_here()):
        tag = yield from opening_tag(source, taken)
        character = yield from source.peek()
    start = source.offset
    begun = (one for one in reading.language.bare if character and character in _begins(one))
    dialect = next(begun, None)
    if not dialect:
        return None
    if dialect.is_common and not (yield from begins_call(source, dialect.members)):
        return None
    source.back_to(start)
    is_guided = dialect is reading.language.guided
    block = Block(dialect, start, start, reading.caller.guided_name if is_guided else "")
    read = yield from READERS[dialect.scanner].read(reading, block)
    # What is cut off may be no call, and stays text, unless nothing but calls could be written.
    if read == "cut" and is_guided:
        return Rejected(dialect, start, source.last, "truncated", is_meant=True)
    if not isinstance(read, Payload) or (read.needed and not is_guided):
        return None
    found = _judged(reading, read)
    while dialect.is_fenced and (yield from _is_fence_next(reading)):
        read = yield from READERS[dialect.scanner].read(reading, block)
        if not isinstance(read, Payload):
            return None
        found += _judged(reading, read)
    end = source.offset
    if tag:
        yield from source.skip_run(SPACE_RUN)
    if tag and not (yield from source.literal(f"</{tag}>")):
        return None
    if not (yield from _is_end(reading, dialect)):
        return None
    is_whole = is_guided or _are_calls(reading, found)
    return Whole(dialect, start, end, found, read.needed) if is_whole else None


def _judged(reading: Reading, read: Payload) -> list[Found]:
    """Return what a payload before the cursor holds."""
    return [*read.judge(reading.source.since(read.start, read.end))]


def _is_fence_next(reading: Reading) -> ParseOf[bool]:
    """Move over white space to a further fence, if one stands there, and tell so."""
    source = reading.source
    end = source.offset
    yield from source.skip_run(SPACE_RUN)
    if (yield from source.peek()) in FENCE_RUN:
        return True
    source.back_to(end)
    return False


def _read_headless(reading: Reading, start: int) -> ParseOf[Whole | None]:
    """Read a headless block at a place behind which the cursor is."""
    source = reading.source
    source.back_to(start)
    headless = yield from read_headless(reading)
    if not headless:
        return None
    dialect, read = headless
    found = _judged(reading, read)
    if not _are_calls(reading, found, each_is_one=True):
        return None
    reading.is_behind_block = True
    return Whole(dialect, start, source.offset, found, read.needed)


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


def _are_calls(reading: Reading, found: Sequence[Found], *, each_is_one: bool = False) -> bool:
    """Tell whether there is a call, and all values are for tools that are effective.

    A message without a marker may be JSON that the user asked for: only names tell them apart.
    """
    values = [each for each in found if not isinstance(each, Noted)]
    refused = [each for each in values if isinstance(each, Refused)]
    if len(refused) == len(values) or (refused and each_is_one):
        return False
    names = [each.name if isinstance(each, Refused) else each["name"] for each in values]
    effective = reading.caller.effective
    is_known = all(name and (effective is None or name in effective) for name in names)
    return is_known and all(each.code != "declaration" for each in refused)
