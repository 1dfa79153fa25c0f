"""The noxfile: its sessions, and how it helps itself on a machine that has only Python.

Everything here works without a network; the whole way, with one, is what CI walks.
"""

import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import nox.registry
import pytest

MAIN_JOB = ["spec", "fixtures", "reference", "docs"]
OTHERS = [
    "tests",
    "fuzz",
    "systems",
    "templates",
    "planted",
    "browser",
    "validators",
    "generators",
    "integrations",
    "plugs",
    "servers",
    "javascript",
    "pythons",
    "lint",
    "types",
    "rust",
    "engine",
    "speed",
    "mutants",
    "artefacts",
    "sizes",
]

# Runs the noxfile as a script in a Python where some modules are missing or the version is old.
DRIVER = """
import runpy, sys
path, version, machine, *missing = sys.argv[1:]
sys.argv[:] = [path, "-l"]
sys.modules.update(dict.fromkeys(missing))
if version:
    sys.version_info = tuple(map(int, version.split("."))) + ("final", 0)
    sys.version = version
sys.executable = machine or sys.executable
runpy.run_path(path, run_name="__main__")
"""


def run_noxfile(
    folder: Path,
    *missing: str,
    version: str = "",
    env: dict[str, str] | None = None,
    executable: str = sys.executable,
    machine: str = "",
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [executable, "-c", DRIVER, str(folder / "noxfile.py"), version, machine, *missing],
        cwd=folder.parent,
        env={**os.environ, **(env or {})},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture
def checkout(root: Path, tmp_path: Path) -> Path:
    """Return a folder that has what the noxfile needs to help itself, and nothing installed."""
    folder = tmp_path / "a checkout"
    folder.mkdir()
    for name in ("noxfile.py", "constraints.txt", "pyproject.toml"):
        shutil.copy(root / name, folder)
    return folder


def test_the_sessions_and_which_make_the_main_job(sessions: dict[str, bool]) -> None:
    assert list(sessions) == MAIN_JOB + OTHERS
    assert [name for name, chosen in sessions.items() if chosen] == MAIN_JOB


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_a_python_without_venv_gets_one_line_that_says_what_to_install(
    checkout: Path, module: str
) -> None:
    done = run_noxfile(checkout, "nox", module)
    assert done.returncode == 1
    assert done.stderr.startswith("noxfile.py: ")
    assert len(done.stderr.splitlines()) == 1
    assert "python3-venv" in done.stderr
    assert not (checkout / ".venv").exists()


def test_an_old_python_gets_one_line_that_names_both_versions(checkout: Path) -> None:
    done = run_noxfile(checkout, "nox", version="3.10.13")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "3.11" in done.stderr
    assert "3.10.13" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="a stub of .venv needs a shebang")
def test_a_ready_environment_is_used_as_it_is_with_the_arguments(checkout: Path) -> None:
    python = checkout / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\nif [ "$1" != -c ]; then printf "%s\\n" "$@"; fi\n')
    python.chmod(0o755)
    done = run_noxfile(checkout, "nox")
    assert done.stdout.splitlines() == [f"{checkout}/noxfile.py", "-l"]
    assert done.stderr == ""


@pytest.fixture
def noxfile(root: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the names of the noxfile, read without a word about sessions that are read again."""
    monkeypatch.setattr(nox.registry, "_REGISTRY", {})
    return runpy.run_path(str(root / "noxfile.py"))


def test_without_an_index_it_says_so_and_leaves_nothing_that_stops_the_next_run(
    checkout: Path,
) -> None:
    # A dangling interpreter, as after an upgrade of Python, must not stop it either.
    python = checkout / ".venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    python.parent.mkdir(parents=True)
    python.symlink_to(checkout / "gone")
    offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "", "PIP_CONFIG_FILE": os.devnull}
    # The Python of the tests has no pip; that of the machine mostly has one, and is asked as well.
    base = getattr(sys, "_base_executable", sys.executable)
    for _ in range(2):
        done = run_noxfile(checkout, "nox", env=offline, executable=base)
        assert done.returncode == 1
        last = done.stderr.splitlines()[-1]
        assert last.startswith("noxfile.py: could not install nox and uv")
        assert subprocess.run([python, "-c", ""], check=False).returncode == 0


# A Python in which nothing is installed; it writes down what it is asked besides, and does nothing.
STUB = """#!/bin/sh
case "$1$2" in -c) exit 0;; -c*) exit 1;; esac
printf '%s\\n' "${{0##*/}} $*" >> '{log}'
case "$*" in *' pip '*) exit 1;; esac
"""


@pytest.mark.skipif(os.name == "nt", reason="a stub of Python needs a shebang")
@pytest.mark.parametrize("broken", [True, False])
def test_where_python_has_no_pip_the_environment_gets_one_of_its_own(
    checkout: Path, tmp_path: Path, broken: bool
) -> None:
    log, machine, own = tmp_path / "log", tmp_path / "machine", checkout / ".venv/bin/python"
    own.parent.mkdir(parents=True)
    for python in [machine] if broken else [machine, own]:
        python.write_text(STUB.format(log=log))
        python.chmod(0o755)
    done = run_noxfile(checkout, "nox", machine=str(machine))
    pip = "-m pip --disable-pip-version-check"
    clear = "--clear " if broken else ""
    installed = f"{pip} install --quiet --constraint {checkout}/constraints.txt uv"
    asked = [f"machine {pip} --version", f"machine -m venv {clear}{checkout}/.venv"]
    # Where there was nothing, this machine has made nothing that could be asked.
    asked += [] if broken else [f"python {installed}"]
    assert log.read_text().splitlines() == asked
    assert done.returncode == 1
    assert "could not install nox and uv" in done.stderr
