"""Records of what sessions ran, as the repository keeps them: read, and said of which suite."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tools.site import signature
from tools.site.markdown import SiteError, escape


def read_record(root: Path, path: str, command: str) -> dict[str, Any]:
    """Return a record.

    Raises:
        SiteError: there is none, or it is no JSON object; the line names the command for it.
    """
    try:
        record = json.loads((root / path).read_bytes())
    except (OSError, ValueError) as error:
        raise SiteError(f"{path}: no record ({error}); {command} writes it") from None
    if not isinstance(record, dict):
        raise SiteError(f"{path}: no record; {command} writes it")
    return record


def recorded(root: Path, digest: str, date: str, version: str = "") -> str:
    """Return when a run was recorded, and with which suite where that is not the site's."""
    if digest == signature.suite(root)[1]:
        return f"recorded with this suite on {escape(date)}"
    suite = f"{escape(version)} {escape(digest)[:19]}".strip()
    return f"recorded with suite {suite} of {escape(date)}"
