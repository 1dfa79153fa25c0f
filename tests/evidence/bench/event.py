"""The event contract: what a hash costs over RFC 8785 and SHA-256 alone."""

import hashlib
import json

import rfc8785

from commoncall.event import hash_arguments
from tests.evidence.bench import Case

FLOOR = "rfc8785.dumps and SHA-256 of the same"
Arguments = dict[str, object]


def cases() -> list[Case]:
    """Return what is measured: 8 KB of arguments of four kinds, as an object and as a text."""
    rows = [
        {"city": "Oslo", "lat": n / 7, "days": n, "tags": ["a", None, True], "note": "word " * 8}
        for n in range(61)
    ]
    kinds: dict[str, Arguments] = {
        "objects": {"rows": rows},
        "numbers": {"values": [n / 7 for n in range(455)]},
        "one string": {"path": "a.txt", "content": "word " * 1600},
        "one escaped string": {"path": "a.txt", "content": '"word"\n\u00e9 ' * 620},
    }
    return [case for kind, value in kinds.items() for case in both(f"hash 8 KB, {kind}", value)]


def both(name: str, arguments: Arguments) -> list[Case]:
    """Return the hash of arguments and that of their JSON text, over the same floor."""
    text = json.dumps(arguments, ensure_ascii=False)
    assert 7_500 < len(text.encode()) < 8_700
    digest = hashlib.sha256(rfc8785.dumps(arguments)).hexdigest()  # type: ignore[arg-type]

    def floor() -> None:
        hashlib.sha256(rfc8785.dumps(arguments)).hexdigest()  # type: ignore[arg-type]

    def check(value: Arguments | None, arguments_json: str | None) -> None:
        hashed = hash_arguments(value, arguments_json=arguments_json, full=True)
        assert hashed["args_hash"] == digest

    return [
        Case(f"{name}, arguments", FLOOR, floor, lambda: check(arguments, None), 1.2),
        Case(f"{name}, arguments_json", FLOOR, floor, lambda: check(None, text), 1.5),
    ]
