"""The functions of the npm package, without npm; `tests/javascript` has what needs packages."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = """
import {readFile} from 'node:fs/promises';
import {isDeepStrictEqual} from 'node:util';

import * as commoncall from './reference/javascript/index.mjs';
import {failures} from './tests/javascript/run_cases.mjs';

const read = async (path) => JSON.parse(await readFile(`fixtures/v1/${path}`, 'utf8'));
console.log(JSON.stringify(await failures(commoncall, read, isDeepStrictEqual)));
"""


def test_every_case_holds_of_the_public_functions(root: Path) -> None:
    node = shutil.which("node") or pytest.skip("NOT RUN: there is no node")
    command = [node, "--input-type=module", "-e", SCRIPT]
    done = subprocess.run(command, cwd=root, capture_output=True, check=True)
    found = json.loads(done.stdout)
    assert found["failed"] == []
    assert found["asked"] > 4000


def test_the_fast_path_finds_what_the_careful_one_does(root: Path) -> None:
    """In every twelfth text; the session `fuzz` asks all of them, and changes each ten times."""
    node = shutil.which("node") or pytest.skip("NOT RUN: there is no node")
    command = [node, "tests/javascript/fast_path.mjs", "1", "1", "12"]
    done = subprocess.run(command, cwd=root, capture_output=True, check=True)
    found = json.loads(done.stdout)
    assert found["differing"] == []
    assert found["asked"] > 1_250


@pytest.mark.parametrize("package", ["javascript", "rust/commoncall", "rust/commoncall-python"])
def test_the_licence_goes_with_the_package(root: Path, package: str) -> None:
    copied = root / "reference" / package / "LICENSE"
    assert copied.read_bytes() == (root / "LICENSE").read_bytes()


def test_the_packages_of_all_languages_have_one_version(root: Path) -> None:
    import commoncall

    described = json.loads((root / "reference/javascript/package.json").read_bytes())
    folder = root / "reference/rust"
    crates = [*folder.glob("*.toml"), *folder.glob("*/*.toml")]
    told = re.findall(r'(?m)^version = "(.+)"$', "\n".join(path.read_text() for path in crates))
    versions = {version.replace("-dev.", ".dev") for version in [described["version"], *told]}
    assert versions == {commoncall.__version__}
