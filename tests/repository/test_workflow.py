"""The workflow and the hooks that a page shows, step by step in a shell."""

import os
import re
import stat
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml

from tests.command import process

pytestmark = pytest.mark.skipif(os.name != "posix", reason="its steps are lines of bash")

USE = "spec/use"
VENDORED = "third_party/commoncall"
WHEELS = ["commoncall-0.2.0-py3-none-any.whl", "commoncall_kit-0.2.0-py3-none-any.whl"]


@pytest.fixture
def steps(root: Path) -> list[str]:
    """Return what the workflow runs, line by line."""
    workflow = yaml.safe_load((root / USE / "commoncall.yml").read_text("utf-8"))
    return [each["run"] for each in workflow["jobs"]["conformance"]["steps"] if "run" in each]


@pytest.fixture
def port(tmp_path: Path) -> Path:
    """Return a repository as the page says, with both programs that the workflow calls."""
    assert process("export", str(tmp_path / VENDORED)).returncode == 0
    for name in ("adr", "src", "third_party/wheels", "bin"):
        (tmp_path / name).mkdir()
    (tmp_path / "adr" / "one.md").write_text("We keep PAY-003.\n")
    for wheel in WHEELS:
        (tmp_path / "third_party" / "wheels" / wheel).touch()
    program(tmp_path / "bin" / "commoncall", f'exec {sys.executable} -m commoncall "$@"')
    program(tmp_path / "bin" / "pip", 'echo "$@"')
    program(tmp_path / "my-adapter", "exit 1")
    return tmp_path


def program(file: Path, line: str) -> None:
    """Write a program of one line of the shell."""
    file.write_text(f"#!/bin/sh\n{line}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)


def run(steps: Sequence[str], port: Path, about: str) -> subprocess.CompletedProcess[str]:
    """Run the one step that is about something, as the runner of the workflow does."""
    [step] = (each for each in steps if about in each)
    path = f"{port / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step],
        cwd=port,
        env={**os.environ, "PATH": path, "GITHUB_STEP_SUMMARY": str(port / "summary.md")},
        capture_output=True,
        text=True,
        check=False,
    )


def test_both_wheels_are_installed(steps: Sequence[str], port: Path) -> None:
    done = run(steps, port, "pip install")
    assert done.stdout.split() == ["install", *(f"third_party/wheels/{each}" for each in WHEELS)]


def test_the_copy_is_verified(steps: Sequence[str], port: Path) -> None:
    done = run(steps, port, "commoncall verify")
    assert done.returncode == 0, done.stderr
    (port / VENDORED / "fixtures" / "v1" / "manifest.json").write_text("{}")
    assert run(steps, port, "commoncall verify").returncode == 1


def test_citations_are_checked(steps: Sequence[str], port: Path) -> None:
    done = run(steps, port, "commoncall cited")
    assert done.returncode == 0, done.stdout
    (port / "adr" / "two.md").write_text("And PAY-999.\n")
    done = run(steps, port, "commoncall cited")
    assert done.returncode == 1
    assert "PAY-999 is no requirement" in done.stdout


def test_a_run_leaves_its_reports_and_its_status(steps: Sequence[str], port: Path) -> None:
    """An adapter that ends at once can establish nothing, and what is red stays red."""
    assert run(steps, port, "mkdir").returncode == 0
    assert run(steps, port, "commoncall conformance").returncode == 3
    reports = {file.name for file in (port / "commoncall-reports").iterdir()}
    assert reports >= {"report.json", "junit.xml"}
    assert "not established" in (port / "summary.md").read_text()


def test_the_hooks_name_commands_that_exist(root: Path) -> None:
    page = (root / USE / "team.md").read_text("utf-8")
    [shown] = re.findall(r"^```yaml\n(repos:\n.*?)^```$", page, re.MULTILINE | re.DOTALL)
    [local] = yaml.safe_load(shown)["repos"]
    assert [each["id"] for each in local["hooks"]] == ["commoncall-cited", "commoncall-verify"]
    for each in local["hooks"]:
        name, command, *rest = each["entry"].split()
        assert name == "commoncall"
        # What pre-commit adds are names of files, and a file may have the name of an option.
        assert (rest == ["--"]) == each.get("pass_filenames", True)
        assert process(command, "--help").returncode == 0
