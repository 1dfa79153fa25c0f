"""Conversations of ten turns with the scripted model, through the loops of the pages.

`python -m tests.evidence.integrations.conversations COUNT` runs so many of each loop against the
strict server, and fails where a request was refused, a text, result or signature was lost, or a
call was not run once.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

import loop
import streaming
from openai import AsyncOpenAI, OpenAI

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
    reading = {"tools": TOOLS, "empty_arguments": "allow_if_none_required"}
    return {**both, **sending}, {**both, **reading}


def _sync(log: Log, request: Any, run: loop.Tools, profile: Any, model: Model) -> None:
    with OpenAI(base_url=log.address, api_key="x", max_retries=0) as client:
        for _ in range(TURNS):
            request["messages"].append({"role": "user", "content": model.user()})
            loop.converse(client, request, run, *options(profile))


def _streaming(log: Log, request: Any, run: loop.Tools, profile: Any, model: Model) -> None:
    async def all_turns() -> None:
        async with AsyncOpenAI(base_url=log.address, api_key="x", max_retries=0) as client:
            for _ in range(TURNS):
                request["messages"].append({"role": "user", "content": model.user()})
                await streaming.converse(client, request, run, *options(profile), lambda _: None)

    asyncio.run(all_turns())


LOOPS: Final[Mapping[str, Callable[..., None]]] = {"sync": _sync, "streaming": _streaming}


def main() -> int:
    """Run conversations; the exit status is 0 when nothing went wrong."""
    parser = argparse.ArgumentParser(description="Hold conversations with a scripted model.")
    parser.add_argument("count", type=int, help="how many of each loop")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    wrong: Counter[str] = Counter()
    for kind in LOOPS:
        for number in range(options.count):
            name = list(PROFILES)[number % len(PROFILES)]
            seed = options.seed + number
            for trouble in converse(kind, name, seed):
                wrong[kind] += 1
                print(f"{kind}, {name}, seed {seed}: {trouble}")
    print(f"{options.count} conversations of {TURNS} turns, {dict(wrong) or 'nothing wrong'}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
