"""Registry documents out of public catalogues of models.

Stands beside the contract, which never imports it. A catalogue is read once, by people who look at
what they get; nothing here is asked during a turn.
"""

from collections.abc import Callable, Mapping
from typing import Final

from commoncall.capability.registry_document import RegistryDocument
from commoncall_tools.registries.importers.litellm import from_litellm
from commoncall_tools.registries.importers.models_dev import from_models_dev
from commoncall_tools.registries.importers.rows import ImportedFileError

SOURCES: Final[Mapping[str, Callable[[object, str], RegistryDocument]]] = {
    "models.dev": from_models_dev,
    "litellm": from_litellm,
}
"""What makes a registry document of a source's file, as JSON, and of the date that it is of, which
no file states. It raises `ImportedFileError` where the file has another form, or states nothing.
"""

__all__ = ["SOURCES", "ImportedFileError", "from_litellm", "from_models_dev"]
