"""``commoncall export`` and ``verify``, run as people run them: as processes."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from commoncall import __version__
from commoncall_kit.suite import data
from tests.command import COMMAND, commoncall, process, refused
from tests.kit_suite import trim

Change = Callable[[Path], object]


def files_of(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def digest_of(folder: Path) -> str:
    sums = (folder / "fixtures/v1/SHA256SUMS").read_bytes()
    return "sha256:" + hashlib.sha256(sums).hexdigest()


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("export") / "third party" / "commoncall"
    done = commoncall("export", str(target))
    assert (done.returncode, done.stderr) == (0, b"")
    line = done.stdout.decode()
    assert line.startswith(
        "wrote fixtures/v1, fixtures/selftest, schemas/v1, spec/v1/dialects, spec/v1/formats, "
        "spec/v1/interfaces, spec/v1/profiles, LICENSE and README.md "
        f"to {target}: suite "
    )
    assert line.endswith(f" {digest_of(target)}\n")
    assert line.count("\n") == 1
    return target


@pytest.fixture(scope="module")
def trimmed(exported: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = Path(shutil.copytree(exported, tmp_path_factory.mktemp("trimmed") / "commoncall"))
    trim(target)
    return target


@pytest.fixture
def copy(trimmed: Path, tmp_path: Path) -> Path:
    """Return a copy that is whole, and has few files."""
    return Path(shutil.copytree(trimmed, tmp_path / "copy"))


def reseal(sums: Path) -> None:
    """Write the digests of the files that this lists anew."""
    paths = [line.split("  ", 1)[1] for line in sums.read_text().splitlines()]
    digests = [hashlib.sha256((sums.parent / path).read_bytes()).hexdigest() for path in paths]
    lines = [f"{digest}  {path}\n" for digest, path in zip(digests, paths, strict=True)]
    sums.write_text("".join(lines))


def again(sums: Path) -> None:
    """Name a file twice, the second time with another digest."""
    sums.write_text(sums.read_text() + f"{'0' * 64}  {sums.read_text().split()[1]}\n")


def verified(folder: Path) -> tuple[int, list[str]]:
    done = commoncall("verify", str(folder))
    assert done.stderr == b""
    return done.returncode, done.stdout.decode().splitlines()


# export


def test_the_tree_is_that_of_the_repository(exported: Path, root: Path) -> None:
    found = files_of(exported)
    written = ("spec/v1/dialects", "spec/v1/formats", "spec/v1/interfaces", "spec/v1/profiles")
    for part in ("fixtures/v1", "fixtures/selftest", "schemas/v1", *written):
        for path, content in files_of(root / part).items():
            assert found.pop(f"{part}/{path}") == content
    assert found.pop("LICENSE") == (root / "LICENSES/MIT-0.txt").read_bytes()
    assert sorted(found) == ["README.md", "SHA256SUMS", "schemas/v1/SHA256SUMS"]
    assert list(exported.parent.iterdir()) == [exported], "nothing is left beside it"


def test_its_page_names_the_suite_and_what_is_there(exported: Path) -> None:
    text = (exported / "README.md").read_text(encoding="ascii")
    assert f"This tree belongs to suite {__version__} `{digest_of(exported)}`.\n" in text
    named = re.findall(r"^\| `(.+?)` \|", text, re.MULTILINE)
    named = [each for cell in named for each in cell.split("`, `")]
    assert {each.split("/")[0] for each in named} == {
        each.name for each in exported.iterdir() if each.name != "README.md"
    }
    assert [each for each in named if not (exported / each).exists()] == []
    for command in ("commoncall verify .", "commoncall conformance --suite . -- ", "selftest"):
        assert command in text


@pytest.mark.skipif(not shutil.which("sha256sum"), reason="needs sha256sum")
@pytest.mark.parametrize("part", [".", "fixtures/v1", "fixtures/selftest", "schemas/v1"])
def test_sha256sum_can_check_it_too(exported: Path, part: str) -> None:
    command = ["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"]
    subprocess.run(command, cwd=exported / part, check=True)


def test_the_kit_takes_it_as_a_suite(exported: Path) -> None:
    case = ["--case", "payload.check_tool_call.input-null", "--suite", str(exported)]
    done = commoncall("conformance", *case, "--", *COMMAND, "adapter")
    assert done.returncode == 0, done.stdout.decode()


def test_a_copy_is_scored_by_a_set_of_the_package(exported: Path) -> None:
    scored = data.load(exported, "0.1")
    assert scored.frozen == data.read_set(data.find_root(), "0.1")


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    target = tmp_path / "empty"
    target.mkdir()
    assert commoncall("export", str(target)).returncode == 0
    assert verified(target)[0] == 0


@pytest.mark.skipif(os.name != "posix", reason="needs permissions")
def test_others_may_read_what_they_may_read_of_new_folders(tmp_path: Path) -> None:
    assert commoncall("export", str(tmp_path / "a")).returncode == 0
    (tmp_path / "b").mkdir()
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_what_is_in_use_is_refused_and_left_alone(tmp_path: Path, kind: str) -> None:
    target = tmp_path / "used"
    if kind == "folder":
        target.mkdir()
        (target / "mine").write_text("mine")
    else:
        target.write_text("mine")
    line = refused(commoncall("export", str(target)))
    assert line == f"commoncall: {target} exists and is no empty folder\n"
    assert (target / "mine" if kind == "folder" else target).read_text() == "mine"
    assert list(tmp_path.iterdir()) == [target]


def test_the_current_folder_is_refused(tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "export", "."],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        check=False,
    )
    assert "the current folder would be replaced" in refused(done)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_below_a_file_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "cannot write" in refused(commoncall("export", str(tmp_path / "file" / "below")))


@pytest.mark.parametrize("name", ["requirements", "manifest"])
def test_damaged_fixtures_are_not_handed_out(tmp_path: Path, root: Path, name: str) -> None:
    package = tmp_path / "checkout" / "reference" / "python"
    shutil.copytree(root / "reference/python", package)
    for part in ("fixtures/v1", "fixtures/selftest", "schemas/v1", "LICENSES", "spec/v1/dialects"):
        shutil.copytree(root / part, tmp_path / "checkout" / part)
    with (tmp_path / f"checkout/fixtures/v1/{name}.json").open("a") as file:
        file.write("!")
    target = tmp_path / "out"
    done = process("export", str(target), env={"PYTHONPATH": str(package)})
    assert f"/fixtures/v1/{name}.json is not the file that SHA256SUMS names" in refused(done)
    assert [path.name for path in tmp_path.iterdir()] == ["checkout"]


# verify


@pytest.mark.parametrize("part", ["", "fixtures/v1", "schemas/v1/../.."])
def test_an_export_is_as_it_was_written(exported: Path, part: str) -> None:
    status, lines = verified(exported / part)
    assert status == 0
    assert "is what its SHA256SUMS say (files: " in lines[0]
    assert lines[1].startswith("suite ")
    assert lines[1].endswith(f" {digest_of(exported)}, that of the installed commoncall")
    assert len(lines) == 2


def test_a_copied_folder_of_fixtures_is_enough(exported: Path, tmp_path: Path) -> None:
    shutil.copytree(exported / "fixtures/v1", tmp_path / "cases")
    assert verified(tmp_path / "cases")[0] == 0


def test_what_has_no_digests_is_said_to_be_unchecked(root: Path, copy: Path) -> None:
    unchecked = "not checked: what no SHA256SUMS of an export lists"
    status, lines = verified(root)
    assert status == 0
    assert unchecked in lines
    (copy / "SHA256SUMS").write_text(f"{'0' * 64}  mine\n")
    status, lines = verified(copy)
    assert (status, lines[1]) == (0, unchecked)


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda tree: (tree / "fixtures/v1/manifest.json").unlink(), "missing"),
        (lambda tree: (tree / "fixtures/v1/manifest.json").write_text("{}"), "changed"),
        (lambda tree: (tree / "schemas/v1/turn/prepare.schema.json").unlink(), "missing"),
        (lambda tree: (tree / "fixtures/v1/payload/more.json").write_text("{}"), "superfluous"),
        (lambda tree: (tree / "fixtures/selftest/adapters.json").write_text("{}"), "changed"),
        (lambda tree: (tree / "LICENSE").write_text("mine"), "changed"),
        (lambda tree: (tree / "README.md").write_text("mine"), "changed"),
        (lambda tree: (tree / "LICENSE").unlink(), "missing"),
        (lambda tree: (tree / "schemas/v1/SHA256SUMS").unlink(), "missing"),
        (lambda tree: (tree / "more").write_text(""), "superfluous"),
        (lambda tree: (tree / "SHA256SUMS").write_text("no sum\n"), "unreadable"),
        (lambda tree: again(tree / "SHA256SUMS"), "unreadable"),
        (lambda tree: (tree / "SHA256SUMS").write_text(f"{'0' * 64}  ../LICENSE"), "unreadable"),
        (lambda tree: again(tree / "fixtures/v1/SHA256SUMS"), "changed"),
    ],
)
def test_each_difference_is_a_line(copy: Path, change: Change, line: str) -> None:
    before = files_of(copy)
    change(copy)
    after = files_of(copy)
    (path,) = [each for each in {*before, *after} if before.get(each) != after.get(each)]
    status, lines = verified(copy)
    assert status == 1
    assert lines[0] == f"{copy} differs from its SHA256SUMS (files: 1)"
    assert lines[1].split() == [line, path]


def test_all_differences_are_told(copy: Path) -> None:
    (copy / "fixtures/v1/README.md").unlink()
    (copy / "fixtures/v1/b\nc").write_text("")
    (copy / "schemas/v1/a").write_text("")
    status, lines = verified(copy)
    assert status == 1
    assert lines[1:4] == [
        "  missing     fixtures/v1/README.md",
        "  superfluous fixtures/v1/b\\nc",
        "  superfluous schemas/v1/a",
    ]


def test_many_superfluous_files_are_one_line(copy: Path) -> None:
    (copy / "fixtures/v1/manifest.json").unlink()
    for number in range(58):
        (copy / f"fixtures/v1/payload/copy-{number:02}.json").write_text("{}")
    status, lines = verified(copy)
    assert status == 1
    assert lines[:3] == [
        f"{copy} differs from its SHA256SUMS (files: 59)",
        "  missing     fixtures/v1/manifest.json",
        "  superfluous 58 files, the first of them fixtures/v1/payload/copy-00.json",
    ]


def test_another_version_is_said_and_is_no_error(exported: Path, copy: Path) -> None:
    tree = copy / "fixtures/v1"
    ours = digest_of(exported)
    manifest = (tree / "manifest.json").read_bytes()
    other = manifest.replace(b'"version": "', b'"version": "9.', 1)
    (tree / "manifest.json").write_bytes(other)
    for sums in (tree / "SHA256SUMS", copy / "SHA256SUMS"):
        reseal(sums)
    status, lines = verified(copy)
    assert status == 0
    assert lines[1].startswith("suite 9.")
    assert lines[1].endswith(digest_of(copy))
    assert lines[2].startswith("not that of the installed commoncall: suite ")
    assert lines[2].endswith(ours)


def test_sums_of_fixtures_alone_have_to_be_in_form(exported: Path, tmp_path: Path) -> None:
    tree = Path(shutil.copytree(exported / "fixtures/v1", tmp_path / "cases"))
    for sums in ("no sum\n", ""):
        (tree / "SHA256SUMS").write_text(sums)
        status, lines = verified(tree)
        assert (status, lines[1]) == (1, "  unreadable  SHA256SUMS")


def test_many_files_that_are_gone_are_one_line(copy: Path) -> None:
    shutil.rmtree(copy / "fixtures")
    (copy / "fixtures/v1").mkdir(parents=True)
    (copy / "fixtures/v1/SHA256SUMS").write_text("")
    status, lines = verified(copy)
    assert status == 1
    assert lines[1] == "  changed     fixtures/v1/SHA256SUMS"
    assert re.fullmatch("  missing     [0-9]+ files, the first of them fixtures/.*", lines[2])


def test_no_copy_is_one_line(tmp_path: Path) -> None:
    assert "no suite in" in refused(commoncall("verify", str(tmp_path)))
    assert "no suite in" in refused(commoncall("verify", str(tmp_path / "nowhere")))
