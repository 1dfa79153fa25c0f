"""What is packed: the bundle holds the tree, whole, and the same bytes come out again."""

import io
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
def built(root: Path) -> bytes:
    return bundle.tar_gz(NAME, bundle.contents(root))


@pytest.fixture
def tree(built: bytes, tmp_path: Path) -> Path:
    with tarfile.open(fileobj=io.BytesIO(built)) as archive:
        # `filter=` came with Python 3.11.4.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [NAME]
    return tmp_path / NAME


def test_it_is_the_same_bytes_again(
    built: bytes, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = time.time() + 10_000_000
    monkeypatch.setattr(time, "time", lambda: later)
    assert bundle.tar_gz(NAME, bundle.contents(root)) == built


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
@pytest.mark.skipif(not shutil.which("sha256sum"), reason="needs sha256sum")
def test_sha256sum_can_check_its_files(tree: Path) -> None:
    command = ["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"]
    subprocess.run(command, cwd=tree, check=True)


def test_a_site_is_packed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site, folder = tmp_path / "site", tmp_path / "dist"
    folder.mkdir()
    assert bundle.main([str(site), str(folder)]) == 1
    assert "there is no site" in capsys.readouterr().err
    site.mkdir()
    (site / "index.html").write_text("x")
    assert bundle.main([str(site), str(folder)]) == 0
    with tarfile.open(folder / f"commoncall-site-{__version__}.tar.gz") as archive:
        assert archive.getnames() == [f"commoncall-site-{__version__}/index.html"]
