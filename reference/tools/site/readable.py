"""JSON and text for reading: what a case holds, or a file, as blocks of HTML."""

import html
import json
import unicodedata
from collections.abc import Callable, Iterable
from itertools import starmap

from commoncall.spelled import encode

WIDTH = 84
"""Columns that a JSON container may take before it is spread over several lines."""

FOLDED = 6_000
"""Characters from which on a block is folded."""

Part = tuple[str, object, bool]
"""The label and the value of a block, and whether the value is a text in its own right."""


def show_json(value: object, indent: int = 0, used: int = 0) -> str:
    """Return JSON for reading, behind ``used`` characters of a line that begins at ``indent``.

    Short containers stand on one line, numbers as spelled, invisible characters escaped.
    """
    line = _one_line(value)
    if not isinstance(value, dict | list) or not value or indent + used + len(line) <= WIDTH:
        return line
    if isinstance(value, dict):
        names = [_one_line(name) + ": " for name in value]
        items = zip(names, value.values(), strict=True)
        rows = [name + show_json(item, indent + 2, len(name)) for name, item in items]
    elif len(value) == 1 and isinstance(value[0], dict | list):
        # The brackets of a lone element and of its list share their lines.
        return f"[{show_json(value[0], indent, used + 1)}]"
    else:
        rows = [show_json(item, indent + 2) for item in value]
    inner = ",\n".join(" " * (indent + 2) + row for row in rows)
    return f"{line[0]}\n{inner}\n{' ' * indent}{line[-1]}"


def show_text(text: str) -> str:
    """Return HTML of a text that shows line ends, blanks before them and invisible characters.

    The marks are made by the style sheet, so that who copies the text gets the text.
    """
    return "<i></i>\n".join(map(_line, text.split("\n")))


def json_html(text: str) -> str:
    """Return the HTML of JSON for reading."""
    return f'<pre class="cc-json">{html.escape(text, quote=False)}</pre>'


def blocks(parts: Iterable[Part]) -> str:
    """Return blocks beside each other, as raw HTML without a blank line."""
    shown = "\n".join(starmap(block, parts))
    return f'<div class="cc-blocks" data-search-exclude>\n{shown}\n</div>'


def block(label: str, value: object, is_text: bool) -> str:
    """Return a value below its label; a long one is folded."""
    if is_text:
        body = f'<pre class="cc-text">{show_text(str(value))}</pre>'
    else:
        body = json_html(show_json(value))
    if len(body) < FOLDED:
        return f'<p class="cc-label">{label}</p>\n{body}'
    label = f"{label}, {len(body):,} characters"
    return f'<details class="cc-more"><summary>{label}</summary>\n{body}\n</details>'


class _Marks(dict[int, str]):
    """What stands for a character, by its number: itself if one sees it, else a mark."""

    def __init__(self, mark: Callable[[str], str]) -> None:
        self.mark = mark

    def __missing__(self, number: int) -> str:
        character = chr(number)
        seen = character == " " or unicodedata.category(character)[0] not in "CZ"
        self[number] = character if seen else self.mark(character)
        return self[number]


def _mark(character: str) -> str:
    number = ord(character)
    # What HTML cannot hold is left out; the references of C1 would mean something else.
    lost = number == 0 or unicodedata.category(character) == "Cs"
    held = character if 0x80 <= number < 0xA0 else "" if lost else f"&#{number};"
    return f'<u data-c="U+{number:04X}">{held}</u>'


_IN_HTML = _Marks(_mark)
_IN_JSON = _Marks(lambda character: json.dumps(character)[1:-1])


def _line(line: str) -> str:
    body = line.rstrip(" ")
    blanks = f"<b>{line[len(body) :]}</b>" if body != line else ""
    return html.escape(body, quote=False).translate(_IN_HTML) + blanks


def _one_line(value: object) -> str:
    line = encode(value, (", ", ": "), ascii=False)
    return line if line.isascii() and line.isprintable() else line.translate(_IN_JSON)
