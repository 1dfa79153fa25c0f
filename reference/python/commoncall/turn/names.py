"""The name that is meant where a native call has signs around it ("meant name" of turn.md)."""

import re
from collections.abc import Container, Iterator, Mapping

from commoncall.json_text import BLANKS

# What a server leaves of the tokens and tags that it read the call from.
_SIGNS = re.compile(r'<\||"')
_NAMESPACE = re.compile(r"(?:functions|tools)[./:]")


def meant_name(name: str, effective: Container[str], aliases: Mapping[str, str]) -> str:
    """Return the name of a tool that may run which the name of a native call leads to, or the name
    itself.
    """
    leading = (each for each in _readings(name) if aliases.get(each, each) in effective)
    return next(leading, name)


def _readings(name: str) -> Iterator[str]:
    yield name
    yield (name := _SIGNS.split(name, maxsplit=1)[0])
    yield (name := name.strip(BLANKS))
    if namespace := _NAMESPACE.match(name):
        yield name[namespace.end() :]
