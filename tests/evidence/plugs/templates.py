"""What transformers reads by the templates that `commoncall formats export` writes.

    python -m tests.evidence.plugs.templates

The texts and the calls in them are those of the fixtures: usual ones, since a template says nothing
of what is broken or quoted. Exit status 1 where another call is read.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from transformers.utils.chat_parsing import parse_response

from commoncall.dialect_data import format_ids, read_format
from commoncall_kit.suite import data
from commoncall_tools.response_template import NoPlaceError
from commoncall_tools.template_export import exported

USUAL: Final = ("one", "two", "none", "nested", "escapes")

NOT_ENDED: Final = "a text behind a call that has no closer"
"""Nothing in the form says where JSON ends, so that it cannot be read."""


def read(text: str, template: Any) -> list[Any]:
    """Return the calls that transformers reads."""
    calls = parse_response(text, template, prefix="").get("tool_calls", [])
    return [one["function"] for one in calls]


def judged() -> Iterator[str]:
    """Yield how each text is read, by each template; wrong ones are printed."""
    cases = {case.id: case for case in data.load().cases}
    for id in format_ids():
        try:
            template = exported(id)
        except NoPlaceError:
            yield "not held"
            continue
        yield "held"
        for name in USUAL:
            case = cases[f"extraction.extract.as-{id.replace('.', '-')}-{name}"]
            given: Any = case.input
            expected: Any = case.expect["result"]
            members = ("name", "arguments")
            wanted = [{one: call[one] for one in members} for call in expected["tool_calls"]]
            if wanted and read_format(id)["dialects"][0] not in expected["matched"]:
                yield "text of another dialect"
                continue
            try:
                found: object = read(given["text"], template)
            except ValueError as error:
                no_end = r"|\Z)" in template["fields"]["tool_calls"]["close_pattern"]
                if name == "one" and no_end:
                    yield NOT_ENDED
                    continue
                found = str(error)
            yield "read right" if found == wanted else "read wrong"
            if found != wanted:
                print(f"{case.id}: {found}", file=sys.stderr)


if __name__ == "__main__":
    counted = Counter(judged())
    print(", ".join(f"{what}: {count}" for what, count in counted.items()))
    sys.exit(bool(counted["read wrong"]))
