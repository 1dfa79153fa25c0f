"""The path that a resolution took, for people: what was tried, what it answered, why it ended.

`resolve` decides; this file only retraces it. No operation gives a path.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from commoncall.capability.registry import Held, Provider, Rank, Registry, load_registry
from commoncall.capability.registry_document import fold
from commoncall.capability.resolve import Reason, resolve
from commoncall.json_text import compact

MEANINGS: Final[Mapping[Reason, str]] = {
    "exact": "the registry lists the model",
    "alias": "the registry lists the model under another name",
    "prefix": "the registry has a prefix of the model",
    "provider_default": "the registry has a default of the provider",
    "inferred_not_allowed": "a prefix or a default supports tool calls, and inferring was not "
    "allowed",
    "malformed_entry": "the entry of the model cannot be read",
    "unknown_model": "no registry knows the model, or the target names none",
    "unknown_provider": "no registry knows the provider, or the target names none",
    "registry_invalid": "the search came to a registry that does not load",
    "no_target": "there is no target",
}
"""What each reason means, as spec/v1/codes.md has it."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that a search tried, in the registry at the position ``layer``.

    ``found`` is the entry that a rank holds, the name of the provider as the registry writes it, or
    None where there was nothing.
    """

    layer: int
    tried: Literal["registry", "provider"] | Rank
    found: Held | str | None = None


def search_path(registries: Sequence[Registry | None], target: object) -> list[Step]:
    """Return the steps of the search of one target, in their order.

    Args:
        registries: as for `resolve`.
        target: any JSON; one that names no provider or no model is not searched.

    Returns:
        The last step is a registry that does not load, the hit, or what was tried in vain at the
        end. Raises nothing on JSON input.
    """
    match target:
        case {"provider": str(name), "model": str(model)} if name and model:
            return list(_steps(registries, name, model))
    return []


def _steps(registries: Sequence[Registry | None], name: str, model: str) -> Iterator[Step]:
    for layer, registry in enumerate(registries):
        if registry is None:
            yield Step(layer, "registry")
            return
        provider = registry.providers.get(fold(name))
        yield Step(layer, "provider", provider.name if provider else None)
        for rank, held in _ranks(provider, fold(model)) if provider else ():
            yield Step(layer, rank, held)
            if held:
                return


def _ranks(provider: Provider, name: str) -> Iterator[tuple[Rank, Held | None]]:
    """Yield what each rank holds, in their order (definition "rank")."""
    yield "exact", provider.exact.get(name)
    yield "alias", provider.alias.get(name)
    yield "prefix", provider.longest_prefix(name)
    yield "provider_default", provider.default


def explain_resolve(value: Mapping[str, object]) -> list[str]:
    """Return lines for people on the path of each target.

    Args:
        value: an input of `capability.resolve` that is not refused.
    """
    documents, targets = value["registries"], value["targets"]
    assert isinstance(documents, list)
    assert isinstance(targets, list)
    allow_inferred = value.get("allow_inferred") is True
    registries = [load_registry(document) for document in documents]
    lines: list[str] = []
    for number, target in enumerate(targets):
        lines.append(f"target {number}: {_named(target)}")
        lines += [_line(step, registries) for step in search_path(registries, target)]
        lines.append(_end(resolve(registries, [target], allow_inferred=allow_inferred)["reason"]))
    return lines or [_end("no_target")]


def _end(reason: Reason) -> str:
    return f"  reason {reason}: {MEANINGS[reason]} (CAP-021)"


def _named(target: object) -> str:
    match target:
        case {"provider": str(name), "model": str(model)}:
            return f"model {compact(model)} of provider {compact(name)}"
    return "no object with the strings provider and model"


def _line(step: Step, registries: Sequence[Registry | None]) -> str:
    registry = registries[step.layer]
    if registry is None:
        return f"  registry {step.layer} does not load, so the search ends (CAP-001)"
    match step.found:
        case Held() as held:
            return f"    {step.tried}: {compact(held.key)} {_says(held)}, so the search ends"
        case str(name):
            known = f"provider {compact(name)}"
        case None if step.tried == "provider":
            known = "provider unknown"
        case None:
            return f"    {step.tried}: nothing"
    return f"  registry {step.layer}, revision {compact(registry.revision)}: {known}"


def _says(held: Held) -> str:
    if held.malformed:
        return "cannot be read"
    return "supports tool calls" if held.supported else "does not support tool calls"
