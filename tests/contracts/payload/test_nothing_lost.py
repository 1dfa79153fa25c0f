"""What people said, tools returned and providers signed is sent, or a finding says that it is not.

The histories are those that translators, cuts, background tools, summaries and libraries with forms
of their own for images make. Each text, image and signature is another one, so that none stands for
one that is lost.
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
KINDS = (
    *("user", "system", "developer", "words", "turn", "split", "late", "image", "summary"),
    *("refusal", "thought"),
)
TOOLS = [
    {"type": "function", "function": {"name": name, "parameters": {"type": "object"}}}
    for name in ("read", "list")
]


def forms_of_an_image(data: str) -> list[Any]:
    """Return an image as requests, tools, servers of MCP and libraries have it."""
    address = f"data:image/png;base64,{data}"
    return [
        {"type": "image_url", "image_url": {"url": address}},
        {"type": "image_url", "image_url": address},
        {"type": "image", "mimeType": "image/png", "data": data},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}},
        {"type": "media", "mediaType": "image/png", "data": data},
        {"type": "resource", "resource": {"uri": "a:b", "mimeType": "image/png", "blob": data}},
        {"type": "audio", "mimeType": "audio/wav", "data": data},
    ]


MARKS: list[dict[str, Any]] = [{}, {"_from": ORIGIN}]


def written_out(messages: list[dict[str, Any]]) -> str:
    """Return the texts of what leaves, in which no image belongs."""
    texts = []
    for content in (message.get("content") for message in messages):
        parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
        texts += [str(part["text"]) for part in parts if part.get("type") == "text"]
    return "\n".join(texts)


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
        self.add("assistant", content=None, tool_calls=[*calls], **self.random.choice(MARKS))

    def answer(self, call: dict[str, Any], **members: Any) -> None:
        identifier = call.get(self.random.choice(["id", "id", "call_id"]), call.get("id"))
        given = {"tool_call_id": identifier} if identifier else {}
        if given and self.random.random() < 0.1:
            given = {"tool_call_id": f" {identifier}"}
        self.add("tool", **given, **members)

    def show(self) -> None:
        part = self.random.choice(forms_of_an_image(f"image {len(self.said)}."))
        texts = [{"type": "text", "text": self.text()}, self.text(), {"k": self.text()}]
        self.answer(self.random.choice(self.calls), content=[self.random.choice(texts), part])

    def think(self) -> None:
        signed = {"thinking": "", "signature": f"thought {len(self.said)}."}
        content = [{"type": "thinking", **signed}, {"type": "text", "text": self.text()}]
        self.add("assistant", content=content, **self.random.choice(MARKS))

    def split(self) -> None:
        calls = [self.call(), self.call()]
        self.ask(calls[0])
        if self.random.random() < 0.5:
            self.add("assistant")
        self.ask(calls[1])
        for call in calls:
            self.answer(call)

    def history(self) -> list[dict[str, Any]]:
        for kind in self.random.choices(KINDS, k=self.random.randint(1, 9)):
            match kind:
                case "words":
                    name = self.random.choice(["reasoning", "reasoning_content"])
                    thought = {name: f"reason {len(self.said)}."}
                    self.add("assistant", **self.random.choice([{}, thought]))
                case "turn":
                    calls = [self.call() for _ in range(self.random.randint(1, 3))]
                    self.ask(*calls)
                    for call in self.random.sample(calls, self.random.randint(0, len(calls))):
                        self.answer(call)
                case "split":
                    self.split()
                case "late" if self.calls:
                    self.answer(self.random.choice(self.calls))
                case "image" if self.calls:
                    self.show()
                case "refusal":
                    words = self.text()
                    self.add("assistant", content=None, refusal=words)
                    self.said[-1] = words
                case "thought":
                    self.think()
                case "summary":
                    del self.messages[:], self.said[:]
                    self.add("system")
                case "late" | "image":
                    self.add("user")
                case role:
                    self.add(role)
        return self.messages


ALL = r"(?:signature|thought|image|reason) [0-9]+\."
OF_TEXTS = r"(?:thought|image) [0-9]+\."
"""What a call is signed with says nothing of a text, and goes with it (`history_flattened`)."""


def unaccounted(
    made: Histories, place: str, sent: str, losses: list[str], marks_of: str = ALL
) -> list[str]:
    """Return what each message said and held that is neither sent nor a loss at its place."""
    missing = []
    for at, text in enumerate(made.said):
        marks = re.findall(marks_of, json.dumps(made.messages[at]))
        here = f"{place}/{at}"
        if not any(path == here or path.startswith(f"{here}/") for path in losses):
            missing += [one for one in (text, *marks) if one not in sent]
    return missing


@pytest.mark.parametrize("profile", [None, "strict", *profile_ids()])
def test_nothing_that_was_said_is_lost_in_silence(profile: str | None) -> None:
    for seed in range(150):
        made = Histories(seed)
        history = made.history()
        given: Any = profile
        if profile not in (None, "strict"):
            given = load_profile(str(profile), origin=ORIGIN)
        found = sanitize_history(history, disposition="answer", profile=given)
        losses = [
            finding["path"]
            for finding in found["findings"]
            if LEVELS[finding["code"]] == "loss" or finding.get("refused")
        ]
        sent = json.dumps(found["messages"])
        assert unaccounted(made, "/messages", sent, losses) == [], (seed, history)
        assert "image " not in written_out(found["messages"]), (seed, history)
        again = [{**message, "_from": ORIGIN} for message in found["messages"]]
        settled = sanitize_history(again, disposition="answer", profile=given)["findings"]
        assert {one["code"] for one in settled} <= {"assistant_last"}


@pytest.mark.parametrize("profile", ["strict", *profile_ids()])
def test_nothing_is_lost_in_silence_on_the_way_out_of_a_turn(profile: str) -> None:
    flags = load_profile(profile, origin=ORIGIN)
    for seed in range(80):
        made = Histories(seed)
        request = {"model": "m", "messages": made.history(), "tools": TOOLS}
        found = prepare(request, capability=seed % 3 > 0, profile=flags, format=None)
        losses = [one["path"] for one in found["findings"] if LEVELS[one["code"]] == "loss"]
        sent = json.dumps(found["request"]["messages"])
        is_flat = any(one["code"] == "history_flattened" for one in found["findings"])
        marks = OF_TEXTS if is_flat else ALL
        assert unaccounted(made, "/request/messages", sent, losses, marks) == [], (seed, request)
        assert "image " not in written_out(found["request"]["messages"]), (seed, request)
