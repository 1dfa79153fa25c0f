"""The lists of mutants as files: rows are written back, for the reference and for the Node port."""

import json
from collections.abc import Container, Iterable, Mapping
from itertools import groupby
from pathlib import Path


def write(root: Path, rows: Iterable[Mapping[str, str]], members: Container[str]) -> None:
    """Write rows into their lists; ``row`` names the list of each, and its place there.

    A text that is empty is left out, but for those of ``members``.
    """
    for name, listed in groupby(rows, key=lambda row: row["row"].partition(" ")[0]):
        kept = [
            {
                member: text
                for member, text in row.items()
                if member != "row" and (text or member in members)
            }
            for row in listed
        ]
        text = json.dumps(kept, indent=2, ensure_ascii=False)
        (root / name).write_text(f"{text}\n", encoding="utf-8")
