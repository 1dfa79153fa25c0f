"""Quotations: where an opener stands and is ignored (quotation, marked text)."""

from tests.evidence.second_reading.characters import BLANKS, line_start
from tests.evidence.second_reading.markers import Markers
from tests.evidence.second_reading.payload import Failed, Scanner, Truncated

MARKS = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "「": "」"}
INNER_BLANKS = " \u00a0\u202f"


def partner_behind(text: str, at: int) -> str | None:
    """Return the partner of the opening mark that stands directly before a place."""
    for blank in INNER_BLANKS:
        if text[:at].endswith("«" + blank):
            return "»"
    return MARKS.get(text[at - 1 : at])


def is_partner(text: str, at: int, partner: str) -> bool:
    """Tell whether the partner of a mark stands at a place."""
    ways = [partner] + [blank + partner for blank in INNER_BLANKS if partner == "»"]
    return any(text.startswith(way, at) for way in ways)


def only_list_markers(prefix: str) -> bool:
    """Tell whether the begin of a line holds only blanks, `>` and list markers (fence)."""
    at = 0
    while at < len(prefix):
        if ord(prefix[at]) in BLANKS or prefix[at] in ">-*+":
            at += 1
            continue
        digits = at
        while digits < len(prefix) and prefix[digits] in "0123456789":
            digits += 1
        if digits == at or prefix[digits : digits + 1] not in (".", ")"):
            return False
        at = digits + 1
    return True


def is_on_quoted_line(markers: Markers, at: int, removed: list[tuple[int, int]]) -> bool:
    """Tell whether a place stands in the rest of a line behind `>` (quotation).

    ``removed`` is what was taken out of the text before it, which ends no line.
    """
    text, place = markers.text, at
    while place:
        inside = [start for start, end in removed if start < place <= end]
        if inside:
            place = inside[0]
            continue
        place -= 1
        if text[place] == "\n":
            return False
        start = line_start(text, place)
        if text[place] == ">" and only_list_markers(text[start:place]):
            before = text[start:place][-1:]
            is_of_tag = any(is_of_marker(markers, each) for each in range(start, place + 1))
            if (before in ("", ">") or ord(before) in BLANKS) and not is_of_tag:
                return True
    return False


def is_of_marker(markers: Markers, at: int) -> bool:
    """Tell whether a place is one of a marker."""
    found = filter(None, map(markers.at, range(at)))
    return any(marker.start < at < marker.end for marker in found)


def is_in_string(text: str) -> bool:
    """Tell whether a text is the begin of JSON and ends in a string of it (quotation)."""
    if text[:1] not in ("{", "["):
        return False
    scanner = Scanner(text, 0)
    try:
        scanner.scan()
    except Truncated:
        return scanner.in_string
    except Failed:
        pass
    return False
