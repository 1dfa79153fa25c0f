"""Blocks: what the block of an opener is, decided by looking ahead as far as needed."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass

from tests.slow_extraction.characters import (
    ascii_lower,
    is_letter_or_digit,
    next_blank_line,
    skip_json_white_space,
)
from tests.slow_extraction.code import Code, Reader
from tests.slow_extraction.descriptors import Form
from tests.slow_extraction.markers import Marker, Markers
from tests.slow_extraction.parameters import Parameters, parameters_begin, read_parameters
from tests.slow_extraction.payload import Failed, Payload, Truncated, payload_begin, read_payload

FOREIGN_TAGS = ("<function=", "<parameter", "<invoke", "<arg_key", "<arg_value")


@dataclass
class Block:
    """What became of the block that an opener begins.

    ``end`` is behind the block, and ``inner_end`` before the closer that ends it, or also behind
    the block where none does (inner text). ``code`` is the code of a block that is rejected before
    the values of its payload are judged; ``begun`` tells whether a payload began (block, 3).

    Prose goes on at ``end``, but behind a failed block with a blank line it goes on at ``resume``:
    behind the balancing closer, which begins at ``closer``, or the text.
    """

    end: int
    inner_end: int
    code: str | None = None
    payload: Payload | Parameters | None = None
    resume: int | None = None
    closer: int | None = None
    begun: bool = False


@dataclass(frozen=True)
class Stop:
    """Where prose that decides about a block ends, and why."""

    at: int
    why: str  # "marker", "foreign", "blank line or end"


def chain_of(markers: Markers, opener: Marker) -> list[Marker]:
    """Return an opener and the openers directly behind it (block, 2)."""
    chain = [opener]
    while not chain[-1].reserved:
        following = markers.at(skip_json_white_space(markers.text, chain[-1].end))
        if following is None or following.kind != "opener":
            break
        chain.append(following)
    return chain


def read_block(
    markers: Markers, opener: Marker, wrappers: list[Form], code: Reader, since: int
) -> Block | None:
    """Return what the block of an opener is, or None where the opener is text (block).

    ``wrappers`` are the open ones, and ``code`` is what was read of it, which stays as it is.
    ``since`` is where the openers before it begin, or the white space in a wrapper.
    """
    text = markers.text
    if opener.reserved:
        return reserved_block(markers, opener)
    at = skip_json_white_space(text, opener.end)
    if payload_begins(markers, opener, at):  # 3, for 2 is the chain's
        if opener.form.is_read_as_parameters:
            block = parameters_block(markers, opener, at)
        else:
            block = payload_block(markers, opener, at, wrappers, code)
        block.begun = True
        return block
    closer = markers.closer_of(opener.form, at)
    if closer is not None:  # 1, which only a payload of parameters can begin with
        return ended_by(closer, "empty")
    if at == len(text):
        return Block(at, at, "truncated")  # 4
    if "\n" in text[opener.end : at]:
        return failed_block(markers, opener, at)  # 5
    if at == opener.end and (
        is_letter_or_digit(text[at])
        or text[at] in "\"'"
        or (text[at] == "<" and markers.at(at) is None)
    ):
        return failed_block(markers, opener, at)  # 6
    return undecided(markers, opener, code, since)  # 7


def payload_begins(markers: Markers, opener: Marker, at: int) -> bool:
    """Tell whether the payload of a block begins behind its opener and white space (block)."""
    if opener.form.payload is None:  # of a section
        return False
    if opener.form.is_read_as_parameters:
        return parameters_begin(markers.text, opener.end, at, opener.form)
    return payload_begin(markers.text, at, markers.opens) is not None


def parameters_block(markers: Markers, opener: Marker, at: int) -> Block:
    """Read a payload of parameters, which ends with the own closer."""
    try:
        payload = read_parameters(markers.text, at, opener.form)
    except Truncated:
        return Block(len(markers.text), len(markers.text), "truncated")
    except Failed as failed:
        return failed_block(markers, opener, failed.at)
    return Block(payload.end, payload.inner_end, payload=payload)


def ended_by(closer: Marker, code: str | None = None, payload: Payload | None = None) -> Block:
    """Return a block that ends behind its own closer."""
    return Block(closer.end, closer.start, code, payload)


def reserved_block(markers: Markers, opener: Marker) -> Block:
    """EXT-103."""
    for at in range(opener.end, len(markers.text)):
        for token in ("<|end|>", "<|call|>"):
            if markers.text.startswith(token, at):
                return Block(at + len(token), at, "reserved_header")
    return Block(len(markers.text), len(markers.text), "reserved_header")


def payload_block(
    markers: Markers, opener: Marker, at: int, wrappers: list[Form], code: Reader
) -> Block:
    """Read a payload and decide by what stands behind it (behind the payload)."""
    alone = opener.form.closer is None
    try:
        payload = read_payload(markers.text, at, markers.opens, alone=alone)
    except Truncated:
        return Block(len(markers.text), len(markers.text), "truncated")  # EXT-042
    except Failed as failed:
        return failed_block(markers, opener, failed.at)
    if alone:  # EXT-130
        return Block(payload.end, payload.end, payload=payload)
    behind = skip_json_white_space(markers.text, payload.end)
    closer = markers.closer_of(opener.form, behind)
    if closer is not None:
        return ended_by(closer, payload=payload)  # 1
    closes_wrapper = any(markers.closer_of(wrapper, behind) for wrapper in wrappers)
    if closes_wrapper or markers.opens(behind) or behind == len(markers.text):  # 2
        payload.repairs.append("missing_closer")
        return Block(payload.end, payload.end, payload=payload)
    if markers.text[behind] in ',}]:"':  # 3
        return failed_block(markers, opener, behind)
    stop = prose_stop(markers, deepcopy(code), payload.end)  # 4
    closer = markers.closer_of(opener.form, stop.at) if stop.why == "marker" else None
    if closer is None:
        return Block(payload.end, payload.end, "trailing_text")
    return ended_by(closer, "trailing_text")


def undecided(markers: Markers, opener: Marker, code: Reader, since: int) -> Block | None:
    """Decide about an undecided opener by the prose behind it (undecided opener)."""
    code = deepcopy(code)
    line = code.lines_between(since, opener.end)
    stop = prose_stop(markers, code, opener.end, line, FOREIGN_TAGS)
    if stop.why == "foreign":
        return failed_block(markers, opener, stop.at)
    closer = markers.closer_of(opener.form, stop.at) if stop.why == "marker" else None
    return None if closer is None else ended_by(closer, "not_json")  # EXT-045, EXT-046


def failed_block(markers: Markers, opener: Marker, error: int) -> Block:
    """Find the end of a block that fails (failed block)."""
    closer = balancing_closer(markers, opener, error)
    blank = next_blank_line(markers.text, error)
    last = len(markers.text) if closer is None else closer.start
    if blank is not None and blank < last:
        block = Block(blank - 1, blank - 1, "invalid_json", resume=len(markers.text))
        if closer is not None:
            block.closer, block.resume = closer.start, closer.end
        return block
    return Block(last, last, "invalid_json") if closer is None else ended_by(closer, "invalid_json")


def balancing_closer(markers: Markers, opener: Marker, error: int) -> Marker | None:
    """Return the own closer at or behind the error that balances all own openers."""
    needed = 0
    for at in range(opener.start, len(markers.text)):
        marker = markers.at(at)
        if marker is None or opener.form not in marker.owners or marker.reserved:
            continue
        if marker.kind == "opener":
            needed += 1
        elif at >= error:
            needed -= 1
            if needed == 0:
                return marker
    return None


def prose_stop(
    markers: Markers,
    code: Reader,
    start: int,
    line: Code | None = None,
    foreign: tuple[str, ...] = (),
) -> Stop:
    """Read prose, with its code, up to what decides about a block; it may begin in an indented
    line.
    """
    blank = next_blank_line(markers.text, start - 1)
    end = len(markers.text) if blank is None else markers.text.index("\n", blank) + 1
    at = line.end if line else start
    while at < end:
        hidden = code.code_at(at)
        if hidden is not None:
            at = hidden.end
            continue
        if markers.at(at) is not None:
            return Stop(at, "marker")
        if any(ascii_lower(markers.text[at : at + len(tag)]) == tag for tag in foreign):
            return Stop(at, "foreign")
        at += 1
    return Stop(end, "blank line or end")
