"""What CommonMark calls code is not run, and little else is lost (EXT-030)."""

import random
from collections import Counter

import pytest

from tests.contracts.extraction.markdown_texts import is_called, is_open, is_quoted, shown, text
from tests.each import PARTS

TEXTS = 4000
LOST = 0.15
"""The share of calls in text that is lost although no run of backticks is open, at most: most
stand behind a backtick in HTML, in a link or in a definition, of which these texts are full.
"""


def counted(seeds: range) -> Counter[tuple[str, str]]:
    """Count what CommonMark shows and what happens, for each text."""
    counts: Counter[tuple[str, str]] = Counter()
    for seed in seeds:
        made = text(random.Random(seed).randrange)
        kind, happens = shown(made), "called" if is_called(made) else "text"
        assert (kind, happens) != ("code", "called"), made
        if (kind, happens) == ("text", "text"):
            happens = "open" if is_open(made) else "quoted" if is_quoted(made) else "lost"
        counts[kind, happens] += 1
    return counts


@pytest.mark.parametrize("part", range(PARTS))
def test_no_code_of_commonmark_is_run(part: int) -> None:
    size = TEXTS // PARTS
    counts = counted(range(part * size, (part + 1) * size))
    print(dict(counts))
    assert counts["code", "text"] > size / 10
    assert counts["text", "called"] > size / 4
    assert counts["text", "lost"] < LOST * counts["text", "called"]
