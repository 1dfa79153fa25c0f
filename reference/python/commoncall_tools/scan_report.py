"""What a scan found, in lines for people."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from commoncall_tools.console import many
from commoncall_tools.scanning import Bad, Counts, Example, Model, Tally


class Report(Counts):
    """What ``scan --json`` prints: the counts, and which files cannot be read to their end."""

    errors: list[str]


def lines(report: Report) -> Iterator[str]:
    """Return what stands in a report; what there is most of comes first."""
    texts = many(report["texts"], "text")
    yield (
        f"{many(report['lines'], 'line')}: {many(report['histories'], 'history')}, "
        f"{many(report['messages'], 'message')}, {texts} of assistants"
    )
    leaks = report["leaks"]
    yield (
        f"leaked: {many(leaks['calls'], 'call')}, {many(leaks['rejected'], 'place')} rejected, "
        f"in {many(leaks['texts'], 'text')}"
    )
    yield from _table("rejected for", (), _most(report["codes"]))
    yield from _table("by dialect", _TALLY, _tallies(report["dialects"]))
    yield from _table(
        "by format; a place counts for each that reads it", _TALLY, _tallies(report["formats"])
    )
    yield f"poisoned: {report['poisoned']} of {many(report['histories'], 'history')}"
    yield from _table("findings", (), _most(report["findings"]))
    yield from _table("by model", _MODEL, _models(report["models"]))
    yield from _table("lines that cannot be judged", (), _bad(report["bad"]))
    examples = [(_place(one), _example(one)) for one in report["examples"]]
    width = max((len(place) for place, _ in examples), default=0)
    yield from ["examples:"] * bool(examples)
    yield from (f"  {place:{width}}  {said}" for place, said in examples)


_TALLY: Final = ("calls", "rejected", "texts")
_MODEL: Final = (*_TALLY, "of", "poisoned", "of")


_Row = tuple[Sequence[int], str]


def _table(title: str, head: Sequence[str], rows: Iterable[_Row]) -> Iterator[str]:
    """Yield rows of numbers and what they are of, under their names; none where there is no row.

    Under a head, what has the same numbers shares a row.
    """
    shared: dict[object, tuple[Sequence[int], list[str]]] = {}
    for numbers, name in rows:
        shared.setdefault(tuple(numbers) if head else name, (numbers, []))[1].append(name)
    if not shared:
        return
    yield f"{title}:"
    numbered = [row for row, _ in shared.values()]
    columns = [[*map(str, column)] for column in zip(*numbered, strict=True)]
    heads = head or [""] * len(columns)
    widths = [max(map(len, [name, *each])) for name, each in zip(heads, columns, strict=True)]
    if head:
        yield "  " + "  ".join(f"{name:>{width}}" for name, width in zip(head, widths, strict=True))
    for numbers, names in shared.values():
        cells = (f"{number:>{width}}" for number, width in zip(numbers, widths, strict=True))
        yield f"  {'  '.join(cells)}  {', '.join(names)}"


def _tally(tally: Tally) -> tuple[int, int, int]:
    return tally["calls"], tally["rejected"], tally["texts"]


def _tallies(tallies: Mapping[str, Tally]) -> Iterator[_Row]:
    for name in sorted(tallies, key=lambda name: (-tallies[name]["texts"], name)):
        yield _tally(tallies[name]), name


def _most(counts: Mapping[str, int]) -> Iterator[_Row]:
    for code in sorted(counts, key=lambda code: (-counts[code], code)):
        yield (counts[code],), code


def _models(models: Mapping[str, Model]) -> Iterator[_Row]:
    """Give the models of which something was found, where lines name any."""
    if not models.keys() - {""}:
        return
    for name in sorted(models, key=lambda name: (-models[name]["leaks"]["texts"], name)):
        one = models[name]
        if one["leaks"]["texts"] or one["poisoned"]:
            rest = (one["texts"], one["poisoned"], one["histories"])
            yield (*_tally(one["leaks"]), *rest), name or "(none named)"


def _bad(bad: Mapping[str, Bad]) -> Iterator[_Row]:
    for kind in sorted(bad, key=lambda kind: (-bad[kind]["count"], kind)):
        first = ", ".join(f"{one['file']}:{one['line']}" for one in bad[kind]["first"])
        more = " ..." if bad[kind]["count"] > len(bad[kind]["first"]) else ""
        yield (bad[kind]["count"],), f"{kind}: {first}{more}"


def _place(one: Example) -> str:
    message = f" message {one['message']}" if "message" in one else ""
    return f"{one['file']}:{one['line']}{message}"


def _example(one: Example) -> str:
    codes = ", ".join(one["codes"])
    if one["kind"] == "poisoned":
        return f"poisoned: {codes} at {one['path']}"
    dialects = ", ".join(one["dialects"])
    said = many(one["calls"], "call") if one["calls"] else "rejected"
    beside = f": {codes}" if codes else ""
    return f"{said}, in {dialects}{beside}" + (f": {one['text']}" if "text" in one else "")
