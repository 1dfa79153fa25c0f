"""The order of `dialects` says nothing: every case of extraction, in another order, both ports."""

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from commoncall.envelope import Env
from commoncall.extraction import OPERATIONS
from commoncall_kit.drive.session import Session
from commoncall_kit.suite.data import Case
from commoncall_kit.verdict.compare import differences
from tests import shared
from tests.contracts.extraction.generator import ACTIVE, ACTIVE_IN_FENCES

ROOT = Path(__file__).parents[3]
SECONDS = 60.0


def runs() -> Iterator[tuple[Case, Mapping[str, Any]]]:
    """Return each case of extraction that can list dialects, with their order turned round: each
    two of them then stand the other way. The session `fuzz` asks orders by chance.
    """
    for case in shared.suite().cases:
        if case.operation.contract == "extraction" and isinstance(case.input, Mapping):
            if "format" in case.input:
                continue  # it says the dialects
            is_code = case.input.get("fences") != "extract"
            dialects = case.input.get("dialects", ACTIVE if is_code else ACTIVE_IN_FENCES)
            if isinstance(dialects, list) and len(dialects) > 1:
                yield case, {**case.input, "dialects": dialects[::-1]}


def test_the_reference_gives_the_same_in_any_order() -> None:
    asked = 0
    for case, given in runs():
        if case.without:
            continue  # a case for ports that lack what the reference has
        env = Env((case.env or {}).get("ids"))  # type: ignore[arg-type]
        answer = OPERATIONS[case.operation.name](given, env)
        assert differences(case.expect, answer) == [], (case.id, given["dialects"])
        asked += 1
    assert asked > 1000


def test_the_node_port_gives_the_same_in_any_order() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("NOT RUN: the order of dialects in Node: there is no command `node`")
    adapter = [node, str(ROOT / "reference/javascript/adapter.mjs")]
    session = Session(adapter, shared.suite(), SECONDS)
    try:
        features = set(session.start().features)
        for case, given in runs():
            if case.features <= features and not case.without & features:
                answer = session.ask(case.operation.name, given, case.env)
                assert differences(case.expect, answer) == [], (case.id, given["dialects"])
        session.stop()
    finally:
        session.kill()
