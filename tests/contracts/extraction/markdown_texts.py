"""Markdown around a call, made at random, and what markdown-it-py makes of it."""

from collections.abc import Iterable
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.contracts.extraction.checks import streamed, whole
from tests.contracts.extraction.generator_json import Pick, chosen

Shown = Literal["code", "text", "other"]

CALL = '<tool_call>{"name": "f", "arguments": {}}</tool_call>'
WORD = "QZQ"
"""Stands for the call where CommonMark reads the text: a word, as the call is no HTML."""

BEGINS = [
    *("", "", "", "", "", "", " ", "  ", "   ", "    ", "     ", "      ", "\t", " \t"),
    *("> ", ">", ">> ", "> - ", "  > ", "- ", "-", "-   ", "-     ", "- - ", "- > ", "   - "),
    *("* ", "+ ", "1. ", "2. ", "1) ", "12. ", "10. - "),
]
PLAIN = [
    *("a", "b c", "x", "json", "1.", "-", "*", " ", "# ", "## ", "---", "===", "***", "* * *"),
    *("`", "`", "``", "```", "````", "~~~", "~~~~", "\\`", "\\\\`", "``` js", "~~~ x", "```x`y"),
]
MARKED = [
    *("<b>", "</b>", "<div>", "</div>", "<!--", "-->", "<pre>", "</pre>", "<?", "?>", "<!X "),
    *("<![CDATA[", "]]>", "<a title='", '<a b="', "<a b='\"' c=\">", '<a href="`">', "'", '"', ">"),
    *("[a](b)", "[a](`)", '[a](b "', "](", "[", "]", "[x][", "[x]: y", "[`]: z", ": ", "(", ")"),
    *("<http://a`b>", "&amp;", "\\", "\\\n", "=", "2) "),
]
BLANK_LINES = ["", "", "> ", "  ", "    "]
READER = MarkdownIt("commonmark")


def text(pick: Pick) -> str:
    """Return a text in which the word stands once."""
    kind = pick(3)  # blocks; blocks and inlines; inlines
    pieces = [*PLAIN, *MARKED] if kind else PLAIN
    count = 1 + pick(7)
    place = pick(count)
    lines = []
    for number in range(count):
        if number != place and pick(7) == 0:
            lines.append(chosen(pick, BLANK_LINES))
            continue
        begin = chosen(pick, BEGINS) if kind < 2 or pick(9) == 0 else ""
        begin += chosen(pick, BEGINS) if pick(4) == 0 else ""
        many = pick(8 if kind == 2 else 4)
        made = [chosen(pick, pieces) + chosen(pick, ["", " "]) for _ in range(many)]
        if number == place:
            made.insert(pick(len(made) + 1), WORD)
        lines.append(begin + "".join(made))
    return chosen(pick, ["\n", "\n", "\n", "\r\n"]).join(lines) + chosen(pick, ["", "\n"])


def shown(made: str) -> Shown:
    """Return as what CommonMark shows the word."""
    try:
        kinds = set(_kinds(READER.parse(made)))
    except IndexError:  # of markdown-it-py, for some blanks at the end of HTML
        return "other"
    if kinds == {"text"}:
        return "text"
    return "code" if kinds == {"code"} else "other"


def _kinds(tokens: Iterable[Token]) -> Iterable[Shown]:
    for token in tokens:
        if token.children:
            yield from _kinds(token.children)
        elif WORD in token.content or WORD in token.info:
            is_code = token.type in ("fence", "code_block", "code_inline")
            yield "code" if is_code else "text" if token.type == "text" else "other"


def is_open(made: str) -> bool:
    """Tell whether the text behind the word could make it code: a stream cannot know that."""
    before = made[: made.index(WORD) + len(WORD)]
    return any(shown(before + "`" * length) == "code" for length in range(10))


def is_quoted(made: str) -> bool:
    """Tell whether the word may stand in a quotation, which is no code, and not run either."""
    before = made[: made.index(WORD)]
    line = before[before.rfind("\n") + 1 :]
    is_marked = made[made.index(WORD) - 1 :][:1] in ("'", '"')
    return ">" in line or "<!--" in before or is_marked


def is_called(made: str) -> bool:
    """Tell whether the call is run, whole and in chunks."""
    given = {"text": made.replace(WORD, CALL), "effective": ["f"]}
    found = whole(given)
    again, _ = streamed(given, range(1, len(given["text"]), 5))
    assert found == again
    return found["tool_calls"] != []
