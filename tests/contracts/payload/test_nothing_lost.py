"""What people said, tools returned and providers signed is sent, or a finding says that it is not.

The histories are those that translators, cuts, background tools and summaries make. Each text,
image and signature is another one, so that none stands for one that is lost.
"""

import json
import random
import re
from typing import Any

import pytest

from commoncall.dialect_data import profile_ids
from commoncall.levels import LEVELS
from commoncall.payload import load_profile, sanitize_history
from commoncall.turn import prepare

ORIGIN = {"provider": "acme", "model": "m"}
KINDS = ("user", "system", "developer", "words", "turn", "split", "late", "image", "summary")


class Histories:
    """Makes histories in which each text is another one; ``said`` has those of each message."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.messages: list[dict[str, Any]] = []
        self.said: list[str] = []
        self.calls: list[dict[str, Any]] = []

    def text(self) -> str:
        return f"text {len(self.said)}."

    def add(self, role: str, **members: Any) -> None:
        content = members.pop("content", self.text())
        self.messages.append({"role": role, "content": content, **members})
        self.said.append(self.text() if self.text() in json.dumps(content) else "")

    def call(self) -> dict[str, Any]:
        ids: list[dict[str, str]] = [{"id": f"call_{len(self.calls)}"}, {"id": "same"}, {}]
        identifier = self.random.choices(ids, [8, 1, 1])[0]
        function = {"name": self.random.choice(["read", "list"]), "arguments": self.arguments()}
        call = {**identifier, "type": "function", "function": function}
        if self.random.random() < 0.2:
            call["call_id"] = f"other_{len(self.calls)}"
        if self.random.random() < 0.2:
            call["extra_content"] = {"signature": f"signature {len(self.calls)}."}
        self.calls.append(call)
        return call

    def arguments(self) -> str:
        return self.random.choices(["{}", "", '{"a":1,}', '{"a":'], [7, 1, 1, 1])[0]

    def ask(self, *calls: dict[str, Any]) -> None:
        marks: list[dict[str, Any]] = [{}, {"_from": ORIGIN}]
        self.add("assistant", content=None, tool_calls=[*calls], **self.random.choice(marks))

    def answer(self, call: dict[str, Any], **members: Any) -> None:
        identifier = call.get(self.random.choice(["id", "id", "call_id"]), call.get("id"))
        given = {"tool_call_id": identifier} if identifier else {}
        if given and self.random.random() < 0.1:
            given = {"tool_call_id": f" {identifier}"}
        self.add("tool", **given, **members)

    def history(self) -> list[dict[str, Any]]:
        for kind in self.random.choices(KINDS, k=self.random.randint(1, 9)):
            match kind:
                case "words":
                    self.add("assistant")
                case "turn":
                    calls = [self.call() for _ in range(self.random.randint(1, 3))]
                    self.ask(*calls)
                    for call in self.random.sample(calls, self.random.randint(0, len(calls))):
                        self.answer(call)
                case "split":
                    calls = [self.call(), self.call()]
                    self.ask(calls[0])
                    if self.random.random() < 0.5:
                        self.add("assistant")
                    self.ask(calls[1])
                    for call in calls:
                        self.answer(call)
                case "late" if self.calls:
                    self.answer(self.random.choice(self.calls))
                case "image" if self.calls:
                    part = {"type": "image_url", "image_url": {"url": f"image {len(self.said)}."}}
                    text = {"type": "text", "text": self.text()}
                    self.answer(self.random.choice(self.calls), content=[text, part])
                case "summary":
                    del self.messages[:], self.said[:]
                    self.add("system")
                case "late" | "image":
                    self.add("user")
                case role:
                    self.add(role)
        return self.messages


@pytest.mark.parametrize("profile", [None, "strict", *profile_ids()])
def test_nothing_that_was_said_is_lost_in_silence(profile: str | None) -> None:
    for seed in range(150):
        made = Histories(seed)
        history = made.history()
        given: Any = profile
        if profile not in (None, "strict"):
            given = load_profile(str(profile), origin=ORIGIN)
        found = sanitize_history(history, disposition="answer", profile=given)
        sent = json.dumps(found["messages"])
        losses = [
            finding["path"]
            for finding in found["findings"]
            if LEVELS[finding["code"]] == "loss" or finding.get("refused")
        ]
        for at, text in enumerate(made.said):
            place = f"/messages/{at}"
            told = any(path == place or path.startswith(f"{place}/") for path in losses)
            assert not text or text in sent or told, (seed, at, history)
            marked = re.findall(r"(?:signature|image) [0-9]+\.", json.dumps(history[at]))
            assert told or all(mark in sent for mark in marked), (seed, at, history)
        again = [{**message, "_from": ORIGIN} for message in found["messages"]]
        settled = sanitize_history(again, disposition="answer", profile=given)["findings"]
        assert {one["code"] for one in settled} <= {"assistant_last"}


@pytest.mark.parametrize("profile", ["strict", *profile_ids()])
def test_nothing_is_lost_in_silence_on_the_way_out_of_a_turn(profile: str) -> None:
    tools = [
        {"type": "function", "function": {"name": name, "parameters": {"type": "object"}}}
        for name in ("read", "list")
    ]
    flags = load_profile(profile, origin=ORIGIN)
    for seed in range(40):
        made = Histories(seed)
        request = {"model": "m", "messages": made.history(), "tools": tools}
        found = prepare(request, capability=seed % 3 > 0, profile=flags, format=None)
        sent = json.dumps(found["request"]["messages"])
        losses = [one["path"] for one in found["findings"] if LEVELS[one["code"]] == "loss"]
        for at, text in enumerate(made.said):
            place = f"/request/messages/{at}"
            told = any(path == place or path.startswith(f"{place}/") for path in losses)
            assert not text or text in sent or told, (seed, at, request)
