"""The reference behind the harness protocol. Of the kit, only this file imports contracts."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from typing import BinaryIO, Final

from commoncall import __version__, capability, event, extraction, payload, turn
from commoncall.envelope import Env, Operation, Outcome
from commoncall.kit import protocol
from commoncall.kit.protocol import MAX_LINE, PROTOCOL, ProtocolError

OPERATIONS: Final[Mapping[str, Operation]] = {
    **payload.OPERATIONS,
    **capability.OPERATIONS,
    **event.OPERATIONS,
    **extraction.OPERATIONS,
    **turn.OPERATIONS,
}
FEATURES: Final = (
    "cloudevents",
    "diagnostics",
    "lone-surrogates",
    "more-dialects",
    "otel",
    "streaming",
    "trace",
    "typed-parameters",
)


def answer(operation: str, input: object, env: Mapping[str, object] | None = None) -> Outcome:
    """Run one operation on JSON input; ``env`` is ``{ids?: [string], clock_ms?: [number]}``."""
    given = {name: value for name, value in (env or {}).items() if isinstance(value, list)}
    return OPERATIONS[operation](input, Env(given.get("ids"), given.get("clock_ms")))


def serve(lines: BinaryIO, out: BinaryIO) -> None:
    """Answer requests until ``stop`` or the end of the input.

    Raises:
        ProtocolError: a line is no request; a runner that loses its place gets no guess.
    """
    while line := lines.readline(MAX_LINE + 1):
        match protocol.parse(line):
            case {"cmd": "start"}:
                reply = _declaration()
            case {"cmd": "run", "seq": seq, "operation": str(operation), "input": data, **rest}:
                reply = {"seq": seq, **_run(operation, data, rest.get("env"))}
            case {"cmd": "stop"}:
                return
            case _:
                raise ProtocolError("a line is no request of the harness protocol")
        out.write(protocol.encode(reply))
        out.flush()


def _declaration() -> dict[str, object]:
    return {
        "protocol": PROTOCOL,
        "implementation": {
            "name": "commoncall",
            # A claim names a semantic version, and Python spells a development version otherwise.
            "version": __version__.replace(".dev", "-dev."),
            "language": f"Python {platform.python_version()}",
        },
        "operations": list(OPERATIONS),
        "features": list(FEATURES),
    }


def _run(operation: str, data: object, env: object) -> Mapping[str, object]:
    if operation not in OPERATIONS:
        return {"skipped": {"reason": f"no operation {operation}"}}
    try:
        return answer(operation, data, env if isinstance(env, dict) else None)
    except Exception as error:  # the next case deserves its answer; the text could quote the input
        return {"errored": {"message": type(error).__name__}}
