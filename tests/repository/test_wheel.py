"""Two wheels in fresh environments, far from the checkout: one is for users, both are all."""

import json
import os
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest
import uv

import commoncall
from commoncall_tools.kit import NEEDED

MOST = 2_000_000
"""The bytes of all files of `commoncall`."""

KIT = "reference/python/commoncall_kit"
LEAKED = 'Let me look.\n<tool_call>\n{"name": "f", "arguments": {"city": "Oslo"}}\n</tool_call>\n'


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel of `commoncall`; hatchling is at hand, so nothing is downloaded."""
    return built(root, tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def kit(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel of `commoncall-kit`."""
    return built(root / KIT, tmp_path_factory.mktemp("dist"))


def built(project: Path, output: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(output)]
    subprocess.run(command, cwd=project, check=True, capture_output=True)
    (wheel,) = output.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def alone(root: Path, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install `commoncall` alone; returns the folder of its commands."""
    return installed(root, tmp_path_factory.mktemp("alone"), [str(wheel)])


@pytest.fixture(scope="module")
def environment(
    root: Path, wheel: Path, kit: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Install `commoncall[kit]`; returns the folder of its commands."""
    return installed(root, tmp_path_factory.mktemp("both"), [f"{wheel}[kit]", str(kit)])


def installed(root: Path, folder: Path, wheels: Sequence[str]) -> Path:
    home = folder / "venv"
    run = [uv.find_uv_bin()]
    created = [*run, "venv", "--python", sys.executable, str(home)]
    subprocess.run(created, check=True, capture_output=True)
    commands = home / ("Scripts" if sys.platform == "win32" else "bin")
    install = [*run, "pip", "install", "--python", str(commands / "python"), "--no-config"]
    install += ["-c", str(root / "constraints.txt"), *wheels]
    # The session that runs this test has filled uv's cache; the index is the second choice.
    offline = subprocess.run([*install, "--offline"], check=False, capture_output=True)
    if offline.returncode:
        subprocess.run(install, check=True)
    return commands


def run(commands: Path, *arguments: str, cwd: Path, given: str = "", status: int = 0) -> str:
    done = subprocess.run(
        [commands / arguments[0], *arguments[1:]],
        cwd=cwd,
        env={**os.environ, "PATH": str(commands), "PYTHONPATH": ""},
        input=given,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stderr if status == 2 else done.stdout


def test_the_kit_holds_the_built_fixtures_and_the_schemas(root: Path, kit: Path) -> None:
    with zipfile.ZipFile(kit) as archive:
        names = set(archive.namelist())
    for part in ("fixtures/v1", "fixtures/sets", "fixtures/selftest", "schemas/v1"):
        files = [path for path in (root / part).rglob("*") if path.is_file()]
        assert files
        for path in files:
            assert f"commoncall_kit/data/{path.relative_to(root).as_posix()}" in names
    for path in (root / KIT).rglob("*.py"):
        assert path.relative_to(root / "reference/python").as_posix() in names
    assert "commoncall_kit/data/LICENSES/MIT-0.txt" in names
    assert {name.split("/")[0].split("-")[0] for name in names} == {"commoncall_kit"}


def test_the_wheel_of_users_is_small_and_holds_no_fixture(root: Path, wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        assert sum(each.file_size for each in archive.infolist()) <= MOST
    for part in ("dialects", "formats", "interfaces", "profiles"):
        for path in (root / "spec/v1" / part).iterdir():
            assert f"commoncall/{part}/{path.name}" in names
    assert "commoncall/py.typed" in names
    packages = {name.split("/")[0] for name in names if "-" not in name}
    assert packages == {"commoncall", "commoncall_serve", "commoncall_tools"}
    assert not [name for name in names if name.endswith(".yaml")]


def test_both_have_one_version(root: Path) -> None:
    project = tomllib.loads((root / KIT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["dependencies"] == [f"commoncall=={commoncall.__version__}"]


def test_they_need_nothing_but_rfc8785(alone: Path, environment: Path, tmp_path: Path) -> None:
    listed = "import importlib.metadata as m; print(*(d.name for d in m.distributions()))"
    names = run(alone, "python", "-c", listed, cwd=tmp_path).split()
    assert sorted(names) == ["commoncall", "rfc8785"]
    names = run(environment, "python", "-c", listed, cwd=tmp_path).split()
    assert sorted(names) == ["commoncall", "commoncall-kit", "rfc8785"]


def test_a_user_needs_no_kit(alone: Path, tmp_path: Path) -> None:
    """Each command that says something of codes or requirements says it."""

    def said(*arguments: str, given: str, status: int = 0) -> str:
        return run(alone, "commoncall", *arguments, cwd=tmp_path, given=given, status=status)

    history = '[{"role": "assistant", "tool_calls": [{"id": "c", "type": "function", '
    history += '"function": {"name": "f", "arguments": "{"}}]}]'
    checked = said("check", given=history, status=1)
    assert "the arguments are no JSON text; dashscope answers: " in checked
    assert "(PAY-004" in checked
    said(
        "run",
        "payload.sanitize_history",
        given=f'{{"disposition": "answer", "messages": {history}}}',
    )
    broken = LEAKED.replace("}}", "},}")
    assert "trailing_comma: " in said("extract", "--explain", "--tool=f", given=broken)
    line = json.dumps({"messages": [{"role": "assistant", "content": LEAKED}]})
    assert "leaked: 1 call" in said("scan", "-", given=line, status=1)
    (tmp_path / "document.md").write_text("PAY-003 and PAY-999", "utf-8")
    assert "PAY-999 is no requirement" in said("cited", "document.md", given="", status=1)
    assert said("explain", "commoncall:pay-003", given="").startswith("PAY-003: ")
    assert "read EXT-020" in said("explain", "EXT-021", given="")
    assert "in payload: the arguments are" in said("explain", "arguments_invalid_json", given="")
    for name in ("conformance", "survey", "export", "verify"):
        needed = f"commoncall: {name} {NEEDED}\n"
        assert said(name, "--", "adapter", given="", status=2) == needed
    assert NEEDED in said("explain", "turn.receive", given="", status=2)
    assert "conformance" in said("--help", given="")


def test_extract_finds_a_leaked_call(alone: Path, tmp_path: Path) -> None:
    output = run(alone, "commoncall", "extract", "--tool", "f", cwd=tmp_path, given=LEAKED)
    result = json.loads(output)
    assert [call["name"] for call in result["tool_calls"]] == ["f"]
    assert result["tool_calls"][0]["arguments"] == {"city": "Oslo"}


def test_the_package_hands_out_what_a_port_vendors(
    root: Path, environment: Path, tmp_path: Path
) -> None:
    run(environment, "commoncall", "export", "vendored", cwd=tmp_path)
    output = run(environment, "commoncall", "verify", "vendored", cwd=tmp_path)
    assert output.endswith(", that of the installed commoncall\n")
    for part in ("dialects", "formats", "interfaces", "profiles"):
        vendored = {path.name for path in (tmp_path / "vendored/spec/v1" / part).iterdir()}
        assert vendored == {path.name for path in (root / "spec/v1" / part).iterdir()}
    sums = (tmp_path / "vendored/fixtures/v1/SHA256SUMS").read_bytes()
    assert sums == (root / "fixtures/v1/SHA256SUMS").read_bytes()
    assert run(environment, "commoncall", "explain", "pay-001", cwd=tmp_path)


def test_the_kit_drives_the_reference_with_the_data_of_the_package(
    environment: Path, tmp_path: Path
) -> None:
    code = (
        "import commoncall_kit as kit, pathlib; print(pathlib.Path(kit.__file__).parent / 'data')"
    )
    data = Path(run(environment, "python", "-c", code, cwd=tmp_path).strip())
    assert environment.parent in data.parents
    # The main job drives it through all contracts; what is read before the first case is the same.
    chosen = ["--operation", "capability.filter_prompt"]
    drive = ["commoncall", "conformance", *chosen, "--", "commoncall", "adapter"]
    run(environment, *drive, cwd=tmp_path)

    # Without the data the same command finds no suite, so it read nothing else.
    data.rename(data.with_name("gone"))
    try:
        with pytest.raises(AssertionError, match="no fixtures"):
            run(environment, *drive, cwd=tmp_path)
    finally:
        data.with_name("gone").rename(data)
