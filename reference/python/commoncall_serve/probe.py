"""Finds out what an endpoint refuses, and what its model leaks, by small requests."""

import http.client
import json
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from commoncall_serve.exchange import (
    Exchange,
    Json,
    Options,
    choice_of,
    error_message,
    parsed,
)
from commoncall_serve.probes import (
    ASKED,
    PLAIN,
    PROBES,
    WITH_PAST,
    WITH_TOOL,
    Probe,
    tools,
    with_reasoning,
)

TIMEOUT_S: Final = 120
LONGEST: Final = 200
UNSURE: Final = frozenset((401, 403, 404, 408, 425, 429, 502, 503, 504))
"""Statuses that say nothing of what was asked."""

COUNT: Final = len(PROBES) + len(ASKED) + 4
"""How many requests are sent at most."""

Ask = Callable[[Json], "Answer"]


class Answer(NamedTuple):
    """What an endpoint answers: a status, 0 where there was none, and a reply or what it says."""

    status: int
    reply: Any
    says: str

    @property
    def is_taken(self) -> bool | None:
        """Whether it was accepted; None: that is not known."""
        if 200 <= self.status < 300:
            return True
        return None if self.status in UNSURE or not self.status else False


class Unreachable(Exception):
    """The endpoint does not answer a plain request. Its text says what it said."""


def asking(url: str, model: str, key: str | None) -> Ask:
    """Return what sends a request to an endpoint."""
    headers = {"Content-Type": "application/json"}
    if key:
        headers["Authorization"] = f"Bearer {key}"

    def ask(request: Json) -> Answer:
        body = json.dumps({"model": model, **request}).encode()
        asked = urllib.request.Request(f"{url.rstrip('/')}/chat/completions", body, headers)
        try:
            with urllib.request.urlopen(asked, timeout=TIMEOUT_S) as answer:
                return Answer(answer.status, parsed(answer.read()), "")
        except urllib.error.HTTPError as error:
            return Answer(error.code, None, _message(error.read(), key))
        except (OSError, http.client.HTTPException) as error:
            return Answer(0, None, type(error).__name__)

    return ask


def _message(body: bytes, key: str | None) -> str:
    """Return what an error says, without what nobody should keep."""
    text = error_message(parsed(body)) or body.decode("utf-8", "replace")
    text = " ".join(text.split())
    return (text.replace(key, "...") if key else text)[:LONGEST]


class Probed(NamedTuple):
    """What was found: each probe with its answer, and how many calls came how."""

    answers: list[tuple[Probe, Answer]]
    calls: Counter[str]


def probe(ask: Ask, model: str, format: str) -> Probed:
    """Ask an endpoint all there is to ask.

    Raises:
        Unreachable: it refuses a plain request, one with a tool, or one with a call in its past.
    """
    for plain in (PLAIN, WITH_TOOL):
        _demand(ask(plain))
    answers = [(WITH_PAST, ask(WITH_PAST.request))]
    wants_reasoning = not answers[0][1].is_taken
    if wants_reasoning and not ask(with_reasoning(WITH_PAST.request)).is_taken:
        _demand(answers[0][1])
    for each in PROBES:
        request = with_reasoning(each.request) if wants_reasoning else each.request
        answers.append((each, ask(request)))
    calls: Counter[str] = Counter()
    for text in ASKED:
        calls.update(_calls(ask, model, text, format))
    return Probed(answers, calls)


def _demand(answer: Answer) -> None:
    if not answer.is_taken:
        raise Unreachable(f"{answer.status or 'no answer:'} {answer.says}".strip())


def _calls(ask: Ask, model: str, text: str, format: str) -> Iterator[str]:
    """Yield how each call of a reply came."""
    request = {"messages": [{"role": "user", "content": text}], "tools": tools()}
    exchange = Exchange({"model": model, **request}, Options(None, format))
    exchange.request()
    choice = choice_of(ask({**request, "max_tokens": 512}).reply)
    if choice is None:
        yield "no reply"
        return
    exchange.read(choice)
    got = exchange.received
    yield from ["in the text" if exchange.leaked else "native"] * len(got["dispatch"])
    yield from (f"not run: {one['error_type']}" for one in got["answers"])
    if not got["dispatch"] and not got["answers"]:
        yield "no call"


def profile_of(found: Probed, name: str, server: str) -> Json:
    """Return a profile with what was found out; what was not has its strict value."""
    today = datetime.now(UTC).date().isoformat()
    flags: Json = {}
    refuses: dict[str, list[Json]] = {}
    evidence: Json = {}
    for probe, answer in found.answers:
        if answer.is_taken is None:
            continue
        says = "accepted" if answer.is_taken else f"{answer.status}: {answer.says}"
        measured = {"kind": "measured", "ref": server, "date": today}
        shown = [{**measured, "says": f"{probe.says}: {says}"}]
        if probe.taken is not None:
            flags[probe.name] = probe.taken if answer.is_taken else probe.refused
            evidence[probe.name] = shown
        elif not answer.is_taken:
            refuses[probe.name] = shown
    if refuses:
        flags["refuses"], evidence["refuses"] = [*refuses], refuses
    head = {"format": 1, "profile": name, "title": f"{server}, as it was probed"}
    return {**head, "revision": today, "flags": flags, "evidence": evidence}


def difference(found: Probed, shipped: str, flags: Mapping[str, Any]) -> Iterator[str]:
    """Yield in lines where an endpoint answers otherwise than a profile of this name says."""
    known = flags.get("refuses", ())
    for probe, answer in found.answers:
        if answer.is_taken is None:
            yield f"{probe.name}: not known ({probe.says}: {answer.status or answer.says})"
        elif probe.taken is None and answer.is_taken == (probe.name in known):
            here = "accepted" if answer.is_taken else f"refused ({answer.status})"
            yield f"{probe.name}: {here}, {shipped} says otherwise ({probe.says})"
        elif probe.taken is not None:
            value = probe.taken if answer.is_taken else probe.refused
            held = flags.get(probe.name, value)
            # A flag can have values between these two; what is accepted is so under them, too.
            if answer.is_taken == (held == probe.refused):
                yield f"{probe.name}: {value!r}, {shipped} has {held!r} ({probe.says})"
