"""Ask running servers about what `turn.prepare` lets out, and compare with what is recorded.

    python -m tests.evidence.servers.live [--record]

vLLM's request handling is that of this Python. The environment's LLAMA_SERVER names the program
that build_llama_server.sh makes; without it that server is not run, and this is said. Both listen
on 127.0.0.1 alone, with models of no use (`tiny.py`). Exit status 1 where an answer is another.
"""

import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import count, islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from commoncall.payload import load_profile
from commoncall_kit.suite import data
from commoncall_serve.probe import Answer, difference, probe, profile_of
from tests.evidence.servers.answered import FILE, Refusal, Server, read_servers, text_of
from tests.evidence.servers.sent import GENERATED, Sent, generated, golden
from tests.evidence.servers.tiny import LENGTH

HERE: Final = Path(__file__).parent
LONGEST: Final = 200
PATIENCE_S: Final = 900
VLLM_ENV: Final = {
    **{"VLLM_CPU_KVCACHE_SPACE": "1", "VLLM_CPU_OMP_THREADS_BIND": "nobind"},
    **{"HF_HUB_OFFLINE": "1", "VLLM_NO_USAGE_STATS": "1", "VLLM_HOST_IP": "127.0.0.1"},
}
PARSER: Final = ["--enable-auto-tool-choice", "--tool-call-parser", "hermes"]


MAKE: Final = [sys.executable, str(HERE / "tiny.py")]


class Started(NamedTuple):
    """A server: the profile that is for it, what runs, with which flags, and who is asked where."""

    profile: str
    title: str
    command: Sequence[str]
    flags: Sequence[str]
    path: str


def vllm_command(folder: Path, *names: str) -> list[str]:
    """Return what runs vLLM's request handling, for a model of these names."""
    subprocess.run([*MAKE, "vllm", str(folder / "model")], check=True)
    render = [sys.executable, "-m", "vllm.entrypoints.launchers.render.entry"]
    model = ["--model", str(folder / "model"), "--served-model-name", *names]
    return [*render, *model, "--max-model-len", str(LENGTH)]


def vllm(folder: Path) -> Started:
    """Return vLLM's request handling."""
    command = vllm_command(folder, "m")
    path = "/v1/chat/completions/render"
    return Started("vllm", f"vLLM {version('vllm-cpu')}", command, PARSER, path)


def servers(folder: Path) -> Iterator[Started]:
    """Yield the servers that are there."""
    yield vllm(folder)
    program = os.environ.get("LLAMA_SERVER")
    if program is None:
        print("NOT RUN: llama.cpp, because LLAMA_SERVER does not name its llama-server")
        return
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    build = (said.stdout + said.stderr).partition("build ")[2].partition(",")[0]
    subprocess.run([*MAKE, "llama", str(folder / "tiny.gguf")], check=True)
    command = [program, "-m", str(folder / "tiny.gguf"), "-c", str(LENGTH), "-np", "1"]
    yield Started("llama-cpp", f"llama.cpp b{build}", command, ["--jinja"], "/apply-template")


@contextmanager
def running(server: Started) -> Iterator[http.client.HTTPConnection]:
    """Run a server on a free port; gives a connection to it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [*server.command, *server.flags, "--host", "127.0.0.1", "--port", str(port)]
    with tempfile.TemporaryFile() as log:
        options = {"stdout": log, "stderr": subprocess.STDOUT, "env": {**os.environ, **VLLM_ENV}}
        process = subprocess.Popen(command, **options)  # type: ignore[call-overload]
        try:
            _wait(process, port)
            yield http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        finally:
            process.terminate()
            process.wait(60)


def _wait(process: subprocess.Popen[bytes], port: int) -> None:
    for _ in range(PATIENCE_S):
        if process.poll() is not None:
            raise SystemExit(f"servers: {process.args!r} ended with {process.returncode}")
        asked = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            asked.request("GET", "/health")
            if asked.getresponse().status == http.HTTPStatus.OK:
                return
        except OSError:
            pass
        time.sleep(1)
    raise SystemExit(f"servers: {process.args!r} was not ready in {PATIENCE_S} s")


def refusals(
    server: Started, connection: http.client.HTTPConnection, sent: Iterable[Sent]
) -> Iterator[tuple[str, Refusal]]:
    """Send each request; yield what is refused, by case or seed."""
    for each in sent:
        status, message = _sent(server, connection, each.request)
        if status != http.HTTPStatus.OK:
            yield each.name, {"status": status, "message": message}


def answered(server: Started, sent: Iterable[Sent]) -> tuple[dict[str, Refusal], list[str]]:
    """Return what a server refuses, and what is probed of it. One that a request ends is started
    anew: that is recorded.
    """
    refused: dict[str, Refusal] = {}
    waiting = deque(sent)
    while True:
        with running(server) as connection:
            try:
                while waiting:
                    refused.update(refusals(server, connection, [waiting[0]]))
                    waiting.popleft()
            except ConnectionResetError:
                ended: Refusal = {"status": 0, "message": "the server ended without an answer"}
                refused[waiting.popleft().name] = ended
                continue
            return refused, probed(server, connection)


def _sent(
    server: Started, connection: http.client.HTTPConnection, request: object
) -> tuple[int, str]:
    """Send a request; return the status, and the beginning of what is said where it is refused."""
    headers = {"Content-Type": "application/json"}
    connection.request("POST", server.path, json.dumps(request), headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    if answer.status >= http.HTTPStatus.INTERNAL_SERVER_ERROR:
        connection.close()  # the server closes it, too; the next request opens one
    is_taken = answer.status == http.HTTPStatus.OK
    return answer.status, "" if is_taken else json.loads(text)["error"]["message"][:LONGEST]


def probed(server: Started, connection: http.client.HTTPConnection) -> list[str]:
    """Return where `commoncall probe` finds that a server is not as its profile says."""

    def asked(request: Mapping[str, Any]) -> Answer:
        status, message = _sent(server, connection, {"model": "m", **request})
        return Answer(status, None, message)

    found = probe(asked, "m", "auto")
    profile_of(found, server.profile, server.title)
    return [*difference(found, server.profile, load_profile(server.profile))]


def ask(server: Started) -> Server:
    """Return what a server says to the golden requests and to those that are generated."""
    known = list(golden(data.load().cases, server.profile))
    made = list(islice(generated(count(), server.profile), GENERATED))
    refused, differs = answered(server, [*known, *made])
    return {
        "server": server.title,
        "flags": " ".join(server.flags),
        "date": datetime.now(UTC).date().isoformat(),
        "golden": len(known),
        "generated": len(made),
        "refused": refused,
        "probed": differs,
    }


def _said(server: Server) -> tuple[object, object]:
    """Return what is compared: how many requests there are changes with the cases."""
    return server["refused"], server["probed"]


def main(arguments: Sequence[str]) -> int:
    """Run the command; returns its exit status."""
    if arguments not in ([], ["--record"]):
        print("usage: python -m tests.evidence.servers.live [--record]", file=sys.stderr)
        return 2
    recorded = read_servers()
    with tempfile.TemporaryDirectory() as folder:
        found = {server.profile: ask(server) for server in servers(Path(folder))}
    for now in found.values():
        print(
            f"{now['server']}: {now['golden']} requests of cases and {now['generated']} "
            f"others, {len(now['refused'])} refused; {len(now['probed'])} probes differ"
        )
    if arguments:
        FILE.write_text(text_of({**recorded, **found}), encoding="utf-8")
        return 0
    stale = [name for name, now in found.items() if _said(now) != _said(recorded[name])]
    for name in stale:
        print(f"servers: {name} answers otherwise; -- --record writes it", file=sys.stderr)
    return int(bool(stale))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
