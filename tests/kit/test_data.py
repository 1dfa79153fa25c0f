"""Where the suite is found, and what is no suite."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commoncall_kit.suite import data
from tests.kit_suite import seal, write_suite


def test_the_toy_suite_loads_with_its_digest(tmp_path: Path) -> None:
    suite = data.load(write_suite(tmp_path))
    sums = (tmp_path / "fixtures" / "v1" / "SHA256SUMS").read_bytes()
    assert suite.digest == "sha256:" + hashlib.sha256(sums).hexdigest()
    assert suite.version == "0.1.0"
    assert suite.contracts == ["toy", "spare"]
    cases = {case.id: case for case in suite.cases}
    assert cases["toy.echo.surrogate"].input == {"value": "\ud800"}
    assert cases["toy.echo.surrogate"].features == {"lone-surrogates"}
    assert cases["toy.extra.null"].features == {"extra"}


def test_the_tree_itself_is_a_root_too(tmp_path: Path) -> None:
    write_suite(tmp_path)
    assert data.load(tmp_path / "fixtures" / "v1") == data.load(tmp_path)


def test_a_file_that_is_not_what_the_sums_say_is_refused(tmp_path: Path) -> None:
    tree = write_suite(tmp_path) / "fixtures" / "v1"
    file = tree / "toy" / "echo.json"
    file.write_text(file.read_text().replace('"value": 1', '"value": 2'))
    with pytest.raises(data.SuiteError, match=r"echo\.json is not the file that SHA256SUMS names"):
        data.load(tmp_path)


def _edit(path: str, change: Callable[[Any], object]) -> Callable[[Path], None]:
    def edit(tree: Path) -> None:
        value = json.loads((tree / path).read_text())
        change(value)
        (tree / path).write_text(json.dumps(value))
        seal(tree)

    return edit


NO_NAMES: list[object] = [[[[]]], [None], 5]


def _first_with(rows: str, member: str, value: object) -> Callable[[Any], object]:
    return lambda document: document[rows][0].update({member: value})


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda tree: (tree / "manifest.json").unlink(), "No such file"),
        (lambda tree: (tree / "SHA256SUMS").write_text("nonsense"), "no readable suite"),
        (_edit("manifest.json", lambda value: value.update(format=2)), "this kit reads 1"),
        (_edit("manifest.json", lambda value: value.pop("operations")), "KeyError: 'operations'"),
        (_edit("toy/echo.json", lambda value: value.update(operation="x.y")), "x.y"),
        (
            _edit("toy/echo.json", lambda value: value["cases"][0].update(requirements=["TOY-9"])),
            "toy.echo.text cites TOY-9, which is no requirement",
        ),
        (_edit("toy/echo.json", lambda value: value.update(cases=[1])), "no readable suite"),
        *(
            (_edit("toy/echo.json", _first_with("cases", at, bad)), "no readable suite")
            for at in ("id", "requirements", "features", "without", "laws")
            for bad in NO_NAMES
        ),
        (_edit("manifest.json", _first_with("operations", "feature", None)), "no text"),
        (_edit("manifest.json", _first_with("contracts", "features", [[]])), "no text"),
    ],
)
def test_an_unreadable_suite_is_one_clear_error(
    tmp_path: Path, damage: Callable[[Path], None], message: str
) -> None:
    damage(write_suite(tmp_path) / "fixtures" / "v1")
    with pytest.raises(data.SuiteError) as caught:
        data.load(tmp_path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_folder_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(data.SuiteError, match="No such file"):
        data.load(tmp_path / "nowhere")


def test_the_checkout_has_the_suite(root: Path) -> None:
    assert data.find_root() == root
