"""The bundle: the archive holds the tree, whole, and the same bytes come out again."""

import shutil
import subprocess
import tarfile
import time
from pathlib import Path

import pytest

from commoncall import __version__
from commoncall_kit.suite import data, vendored_tree
from tools.release import bundle

NAME = f"commoncall-fixtures-{__version__}"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    folder = tmp_path_factory.mktemp("bundle") / "out"
    assert bundle.main([str(folder)], root) == 0
    return folder


@pytest.fixture
def tree(built: Path, tmp_path: Path) -> Path:
    with tarfile.open(built / f"{NAME}.tar.gz") as archive:
        # `filter=` came with Python 3.11.4.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [NAME]
    return tmp_path / NAME


def test_it_is_the_same_bytes_again(
    built: Path, tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = time.time() + 10_000_000
    monkeypatch.setattr(time, "time", lambda: later)
    assert bundle.main([str(tmp_path / "again")], root) == 0
    files = {path.name: path.read_bytes() for path in built.iterdir()}
    assert sorted(files) == ["SHA256SUMS", f"{NAME}.tar.gz"]
    assert {path.name: path.read_bytes() for path in (tmp_path / "again").iterdir()} == files


def test_it_is_a_tree_that_the_kit_takes_and_checks(tree: Path, root: Path) -> None:
    found = vendored_tree.verify(tree)
    assert (found.differences, found.is_whole) == ([], True)
    ours = vendored_tree.identity(root / "fixtures/v1")
    assert found.identity == ours
    assert (tree / "SUITE-DIGEST").read_text() == f"{ours.digest}\n"
    assert data.load(tree).digest == ours.digest
    for name in ("CHANGELOG.md", "LICENSE", "LICENSES/MIT-0.txt", "fixtures/sets/README.md"):
        assert (tree / name).is_file()


@pytest.mark.skipif(not shutil.which("sha256sum"), reason="needs sha256sum")
def test_sha256sum_can_check_archives_and_files(built: Path, tree: Path) -> None:
    command = ["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"]
    for folder in (built, tree):
        subprocess.run(command, cwd=folder, check=True)


def test_a_folder_of_something_else_is_left_alone(
    tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert bundle.main([str(tmp_path)], root) == 1
    assert capsys.readouterr().err.endswith("holds something else than a bundle\n")
    assert (tmp_path / "mine.txt").read_text() == "mine"
