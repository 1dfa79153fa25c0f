"""A scan of a relation in DuckDB; needs the extra ``duckdb``."""

from collections.abc import Iterator

from duckdb import DuckDBPyRelation

from commoncall_tools.scanning import Counts, How, merge, no_counts
from commoncall_tools.scanning.cores import cores, scan_batches
from commoncall_tools.scanning.files import Batch

EVERYTHING = How()
ROWS = 8192
"""So many rows go to a process at once."""


def scan_relation(
    relation: DuckDBPyRelation, how: How = EVERYTHING, *, jobs: int | None = None
) -> Counts:
    """Judge the lines in the first column of a relation, as ``scan_lines`` does, on all cores.

    A row that is null is no line. Examples and bad lines have no file, and their number is that of
    the row.
    """
    total = no_counts()
    for counts in scan_batches(_batches(relation), how, jobs or cores()):
        total = merge(total, counts, examples=how.examples)
    return total


def _batches(relation: DuckDBPyRelation) -> Iterator[Batch]:
    first = 1
    for batch in relation.to_arrow_reader(ROWS):
        yield Batch("", first, [line or "" for line in batch.column(0).to_pylist()])
        first += batch.num_rows
