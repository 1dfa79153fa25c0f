"""The composite action, step by step in a shell, and the workflow and hooks that name it."""

import os
import re
import stat
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.command import process

pytestmark = pytest.mark.skipif(os.name != "posix", reason="its steps are lines of bash")

ACTION = ".github/actions/commoncall"
WORKFLOW = "spec/use/commoncall.yml"


@pytest.fixture
def action(root: Path) -> Mapping[str, Any]:
    found: Mapping[str, Any] = yaml.safe_load((root / ACTION / "action.yml").read_text("utf-8"))
    return found


@pytest.fixture
def port(tmp_path: Path) -> Path:
    """Return a repository with a vendored copy and a document, and the command on its path."""
    assert process("export", str(tmp_path / "vendored")).returncode == 0
    (tmp_path / "adr").mkdir()
    (tmp_path / "adr" / "one.md").write_text("We keep PAY-003.\n")
    program = tmp_path / "bin" / "commoncall"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m commoncall "$@"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return tmp_path


def step(action: Mapping[str, Any], name: str, port: Path, **inputs: str) -> Any:
    """Run a step as the runner does, with the default of each input that is not given."""
    given = {key: str(each["default"]) for key, each in action["inputs"].items()} | {
        key.replace("_", "-"): value for key, value in inputs.items()
    }
    [found] = (each for each in action["runs"]["steps"] if each["name"] == name)
    env = {
        key: re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda match: given[match[1]], value)
        for key, value in found.get("env", {}).items()
    }
    path = f"{port / 'bin'}{os.pathsep}{os.environ['PATH']}"
    env |= {"PATH": path, "GITHUB_STEP_SUMMARY": str(port / "summary.md")}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", found["run"]],
        cwd=port,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=False,
    )


def test_each_input_reaches_a_step_and_no_other_is_named(action: Mapping[str, Any]) -> None:
    named = set(re.findall(r"inputs\.([a-z-]+)", yaml.safe_dump(action["runs"])))
    assert named == set(action["inputs"])


def test_what_is_asked_for_runs_and_nothing_else(action: Mapping[str, Any]) -> None:
    conditions = {each["name"]: each.get("if") for each in action["runs"]["steps"]}
    assert conditions == {
        "Install": None,
        "Verify the copy": "inputs.vendored != ''",
        "Check citations": "inputs.cited != ''",
        "Run the cases": "inputs.adapter != ''",
    }


def test_no_step_pastes_an_input_into_its_script(action: Mapping[str, Any]) -> None:
    assert not [each["name"] for each in action["runs"]["steps"] if "${{" in each["run"]]


def test_the_copy_is_verified(action: Mapping[str, Any], port: Path) -> None:
    done = step(action, "Verify the copy", port, vendored="vendored")
    assert done.returncode == 0, done.stderr
    (port / "vendored" / "fixtures" / "v1" / "manifest.json").write_text("{}")
    assert step(action, "Verify the copy", port, vendored="vendored").returncode == 1


def test_citations_are_checked(action: Mapping[str, Any], port: Path) -> None:
    done = step(action, "Check citations", port, cited="adr vendored/README.md")
    assert done.returncode == 0, done.stdout
    (port / "adr" / "two.md").write_text("And PAY-999.\n")
    done = step(action, "Check citations", port, cited="adr")
    assert done.returncode == 1
    assert "PAY-999 is no requirement" in done.stdout


@pytest.mark.parametrize("cited", ["-h\nadr", "vendored/README.md\nadr\n", " \n", "-h adr"])
def test_no_line_and_no_name_hides_what_is_cited(
    action: Mapping[str, Any], port: Path, cited: str
) -> None:
    (port / "adr" / "two.md").write_text("And PAY-999.\n")
    (port / "-h").write_text("PAY-003")
    assert step(action, "Check citations", port, cited=cited).returncode in (1, 2)


@pytest.mark.parametrize("adapter", ["cd adapters && ./mine", "A=1 adapters/mine"])
def test_an_adapter_is_a_line_of_the_shell(
    action: Mapping[str, Any], port: Path, adapter: str
) -> None:
    program = port / "adapters" / "mine"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    done = step(action, "Run the cases", port, adapter=adapter, vendored="vendored")
    assert done.returncode == 3
    assert "ended with status 1" in done.stdout


def test_a_run_leaves_its_reports_and_its_status(action: Mapping[str, Any], port: Path) -> None:
    """An adapter that declares nothing can establish nothing, and what is red stays red."""
    command = f"{sys.executable} -c 'import sys; sys.exit(1)'"
    done = step(action, "Run the cases", port, adapter=command, vendored="vendored")
    assert done.returncode == 3
    assert {file.name for file in (port / "commoncall-reports").iterdir()} >= {
        "report.json",
        "junit.xml",
        "summary.md",
    }
    assert "not established" in (port / "summary.md").read_text()


def test_the_workflow_gives_inputs_that_the_action_has(
    action: Mapping[str, Any], root: Path
) -> None:
    workflow = yaml.safe_load((root / WORKFLOW).read_text("utf-8"))
    [used] = (
        each
        for each in workflow["jobs"]["conformance"]["steps"]
        if "/commoncall/" in each.get("uses", "")
    )
    assert used["uses"].startswith(f"OWNER/commoncall/{ACTION}@v")
    assert set(used["with"]) <= set(action["inputs"])


def test_the_hooks_name_commands_that_exist(root: Path) -> None:
    hooks = yaml.safe_load((root / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert {each["id"] for each in hooks} == {"commoncall-cited", "commoncall-verify"}
    for each in hooks:
        program, command, *dashes = each["entry"].split()
        assert program == "commoncall"
        # What pre-commit adds are names of files, and a file may have the name of an option.
        assert dashes == (["--"] if each.get("pass_filenames", True) else [])
        assert process(command, "--help").returncode == 0
    page = (root / "spec" / "use" / "team.md").read_text("utf-8")
    assert all(f"- id: {each['id']}" in page for each in hooks)
