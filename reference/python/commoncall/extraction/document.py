"""The parser of a whole text: prose, reasoning, blocks, and blocks that the text behind them
decides about (definitions "machine", "block", "reasoning").
"""

from commoncall.extraction.bare import read_bare
from commoncall.extraction.block import read_block
from commoncall.extraction.drafts import drafts_of
from commoncall.extraction.failed_block import read_failed, read_unshown
from commoncall.extraction.language import FOREIGN
from commoncall.extraction.markers import Marker, Markers
from commoncall.extraction.reading import Block, Pending, Reading
from commoncall.extraction.source import Parse, ParseOf
from commoncall.json_text import SPACE_RUN


def read_document(reading: Reading, *, starts_in_reasoning: bool = False) -> Parse:
    """Read a text to its end."""
    source, header = reading.source, None
    if starts_in_reasoning and (yield from source.peek()):
        yield from _read_open_reasoning(reading)
    elif reading.language.opened and (yield from source.peek()):
        header = yield from reading.marker_here(markers=reading.language.opened)
        if header or (header := (yield from _read_stripped(reading))):
            yield from _read_marker(reading, header)
    # Reasoning and tokens may stand before a bare message.
    is_begin = reading.language.bare and (header is None or _may_precede_bare(header))
    first = (yield from read_bare(reading)) if is_begin else -1
    while marker := (yield from _next_marker(reading)):
        if reading.pending and (yield from _decide_pending(reading, reading.pending, marker)):
            continue
        yield from _read_marker(reading, marker)
        if marker.start == first and _may_precede_bare(marker):
            first = yield from read_bare(reading)
    if reading.pending:
        _release_pending(reading, reading.pending)


def _may_precede_bare(marker: Marker) -> bool:
    return marker.kind == "reasoning" or marker.is_token


def _read_marker(reading: Reading, marker: Marker) -> Parse:
    """Read a marker that stands in prose, and what it begins."""
    is_left = reading.is_behind_block or reading.language.has_control
    if marker.kind == "closer" and is_left:  # EXT-203, EXT-204
        _remove_token(reading, marker)
    elif marker.kind == "closer" or (marker.opens and reading.quotes):  # EXT-040, EXT-200
        reading.leave(marker)
    elif marker.opens:
        reading.begin_marked()
        yield from _read_blocks(reading, marker)
    elif marker.is_token:
        reading.begin_marked()
        reading.is_behind_block = False
        _remove_token(reading, marker)
        yield from _read_blocks(reading, (yield from _between_blocks(reading)))
    else:
        reading.strings.interrupt()
        reading.move_behind(marker)
        if marker.kind == "reasoning":
            closers = reading.language.closers[marker.dialects[0]]
            yield from _read_reasoning(reading, marker.start, closers)
        else:
            yield from reading.to_end(reading.language.ends)
            reading.decided.dropped(marker.start, reading.source.offset)


def _remove_token(reading: Reading, token: Marker) -> None:
    """Take a token out of the text (EXT-177)."""
    reading.move_behind(token)
    reading.skip()
    reading.decided.removed(token.start, token.end, "token")


def _next_marker(reading: Reading) -> ParseOf[Marker | None]:
    """Read text up to the next marker outside code, not further; None at the end (EXT-030)."""
    source, code, language = reading.source, reading.code, reading.language
    while True:
        undecided = reading.pending is not None and reading.pending.end is None
        markers = language.with_foreign if undecided else language.markers
        found = markers.search(source.text, source.at)
        marker = markers.first(found, source.text, source.base)
        if marker is None:
            _prose_to(reading, source.base + len(source.text))
            if not (yield from source.more()):
                return None
            continue
        _prose_to(reading, marker.start)
        if undecided and not reading.pending:
            continue  # a blank line came first, and other markers count behind it
        # An own marker may begin like a foreign one.
        own = undecided and language.markers.read_at(source.text, source.at, source.base)
        marker = own or marker
        if marker.kind == "cut_off":
            if (yield from reading.more_behind(marker)):
                continue
            marker = _cut_short(reading, marker, undecided=undecided)
            if marker is None:
                _prose_to(reading, source.offset + 1)
                continue
        code.meet_marker()
        pending = reading.pending
        is_own = pending is not None and marker.is_closer(pending.block.dialect.key)
        if not (code.hides_closer() if is_own else code.hides):
            return marker
        if marker.kind != "foreign":
            code.note_marker()
        reading.leave(marker)


def _cut_short(reading: Reading, begin: Marker, *, undecided: bool) -> Marker | None:
    """Return what the text ends in, which would have been a header; other markers can stand in
    that.
    """
    source = reading.source
    marker = reading.cut_header(begin)
    if undecided and marker is None:
        marker = Markers(FOREIGN).read_at(source.text, source.at, source.base)
    return None if marker and marker.kind == "cut_off" else marker


def _prose_to(reading: Reading, offset: int) -> None:
    """Move over text that is no marker; a blank line in it decides about a pending block."""
    reading.prose_to(offset)
    pending = reading.pending
    if pending:
        reading.code.read()
        if reading.code.blank_lines > pending.blank_lines:
            _release_pending(reading, pending)


def _read_blocks(reading: Reading, opener: Marker | None) -> Parse:
    """Read a block, and what follows it as long as that is a further block."""
    source = reading.source
    while opener:
        dialect = reading.language.dialects[opener.dialects[0]]
        block = Block(dialect, opener.start, opener.end, opener.header)
        reading.note_opener()
        source.mark(opener.start)
        reading.move_behind(opener)
        reading.skip()
        if (yield from reading.end_marked()):
            return
        if opener.kind == "reserved":
            yield from read_unshown(reading, block, "reserved_header")
        else:
            yield from source.skip_run(SPACE_RUN)
            found = yield from reading.marker_here()
            if found and found.opens:
                opener = found if _open_wrapper(reading, opener) else None
                continue
            yield from read_block(reading, block, found)
        if reading.pending:
            return
        opener = yield from _between_blocks(reading)
    reading.end_unmarked()


def _open_wrapper(reading: Reading, opener: Marker) -> bool:
    """Take an opener before the opener at the cursor for a wrapper, and tell so; not where that
    stands in code.
    """
    source = reading.source
    reading.code.add(source.since(opener.end))
    reading.code.meet_marker()
    if reading.code.hides:
        reading.release(opener.start, opener.end)
        return False
    reading.wrappers.open(opener, source.since(opener.start))
    return True


def _between_blocks(reading: Reading) -> ParseOf[Marker | None]:
    """Read the space and closers between the blocks of a wrapper or of what may be marked text;
    return the next one's opener.
    """
    source, wrappers = reading.source, reading.wrappers
    source.unmark()
    while wrappers or reading.is_held:
        if (yield from reading.end_marked()):
            break
        while True:
            space = SPACE_RUN.match(source.text, source.at)
            assert space is not None
            reading.prose_to(source.base + space.end())
            if source.at < len(source.text) or not (yield from source.more()):
                break
        found = yield from reading.marker_here()
        if not found:
            break
        reading.code.meet_marker()
        if reading.code.hides:
            break
        if found.opens:
            return found
        if found.is_token and reading.is_held:
            wrappers.end()
            _remove_token(reading, found)
            continue
        if not wrappers.closes(found):
            break
        reading.move_behind(found)
        reading.skip()
        dialect = reading.language.dialects[wrappers.close(found)]
        reading.decided.removed(found.start, found.end, "call", dialect.id, 0)
    wrappers.end()
    return None


def _decide_pending(reading: Reading, pending: Pending, marker: Marker) -> ParseOf[bool]:
    """Decide about a pending block by the marker behind it; tell if that was of it (EXT-046)."""
    block = pending.block
    is_foreign = marker.kind == "foreign"
    if not is_foreign and not marker.is_closer(block.dialect.key):
        _release_pending(reading, pending)
        return False
    reading.pending = None
    reading.end_pending(pending.code_before)
    if is_foreign:
        yield from read_failed(reading, block)
    else:
        reading.move_behind(marker)
        reading.reject(block, pending.code, closer=marker)
    yield from _read_blocks(reading, (yield from _between_blocks(reading)))
    return True


def _release_pending(reading: Reading, pending: Pending) -> None:
    """No closer came for a pending block (EXT-040, EXT-046)."""
    reading.pending = None
    block, end = pending.block, pending.end
    if end is None and reading.language.has_control and not block.dialect.is_section:
        end = block.inner  # an opener that is a control token is no mention (EXT-204)
    if end is None:
        reading.release(block.start, block.inner)
    else:
        reading.reject(block, pending.code, end=end)
        reading.release(end)
    reading.end_unmarked()


def _read_reasoning(reading: Reading, start: int, closers: Markers) -> Parse:
    """Read reasoning to the first of its closers, or to an opener that ends it (EXT-020,
    EXT-026, EXT-206).
    """
    source, decided = reading.source, reading.decided
    decided.reasoning_begins()
    drafts = drafts_of(reading, read_document)
    end = yield from reading.seek(closers, drafts.read if drafts else decided.reasoning_text)
    if end and end.is_end:
        reading.move_behind(end)
    reading.skip()
    reading.is_behind_block = False
    if drafts and drafts.end() and (not end or (yield from _is_rest_closers(reading))):
        drafts.run(start, end)
        return
    others = drafts.leave() if drafts else 0
    codes = () if end else ("unclosed", *["in_reasoning"] * others)
    decided.removed(start, source.offset, "reasoning", codes=codes)
    if not end:
        decided.in_reasoning(others)


def _read_open_reasoning(reading: Reading) -> Parse:
    """Read reasoning that the prompt opened, and an opener that the model repeats (EXT-209)."""
    source, closers = reading.source, reading.language.closers
    start = source.offset
    source.mark(start)
    yield from source.skip_run(SPACE_RUN)
    echo = yield from reading.marker_here()
    is_echo = echo is not None and echo.kind == "reasoning"
    source.back_to(start)
    source.unmark()
    if echo and is_echo:
        reading.move_behind(echo)
        yield from _read_reasoning(reading, start, closers[echo.dialects[0]])
    else:
        yield from _read_reasoning(reading, start, next(iter(closers.values())))


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
        if end.is_end:
            reading.move_behind(end)
        reading.skip()
        reading.decided.removed(start, source.offset, "reasoning")
    else:
        source.back_to(start)
    source.unmark()
    return None if not end or end.is_end else end


def _is_rest_closers(reading: Reading) -> ParseOf[bool]:
    """Tell whether nothing but white space, closers and tokens follows the cursor, which does not
    move.
    """
    source = reading.source
    start = source.offset
    source.mark(start)
    yield from source.skip_run(SPACE_RUN)
    while (yield from source.peek()):
        found = yield from reading.marker_here()
        if not found or not (found.kind == "closer" or found.is_token):
            break
        reading.move_behind(found)
        yield from source.skip_run(SPACE_RUN)
    is_rest = not (yield from source.peek())
    source.back_to(start)
    source.unmark()
    return is_rest
