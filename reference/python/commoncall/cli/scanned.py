"""What a scan found, in lines for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from commoncall.scanning import Bad, Counts, Example, Model, Tally


class Report(Counts):
    """What ``scan --json`` prints: the counts, and which files cannot be read to their end."""

    errors: list[str]


def scanned(report: Report) -> Iterator[str]:
    """Return what stands in a report; what there is most of comes first."""
    yield (
        f"{report['lines']} lines: {report['histories']} histories, {report['messages']} messages, "
        f"{report['texts']} texts of assistants"
    )
    yield f"leaked: {_tally(report['leaks'])}"
    yield from _table("rejected for", _most(report["codes"]))
    yield from _table("by dialect", _tallies(report["dialects"]))
    yield from _table(
        "by format; a place counts for each that reads it", _tallies(report["formats"])
    )
    yield f"poisoned: {report['poisoned']} of {report['histories']} histories"
    yield from _table("findings", _most(report["findings"]))
    yield from _table("by model", _models(report["models"]))
    yield from _table("lines that cannot be judged", _bad(report["bad"]))
    yield from _table("examples", ((_place(one), _example(one)) for one in report["examples"]))


def _table(title: str, rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    rows = list(rows)
    if rows:
        width = max(len(name) for name, _ in rows)
        yield f"{title}:"
        yield from (f"  {name:{width}}  {said}" for name, said in rows)


def _tally(tally: Tally) -> str:
    said = f"{tally['calls']} calls, {tally['rejected']} places rejected"
    return f"{said}, in {tally['texts']} texts"


def _tallies(tallies: Mapping[str, Tally]) -> Iterator[tuple[str, str]]:
    for name in sorted(tallies, key=lambda name: (-tallies[name]["texts"], name)):
        yield name, _tally(tallies[name])


def _most(counts: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    for code in sorted(counts, key=lambda code: (-counts[code], code)):
        yield code, str(counts[code])


def _models(models: Mapping[str, Model]) -> Iterator[tuple[str, str]]:
    """Give the models of which something was found, where lines name any."""
    if not models.keys() - {""}:
        return
    for name in sorted(models, key=lambda name: (-models[name]["leaks"]["texts"], name)):
        one = models[name]
        if one["leaks"]["texts"] or one["poisoned"]:
            histories = f"{one['poisoned']} of {one['histories']} histories poisoned"
            yield name or "(none named)", f"{_tally(one['leaks'])} of {one['texts']}; {histories}"


def _bad(bad: Mapping[str, Bad]) -> Iterator[tuple[str, str]]:
    for kind in sorted(bad, key=lambda kind: (-bad[kind]["count"], kind)):
        first = ", ".join(f"{one['file']}:{one['line']}" for one in bad[kind]["first"])
        more = " ..." if bad[kind]["count"] > len(bad[kind]["first"]) else ""
        yield kind, f"{bad[kind]['count']}: {first}{more}"


def _place(one: Example) -> str:
    message = f" message {one['message']}" if "message" in one else ""
    return f"{one['file']}:{one['line']}{message}"


def _example(one: Example) -> str:
    codes = ", ".join(one["codes"])
    if one["kind"] == "poisoned":
        return f"poisoned: {codes} at {one['path']}"
    dialects = ", ".join(one["dialects"])
    said = f"{one['calls']} calls" if one["calls"] else "rejected"
    beside = f": {codes}" if codes else ""
    return f"{said}, in {dialects}{beside}" + (f": {one['text']}" if "text" in one else "")
