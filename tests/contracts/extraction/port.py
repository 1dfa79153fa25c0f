"""The npm port, as a second opinion on inputs that no case has."""

import atexit
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from commoncall.envelope import Outcome
from commoncall_kit.drive.session import Session
from commoncall_kit.suite import data

ADAPTER = Path(__file__).parents[3] / "reference" / "javascript" / "adapter.mjs"
SECONDS_PER_INPUT = 10.0
IDS = [f"c{number}" for number in range(1, 1000)]


@cache
def _session() -> Session:
    node = shutil.which("node")
    if node is None:
        pytest.skip("NOT RUN: the reference beside the npm port, because there is no `node`.")
    session = Session([node, str(ADAPTER)], data.load(), SECONDS_PER_INPUT)
    session.start()
    atexit.register(session.kill)
    return session


def answer_of_port(given: dict[str, Any]) -> Outcome:
    """Return what the port answers to an input of ``extraction.extract``."""
    answer: Any = _session().ask("extraction.extract", given, {"ids": IDS})
    return answer  # type: ignore[no-any-return]
