"""Records a terminal for `serve` and `probe`, and puts what it showed into their pages.

    python -m tests.evidence.plugs.recording

A shell in a pseudo-terminal runs the real commands, before the strict server of the tests, whose
model leaks its calls. The ports 8000 and 8080 have to be free. Its Python is that of the
session `plugs`.
"""

import os
import pty
import re
import select
import signal
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from commoncall.payload import load_profile
from tests.evidence.integrations.script import LEAKED, TOOL
from tests.evidence.integrations.strict_server import Reply, running

PAGES: Final = Path(__file__).resolve().parents[3] / "spec" / "use"
PATIENCE_S: Final = 120
PROMPT: Final = "$ "
WIDTH: Final = 97
"""What a page shows of a line; a terminal of so many columns begins another."""

ASK: Final = f"""\
import sys
from openai import OpenAI

client = OpenAI(base_url=sys.argv[1], api_key="x")
said = client.chat.completions.create(
    model="qwen3-coder", messages=[{{"role": "user", "content": "High water?"}}], tools=[{TOOL}]
).choices[0]
print("content:", said.message.content)
print("calls:  ", [call.function for call in said.message.tool_calls or []])
print("reason: ", said.finish_reason)
"""


class Terminal:
    """A shell, and what its terminal shows."""

    def __init__(self, folder: str) -> None:
        self.shown = ""
        self._process, self._terminal = pty.fork()
        if not self._process:
            os.chdir(folder)
            path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
            env = {**os.environ, "PATH": path, "TERM": "dumb", "PS1": PROMPT, "COLUMNS": "160"}
            os.execvpe("bash", ["bash", "--norc", "--noprofile", "-i"], env)
        self.wait(PROMPT)

    def type(self, line: str, until: str = f"\n{PROMPT}") -> None:
        """Type a line, and wait for what has to be shown behind it."""
        begin = len(self.shown)
        os.write(self._terminal, line.encode() + b"\n")
        self.wait(until, begin + len(line))

    def wait(self, text: str, begin: int = 0) -> None:
        """Wait until a text is shown."""
        while text not in self.shown[begin:]:
            if not select.select([self._terminal], [], [], PATIENCE_S)[0]:
                raise SystemExit(f"recording: {text!r} is not shown:\n{self.shown}")
            data = os.read(self._terminal, 65536).decode("utf-8", "replace")
            self.shown += data.replace("\r\n", "\n")

    def close(self) -> str:
        """End the shell, and return what it showed."""
        os.kill(self._process, signal.SIGHUP)
        os.close(self._terminal)
        os.waitpid(self._process, 0)
        return re.sub(f"(.{{{WIDTH}}})(?=.)", r"\1\n", self.shown.removesuffix(PROMPT).rstrip())


def leaking(request: Mapping[str, Any]) -> Reply:
    return Reply(
        {"role": "assistant", "content": f"I look. {LEAKED}" if "tools" in request else "Yes."}
    )


def write(page: str, *recordings: str) -> None:
    """Put recordings into the places of a page."""
    file, left = PAGES / page, [*recordings]
    place = re.compile(r"(<!-- recorded -->\n```console\n).*?(\n```)", re.DOTALL)
    text = place.sub(lambda found: found[1] + left.pop(0) + found[2], file.read_text("utf-8"))
    assert not left, f"{page} has too few places"
    file.write_text(text, "utf-8")


def main() -> None:
    """Record, and write."""
    upstream = "http://127.0.0.1:8000/v1"
    with tempfile.TemporaryDirectory() as folder, running(leaking, load_profile("vllm"), 8000):
        Path(folder, "ask.py").write_text(ASK, "utf-8")
        server, client = Terminal(folder), Terminal(folder)
        server.type(f"commoncall serve --upstream {upstream} --profile vllm", "in front of")
        client.type(f"python ask.py {upstream}")
        client.type("python ask.py http://127.0.0.1:8080/v1")
        server.wait("calls: 1")
        write("gateway.md", server.close(), client.close())
        client = Terminal(folder)
        probe = f"commoncall probe {upstream} --model qwen3-coder --profile vllm > mine.json"
        client.type(probe, "[y/N] ")
        client.type("y")
        client.type("head -n 10 mine.json")
        write("probe.md", client.close())


if __name__ == "__main__":
    main()
