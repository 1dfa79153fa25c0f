"""A scan of a column in Spark; needs the extra ``spark``, pandas too since Spark asks for it."""

import json
from collections.abc import Iterator
from functools import partial

import pyarrow as pa
from pyspark.sql import DataFrame

from commoncall_tools.scanning import Counts, How, merge, no_counts, scan_lines

EVERYTHING = How()


def scan_frame(frame: DataFrame, how: How = EVERYTHING, *, column: str = "value") -> Counts:
    """Judge the lines in a column of a frame, as ``scan_lines`` does.

    Each partition becomes one row, so little comes to the driver. A row that is null is no line.
    Examples and bad lines have no file, and their number is that of the row in its partition.
    """
    rows = frame.select(column).mapInArrow(partial(_judge, how), "counts string")
    total = no_counts()
    for row in rows.toLocalIterator():
        total = merge(total, json.loads(row["counts"]), examples=how.examples)
    return total


def _judge(how: How, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield the counts of a partition, as one row."""
    total = no_counts()
    first = 1
    for batch in batches:
        lines = (line or "" for line in batch.column(0).to_pylist())
        total = merge(total, scan_lines(lines, how, first=first), examples=how.examples)
        first += batch.num_rows
    yield pa.RecordBatch.from_pydict({"counts": [json.dumps(total)]})
