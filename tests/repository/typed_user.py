"""What a user's type checker has to know of the package: checked by mypy and pyright, never run."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Protocol, assert_type

from commoncall import extraction, turn
from commoncall.capability import Registry
from commoncall.event import ErrorType, PlannedEvent, ResultEvent
from commoncall.names import FormatName, ProfileName
from commoncall.payload import OriginMissingError, load_profile

FORMAT: FormatName = "hermes"
PROFILE: ProfileName = "vllm"
"""What these types list; both parameters take any other text, too."""


class Message(Protocol):
    """The message of an SDK, as far as this file needs it."""

    content: str | None


class Create(Protocol):
    """The method of an SDK that sends a request."""

    def __call__(self, *, model: str, messages: list[Any], tools: list[Any] = ...) -> Message: ...


def loop(
    create: Create,
    run: Mapping[str, Callable[..., str]],
    registry: Registry,
    messages: list[dict[str, Any]],
) -> str | None:
    """Prepare, send, receive, run, settle: no cast, and no `type: ignore`."""
    target = {"provider": "acme", "model": "m"}
    try:
        sent = turn.prepare(
            {"model": "m", "messages": messages},
            registries=[registry],
            targets=[target],
            registered=list(run),
            layers=[],
            text_protocol=False,
            disposition="answer",
            profile=load_profile("deepseek", origin=target),
        )
    except OriginMissingError as error:
        return error.error["code"]
    reply = create(**sent["request"])
    got = turn.receive(sent, reply, request_id="r", disposition="answer", finish_reason="stop")
    outcomes: list[turn.CallOutcome] = []
    for call in got["dispatch"]:
        content = run[call["name"]](**json.loads(call["arguments_json"]))
        outcomes.append({"seq": call["seq"], "status": "ok", "content": content})
    done = turn.settle(got, outcomes)
    assert_type(done["events"], list[ResultEvent])
    assert_type(got["planned"], list[PlannedEvent])
    for answer in got["answers"]:
        assert_type(answer["error_type"], ErrorType)
    messages += done["history"]
    return got["content"]


def shown(extractor: extraction.Extractor, chunk: str) -> str:
    """Say what each event of a stream is: the union narrows."""
    said = ""
    for event in extractor.feed(chunk):
        if "text" in event:
            said += event["text"]
        elif "reasoning" in event:
            said += event["reasoning"]
        elif "call" in event:
            said += event["call"]["name"]
        else:
            said += event["unreadable"]["error_type"]
    return said


def streamed(sent: turn.Prepared, chunks: list[object]) -> str:
    """Say what each piece of a streamed turn is."""
    said = ""
    stream = turn.Stream(sent, request_id="r", disposition="answer", tools=[])
    for piece in [*(piece for chunk in chunks for piece in stream.feed(chunk)), *stream.rest]:
        if "text" in piece:
            said += piece["text"]
        elif "reasoning" in piece:
            said += piece["reasoning"]
        else:
            said += piece["refusal"]
    return said + (stream.finish()["content"] or "")
