"""What the codes of an outcome mean, for people, and which requirement says so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from commoncall.kit.suite.data import Suite


def explain(suite: Suite, operation: str, outcome: Mapping[str, object]) -> list[str]:
    """Return lines of text: each code of an outcome, its place and meaning, and who demands it.

    There are none where the outcome holds no code.
    """
    contract = suite.operations[operation].contract
    lines: list[str] = []
    for code, place in dict.fromkeys(_codes(outcome)):
        where = f" at {place}" if place else ""
        lines.append(f"{code}{where}: {suite.codes.get(code, 'no meaning is listed')}")
        lines += [
            f"  {requirement.id}  {requirement.title}  {requirement.address}"
            for requirement in suite.requirements.values()
            if requirement.contract == contract and f"`{code}`" in requirement.text
        ]
    return lines


def _codes(outcome: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    match outcome:
        case {"error": {"code": str(code)}}:
            yield code, ""
        case {"result": Mapping() as result}:
            for member in ("findings", "repairs", "segments"):
                for entry in _objects(result.get(member)):
                    path = entry.get("path")
                    codes = entry.get("codes", [entry.get("code")])
                    for code in codes if isinstance(codes, list) else []:
                        if isinstance(code, str):
                            yield code, path if isinstance(path, str) else ""


def _objects(value: object) -> list[Mapping[str, object]]:
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []
