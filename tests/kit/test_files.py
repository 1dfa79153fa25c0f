"""Files that are written whole or not at all: what becomes of modes, links and other names."""

import os
import stat
from pathlib import Path

import pytest

from commoncall import files

resource = pytest.importorskip("resource", reason="needs modes, links and limits")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("before", [0o600, 0o640, 0o444, 0o664])
def test_a_file_keeps_its_mode(tmp_path: Path, before: int) -> None:
    file = tmp_path / "report.json"
    file.write_text("old")
    file.chmod(before)
    files.write(file, "new")
    assert (file.read_text(), mode(file)) == ("new", before)
    assert [*tmp_path.iterdir()] == [file]


@pytest.mark.parametrize(("mask", "expected"), [(0o022, 0o644), (0o077, 0o600)])
def test_a_new_file_has_the_mode_of_new_files(tmp_path: Path, mask: int, expected: int) -> None:
    before = os.umask(mask)
    try:
        files.write(tmp_path / "report.json", "new")
    finally:
        os.umask(before)
    assert mode(tmp_path / "report.json") == expected


def test_of_a_link_what_it_leads_to_is_written(tmp_path: Path) -> None:
    for target in ("there", "not-yet"):
        link = tmp_path / f"to-{target}"
        link.symlink_to(target)
    (tmp_path / "there").write_text("old")
    for target in ("there", "not-yet"):
        files.write(tmp_path / f"to-{target}", "new")
        assert (tmp_path / target).read_text() == "new"
        assert (tmp_path / f"to-{target}").is_symlink()


def test_a_link_that_others_put_beside_the_file_is_not_followed(tmp_path: Path) -> None:
    """Names that could be guessed lead to the file of somebody else."""
    victim = tmp_path / "victim"
    victim.write_text("mine")
    for number in range(os.getpid(), os.getpid() + 100):
        (tmp_path / f".o.json.{number}").symlink_to(victim)
    files.write(tmp_path / "o.json", "new")
    assert victim.read_text() == "mine"
    assert not (tmp_path / "o.json").is_symlink()
    assert (tmp_path / "o.json").read_text() == "new"


def test_other_names_of_a_file_keep_what_it_held(tmp_path: Path) -> None:
    file, other = tmp_path / "report.json", tmp_path / "other"
    file.write_text("old")
    os.link(file, other)
    files.write(file, "new")
    assert (file.read_text(), other.read_text()) == ("new", "old")


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir, lambda path: path.symlink_to(path.name)])
def test_what_is_no_plain_file_stays(tmp_path: Path, make: object) -> None:
    assert callable(make)
    make(tmp_path / "there")
    before = (tmp_path / "there").lstat()
    with pytest.raises(OSError, match=r"plain file|symbolic links"):
        files.write(tmp_path / "there", "new")
    assert (tmp_path / "there").lstat().st_mode == before.st_mode
    assert [each.name for each in tmp_path.iterdir()] == ["there"]


def test_a_full_disk_leaves_the_old_file_alone(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    file.write_text("old")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            files.write(file, "x" * 2000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert file.read_text() == "old"
    assert [*tmp_path.iterdir()] == [file]
