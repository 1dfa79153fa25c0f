"""The levels of codes: both ports say what the list says."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import get_args

import pytest

from commoncall.levels import LEVELS, Level, level_of
from tools.law import text


@pytest.fixture(scope="module")
def listed(root: Path) -> dict[str, str]:
    codes = text.read_spec(root).codes.values()
    return {row.code: row.level for row in codes if row.kind == "findings"}


def test_the_reference_says_what_the_list_says(listed: dict[str, str]) -> None:
    assert listed == LEVELS
    assert set(LEVELS.values()) == set(get_args(Level)) == set(text.LEVELS)
    assert level_of("tool_malformed") == "loss"


@pytest.mark.parametrize("code", ["invalid_input", "not_json", "code_fence", ""])
def test_what_is_no_code_of_a_finding_has_no_level(code: str) -> None:
    with pytest.raises(ValueError, match="no finding has the code"):
        level_of(code)


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")
def test_the_node_port_says_what_the_list_says(root: Path, listed: dict[str, str]) -> None:
    script = (
        "import {LEVELS} from './reference/javascript/shared/level_data.mjs';"
        "import {levelOf} from './reference/javascript/shared/levels.mjs';"
        "process.stdout.write(JSON.stringify([LEVELS, levelOf('not_json') === undefined]));"
    )
    command = ["node", "--input-type=module", "--eval", script]
    done = subprocess.run(command, cwd=root, capture_output=True, check=True)
    assert json.loads(done.stdout) == [listed, True]
