"""Marked text: what stands between a mark and its partner (marked text)."""

from tests.evidence.second_reading.blocks import chain_of, read_block
from tests.evidence.second_reading.characters import skip_json_white_space
from tests.evidence.second_reading.code import Reader
from tests.evidence.second_reading.descriptors import Form
from tests.evidence.second_reading.markers import Marker, Markers
from tests.evidence.second_reading.quotations import is_partner, partner_behind


def marked_end(markers: Markers, first: Marker, code: Reader) -> int | None:
    """Return the end of the marked text that begins with an opener or a token, if any (marked
    text).
    """
    text = markers.text
    partner = partner_behind(text, first.start)
    if partner is None:
        return None
    wrappers: list[Form] = []
    has_opener = False
    at = end = first.start
    code = code.copy()
    while not code.hides(at):
        marker = markers.at(at)
        if marker is not None and marker.kind == "opener":
            has_opener = True
            chain = chain_of(markers, marker, code)
            for each in chain:
                if is_partner(text, each.end, partner):
                    return each.end
            wrappers += [outer.form for outer in chain[:-1]]
            block = read_block(markers, chain[-1], wrappers, code, partner)
            if block is None or block.resume is not None:
                return None
            for opener in chain:
                code.skip(opener.start, opener.end)
            end = block.end
        elif marker is not None and any(map(marker.closes, wrappers)):
            closed = wrappers.pop()
            while not marker.closes(closed):
                closed = wrappers.pop()
            end = marker.end
        elif marker is not None and markers.is_token(at):
            wrappers = []
            end = marker.end
        else:
            return None
        if has_opener and is_partner(text, end, partner):
            return end
        code.skip(at, end)
        at = skip_json_white_space(text, end)
    return None
