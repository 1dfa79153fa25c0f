"""The extractor of the crate in Rust, in the place of this one where it is installed (ADR-0346).

It gives the same results. What it cannot hold goes on here: a text with a surrogate outside a pair.
"""

import importlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, cast

from commoncall.extraction.call_value import Call
from commoncall.extraction.extractor import Extractor
from commoncall.extraction.record import Event, Extraction

SWITCH: Final = "COMMONCALL_ENGINE"
"""The variable of the environment that turns the engine off where it is ``python``."""


def _installed() -> Any:
    try:
        return importlib.import_module("commoncall_engine")
    except ImportError:
        return None


ENGINE: Final = None if os.environ.get(SWITCH) == "python" else _installed()


class Engine(Extractor):
    """An extractor whose text ``engine`` reads; ``reference`` makes one of Python for given ids.

    It is one by ``feed`` and ``finish`` alone: what these call stands here.
    """

    def __init__(
        self,
        engine: Any,
        new_id: Callable[[], str],
        reference: Callable[[Callable[[], str]], Extractor],
        *,
        events: bool,
    ) -> None:
        self._engine = engine
        self._new_id = new_id
        self._make_reference = reference
        self._reference: Extractor | None = None
        self._shows_events = events
        self._calls: list[Call] = []
        self._half = ""
        self._has_ended = False

    def result(self) -> Extraction:
        """Return the result. Call ``finish`` before."""
        if self._reference:
            return self._reference.result()
        known = self._engine.result()
        first = {name: known.pop(name) for name in ("content", "reasoning")}
        return cast(Extraction, {**first, "tool_calls": self._calls, **known})

    def marked(self) -> list[tuple[int, int]]:
        """Return the half-open offsets of marked texts. Call ``finish`` before, not ``result``."""
        return self._reference.marked() if self._reference else list(self._engine.marked())

    def _read(self, chunk: str) -> list[Event]:
        if self._reference is None:
            try:
                return self._shown(self._engine.feed(chunk))
            except UnicodeEncodeError:
                self._reference = self._at_the_same_place()
        return self._reference._read(chunk)

    def _end(self) -> list[Event]:
        return self._reference._end() if self._reference else self._shown(self._engine.finish())

    def _shown(self, events: list[Event]) -> list[Event]:
        for event in events:
            if "call" in event:
                call = event["call"]
                call["id"] = self._new_id()
                call["arguments"] = json.loads(call["arguments_json"])  # which the engine has read
                self._calls.append(call)
        return events if self._shows_events else []

    def _at_the_same_place(self) -> Extractor:
        """Return an extractor of the reference that has read the text so far, with its calls."""
        given: Iterator[str] = iter([call["id"] for call in self._calls])
        reference = self._make_reference(lambda: next(given, None) or self._new_id())
        if text := self._engine.text():
            reference._read(text)
        return reference


def engine_for(how: Mapping[str, object]) -> Any:
    """Return the engine for a text that is read so, by the members of ``extraction.extract``.

    None where there is no engine, or where it cannot read so: with dialects of the caller's own, or
    tools that are no JSON.
    """
    dialects = cast(list[object], how.get("dialects") or [])
    if ENGINE is None or not all(isinstance(each, str) for each in dialects):
        return None
    try:
        given = {name: one for name, one in how.items() if one is not None and one is not False}
        return _prepared(json.dumps(given)).again()
    except (TypeError, ValueError):
        return None


@lru_cache(16)  # options hold the tools, which can be long
def _prepared(options: str) -> Any:
    """Return an extractor that reads no text, for others like it: most turns ask for the same."""
    assert ENGINE is not None
    return ENGINE.Extractor(options)
