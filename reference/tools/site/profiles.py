"""The profiles of endpoints for people: a grid of all, and a page for each with every flag.

What a flag is, its strict value and who reads it stand in the law, in a table that is read here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tools.profiles import read_profiles
from tools.site.markdown import WIDE, SiteError, code, escape, table, unsearched
from tools.spec_text import Spec

PAGE: Final = "profiles/index.md"
LAW: Final = "v1/payload.md"
TEXT: Final = "v1/profiles.md"
HEAD: Final = ["flag", "values", "strict", "open", "read by"]
LINK: Final = re.compile(r"(\[[^\]]*\])\((#[^)]+)\)")
ISSUE: Final = re.compile(r"([\w.-]+/[\w.-]+)#(\d+)")
ADDRESS: Final = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+/\S+")

INTRO: Final = f"""{WIDE}# Profiles of endpoints

What each endpoint is known to take. An empty cell is a flag that the file does not state: it has
its strict value. The [law](../v1/payload.md#flag) says what a flag does, and
[Profiles](../v1/profiles.md) how to use a file and how to add one."""

Flags = Mapping[str, Sequence[str]]
"""The cells of the law's table behind the name of a flag: values, strict, open, read by."""


def pages(root: Path, spec: Spec) -> dict[str, str]:
    """Return the grid and the page of each profile by path on the site.

    Raises:
        SiteError: a file is out of form, or states a flag that the law does not have.
    """
    files, problems = read_profiles(root)
    if problems:
        raise SiteError(str(problems[0]))
    flags, made = flags_of(spec), {}
    for file in files:
        try:
            made[f"profiles/{file.path.stem}.md"] = _page(file.document, flags)
        except (LookupError, TypeError, AttributeError) as error:
            raise SiteError(f"{file.path.as_posix()}: not a profile ({error!r})") from None
    return {PAGE: _grid([file.document for file in files], flags)} | made


def with_link(text: str) -> str:
    """Return the page that introduces the profiles with a link to the grid under the title."""
    title, _, rest = text.partition("\n")
    note = (
        "[The grid of all profiles](../profiles/index.md), with a page of all flags for each one."
    )
    return f"{title}\n\n{note}\n{rest}"


def flags_of(spec: Spec) -> dict[str, list[str]]:
    """Return the rows of the law's table of flags, in its order; empty where it has none.

    Behind a definition that reads a flag stand the requirements that use it.
    """
    found: dict[str, list[str]] = {}
    inside = False

    def with_users(link: re.Match[str]) -> str:
        users = [one.id for one in spec.requirements.values() if LAW + link[2] in one.links]
        return f"{link[1]}(../{LAW}{link[2]})" + f" ({', '.join(users)})" * bool(users)

    for line in spec.pages[LAW].text.split("\n") if LAW in spec.pages else ():
        cells = [cell.strip() for cell in line.removeprefix("> ").strip("| ").split("|")]
        inside = cells == HEAD or (inside and line.startswith("> |"))
        if inside and cells != HEAD and not cells[0].startswith("-"):
            # Its links lead within the law.
            found[cells[0].strip("`")] = [LINK.sub(with_users, cell) for cell in cells[1:]]
    return found


def _grid(profiles: Sequence[Mapping[str, Any]], flags: Flags) -> str:
    columns = [flag for flag in flags if any(flag in one["flags"] for one in profiles)]
    rows = [
        [
            f"[{escape(one['profile'])}]({one['profile']}.md)",
            *[_json(one["flags"][flag]) if flag in one["flags"] else "" for flag in columns],
        ]
        for one in profiles
    ]
    # A narrow column breaks the name of its flag between words.
    heads = [code(flag).replace("&#95;", "&#95;<wbr>") for flag in columns]
    return f"{INTRO}\n\n{table(['profile', *heads], rows)}"


def _page(profile: Mapping[str, Any], flags: Flags) -> str:
    name, stated = profile["profile"], profile["flags"]
    if unknown := stated.keys() - flags.keys():
        raise LookupError(f"{LAW} has no flag {min(unknown)}")
    facts = [
        "[Profiles](index.md)",
        f"revision {escape(profile['revision'])}",
        f"{len(stated)} of {len(flags)} flags stated",
        f"[raw JSON](../v1/profiles/{name}.json)",
    ]
    rows = [
        [code(flag), _json(stated[flag]), "**stated**", *_of_law(cells)]
        if flag in stated
        else [code(flag), cells[1], "strict default", *_of_law(cells)]
        for flag, cells in flags.items()
    ]
    heads = ["flag", "value", "from", "read by", "values"]
    return "\n\n".join(
        [
            f"{WIDE}# {escape(name)}: {escape(profile['title'])}",
            " · ".join(facts) + "\n{: .cc-facts }",
            unsearched("Flags"),
            table(heads, rows),
            unsearched("Evidence"),
            table(["flag", "kind", "where", "says"], _evidence(profile["evidence"])),
        ]
    )


def _of_law(cells: Sequence[str]) -> list[str]:
    values, _, _, readers = cells
    return [readers, values]


def _evidence(evidence: Mapping[str, Sequence[Mapping[str, str]]]) -> Iterator[list[str]]:
    for flag, found in evidence.items():
        for one in found:
            says = escape(one.get("says", ""))
            yield [code(flag), escape(one["kind"]), _reference(one["ref"]), says]


def _reference(ref: str) -> str:
    """A thread or an address as a link; the name of a release or of a document as it is."""
    if issue := ISSUE.fullmatch(ref):
        return f"[{escape(ref)}](https://github.com/{issue[1]}/issues/{issue[2]})"
    return f"[{escape(ref)}](https://{ref})" if ADDRESS.fullmatch(ref) else escape(ref)


def _json(value: object) -> str:
    return code(json.dumps(value))
