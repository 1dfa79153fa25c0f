"""What many tests read and none changes: each is read once a process, when the first one asks."""

import functools
import gc
from typing import TypeVar

from commoncall_kit.suite import data
from tools.fixtures import authored, schemas

Value = TypeVar("Value")


def _kept(value: Value) -> Value:
    """Return a value that stays to the end: who looks for garbage need not look into it again."""
    gc.freeze()
    return value


@functools.cache
def suite() -> data.Suite:
    """Return the suite of this checkout as the kit reads it."""
    return _kept(data.load())


@functools.cache
def documents() -> data.Documents:
    """Return the files of that suite, with everything that stands in them."""
    return _kept(data.documents())


@functools.cache
def read_schemas() -> schemas.Schemas:
    """Return the schemas of this checkout."""
    return schemas.read_schemas(authored.ROOT)


@functools.cache
def tree() -> authored.Tree:
    """Return the sources of the fixtures, read and judged."""
    return _kept(authored.read_tree(authored.ROOT))


def faults_of_result(operation: str, result: object) -> list[tuple[str, str]]:
    """Return what the schema of an operation's result has against one."""
    reference = authored.schema_reference(operation, "result")
    return read_schemas().errors(reference, result)
