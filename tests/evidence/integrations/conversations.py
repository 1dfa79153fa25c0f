"""Conversations of ten turns with the scripted model, through the loops of the pages.

`python -m tests.evidence.integrations.conversations COUNT` runs so many of each loop against the
strict server, and fails where a request was refused, a text, result or signature was lost, or a
call was not run once. Both loops hold the conversation of a seed before the next seed comes, so
that a run that is stopped has said something of both; the last lines count what went wrong.
"""

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

import loop
import streaming
from openai import AsyncOpenAI, DefaultAsyncHttpxClient, DefaultHttpxClient, OpenAI

from commoncall.payload import load_profile
from tests.evidence.integrations.model import SIGNATURE, TOOLS, Model
from tests.evidence.integrations.strict_server import Log, running

TURNS: Final = 10
ORIGIN: Final = {"provider": "acme", "model": "m"}
REGISTRY: Final = {
    "registry_version": "1.0",
    "revision": "1",
    "providers": {"acme": {"models": {"m": {"tool_calls_supported": True}}}},
}
PROFILES: Final[Mapping[str, Any]] = {
    "none": None,
    "strict": "strict",
    "vllm": "vllm",
    "deepseek": load_profile("deepseek", origin=ORIGIN),
    "moonshot": load_profile("moonshot", origin=ORIGIN),
}


def converse(kind: str, name: str, seed: int) -> list[str]:
    """Hold a conversation; return what went wrong."""
    profile = PROFILES[name]
    flags = load_profile(profile) if isinstance(profile, str) else profile
    signs = flags is not None and SIGNATURE in flags.get("opaque_members", ())
    model = Model(seed, signs=signs, streams=kind == "streaming")
    request: dict[str, Any] = {"model": "m", "messages": [], "tools": TOOLS}
    run = {"get_tide": model.get_tide, "ping": model.ping}
    judged = None if flags is None else {n: v for n, v in flags.items() if n != "origin"}
    with running(model, judged) as log:
        LOOPS[kind](log, request, run, profile, model)
    refused = [f"refused: {rules}" for rules in log.refused]
    return [*refused, *model.wrong()]


def options(profile: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what `prepare` and `receive` are given in each turn."""
    both = {"disposition": "answer", "profile": profile}
    sending = {"registries": [REGISTRY], "targets": [ORIGIN], "layers": [], "text_protocol": False}
    reading = {"tools": TOOLS}
    return {**both, **sending}, {**both, **reading}


def _sync(log: Log, request: Any, run: loop.Tools, profile: Any, model: Model) -> None:
    # No certificates are read: the server speaks plain HTTP.
    http = DefaultHttpxClient(verify=False)
    with OpenAI(base_url=log.address, api_key="x", max_retries=0, http_client=http) as client:
        for _ in range(TURNS):
            request["messages"].append({"role": "user", "content": model.user()})
            loop.converse(client, request, run, *options(profile))


def _streaming(log: Log, request: Any, run: loop.Tools, profile: Any, model: Model) -> None:
    async def all_turns() -> None:
        http = DefaultAsyncHttpxClient(verify=False)
        given = {"base_url": log.address, "api_key": "x", "http_client": http}
        async with AsyncOpenAI(**given, max_retries=0) as client:
            for _ in range(TURNS):
                request["messages"].append({"role": "user", "content": model.user()})
                await streaming.converse(client, request, run, *options(profile), lambda _: None)

    asyncio.run(all_turns())


LOOPS: Final[Mapping[str, Callable[..., None]]] = {"sync": _sync, "streaming": _streaming}


COUNTED: Final[Mapping[str, str]] = {
    "refused": "requests refused",
    "lost": "messages lost",
    "lost signature": "signatures lost",
    "run twice": "calls run twice",
    "not run": "calls not run",
    "never to be run": "calls run that were never to be",
    "raised": "loops that raised",
}
"""What can go wrong, in the words of the last line."""


def held(kind: str, name: str, seed: int) -> list[str]:
    """Hold a conversation as `converse`; what the loop raises went wrong as well."""
    try:
        return converse(kind, name, seed)
    except Exception as error:
        return [f"raised: {error!r}"]


def kind_of(trouble: str) -> str:
    """Return under which word of `COUNTED` a trouble is counted."""
    word = trouble.partition(":")[0]
    if word.startswith("run "):
        return "run twice"
    return "lost signature" if trouble.startswith("lost: signature") else word


def main() -> int:
    """Run conversations; the exit status is 0 when nothing went wrong."""
    parser = argparse.ArgumentParser(description="Hold conversations with a scripted model.")
    parser.add_argument("count", type=int, help="how many of each loop")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    wrong: Counter[str] = Counter()
    done: Counter[str] = Counter()
    for number in range(options.count):
        name = list(PROFILES)[number % len(PROFILES)]
        seed = options.seed + number
        for kind in LOOPS:
            done[kind] += 1
            for trouble in held(kind, name, seed):
                wrong[kind_of(trouble)] += 1
                print(f"{kind}, {name}, seed {seed}: {trouble}", flush=True)
        if done["sync"] % 500 == 0 or done["sync"] == options.count:
            print(summary(done, wrong), flush=True)
    return bool(wrong)


def summary(done: Mapping[str, int], wrong: Mapping[str, int]) -> str:
    """Return how many conversations were held, and what went wrong in them."""
    each = ", ".join(f"{kind} {number:,}" for kind, number in done.items())
    counts = ", ".join(f"{wrong.get(word, 0)} {text}" for word, text in COUNTED.items())
    return f"{sum(done.values()):,} conversations of {TURNS} turns ({each}): {counts}"


if __name__ == "__main__":
    sys.exit(main())
