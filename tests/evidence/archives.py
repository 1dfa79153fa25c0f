"""Archives of package registries: downloaded once, and never used with another digest."""

import hashlib
import json
import os
import re
import urllib.request
from pathlib import Path
from typing import Final

CACHE: Final = Path(__file__).parents[2] / "build" / "archives"
INDEX: Final = os.environ.get("PIP_INDEX_URL", "https://pypi.org/simple").rstrip("/")
REGISTRY: Final = "https://registry.npmjs.org"


def fetched(archive: str, sha256: str) -> Path:
    """Return the file of an archive, downloaded unless it is at hand, with the right digest."""
    path = CACHE / (re.sub(r"[^\w.]+", "-", archive) + ".tar.gz")
    if not path.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        with urllib.request.urlopen(address(archive)) as answer:
            path.write_bytes(answer.read())
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != sha256:
        path.unlink()
        raise SystemExit(f"archives: {archive} has the SHA-256 {digest}")
    return path


def address(archive: str) -> str:
    """Return where an archive can be downloaded: the sdist of a package, or an npm package."""
    package, _, version = archive.rpartition("@")
    if package:
        return f"{REGISTRY}/{package}/-/{package.rpartition('/')[2]}-{version}.tgz"
    package, _, version = archive.partition("==")
    headers = {"Accept": "application/vnd.pypi.simple.v1+json"}
    request = urllib.request.Request(f"{INDEX}/{package}/", headers=headers)
    with urllib.request.urlopen(request) as answer:
        files = json.load(answer)["files"]
    name = f"{package.replace('-', '_')}-{version}.tar.gz"
    url: str = next(file["url"] for file in files if file["filename"] == name)
    return url
