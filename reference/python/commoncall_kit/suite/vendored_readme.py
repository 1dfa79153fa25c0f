"""The page at the top of an exported tree: what is here, which suite it is, where to begin."""

from typing import Final

NAME: Final = "README.md"

_PAGE: Final = """\
# CommonCall for a port

The cases that show whether a port does what the text of CommonCall says, and what belongs to them.

This tree belongs to suite {version} `{digest}`.

| path | what it holds |
|---|---|
| `fixtures/v1/` | the cases, the manifest, and the requirements as data |
| `fixtures/v1/README.md` | where to begin: the form of a case, the loop, the rules of equality |
| `fixtures/selftest/` | a toy suite and adapters as data: a test of your own loop |
| `schemas/v1/` | JSON Schemas of every input and result, and of the files here |
| `schemas/v1/bundled/` | each input and result alone, for generators of types |
| `spec/v1/dialects/`, `spec/v1/formats/` | how models write calls, for ports that read such texts |
| `spec/v1/interfaces/` | where other interfaces have what the contracts have |
| `spec/v1/profiles/` | what the endpoints of providers take, as flags with evidence |
| `SHA256SUMS` | a digest of every other file here |
| `LICENSE` | MIT-0: copy, change and ship all of it without naming anyone |

The text itself is on the site of CommonCall. Each of its pages ends with the suite that it belongs
to; compare that with the line above.

Two commands of the package `commoncall` help, and neither is needed:

- `commoncall verify .` says whether every file is the one that was exported. Without the package:
  `sha256sum --check SHA256SUMS`, here for all files, or in `fixtures/v1`, `fixtures/selftest` or
  `schemas/v1` for those of that folder.
- `commoncall conformance --suite . -- ./my-adapter` is the harness: it drives a process in any
  language with these cases, and says which requirement it breaks.
"""


def page(version: str, digest: str) -> bytes:
    """Return the page."""
    return _PAGE.format(version=version, digest=digest).encode()
