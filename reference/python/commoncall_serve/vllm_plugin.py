"""Parsers for vLLM's server: one for the calls and one for the reasoning of every format.

    vllm serve MODEL --enable-auto-tool-choice \
        --tool-parser-plugin commoncall_serve.vllm_plugin --tool-call-parser commoncall \
        --reasoning-parser-plugin commoncall_serve.vllm_plugin --reasoning-parser commoncall

The environment says what nobody else does: ``COMMONCALL_FORMAT``, where the name of the model does
not say the format, and ``COMMONCALL_REASONING=open``, where the prompt opens the reasoning.
"""

import os
from collections.abc import Iterable, Sequence
from typing import Any, Final, cast

from vllm.entrypoints.generate.base.protocol import (
    DeltaFunctionCall,
    DeltaMessage,
    DeltaToolCall,
    ExtractedToolCallInformation,
    FunctionCall,
    ToolCall,
)
from vllm.reasoning import ReasoningParser, ReasoningParserManager
from vllm.tool_parsers import ToolParser, ToolParserManager

from commoncall.event import MESSAGES
from commoncall.extraction import Extraction, Extractor, extract, extractor_for, format_for

NAME: Final = "commoncall"


def options(request: Any, tokenizer: Any, tools: Sequence[Any]) -> dict[str, Any]:
    """Return how to read the text that answers a request."""
    declared = [] if request.tool_choice == "none" else [*map(_declared, tools)]
    return {
        "effective": [tool["function"]["name"] for tool in declared],
        "tools": declared,
        "format": os.environ.get("COMMONCALL_FORMAT") or _format_of(request, tokenizer),
    }


def _declared(tool: Any) -> dict[str, Any]:
    """Return a tool of Chat Completions, also where it is one of Responses."""
    one = getattr(tool, "function", tool)
    return {"type": "function", "function": {"name": one.name, "parameters": one.parameters or {}}}


def _format_of(request: Any, tokenizer: Any) -> str | None:
    """Return the format by the name that clients use, or by the folder of the model."""
    for name in (getattr(request, "model", None), getattr(tokenizer, "name_or_path", None)):
        parts = str(name or "").rstrip("/").split("/")
        for part in ("/".join(parts), "/".join(parts[-2:]), parts[-1]):
            if found := format_for(part):
                return found
    return None


def begin() -> Any:
    """Return where a reply begins."""
    return os.environ.get("COMMONCALL_REASONING")


class CommonCallToolParser(ToolParser):  # type: ignore[misc, unused-ignore]
    """Finds calls; what was meant as one and cannot be read is said in words."""

    engine_based_streaming = True
    """So that the server asks for what is left at the end of a stream."""

    _extractor: Extractor | None = None
    _unread: int = 0

    def adjust_request(self, request: Any) -> Any:
        """Ask for the markers: many are special tokens."""
        request = super().adjust_request(request)
        if request.tools and request.tool_choice != "none":
            request.skip_special_tokens = False
        return request

    def extract_tool_calls(self, model_output: str, request: Any) -> ExtractedToolCallInformation:
        """Read a whole text; its reasoning is with the other parser."""
        given = options(request, self.model_tokenizer, self.tools)
        found = extract(model_output, reasoning="closed", **given)
        calls = [ToolCall(function=FunctionCall(**_said(one))) for one in found["tool_calls"]]
        content = _text(found) + _note(len(found.get("unreadable", ())))
        return ExtractedToolCallInformation(
            tools_called=bool(calls), tool_calls=calls, content=content.lstrip("\n") or None
        )

    def extract_tool_calls_streaming(
        self,
        previous_text: str,
        current_text: str,
        delta_text: str,
        previous_token_ids: Sequence[int],
        current_token_ids: Sequence[int],
        delta_token_ids: Sequence[int],
        request: Any,
    ) -> DeltaMessage | None:
        """Read a piece of a text; a call is given when its block is over."""
        if self._extractor is None:
            given = options(request, self.model_tokenizer, self.tools)
            self._extractor = extractor_for(events=True, record=False, reasoning=begin(), **given)
        return self._delta(self._extractor.feed(delta_text))

    def finish_streaming(self) -> DeltaMessage | None:
        """End a text that came in pieces."""
        if self._extractor is None:
            return None
        delta = self._delta(self._extractor.finish())
        self._extractor = None
        if note := _note(self._unread):
            delta = delta or DeltaMessage()
            delta.content = (delta.content or "") + note
        return delta

    def _delta(self, events: Iterable[Any]) -> DeltaMessage | None:
        delta = DeltaMessage()
        for event in events:
            match event:
                case {"text": str(text)}:
                    delta.content = (delta.content or "") + text
                case {"reasoning": str(text)}:
                    delta.reasoning = (delta.reasoning or "") + text
                case {"call": call}:
                    delta.tool_calls.append(self._called(call))
                case {"unreadable": _}:
                    self._unread += 1
        return delta if delta.content or delta.reasoning or delta.tool_calls else None

    def _called(self, call: Any) -> DeltaToolCall:
        """Return a call; the server looks here for what it has given out."""
        index, said = len(self.prev_tool_call_arr), _said(call)
        self.prev_tool_call_arr.append(said)
        self.streamed_args_for_tool.append(said["arguments"])
        id = ToolCall(function=FunctionCall(**said)).id
        function = DeltaFunctionCall(**said)
        return DeltaToolCall(id=id, type="function", index=index, function=function)


class CommonCallReasoningParser(ReasoningParser):  # type: ignore[misc, unused-ignore]
    """Parts the reasoning of a whole text; in a stream the other parser tells both apart."""

    engine_based_streaming = True

    def is_reasoning_end(self, input_ids: Sequence[int]) -> bool:
        """Say that the other parser can begin."""
        return True

    def has_engine_confirmed_reasoning_end(self) -> bool:
        """Say the same."""
        return True

    def extract_content_ids(self, input_ids: list[int]) -> list[int]:
        """Return all: what is reasoning is decided by the text."""
        return input_ids

    def extract_reasoning(self, model_output: str, request: Any) -> tuple[str | None, str | None]:
        """Return the reasoning, and what is left, with its calls."""
        tools = getattr(request, "tools", None) or []
        given = options(request, self.model_tokenizer, tools)
        found = extract(model_output, reasoning=begin(), **given)
        if not found["reasoning"]:
            return None, model_output
        rest = (one["text"] for one in found["segments"] if one["kind"] != "reasoning")
        return found["reasoning"], "".join(rest) or None

    def extract_reasoning_streaming(
        self, previous_text: str, current_text: str, delta_text: str, *_: Any, **__: Any
    ) -> DeltaMessage | None:
        """Return all as content, which the other parser reads."""
        return DeltaMessage(content=delta_text)

    def finish_streaming(self) -> None:
        """End a text that came in pieces: nothing of it is held back."""


def _said(call: Any) -> dict[str, str]:
    return {"name": call["name"], "arguments": call["arguments_json"]}


def _text(found: Extraction) -> str:
    """Return the content; reasoning that no parser took stays in it, as it came."""
    if not found["reasoning"]:
        return found["content"] or ""
    kept = ("text", "code", "reasoning", "message")
    return "".join(one["text"] for one in found["segments"] if one["kind"] in kept)


def _note(unread: int) -> str:
    return f"\n\n{MESSAGES['tool_payload_parse_error']}" if unread else ""


ToolParserManager.register_module(NAME, module=cast(Any, CommonCallToolParser))
ReasoningParserManager.register_module(NAME, module=cast(Any, CommonCallReasoningParser))
