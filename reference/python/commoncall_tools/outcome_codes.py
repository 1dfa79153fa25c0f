"""What the codes of an outcome mean, for people, and which requirements demand them."""

from collections.abc import Iterator, Mapping

from commoncall.levels import LEVELS
from commoncall_tools.text import Text


def explain(text: Text, operation: str, outcome: Mapping[str, object]) -> list[str]:
    """Return a line for each code of an outcome with its place, level and meaning, and one for each
    requirement that demands it; none where the outcome holds no code.
    """
    known = text.codes[operation.partition(".")[0]]
    lines: list[str] = []
    for code, place, level in dict.fromkeys(_codes(outcome)):
        where = f" at {place}" if place else ""
        how = f" ({level})" if level else ""
        lines.append(f"{code}{where}{how}: {known[code].meaning}")
        for id in known[code].demanded(operation):
            by = text.requirements[id]
            lines.append(f"  {id}  {by.title}  {by.address}")
    return lines


def _codes(outcome: Mapping[str, object]) -> Iterator[tuple[str, str, str]]:
    """Give each code with its place, where it has one, and its level, where it is a finding's."""
    match outcome:
        case {"error": {"code": str(code), "path": str(place)}}:
            yield code, place, ""
        case {"error": {"code": str(code)}}:
            yield code, "", ""
        case {"result": Mapping() as result}:
            for member in ("findings", "repairs", "segments"):
                for entry in _objects(result.get(member)):
                    path = entry.get("path")
                    codes = entry.get("codes", [entry.get("code")])
                    for code in codes if isinstance(codes, list) else []:
                        if isinstance(code, str):
                            level = LEVELS.get(code, "") if member == "findings" else ""
                            yield code, path if isinstance(path, str) else "", level


def _objects(value: object) -> list[Mapping[str, object]]:
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []
