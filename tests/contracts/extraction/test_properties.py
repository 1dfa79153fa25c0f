"""What holds of every text: totality, no loss, nothing invented, any split, linear work."""

import itertools
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commoncall import extraction, json_object
from commoncall.envelope import INVALID_INPUT, Env
from commoncall.extraction import (
    call_value,
    code,
    dialects,
    formats,
    json_block,
    language,
    literals,
    machine,
    markers,
    parameters,
    parameters_block,
    payload_scanner,
    payloads,
    python_calls,
    quoted_object,
    readers,
    reading,
    source,
)
from commoncall.extraction.dialects import DIALECTS
from commoncall.json_text import compact, joined_pairs, scan_value
from tests.contracts.extraction.adversarial import BY_RULE, IN_VALUES, OF_DIALECTS
from tests.contracts.extraction.attacks import ATTACKED, attacks
from tests.contracts.extraction.checks import of_python
from tests.contracts.extraction.texts import (
    ADVERSARIAL,
    ADVERSARIAL_DIALECTS,
    BLANKS,
    PIECES,
    adversarial,
    texts,
)
from tests.each import PARTS, check_each, part_of
from tests.measuring import memory_peak


def side_by_side(dialects: Iterable[str]) -> list[str]:
    """Return dialects without those that one before them excludes, or that exclude it (EXT-001)."""
    chosen: list[str] = []
    for new in dialects:
        pairs = ((new, old) for old in chosen)
        if not any(a in DIALECTS[b].excludes or b in DIALECTS[a].excludes for a, b in pairs):
            chosen.append(new)
    return chosen


options = st.fixed_dictionaries(
    {"effective": st.sampled_from([["f"], ["f", "g"], []])},
    optional={
        "fences": st.sampled_from(["opaque", "extract"]),
        "native_calls": st.booleans(),
        "reasoning": st.sampled_from(["open", "closed"]),
        "dialects": st.lists(st.sampled_from(list(DIALECTS)), unique=True).map(side_by_side),
    },
)


def numbered() -> Callable[[], str]:
    counter = itertools.count(1)
    return lambda: f"c{next(counter)}"


def whole(text: str, chosen: dict[str, Any]) -> extraction.Extraction:
    return extraction.extract(text, new_id=numbered(), **chosen)


def in_chunks(
    chunks: Iterable[str], chosen: dict[str, Any]
) -> tuple[extraction.Extraction, list[list[extraction.Event]]]:
    """The result, and the events of each chunk and of the end."""
    extractor = extraction.extractor_for(new_id=numbered(), **chosen)
    events = [extractor.feed(chunk) for chunk in chunks]
    events.append(extractor.finish())
    return extractor.result(), events


def cut(text: str, places: Iterable[int]) -> Iterator[str]:
    ends = [0, *sorted(places), len(text)]
    return (text[start:end] for start, end in itertools.pairwise(ends))


def shown(events: list[extraction.Event], kind: str) -> str:
    return "".join(str(event[kind]) for event in events if kind in event)  # type: ignore[literal-required]


def chosen_of(given: dict[str, Any]) -> dict[str, Any]:
    return of_python(given)


def check_no_character_is_lost(text: str, result: extraction.Extraction) -> None:
    """EXT-002, EXT-092."""
    assert "".join(segment["text"] for segment in result["segments"]) == text
    assert all(segment["text"] for segment in result["segments"])
    kinds = [segment["kind"] for segment in result["segments"]]
    assert not any(a == b == "text" for a, b in itertools.pairwise(kinds))


def check_content_is_what_stands_outside_the_removed_segments(
    text: str, result: extraction.Extraction
) -> None:
    """EXT-086, but for the trimmed ends."""
    kept = "".join(s["text"] for s in result["segments"] if s["kind"] in ("text", "code"))
    removed = any(s["kind"] not in ("text", "code") for s in result["segments"])
    if result["content"] is None:
        assert removed
        assert not kept.strip(BLANKS)
    else:
        assert result["content"].strip(BLANKS) == kept.strip(BLANKS)
        assert removed or result["content"] == text


def check_nothing_is_invented(text: str, result: extraction.Extraction) -> None:
    """EXT-060, EXT-072: without escapes and repairs names and arguments stand in the input."""
    if "\\" in text or result["repairs"]:
        return
    for call in result["tool_calls"]:
        assert call["name"] in text
        arguments_json = call["arguments_json"]
        written = all(leaf in text for leaf in leaves(call["arguments"]))
        assert arguments_json in text or written or (arguments_json == "{}" and "null" in text)


def leaves(value: object) -> list[str]:
    """Return the names and strings of a value, and its other scalars as JSON writes them."""
    if isinstance(value, dict):
        return [*value, *itertools.chain.from_iterable(map(leaves, value.values()))]
    if isinstance(value, list):
        return [*itertools.chain.from_iterable(map(leaves, value))]
    return [value if isinstance(value, str) else compact(value)]


def check_events_are_the_result(
    result: extraction.Extraction, events: list[extraction.Event]
) -> None:
    assert shown(events, "text") == (result["content"] or "")
    assert shown(events, "reasoning") == (result["reasoning"] or "")
    calls: list[Any] = [event for event in events if "call" in event]
    assert [event["call"] for event in calls] == result["tool_calls"]


def check_text(text: str, chosen: dict[str, Any], places: list[int]) -> None:
    """All that holds of a text, and of one split of it (EXT-110)."""
    expected = whole(text, chosen)
    read = joined_pairs(text)
    check_no_character_is_lost(read, expected)
    check_content_is_what_stands_outside_the_removed_segments(read, expected)
    check_nothing_is_invented(read, expected)
    result, events = in_chunks(cut(text, places), chosen)
    assert result == expected
    check_events_are_the_result(result, list(itertools.chain(*events)))


@given(texts, options, st.data())
def test_what_holds_of_every_text(text: str, chosen: dict[str, Any], data: st.DataObject) -> None:
    check_text(text, chosen, data.draw(st.lists(st.integers(0, len(text)), max_size=8)))


def check_made(seed: int) -> None:
    chance = random.Random(seed)
    text = "".join(chance.choices(PIECES, k=chance.randint(0, 30)))
    chosen: dict[str, Any] = {"effective": chance.choice([["f"], ["f", "g"], []])}
    if chance.random() < 0.5:
        chosen["fences"] = chance.choice(["opaque", "extract"])
    if chance.random() < 0.5:
        chosen["native_calls"] = chance.random() < 0.5
    if chance.random() < 0.5:
        chosen["reasoning"] = chance.choice(["open", "closed"])
    if chance.random() < 0.5:
        # The markers of a choice take long to compile; those of one part meet no other's.
        few = random.Random(seed % (3 * PARTS))
        sample = few.sample(list(DIALECTS), few.randint(0, len(DIALECTS)))
        chosen["dialects"] = side_by_side(sample)
    check_text(text, chosen, [chance.randint(0, len(text)) for _ in range(chance.randint(0, 8))])


@pytest.mark.parametrize("part", range(PARTS))
def test_what_holds_of_texts_of_many_markers(part: int) -> None:
    """The session `fuzz` makes ten times as many."""
    check_each(part_of(((f"seed {seed}", seed) for seed in range(200)), part), check_made)


HELD = 300
"""How many characters of what may become a header are held back (EXT-115)."""


def check_work_is_linear(
    made: Callable[[int], str], chosen: dict[str, Any], work: Counter[str]
) -> None:
    """EXT-095: characters that any part of the extractor looks at, per character of the input."""
    for chunk in (1, 10**9):
        per_character = []
        for length in (1_500, 6_000):
            work.clear()
            text = made(length)
            in_chunks(cut(text, range(chunk, len(text), chunk)), {"effective": ["f"], **chosen})
            per_character.append(sum(work.values()) / len(text))
        assert per_character[1] < per_character[0] * 1.1 + 4, (chunk, work)
        # Each character that comes can look at a held header anew, in the window and the pattern.
        assert per_character[1] < 2 * HELD, (chunk, work)


@pytest.mark.parametrize("name", ADVERSARIAL)
def test_work_is_linear(name: str, counted_work: Counter[str]) -> None:
    check_work_is_linear(lambda length: adversarial(name, length), {}, counted_work)


@pytest.mark.parametrize("name", ADVERSARIAL_DIALECTS)
def test_work_is_linear_in_every_dialect(name: str, counted_work: Counter[str]) -> None:
    dialect, before, unit = ADVERSARIAL_DIALECTS[name]

    def made(length: int) -> str:
        return before + unit * (length // len(unit))

    check_work_is_linear(made, {"dialects": [dialect]}, counted_work)


@pytest.mark.parametrize("name", [*IN_VALUES, *OF_DIALECTS])
def test_work_is_linear_in_every_value(name: str, counted_work: Counter[str]) -> None:
    dialect, made = (IN_VALUES | OF_DIALECTS)[name]
    check_work_is_linear(made, {"dialects": [dialect]}, counted_work)


@pytest.mark.parametrize("name", BY_RULE)
def test_work_is_linear_for_every_rule(name: str, counted_work: Counter[str]) -> None:
    check_work_is_linear(BY_RULE[name], {}, counted_work)


@pytest.mark.parametrize("dialect", ATTACKED)
def test_work_is_linear_in_what_repeats_in_a_dialect(
    dialect: str, counted_work: Counter[str]
) -> None:
    def check(made: Callable[[int], str]) -> None:
        check_work_is_linear(made, {"dialects": [dialect]}, counted_work)

    check_each(attacks(dialect).items(), check)


@pytest.mark.parametrize("chunk", [16, 1000])
def test_a_stream_holds_its_open_block_and_no_more(chunk: int) -> None:
    call = json.dumps({"name": "f", "arguments": {"text": "word " * 4_000}})
    texts_and_blocks = [
        ("It may rain in `Oslo`.\n\n" * 4_000, 0),
        (f"<tool_call>{json.dumps({'name': 'f', 'arguments': {}})}</tool_call>\n" * 2_000, 100),
        (f"<tool_call>{call}</tool_call>", len(call)),
        ("<tool_call>" + call[:-2], len(call)),
        ("<tool_call>{x" + call, len(call)),
        ('<tool_call>{"a":"' + "a> b" * 5_000, 20_000),
        ("<tool_call>" + call[:-2] + "x" + call, 2 * len(call)),
        # Reasoning is read as text is: a line of it is held until it ends. One that begins with a
        # call is held to its end, since it may be nothing but calls.
        ("<think>So:\n" + f"{call}\n" * 8, len(call)),
    ]
    for text, held in texts_and_blocks:

        def read(text: str = text) -> None:
            extractor = extraction.extractor_for(effective=["f"], record=False)
            for at in range(0, len(text), chunk):  # nobody else holds the chunks
                extractor.feed(text[at : at + chunk])
            extractor.finish()

        assert memory_peak(read) <= 4 * held + (64 << 10), text[:20]


@pytest.mark.parametrize(
    ("dialect", "before", "behind"),
    [
        ("tool_call", '<tool_call>{"name":"f","arguments":{"a":"', '"}}</tool_call>'),
        ("gemma-call", '<|tool_call>call:f{a:<|"|>', '<|"|>}<tool_call|>'),
        (
            "argument-pairs",
            "<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>",
            "</arg_value></tool_call>",
        ),
    ],
)
def test_a_long_value_is_held_no_more_often(dialect: str, before: str, behind: str) -> None:
    """The text, what is decoded of it, and the value as it is and as JSON."""
    text = before + "word " * 40_000 + behind

    def read() -> None:
        extractor = extraction.extractor_for(effective=["f"], dialects=[dialect], record=False)
        for at in range(0, len(text), 500):  # nobody else holds the chunks
            found = extractor.feed(text[at : at + 500])
        assert "call" in (*found, *extractor.finish())[0]

    assert memory_peak(read) <= 4.2 * len(text)


@pytest.fixture
def counted_work(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    work: Counter[str] = Counter()
    count_work(monkeypatch, work)
    yield work
    language.language_for.cache_clear()


class CountingPattern:
    """A compiled pattern that counts the characters which it reads."""

    def __init__(self, pattern: re.Pattern[str], work: Counter[str], name: str) -> None:
        self._pattern, self._work, self._name = pattern, work, name
        self.pattern = pattern.pattern  # of which a larger one may be made

    def search(self, text: str, at: int = 0, end: int | None = None) -> re.Match[str] | None:
        end = len(text) if end is None else end
        found = self._pattern.search(text, at, end)
        self._work[self._name] += (found.end() if found else end) - at
        return found

    def match(self, text: str, at: int = 0, end: int | None = None) -> re.Match[str] | None:
        end = len(text) if end is None else end
        found = self._pattern.match(text, at, end)
        self._work[self._name] += found.end() - at + 1 if found else 1
        return found

    def fullmatch(self, text: str, at: int = 0, end: int | None = None) -> re.Match[str] | None:
        end = len(text) if end is None else end
        self._work[self._name] += end - at
        return self._pattern.fullmatch(text, at, end)

    def findall(self, text: str, at: int, end: int) -> list[str]:
        self._work[self._name] += end - at
        return self._pattern.findall(text, at, end)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        self._work[self._name] += len(text)
        return self._pattern.finditer(text)

    def split(self, text: str) -> list[str | Any]:
        self._work[self._name] += len(text)
        return self._pattern.split(text)

    def sub(self, replacement: Callable[[re.Match[str]], str], text: str) -> str:
        self._work[self._name] += len(text)
        return self._pattern.sub(replacement, text)


def count_work(monkeypatch: pytest.MonkeyPatch, work: Counter[str]) -> None:
    """Count the characters that each part of the extractor reads, copies or is given."""
    for module in (
        *(code, json_block, literals, machine, parameters_block, payload_scanner),
        *(payloads, python_calls, quoted_object, reading),
    ):
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern):
                counting = CountingPattern(value, work, name)
                monkeypatch.setattr(module, name, counting)
    for runs in (json_block.FENCE_RUN, literals.WrittenScanner.strings):
        for name, run in runs.items():
            monkeypatch.setitem(runs, name, CountingPattern(run, work, "run"))

    def counted(owner: Any, name: str, size: Callable[..., int]) -> None:
        original = getattr(owner, name)

        def wrapper(*arguments: Any, **named: Any) -> Any:
            result = original(*arguments, **named)
            work[name] += size(result, *arguments)
            return result

        monkeypatch.setattr(owner, name, wrapper)

    make = markers.Markers.__init__

    def make_counting(self: markers.Markers, signs: Iterable[markers.Sign]) -> None:
        make(self, signs)
        begin: Any = CountingPattern(self._begin, work, "begins of markers")
        self._begin = begin

    monkeypatch.setattr(markers.Markers, "__init__", make_counting)
    counted(
        markers.Markers,
        "read_at",
        lambda found, _, __, at, base, *___: found.end - base - at if found else 1,
    )
    language.language_for.cache_clear()
    counted_steps(monkeypatch, work)
    counted(source.Source, "since", lambda result, *_: len(result))
    counted_ways_back(monkeypatch, work)
    counted(source.Pieces, "take", lambda result, _: len(result))
    counted(code.CodeTracker, "_read_part", lambda _, __, part: len(part))
    counted(code, "begin_line", lambda _, __, line: len(line))
    for reader in (call_value, parameters):
        counted(reader, "read_payload", lambda _, text: len(text))
        counted(reader, "decode", lambda _, text: len(text))
    counted(parameters, "every_member", lambda _, text: len(text))
    counted(call_value, "repaired", lambda _, __, start, end, ___: end - start)
    counted(json_object, "is_shallow", lambda _, text: len(text))
    counted(literals.LiteralScanner, "_sign", lambda *_: 1)
    counted_values(monkeypatch, work)


def counted_ways_back(monkeypatch: pytest.MonkeyPatch, work: Counter[str]) -> None:
    """Count the characters of the window that a way back makes anew."""
    back_to = source.Source.back_to

    def counting(self: source.Source, offset: int) -> None:
        before = self.text
        back_to(self, offset)
        work["back_to"] += len(self.text) if self.text is not before else 0

    monkeypatch.setattr(source.Source, "back_to", counting)


def counted_values(monkeypatch: pytest.MonkeyPatch, work: Counter[str]) -> None:
    """Count what the decoder of the host reads, to its end or to an error."""
    read = scan_value

    def counting(text: str, at: int) -> tuple[Any, int]:
        end = len(text)
        try:
            value, end = read(text, at)
        except json.JSONDecodeError as error:
            end = error.pos
            raise
        finally:
            work["scan_value"] += max(end - at, 0)
        return value, end

    monkeypatch.setattr(payload_scanner, "scan_value", counting)


def counted_steps(monkeypatch: pytest.MonkeyPatch, work: Counter[str]) -> None:
    """Count the characters of the window with each chunk that is put behind it."""
    more = source.Source.more

    def counting(self: source.Source, *, visible: bool = False) -> source.ParseOf[bool]:
        has_come = yield from more(self, visible=visible)
        work["more"] += len(self.text)
        return has_come

    monkeypatch.setattr(source.Source, "more", counting)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
near_inputs = st.dictionaries(
    st.sampled_from(
        ["text", "effective", "tools", "native_calls", "dialects", "fences", "reasoning"]
    ),
    json_values | st.just(["f"]) | st.just("<tools>{}</tools>"),
)


@given(json_values | near_inputs)
def test_every_json_input_gives_an_outcome(given: object) -> None:
    """EXT-001, EXT-002."""
    outcome = extraction.OPERATIONS["extraction.extract"](given, Env([]))
    assert len(outcome) == 1


def test_behind_its_end_a_text_takes_nothing() -> None:
    extractor = extraction.extractor_for(effective=["f"])
    extractor.feed("So")
    extractor.finish()
    for _ in range(2):
        with pytest.raises(ValueError, match="this text has ended"):
            extractor.feed(" it goes")
        with pytest.raises(ValueError, match="this text has ended"):
            extractor.finish()
    assert extractor.result()["content"] == "So"


@pytest.mark.parametrize("fed", [True, False])
def test_behind_an_error_a_text_has_no_end(fed: bool) -> None:
    """Whoever goes on behind it would take what was lost for an answer without calls."""

    def no_id() -> str:
        raise KeyError

    extractor = extraction.extractor_for(effective=["f"], new_id=no_id)
    text = '<tool_call>{"name":"f","arguments":{}}'
    if fed:
        with pytest.raises(KeyError):
            extractor.feed(text + "</tool_call>x")
    else:
        extractor.feed(text)
        with pytest.raises(KeyError):
            extractor.finish()
    with pytest.raises(ValueError, match="this text has ended"):
        extractor.finish()


@pytest.mark.parametrize("given", [{}, {"effective": "f"}])
def test_the_names_that_may_be_called_are_a_list(given: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="effective"):
        extraction.extract("", **given)


@pytest.mark.parametrize("effective", [["f"], []])
def test_dialects_that_exclude_each_other_are_refused(effective: list[str]) -> None:
    """EXT-001: by the operation and by the functions."""
    pair = ["argument-pairs", "tool_call"]
    for chosen in (pair, pair[::-1]):
        given = {"text": "", "effective": effective, "dialects": chosen}
        assert extraction.OPERATIONS["extraction.extract"](given, Env([])) == INVALID_INPUT
        with pytest.raises(ValueError, match="excludes '"):
            extraction.extractor_for(effective=effective, dialects=chosen)


def test_no_text_starts_in_reasoning_that_its_format_does_not_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    silent = formats.Format(("tool_call",), reasoning=())
    monkeypatch.setattr(language, "load_format", lambda _: silent)
    extraction.extractor_for(effective="any", format="silent").feed("So")
    with pytest.raises(ValueError, match="format 'silent' has no reasoning"):
        extraction.extractor_for(effective="any", format="silent", reasoning="open")


def test_each_reader_is_a_row() -> None:
    assert readers.READERS.keys() == {*get_args(dialects.Scanner)} - {"none", "blocks"}


def test_ids_are_random_uuids_without_a_generator() -> None:
    """EXT-084."""
    block = '<tool_call>{"name":"f","arguments":{}}</tool_call>'
    ids = [call["id"] for call in extraction.extract(block * 2, effective=["f"])["tool_calls"]]
    assert ids[0] != ids[1]
    for identifier in ids:
        assert [len(part) for part in identifier.split("-")] == [8, 4, 4, 4, 12]
        assert identifier[14] == "4"
        assert identifier[19] in "89ab"


def test_new_tools_compile_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """EXT-260: a tag is that of a tool by its name, which is looked up where the tag stands."""
    text = "I look.\n<b>So</b> <run>{}</run>\n<tool_call>" + '{"name": "f", "arguments": {}}'
    compiled: list[object] = []
    compile_markers, compile_pattern = markers.Markers.__init__, re.compile

    def markers_compiled(self: markers.Markers, signs: Iterable[markers.Sign]) -> None:
        compiled.append(self)
        compile_markers(self, signs)

    def pattern_compiled(pattern: Any, flags: Any = 0) -> Any:
        compiled.append(pattern)
        return compile_pattern(pattern, flags)

    def read(tools: list[str]) -> None:
        assert len(extraction.extract(text, effective=tools)["tool_calls"]) == 2
        result = extraction.stream([text[:12], text[12:]], effective=tools, format="glm-4.7")
        assert len(result["result"]["tool_calls"]) == 2

    read(["run", "f"])
    monkeypatch.setattr(markers.Markers, "__init__", markers_compiled)
    monkeypatch.setattr(re, "compile", pattern_compiled)
    for number in range(3):
        read(["run", "f", *(f"tool_{number}_{place}" for place in range(20))])
    assert compiled == []
