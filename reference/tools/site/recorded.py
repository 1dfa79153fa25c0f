"""Records of what sessions ran, as the repository keeps them: read, and said of which suite."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from commoncall.kit.suite.data import SUMS, digest_of
from tools.site.markdown import escape, in_form

FIXTURES = "fixtures/v1"
Record = Mapping[str, Any]


def read_suite(root: Path) -> tuple[str, str]:
    """Return the version of the suite and its digest.

    Raises:
        SiteError: the manifest or the sums are not built, or have no version.
    """
    with in_form(f"{FIXTURES}: not a built suite"):
        version = json.loads((root / FIXTURES / "manifest.json").read_bytes())["version"]
        return str(version), digest_of((root / FIXTURES / SUMS).read_bytes())


def read_record(root: Path, path: str, command: str) -> Any:
    """Return a record.

    Raises:
        SiteError: there is none, or it is no JSON; the line names the command for it.
    """
    with in_form(f"{path}: no record that can be read; {command} writes it"):
        return json.loads((root / path).read_bytes())


def recorded(now: str, digest: str, date: str, version: str = "") -> str:
    """Return when a run was recorded, and with which suite where that is not the one of now."""
    if digest == now:
        return f"recorded with this suite on {escape(date)}"
    suite = f"{escape(version)} {escape(digest)[:19]}".strip()
    return f"recorded with suite {suite} of {escape(date)}"
