"""The process of a peer, seen from outside."""

import json
import selectors
import subprocess
from collections.abc import Sequence
from typing import Any

SECONDS = 20


class Peer:
    """A peer in its process, started again when it had to be ended."""

    def __init__(self, name: str, command: Sequence[str]) -> None:
        self.name = name
        self.command = command
        self.process: subprocess.Popen[str] | None = None

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer, or `{raised: TimedOut}` after SECONDS, or `{raised: Crashed}`."""
        if self.process is None:
            pipe = subprocess.PIPE
            self.process = subprocess.Popen(self.command, stdin=pipe, stdout=pipe, text=True)
        process = self.process
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            with selectors.DefaultSelector() as waiting:
                waiting.register(process.stdout, selectors.EVENT_READ)
                ready = waiting.select(SECONDS)
            line = process.stdout.readline() if ready else None
        except BrokenPipeError:
            line = ""
        if line:
            answer: dict[str, Any] = json.loads(line)
            return answer
        self.end()
        return {"raised": "TimedOut" if line is None else "Crashed"}

    def end(self) -> None:
        """End the process, if there is one."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None
