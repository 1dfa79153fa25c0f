"""What spec/use/guarded.mjs lets through: the cases of the transport, in JavaScript."""

import base64
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commoncall.payload import load_profile
from tests.repository import test_transport as same
from tests.repository.test_transport import LEAK, SAID, TOOL, Json, call, completion, event, piece

Ask = Callable[..., list[Json]]
SSE = {"content-type": "text/event-stream"}
VLLM = load_profile("vllm")


@pytest.fixture(scope="module")
def ask(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """Return what gives cases to the page, in one process."""
    node = shutil.which("node") or pytest.skip("NOT RUN: there is no node")
    folder = tmp_path_factory.mktemp("guarded")
    for file in ("spec/use/guarded.mjs", "tests/javascript/guarded_cases.mjs"):
        shutil.copy(root / file, folder)
    (folder / "node_modules").mkdir()
    (folder / "node_modules" / "commoncall").symlink_to(root / "reference" / "javascript")

    def asked(*cases: Json, profile: Any = VLLM) -> list[Json]:
        sending, reading = same.options(profile)
        body = same.asked([{"role": "user", "content": "hello"}])
        both = {"sending": sending, "reading": reading, "body": body}
        done = subprocess.run(
            [node, "guarded_cases.mjs"],
            input=json.dumps([{**both, **case} for case in cases]),
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        answers: list[Json] = json.loads(done.stdout)
        assert [one["error"] for one in answers if "error" in one] == []
        return answers

    return asked


def whole(status: int, body: Any) -> Json:
    return reply(json.dumps(body).encode(), status=status, headers={"x-request-id": "q"})


def streamed(*parts: bytes) -> Json:
    return reply(*parts, headers=SSE)


def reply(*parts: bytes, status: int = 200, headers: Json | None = None) -> Json:
    encoded = [base64.b64encode(part).decode() for part in parts]
    return {"reply": {"status": status, "headers": headers or {}, "parts": encoded}}


def deltas(answer: Json) -> list[Json]:
    chunks = same.chunks_in(answer["text"].encode())
    return [one["choices"][0]["delta"] for one in chunks]


def test_what_needs_no_reading_goes_on_as_it_came(ask: Ask) -> None:
    cases = [(status, body) for status, body in same.AS_IT_CAME.values()]
    for (status, body), seen in zip(cases, ask(*(whole(*one) for one in cases)), strict=True):
        assert (seen["status"], json.loads(seen["text"])) == (status, body)
        assert seen["headers"]["x-request-id"] == "q"


def test_what_is_no_json_goes_on_as_it_came(ask: Ask) -> None:
    texts = ["", "null", "<html>", "[" * 100_000]
    assert [one["text"] for one in ask(*(reply(one.encode()) for one in texts))] == texts


def test_a_call_is_found_whatever_is_missing_around_it(ask: Ask) -> None:
    body = {"choices": [{"message": {"content": LEAK}}]}
    for status, seen in zip((200, 201), ask(whole(200, body), whole(201, body)), strict=True):
        assert seen["status"] == status
        [choice] = json.loads(seen["text"])["choices"]
        assert same.read(choice["message"]["tool_calls"][0]) == ("read", {"path": "a"})
        assert choice["finish_reason"] == "tool_calls"


def test_why_a_message_ended(ask: Ask) -> None:
    cases = []
    for reason, calls, _ in same.ENDS:
        message = {"role": "assistant", "content": "x", "tool_calls": calls}
        pieces = [piece({"content": "x"}), piece({"tool_calls": calls}), piece({}, reason)]
        cases += [whole(200, completion(message, reason)), streamed(*map(event, pieces))]
    answers = ask(*cases)
    for at, (_, _, shown) in enumerate(same.ENDS):
        seen = json.loads(answers[2 * at]["text"])["choices"][0]["finish_reason"]
        [*_, last] = same.chunks_in(answers[2 * at + 1]["text"].encode())
        assert (seen, last["choices"][0]["finish_reason"]) == (shown, shown)


@pytest.mark.parametrize("closed", [True, False], ids=["closed", "not closed"])
def test_a_line_of_a_stream_ends_where_the_standard_says(ask: Ask, closed: bool) -> None:
    cases = []
    for end in same.LINES:
        text = "".join(
            f"data: {json.dumps(chunk, ensure_ascii=False)}{end}: hold on{end}id: {at}{end}{end}"
            for at, chunk in enumerate(
                [piece({"content": same.STRANGE}), piece({"content": "é😀"})]
            )
        )
        data = f"\ufeff{text}".encode()
        data = data if closed else data.removesuffix(end.encode() * 2)
        for size in (1, 2, 3, 5, 7, len(data)):
            cases.append(streamed(*(data[at : at + size] for at in range(0, len(data), size))))
    for seen in ask(*cases):
        text = "".join(one.get("content", "") for one in deltas(seen))
        assert text == same.STRANGE + "é😀"


def test_an_event_may_have_several_lines(ask: Ask) -> None:
    [seen] = ask(streamed(*same.in_lines(piece({"content": "x"}))))
    assert deltas(seen)[0] == {"content": "x"}


def test_what_a_stream_held_back_is_shown_at_its_end(ask: Ask) -> None:
    [seen] = ask(streamed(event(piece({"content": "x <tool_ca"})), event(piece({}, "stop"))))
    shown = [one.get("content", "") for one in deltas(seen)]
    assert (shown[0], "".join(shown)) == ("x", "x <tool_ca")


def test_a_stream_without_a_reason_was_too_long_unless_it_calls(ask: Ask) -> None:
    ends: list[tuple[Json, str]] = [
        ({"content": "x"}, "length"),
        ({"tool_calls": [call("a")]}, "tool_calls"),
    ]
    answers = ask(*(streamed(event(piece(delta))) for delta, _ in ends))
    for (_, reason), seen in zip(ends, answers, strict=True):
        [*_, last] = same.chunks_in(seen["text"].encode())
        assert last["choices"][0]["finish_reason"] == reason


def test_usage_comes_once(ask: Ask) -> None:
    end = piece({}, "stop", usage={"total_tokens": 3})
    [seen] = ask(streamed(event(piece({"content": "x"}, usage=None)), event(end)))
    assert seen["text"].count("total_tokens") == 1


def test_who_never_calls_what_can_be_run_is_asked_three_times(ask: Ask) -> None:
    broken = {"role": "assistant", "content": None, "tool_calls": [{**call("a"), "function": {}}]}
    silent, said = ask(whole(200, completion(broken)), whole(200, completion({**broken, **SAID})))
    assert (len(silent["sent"]), len(said["sent"])) == (3, 1)
    for seen in (silent, said):
        [choice] = json.loads(seen["text"])["choices"]
        assert (choice["message"].get("tool_calls"), choice["finish_reason"]) == (None, "stop")


def test_headers_of_the_body_that_came_do_not_stay(ask: Ask) -> None:
    body = json.dumps(completion({"role": "assistant", "content": LEAK}, "stop")).encode()
    [seen] = ask(reply(body, headers={"content-length": str(len(body)), "x-request-id": "q"}))
    assert seen["headers"].get("content-length") in (None, str(len(seen["text"])))
    assert seen["headers"]["x-request-id"] == "q"


def test_a_list_of_what_was_said_is_no_request(ask: Ask) -> None:
    listed = whole(200, completion({"role": "assistant", "content": LEAK}, "stop"))
    for asks in ("url", "request"):
        [seen] = ask({**listed, "method": "PUT", "asks": asks})
        assert LEAK in json.loads(seen["text"])["choices"][0]["message"]["content"]


def test_half_an_event_is_none(ask: Ask) -> None:
    [seen] = ask(streamed(event(piece({"content": "x"})), b"data: {"))
    assert deltas(seen) == [{"content": "x"}, {}]


def test_a_long_line_in_small_pieces_takes_linear_time(ask: Ask) -> None:
    data = event(piece({"content": "x" * 1_000_000}))
    [seen] = ask(streamed(*(data[at : at + 100] for at in range(0, len(data), 100))))
    assert len(deltas(seen)[0]["content"]) == 1_000_000


def test_an_event_that_is_no_part_of_a_message_goes_on_as_it_came(ask: Ask) -> None:
    begin, end = event(piece({"content": "x"})), event(piece({}, "stop"))
    answers = ask(*(streamed(begin, line + b"\n\n", end) for line in same.GO_ON))
    for line, seen in zip(same.GO_ON, answers, strict=True):
        assert seen["text"].split("\n\n").index(line.decode()) == 1


def test_what_is_strange_raises_nothing(ask: Ask) -> None:
    cases = [reply(one) for one in same.STRANGE_REPLIES]
    parts = [*map(event, same.STRANGE_CHUNKS), event(piece({"content": "x"}))]
    *_, seen = ask(*cases, streamed(*parts))
    assert deltas(seen)[-2] == {"content": "x"}


def test_what_is_no_call_of_today_reaches_no_client(ask: Ask) -> None:
    whole_one = {"choices": [{"index": 0, "message": {"content": LEAK}, "finish_reason": "stop"}]}
    old, streaming = ask(
        whole(200, completion(same.OLD, "function_call")), streamed(event(whole_one))
    )
    message = json.loads(old["text"])["choices"][0]["message"]
    assert message.get("function_call") is None
    chunks = same.chunks_in(streaming["text"].encode())
    assert all(one["choices"][0].get("message") is None for one in chunks)
    assert same.read(deltas(streaming)[-1]["tool_calls"][0]) == ("read", {"path": "a"})


def test_nothing_is_called_behind_an_error(ask: Ask) -> None:
    error = event({"error": {"code": 429}})
    [seen] = ask(streamed(event(piece({"tool_calls": [call("a")]})), error))
    assert seen["text"].endswith(error.decode() + "data: [DONE]\n\n")
    assert "tool_calls" not in seen["text"]


def test_reasoning_and_usage_reach_the_client_while_it_streams(ask: Ask) -> None:
    behind = {"id": "r", "choices": [], "usage": {"total_tokens": 3}}
    parts = [piece({"reasoning_content": "hm"}), piece({"content": "x"}), piece({}, "stop"), behind]
    [seen] = ask(streamed(*map(event, parts)))
    chunks = same.chunks_in(seen["text"].encode())
    assert [one["choices"][0]["delta"] for one in chunks[:-1]] == [
        {"reasoning_content": "hm"},
        {"content": "x"},
        {},
        {},
    ]
    assert chunks[-1] == behind


def test_which_requests_are_read(ask: Ask) -> None:
    leaks = whole(200, completion({"role": "assistant", "content": LEAK}, "stop"))
    cases = [(url, asks) for url in same.PATHS for asks in ("url", "URL", "request")]
    answers = ask(*({**leaks, "url": url, "asks": asks} for url, asks in cases))
    for (url, _), seen in zip(cases, answers, strict=True):
        calls = json.loads(seen["text"])["choices"][0]["message"].get("tool_calls")
        assert bool(calls) == same.PATHS[url]
        [sent] = seen["sent"]
        assert (sent["method"], sent["body"]["tools"]) == ("POST", [TOOL])


def test_what_a_client_gives_back_stays(ask: Ask) -> None:
    told = {"role": "assistant", "content": "Done.", "reasoning_content": "final"}
    begin = {"role": "user", "content": "hello"}
    case = {**whole(200, completion(SAID, "stop")), "body": same.asked([begin, told, begin])}
    [seen] = ask(case, profile=same.OPAQUE)
    assert same.thoughts_of(seen["sent"][0]["body"]) == ["final"]


def test_the_name_of_a_profile_will_do(ask: Ask) -> None:
    told = {"role": "assistant", "content": "Done.", "reasoning_content": "final"}
    begin = {"role": "user", "content": "hello"}
    case = {**whole(200, completion(SAID, "stop")), "body": same.asked([begin, told, begin])}
    named = {"sending": {"capability": True, "profile": "moonshot"}, "reading": {}}
    [seen] = ask({**case, **named})
    assert same.thoughts_of(seen["sent"][0]["body"]) == ["final"]


def test_nothing_of_one_conversation_is_in_another(ask: Ask) -> None:
    """There is no state: what leaves is the same whatever came before it."""
    calls = completion({**SAID, "reasoning_content": "mine", "tool_calls": [call("a")]})
    told = {"role": "assistant", "content": "Hello.", "tool_calls": [call("b")]}
    begin = {"role": "user", "content": "hello"}
    result = {"role": "tool", "tool_call_id": call("b")["id"], "content": "x"}
    case = {**whole(200, calls), "body": same.asked([begin, told, result])}
    alone = ask(case, profile=same.OPAQUE)[0]["sent"]
    assert ask(whole(200, calls), case, profile=same.OPAQUE)[1]["sent"] == alone
