"""What the chat templates of models write, rendered anew from the packages that bring them.

``conversations.json`` holds turns of an assistant. ``rendered.json`` names for each template the
format that reads it, the archive and the file in it, and what it writes for each turn: the part of
the prompt behind that which it writes for the user's message alone. The session downloads the
archives, checks their digests, renders, and compares; with ``--record`` it writes what it found.
One row is no template: openai-harmony renders it.
"""

import argparse
import copy
import datetime
import json
import re
import sys
import tarfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, Final, NamedTuple

from jinja2 import nodes
from jinja2.exceptions import TemplateError
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.sandbox import SandboxedEnvironment
from tests.evidence.archives import fetched
from tests.evidence.templates import harmony

FOLDER: Final = Path(__file__).parent
RENDERED: Final = FOLDER / "rendered.json"
CONVERSATIONS: Final = json.loads((FOLDER / "conversations.json").read_text("utf-8"))

ARCHIVES: Final = {
    "llama-cpp-python==0.3.36": (
        "832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e"
    ),
    "vllm==0.33.0": "f4c33c2503d52bb411146afa9618a4f48bed68912f617e6803ac8d76e4c74112",
    "@huggingface/ollama-utils@0.0.18": (
        "3d8beba35ea5d634970e29090ab45234e54a3db8d9263cf72e0031c1cc44f8d5"
    ),
}
"""The archives that bring templates, and their SHA-256."""

TOKENS: Final = {f"{name}_token": f"<{name}>" for name in ("bos", "eos", "pad", "unk")}
DAY: Final = datetime.date(2026, 11, 23)


def main() -> int:
    """Compare, or record; the exit status is 0 when all is as recorded."""
    parser = argparse.ArgumentParser(description="Render the chat templates of models.")
    parser.add_argument("--record", action="store_true", help="write what was rendered")
    options = parser.parse_args()
    recorded = json.loads(RENDERED.read_text("utf-8"))
    now = {name: {**recorded[name], **render(write)} for name, write in writers(recorded).items()}
    changed = [name for name in recorded if now[name] != recorded[name]]
    parsed = [[text, messages] for text, messages in harmony.parsed(harmony.KEPT)]
    if json.loads(json.dumps(parsed)) != json.loads(harmony.PARSED.read_text("utf-8")):
        changed.append(harmony.PARSED.name)
    for name in changed:
        print(f"templates: {name} is something else than recorded", file=sys.stderr)
    if options.record:
        for path, record in ((RENDERED, now), (harmony.PARSED, parsed)):
            path.write_text(json.dumps(record, indent=1, ensure_ascii=False), "utf-8")
    turns = sum(len(row["writes"]) for row in now.values())
    print(f"{len(now)} templates, {turns} turns, {len(changed)} templates differ from the record")
    return bool(changed and not options.record)


class Rendered(NamedTuple):
    """A turn: its prompt, what stands before it in the whole, and it; empty where none is taken."""

    prompt: str
    before: str
    text: str


Writer = Callable[[Mapping[str, Any]], Rendered]


def writers(recorded: Mapping[str, Any]) -> dict[str, Writer]:
    """Return what renders each row."""
    texts = {archive: read_files(archive, recorded) for archive in ARCHIVES}
    texts[harmony.ARCHIVE] = {}
    return {name: writer(row, texts[row["archive"]]) for name, row in recorded.items()}


def writer(row: Mapping[str, Any], files: Mapping[str, str]) -> Writer:
    if row["archive"] == harmony.ARCHIVE:
        return lambda turn: Rendered(*harmony.rendered(turn))
    return partial(rendered, environment().from_string(template_of(row, files)))


# Archives


def read_files(archive: str, recorded: Mapping[str, Any]) -> dict[str, str]:
    """Return the files of an archive that hold templates, by their path below its root."""
    wanted = {row["file"] for row in recorded.values() if row["archive"] == archive}
    found = {}
    with tarfile.open(fetched(archive, ARCHIVES[archive])) as tar:
        for member in tar:
            path = member.name.partition("/")[2]
            if path in wanted and (file := tar.extractfile(member)):
                found[path] = file.read().decode("utf-8")
    return found


def template_of(row: Mapping[str, Any], files: Mapping[str, str]) -> str:
    """Return the text of a template: a file, or the member of an entry in a list of models."""
    text = files[row["file"]]
    if "entry" not in row:
        return text
    entry = text.partition(f'model: "{row["entry"]}",')[2]
    found = re.match(r"""\s*gguf: (["'])((?:(?!\1)[^\\]|\\.)*)\1""", entry)
    assert found, row["entry"]
    return re.sub(r"\\(u[0-9a-f]{4}|.)", lambda escape: escaped(escape[1]), found[2])


def escaped(code: str) -> str:
    """Return what stands for the code behind a backslash, as JavaScript has it."""
    return chr(int(code[1:], 16)) if code[0] == "u" else {"n": "\n", "t": "\t"}.get(code, code)


# Templates


class Generation(Extension):
    """The tag ``generation``, which marks what the assistant wrote."""

    tags = frozenset({"generation"})  # type: ignore[assignment]  # any set of names will do

    def parse(self, parser: Parser) -> nodes.Node:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.Scope(body, lineno=line)


def to_json(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    return json.dumps(
        value,
        ensure_ascii=ensure_ascii,
        indent=indent,
        separators=separators,
        sort_keys=sort_keys,
        default=list,
    )


def refuse(why: str) -> None:
    raise TemplateError(why)


def environment() -> SandboxedEnvironment:
    """Return what templates of models expect."""
    made = SandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols]
    )
    made.filters.update(tojson=to_json, fromjson=json.loads, items=lambda each: list(each.items()))
    made.globals.update(raise_exception=refuse, strftime_now=DAY.strftime)
    return made


def render(write: Writer) -> dict[str, Any]:
    """Return what is written for each turn that is taken, and how the prompts end."""
    writes, ends = {}, set()
    for name, turn in CONVERSATIONS["messages"].items():
        prompt, _, text = write(turn)
        if prompt:
            ends.add(prompt[-60:])
            writes[name] = text
    return {"prompt_ends": "".join(sorted(ends))[-60:], "writes": writes}


def rendered(template: Any, turn: Mapping[str, Any]) -> Rendered:
    """Return what a template writes: in the first way to ask in which it writes the calls, or else
    in the first that it takes.
    """
    taken = Rendered("", "", "")
    names = [call["name"] for call in turn.get("tool_calls", ())]
    for values in ways(turn):
        asked = {**values, "messages": values["messages"][:-1]}
        try:
            prompt = template.render(asked, add_generation_prompt=True)
            whole = template.render(values, add_generation_prompt=False)
        except Exception:  # a template may fail in any way that a program may
            continue
        at = begin_of_turn(prompt, whole)
        text = whole[at:].replace("<eos>", "").replace("<bos>", "")
        if all(name in text for name in names):
            return Rendered(prompt, whole[:at], text)
        taken = taken if taken.prompt else Rendered(prompt, whole[:at], text)
    return taken


def ways(turn: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Return the ways to ask for a turn, the usual one first: templates take not every one."""
    user = {"role": "user", "content": "q"}
    system = {"role": "system", "content": "s"}
    reasons = (("reasoning_content", "reasoning", "thinking"), ("reasoning_content", "reasoning"))
    for content, tools, users, as_text, names in product(
        (turn["content"], None) if "tool_calls" in turn else (turn["content"],),
        (described("null"), described("")),
        ([user], [system, user]),
        (False, True),
        (*reasons, ("reasoning_content",)),
    ):
        answer = message({**turn, "content": content}, as_text=as_text, reasoning_names=names)
        yield {**TOKENS, "functions": "[]", "datetime": "", "tools": tools} | {
            "messages": [*users, answer]
        }


def message(
    turn: Mapping[str, Any], *, as_text: bool, reasoning_names: tuple[str, ...]
) -> dict[str, Any]:
    """Return a turn as a message of Chat Completions."""
    made: dict[str, Any] = {"role": "assistant", "content": turn["content"]}
    if "reasoning_content" in turn:
        made |= dict.fromkeys(reasoning_names, turn["reasoning_content"])
    calls = []
    for number, call in enumerate(turn.get("tool_calls", ())):
        arguments = call["arguments"]
        function = {"name": call["name"], "arguments": to_json(arguments) if as_text else arguments}
        calls.append({"id": f"abcdef{number:03}", "type": "function", "function": function})
    return {**made, "tool_calls": calls} if calls else made


def described(union: str) -> list[dict[str, Any]]:
    """Return the tools with descriptions, which templates want; without ``union`` no type is a
    list.
    """
    tools: list[dict[str, Any]] = copy.deepcopy(CONVERSATIONS["tools"])
    for tool in tools:
        function = tool["function"]
        function["description"] = "d"
        function["parameters"].setdefault("required", [])
        for schema in function["parameters"]["properties"].values():
            schema["description"] = "d"
            if not union and isinstance(schema["type"], list):
                schema["type"] = schema["type"][0]
    return tools


def begin_of_turn(prompt: str, whole: str) -> int:
    """Return where the turn begins: behind the prompt, or where it is none of that any longer."""
    asked = prompt[prompt.rfind("q") :]
    if whole.startswith(prompt):
        return len(prompt)
    if asked in whole:  # what stands before the question depends on the turn
        return whole.index(asked) + len(asked)
    pairs = enumerate(zip(prompt, whole, strict=False))
    at = next((at for at, (one, other) in pairs if one != other), min(len(prompt), len(whole)))
    tag = whole.rfind("<", 0, at)
    return tag if tag >= 0 and ">" not in whole[tag:at] and at - tag < 40 else at


if __name__ == "__main__":
    sys.exit(main())
