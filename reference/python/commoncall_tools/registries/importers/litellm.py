"""The price list of LiteLLM, `model_prices_and_context_window.json`: one row for each key, MIT.

``{KEY: {litellm_provider, supports_function_calling?, supports_tool_choice?,
supports_forced_tool_use?, supports_parallel_function_calling?, ...}}``. A quarter of the rows of
chat models do not say whether they take tools; those are unknown here, too.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from commoncall.capability.registry_document import ProviderSection, RegistryDocument, fold
from commoncall_tools.registries.importers.rows import Entry, Row, document_of

NO_MODELS: Final = ("sample_spec", "fallback_generalizations")
"""Keys of the file that stand among the models and are none: its documentation, and patterns."""


def from_litellm(catalogue: object, revision: str) -> RegistryDocument:
    """Return the registry document of a price list; what a row does not state stays not stated.

    A model has the key of its row, and where that begins with the provider, what follows is an
    alias: `openai/gpt` of `openai` is found as `gpt` too, unless that is another row.
    """
    document = document_of(catalogue, "litellm", revision, _rows)
    assert isinstance(catalogue, dict)
    keys: defaultdict[str, set[str]] = defaultdict(set)
    for key, row in catalogue.items():
        keys[_provider(row)].add(fold(key))
    for provider, section in document["providers"].items():
        if aliases := _aliases(provider, section, keys[provider]):
            section["model_aliases"] = aliases
    return document


def _rows(catalogue: Mapping[str, object], source: str) -> Iterator[Row]:
    for key, row in catalogue.items():
        provider = _provider(row)
        if not isinstance(row, dict) or key in NO_MODELS:
            continue
        supported = row.get("supports_function_calling")
        if isinstance(supported, bool):
            stated = _stated(row) if supported else {}
            yield provider, key, {"tool_calls_supported": supported, **stated, "source": source}


def _stated(row: Mapping[str, object]) -> Entry:
    """Return what a row of a model that takes tools says beyond that."""
    stated: Entry = {}
    # The row says whether there is a choice, and whether one can be forced; a true says no more.
    if row.get("supports_tool_choice") is False:
        stated["tool_choice"] = []
    elif row.get("supports_forced_tool_use") is False:
        stated["tool_choice"] = ["auto", "none"]
    parallel = row.get("supports_parallel_function_calling")
    if isinstance(parallel, bool):
        stated["parallel_tool_calls"] = parallel
    return stated


def _provider(row: object) -> str:
    """Return the provider of a row, or nothing."""
    provider = row.get("litellm_provider") if isinstance(row, dict) else None
    return provider if isinstance(provider, str) else ""


def _aliases(provider: str, section: ProviderSection, taken: Collection[str]) -> dict[str, str]:
    # A row that says nothing of tools stays unknown: its key is not free either.
    start = f"{provider}/"
    named = {key.removeprefix(start): key for key in section["models"] if key.startswith(start)}
    alike = Counter(map(fold, named))
    free = (name for name in named if alike[fold(name)] == 1 and fold(name) not in taken)
    return {name: named[name] for name in sorted(free) if name}
