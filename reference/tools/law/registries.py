"""The linter of the registries that stand beside the text as data, `spec/v1/registry-*.json`."""

from pathlib import Path
from typing import Final

from commoncall_tools.registry import faults
from tools.fixtures.schemas import read_files

PATTERN: Final = "spec/v1/registry-*.json"


def registry_problems(root: Path) -> list[str]:
    """Return what is wrong with the registries below ``root``, each as one line with its file."""
    documents, problems = read_files(root, PATTERN)
    return problems + [
        f"{name}: {fault}" for name, document in documents.items() for fault in faults(document)
    ]
