"""Extraction: over `json.loads` of the payloads, over one search, over an append loop; how its time
grows with the text, and how much memory it takes.
"""

import itertools
import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from commoncall.extraction import Event, Extraction, Extractor, extract, extractor_for
from commoncall.json_text import BLANKS
from tests.evidence.bench import Case
from tests.evidence.bench.adversarial import BY_RULE, IN_VALUES, INPUTS, OF_DIALECTS
from tests.evidence.bench.attacks import ATTACKED, attacks
from tests.evidence.bench.dialects import BY_ID, block_of, floor_of, tools_of
from tests.evidence.bench.dialects import text_of as text_of_dialect

MARKERS = re.compile(
    r"</?(?:tool_call|tools|tool_calls|function_call|function|think)\s*>|<\|start\|>|<\|end\|>"
)
GROWTH = 8
EXPONENT = 1.25

GOALS = {"parameters": 10.0, "python_calls": 10.0, "quoted_object": 14.0}
"""Those of payloads that are no JSON, as fast as the fastest parser of a server that reads one
(`nox -s peers`), over the floors of ``dialects``.
"""

HELD = {"parameters": 36.0, "python_calls": 16.0, "quoted_object": 28.0}
HELD_JSON, HELD_CHUNKS = 6.0, 90.0
"""What the known misses are held at (ADR-0164): a call costs its parsers beside the decoder, and a
chunk that is held about seven appends before anything is read. A loaded machine doubles that.
"""

PROSE = (
    "The forecast for Oslo is rain, with `wind_speed` of 9 m/s (see below); 3 < 5 holds.\n"
    "It may clear up by the evening.\n\n- Take a coat.\n- Leave the bike at home.\n\n"
)


def cases() -> Iterator[Case]:
    """Give what is measured."""
    unmarked = PROSE * 27_000
    yield Case(
        "extract: 5 MB without a marker",
        "one compiled search for the markers",
        lambda: MARKERS.search(unmarked),
        lambda: extract(unmarked, effective=["f"]),
        1.5,
    )
    yield calls_case("one call in 2 KB", [payload({"city": "Oslo", "note": "word " * 400})])
    yield calls_case("1,000 calls in 1 MB", [payload(typical(n)) for n in range(1000)], 2.5)
    strings = [payload({"city": "Oslo", "days": n, "note": "word " * 150}) for n in range(1000)]
    yield calls_case("1,000 calls, each a string", strings)
    yield calls_case("10,000 tiny calls", [payload({}) for _ in range(10_000)], 3.5, 5.0)
    yield calls_case("one string of 1 MB", [payload({"text": "word " * 200_000})], 3.0)
    yield calls_case("one escaped string", [payload({"text": '"\\\n\u00e9' * 100_000})], 3.0)
    calls = text_of([payload(typical(n)) for n in range(100)])
    one = text_of([payload({"text": "word " * 20_000})])
    # ADR-0071 says why the goal for prose is missed; the first row is what any `feed` has to do.
    yield chunks_case("prose in chunks of 4, finding no call", PROSE * 600, reader=Least)
    yield chunks_case("prose in chunks of 4", PROSE * 600, 11.0, held=30.0)
    yield chunks_case("calls in chunks of 4", calls, 30.0)
    # Its markers have more endings than two.
    hermes = partial(extractor_for, effective=["f"], format="hermes", record=False)
    yield chunks_case("calls in chunks of 4, hermes", calls, 30.0, reader=hermes)
    yield chunks_case("one string in chunks of 4", one, 30.0)
    for name, text, goal in (("prose", PROSE * 600, None), ("calls", calls, 8.0)):
        does = "the same text in one chunk"
        yield Case(f"stream: {name} in chunks of 64", does, fed(text, 0), fed(text, 64), goal)
    growing = {name: ("", grown) for name, grown in {**INPUTS, **BY_RULE}.items()}
    growing |= IN_VALUES | OF_DIALECTS
    for dialect in ATTACKED:
        growing |= {
            f"{dialect}, {name}": (dialect, grown) for name, grown in attacks(dialect).items()
        }
    for name, (dialect, grown) in growing.items():
        new = partial(extractor, dialect)
        for size, how in ((0, "whole"), (4, "in chunks of 4")):
            small, large = fed(grown(20_000), size, new), fed(grown(20_000 * GROWTH), size, new)
            does = "an eighth of the text"
            yield Case(f"growth: {name}, {how}", does, small, large, GROWTH**EXPONENT)
    yield from dialect_cases()
    yield memory_case("prose", PROSE * 6000, 0)
    yield memory_case("calls", calls * 10, 1_500)
    yield memory_case("one string of 1 MB", text_of([payload({"text": "word " * 200_000})]))
    yield memory_case("an open block of 1 MB", '<tool_call>{"text": "' + "word " * 200_000)
    yield memory_case("a broken block of 1 MB", "<tool_call>{x" + "word " * 200_000)
    for dialect in ("function-parameters", "argument-pairs", "gemma-call"):
        block = block_of(dialect, "f", {"a": "word " * 200_000})
        name = f"a value of 1 MB, {dialect}"
        new = partial(extractor, dialect)
        yield memory_case(name, block, goal=2.5, held=4.5, size=64, new=new)


def typical(number: int) -> dict[str, object]:
    """Return arguments as tools take them: about 900 bytes, some text, some structure."""
    return {
        "path": f"src/forecast/module_{number}.py",
        "dry_run": False,
        "limit": number,
        "threshold": 0.75,
        "tags": ["weather", "oslo", None],
        "edits": [
            {"line": line, "old": f"value = {line}", "new": f"value = compute({line}, mode='x')"}
            for line in range(8)
        ],
        "note": "Rename the value and keep the order.\nThen run the tests. " * 3,
    }


def payload(arguments: dict[str, object]) -> str:
    """Return one call of the tool `f` as a model writes it."""
    return json.dumps({"name": "f", "arguments": arguments})


def text_of(payloads: Sequence[str]) -> str:
    """Return one text with all payloads, each in its tags."""
    return "".join(f"Let me look.\n<tool_call>\n{item}\n</tool_call>\n" for item in payloads)


def calls_case(
    name: str, payloads: Sequence[str], goal: float | None = None, held: float | None = None
) -> Case:
    """Return the extraction of all payloads from one text."""
    text = text_of(payloads)
    ids = map(str, itertools.count())

    def floor() -> list[object]:
        return [json.loads(item) for item in payloads]  # the result of an extraction holds them too

    def candidate() -> None:
        result = extract(text, effective=["f"], new_id=ids.__next__)
        assert len(result["tool_calls"]) == len(payloads)

    does = "json.loads of the payloads"
    return Case(f"extract: {name}", does, floor, candidate, goal, held=held)


class Least:
    """What no reader of prose can leave out: it looks for a begin of a marker, and shows each chunk
    but for the blanks at its end. It finds no call, and keeps nothing to find one with.
    """

    def __init__(self) -> None:
        self.first = "<"
        self.tail = ""

    def feed(self, chunk: str) -> list[Event]:
        """Return the chunk as an event."""
        if self.first in chunk and MARKERS.search(chunk):
            raise AssertionError("a marker in the prose")
        if self.tail:
            chunk = self.tail + chunk
            self.tail = ""
        if chunk[-1] in BLANKS:
            text = chunk.rstrip(BLANKS)
            self.tail = chunk[len(text) :]
            chunk = text
        return [{"text": chunk}]

    def finish(self) -> list[Event]:
        """Return the blanks at the end."""
        return [{"text": self.tail}]


def extractor(dialect: str = "", tools: Sequence[object] = ()) -> Extractor:
    """Return a reader that keeps no record, of one dialect or of the default ones."""
    new_id, dialects = map(str, itertools.count()).__next__, [dialect] if dialect else None
    return extractor_for(
        effective=["f"], dialects=dialects, tools=tools, record=False, new_id=new_id
    )


def fed(
    text: str, size: int, new_reader: Callable[[], Extractor | Least] = extractor
) -> Callable[[], None]:
    """Return what runs a text through a reader in chunks and drops its events.

    The size 0 leaves the text whole.
    """
    chunks = chunks_of(text, size or len(text))

    def run() -> None:
        reader = new_reader()
        for chunk in chunks:
            reader.feed(chunk)
        reader.finish()

    return run


def chunks_of(text: str, size: int) -> list[str]:
    """Return a text in chunks."""
    return [text[at : at + size] for at in range(0, len(text), size)]


def chunks_case(
    name: str,
    text: str,
    goal: float | None = None,
    *,
    held: float | None = None,
    reader: Callable[[], Extractor | Least] = extractor,
) -> Case:
    """Return a stream of chunks of 4 characters."""
    chunks = chunks_of(text, 4)

    def floor() -> None:
        pieces = []
        for chunk in chunks:
            pieces.append(chunk)
        "".join(pieces)

    does = "append the chunks to a list and join it"
    return Case(f"stream: {name}", does, floor, fed(text, 4, reader), goal, held=held)


def memory_case(
    name: str,
    text: str,
    block: int | None = None,
    *,
    goal: float = 4.0,
    held: float | None = None,
    size: int = 4,
    new: Callable[[], Extractor] = extractor,
) -> Case:
    """Return the memory that a stream takes at most, over its open block and 16 KB."""
    length = (len(text) if block is None else block) + (16 << 10)
    does = "bytes of the open block, and 16 KB"
    return Case(f"memory: {name}", does, lambda: length, fed(text, size, new), goal, "memory", held)


def dialect_cases() -> Iterator[Case]:
    """Give the rows of each dialect with an opener: 300 calls whole, and 100 in chunks of 4."""
    calls = [("f", typical(number)) for number in range(300)]
    tools = tools_of(typical(0))
    for dialect, descriptor in BY_ID.items():
        if descriptor["opener"] is None:
            continue
        text, ids = text_of_dialect(dialect, calls), map(str, itertools.count())
        does, floor = floor_of(dialect, text, calls)
        scanner = descriptor["payload"]["scanner"]
        read = partial(extract, text, effective=["f"], dialects=[dialect], tools=tools)

        def candidate(read: Callable[..., Extraction] = read, ids: Iterator[str] = ids) -> None:
            assert len(read(new_id=ids.__next__)["tool_calls"]) == len(calls)

        goal = GOALS.get(scanner, 2.0)
        yield Case(
            f"dialect: {dialect}", does, floor, candidate, goal, held=HELD.get(scanner, HELD_JSON)
        )
        new = partial(extractor, dialect, tools)
        name = f"{dialect} in chunks of 4"
        short = text_of_dialect(dialect, calls[:100])
        yield chunks_case(name, short, 30.0, held=HELD_CHUNKS, reader=new)
