"""Messages: what their headers are, and where they end (message)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.evidence.second_reading.characters import BLANKS
from tests.evidence.second_reading.descriptors import Form

LONGEST_HEADER = 128


@dataclass(frozen=True)
class Messages:
    """The opener whose header each message has, and whether its dialect is active."""

    form: Form
    is_active: bool

    @property
    def written(self) -> dict[str, Any]:
        """What the descriptor says of messages."""
        return dict(self.form.opener["messages"])

    @property
    def tokens(self) -> list[str]:
        """The texts that can stand in a header, beside single characters."""
        return list(self.form.opener["tokens"])

    @property
    def end(self) -> str:
        """What a header ends with."""
        return str(self.form.opener["end"])


def messages_of(active: list[Form], of_format: list[Form]) -> Messages | None:
    """Return what the text is read in, if it is messages."""
    for form in active:
        if "messages" in form.opener:
            return Messages(form, is_active=True)
    for form in of_format:
        if "messages" in form.opener:
            return Messages(form, is_active=False)
    return None


def header_at(text: str, at: int, messages: Messages, *, opened: bool) -> tuple[str, int] | None:
    """Return the header that stands here, between its begin and its end, and its end."""
    for begin, skipped in begins(messages, opened=opened):
        if not text.startswith(begin, at):
            continue
        inner = at + skipped
        for place in passed(text, inner, messages):
            if place - inner > LONGEST_HEADER:
                break
            if text.startswith(messages.end, place) and place >= at + len(begin):
                return text[inner:place], place + len(messages.end)
    return named_header(text, messages) if opened else None


def named_header(text: str, messages: Messages) -> tuple[str, int] | None:
    """Return the header of a call that begins with a name, behind what the prompt wrote."""
    channel = messages.written.get("channel")
    for name, kind in messages.written["kinds"].items():
        header = re.match(rf"[A-Za-z0-9_./:-]{{1,64}}{re.escape(f'{channel}{name}')}", text)
        if channel is None or kind != "call" or header is None or header.end() > LONGEST_HEADER:
            continue
        if text.startswith(messages.end, header.end()):
            return header[0], header.end() + len(messages.end)
    return None


def is_cut_header(text: str, at: int, messages: Messages, *, opened: bool) -> bool:
    """Tell whether the end of the text cuts off a header that begins here."""
    for begin, _ in begins(messages, opened=opened):
        inner = at + len(begin)
        if not text.startswith(begin, at) or len(text) - inner > LONGEST_HEADER:
            continue
        for place in passed(text, inner, messages):
            rest = text[place:]
            if any(each.startswith(rest) for each in (*messages.tokens, messages.end)):
                return True
    return False


def begins(messages: Messages, *, opened: bool) -> Iterator[tuple[str, int]]:
    """Give what a header begins with, and how much of that is none of its words."""
    text = messages.form.opener["text"]
    yield text, len(text)
    if not opened:
        return
    if "channel" in messages.written:
        yield messages.written["channel"], 0
    if "recipient" in messages.written:
        yield messages.written["recipient"], 0
        yield " " + messages.written["recipient"], 0


def passed(text: str, at: int, messages: Messages) -> Iterator[int]:
    """Give the places that the characters and tokens of a header reach, from here on."""
    yield at
    while at < len(text):
        token = next((each for each in messages.tokens if text.startswith(each, at)), None)
        if token is not None:
            at += len(token)
        elif text[at] in ("\n", "`", "<", messages.end[0]):
            return
        else:
            at += 1
        yield at


def kind_of(header: str, messages: Messages) -> str:
    """Return what a header is: an "opener", a "reserved" one, of "reasoning", or "dropped"; that of
    content is a "token".
    """
    channel, recipients, types = words_of(header, messages)
    written = messages.written
    if len(recipients) > 1:
        kind = "reserved"
    elif recipients:
        (recipient,) = recipients
        kind = written["kinds"].get(recipient, "call")
    else:
        kind = written["kinds"].get(channel, "drop")
    if kind == "call":
        begin = written.get("recipient", "") + written.get("prefix", "")
        is_meant = all(recipient.startswith(begin) for recipient in recipients)
        is_meant = is_meant and ("types" not in written or types <= set(written["types"]))
        kind = "opener" if is_meant else "reserved"
    if kind in ("opener", "reserved") and not messages.is_active:
        kind = "drop"
    return {"content": "token", "drop": "dropped"}.get(kind, kind)


def words_of(header: str, messages: Messages) -> tuple[str, set[str], set[str]]:
    """Return the channel that counts, the recipients, and the types."""
    words: list[str] = [""]
    at = 0
    while at < len(header):
        token = next((each for each in messages.tokens if header.startswith(each, at)), None)
        if token is not None:
            words += [token, ""]
            at += len(token)
        elif ord(header[at]) in BLANKS:
            words.append("")
            at += 1
        else:
            words[-1] += header[at]
            at += 1
    words = [word for word in words if word]
    channel, recipients, types = "", set(), set()
    names_channel = False
    for word in words:
        if word in messages.tokens:
            is_channel = word == messages.written.get("channel")
            if is_channel:
                channel = ""
            names_channel = names_channel or is_channel
        elif names_channel:
            channel, names_channel = word, False
        elif "recipient" in messages.written and word.startswith(messages.written["recipient"]):
            recipients.add(word)
        else:
            types.add(word)
    return channel, recipients, types


def name_of(header: str, form: Form) -> str:
    """Return the name of the call whose header this is."""
    written = form.opener["messages"]
    _, recipients, _ = words_of(header, Messages(form, is_active=True))
    begin = written.get("recipient", "") + written.get("prefix", "")
    return next(iter(recipients), begin)[len(begin) :]


def message_end(text: str, at: int, form: Form) -> tuple[int, int]:
    """Return start and end of the first bound end from here on, or twice the end of the text."""
    ends = form.opener["messages"]["ends"]
    for start in range(at, len(text)):
        for end in ends:
            behind = start + len(end)
            if not text.startswith(end, start):
                continue
            follows = (form.opener["text"], *ends)
            if behind == len(text) or text.startswith(tuple(follows), behind):
                return start, behind
    return len(text), len(text)
