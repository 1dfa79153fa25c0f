"""What the functions take of a Python program, and what they refuse by its place and its class."""

import copy
import decimal
import enum
import json
import math
from collections import OrderedDict, UserDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock, Mock

import pytest

from commoncall import capability, extraction, payload, turn
from commoncall.border import plain
from commoncall.envelope import EnvExhausted
from commoncall.payload import load_profile

TOOLS = [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]
REGISTRY = {
    "registry_version": "1.0",
    "revision": "1",
    "providers": {"acme": {"models": {"m": {"tool_calls_supported": True}}}},
}


class Model:
    """Dumps itself as a pydantic model does, with what was not set: a default, and a null; in the
    mode of JSON a number that is none is null.
    """

    def __init__(self, **members: object) -> None:
        self.members = members
        self.model_fields_set = set(members)

    def model_dump(self, *, mode: str, warnings: bool) -> dict[str, object]:
        assert not warnings
        dumped = {"unset": None, **self.members}
        return dumped if mode == "python" else without_nan(dumped)


def without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_nan(one) for name, one in value.items()}
    return None if isinstance(value, float) and math.isnan(value) else value


class ChatCompletionMessage(Model):
    """Stands in for that of an SDK."""


class HumanMessage(Model):
    """Stands in for that of a framework, which has no role."""


@dataclass
class Asked:
    id: str
    function: object
    type: str = "function"
    index: int | None = None


@dataclass
class Said:
    role: str
    tool_calls: list[object]
    content: str | None = None


class Role(enum.StrEnum):
    USER = "user"


class Number(enum.IntEnum):
    ONE = 1


def call(arguments: str = "{}") -> Model:
    return Model(id="c1", type="function", function=Model(name="f", arguments=arguments))


def called(name: str) -> dict[str, object]:
    return {"id": "c1", "type": "function", "function": {"name": name, "arguments": "{}"}}


def prepared(messages: object, **options: Any) -> turn.Prepared:
    given: dict[str, Any] = {
        "registries": [capability.load_registry(REGISTRY)],
        "targets": [{"provider": "acme", "model": "m"}],
        "registered": ["f"],
        "layers": [],
        "text_protocol": False,
        "disposition": "answer",
        **options,
    }
    return turn.prepare({"model": "m", "messages": messages, "tools": TOOLS}, **given)


def received(message: object, **options: Any) -> turn.Received:
    plan = prepared([{"role": "user", "content": "q"}])["plan"]
    given: dict[str, Any] = {"request_id": "r", "disposition": "answer", **options}
    return turn.receive(plan, message, **given)


# What goes through


def test_what_is_json_stays_what_it_is() -> None:
    value: object = {"a": [1, 2.5, True, None, "x", {"b": {}}], "": []}
    assert plain(value, "value") == value


def test_tuples_enumerations_and_subclasses_are_the_json_that_they_are() -> None:
    value = OrderedDict[str, object]([("a", (Role.USER, Number.ONE)), ("b", Model(c=(None,)))])
    read = plain(value, "value")
    assert json.dumps(read) == '{"a": ["user", 1], "b": {"c": [null]}}'
    assert [type(one) for one in read["a"]] == [str, int]


def test_the_message_of_an_sdk_is_a_message() -> None:
    message = ChatCompletionMessage(
        role="assistant", content=None, refusal=None, tool_calls=[call()]
    )
    result = {"role": "tool", "tool_call_id": "c1", "content": "done"}
    sent = prepared([{"role": "user", "content": "q"}, message, result])["request"]["messages"]
    assert [one["role"] for one in sent] == ["user", "assistant", "tool"]
    assert sent[1]["tool_calls"][0]["function"] == {"name": "f", "arguments": "{}"}
    assert sent[1]["content"] is None


def test_the_message_of_an_sdk_is_a_reply() -> None:
    message = ChatCompletionMessage(
        role="assistant", content="x", annotations=[], tool_calls=[call()]
    )
    got = received(message)
    assert got["content"] == "x"
    assert [one["id"] for one in got["dispatch"]] == ["c1"]


def test_a_default_that_nobody_set_stays() -> None:
    class Part(Model):
        def model_dump(self, *, mode: str, warnings: bool) -> dict[str, object]:
            return {"type": "text", "unset": None, **self.members}

    assert plain([Part(text="hi", content=None)], "x") == [
        {"type": "text", "text": "hi", "content": None}
    ]


def test_a_model_that_cannot_be_dumped_is_refused_with_its_place() -> None:
    class Broken(Model):
        def model_dump(self, *, mode: str, warnings: bool) -> dict[str, object]:
            raise ValueError("circular")

    with pytest.raises(TypeError, match=r"x\[0\] is a Broken, which cannot be dumped"):
        plain([Broken()], "x")


def test_a_model_that_dumps_itself_is_refused() -> None:
    class Itself(Model):
        def model_dump(self, *, mode: str, warnings: bool) -> Any:
            return self

    with pytest.raises(TypeError, match="x is an Itself, which cannot be dumped"):
        plain(Itself(), "x")


def test_extraction_alone_takes_tools_of_an_sdk() -> None:
    schema = {"type": "object", "properties": {"days": {"type": "integer"}}}
    tool = Model(type="function", function=Model(name="f", parameters=schema))
    text = "<function=f><parameter=days>3</parameter></function>"
    dialects = ["function-parameters"]
    whole = extraction.extract(text, effective=["f"], dialects=dialects, tools=[tool])
    streamed = extraction.stream([text], effective=["f"], dialects=dialects, tools=[tool])
    assert [call["arguments"] for call in whole["tool_calls"]] == [{"days": 3}]
    assert [call["arguments"] for call in streamed["result"]["tool_calls"]] == [{"days": 3}]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"text": None}, "text is a NoneType, and no text"),
        ({"text": b"x"}, "text is a bytes, which is no JSON"),
        ({"tools": {"f": {}}}, "tools is a dict, and no list"),
        ({"tools": [object()]}, r"tools\[0\] is an object, which is no JSON"),
        ({"native_calls": "no"}, "native_calls is a str, and no bool"),
    ],
)
def test_extraction_alone_refuses_what_is_no_text_and_no_tools(
    given: dict[str, Any], said: str
) -> None:
    options: dict[str, Any] = {"text": "x", "effective": ["f"], **given}
    with pytest.raises(TypeError, match=f"^{said}$"):
        extraction.extract(options.pop("text"), **options)


def test_names_are_a_list() -> None:
    for wrong in ("f", (name for name in "f"), [5], None):
        with pytest.raises(TypeError, match=r"registered is .*, and no list of names"):
            prepared([], registered=wrong)


def test_the_sentinel_of_a_stream_is_a_chunk() -> None:
    stream = turn.Stream(prepared([]), **GIVEN)
    stream.feed({"choices": [{"index": 0, "delta": {"content": "Hi"}}]})
    assert stream.feed("[DONE]") == []
    assert "truncated" not in stream.finish()


@pytest.mark.parametrize(
    "wrong",
    [Model(content="x"), {"delta": {}}, {"message": {}}, {"tool_calls": []}, "x", None, [Model()]],
)
def test_what_is_no_chunk_is_refused(wrong: object) -> None:
    stream = turn.Stream(prepared([]), **GIVEN)
    with pytest.raises(TypeError, match="and no chunk with choices"):
        stream.feed(wrong)


@pytest.mark.parametrize(
    "chunk",
    [
        {"error": {"message": "m"}},
        {"object": "error", "message": "m"},
        {"choices": []},
        {"usage": {"total_tokens": 5}},
        {"type": "ping"},
        Model(usage=Model(total_tokens=5)),
        {},
    ],
)
def test_a_chunk_without_choices_says_nothing(chunk: object) -> None:
    assert turn.Stream(prepared([]), **GIVEN).feed(chunk) == []


def test_a_reply_of_chat_completions_may_have_a_text() -> None:
    assert received({"role": "assistant", "content": "x", "text": None})["content"] == "x"


def test_a_reply_may_lack_its_calls() -> None:
    assert received({"role": "assistant", "content": "x"})["content"] == "x"
    assert received({"text": "x"})["content"] == "x"


@pytest.mark.parametrize("reason", ["length", "content_filter", "model_length"])
def test_a_reason_says_that_a_message_was_cut_off(reason: str) -> None:
    message = ChatCompletionMessage(role="assistant", tool_calls=[call('{"a": ')])
    codes = [one["code"] for one in received(message, finish_reason=reason)["findings"]]
    assert codes == ["arguments_truncated"]
    codes = [one["code"] for one in received(message, finish_reason="tool_calls")["findings"]]
    assert codes == ["arguments_invalid_json"]


def test_what_was_prepared_says_what_the_way_back_has_to_know() -> None:
    tools = [{"type": "function", "function": {"name": "a.b", "parameters": {}}}]
    sent = turn.prepare(
        {"model": "m", "messages": [], "tools": tools},
        registries=[REGISTRY],  # type: ignore[list-item]
        targets=[{"provider": "acme", "model": "m"}],
        registered=["a.b"],
        layers=[],
        text_protocol=False,
        disposition="answer",
    )
    [alias] = sent["aliases"]
    message = {"role": "assistant", "tool_calls": [called(alias)]}
    got = turn.receive(sent, message, request_id="r", disposition="answer")
    assert [one["name"] for one in got["dispatch"]] == ["a.b"]
    other = {**sent, "request": {"model": "m"}}
    with pytest.raises(turn.PlanMismatchError):
        turn.receive(other, message, request_id="r", disposition="answer")  # type: ignore[arg-type]
    got = turn.receive(sent["plan"], message, request_id="r", disposition="answer")
    assert [one["error_type"] for one in got["answers"]] == ["tool_not_available"]


def test_a_stream_takes_the_chunks_of_an_sdk() -> None:
    stream = turn.Stream(
        prepared([{"role": "user", "content": "q"}]), request_id="r", disposition="answer"
    )
    delta = Model(content="x", tool_calls=None)
    chunk = Model(choices=[Model(index=0, delta=delta, finish_reason="stop")])
    assert stream.feed(chunk) == [{"text": "x"}]
    assert stream.finish()["content"] == "x"
    assert stream.rest == []
    with pytest.raises(TypeError, match="chunk is a Mock, which is no JSON"):
        stream.feed(Mock())


# A reply is received, whatever its server put into it


def nested(depth: int) -> object:
    value: object = 0
    for _ in range(depth):
        value = [value]
    return value


NO_ARGUMENTS: dict[str, tuple[object, str]] = {
    "a number that is none": ({"x": math.nan}, "arguments_invalid_json"),
    "an endless number": ({"x": [math.inf]}, "arguments_invalid_json"),
    "5,001 digits": ({"x": 10**5_000}, "arguments_invalid_json"),
    "half a pair": ({"\ud800": 0}, "arguments_invalid_json"),
    "a decimal": ({"x": decimal.Decimal("1.5")}, "arguments_invalid_json"),
    "a set": ({"x": [{1}]}, "arguments_invalid_json"),
    "bytes": (b"{}", "arguments_invalid_json"),
    "a number as a name": ({3.25: 0}, "arguments_invalid_json"),
    "a depth of 129": ({"x": nested(128)}, "arguments_too_deep"),
    "a depth of 900": ({"x": nested(899)}, "arguments_too_deep"),
}


def from_server(arguments: object, wrap: Callable[..., Any]) -> Iterator[turn.Received]:
    """Receive a call with these arguments, as a message and as a chunk."""
    function = wrap(name="f", arguments=arguments)
    calls = [wrap(index=0, id="c1", function=function)]
    unread = {"logprobs": decimal.Decimal(1), "audio": b"x"}
    yield received(wrap(role="assistant", content="x", tool_calls=calls, **unread))
    stream = turn.Stream(prepared([{"role": "user", "content": "q"}]), **GIVEN)
    choice = wrap(delta=wrap(tool_calls=calls), logprobs=-math.inf, finish_reason="stop")
    stream.feed(wrap(choices=[choice], raw=b"x"))
    yield stream.finish()


@pytest.mark.parametrize("wrap", [dict, Model])
@pytest.mark.parametrize("name", NO_ARGUMENTS)
def test_arguments_that_are_no_json_are_those_of_a_call_that_cannot_be_read(
    name: str, wrap: Callable[..., Any]
) -> None:
    arguments, code = NO_ARGUMENTS[name]
    for got in from_server(arguments, wrap):
        assert [one["code"] for one in got["findings"]] == [code]
        assert [one["error_type"] for one in got["answers"]] == ["tool_payload_parse_error"]
        assert got["dispatch"] == []


def test_arguments_may_nest_as_deep_as_their_text_may() -> None:
    for got in from_server({"x": nested(127)}, dict):
        [one] = got["dispatch"]
        assert json.loads(one["arguments_json"]) == {"x": nested(127)}


def test_a_model_that_dumps_no_depth_is_read_level_by_level() -> None:
    class Deep(Model):
        def model_dump(self, *, mode: str, warnings: bool) -> dict[str, object]:
            raise ValueError("depth")

        def __iter__(self) -> Iterator[tuple[str, object]]:
            return iter(self.members.items())

    for got in from_server({"x": nested(300)}, Deep):
        assert [one["code"] for one in got["findings"]] == ["arguments_too_deep"]


def test_what_is_opaque_and_no_json_goes_with_a_finding() -> None:
    profile = {"opaque_members": ["r"], "origin": ORIGIN}
    content = [{"type": "t", "t": math.nan}, {"type": "text", "text": "x", "p": math.inf}]
    message = {"role": "assistant", "content": content, "r": decimal.Decimal(1)}
    got = received(message, profile=profile)
    assert [(one["code"], one["path"]) for one in got["findings"]] == [
        ("opaque_removed", "/message/r"),
        ("part_unknown", "/message/text/0"),
    ]
    assert json.dumps(turn.settle(got, [], profile=profile), allow_nan=False)
    assert received({**message, "r": None}, profile=profile)["opaque"] == {"members": {"r": None}}


def test_one_part_or_one_call_is_a_list_of_it() -> None:
    got = received({"role": "assistant", "content": {"type": "text", "text": "x"}})
    assert (got["content"], got["findings"]) == ("x", [])
    got = received({"role": "assistant", "content": 5, "refusal": 5, "truncated": "no"})
    assert [one["code"] for one in got["findings"]] == ["part_unknown"]
    assert not {"refusal", "truncated"} & got.keys()
    got = received({"role": "assistant", "tool_calls": called("f")})
    assert [one["id"] for one in got["dispatch"]] == ["c1"]
    nothing: object
    for nothing in ({}, False, ""):
        assert received({"role": "assistant", "content": "x", "tool_calls": nothing})["calls"] == []
    [answer] = received({"role": "assistant", "tool_calls": True})["answers"]
    assert answer["error_type"] == "tool_payload_parse_error"


WORDS: dict[str, object] = {
    "a text beside a role": {"role": "assistant", "text": "hi"},
    "one part": {"text": {"type": "text", "text": "hi"}},
    "a transcript": {"role": "assistant", "content": None, "audio": {"transcript": "hi"}},
}


@pytest.mark.parametrize("name", WORDS)
def test_the_words_of_a_reply_are_read_wherever_they_stand(name: str) -> None:
    assert received(WORDS[name])["content"] == "hi"


def test_a_reply_in_the_form_of_the_operation_is_read_as_one_of_chat_completions() -> None:
    got = received({"text": 5, "refusal": 5, "truncated": 1, "tool_calls": called("f")})
    assert [one["code"] for one in got["findings"]] == ["part_unknown"]
    assert ("refusal" in got, got.get("truncated")) == (False, True)
    assert len(got["calls"]) == 1
    for calls in ("abc", 7):
        assert len(received({"text": None, "tool_calls": calls})["answers"]) == 1


def test_ids_are_nine_letters_and_digits_by_default() -> None:
    message = ChatCompletionMessage(role="assistant", tool_calls=[Model(function=Model(name="f"))])
    [one] = received(message)["calls"]
    assert len(one["id"]) == 9
    assert one["id"].isascii()
    assert one["id"].isalnum()


def test_a_document_of_a_registry_is_loaded() -> None:
    target = {"provider": "acme", "model": "m"}
    assert prepared([], registries=[REGISTRY])["reason"] == "exact"
    assert capability.resolve([REGISTRY], [target])["reason"] == "exact"  # type: ignore[list-item]


# Nothing is shared


def test_a_result_shares_nothing_with_what_was_given() -> None:
    messages = [{"role": "user", "content": [{"type": "text", "text": "q"}]}]
    given = copy.deepcopy(messages)
    sent = prepared(messages)["request"]
    sent["messages"][0]["content"][0]["text"] = "other"
    sent["tools"][0]["function"]["parameters"]["type"] = "other"
    assert messages == given
    assert TOOLS[0]["function"] == {"name": "f", "parameters": {"type": "object"}}
    history: list[Any] = payload.sanitize_history(messages, disposition="skip")["messages"]
    history[0]["content"][0]["text"] = "other"
    assert messages == given


# What is refused


def generated() -> Iterator[dict[str, str]]:
    yield {"role": "user", "content": "q"}


CYCLE: list[object] = []
CYCLE.append(CYCLE)

REFUSED: dict[str, tuple[object, str]] = {
    "a message of a framework": (
        [{"role": "user", "content": "q"}, HumanMessage(content="x")],
        "request.messages[1] is a HumanMessage, and no message of Chat Completions",
    ),
    "a message that holds its calls elsewhere": (
        [HumanMessage(role="assistant", content="x", additional_kwargs={})],
        "request.messages[0] is a HumanMessage, and no message of Chat Completions",
    ),
    "a mock": ([Mock()], "request.messages[0] is a Mock, which is no JSON"),
    "a magic mock": ([MagicMock()], "request.messages[0] is a MagicMock, which is no JSON"),
    "a generator": (generated(), "request.messages is a generator, and no list"),
    "a text": ("q", "request.messages is a str, and no list"),
    "a response": (
        [Model(object="chat.completion", choices=[])],
        "request.messages[0] is a Model, and no message: pass response.choices[0].message",
    ),
    "a choice": (
        [Model(index=0, finish_reason="stop", message={})],
        "request.messages[0] is a Model, and no message: pass choice.message",
    ),
    "bytes": (
        [{"role": "user", "content": b"q"}],
        "request.messages[0].content is a bytes, which is no JSON",
    ),
    "a set": (
        [{"role": "user", "content": [{"x": {1}}]}],
        "request.messages[0].content[0].x is a set, which is no JSON",
    ),
    "another mapping": ([UserDict()], "request.messages[0] is an UserDict, which is no JSON"),
    "a number that is none": (
        [{"role": "user", "content": math.nan}],
        "request.messages[0].content is nan, which is no JSON",
    ),
    "an endless number": (
        [{"role": "user", "content": -math.inf}],
        "request.messages[0].content is -inf, which is no JSON",
    ),
    "a name that is no text": (
        [{"role": "user", 1: "q"}],
        "request.messages[0] has an int as a name, and names are texts",
    ),
    "a set in arguments": (
        [{"role": "assistant", "tool_calls": [{"function": {"arguments": {"private": [{1}]}}}]}],
        "request.messages[0].tool_calls[0].function.arguments[…] is a set, which is no JSON",
    ),
    "a number in what a tool is given": (
        [{"role": "assistant", "content": [{"type": "x", "input": {"private": math.nan}}]}],
        "request.messages[0].content[0].input[…] is nan, which is no JSON",
    ),
    "a private name": (
        [{"role": "assistant", "tool_calls": [{"function": {"arguments": {3.25: 1}}}]}],
        "request.messages[0].tool_calls[0].function.arguments has a float as a name, "
        "and names are texts",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_json_is_refused_with_its_place(name: str) -> None:
    messages, said = REFUSED[name]
    with pytest.raises(TypeError) as raised:
        prepared(messages)
    assert str(raised.value) == said


@pytest.mark.parametrize(
    ("messages", "form", "path"),
    [
        ([{"type": "function_call", "name": "f"}], "openai-responses", "/request/messages/0"),
        (
            [{"role": "model", "parts": [{"functionCall": {"name": "f"}}]}],
            "gemini-generate-content",
            "/request/messages/0/parts/0",
        ),
        (
            [{"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f"}]}],
            "anthropic-messages",
            "/request/messages/0/content/0",
        ),
    ],
)
def test_another_interface_is_named(messages: list[object], form: str, path: str) -> None:
    with pytest.raises(payload.ForeignFormError) as raised:
        prepared(messages)
    error = {"code": "form_not_chat_completions", "form": form}
    assert raised.value.error == {**error, "path": path}
    with pytest.raises(payload.ForeignFormError) as raised:
        payload.sanitize_history(messages, disposition="skip")
    assert raised.value.error == {**error, "path": path.removeprefix("/request")}


def test_what_holds_itself_is_refused() -> None:
    with pytest.raises(TypeError, match="nests deeper than 128, or holds itself"):
        prepared([{"role": "user", "content": CYCLE}])


@pytest.mark.parametrize("request_", [None, [], "x", 5])
def test_json_that_is_no_request_stays(request_: object) -> None:
    """As the command and the npm port do (PAY-032)."""
    found = payload.sanitize_request(request_, capability=None)
    assert found["request"] == request_
    assert [one["code"] for one in found["findings"]] == ["payload_not_object"]


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ({"role": "session_meta", "model": "m"}, "role_unknown"),
        ({"role": "function", "name": "f", "content": "x"}, "role_unknown"),
        ({"role": {"private": 1}}, "role_unknown"),
        ({"content": "x"}, "role_unknown"),
        (None, "message_not_object"),
        ("Hi", "message_not_object"),
        (5, "message_not_object"),
    ],
)
def test_a_stored_row_that_is_no_message_goes_alone(row: object, code: str) -> None:
    question = {"role": "user", "content": "q"}
    found = payload.sanitize_history([row, question], disposition="answer")
    assert found["messages"] == [question]
    assert found["findings"] == [{"code": code, "path": "/messages/0"}]
    sent = prepared([row, question])
    assert sent["request"]["messages"] == [question]
    assert {"code": code, "path": "/request/messages/0"} in sent["findings"]


def test_calls_that_a_program_made_are_read_like_those_of_an_sdk() -> None:
    function = SimpleNamespace(name="read", arguments="{}")
    call = SimpleNamespace(id="a", type="function", function=function, extra_content=None)
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    held = {"id": "a", "type": "function", "function": {"name": "read", "arguments": "{}"}}
    result = {"role": "tool", "tool_call_id": "a", "content": "one"}
    found = payload.sanitize_history([message, result], disposition="answer")
    assert found["messages"] == [{**message, "tool_calls": [held]}, result]
    assert found["findings"] == []
    whole = Said(role="assistant", tool_calls=[Asked(id="a", function=function)])
    found = payload.sanitize_history([whole, result], disposition="answer")
    assert found["messages"] == [{"role": "assistant", "tool_calls": [held]}, result]
    read = received(Said(role="assistant", tool_calls=[call]))
    assert read == received({"role": "assistant", "tool_calls": [held]})
    assert read["calls"]
    with pytest.raises(TypeError, match="no message of Chat Completions"):
        payload.sanitize_history([SimpleNamespace(type="human")], disposition="answer")


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (Model(choices=[], object="chat.completion"), "pass response.choices"),
        (Model(message={}, finish_reason="stop"), "message.message has the role a NoneType"),
        ({"role": "user", "content": "q"}, "of another role than assistant"),
        (HumanMessage(content="x"), "no message of Chat Completions"),
        (None, "message is a NoneType, and no message"),
    ],
)
def test_a_reply_is_a_message_of_the_assistant(message: object, said: str) -> None:
    with pytest.raises(TypeError, match=said):
        received(message)


def test_a_registry_is_a_registry() -> None:
    with pytest.raises(TypeError, match=r"registries\[0\] is no registry"):
        prepared([], registries=[{"providers": {}}])


def settled(**outcome: Any) -> turn.Settled:
    got = received(ChatCompletionMessage(role="assistant", tool_calls=[call()]))
    return turn.settle(got, [{"seq": 0, **outcome}])  # type: ignore[typeddict-item]


def boxed(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


UNKNOWN: dict[str, tuple[Callable[[], object], str]] = {
    "disposition": (
        lambda: prepared([], disposition="answers"),
        "disposition is 'answers'; known are skip, answer",
    ),
    "a text for a word": (
        lambda: prepared([], disposition="my card is 4111"),
        "disposition is a str; known are skip, answer",
    ),
    "what nests": (
        lambda: prepared([], disposition=boxed(5000)),
        "disposition is a list; known are skip, answer",
    ),
    "no profile": (lambda: prepared([], profile=5), "profile: it is no object, and no name"),
    "profile": (lambda: prepared([], profile="vlm"), "no profile 'vlm'; near it: vllm"),
    "format": (
        lambda: received({"text": "x"}, format="herms"),
        "there is no format 'herms'; near it: hermes",
    ),
    "dialects": (
        lambda: received({"text": "x"}, dialects=["hermes"]),
        "no dialect 'hermes'; there are action-array, ",
    ),
    "no text": (lambda: received({"text": "x"}, dialects=[None]), "no dialect None; there are "),
    "fences": (
        lambda: extraction.extract("x", effective=["f"], fences="open"),  # type: ignore[arg-type]
        "fences is 'open'; known are opaque, extract",
    ),
    "no status": (lambda: settled(), r"outcomes\[0\] has no status"),
    "form": (
        lambda: payload.flatten_history([], form="quote"),  # type: ignore[arg-type]
        "form is 'quote'; known are ",
    ),
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_an_unknown_text_is_refused_with_those_that_are_known(name: str) -> None:
    ask, said = UNKNOWN[name]
    with pytest.raises(ValueError, match=f"^{said.replace('(', '[(]')}"):
        ask()


@pytest.mark.parametrize(
    "message", [{"text": None}, {"text": "x"}, {"role": "assistant", "tool_calls": [called("f")]}]
)
def test_what_is_wrong_with_an_option_is_said_whatever_the_message_holds(message: object) -> None:
    plan: Any = {**prepared([])["plan"], "effective": []}
    for error, option in (
        (ValueError, {"disposition": "answers"}),
        (ValueError, {"format": "herms"}),
        (ValueError, {"dialects": ["hermes"]}),
        (ValueError, {"fences": "open"}),
        (TypeError, {"formats": "hermes"}),
        (TypeError, {"record": False}),
        (TypeError, {"events": False}),
        (TypeError, {"observe": True}),
    ):
        with pytest.raises(error):
            received(message, **option)
        with pytest.raises(error):
            turn.Stream(plan, **{**GIVEN, **option})


@pytest.mark.parametrize("identifier", ["", " ", "c1"])
def test_a_source_of_ids_that_gives_no_fresh_one_ends(identifier: str) -> None:
    message = {"role": "assistant", "tool_calls": [called("f"), called("f")]}
    with pytest.raises(EnvExhausted, match="10000 ids in a row that are blank or taken"):
        received(message, new_id=lambda: identifier)
    ids = iter([identifier] * 9_999 + ["c2"])
    got = received(message, new_id=lambda: next(ids))
    assert [one["id"] for one in got["dispatch"]] == ["c1", "c2"]


def test_a_source_of_ids_gives_texts() -> None:
    message = {"role": "assistant", "tool_calls": [called("f"), called("f")]}
    with pytest.raises(TypeError, match="new_id gave an int, and no text"):
        received(message, new_id=lambda: 5)


def test_a_stream_whose_end_failed_can_be_asked_for_it_again() -> None:
    fails = iter([True, False])

    def judge(arguments: object, parameters: object) -> list[object]:
        if next(fails):
            raise LookupError
        return []

    stream = turn.Stream(prepared([]), judge=judge, **GIVEN)
    stream.feed({"choices": [{"delta": {"tool_calls": [called("f")]}, "finish_reason": "stop"}]})
    with pytest.raises(LookupError):
        stream.finish()
    assert [one["name"] for one in stream.finish()["dispatch"]] == ["f"]
    with pytest.raises(ValueError, match="the stream is finished"):
        stream.finish()


WRONG: dict[str, tuple[dict[str, object], str]] = {
    "aliases": ({"aliases": ["x"]}, "aliases is a list, and no object of texts"),
    "an alias": ({"aliases": {"f": 5}}, "aliases is a dict, and no object of texts"),
    "tools": ({"tools": "f"}, "tools is a str, and no list"),
    "key": ({"key": "x"}, "key is a str, and no such option"),
    "new_id": ({"new_id": "x"}, "new_id is a str, and no such option"),
    "judge": ({"judge": 5}, "judge is an int, and no such option"),
    "payload_bytes": ({"payload_bytes": "1"}, "payload_bytes is a str, and no such option"),
    "request_id": ({"request_id": 5}, "request_id is an int, and no str"),
    "no request_id": ({"request_id": None}, "request_id is a NoneType, and no str"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_option_is_refused_before_anything_is_read(name: str) -> None:
    option, said = WRONG[name]
    given: Any = {**GIVEN, **option}
    for ask in (
        lambda: turn.receive(prepared([]), {"text": "x"}, **given),
        lambda: turn.Stream(prepared([]), **given),
    ):
        with pytest.raises(TypeError, match=said):
            ask()


def test_an_option_that_is_missing_is_named() -> None:
    plan: Any = prepared([])["plan"]
    nothing = dict[str, Any]()
    for ask in (
        lambda: turn.Stream(plan, **nothing),
        lambda: turn.receive(plan, {"text": "x"}, **nothing),
    ):
        with pytest.raises(TypeError, match="there is no disposition"):
            ask()


def test_none_is_as_good_as_no_option() -> None:
    sent: Any = {**prepared([]), "aliases": {"f1": "f"}, "request": {"tools": [called("f1")]}}
    options: Any = dict.fromkeys(("request", "aliases", "tools", "key", "new_id", "judge"))
    message = {"role": "assistant", "tool_calls": [called("f1")]}
    assert turn.receive(sent, message, **options, **GIVEN)["dispatch"][0]["name"] == "f"


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ({"text_protocol": "no"}, "text_protocol is a str, and no bool"),
        ({"open_turn": 1}, "open_turn is an int, and no bool"),
        ({"sections": [{"x": 1}]}, "sections is a list, and no list of sections"),
        ({"layers": "x"}, "layers is a str, and no list"),
        ({"targets": {}}, "targets is a dict, and no list"),
    ],
)
def test_what_is_prepared_is_given_in_form(option: dict[str, object], said: str) -> None:
    with pytest.raises(TypeError, match=said):
        prepared([], **option)


def test_arguments_go_by_place_where_the_function_says_so() -> None:
    assert payload.check_tool_call(call()) == payload.check_tool_call(tool_call=call())
    with pytest.raises(TypeError, match="takes 1 positional argument but 2 were given"):
        payload.sanitize_history([], "skip")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="got multiple values for argument 'messages'"):
        payload.sanitize_history([], messages=[], disposition="skip")  # type: ignore[misc]
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'disposition'"):
        payload.sanitize_history([])  # type: ignore[call-arg]


# What was run is settled


@pytest.mark.parametrize(
    "content",
    [
        decimal.Decimal(1),
        {1},
        {"a": [object()]},
        b"x",
        math.nan,
        {1: "a"},
        CYCLE,
        pytest.param(10**5_000, id="5,001 digits"),
        pytest.param({"a": [-(10**5_000)]}, id="below"),
    ],
)
def test_a_result_that_is_no_json_is_told_and_the_turn_is_settled(content: object) -> None:
    message = {"role": "assistant", "tool_calls": [called("f"), {**called("f"), "id": "c2"}]}
    outcomes: Any = [{"seq": 1, "status": "ok", "content": "b"}]
    outcomes.append({"seq": 0, "status": "ok", "content": content, "latency_ms": 5})
    end = turn.settle(received(message), outcomes)
    assert end.get("findings") == [{"code": "media_removed", "path": "/outcomes/1/content"}]
    assert [one["status"] for one in end["events"]] == ["error", "ok"]
    lost, kept = end["events"]
    assert lost.get("error_type") == "tool_error"
    assert (lost.get("latency_ms"), kept.get("latency_ms")) == (5, None)
    text = "The tool was run, and its result cannot be written as JSON."
    assert [one["content"] for one in end["history"][1:]] == [text, "b"]


@pytest.mark.parametrize(
    "latency", [math.nan, math.inf, decimal.Decimal(5), object(), "5", True, -1]
)
def test_a_latency_that_is_none_is_not_known(latency: object) -> None:
    got = received({"role": "assistant", "tool_calls": [called("f")]})
    outcome: Any = {"seq": 0, "status": "ok", "latency_ms": latency, "content": "x"}
    [event] = turn.settle(got, [outcome])["events"]
    assert event["status"] == "ok"
    assert "latency_ms" not in event


@pytest.mark.parametrize(
    "said",
    [
        {"error_type": "tool_broken"},
        {"error_type": "KeyError: path"},
        {"error_type": ValueError("path")},
        {"error_type": math.nan},
        {"error_type": [CYCLE]},
    ],
    ids=["a word", "a line", "an exception", "no number", "no JSON"],
)
def test_an_end_that_nobody_knows_is_an_error_and_the_turn_is_settled(said: Any) -> None:
    end = settled(**{"status": "error", "content": "no", **said})
    assert [one.get("error_type") for one in end["events"]] == ["tool_error"]
    assert end["history"][1]["content"] == "The tool call failed.\nno"
    assert "findings" not in end


@pytest.mark.parametrize("status", ["success", object()], ids=["a word", "no JSON"])
def test_a_status_that_nobody_knows_is_an_error_and_is_said(status: object) -> None:
    with pytest.warns(UserWarning, match=r"outcomes\[0\].status is .*neither ok nor error"):
        end = settled(status=status, content="no")
    assert [one.get("error_type") for one in end["events"]] == ["tool_error"]
    assert end["history"][1]["content"] == "The tool call failed.\nno"


def test_a_great_integer_of_a_result_is_kept() -> None:
    digits = "9" * 4_300
    assert settled(status="ok", content=int(digits))["outputs"][0]["content"] == digits


NO_OUTCOME: dict[str, tuple[object, type[Exception], str]] = {
    "nothing": (None, TypeError, "outcomes is a NoneType, and no list of outcomes"),
    "one": ({"seq": 0}, TypeError, "outcomes is a dict, and no list of outcomes"),
    "a text": (["x"], TypeError, "outcomes[0] is a str, and no outcome with a seq"),
    "no seq": ([{"status": "ok"}], TypeError, "outcomes[0] is a dict, and no outcome with a seq"),
    "a misspelt member": (
        [{"seq": 0, "status": "ok", "contents": "x"}],
        ValueError,
        "outcomes[0] has the member 'contents'; known are "
        "seq, status, content, latency_ms, error_type",
    ),
    "another call": (
        [{"seq": 0, "status": "ok"}, {"seq": 5, "status": "ok"}],
        ValueError,
        "outcomes[1] is of no dispatched call, or the second of one",
    ),
}


@pytest.mark.parametrize("name", NO_OUTCOME)
def test_what_is_no_outcome_is_refused_with_its_place(name: str) -> None:
    outcomes, error, said = NO_OUTCOME[name]
    got = received({"role": "assistant", "tool_calls": [called("f")]})
    with pytest.raises(error) as raised:
        turn.settle(got, outcomes)  # type: ignore[arg-type]
    assert str(raised.value) == said


@pytest.mark.parametrize("wrong", [None, {}, {"content": None}])
def test_what_is_settled_is_what_was_received(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"received is a .*, and not what receive returned"):
        turn.settle(wrong, [])


def test_what_is_settled_speaks_of_the_calls_that_were_received() -> None:
    got: Any = received({"role": "assistant", "tool_calls": [called("f")]})
    other: Any = {"calls": [{**got["calls"][0], "seq": 9}]}
    change: Any
    for change in (other, {"dispatch": []}, {"opaque": {"members": {"role": "user"}}}):
        with pytest.raises(TypeError, match="received is a dict, and not what receive returned"):
            turn.settle(got | change, [])
    secret: Any = {**got, "opaque": {"members": {"r": {"private": math.nan}}}}
    with pytest.raises(TypeError, match=r"^received\.opaque\[…\] is nan, which is no JSON$"):
        turn.settle(secret, [])


@pytest.mark.parametrize(
    "wrong", [None, {"model": "m", "messages": []}, "plan", {"effective": ["f"]}, {"plan": {}}]
)
def test_a_plan_is_what_prepare_returned(wrong: Any) -> None:
    for ask in (
        lambda: turn.receive(wrong, {"text": None}, **GIVEN),
        lambda: turn.Stream(wrong, **GIVEN),
    ):
        with pytest.raises(TypeError, match=r"plan is a .*, and no plan: pass what prepare"):
            ask()


def test_a_stream_has_no_message_before_its_end() -> None:
    stream = turn.Stream(prepared([]), **GIVEN)
    with pytest.raises(ValueError, match="the stream has no message before it is finished"):
        assert stream.message


GIVEN: Any = {"request_id": "r", "disposition": "answer"}
ORIGIN = {"provider": "acme", "model": "m"}


# Profiles


def test_a_profile_goes_by_its_name() -> None:
    messages = [{"role": "developer", "content": "d"}, {"role": "user", "content": "q"}]
    by_flags = prepared(messages, profile=load_profile("vllm"))["request"]
    assert prepared(messages)["request"] != by_flags
    assert prepared(messages, profile="vllm")["request"] == by_flags


def test_the_strictest_profile_has_a_name() -> None:
    assert load_profile("strict") == {}
    messages = [{"role": "developer", "content": "d"}, {"role": "user", "content": "q"}]
    by_flags = prepared(messages, profile={})["request"]
    assert prepared(messages, profile="strict")["request"] == by_flags


def test_a_profile_is_told_where_the_request_goes() -> None:
    origin = {"provider": "acme", "model": "m"}
    profile = load_profile("deepseek", origin=origin)
    assert profile == {**load_profile("deepseek"), "origin": origin}
    with pytest.raises(payload.OriginMissingError, match=r"origin_missing: .* load_profile"):
        prepared([], profile=load_profile("deepseek"))
    given = {"model": "m", "messages": [{"role": "user", "content": "q"}]}
    sent = turn.prepare(given, capability=True, profile="deepseek")
    assert sent["reading"]["profile"] == load_profile(
        "deepseek", origin={"provider": "deepseek", "model": "m"}
    )
