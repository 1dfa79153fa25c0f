"""Which known endpoints refuse a request, where ``check`` is told of none."""

from collections.abc import Iterable
from typing import get_args

from commoncall.dialect_data import profile_ids
from commoncall.interface import Interface
from commoncall.payload import load_profile
from commoncall_tools.endpoint_answers import answer
from commoncall_tools.request_findings import Entry, check


def refusing(document: object, known: Iterable[Entry]) -> list[str]:
    """Return a line for each endpoint that refuses what is not among the known; those that answer
    the same share one.

    Who wrote the history is not said, so what only its provider understands counts as its own.
    """
    said = {(one.code, one.place) for one in known if one.refused}
    lines: dict[str, list[str]] = {}
    for profile in profile_ids():
        if profile in get_args(Interface):  # it takes no request of Chat Completions
            continue
        here = {"provider": profile, "model": "any"}
        flags = {**load_profile(profile, origin=here), "unmarked": here}
        found = [one for one in check(document, flags).entries if one.refused]
        if news := [one for one in found if (one.code, one.place) not in said]:
            lines.setdefault(_line(profile, news), []).append(profile)
    return [f"refused by {', '.join(profiles)}: {line}" for line, profiles in lines.items()]


def _line(profile: str, news: list[Entry]) -> str:
    first = news[0]
    said = answer(profile, first.code, first.refusals, first.said_of, lambda _: True)
    more = f", and {len(news) - 1} more" if len(news) > 1 else ""
    return f"{first.code} at {first.place or '/'}{more}: {said or first.why}"
