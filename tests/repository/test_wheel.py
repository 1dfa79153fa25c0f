"""The wheel alone, in a fresh environment and far from the checkout, is a whole CommonCall."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import uv

LEAKED = 'Let me look.\n<tool_call>\n{"name": "f", "arguments": {"city": "Oslo"}}\n</tool_call>\n'


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel; hatchling is at hand, so nothing is downloaded."""
    output = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(output)]
    subprocess.run(command, cwd=root, check=True, capture_output=True)
    (built,) = output.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environment(root: Path, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel in a new environment; returns the folder of its commands."""
    home = tmp_path_factory.mktemp("fresh") / "venv"
    run = [uv.find_uv_bin()]
    created = [*run, "venv", "--python", sys.executable, str(home)]
    subprocess.run(created, check=True, capture_output=True)
    commands = home / ("Scripts" if sys.platform == "win32" else "bin")
    install = [*run, "pip", "install", "--python", str(commands / "python"), "--no-config"]
    install += ["-c", str(root / "constraints.txt"), str(wheel)]
    # The session that runs this test has filled uv's cache; the index is the second choice.
    offline = subprocess.run([*install, "--offline"], check=False, capture_output=True)
    if offline.returncode:
        subprocess.run(install, check=True)
    return commands


def run(commands: Path, *arguments: str, cwd: Path, given: str = "") -> str:
    done = subprocess.run(
        [commands / arguments[0], *arguments[1:]],
        cwd=cwd,
        env={**os.environ, "PATH": str(commands), "PYTHONPATH": ""},
        input=given,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_holds_the_built_fixtures_and_the_schemas_and_no_tools(
    root: Path, wheel: Path
) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    for part in ("fixtures/v1", "schemas/v1"):
        files = [path for path in (root / part).rglob("*") if path.is_file()]
        assert files
        for path in files:
            assert f"commoncall_kit/data/{path.relative_to(root).as_posix()}" in names
    for part in ("dialects", "formats", "profiles"):
        for path in (root / "spec/v1" / part).iterdir():
            assert f"commoncall/{part}/{path.name}" in names
    assert "commoncall_kit/data/LICENSES/MIT-0.txt" in names
    assert "commoncall/py.typed" in names
    assert not [name for name in names if name.startswith("tools/") or name.endswith(".yaml")]


def test_it_needs_nothing_but_rfc8785(environment: Path, tmp_path: Path) -> None:
    listed = "import importlib.metadata as m; print(*(d.name for d in m.distributions()))"
    names = run(environment, "python", "-c", listed, cwd=tmp_path).split()
    assert sorted(names) == ["commoncall", "rfc8785"]


def test_extract_finds_a_leaked_call(environment: Path, tmp_path: Path) -> None:
    output = run(environment, "commoncall", "extract", "--tool", "f", cwd=tmp_path, given=LEAKED)
    result = json.loads(output)
    assert [call["name"] for call in result["tool_calls"]] == ["f"]
    assert result["tool_calls"][0]["arguments"] == {"city": "Oslo"}


def test_the_package_hands_out_what_a_port_vendors(
    root: Path, environment: Path, tmp_path: Path
) -> None:
    run(environment, "commoncall", "export", "vendored", cwd=tmp_path)
    output = run(environment, "commoncall", "verify", "vendored", cwd=tmp_path)
    assert output.endswith(", that of the installed commoncall\n")
    for part in ("dialects", "formats", "profiles"):
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
