"""What the codes of an outcome mean, for people, and which requirement says so."""

from collections.abc import Iterator, Mapping

from commoncall.levels import LEVELS
from commoncall_kit.suite.data import Suite


def explain(suite: Suite, operation: str, outcome: Mapping[str, object]) -> list[str]:
    """Return lines of text: each code of an outcome, its place, level and meaning, and who demands
    it.

    There are none where the outcome holds no code.
    """
    contract = suite.operations[operation].contract
    lines: list[str] = []
    for code, place, level in dict.fromkeys(_codes(outcome)):
        where = f" at {place}" if place else ""
        how = f" ({level})" if level else ""
        lines.append(f"{code}{where}{how}: {suite.codes.get(code, 'no meaning is listed')}")
        lines += [
            f"  {requirement.id}  {requirement.title}  {requirement.address}"
            for requirement in suite.requirements.values()
            if requirement.contract == contract and f"`{code}`" in requirement.text
        ]
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
