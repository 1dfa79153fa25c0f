"""``commoncall cited``."""

import os
from pathlib import Path

import pytest

from commoncall_kit.suite import data
from tests import shared
from tests.command import commoncall, refused


@pytest.fixture(autouse=True)
def read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    files = shared.documents()
    monkeypatch.setattr(data, "documents", lambda: files)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "adr").mkdir()
    (tmp_path / "adr" / "1.md").write_text("We keep PAY-004.\nAnd EXT-021, XPAY-001, PAY-0071.\n")
    (tmp_path / "code.py").write_text("# PAY-999, TRN-002\n")
    (tmp_path / "image.png").write_bytes(b"\xff\x00 PAY-999")
    for hidden in (".git", "node_modules"):
        (tmp_path / hidden).mkdir()
        (tmp_path / hidden / "x").write_text("PAY-999")
    return tmp_path


def said(*arguments: object) -> tuple[int, list[str]]:
    done = commoncall("cited", *map(str, arguments))
    assert done.stderr == b""
    return done.returncode, done.stdout.decode().splitlines()


def test_what_is_unknown_or_withdrawn_is_named_with_its_place(folder: Path) -> None:
    assert said(folder) == (
        1,
        [
            f"{folder}/code.py:1: PAY-999 is no requirement",
            f"{folder}/adr/1.md:2: EXT-021 is withdrawn since 0.2; read EXT-020",
            "4 citations in 2 files, 2 to look at",
        ],
    )


def test_what_stands_is_counted(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("PAY-004 and commoncall:PAY-004")
    assert said(tmp_path / "a.md") == (0, ["2 citations in 1 file, 0 to look at"])
    assert said(tmp_path) == said(tmp_path / "a.md")


@pytest.mark.parametrize("pin", ["CommonCall 0.1", "commoncall@0.1.0", "CommonCall, 0.1.2"])
def test_what_was_reworded_since_the_version_of_the_document_is_named(
    pin: str, tmp_path: Path
) -> None:
    file = tmp_path / "a.md"
    file.write_text(f"{pin}: EVT-003 and PAY-050")
    line = f"{file}:1: EVT-003 was reworded in 0.2"
    assert said(file) == (1, [line, "2 citations in 1 file, 1 to look at"])
    assert said("--since", "0.2", file)[0] == 0
    file.write_text("EVT-003")
    assert said(file)[0] == 0
    assert said("--since", "0.1", file)[0] == 1


def test_what_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    assert "cannot read" in refused(commoncall("cited", str(tmp_path / "nothing")))
    done = commoncall("cited", "--since", "99.0", str(tmp_path))
    assert (done.returncode, b"later than" in done.stderr) == (2, True)
    done = commoncall("cited", "--since", "now", str(tmp_path))
    assert done.returncode == 2
    assert b"is no version such as 0.1" in done.stderr


def test_a_file_with_the_name_of_an_option_ends_no_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As hooks give names: of all files that changed, whatever they are called."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.md").write_text("PAY-999")
    for name in ("-h", "--help", "--since=0.1", "--json"):
        (tmp_path / name).write_text("PAY-004")
        assert said("--", name, "bad.md") == (
            1,
            ["bad.md:1: PAY-999 is no requirement", "2 citations in 2 files, 1 to look at"],
        )


def test_a_version_of_many_digits_is_none(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(f"CommonCall {'9' * 5000}.1, CommonCall 1.{'9' * 5000}: PAY-004")
    assert said(tmp_path) == (0, ["1 citation in 1 file, 0 to look at"])
    assert commoncall("cited", "--since", f"{'9' * 5000}.1", str(tmp_path)).returncode == 2


def test_bytes_that_are_no_text_hide_no_citation(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes("Le coût de PAY-999".encode("latin-1"))
    assert said(tmp_path)[0] == 1


@pytest.mark.skipif(os.name != "posix", reason="needs links and pipes")
def test_a_link_in_a_folder_is_no_document(tmp_path: Path) -> None:
    """It could lead to what never ends, or to what cannot be read."""
    outside = tmp_path / "outside.md"
    outside.write_text("PAY-999")
    folder = tmp_path / "folder"
    folder.mkdir()
    for number, target in enumerate(("/dev/zero", "/proc/self/mem", "nowhere", "..", str(outside))):
        (folder / str(number)).symlink_to(target)
    os.mkfifo(folder / "pipe")
    assert said(folder) == (0, ["0 citations in 0 files, 0 to look at"])
    assert said(folder / "4")[0] == 1, "one that is given is followed"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
def test_what_never_ends_is_no_document() -> None:
    assert said("/dev/zero") == (0, ["0 citations in 0 files, 0 to look at"])


def test_folders_may_nest_deep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for depth in range(1, 1201):
        Path(*["d"] * depth).mkdir()
    file = Path(*["d"] * 1200, "a.md")
    file.write_text("PAY-999")
    assert said("d")[0] == 1
    file.unlink()
    os.removedirs(file.parent)  # what tidies up behind tests goes no deeper than Python


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read every folder")
def test_a_folder_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0)
    assert "closed: Permission denied" in refused(commoncall("cited", str(tmp_path)))
