"""The reference behind the harness protocol: a line for each request, a line for its answer."""

import platform
from collections.abc import Mapping
from typing import Any, BinaryIO, Final, TypeGuard, cast

from commoncall import __version__, operations, protocol
from commoncall.envelope import Env, Outcome
from commoncall.protocol import MAX_LINE, PROTOCOL, ProtocolError

OPERATIONS: Final = operations.OPERATIONS
FEATURES: Final = (
    "diagnostics",
    "formats",
    "lone-surrogates",
    "more-dialects",
    "otel",
    "parts",
    "streaming",
    "typed-parameters",
)


class Answer(Outcome, total=False):
    """An outcome, or ``errored`` where the request was out of form."""

    errored: Mapping[str, str]


ENV_OUT_OF_FORM: Final[Answer] = {"errored": {"message": "env is out of form"}}


def answer(operation: str, input: object, env: Mapping[str, object] | None = None) -> Answer:
    """Run one operation on JSON input; ``env`` is ``{ids?: [string], clock_ms?: [number]}``.

    What ``env`` lacks the operation makes itself. Where it holds something else, the answer is
    ``errored``.
    """
    if env is not None and not _is_env(env):
        return ENV_OUT_OF_FORM
    given = env or {}
    outcome = OPERATIONS[operation](input, Env(given.get("ids"), given.get("clock_ms")))
    return cast(Answer, outcome)  # which is one without `errored`


def _is_env(env: object) -> TypeGuard[Mapping[str, Any]]:
    if not isinstance(env, Mapping):
        return False
    return _holds(env.get("ids", []), str) and _holds(env.get("clock_ms", []), int, float)


def _holds(values: object, *types: type) -> bool:
    """Tell whether this is an array of these types; a boolean is no number."""
    return isinstance(values, list) and all(
        isinstance(value, types) and not isinstance(value, bool) for value in values
    )


def serve(lines: BinaryIO, out: BinaryIO) -> None:
    """Answer requests until ``stop`` or the end of the input.

    Raises:
        ProtocolError: a line is no request; a runner that loses its place gets no guess.
    """
    while line := lines.readline(MAX_LINE + 1):
        if len(line) > MAX_LINE:
            raise ProtocolError("a line that is too long")
        if not line.endswith(b"\n"):
            raise ProtocolError("a line that is cut off")
        match protocol.parse(line):
            case {"cmd": "start"}:
                reply = _declaration()
            case {
                "cmd": "run",
                "seq": int() | float() as seq,
                "operation": str(operation),
                "input": data,
                **rest,
            } if not isinstance(seq, bool):
                reply = {"seq": seq, **_run(operation, data, rest.get("env", {}))}
            case {"cmd": "stop"}:
                return
            case _:
                raise ProtocolError("a line that is no request of the harness protocol")
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
    if not _is_env(env):
        return ENV_OUT_OF_FORM
    try:
        return answer(operation, data, env)
    except Exception as error:  # the next case deserves its answer; the text could quote the input
        return {"errored": {"message": type(error).__name__}}
