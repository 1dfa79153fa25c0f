"""An adapter behind a command: handshake, one question at a time, so many restarts.

Whatever a process can do wrong becomes one of two errors here: this case went wrong, or the run
cannot go on. A process that lost its place is replaced. This file knows no expectation.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Final

from commoncall import protocol
from commoncall.json_text import equal
from commoncall.protocol import MAX_LINE, PROTOCOL, Declaration, ProtocolError
from commoncall_kit.drive.ask import CaseError, RunError
from commoncall_kit.drive.process import Ended, LineTimeoutError, Process
from commoncall_kit.suite import kept_files
from commoncall_kit.suite.data import Suite

RESTARTS: Final = 3
START_FACTOR: Final = 6
"""A start may take so many times the limit of a case: runtimes load, packages are looked up."""

QUOTED_CHARACTERS: Final = 60
"""How many characters of a line that is no JSON a reason quotes."""

QUOTED_LINES: Final = 3
"""How many lines of standard error a reason quotes."""


class _SilentError(CaseError):
    """There was no answer in time."""


def read_declaration(message: object) -> Declaration:
    """Read the answer to ``start``.

    Raises:
        ProtocolError: it has another form.
    """
    read = kept_files.checked(message, "harness#declaration", ProtocolError)
    return Declaration(read["implementation"], read["operations"], read["features"])


def read_answer(message: object) -> dict[str, object]:
    """Read the answer to ``run`` and return its one member beside ``seq``.

    Raises:
        ProtocolError: it has another form.
    """
    read = kept_files.checked(message, "harness#answer", ProtocolError)
    if len(read) != 2:
        raise ProtocolError("it has to have one member beside seq")
    return {name: body for name, body in read.items() if name != "seq"}


class Session:
    """An adapter process, and the next one where it breaks. Close it in the end."""

    def __init__(
        self, command: Sequence[str], suite: Suite, timeout: float, restarts: int = RESTARTS
    ) -> None:
        self._command = command
        self._restarts = restarts
        self._hello = {
            "cmd": "start",
            "protocol": PROTOCOL,
            "suite": {"version": suite.version, "digest": suite.digest},
        }
        self._timeout = timeout
        self._process: Process | None = None
        self._declaration: Declaration | None = None
        self._starts = 0
        self._seq = 0

    def start(self) -> Declaration:
        """Start the adapter and return what it declares.

        Raises:
            RunError: it does not start, or its first answer is out of form.
        """
        self._starts += 1
        try:
            self._process = Process(self._command, MAX_LINE)
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            raise RunError(f"the adapter cannot be started: {self._command[0]}: {why}") from None
        try:
            message = self._exchange(self._process, self._hello, self._timeout * START_FACTOR)
            declaration = read_declaration(message)
        except (CaseError, ProtocolError) as error:
            self.kill()
            hint = "; does it flush its output?" if isinstance(error, _SilentError) else ""
            raise RunError(f"the adapter did not start: {error}{hint}") from None
        if self._declaration not in (None, declaration):
            self.kill()
            raise RunError("the adapter declared something else after a restart")
        self._declaration = declaration
        return declaration

    def ask(
        self, operation: str, input: object, env: Mapping[str, object] | None
    ) -> dict[str, object]:
        """Send one case and return the answer; an `Ask`.

        Raises:
            CaseError: no answer, or one out of form.
            RunError: there is no adapter any more.
        """
        if self._process is None:
            if self._starts > self._restarts:
                raise RunError(f"the adapter broke again after {self._restarts} restarts")
            self.start()
        assert self._process is not None
        self._seq += 1
        request = {"cmd": "run", "seq": self._seq, "operation": operation, "input": input}
        try:
            message = self._exchange(
                self._process, request if env is None else {**request, "env": env}, self._timeout
            )
            if not (isinstance(message, dict) and equal(message.get("seq"), self._seq)):
                raise CaseError("the line is not the answer to this request: it has another seq")
        except CaseError:
            # The place in the conversation is lost; the next case gets a fresh process.
            self.kill()
            raise
        try:
            return read_answer(message)
        except ProtocolError as error:
            raise CaseError(f"the answer is out of form: {error}") from None

    def stop(self) -> None:
        """End the conversation in good form.

        Raises:
            RunError: the adapter wrote more than its answers.
        """
        if self._process is None:
            return
        process = self._process
        process.send(protocol.encode({"cmd": "stop"}))
        process.close(self._timeout)
        self._process = None
        if process.has_line():
            raise RunError("the adapter wrote a line that answers no request")

    def kill(self) -> None:
        """End the process, whatever it does; the session can start another one."""
        if self._process is not None:
            self._process.kill()
            self._process = None

    def _exchange(self, process: Process, message: Mapping[str, object], timeout: float) -> object:
        if process.has_line():
            raise CaseError("a line stood there before the request: it answers early, or twice")
        line = protocol.encode(message)
        if len(line) > MAX_LINE:
            raise CaseError("the request is longer than a line may be")
        process.send(line)
        try:
            answer = process.receive(timeout)
        except LineTimeoutError:
            raise _SilentError(f"no answer within {timeout:g} s{_last_words(process)}") from None
        if isinstance(answer, Ended):
            status = process.status()
            ended = "" if status is None else f" and ended with status {status}"
            raise CaseError(f"the adapter {answer.value}{ended}{_last_words(process)}")
        try:
            return protocol.parse(answer, unique=True)
        except ProtocolError as error:
            raise CaseError(f"the answer is {error}; the line begins {_begin(answer)}") from None


def _begin(line: bytes) -> str:
    """Return the begin of a line in printable form: a stray debug print is the usual cause."""
    text = line[: QUOTED_CHARACTERS * 4].decode(errors="replace").rstrip("\n")
    return json.dumps(text[:QUOTED_CHARACTERS]) + ("..." if len(text) > QUOTED_CHARACTERS else "")


def _last_words(process: Process) -> str:
    lines = process.stderr_tail().strip().splitlines()[-QUOTED_LINES:]
    return "; it said: " + " | ".join(lines) if lines else ""
