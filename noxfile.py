"""The commands of the repository.

`python3 noxfile.py` runs the main job, `-s NAME ...` other sessions, `-l` lists them; what follows
`--` goes to the session's command. Where nox is missing this file makes `.venv`, installs nox and
uv there and runs itself again with them, so Python 3.11 is all it needs. Sessions only install and
run: what is checked stands in `reference/tools`, in `commoncall_kit` and in `tests`.
"""

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import IO, NoReturn

ROOT = Path(__file__).resolve().parent
CONSTRAINTS = str(ROOT / "constraints.txt")
INTEGRATIONS = str(ROOT / "tests" / "evidence" / "integrations" / "constraints.txt")
PLUGS = "tests/evidence/plugs"
SPEED = "tests/evidence/speed"
SERVERS = str(ROOT / "tests" / "evidence" / "servers" / "constraints.txt")
USE = "spec/use"
TYPED_USER = "tests/repository/typed_user.py"
GENERATORS = "tests/evidence/generators"
NODE_PORT = "reference/javascript/adapter.mjs"
NODE_OLDEST = 20
RUST = "reference/rust"
RUST_PORT = f"{RUST}/target/debug/commoncall-adapter"
RUST_OLDEST = (1, 85)
ENGINE = f"./{RUST}/commoncall-python"
CANONICALIZE = "tests/contracts/event/canonicalize"
JUDGES = "tests/evidence/request_judges"
AXE = "tests/browser"
JAVASCRIPT = "tests/javascript"
PYTHONS = "tests/pythons"
SYSTEMS = sorted(path.parent.name for path in ROOT.glob("tests/systems/[a-z]*/adapter.*"))
PATIENT = ["--timeout", "30"]
"""Seconds for a case: what else the machine does is no fault of a port."""
SITE = "build/site"
WHEEL = "build/wheel"
KIT = "reference/python/commoncall_kit"
ASK = "reference/tools/site/ask.mjs"
QUERIES = "reference/tools/site/queries.json"
SBOM = "cyclonedx-bom==7.5.0"
MATURIN = ["uvx", "--from", "maturin", "--constraints", CONSTRAINTS, "maturin"]
NODES = ["20.0.0", "26.10.0"]
"""The oldest that npm's package is for, and today's."""

USE_NPM = "import('commoncall').then(({extract}) => extract({text: 'x', effective: []}))"
MAIN_JOB = ["spec", "fixtures", "reference", "docs"]


def stop(line: str) -> NoReturn:
    """End with one line on stderr and exit status 1."""
    sys.exit(f"noxfile.py: {line}")


if sys.version_info < (3, 11):  # noqa: UP036 - a clear line for those who have an older one
    stop(f"needs Python 3.11 or newer, and {sys.executable} is {sys.version.split()[0]}")


def bootstrap(arguments: list[str]) -> NoReturn:
    """Run this file again with the nox of `.venv`; install it first where it is missing.

    An environment of our own works where the system's Python refuses installations (PEP 668).
    """
    venv = ROOT / ".venv"
    python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not succeeds(python, "-c", "import nox, uv"):
        if not (find_spec("venv") and find_spec("ensurepip")):
            stop(
                f"{sys.executable} has no module venv or ensurepip, so .venv cannot be made; "
                "install them (Debian, Ubuntu: apt install python3-venv) or run nox by other means"
            )
        print("noxfile.py: first run, installing nox and uv in .venv", file=sys.stderr, flush=True)
        # An environment whose Python is gone cannot be mended; one that works is only added to.
        broken = [] if succeeds(python, "-c", "") else ["--clear"]
        # A pip of its own takes .venv as long as all else; where this Python has one, it serves.
        pip = ["-m", "pip", "--disable-pip-version-check"]
        bare = ["--without-pip"] if succeeds(sys.executable, *pip, "--version") else []
        if not succeeds(sys.executable, "-m", "venv", *broken, *bare, venv, quiet=False):
            stop("could not make .venv; the lines above say why")
        wanted = ["install", "--quiet", "--constraint", CONSTRAINTS]
        into = [sys.executable, *pip, "--python", str(python)] if bare else [str(python), *pip]
        # Which is one file, and installs what nox needs at once.
        uv = [str(python), "-m", "uv", "pip", *wanted, "--python", str(python), "nox"]
        if not (succeeds(*into, *wanted, "uv", quiet=False) and succeeds(*uv, quiet=False)):
            stop("could not install nox and uv in .venv; the lines above say why (no network?)")
    command = [str(python), str(ROOT / "noxfile.py"), *arguments]
    if os.name == "nt":  # there, exec returns to the shell at once
        sys.exit(subprocess.call(command))
    os.execv(command[0], command)


def succeeds(*command: str | Path, quiet: bool = True) -> bool:
    """Run a command and tell whether it exists and ends with status 0; stdout goes to stderr."""
    try:
        output = subprocess.DEVNULL if quiet else sys.stderr
        return subprocess.run(command, stdout=output, stderr=output, check=False).returncode == 0
    except OSError:
        return False


# Hundreds of short processes follow: without bytecode each would compile the packages again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

try:
    import nox
except ModuleNotFoundError:
    if __name__ != "__main__":
        raise
    bootstrap(sys.argv[1:])

nox.needs_version = ">=2024.10.9"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.reuse_venv = "yes"
nox.options.sessions = MAIN_JOB

Run = Callable[[IO[str] | None], object]

PROJECT = nox.project.load_toml("pyproject.toml")


def install(
    session: nox.Session, *groups: str, package: bool = True, constraints: str = CONSTRAINTS
) -> None:
    """Install dependency groups, and the package itself, at the versions of constraints.txt."""
    wanted = [*(["-e", "."] if package else []), *nox.project.dependency_groups(PROJECT, *groups)]
    # What builds the package is pinned too: one name for uv, one for pip.
    pinned = {"UV_BUILD_CONSTRAINT": CONSTRAINTS, "PIP_BUILD_CONSTRAINT": CONSTRAINTS}
    session.install("-c", constraints, *wanted, env=pinned)


def tool(session: nox.Session, name: str, *arguments: str) -> None:
    """Run one of the tools of this checkout, `tools.NAME` in `reference`."""
    folders = (Path("reference"), Path("reference/python"))
    path = {"PYTHONPATH": os.pathsep.join(str(folder.resolve()) for folder in folders)}
    session.run("python", "-m", f"tools.{name}", *arguments, env=path)


def evidence(session: nox.Session, name: str, *arguments: str, out: IO[str] | None = None) -> None:
    """Run what asks for evidence, `tests.evidence.NAME`; it may use the tools."""
    session.run(
        "python",
        "-m",
        f"tests.evidence.{name}",
        *arguments,
        env={"PYTHONPATH": str(ROOT / "reference")},
        stdout=out,
    )


@nox.session
def spec(session: nox.Session) -> None:
    """Check the text: form of the requirements, links, codes, indexes, and the data beside it."""
    install(session, "spec", package=False)
    tool(session, "law.lint")


@nox.session
def fixtures(session: nox.Session) -> None:
    """Check the fixtures: format, schemas, and that the built files are up to date."""
    install(session, "spec", package=False)
    tool(session, "fixtures.build", *(session.posargs or ["--check"]))


@nox.session
def reference(session: nox.Session) -> None:
    """Drive the reference, the Node port and the crate in Rust through the conformance kit.

    Each must be conformant with every contract that it claims. Arguments are the kit's.
    """
    install(session)

    def drive(*adapter: str) -> Run:
        command = ["commoncall", "conformance", *PATIENT, *session.posargs, "--", *adapter]
        return lambda out: session.run(*command, stdout=out)

    node, no_node = find_node()
    no_crate = ""

    def drive_crate(out: IO[str] | None) -> None:
        nonlocal no_crate
        no_crate = build_crate(session)
        if not no_crate:
            drive(RUST_PORT)(out)

    python = drive("commoncall", "adapter")
    at_once(python, *([drive(node, NODE_PORT)] if node else []), drive_crate)
    if no_node:
        session.warn(f"NOT RUN: the Node port, {NODE_PORT}, because {no_node}.")
    if no_crate:
        session.warn(f"NOT RUN: the crate in Rust, {RUST}, because {no_crate}.")


def build_crate(session: nox.Session) -> str:
    """Build the adapter of the crate, and return "" or the reason why that cannot be done here."""
    cargo, trouble = find_cargo()
    if trouble:
        return trouble
    manifest = ["--manifest-path", f"{RUST}/Cargo.toml", "--locked", "--quiet"]
    if not succeeds(cargo, "fetch", *manifest):
        return "its dependencies cannot be fetched"
    # Its own folder, whatever the machine has set: the adapter is run from there.
    target = {"CARGO_TARGET_DIR": f"{RUST}/target"}
    session.run(cargo, "build", *manifest, "--offline", env=target, external=True)
    return ""


def find_cargo() -> tuple[str, str]:
    """Return the command of a cargo that is new enough, or "" and the reason why there is none."""
    return find_program("cargo", r"cargo (\d+)\.(\d+)\.", RUST_OLDEST)


def find_program(name: str, version: str, oldest: tuple[int, ...]) -> tuple[str, str]:
    """Return the command of a program that is new enough, or "" and the reason why there is none.

    ``version`` is a pattern that finds the numbers of ``oldest`` in what `NAME --version` prints.
    """
    program = shutil.which(name)
    if program is None:
        return "", f"there is no command `{name}`"
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    found = re.match(version, told.stdout)
    if found is None or tuple(map(int, found.groups())) < oldest:
        needed = ".".join(map(str, oldest))
        return "", f"{program} is {told.stdout.strip() or 'broken'} and {needed} is needed"
    return program, ""


def at_once(first: Run, *others: Run) -> None:
    """Run commands at once; what the others print comes behind what the first prints.

    Each gets where to print: None is where this program prints. The error of one is raised when
    all have ended.
    """
    with ExitStack() as files, ThreadPoolExecutor() as threads:
        running: list[tuple[Future[object], IO[str]]] = []
        for other in others:
            out = files.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8"))
            running.append((threads.submit(other, out), out))
        try:
            first(None)
        finally:
            for done, printed in running:
                done.exception()  # waits for its end
                printed.seek(0)
                print(printed.read(), end="", flush=True)
        for done, _ in running:
            done.result()


def find_node() -> tuple[str, str]:
    """Return the command of a Node that is new enough, or "" and the reason why there is none."""
    return find_program("node", r"v(\d+)\.", (NODE_OLDEST,))


@nox.session
def docs(session: nox.Session) -> None:
    """Build the site in `build/site`, with the wheels on it; check links, ids and the search."""
    install(session, "docs", "build")
    shutil.rmtree(WHEEL, ignore_errors=True)
    build_wheels(session, ROOT, WHEEL)
    tool(session, "site")
    # Neither -q nor -v: with the one --strict fails on nothing, with the other not on anchors.
    quiet = {"NO_MKDOCS_2_WARNING": "1"}
    session.run("mkdocs", "build", "--strict", *session.posargs, env=quiet)
    tool(session, "finish", SITE)
    node, trouble = find_node()
    if node:
        session.run(node, ASK, SITE, QUERIES, external=True)
    else:
        session.warn(f"NOT RUN: the queries of {QUERIES}, because {trouble}.")


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests, on all cores unless arguments are given."""
    install(session, "tests")
    install_npm(session, CANONICALIZE, "the hashes of arguments against Node")
    # Each process begins with a half of the files: what they make for all their tests is made once.
    session.run("pytest", *(session.posargs or ["-n", "auto", "--dist", "worksteal"]))


def install_npm(session: nox.Session, folder: str, what: str) -> None:
    """Install the npm packages of a folder, or say what is not run without them."""
    npm = shutil.which("npm")
    _, trouble = find_node()
    if npm is None:
        trouble = trouble or "there is no command `npm`"
    elif not trouble:
        options = ["--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"]
        if not succeeds(npm, "ci", *options, quiet=False):
            trouble = "`npm ci` failed (no network?)"
    if trouble:
        session.warn(f"NOT RUN: {what}, because {trouble}.")


@nox.session
def fuzz(session: nox.Session) -> None:
    """Look for inputs that break extraction, and for those on which ports differ.

    Forty minutes on two cores: the texts and cases take 10, properties with examples by chance 5,
    the fuzzer beside the fast path of the Node port 5, and the ports beside each other 15, with two
    seeds at once.
    """
    install(session, "fuzz")
    guided = nox.project.dependency_groups(PROJECT, "guided")
    # Where this fails, the fuzzer says that it is not guided, and is random.
    session.install("-c", CONSTRAINTS, *guided, success_codes=range(256))
    fuzzer = ["python", "-m", "tests.evidence.fuzzing.extraction"]
    if session.posargs:
        session.run(*fuzzer, *session.posargs)
        return
    session.run("pytest", "-n", "auto", "-q", "tests/evidence/fuzzing/everything.py")
    deep = ["-m", "hypothesis", "--hypothesis-profile", "deep"]
    session.run("pytest", "-n", "auto", "-q", *deep, "tests/contracts", JUDGES)

    def look(out: IO[str] | None) -> None:
        session.run(*fuzzer, "--seconds", "200", stdout=out)
        session.run(*fuzzer, "--seconds", "60", "--random", stdout=out)

    def read_fast(out: IO[str] | None) -> None:
        session.run(node, f"{JAVASCRIPT}/fast_path.mjs", "10", external=True, stdout=out)

    node, trouble = find_node()
    others = [f"{node} {NODE_PORT}"] if node else []
    at_once(look, *([read_fast] if node else []))
    if not node:
        session.warn(f"NOT RUN: the reference beside the Node port, because {trouble}.")
    if missing := build_crate(session):
        session.warn(f"NOT RUN: the reference beside the crate, because {missing}.")
    else:
        others.append(RUST_PORT)
    if others:
        ports = ["python", "-m", "tests.evidence.fuzzing.ports", "--seconds", "900"]

        def ask(seed: int) -> Run:
            return lambda out: session.run(*ports, f"--seed={seed}", "--", *others, stdout=out)

        at_once(ask(1), ask(2))


@nox.session
@nox.parametrize("folder", [nox.param(name, id=name) for name in SYSTEMS])
def systems(session: nox.Session, folder: str) -> None:
    """Ask the systems of a project the cases that they offer, and compare with what is recorded.

    `-- --record` writes tests/systems/reports anew. `-s "systems(vllm)"` asks one project.
    """
    install(session)
    where = f"tests/systems/{folder}"
    if (ROOT / where / "package.json").exists():
        install_npm(session, where, f"the systems in {where}")
    else:
        # Parsers need little of what their engines depend on.
        session.install("--no-deps", "-r", f"{where}/requirements.txt")
    # LiteLLM answers calls in the order of a set.
    session.env["PYTHONHASHSEED"] = "0"
    session.run("python", "-m", "tests.systems.record", folder, *session.posargs)


@nox.session
def templates(session: nox.Session) -> None:
    """Render the chat templates of models anew, compare with what is recorded of them, and read
    generated calls back.
    """
    install(session, "templates")
    session.run("python", "-m", "tests.evidence.templates.render", *session.posargs)
    session.run("python", "-m", "tests.evidence.templates.generated")


@nox.session
def planted(session: nox.Session) -> None:
    """Plant a fault of each kind in a copy where all passed before; the main job must find it."""
    install(session, "nox", package=False)
    session.run("python", "-m", "tests.repository.planted", *session.posargs)


@nox.session
def browser(session: nox.Session) -> None:
    """Open the built site in Chromium: axe in both themes, the keyboard, a phone, paper, bytes."""
    programs = map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))
    program = next(filter(None, programs), None)
    if program is None:
        session.error("there is no Chromium on the path")
    if not Path(SITE, "index.html").exists():
        session.error(f"there is no site in {SITE}; the session `docs` builds it")
    install(session, "browser", package=False)
    install_npm(session, AXE, "axe")
    chosen = session.posargs or ["-q", "-s", "tests/browser/site.py"]
    session.run("pytest", *chosen, env={"BROWSER": program})


@nox.session
def validators(session: nox.Session) -> None:
    """Ask published validators about what is sent for the strictest profile."""
    install(session, "validators")
    session.run("pytest", *session.posargs, "tests/evidence/validators/live.py")


@nox.session
def generators(session: nox.Session) -> None:
    """Give the bundled schemas to ajv in its strict mode; check the types of npm's package.

    `-- --write` writes reference/javascript/types anew.
    """
    install(session, "generators")
    if trouble := find_node()[1]:
        session.error(f"nothing can be generated without Node: {trouble}")
    install_npm(session, GENERATORS, "the generators")
    if session.posargs == ["--write"]:
        types = "reference/javascript/types"
        session.run(find_node()[0], f"{GENERATORS}/types.mjs", types, external=True)
    session.run("pytest", "-q", f"{GENERATORS}/typescript.py")


@nox.session
def integrations(session: nox.Session) -> None:
    """Run the pages of spec/use with the real packages, against a strict server of our own.

    `-- COUNT` holds so many conversations with each loop in place of 40.
    """
    install(session, "integrations", constraints=INTEGRATIONS)
    # The pages import each other's files; litellm would download prices.
    session.env.update({"PYTHONPATH": USE, "LITELLM_LOCAL_MODEL_COST_MAP": "True"})
    session.env["MYPYPATH"] = USE
    session.run("mypy", "--strict", *sorted(map(str, Path(USE).glob("*.py"))))
    # What the frameworks warn of is theirs.
    files = ("frameworks.py", "native.py")
    session.run(
        "pytest", "-W", "ignore", *(f"tests/evidence/integrations/{name}" for name in files)
    )
    session.run("python", "-m", "tests.evidence.interfaces.judges", "300")
    session.run(
        "python", "-m", "tests.evidence.integrations.conversations", *(session.posargs or ["40"])
    )


@nox.session
def plugs(session: nox.Session) -> None:
    """Run the gateway and the plugs with the clients and servers of others, on the loopback."""
    install(session, "plugs", constraints=str(ROOT / PLUGS / "constraints.txt"))
    install_npm(session, PLUGS, "the AI SDK and an agent of npm")
    session.env["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    files = [f"{PLUGS}/{name}.py" for name in ("clients", "litellm_proxy")]
    session.run("pytest", "-q", "-W", "ignore", *(session.posargs or files))


@nox.session
def servers(session: nox.Session) -> None:
    """Ask vLLM's request handling and llama-server, on the loopback, and compare with the record.

    `-- --record` writes tests/evidence/servers/live.json anew. The torch of PyPI, which vLLM gets
    here, brings three gigabytes of CUDA that nobody uses.
    """
    session.env["UV_OVERRIDE"] = str(Path(SERVERS).with_name("overrides.txt"))
    install(session, "servers", constraints=SERVERS)
    session.run("python", "-m", "tests.evidence.servers.live", *session.posargs)
    session.run("python", "-m", "tests.evidence.servers.native")
    session.run("python", "-m", "tests.evidence.plugs.vllm_parsers", *session.posargs)
    session.run("python", "-m", "tests.evidence.plugs.vllm_served")
    session.run("python", "-m", "tests.evidence.plugs.templates")


@nox.session
def javascript(session: nox.Session) -> None:
    """Pack the npm package, install it, and run it in Node, Bun and a browser, and its page."""
    install(session, "fuzz")
    if trouble := find_node()[1]:
        session.error(f"nothing can be run without Node: {trouble}")
    install_npm(session, JAVASCRIPT, "the npm package")
    session.run("pytest", "-q", "-rs", *session.posargs, f"{JAVASCRIPT}/package.py")


@nox.session
def pythons(session: nox.Session) -> None:
    """Ask the cases with each Python that is promised; run the tests of the contracts with others.

    Cases are for each that uv finds on this machine, and in Node for CPython 3.11.0 and 3.14; tests
    for one of each other minor version. `-- cases` leaves the tests out, and asks each Python every
    second case; other arguments are for pytest, and leave the cases out. The Python that runs this
    session is left to the sessions `reference` and `tests`.
    """
    install(session, "tests")
    found = find_pythons(session)
    if session.posargs in ([], ["cases"]):
        ask_cases(session, found)
    if session.posargs == ["cases"]:
        return
    wanted = [f"--with={each}" for each in nox.project.dependency_groups(PROJECT, "tests")]
    pinned = {"UV_CONSTRAINT": CONSTRAINTS, "UV_BUILD_CONSTRAINT": CONSTRAINTS}
    # What a patch changes shows in the cases; the session `tests` has the minor version of this.
    minors = {version.rpartition(".")[0]: python for version, python in found.items()}
    minors.pop(platform.python_version().rpartition(".")[0], None)
    for python in minors.values():
        isolated = ["uv", "run", "--no-project", "--isolated", "--python", python]
        pytest = ["pytest", "-q", *(session.posargs or ["-n", "auto", "tests/contracts"])]
        session.run(*isolated, "--with-editable=.", *wanted, *pytest, env=pinned)


def ask_cases(session: nox.Session, found: dict[str, str]) -> None:
    """Drive the reference with the Pythons that were found, and with those that Node runs."""
    site = f"{session.create_tmp()}/site"
    session.install("-c", CONSTRAINTS, "--target", site, *PROJECT["project"]["dependencies"])
    path = os.pathsep.join([site, str(ROOT / "reference" / "python")])
    adapters = {name: [python, "-m", "commoncall", "adapter"] for name, python in found.items()}
    install_npm(session, PYTHONS, "the cases with CPython 3.11.0 and 3.14 in Node")
    node, packages = find_node()[0], ROOT / PYTHONS / "node_modules"
    if node and packages.exists():
        oldest = str(packages / "python-wasm" / "bin" / "python-wasm")
        adapters["3.11.0 in Node"] = [node, oldest, "-m", "commoncall", "adapter"]
        adapters["3.14 in Node"] = [node, f"{PYTHONS}/pyodide.mjs", str(ROOT), site]
    # Those in Node, which take longest, go apart.
    names = sorted(adapters, key=lambda name: ("Node" not in name, name))
    chosen: dict[str, list[str]] = {name: [] for name in names}
    if session.posargs:
        # The session `reference` asks all; what a Python of its own gets wrong shows in many cases.
        files = sorted(ROOT.glob("fixtures/v1/*/*.json"))
        suites = [json.loads(file.read_bytes()) for file in files]
        ids = [case["id"] for suite in suites for case in suite["cases"]]
        for at, name in enumerate(names):
            chosen[name] = [f"--case={id}" for id in ids[at % 2 :: 2]]

    # Runner and adapter wait for each other, so that two of them fill two cores.
    def ask(names: list[str], out: IO[str] | None) -> None:
        for name in names:
            print(f"Python {name}", file=out, flush=True)
            command = ["commoncall", "conformance", *PATIENT, *chosen[name], "--", *adapters[name]]
            # Without a line of thousands of cases.
            session.run(*command, env={"PYTHONPATH": path}, stdout=out, log=False)

    at_once(lambda out: ask(names[::2], out), lambda out: ask(names[1::2], out))
    asked = {re.split(r"[. ]", name)[1] for name in [platform.python_version(), *adapters]}
    for row in PROJECT["project"]["classifiers"]:
        promised = re.fullmatch(r"Programming Language :: Python :: 3\.([0-9]+)", row)
        if promised and promised[1] not in asked:
            session.warn(f"NOT RUN: Python 3.{promised[1]}, because this machine has none.")


def find_pythons(session: nox.Session) -> dict[str, str]:
    """Return the commands of the Pythons that uv finds, on the path and where pyenv keeps them, by
    version: those that are new enough, but for the one that runs this.
    """
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    folders = [*os.get_exec_path(), *map(str, pyenv.glob("versions/*/bin"))]
    rows = session.run(
        *("uv", "python", "list", "--only-installed", "--output-format=json"),
        env={"PATH": os.pathsep.join(folders)},
        silent=True,
        stderr=subprocess.DEVNULL,
    )
    found = {
        each["version"]: each["path"]
        for each in reversed(json.loads(str(rows)))  # a shim of pyenv stands behind what it runs
        if each["implementation"] == "cpython"
        and (each["version_parts"]["major"], each["version_parts"]["minor"]) >= (3, 11)
    }
    found.pop(platform.python_version(), None)
    return found


@nox.session
def lint(session: nox.Session) -> None:
    """Run ruff: its rules, and its format."""
    install(session, "lint", package=False)
    session.run("ruff", "check", *session.posargs)
    session.run("ruff", "format", "--check", *session.posargs)


@nox.session
def types(session: nox.Session) -> None:
    """Run mypy in strict mode, and pyright on what a user of the package would write."""
    install(session, "types")
    session.run("mypy", *session.posargs)
    session.run("pyright", TYPED_USER)


@nox.session(venv_backend="none")
def rust(session: nox.Session) -> None:
    """Check the form of the crate in Rust, run its tests and examples, and package it."""
    cargo, trouble = find_cargo()
    if trouble:
        session.error(f"not without cargo: {trouble}")
    with session.chdir(RUST):
        session.run(cargo, "fmt", "--check", external=True)
        session.run(
            cargo, "clippy", "--locked", "--all-targets", "--", "-D", "warnings", external=True
        )
        session.run(cargo, "test", "--locked", "--quiet", external=True)
        # From the package alone, with its data: what a registry would build.
        session.run(
            *(cargo, "package", "--locked", "--quiet", "--allow-dirty", "-p", "commoncall"),
            external=True,
        )


@nox.session
def engine(session: nox.Session) -> None:
    """Build the crate for Python, and read the texts of all cases with it and without."""
    _, trouble = find_cargo()
    if trouble:
        session.error(f"not without cargo: {trouble}")
    install_engine(session)
    session.run("pytest", "-n", "auto", "-q", *session.posargs, "tests/evidence/engine/both.py")


def install_engine(session: nox.Session) -> None:
    """Install the tests, the package and its engine, which is built."""
    install(session, "fuzz")
    # Anew each time: nobody sees that a file of the crate beside it has changed.
    pinned = {"UV_BUILD_CONSTRAINT": CONSTRAINTS, "PIP_BUILD_CONSTRAINT": CONSTRAINTS}
    session.install("--force-reinstall", "--no-deps", ENGINE, env=pinned)


@nox.session
def speed(session: nox.Session) -> None:
    """Measure the crate beside crates of others, Python's decoder and the reference, in ratios.

    By hand, on a quiet machine. The first build of the others takes minutes.
    """
    cargo, trouble = find_cargo()
    if trouble:
        session.error(f"not without cargo: {trouble}")
    install_engine(session)
    target = {"CARGO_TARGET_DIR": f"{SPEED}/target"}
    manifest = ["--manifest-path", f"{SPEED}/Cargo.toml"]
    session.run(cargo, "build", "--release", "--locked", *manifest, env=target, external=True)
    evidence(session, "speed.measure")


@nox.session
def mutants(session: nox.Session) -> None:
    """Break the reference in each way that tests/evidence/mutants lists; a case must notice each.

    Without arguments, the Node port and the crate are misread as tests/evidence/mutants/node and
    rust list, and adapters that do nothing are scored; they must satisfy nothing.
    """
    install(session, "spec")
    if session.posargs:
        evidence(session, "adequacy.mutants", "reference", *session.posargs)
        return

    def judged(name: str, *program: str) -> Run:
        return lambda out: evidence(session, f"adequacy.{name}", *program, out=out)

    runs = [judged("mutants", "reference"), judged("trivial")]
    if missing := find_node()[1]:
        session.warn(f"NOT RUN: the wrong readings of {NODE_PORT}, because {missing}.")
    else:
        runs.append(judged("mutants", "node"))
    if missing := find_cargo()[1]:
        session.warn(f"NOT RUN: the wrong readings of the crate, because {missing}.")
    else:
        runs.append(judged("mutants", "crate"))
    at_once(*runs)


@nox.session
def artefacts(session: nox.Session) -> None:
    """Build in `dist` all that a release offers, twice: every byte must be the same. Then install
    each in an empty environment, and use it there.

    The second time Python's are built from the sdist, and the rest in a clone of the checkout.
    """
    if session.run("git", "status", "--porcelain", external=True, silent=True):
        session.error("artefacts are of a commit, and this checkout has changes that are in none")
    install(session, "spec", "build")
    first, again = Path("dist").resolve(), (Path(session.create_tmp()) / "again").resolve()
    clone = (Path(session.create_tmp()) / "clone").resolve()
    for folder in (first, again, clone):
        shutil.rmtree(folder, ignore_errors=True)
    session.run("git", "clone", "--quiet", str(ROOT), str(clone), external=True)
    session.run("python", "-m", "hatchling", "build", "-t", "sdist", "-d", str(first))
    [sdist] = first.glob("*.tar.gz")
    unpacked = unpack(sdist, again)
    with session.chdir(unpacked):
        session.run("python", "-m", "hatchling", "build", "-t", "sdist", "-d", str(again))
    for python, checkout, folder in ((ROOT, ROOT, first), (unpacked, clone, again)):
        build_wheels(session, python, str(folder))
        with session.chdir(checkout):
            pack_site(session, folder)
            pack_others(session, folder)
            pack_engine(session, folder)
    for built in sorted(first.iterdir()):
        if sha256(built) != sha256(again / built.name):
            session.error(f"{built.name} differs when it is built again")
    try_out(session, first)
    lines = [f"{sha256(each)}  {each.name}\n" for each in sorted(first.iterdir())]
    (first / "SHA256SUMS").write_text("".join(lines))
    for line in lines:
        size = (first / line.split()[1]).stat().st_size
        session.log(f"{size / 1e6:6.2f} MB  {line.strip()}")


def unpack(sdist: Path, folder: Path) -> Path:
    """Unpack an sdist below a folder, and return its root."""
    with tarfile.open(sdist) as archive:
        # `filter=` came with Python 3.11.4.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(folder)
    return folder / sdist.name.removesuffix(".tar.gz")


def pack_site(session: nox.Session, folder: Path) -> None:
    """Build the site in this checkout, and pack it in a folder."""
    session.run(sys.executable, "noxfile.py", "-s", "docs", external=True)
    tool(session, "release.bundle", SITE, str(folder))


def pack_others(session: nox.Session, folder: Path) -> None:
    """Pack in a folder the bundle for ports, npm's package and the crate of this checkout."""
    # As the site offers them: `npm pack` compresses otherwise, and one file would have two digests.
    for packed in ("commoncall-fixtures-*.tar.gz", "*.tgz"):
        for archive in Path(SITE, "download").glob(packed):
            shutil.copy(archive, folder)
    cargo = find_cargo()
    if cargo[0]:
        target = (Path(session.create_tmp()) / "crate").resolve()
        shutil.rmtree(target, ignore_errors=True)
        command = [cargo[0], "package", "-p", "commoncall", "--locked", "--quiet", "--allow-dirty"]
        with session.chdir(RUST):
            # The session `rust` builds what is packaged.
            session.run(*command, "--no-verify", "--target-dir", str(target), external=True)
        for crate in (target / "package").glob("*.crate"):
            shutil.copy(crate, folder)
    else:
        session.warn(f"NOT BUILT: the crate, because {cargo[1]}.")


def pack_engine(session: nox.Session, folder: Path) -> None:
    """Build the sdist of the engine in a folder, and from it the wheel for this platform.

    rustc writes the folder of the sources into what it builds, so the wheel is always built in the
    same one, below the temporary folder of the system.
    """
    if trouble := find_cargo()[1]:
        session.warn(f"NOT BUILT: the engine, because {trouble}.")
        return
    with session.chdir(ENGINE):
        session.run(*MATURIN, "sdist", "-o", str(folder))
    [sdist] = folder.glob("commoncall_engine-*.tar.gz")
    build = Path(tempfile.gettempdir()) / "commoncall-engine"
    shutil.rmtree(build, ignore_errors=True)
    home = os.environ.get("CARGO_HOME", str(Path.home() / ".cargo"))
    fixed = {"SOURCE_DATE_EPOCH": "315532800", "RUSTFLAGS": f"--remap-path-prefix={home}=/cargo"}
    with session.chdir(unpack(sdist, build)):
        wheel = ["build", "--release", "--locked", "--compatibility", "linux", "-o", str(folder)]
        session.run(*MATURIN, *wheel, env=fixed)
    shutil.rmtree(build)


def try_out(session: nox.Session, folder: Path) -> None:
    """Install the packages of a folder in empty environments, and use them; write what is in them
    as a bill of materials.
    """
    empty = (Path(session.create_tmp()) / "empty").resolve()
    [wheel] = folder.glob("commoncall-*.whl")
    extras = "kit,fast" if [*folder.glob("commoncall_engine-*.whl")] else "kit"
    wanted = ["--find-links", str(folder), f"commoncall[{extras}]=={wheel.name.split('-')[1]}"]
    pythons = {platform.python_version(): sys.executable, **find_pythons(session)}
    for version, python in pythons.items():
        session.log(f"the wheels in Python {version}")
        shutil.rmtree(empty, ignore_errors=True)
        session.run("uv", "venv", "--quiet", "--python", python, str(empty))
        inside = str(empty / "bin" / "python")
        session.run("uv", "pip", "install", "-q", "-c", CONSTRAINTS, "--python", inside, *wanted)
        command = str(empty / "bin" / "commoncall")
        basic = ["conformance", "--level", "basic", "--", command, "adapter"]
        session.run(command, *basic, external=True, silent=True)
    # In an environment of its own: it needs more than all else that a release needs.
    reader = ["uvx", "--from", SBOM, "cyclonedx-py", "environment", str(empty / "bin" / "python")]
    session.run(*reader, "--output-reproducible", "-o", str(folder / "commoncall.cdx.json"))
    for package in folder.glob("*.tgz"):
        for node in ("the one here", *NODES):
            session.log(f"npm's package in Node {node}")
            shutil.rmtree(empty)
            empty.mkdir()
            install_it = ["npm", "install", "--silent", "--prefix", str(empty), str(package)]
            session.run(*install_it, *([f"node@{node}"] if node in NODES else []), external=True)
            own = empty / "node_modules" / ".bin" / "node"
            with session.chdir(empty):
                session.run(str(own) if own.exists() else "node", "-e", USE_NPM, external=True)


def build_wheels(session: nox.Session, root: Path, folder: str) -> None:
    """Build the wheels of `commoncall` and `commoncall-kit` in a folder below a checkout."""
    output = str((root / folder).resolve())
    for project in (root.resolve(), (root / KIT).resolve()):
        with session.chdir(project):
            session.run("python", "-m", "hatchling", "build", "-t", "wheel", "-d", output)


def sha256(path: Path) -> str:
    """Return the hexadecimal SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


@nox.session(python=False)
def sizes(session: nox.Session) -> None:
    """Print how large the parts of the repository are, beside what each should come to."""
    tool(session, "sizes")


def main_job() -> None:
    """Run the main job in two processes: the site takes as long as all else."""

    def run(sessions: list[str], out: IO[str] | None, *before: str) -> None:
        command = [*before, sys.executable, str(ROOT / "noxfile.py"), "-s", *sessions]
        subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, check=True)

    site = ["docs"]
    others = [name for name in MAIN_JOB if name not in site]
    # They are done before the site also where it goes first.
    patient = ["nice"] if shutil.which("nice") else []
    try:
        at_once(lambda out: run(others, out, *patient), lambda out: run(site, out))
    except subprocess.CalledProcessError:
        sys.exit(1)  # nox has said what failed


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.argv[1:1] = ["--noxfile", str(ROOT / "noxfile.py")]
        nox.main()
    else:
        main_job()
