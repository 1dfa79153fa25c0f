"""What a release needs: ``python -m tools.release`` checks, ``--write`` freezes the set.

A minor version ``X.Y.0`` freezes ``fixtures/sets/X.Y.json``, once, beside it what each case cites,
and for the site the sentence of each requirement. A patch freezes nothing. Nothing is written while
text, cases or built files are wrong. That no mutant lives, the session ``mutants`` says, which CI
runs.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from commoncall import __version__
from commoncall_kit.suite.data import digest_of
from tools.fixtures import authored, build, sets
from tools.fixtures.authored import ROOT
from tools.law import lint
from tools.law.text import read_spec
from tools.site.book import WORDINGS

_RELEASE = re.compile(r"([0-9]+\.[0-9]+)\.([0-9]+)")
_DATED: Final = r"^## \[{version}\] - [0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}$"


def main(
    arguments: Sequence[str] | None = None, root: Path = ROOT, version: str = __version__
) -> int:
    """Check or write; the exit status is 0, or 1 with each reason on stderr."""
    parser = argparse.ArgumentParser(prog="python -m tools.release", description=main.__doc__)
    parser.add_argument("--write", action="store_true", help="freeze the set of this version")
    write: bool = parser.parse_args(arguments).write
    reasons = list(obstacles(root, version))
    if reasons:
        print(*(f"release: {each}" for each in reasons), sep="\n", file=sys.stderr)
        return 1
    name = version.rpartition(".")[0]
    file = root / sets.FOLDER / f"{name}.json"
    if file.exists():
        print(f"release: {version} is ready; {file.relative_to(root)} was frozen before")
    elif write:
        file.write_text(encoded(root, name, version), encoding="ascii")
        file.with_name(f"{name}-cited.jsonl").write_text(cited(root), encoding="ascii")
        wording = root / WORDINGS / f"{name}.json"
        wording.parent.mkdir(parents=True, exist_ok=True)
        wording.write_text(worded(root), encoding="utf-8")
        print(f"release: {version} is ready; {file.relative_to(root)} is written")
    else:
        print(f"release: {version} is ready; --write freezes {file.relative_to(root)}")
    return 0


def encoded(root: Path, name: str, version: str) -> str:
    """Return the text of the set that freezes a checkout."""
    digest = digest_of((root / build.TARGET / "SHA256SUMS").read_bytes())
    held = sets.frozen(authored.read_tree(root), name, version, digest)
    return json.dumps(held, indent=2) + "\n"


def cited(root: Path) -> str:
    """Return what the cases of a checkout cite, a line of JSON each: its id, and those it cites."""
    cases = {case["id"]: case["requirements"] for _, case in authored.read_tree(root).cases()}
    rows = ([each, *cases[each]] for each in sorted(cases))
    return "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)


def worded(root: Path) -> str:
    """Return the sentence of each requirement of a checkout: a set holds its digest alone."""
    held = {one.id: one.text for one in read_spec(root).requirements.values()}
    return json.dumps(held, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def obstacles(root: Path, version: str) -> Iterator[str]:
    """Yield each reason why a checkout is no release of a version."""
    match = _RELEASE.fullmatch(version)
    if match is None:
        yield f"{version} is no version of a release, such as 0.1.0"
        return
    if match[2] != "0" and not (root / sets.FOLDER / f"{match[1]}.json").exists():
        yield f"there is no set {match[1]}, so {version} cannot be a patch of it"
    tree = authored.read_tree(root)
    yield from map(str, tree.problems)
    if tree.problems:
        return
    yield from lint.lint_all(root, tree)
    try:
        yield from build.stale(root, build.outputs(root))
    except build.BuildError as error:
        yield from error.problems
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(_DATED.format(version=re.escape(version)), changelog, re.MULTILINE):
        yield f"CHANGELOG.md has no dated heading for {version}"


if __name__ == "__main__":
    sys.exit(main())
