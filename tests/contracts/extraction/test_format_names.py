"""Both ports name the same format for a model, whoever packed it."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from commoncall.dialect_data import format_ids, read_format
from commoncall.extraction import format_for

ENDS = ("", "-GGUF", "-FP8", "-4bit", "-AWQ", ":latest", ":30b", "-Q4_K_M.gguf", " x", ".")
OWNERS = ("", "unsloth/", "mlx-community/", "somebody/")


def names() -> list[str]:
    patterns = [pattern for id in format_ids() for pattern in read_format(id)["models"]]
    own = [pattern.replace("*", "") for pattern in patterns]
    own += [pattern.replace("*", "-7B-") for pattern in patterns]
    copies = [
        f"{owner}{name.rpartition('/')[2]}{end}" for name in own for owner in OWNERS for end in ENDS
    ]
    return [*own, *copies, *(name.lower() for name in own), "nobody", "", "é/ß", "a:b:c"]


def test_the_npm_port_names_the_same_format(root: Path) -> None:
    node = shutil.which("node") or pytest.skip("NOT RUN: there is no node")
    module = (root / "reference/javascript/extraction/formats.mjs").as_uri()
    code = (
        f"import {{formatFor}} from '{module}'; import {{readFileSync}} from 'node:fs';"
        "console.log(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).map(formatFor)))"
    )
    asked = [name for name in names() if name not in format_ids()][::7]
    done = subprocess.run(
        [node, "--input-type=module", "-e", code],
        input=json.dumps(asked),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert dict(zip(asked, json.loads(done.stdout), strict=True)) == {
        name: format_for(name) for name in asked
    }
