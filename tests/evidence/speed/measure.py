"""What reading takes: the crate, the same under Python, the reference, and crates of others, in
ratios to Python's ``json.loads`` of the payloads.

The session ``speed`` runs it, by hand, and keeps nothing: a time is no test. Each is the least of
several, of the processor and taken in turn.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

from commoncall.extraction import engine, extract, stream
from commoncall_kit.suite import chunking
from tests.contracts.extraction.adversarial import BY_RULE, IN_VALUES, INPUTS, OF_DIALECTS

HERE: Final = Path(__file__).parent
CALLS: Final = (1, 100)
LENGTHS: Final = (50_000, 200_000)
ROUNDS: Final = 30
PROSE: Final = (
    "The forecast for Oslo is rain, with `wind_speed` of 9 m/s (see below); 3 < 5 holds.\n"
    "It may clear up by the evening.\n\n- Take a coat.\n- Leave the bike at home.\n\n"
)
TYPES: Final = {
    **{"path": "string", "dry_run": "boolean", "limit": "integer", "threshold": "number"},
    **{"tags": "array", "edits": "array", "note": "string"},
}
PARAMETERS: Final = {"type": "object", "properties": {n: {"type": t} for n, t in TYPES.items()}}
TOOL: Final = {"type": "function", "function": {"name": "edit", "parameters": PARAMETERS}}

Arguments = dict[str, Any]
Row = dict[str, Any]


def arguments(number: int) -> Arguments:
    """Return arguments as tools take them, of about 900 bytes: some text, some structure."""
    edit = {"old": "value = 1", "new": "value = compute(1, mode='x')"}
    return {
        "path": f"src/forecast/module_{number}.py",
        **{"dry_run": False, "limit": number, "threshold": 0.75},
        "tags": ["weather", "oslo", None],
        "edits": [{"line": line, **edit} for line in range(8)],
        "note": "Rename the value and keep the order.\nThen run the tests. " * 3,
    }


Written = Callable[[Arguments], str]


def value(member: str = "arguments") -> Written:
    """Return how a call is written as JSON."""
    return lambda call: json.dumps({"name": "edit", member: call})


def tagged(before: str, parameter: str, behind: str = "") -> Written:
    """Return how a call is written of which each argument stands between tags."""

    def written(call: Arguments) -> str:
        texts = {name: x if isinstance(x, str) else json.dumps(x) for name, x in call.items()}
        inner = "".join(parameter.format(name, text) for name, text in texts.items())
        return before + inner + behind

    return written


def python(call: Arguments) -> str:
    """Return a call in the spelling of Python."""
    return f"edit({', '.join(f'{name}={one!r}' for name, one in call.items())})"


KIMI: Final = "<|tool_call_begin|>functions.edit:0<|tool_call_argument_begin|>"
DEEPSEEK: Final = "<｜tool▁call▁begin｜>edit<｜tool▁sep｜>"
FORMS: Final[dict[str, tuple[str, Written, str, str]]] = {
    "hermes": ("<tool_call>\n", value(), "\n</tool_call>\n<tool_call>\n", "\n</tool_call>"),
    "llama-3": ("<|python_tag|>", value("parameters"), ";", ""),
    "mistral-v3": ("[TOOL_CALLS] [", value(), ", ", "]"),
    "kimi-k2": (
        f"<|tool_calls_section_begin|>{KIMI}",
        json.dumps,
        f"<|tool_call_end|>{KIMI}",
        "<|tool_call_end|><|tool_calls_section_end|>",
    ),
    "deepseek-v3.1": (
        f"<｜tool▁calls▁begin｜>{DEEPSEEK}",
        json.dumps,
        f"<｜tool▁call▁end｜>{DEEPSEEK}",
        "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    ),
    "qwen3-coder": (
        "<tool_call>\n",
        tagged("<function=edit>\n", "<parameter={}>\n{}\n</parameter>\n", "</function>"),
        "\n</tool_call>\n<tool_call>\n",
        "\n</tool_call>",
    ),
    "glm-4.7": (
        "<tool_call>",
        tagged("edit", "<arg_key>{}</arg_key><arg_value>{}</arg_value>"),
        "</tool_call><tool_call>",
        "</tool_call>",
    ),
    "minimax-m2": (
        "<minimax:tool_call>\n",
        tagged('<invoke name="edit">\n', '<parameter name="{}">{}</parameter>\n', "</invoke>"),
        "\n",
        "\n</minimax:tool_call>",
    ),
    "llama-4": ("[", python, ", ", "]"),
}
"""What stands before the calls, how one is written, and what stands between and behind them."""

PEERS: Final = {
    "hermes": ("hermes", None, "qwen"),
    "llama-3": ("llama3_json", None, "llama"),
    "mistral-v3": ("mistral", None, "mistral"),
    "kimi-k2": ("kimi_k2", "kimi_k2", "kimik2"),
    "deepseek-v3.1": ("deepseek_v3_1", None, "deepseek31"),
    "qwen3-coder": ("qwen3_coder", "qwen3_coder", "qwen_coder"),
    "glm-4.7": ("glm47", "glm47", "glm47_moe"),
    "minimax-m2": ("minimax_m2", "minimax_m2", "minimax_m2"),
    "llama-4": ("pythonic", None, "pythonic"),
}
"""What dynamo-parsers, dynamo-parsers-v2 and tool-parser call a format."""


def row(format: str, count: int) -> Row:
    """Return a text of so many calls, and what each reader needs for it."""
    before, written, between, behind = FORMS[format]
    calls = [arguments(number) for number in range(count)]
    # A message in Python's spelling is nothing but its calls.
    words = "" if format == "llama-4" else "Let me look.\n"
    text = words + before + between.join(map(written, calls)) + behind
    peers = zip(("dynamo-parsers", "dynamo-parsers-v2", "tool-parser"), PEERS[format], strict=True)
    made = {"text": text, "effective": ["edit"], "format": format, "tools": [TOOL]}
    payloads = [value()(call) for call in calls]
    return {"text": text, "calls": count, "payloads": payloads, "input": made, **dict(peers)}


def plain(text: str, **how: object) -> Row:
    """Return a text that only the crate reads, whatever calls it finds."""
    return {"text": text, "input": {"text": text, "effective": ["f"], **how}}


def asked(rows: Iterable[Row]) -> list[Row]:
    """Return what each reader of the crates took, in nanoseconds."""
    lines = "".join(json.dumps(one) + "\n" for one in rows)
    bench = [str(HERE / "target" / "release" / "speed")]
    told = subprocess.run(bench, input=lines, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in told.stdout.splitlines()]


def in_python(one: Row) -> dict[str, float]:
    """Return what Python takes: to decode the payloads, and to read with the engine and without."""
    options = {**one["input"]}
    text = options.pop("text")
    pieces = chunking.cut(text, 4)
    installed = engine.ENGINE

    def by(found: object, read: Callable[[], object]) -> Callable[[], object]:
        def chosen() -> object:
            engine.ENGINE = found  # type: ignore[misc]
            return read()

        return chosen

    readers = {
        "json.loads": lambda: [json.loads(each) for each in one["payloads"]],
        "engine": by(installed, lambda: extract(text, **options)),
        "engine in pieces": by(installed, lambda: stream(pieces, **options)),
        "reference": by(None, lambda: extract(text, **options)),
        "reference in pieces": by(None, lambda: stream(pieces, **options)),
    }
    least = dict.fromkeys(readers, float("inf"))
    for _ in range(ROUNDS // one["calls"] + 5):
        for name, read in readers.items():
            begin = time.process_time_ns()
            read()
            least[name] = min(least[name], time.process_time_ns() - begin)
    engine.ENGINE = installed  # type: ignore[misc]
    return least


def compared() -> None:
    """Print a line for each format and number of calls."""
    rows = {(format, count): row(format, count) for format in FORMS for count in CALLS}
    for (format, count), told in zip(rows, asked(rows.values()), strict=True):
        one = rows[format, count]
        times = {**told["times"], **in_python(one)}
        loads = times.pop("json.loads")
        ratios = ", ".join(f"{name} {taken / loads:.2f}" for name, taken in times.items())
        missed = f"; not read by {', '.join(told['not_read'])}" if told["not_read"] else ""
        piece = 4 * times["commoncall in pieces"] / len(one["text"])
        print(f"{format}, {count}: {ratios}{missed}; {piece:.0f} ns a piece", flush=True)


def grown() -> None:
    """Print how fast prose is read, and the adversarial texts whose time grows most."""
    prose = PROSE * 5000
    words = "The quick brown fox jumps over the lazy dog, and sleeps. " * 15000
    for name, text, told in zip(
        ("prose", "words"), (prose, words), asked([plain(prose), plain(words)]), strict=True
    ):
        whole, pieces = (each / len(text) for each in told["times"].values())
        print(f"{name}: {1000 / whole:.0f} MB/s, {4 * pieces:.0f} ns a piece")
    texts: list[tuple[str, Callable[[int], str], Row]]
    texts = [(name, text, {}) for name, text in {**INPUTS, **BY_RULE}.items()]
    texts += [
        (name, text, {"dialects": [dialect]})
        for name, (dialect, text) in {**IN_VALUES, **OF_DIALECTS}.items()
    ]
    taken = [
        [one["times"] for one in asked(plain(text(length), **how) for length in LENGTHS)]
        for _, text, how in texts
    ]
    times = LENGTHS[1] / LENGTHS[0]
    growth = [
        (long[way] / short[way] / times, f"{name}, {way}")
        for (name, _, _), (short, long) in zip(texts, taken, strict=True)
        for way in short
    ]
    for factor, name in sorted(growth, reverse=True)[:8]:
        print(f"growth {factor:.2f}: {name}")


def main() -> int:
    """Compare, and look at growth."""
    if engine.ENGINE is None:
        print("speed: commoncall-engine is not installed", file=sys.stderr)
        return 1
    compared()
    grown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
