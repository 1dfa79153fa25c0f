"""What all tests share: where the repository is, and Hypothesis without clock or chance."""

import re
import subprocess
import sys
from pathlib import Path

import hypothesis
import pytest

hypothesis.settings.register_profile("repository", deadline=None, derandomize=True, database=None)
hypothesis.settings.load_profile("repository")


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the root of the checkout."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def sessions(root: Path) -> dict[str, bool]:
    """Return the sessions of the noxfile, in order, and whether the main job runs each."""
    command = [sys.executable, "-m", "nox", "--noxfile", str(root / "noxfile.py"), "--list"]
    done = subprocess.run(command, capture_output=True, check=True, encoding="utf-8")
    lines = re.findall(r"^([*-]) (\w+)(?:\(\w+\))? -> \S", done.stdout, re.MULTILINE)
    return {name: mark == "*" for mark, name in lines}
