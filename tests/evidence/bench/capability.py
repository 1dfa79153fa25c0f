"""The capability contract: what resolving costs over looking a model up in two dicts."""

from typing import Any

from commoncall.capability import load_registry, resolve
from tests.evidence.bench import Case

PROVIDERS, MODELS = 190, 32
"""The size of a public catalogue: about 6,000 models."""


def cases() -> list[Case]:
    """Return what is measured."""
    return [resolve_case()]


def resolve_case() -> Case:
    """Return one resolution of every model of a catalogue, compiled once."""
    document = catalogue()
    registries = [load_registry(document)]
    plain = {
        provider: {model: entry["tool_calls_supported"] for model, entry in one["models"].items()}
        for provider, one in document["providers"].items()
    }
    targets = [
        {"provider": provider, "model": model}
        for provider, models in plain.items()
        for model in models
    ]
    supported = sum(sum(models.values()) for models in plain.values())

    def floor() -> None:
        found = 0
        for target in targets:
            found += plain.get(target["provider"], {}).get(target["model"], False)
        assert found == supported

    def candidate() -> None:
        found = 0
        for target in targets:
            found += resolve(registries, [target])["tool_calls_supported"]
        assert found == supported

    name = f"resolve: {len(targets):,} models of one catalogue"
    does = "a dict of dicts, asked for the same names"
    # The goal was met before the border (ADR-0131), which costs half of a call.
    return Case(name, does, floor, candidate, goal=20, held=50)


def catalogue() -> dict[str, Any]:
    """Return a registry document as an import makes it: ids with capitals, every sixth closed."""
    return {
        "registry_version": "1.0",
        "revision": "2026-08-18",
        "providers": {
            f"provider-{provider}": {
                "models": {
                    f"maker-{model % 7}/Model-{provider}.{model}-instruct": {
                        "tool_calls_supported": model % 6 != 0,
                        "source": "a catalogue of 2026-08-18",
                    }
                    for model in range(MODELS)
                }
            }
            for provider in range(PROVIDERS)
        },
    }
