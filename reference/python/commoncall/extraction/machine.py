"""The machine of nine states, in which a text is read (definition "machine").

A state is a function. It reads on and returns the state that follows, with what that has to know;
None where the text has ended. The rows of the table stand where they are read.
"""

import re
from collections.abc import Callable, Generator
from functools import partial
from string import ascii_lowercase
from typing import Final

from commoncall.extraction.bare import read_bare
from commoncall.extraction.drafts import drafts_of
from commoncall.extraction.markers import BLANK_LINE, Marker, Markers
from commoncall.extraction.pairs import strange_closer
from commoncall.extraction.payloads import Payload
from commoncall.extraction.readers import READERS
from commoncall.extraction.reading import Block, Pending, Reading, Wrapper
from commoncall.extraction.record import Span
from commoncall.extraction.source import Parse, ParseOf
from commoncall.json_text import JSON_SPACE, LETTER_OR_DIGIT, SPACE_RUN

_LINE_SPACE_RUN: Final = re.compile(r"[ \t\r]*")

_BEHIND_NAME: Final = ".,;:!?)\"'”’»」"
"""What can stand directly behind a tag that words name."""

State = Callable[[Reading], Generator[None, None, "State | None"]]

_GOES_ON: Final = ',}]:"'
"""With these a payload goes on that only seemed to end (D5.26)."""


def read_text(reading: Reading, *, starts_in_reasoning: bool = False) -> Parse:
    """Read a text to its end."""
    state: State | None = yield from _begin(reading, starts_in_reasoning=starts_in_reasoning)
    while state:
        state = yield from state(reading)


def _begin(reading: Reading, *, starts_in_reasoning: bool) -> ParseOf[State]:
    source, language = reading.source, reading.language
    reading.may_be_bare = bool(language.bare or language.headless)
    reading.first = 0 if reading.may_be_bare else -1  # where no marker begins
    if starts_in_reasoning and (yield from source.peek()):
        return (yield from _begin_reasoning(reading))
    if language.opened and (yield from source.peek()):
        header = yield from reading.marker_here(markers=language.opened)
        if header or (header := (yield from _read_stripped(reading))):
            return _at_marker(reading, header)
    return prose


# PROSE


def prose(reading: Reading) -> ParseOf[State | None]:
    """PROSE: read up to a marker outside code, and between the blocks of a wrapper."""
    inside = yield from _between_blocks(reading)
    if inside:
        return inside
    # What stands here is no part of marked text, which ends only where `_between_blocks` looks.
    reading.end_unmarked()
    if reading.may_be_bare:
        reading.may_be_bare = False
        reading.first = yield from read_bare(reading)
    marker = (yield from _lone_closer(reading)) or (yield from _next_marker(reading))
    if marker and (yield from _is_named(reading, marker)):
        reading.leave(marker)
        return prose
    return _at_marker(reading, marker) if marker else None


def _lone_closer(reading: Reading) -> ParseOf[Marker | None]:
    """Read up to a closer of reasoning that is a token, if one comes next (D9.9)."""
    if not reading.may_be_lone:
        return None
    space = yield from reading.source.skip_run(SPACE_RUN)
    found = yield from reading.marker_here(reading.language.lone)
    reading.prose(space)
    if found:
        reading.code.meet_marker()
    return found if found and not reading.code.hides else None


def _at_marker(reading: Reading, marker: Marker) -> State:
    """Return what comes behind a marker in prose."""
    # Reasoning and tokens may stand before a bare message.
    precedes = marker.kind == "reasoning" or marker.is_token
    reading.may_be_bare = precedes and marker.start == reading.first
    if marker.kind == "closer" and (reading.is_behind_block or reading.language.is_control(marker)):
        reading.remove(marker, "token")  # D5.6
    elif marker.kind == "closer" or _is_text(reading, marker):
        reading.leave(marker)  # D5.7
    elif marker.opens:
        reading.begin_marked()
        return partial(opened, opener=marker)  # D5.1, D5.3
    elif marker.is_token:
        reading.begin_marked()
        if marker.kind != "token":
            reading.strings.interrupt()  # by a header or an end of a message (D14.4)
        reading.remove_token(marker)  # D5.4
    else:
        reading.strings.interrupt()
        reading.move_behind(marker)
        if marker.kind != "reasoning":
            return partial(dropped, start=marker.start)  # D5.3
        return partial(reasoning, start=marker.start, opener=marker.dialects[0])  # D5.2
    return prose


def _is_text(reading: Reading, marker: Marker) -> bool:
    """Tell whether a marker that could open something is text."""
    language = reading.language
    if marker.kind == "reasoning":  # a header ends the JSON that it would stand in (D14.4)
        return reading.strings.is_open and marker.dialects[0] != language.messages_key
    return marker.opens and (reading.quotes or language.is_out_of_place(marker))


def _next_marker(reading: Reading) -> ParseOf[Marker | None]:
    """Read text up to the next marker outside code, not further; None at the end, and in DOUBT
    where a blank line comes (EXT-030).
    """
    code, pending = reading.code, reading.pending
    markers = reading.language.in_answer
    if pending:
        language, from_opened = reading.language, pending.end is None
        markers = language.with_foreign if from_opened else language.with_blank_line
    while marker := (yield from reading.seek(markers, reading.prose, cut=reading.cut_header)):
        if marker.kind == "blank_line":
            return None
        code.meet_marker()
        if marker.kind == "lone":
            if (yield from _ends_line(reading, marker)) and not (yield from reading.is_in_code()):
                return marker._replace(kind="token")
            reading.leave(marker)
            continue
        # In DOUBT a fence may end directly before the own closer, with no line end between (D11.3).
        is_own = pending is not None and marker.is_closer(pending.block.dialect.key)
        if not (yield from reading.is_in_code()) or (is_own and not code.hides_closer()):
            return marker
        if marker.kind != "foreign":
            code.note_marker()
        reading.leave(marker)
    return None


def _ends_line(reading: Reading, marker: Marker) -> ParseOf[bool]:
    """Tell whether a line ends behind a marker, which stands at the cursor (D9.10)."""
    _, character = yield from _behind(reading, marker)
    return character in ("", "\n")


def _is_named(reading: Reading, marker: Marker) -> ParseOf[bool]:
    """Tell whether words name an opener of reasoning, which stands at the cursor (D9.11)."""
    language = reading.language
    is_opener = marker.kind == "reasoning" and marker.dialects[0] != language.messages_key
    if not is_opener or language.has_control or not reading.has_words:
        return False
    space, character = yield from _behind(reading, marker)
    is_tag = reading.source.text.startswith("<", reading.source.at)
    return is_tag and character != "" and character in (ascii_lowercase if space else _BEHIND_NAME)


def _behind(reading: Reading, marker: Marker) -> ParseOf[tuple[str, str]]:
    """Return the spaces behind a marker, which stands at the cursor, and what follows these."""
    source = reading.source
    source.mark(marker.start)
    reading.move_behind(marker)
    space = yield from source.skip_run(_LINE_SPACE_RUN)
    character = yield from source.peek()
    source.back_to(marker.start)
    source.unmark()
    return space, character


def _between_blocks(reading: Reading) -> ParseOf[State | None]:
    """Read the space and closers between the blocks of a wrapper or of what may be marked text;
    return what reads on there, if something but prose follows.
    """
    source, wrappers = reading.source, reading.wrappers
    source.unmark()  # what a block that was rejected has kept
    while (wrappers or reading.is_held) and not (yield from reading.end_marked()):
        start = source.offset
        space = yield from source.skip_run(SPACE_RUN)
        found = yield from reading.marker_here(reading.language.in_prose)
        reading.note_prose(space)
        if found:
            reading.code.meet_marker()
        is_here = found is not None and not reading.code.hides
        if found and is_here and wrappers and (found.opens or reading.closes_wrapper(found)):
            reading.say_formatting(start, source.offset)
        else:
            reading.say_text(space)
        if not found and (yield from source.peek()) and wrappers and reading.language.holder:
            return _trailing(reading)
        if not found or not is_here:
            break  # D8.3, D8.4
        if found.opens:  # in a wrapper, or in what may be marked text
            is_text = not wrappers and reading.language.is_out_of_place(found)
            return None if is_text else partial(opened, opener=found)
        if reading.closes_wrapper(found):
            while (key := wrappers.pop()) not in found.dialects:
                pass
            reading.remove(found, "call", reading.language.dialects[key].id)  # D5.5
            continue
        if not found.is_token or not reading.is_held:
            break  # D8.3, or reasoning, or the closer of another block
        reading.end_wrappers()
        reading.remove_token(found)
    reading.end_wrappers()  # prose follows, which ends them, also those without a block
    return None


def _trailing(reading: Reading) -> State:
    """Reject what is no block behind those of a message (EXT-250)."""
    at, dialect = reading.source.offset, reading.language.dialects[reading.language.holder]
    reading.end_wrappers()
    block = Block(dialect, at, at, "")
    return partial(dropped, start=at, block=block, code="trailing_text")


# REASONING


def reasoning(reading: Reading, start: int, opener: str) -> ParseOf[State]:
    """REASONING: read to the first of its closers, or to what else ends it (EXT-020, EXT-026,
    EXT-206, EXT-209).
    """
    source, decided, language = reading.source, reading.decided, reading.language
    closers = language.closers[opener]
    reading.is_behind_block = False
    while opener != language.messages_key and (yield from source.peek()):  # no header
        again = yield from reading.marker_here()
        if not again or (again.kind, again.dialects) != ("reasoning", (opener,)):
            break
        reading.move_behind(again)  # EXT-209
    if label := language.labels.get(opener):
        yield from _skip_label(reading, label, closers)
    decided.reasoning_begins()
    drafts = drafts_of(reading, read_text)
    each = drafts.read if drafts else decided.reasoning_text
    end = yield from reading.seek(closers, each, cut=reading.cut_call)
    if end and end.ends_behind:
        reading.move_behind(end)
    reading.skip()
    if drafts and drafts.end():
        source.mark(source.offset)
        is_last = yield from reading.only_closers_follow(closers)
        source.unmark()
        if is_last:
            drafts.give(start, end if end and end.ends_behind else None)
            yield from _behind_last_calls(reading, closers)
            return prose
    others = drafts.leave() if drafts else 0
    codes = () if end else ("unclosed", *["in_reasoning"] * others)
    decided.say(Span(start, source.offset, "reasoning", codes=codes))
    if not end:
        decided.in_reasoning(others)
    reading.may_be_lone = True
    return prose


def _skip_label(reading: Reading, label: str, closers: Markers) -> Parse:
    """Move over a label before a line feed, which belongs to it, or a closer (D9.8)."""
    source = reading.source
    start = source.offset
    source.mark(start)
    if (yield from source.literal(label)) and not (yield from source.literal("\n")):
        closer = yield from reading.marker_here(closers)
        if not closer or closer.kind != "closer":
            source.back_to(start)
    source.unmark()


def _behind_last_calls(reading: Reading, closers: Markers) -> Parse:
    """Read what stands behind the last calls of reasoning, to the end of the text: all closers of
    the reasoning are of it (EXT-205).
    """
    source = reading.source
    while (yield from source.peek()):
        yield from source.skip_run(SPACE_RUN)
        closer = yield from reading.marker_here(closers)
        if closer and closer.ends_behind:
            reading.remove(closer, "reasoning")
        elif marker := (yield from reading.marker_here()):
            _at_marker(reading, marker)  # a closer or a token, behind which prose goes on


def _begin_reasoning(reading: Reading) -> ParseOf[State]:
    """Read up to reasoning that the prompt opened, behind an opener that the model repeats
    (EXT-209).
    """
    source = reading.source
    start = source.offset
    source.mark(start)
    yield from source.skip_run(SPACE_RUN)
    echo = yield from reading.marker_here()
    source.back_to(start)
    source.unmark()
    if echo and echo.kind == "reasoning":
        reading.move_behind(echo)
        return partial(reasoning, start=start, opener=echo.dialects[0])
    return partial(reasoning, start=start, opener=next(iter(reading.language.closers)))


def _read_stripped(reading: Reading) -> ParseOf[Marker | None]:
    """Read reasoning at the begin of messages whose tokens a server took out, if something ends it;
    return what is left there of the header of a call (EXT-210).
    """
    source, stripped = reading.source, reading.language.stripped
    if not stripped:
        return None
    start, (begin, ends) = source.offset, stripped
    source.mark(start)
    has_begun = yield from source.literal(begin)
    end = (yield from reading.seek(ends)) if has_begun else None
    if end:
        reading.decided.reasoning_begins()
        reading.decided.reasoning_text(source.since(start + len(begin)))
        if end.ends_behind:
            reading.move_behind(end)
        reading.skip()
        reading.decided.say(Span(start, source.offset, "reasoning"))
    else:
        source.back_to(start)
    source.unmark()
    return None if not end or end.ends_behind else end


# Blocks


def opened(reading: Reading, opener: Marker) -> ParseOf[State]:
    """OPENED: tell what begins behind an opener and white space."""
    source = reading.source
    dialect = reading.language.dialects[opener.dialects[0]]
    block = Block(dialect, opener.start, opener.end, opener.header, reading.has_words)
    reading.note_opener()
    source.mark(opener.start)
    reading.move_behind(opener)
    reading.skip()
    if (yield from reading.end_marked()):
        return prose
    if opener.kind == "reserved":
        return partial(dropped, start=block.start, block=block, code="reserved_header")
    if opener.kind == "stray":
        return partial(failed, block=block, need=1)
    space = yield from source.skip_run(SPACE_RUN)
    found = yield from reading.marker_here()
    if found and found.opens:  # D5.12, D5.13
        _open_wrapper(reading, opener)
        return prose
    is_empty = found is not None and found.is_closer(dialect.key)
    if found and is_empty and (yield from _stands_amid_words(reading, block, found)):
        source.back_to(block.inner)
        reading.say_text_from(block.start, block.inner, dialect.key)
        return prose  # D72.1
    character = yield from source.peek()
    if not character and not _names_tools(reading, opener.dialects[0]):
        reading.reject(block, "truncated")  # D5.15
        return prose
    reader = READERS.get(dialect.scanner)
    if character and reader and (yield from reader.begins(reading, block, space, found)):
        return partial(payload, block=block)  # D5.14
    if found and is_empty:
        reading.move_behind(found)
        reading.reject(block, "empty", closer=found)  # D5.11
        return prose
    # A payload other than an object or array begins, or a tag that is no marker. Only tags of tools
    # come here where the text ends.
    is_value = character in "\"'" or LETTER_OR_DIGIT.match(character) is not None
    is_foreign = not found if character == "<" else is_value
    fails = not dialect.tool and ("\n" in space or (is_foreign and not space))
    # Who mentions a tag in prose goes on behind it on the same line; one that only wraps is never
    # taken for a broken call.
    if (fails and reader) or dialect.messages:
        return partial(failed, block=block)  # D5.17, D5.18
    source.back_to(block.inner)
    reading.suspend(block, "not_json")
    return doubt  # D5.16, D5.19


def _stands_amid_words(reading: Reading, block: Block, closer: Marker) -> ParseOf[bool]:
    """Tell whether an answer names an opener and a closer, which stands at the cursor (D72)."""
    source = reading.source
    words = source.since(block.inner, closer.start).strip(JSON_SPACE)
    dialect = block.dialect
    if not _stands_free(reading) or dialect.is_control or dialect.is_addressed or "{" in words:
        return False
    is_empty_pair = not words and not block.header
    only_words, is_named = bool(words) and not block.header, False
    reading.move_behind(closer)
    if (yield from reading.at_partner()):
        pass
    elif block.has_words and only_words:
        is_named = True
    elif (yield from reading.words_follow()):
        space = yield from source.skip_run(SPACE_RUN)
        is_on_line = "\n" not in space and not is_empty_pair
        is_named = block.has_words or (is_on_line and not (yield from reading.marker_here()))
    source.back_to(closer.start)
    return is_named


def _stands_free(reading: Reading) -> bool:
    """Tell whether what is read stands in no wrapper and no pair (D72.3)."""
    return not reading.wrappers and not reading.decided.is_in_pair


def _names_tools(reading: Reading, last: str) -> bool:
    """Tell whether only tags of tools are open, which an answer that ends so names (D66.5)."""
    return all(reading.language.dialects[key].tool for key in (last, *reading.wrappers))


def _open_wrapper(reading: Reading, opener: Marker) -> None:
    """Take an opener before the opener at the cursor for a wrapper; for text where that stands in
    code.
    """
    source = reading.source
    reading.code.add(source.since(opener.end))
    reading.code.meet_marker()
    if reading.code.hides:
        reading.say_text_from(opener.start, opener.end, opener.dialects[0])
    else:
        reading.wrappers.append(opener.dialects[0])
        reading.waiting.append(Wrapper(opener, source.since(opener.start)))


def payload(reading: Reading, block: Block) -> ParseOf[State]:
    """PAYLOAD: read one, to its end, to an error, or to where the text cuts it off."""
    read = yield from READERS[block.dialect.scanner].read(reading, block)
    if read == "wrong":
        return partial(failed, block=block)  # D5.22
    if read == "cut" and block.dialect.messages:
        return partial(dropped, start=block.start, block=block, code="truncated")  # D45.2, D45.3
    if read == "cut":
        reading.source.at = len(reading.source.text)
        reading.reject(block, "truncated")  # D5.23
    # Behind the partner of its mark nothing is of it.
    elif read.closer or block.dialect.closer is None or (yield from reading.at_partner()):
        reading.end_block(block, read, closer=read.closer)  # D5.20
    else:
        return partial(behind, block=block, read=read)  # D5.21
    return prose


def behind(reading: Reading, block: Block, read: Payload) -> ParseOf[State]:
    """BEHIND: tell what follows a payload and white space."""
    source, end = reading.source, reading.source.offset
    yield from source.skip_run(SPACE_RUN)
    character = yield from source.peek()
    found = yield from reading.marker_here()
    if found and found.is_closer(block.dialect.key):
        reading.move_behind(found)
        reading.end_block(block, read, closer=found)  # D5.24
        return prose
    if character and not found and not block.dialect.messages:
        found = yield from strange_closer(source, reading.language.taken)
        if found:
            reading.move_behind(found)
            reading.end_block(block, read, needed=("missing_closer",), closer=found)  # D5.24
            return prose
        found = reading.cut_closer(source.offset)
    is_replaced = found is not None and _replaces_closer(reading, block, found)
    goes_on = bool(character) and character in _GOES_ON
    if block.dialect.messages and character and not is_replaced:
        is_string = source.since(read.start, read.start + 1) == '"'
        source.back_to(read.start if is_string else end)
        code = "invalid_json" if goes_on else "trailing_text"
        return partial(dropped, start=block.start, block=block, code=code)  # D45.1, D45.3, D45.5
    if goes_on and not is_replaced:
        return partial(failed, block=block)  # D5.26
    source.back_to(end)
    if not character and block.dialect.messages:
        reading.end_block(block, read)
    elif not character or is_replaced:
        reading.end_block(block, read, needed=("missing_closer",))  # D5.25
    else:
        reading.suspend(block, "trailing_text", end)
        return doubt  # D5.27
    return prose


def _replaces_closer(reading: Reading, block: Block, marker: Marker) -> bool:
    """Tell whether a marker behind a complete payload stands in for its closer."""
    of_message = marker.kind == "drop" or reading.language.messages_key in marker.dialects
    if block.dialect.messages:
        return marker.opens or marker.is_token or of_message or reading.closes_wrapper(marker)
    return of_message or marker.is_no_value


def doubt(reading: Reading) -> ParseOf[State]:
    """DOUBT: let the text behind an opener or a payload decide about a block (EXT-040, EXT-046)."""
    marker = yield from _next_marker(reading)
    pending = reading.pending
    assert pending
    block = pending.block
    if marker and marker.kind == "foreign" and _names_tag(reading, block):
        while marker and marker.kind == "foreign":
            reading.leave(marker)
            marker = yield from _next_marker(reading)
    reading.pending = None
    is_foreign = marker is not None and marker.kind in ("foreign", "stray")
    is_own = marker is not None and marker.is_closer(block.dialect.key)
    if marker and is_own and pending.end is None:
        is_own = not (yield from _stands_amid_words(reading, block, marker))
    if not marker or not (is_foreign or is_own):
        _end_doubt(reading, pending)  # D5.30, D5.32
        return prose
    reading.end_pending(pending.code_before)
    if is_foreign:
        return partial(failed, block=block)  # D5.29
    reading.move_behind(marker)
    reading.reject(block, pending.code, closer=marker)  # D5.28, D5.31
    return prose


def _names_tag(reading: Reading, block: Block) -> bool:
    """Tell whether words stand before an opener on its line, and between it and the begin of
    another tag at the cursor, so that they name the two (D72).
    """
    if not _stands_free(reading) or block.dialect.is_control or not block.has_words:
        return False
    return reading.source.since(block.inner).strip(JSON_SPACE) != ""


def _end_doubt(reading: Reading, pending: Pending) -> None:
    """Say that no closer came for a block in doubt."""
    block, end = pending.block, pending.end
    if end is None and block.dialect.is_control and not block.dialect.is_section:
        end = block.inner  # nobody mentions a control token, so it is a call that is lost (EXT-204)
    if end is None:
        reading.say_text_from(block.start, block.inner, block.dialect.key)
    else:
        reading.reject(block, pending.code, end=end)
        reading.say_text_from(end)
    reading.end_unmarked()


def failed(reading: Reading, block: Block, need: int = 0) -> ParseOf[State]:
    """FAILED: read a block from its error, at the cursor, to what ends it (EXT-043). ``need`` is 1
    where it begins with a stray begin, which is none of the openers that are counted.
    """
    if block.dialect.messages:
        return partial(dropped, start=block.start, block=block, code="invalid_json")
    source, own = reading.source, reading.language.balancing(block.dialect, BLANK_LINE)
    error = source.offset
    source.back_to(block.start)
    if block.dialect.limit_bytes is None:
        source.unmark()  # the inner text is kept only where its length matters
    # Counting begins at the own opener, also in strings (D7.1): a quoted call that was not counted
    # would be executed.
    skip = behind = 0
    while found := (yield from reading.seek(own, skip=skip)):
        skip = 1  # a header can hold a blank line, and no marker
        if found.kind == "blank_line":
            if found.start >= error:
                reading.reject(block, "invalid_json", end=found.start)
                source.unmark()
                reading.end_wrappers()
                reading.end_unmarked()
                reading.skip()
                return partial(muted, block=block, need=need, skip=max(0, behind - found.start))
        elif found.start < behind:
            continue
        elif found.kind != "closer":
            need += 1
            behind = found.end
        elif found.start >= error:  # one before the error stood in a string
            need -= 1
            if not need:
                reading.move_behind(found)
                break
    reading.reject(block, "invalid_json", closer=found)
    return prose


def muted(reading: Reading, block: Block, need: int, skip: int) -> ParseOf[State]:
    """MUTED: read on to what balances a failed block; no marker counts, so nothing waits
    (EXT-115). ``skip``: how many characters are left of a header.
    """
    own, say = reading.language.balancing(block.dialect), reading.say_muted
    while need and (found := (yield from reading.seek(own, say, skip=skip, whole=True))):
        reading.move_behind(found)
        skip = 0
        need += -1 if found.kind == "closer" else 1
    reading.is_behind_block = False
    reading.skip(is_whole=False)  # text in which no code begins
    reading.has_words = True
    return prose


def dropped(
    reading: Reading, start: int, block: Block | None = None, code: str = ""
) -> ParseOf[State]:
    """DROPPED: read a message, or a block that is rejected with a code, to its end; none of it is
    shown (EXT-040, EXT-190).
    """
    language = reading.language
    if block:
        reading.source.unmark()
        end = yield from reading.seek(language.message_ends(block.dialect, is_block=True))
    else:
        ends = language.closers[language.messages_key]
        end = yield from reading.seek(ends, cut=reading.cut_call)
    if end and end.ends_behind:
        reading.move_behind(end)
    reading.skip()
    if block:
        reading.reject(block, code)
    else:
        reading.decided.say(Span(start, reading.source.offset, "message"))
    return prose
