"""What catalogues have in common: rows of provider, model and entry, and a document out of them."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

from commoncall.capability.registry_document import (
    VERSION,
    ProviderSection,
    RegistryDocument,
    fold,
    loads,
)

Entry = dict[str, object]
Row = tuple[str, str, Entry]
"""Provider, model, and what the catalogue states of the two."""


class ImportedFileError(ValueError):
    """The file is not what the source publishes. The text says why, in one line."""


def document_of(
    catalogue: object,
    source: str,
    revision: str,
    rows: Callable[[Mapping[str, object], str], Iterable[Row]],
) -> RegistryDocument:
    """Return a registry document that loads, everything in the order of the names.

    Of models of one provider whose names differ in ASCII case only, the first is kept where all
    state the same, and none where they do not: nobody can say which row is meant.

    Args:
        catalogue: any JSON; meant is an object.
        source: whose it is.
        revision: the date that it is of.
        rows: returns its rows; those without a provider or a model count for nothing.

    Raises:
        ImportedFileError: there is no row, or two providers differ in ASCII case only.
    """
    if not isinstance(catalogue, dict):
        raise ImportedFileError("is no object")
    listed: defaultdict[str, dict[str, Entry]] = defaultdict(dict)
    for provider, model, entry in rows(catalogue, f"{source} {revision}"):
        if provider and model:
            listed[provider][model] = entry
    if not listed:
        raise ImportedFileError("states of no model whether it takes tools")
    sections: dict[str, ProviderSection] = {
        provider: {"models": _unambiguous(models)} for provider, models in sorted(listed.items())
    }
    document: RegistryDocument = {
        "registry_version": VERSION,
        "revision": revision,
        "providers": sections,
    }
    if not loads(document):
        raise ImportedFileError("has two providers whose names differ in case only")
    return document


def _unambiguous(models: Mapping[str, Entry]) -> dict[str, object]:
    alike: defaultdict[str, list[str]] = defaultdict(list)
    for name in sorted(models):
        alike[fold(name)].append(name)
    kept = sorted(
        names[0] for names in alike.values() if all(models[n] == models[names[0]] for n in names)
    )
    return {name: models[name] for name in kept}
