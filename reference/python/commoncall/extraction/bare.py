"""Calls with which a message begins and that have no opener (definitions "bare message", "guided
payload", "headless block").
"""

from collections.abc import Sequence

from commoncall.extraction.call_value import Found, Noted, Refused, read_payload_calls
from commoncall.extraction.dialects import Dialect
from commoncall.extraction.json_block import FENCE_RUN, opening_fence, read_values
from commoncall.extraction.pairs import opening_tag
from commoncall.extraction.parameters_block import read_headless_parameters
from commoncall.extraction.parts import Rejected, Whole
from commoncall.extraction.payload_scanner import PayloadScanner
from commoncall.extraction.payloads import Payload, object_begins
from commoncall.extraction.readers import READERS
from commoncall.extraction.reading import Block, Reading
from commoncall.extraction.source import ParseOf, Source
from commoncall.json_text import JSON_SPACE, LETTER_OR_DIGIT, SPACE_RUN


def read_bare(reading: Reading) -> ParseOf[int]:
    """Read a bare message, if the rest of the text is one, or a headless block, if one begins here,
    else nothing (EXT-116, EXT-211, EXT-222); return the offset of the first character here that is
    no white space of JSON.
    """
    source = reading.source
    # Said as it comes: blanks of reasoning, which is read so too, wait for nothing (D33.1).
    while (character := (yield from source.peek())) and character in JSON_SPACE:
        begin = source.at
        source.at = SPACE_RUN.match(source.text, begin).end()  # type: ignore[union-attr]
        reading.prose(source.text[begin : source.at])
    first = source.offset
    source.mark(first)
    block = yield from _read_first(reading)
    if not block:
        source.back_to(first)
        block = yield from _read_headless(reading)
    if block:
        reading.prose(source.since(first, block.start))
        source.back_to(block.end)
        reading.skip()
        reading.may_be_lone = False
        reading.decided.say(block)
    else:
        source.back_to(first)
    source.unmark()
    return first


def _read_first(reading: Reading) -> ParseOf[Whole | Rejected | None]:
    """Read a bare message at the cursor, of the first dialect of which one stands there."""
    source, tag = reading.source, ""
    character = yield from source.peek()
    taken = reading.language.taken
    if character == "<" and taken is not None and not (yield from reading.marker_here()):
        tag = yield from opening_tag(source, taken)
        character = yield from source.peek()
    start = source.offset
    for dialect in reading.language.bare:
        if character and character in _begins(dialect):
            source.back_to(start)
            block = yield from _read_message(reading, dialect, tag)
            if block:
                return block
    return None


def _read_message(reading: Reading, dialect: Dialect, tag: str) -> ParseOf[Whole | Rejected | None]:
    """Read a bare message of a dialect at the cursor, and the closing tag of its pair."""
    source, start = reading.source, reading.source.offset
    if dialect.is_common:
        if dialect.is_fenced:
            yield from opening_fence(reading)
        if not (yield from _begins_call(source, dialect.members)):
            return None
    source.back_to(start)
    is_guided = dialect is reading.language.guided
    block = Block(dialect, start, start, reading.caller.guided_name if is_guided else "")
    found: list[Found] = []
    needed: list[str] = []
    while True:
        read = yield from READERS[dialect.scanner].read(reading, block)
        # What is cut off may be no call, and stays text, unless nothing but calls could be written.
        if read == "cut" and is_guided:
            return Rejected(dialect, start, source.last, "truncated", is_meant=True)
        if not isinstance(read, Payload):
            return None
        found += read.judge(source.since(read.start, read.end))
        needed += read.needed
        end = source.offset
        yield from source.skip_run(SPACE_RUN)
        if not dialect.is_fenced or (yield from source.peek()) not in FENCE_RUN:
            break
    if tag and not (yield from source.literal(f"</{tag}>")):
        return None
    if not (yield from _is_end(reading, dialect)):
        return None
    is_whole = is_guided or _are_calls(reading, found)
    return Whole(dialect, start, end, found, needed) if is_whole else None


def _begins(dialect: Dialect) -> str:
    """Return the characters that a message of a dialect can begin with."""
    if dialect.is_fenced:
        return "".join(FENCE_RUN)
    return READERS[dialect.scanner].bare or dialect.name_begin[:1]


def _begins_call(source: Source, members: Sequence[str]) -> ParseOf[bool]:
    """Tell whether an object begins at the cursor, which moves, or an array with one, whose first
    member is one of a call: what else begins so is shown at once.
    """
    if not (yield from object_begins(source)):
        return False
    yield from source.skip_run(SPACE_RUN)
    for name in members:
        if (yield from source.literal(f'"{name}"')):
            return True
    return False


def _is_end(reading: Reading, dialect: Dialect) -> ParseOf[bool]:
    """Tell whether nothing but tokens, closers that are control tokens, and white space stands
    behind the cursor, or a text where the dialect lets one stand there.
    """
    is_control = reading.language.is_control
    found = yield from reading.skip_markers(
        lambda each: each.is_token or (each.kind == "closer" and is_control(each))
    )
    character = yield from reading.source.peek()
    is_text = not found and LETTER_OR_DIGIT.match(character) is not None
    return not character or (dialect.words_behind and is_text)


def _read_headless(reading: Reading) -> ParseOf[Whole | None]:
    """Read a headless block at the cursor, which moves behind its closer, or where there is none
    anywhere.
    """
    source, headless = reading.source, reading.language.headless
    start = source.offset
    for dialect in headless:
        if dialect.name_in_first_line:
            read = yield from read_headless_parameters(reading, Block(dialect, start, start, ""))
            if isinstance(read, Payload):
                return _headless(reading, dialect, start, read.judge(""), read.needed)
            source.back_to(start)
    others = [one for one in headless if not one.name_in_first_line]
    members = dict.fromkeys(name for one in others for name in one.members)
    if not others or not (yield from _begins_call(source, [*members])):
        return None
    source.back_to(start)
    scanner = PayloadScanner()
    yield from read_values(reading, scanner)
    source.back_to(start + scanner.end)
    payload = source.since(start)
    yield from source.skip_run(SPACE_RUN)
    closer = yield from reading.marker_here()
    for dialect in others:  # the closer says which it is
        if closer and closer.is_closer(dialect.key):
            reading.move_behind(closer)
            found = read_payload_calls(scanner, dialect, "", payload)
            return _headless(reading, dialect, start, found, [one.code for one in scanner.edits])
    return None


def _headless(
    reading: Reading, dialect: Dialect, start: int, found: Sequence[Found], needed: Sequence[str]
) -> Whole | None:
    """Return a headless block before the cursor, if that is what was found."""
    if not _are_calls(reading, found, each_is_one=True):
        return None
    reading.is_behind_block = True
    return Whole(dialect, start, reading.source.offset, found, [*needed, "missing_opener"])


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
