"""What all tests share: where the repository is, and Hypothesis without clock or chance.

The session `fuzz` leaves the latter to chance, and asks five times as often.
"""

import contextlib
import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import hypothesis
import pytest

from tests.examples import DEEP

hypothesis.settings.register_profile(
    "repository",
    deadline=None,
    derandomize=True,
    database=None,
    # One looks at the clock; the other at who draws the examples that tests share.
    suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.nested_given],
)
hypothesis.settings.register_profile(
    DEEP,
    hypothesis.settings.get_profile("repository"),
    derandomize=False,
    max_examples=500,
)
hypothesis.settings.load_profile("repository")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let every second process read the files of tests from the end: what one has compiled, with
    its assertions rewritten, the other finds on the disk.
    """
    if int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % 2:
        folder = Path(__file__).parent
        for path in sorted(folder.rglob("test_*.py"), reverse=True):
            parts = path.relative_to(folder.parent).with_suffix("").parts
            # What a file has against it, pytest says when it collects it.
            with contextlib.suppress(Exception, pytest.skip.Exception):
                if "node_modules" not in parts:
                    importlib.import_module(".".join(parts))


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
