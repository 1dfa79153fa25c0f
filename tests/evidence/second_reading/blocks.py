"""Blocks: what the block of an opener is, decided by looking ahead as far as needed."""

from dataclasses import dataclass

from tests.evidence.second_reading.characters import (
    ascii_lower,
    is_letter_or_digit,
    line_end,
    next_blank_line,
    skip_json_white_space,
)
from tests.evidence.second_reading.code import Reader
from tests.evidence.second_reading.descriptors import Form
from tests.evidence.second_reading.literal_calls import calls_begin, read_literal_calls
from tests.evidence.second_reading.markers import Marker, Markers
from tests.evidence.second_reading.messages import message_end
from tests.evidence.second_reading.parameters import Parameters, parameters_begin, read_parameters
from tests.evidence.second_reading.payload import (
    Failed,
    Payload,
    Truncated,
    payload_begin,
    read_payload,
)
from tests.evidence.second_reading.quotations import is_partner
from tests.evidence.second_reading.quoted_object import read_quoted_object

SIGNS = ("<function=", "<parameter", "<invoke", "<arg_key", "<arg_value")
"""What fails a block behind an undecided opener (undecided opener)."""


@dataclass
class Block:
    """What became of the block that an opener begins.

    ``end`` is behind the block, and ``inner_end`` before the closer that ends it, or also behind
    the block where none does (inner text). ``code`` is the code of a block that is rejected before
    the values of its payload are judged; ``begun`` tells whether a payload began.

    The text goes on at ``end``, but behind a failed block that a blank line ends it goes on at
    ``resume``: up to there it is text without markers, code and reasoning (failed block, 2).
    """

    end: int
    inner_end: int
    code: str | None = None
    payload: Payload | Parameters | None = None
    resume: int | None = None
    begun: bool = False


@dataclass(frozen=True)
class Stop:
    """Where text that is read as prose ends, and what ends it (prose)."""

    at: int
    why: str  # "marker", "sign" of an undecided opener, "blank line", "end of the text"


def chain_of(markers: Markers, opener: Marker, code: Reader) -> list[Marker]:
    """Return an opener and the openers directly behind it (block, the row "another opener").

    The block of the last one tells whether those before it are wrappers. A reserved opener holds
    all that follows (EXT-103).
    """
    chain, code = [opener], code.copy()
    while not chain[-1].reserved:
        at = skip_json_white_space(markers.text, chain[-1].end)
        following = markers.at(at)
        if following is None or following.kind != "opener":
            break
        code.skip(chain[-1].start, chain[-1].end)
        if code.hides(at):
            break
        chain.append(following)
    return chain


def read_block(
    markers: Markers,
    opener: Marker,
    wrappers: list[Form],
    code: Reader,
    partner: str | None = None,
) -> Block | None:
    """Return what the block of an opener is, or None where the opener is text (block).

    It is the last of its chain. ``wrappers`` are the open ones, and ``code`` is what was read of
    it, which stays as it is. Directly behind its payload a ``partner`` ends it (marked text).
    """
    text = markers.text
    if opener.reserved:
        return reserved_block(markers, opener)
    at = skip_json_white_space(text, opener.end)
    white_space = text[opener.end : at]
    begins = payload_begins(markers, opener, at)
    closer = markers.closer_of(opener.form, at)
    # its own closer, unless a payload of parameters begins there
    if closer is not None and not begins:
        return ended_by(closer, "empty")  # EXT-047
    # an opener, as the first on an indented line
    if markers.opens(at):
        return undecided(markers, opener, code)
    # the begin of a payload of its payload scanner
    if begins:
        block = block_with_payload(markers, opener, at, wrappers, code, partner)
        block.begun = True
        return block
    # the end of the text
    if at == len(text):
        return Block(at, at, "truncated")  # EXT-042
    # anything else, where the opener is that of a section
    if opener.form.payload is None:
        return undecided(markers, opener, code)
    # anything else, with a line feed in that white space
    if "\n" in white_space:
        return failed_block(markers, opener, at)
    # without white space a letter or digit, a quotation mark, or a `<` that begins no marker
    if not white_space and (
        is_letter_or_digit(text[at])
        or text[at] in "\"'"
        or (text[at] == "<" and markers.at(at) is None)
    ):
        return failed_block(markers, opener, at)
    # anything else
    if opener.of_message is not None:
        return broken_message(markers, opener, at, "invalid_json")
    return undecided(markers, opener, code)


def payload_begins(markers: Markers, opener: Marker, at: int) -> bool:
    """Tell whether the payload of a block begins behind its opener and white space (block)."""
    if opener.form.payload is None:  # of a section
        return False
    if opener.form.is_read_as_parameters:
        return parameters_begin(markers.text, opener.end, at, opener.form)
    if opener.form.scanner == "python_calls":
        return calls_begin(markers.text, opener.end, at, opener.form)
    if opener.form.scanner == "quoted_object":
        return markers.text.startswith(opener.form.payload["name_begin"], at)
    return payload_begin(markers.text, at, markers.is_no_value) is not None


def block_with_payload(
    markers: Markers,
    opener: Marker,
    at: int,
    wrappers: list[Form],
    code: Reader,
    partner: str | None,
) -> Block:
    """Return what the payload that begins here makes of the block (block)."""
    try:
        if opener.form.is_read_as_parameters:
            parameters = read_parameters(markers.text, at, opener.form)
            return Block(parameters.end, parameters.inner_end, payload=parameters)
        if opener.form.scanner == "python_calls":
            calls = read_literal_calls(markers.text, at, opener.form)
            return behind_the_payload(markers, opener, calls, wrappers, code, partner)
        if opener.form.scanner == "quoted_object":
            named = read_quoted_object(markers.text, at, opener.form)
            return behind_the_payload(markers, opener, named, wrappers, code, partner)
        alone = opener.form.closer is None
        fenced = (opener.form.payload or {}).get("fence") == "expected"
        payload = read_payload(markers.text, at, markers.is_no_value, alone=alone, fenced=fenced)
    except Truncated:
        return Block(len(markers.text), len(markers.text), "truncated")  # EXT-042
    except Failed as failed:
        return failed_block(markers, opener, failed.at)
    return behind_the_payload(markers, opener, payload, wrappers, code, partner)


def ended_by(closer: Marker, code: str | None = None, payload: Payload | None = None) -> Block:
    """Return a block that ends behind its own closer."""
    return Block(closer.end, closer.start, code, payload)


def reserved_block(markers: Markers, opener: Marker) -> Block:
    """EXT-103, EXT-192."""
    if opener.of_message is not None:
        return broken_message(markers, opener, opener.end, "reserved_header")
    for at in range(opener.end, len(markers.text)):
        for token in ("<|end|>", "<|call|>"):
            if markers.text.startswith(token, at):
                return Block(at + len(token), at, "reserved_header")
    return Block(len(markers.text), len(markers.text), "reserved_header")


def broken_message(markers: Markers, opener: Marker, at: int, code: str) -> Block:
    """Return a block that ends with its message, from a place on (broken message, EXT-191)."""
    start, end = message_end(markers.text, at, opener.form)
    return Block(end, start, code)


def behind_the_payload(
    markers: Markers,
    opener: Marker,
    payload: Payload,
    wrappers: list[Form],
    code: Reader,
    partner: str | None,
) -> Block:
    """Decide about a block by what stands behind its payload (behind the payload)."""
    text = markers.text
    is_marked = partner is not None and is_partner(text, payload.end, partner)
    if opener.form.closer is None or is_marked:
        return Block(payload.end, payload.end, payload=payload)
    at = skip_json_white_space(text, payload.end)
    # its own closer
    closer = markers.closer_of(opener.form, at)
    if closer is not None:
        return ended_by(closer, payload=payload)
    # an opener, a token, the closer of an open wrapper, or the end of the text
    closes_wrapper = any(markers.closer_of(wrapper, at) for wrapper in wrappers)
    if opener.of_message is not None and at == len(text):
        return Block(payload.end, payload.end, payload=payload)
    is_message = opener.of_message is not None and markers.is_header(at)
    if markers.opens(at) or markers.is_token(at) or is_message or closes_wrapper or at == len(text):
        payload.repairs.append("missing_closer")
        return Block(payload.end, payload.end, payload=payload)
    # `,` `}` `]` `:` or `"`
    if text[at] in ',}]:"':
        return failed_block(markers, opener, at)
    # anything else
    if opener.of_message is not None:
        return broken_message(markers, opener, payload.end, "trailing_text")
    code = code.copy()
    code.skip(opener.start, opener.end)
    code.skip(opener.end, payload.end, whole=False)
    stop = read_prose(markers, code, payload.end, opener)
    closer = markers.closer_of(opener.form, stop.at) if stop.why == "marker" else None
    if closer is not None:
        return ended_by(closer, "trailing_text")
    return Block(payload.end, payload.end, "trailing_text")


def undecided(markers: Markers, opener: Marker, code: Reader) -> Block | None:
    """Decide about an undecided opener by the prose behind it (undecided opener, EXT-046)."""
    code = code.copy()
    code.skip(opener.start, opener.end)
    stop = read_prose(markers, code, opener.end, opener, SIGNS)
    # its own closer
    closer = markers.closer_of(opener.form, stop.at) if stop.why == "marker" else None
    if closer is not None:
        return ended_by(closer, "not_json")
    # outside code, where no marker stands: a sign
    if stop.why == "sign":
        return failed_block(markers, opener, stop.at)
    # what else ends the prose
    return None


def failed_block(markers: Markers, opener: Marker, error: int) -> Block:
    """Find the end of a block that fails (failed block, EXT-043)."""
    text = markers.text
    if opener.of_message is not None:
        return broken_message(markers, opener, error, "invalid_json")
    # 1
    closer = balancing_closer(markers, opener, error)
    balances, end = (len(text), len(text)) if closer is None else (closer.start, closer.end)
    # 2
    blank = next_blank_line(text, error)
    if blank is not None and line_end(text, blank) + 1 <= balances:
        return Block(blank - 1, blank - 1, "invalid_json", resume=end)
    # 3
    return Block(end, balances, "invalid_json")


def balancing_closer(markers: Markers, opener: Marker, error: int) -> Marker | None:
    """Return the own closer that leaves no opener in need of one, if any (failed block, 1)."""
    in_need = 0
    for at in range(opener.start, len(markers.text)):
        marker = markers.at(at)
        if marker is None:
            continue
        if marker.kind == "opener" and marker.owners:
            same = written_closer(marker.form) == written_closer(opener.form) != ""
            in_need += marker.form is opener.form or same
        elif marker.closes(opener.form) and at >= error:
            in_need -= 1
            if in_need == 0:
                return marker
    return None


def written_closer(form: Form) -> str:
    """Return the closer of a form as models write it, nothing where there is none."""
    closer = form.closer or {"text": ""}
    return str(closer["text"]) if "text" in closer else f"</{closer['tag']}>"


def read_prose(
    markers: Markers,
    code: Reader,
    start: int,
    opener: Marker,
    signs: tuple[str, ...] = (),
) -> Stop:
    """Read text as prose, with its code, and return what ends it (prose).

    Signs outside code end it, too (undecided opener).
    """
    text = markers.text
    blank = next_blank_line(text, start - 1)
    end = len(text) if blank is None else line_end(text, blank) + 1
    at = start
    while at < end:
        marker = markers.at(at)
        if marker is not None:
            if not code.hides(at, closes=marker.closes(opener.form)):
                return Stop(at, "marker")
            code.ignore(at, marker.end, opens=marker.kind == "opener")
            at = marker.end
            continue
        if any(ascii_lower(text[at : at + len(sign)]) == sign for sign in signs) and (
            not code.hides(at)
        ):
            return Stop(at, "sign")
        at += 1
    return Stop(end, "end of the text" if blank is None else "blank line")
