"""The path that a resolution took, in lines for people: what was tried, and why it ended.

`resolve` decides; this file only retraces it. No operation gives a path.
"""

from collections.abc import Iterator, Mapping, Sequence

from commoncall.capability.registry import Held, Provider, Rank, Registry, load_registry
from commoncall.capability.registry_document import fold
from commoncall.capability.resolve import Reason, resolve
from commoncall.json_text import compact


def explain_resolve(value: Mapping[str, object], meanings: Mapping[str, str]) -> list[str]:
    """Return the path of each target, and the reason in which it ends.

    Args:
        value: an input of `capability.resolve` that is not refused.
        meanings: what each reason means.
    """
    documents, targets = value["registries"], value["targets"]
    assert isinstance(documents, list)
    assert isinstance(targets, list)
    allow_inferred = value.get("allow_inferred") is True
    registries = [load_registry(document) for document in documents]

    def end(reason: Reason) -> str:
        return f"  reason {reason}: {meanings[reason]} (CAP-005)"

    lines: list[str] = []
    for number, target in enumerate(targets):
        reason = resolve(registries, [target], allow_inferred=allow_inferred)["reason"]
        lines += [f"target {number}: {_named(target)}", *_path(registries, target), end(reason)]
    return lines or [end("no_target")]


def _named(target: object) -> str:
    match target:
        case {"provider": str(name), "model": str(model)}:
            return f"model {compact(model)} of provider {compact(name)}"
    return "no object with the strings provider and model"


def _path(registries: Sequence[Registry | None], target: object) -> Iterator[str]:
    """Yield a line for each step; none for a target that is not searched."""
    match target:
        case {"provider": str(name), "model": str(model)} if name and model:
            pass
        case _:
            return
    for layer, registry in enumerate(registries):
        if registry is None:
            yield f"  registry {layer} does not load, so the search ends (CAP-001)"
            return
        provider = registry.providers.get(fold(name))
        known = f"provider {compact(provider.name)}" if provider else "provider unknown"
        yield f"  registry {layer}, revision {compact(registry.revision)}: {known}"
        for rank, held in _ranks(provider, fold(model)) if provider else ():
            if held:
                yield f"    {rank}: {compact(held.key)} {_says(held)}, so the search ends"
                return
            yield f"    {rank}: nothing"


def _ranks(provider: Provider, name: str) -> Iterator[tuple[Rank, Held | None]]:
    """Yield what each rank holds, in their order (definition "search")."""
    yield "exact", provider.exact.get(name)
    yield "alias", provider.alias.get(name)
    yield "prefix", provider.longest_prefix(name)
    yield "provider_default", provider.default


def _says(held: Held) -> str:
    if held.malformed:
        return "cannot be read"
    return "supports tool calls" if held.supported else "does not support tool calls"
