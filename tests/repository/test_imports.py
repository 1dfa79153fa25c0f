"""Who may import whom. The directions keep contracts apart and the runtime small."""

import json
import subprocess
import sys
from collections.abc import Iterator, Set
from pathlib import Path

from tests import syntax
from tests.each import check_each

CORE, KIT, SERVE, TOOLS = PACKAGES = (
    "commoncall",
    "commoncall_kit",
    "commoncall_serve",
    "commoncall_tools",
)
"""The packages; each may import those before it."""

CONTRACTS = {"payload", "capability", "event", "extraction", "turn", "interface"}
SHARED = {
    "border",
    "call_object",
    "dialect_data",
    "envelope",
    "forms",
    "growing",
    "json_object",
    "json_text",
    "names",
    "near",
    "operation",
    "packaged",
    "places",
    "stated_capability",
}
"""What contracts may have in common."""

ABOVE = {"commoncall.__main__"}
"""The module of the core that leads to the command."""

IMPORTERS = {"commoncall.operations"}
"""The modules of the core that may import contracts, beside the contracts themselves."""

KIT_USERS = {f"commoncall_tools.{name}" for name in ("explain", "suite", "survey")}
"""The commands that may import the kit, which users do not have."""

KIT_PARTS = ("suite", "drive", "verdict")
"""The parts of the kit; each may import those before it. What puts them together stands above."""

DEPENDENCIES = {"rfc8785"}
EXTRAS = {
    "commoncall.judging": {"jsonschema", "referencing"},
    "commoncall_serve.asking": {"httpx"},
    "commoncall_serve.client": {"starlette"},
    "commoncall_serve.gateway": {"httpx", "starlette"},
    "commoncall_serve.litellm_hook": {"fastapi", "litellm"},
    "commoncall_serve.run": {"uvicorn"},
    "commoncall_serve.vllm_plugin": {"vllm"},
    "commoncall_serve.work": {"httpx", "starlette"},
}
"""What needs an extra. Nothing else imports it."""

BARE = {
    "border",
    "call_object",
    "dialect_data",
    "envelope",
    "extraction",
    "forms",
    "json_object",
    "json_text",
    "names",
    "near",
    "operation",
    "packaged",
    "places",
    "printable",
}
"""What `extract` needs of the core."""

HEAVY = {
    "asyncio",
    "hashlib",
    "importlib.metadata",
    "jsonschema",
    "pathlib",
    "random",
    "subprocess",
    "tempfile",
    "uuid",
    "xml",
    "yaml",
}
"""What takes its time to import, and is not needed to extract."""

SOURCE = Path(__file__).resolve().parents[2] / "reference" / "python"


MODULES = {
    syntax.module_name(SOURCE, path): path
    for one in PACKAGES
    for path in sorted((SOURCE / one).rglob("*.py"))
}


def imports(module: str) -> Set[str]:
    """Return the absolute names that a module imports, wherever in it."""
    return syntax.imported(MODULES[module])


def ours(module: str) -> set[str]:
    """Return the modules of the packages that a module imports."""
    return {name for name in imports(module) if name in MODULES and name not in PACKAGES}


def package(module: str) -> str:
    return module.split(".")[0]


def part(module: str) -> str:
    """Return what a module is part of in its package."""
    return ".".join(module.split(".")[1:2])


def of(name: str) -> Iterator[str]:
    """Give the modules of a package."""
    return (module for module in MODULES if package(module) == name)


def test_there_is_something_to_check() -> None:
    wanted = {"commoncall.json_text", "commoncall.payload", "commoncall_kit.runner"}
    assert MODULES.keys() >= {*wanted, "commoncall_tools.check"}
    assert "commoncall.payload.operations" in ours("commoncall.operations")


def test_a_package_imports_those_before_it() -> None:
    """The core is held without the others, but for `python -m commoncall` and what has moved."""

    def check(module: str) -> None:
        allowed = PACKAGES[: PACKAGES.index(package(module)) + 1]
        assert {package(name) for name in ours(module)} <= set(allowed)

    check_each(((name, name) for name in MODULES if name not in ABOVE), check)


def test_the_runtime_needs_the_standard_library_and_rfc8785_only() -> None:
    def check(module: str) -> None:
        roots = {name.split(".")[0] for name in imports(module)}
        extra = EXTRAS.get(module, set())
        assert roots <= sys.stdlib_module_names | DEPENDENCIES | {*PACKAGES} | extra

    check_each(((name, name) for name in MODULES), check)
    users = {name for name in MODULES if ours(name) & EXTRAS.keys() and package(name) != SERVE}
    assert users == {"commoncall_tools.serve"}  # which looks whether they are there


def test_a_contract_imports_itself_and_what_is_shared() -> None:
    def check(module: str) -> None:
        allowed = {part(module)} | SHARED | (CONTRACTS if part(module) == "turn" else set())
        assert {part(name) for name in ours(module)} <= allowed

    check_each(((name, name) for name in of(CORE) if part(name) in CONTRACTS), check)


def test_what_is_shared_is_at_the_bottom() -> None:
    assert ours("commoncall.json_text") == set()
    assert ours("commoncall.envelope") <= {"commoncall.json_text"}
    assert ours("commoncall.places") <= {"commoncall.envelope"}
    assert ours("commoncall.stated_capability") == set()
    assert ours("commoncall.dialect_data") == {"commoncall.packaged"}


def test_few_others_import_contracts() -> None:
    def check(module: str) -> None:
        found = {name for name in ours(module) if part(name) in CONTRACTS}
        assert not found or module in IMPORTERS

    check_each(((name, name) for name in of(CORE) if part(name) not in CONTRACTS), check)
    check_each(((name, name) for name in of(KIT)), check)


def test_a_command_of_users_does_without_the_kit() -> None:
    importing = {name for name in of(TOOLS) if KIT in map(package, imports(name))}
    assert importing == KIT_USERS


def test_the_kit_does_not_know_the_adapter_of_the_reference() -> None:
    assert not [name for name in of(KIT) if "commoncall.adapter" in ours(name)]


def test_a_part_of_the_kit_imports_itself_and_the_parts_before_it() -> None:
    def check(module: str) -> None:
        allowed = KIT_PARTS[: KIT_PARTS.index(part(module)) + 1]
        assert {part(name) for name in ours(module) if package(name) == KIT} <= set(allowed)

    parts = [name for name in of(KIT) if part(name) in KIT_PARTS]
    assert {part(name) for name in parts} == set(KIT_PARTS)
    check_each(((name, name) for name in parts), check)


def test_no_tool_imports_a_test(root: Path) -> None:
    tools = sorted((root / "reference/tools").rglob("*.py"))
    assert tools
    assert not [str(file) for file in tools if "tests" in map(package, syntax.imported(file))]


def test_the_package_itself_imports_nothing() -> None:
    assert imports("commoncall") == set()


def loaded(*arguments: str) -> set[str]:
    """Return the modules that a process has loaded when the command has ended."""
    code = "import json, sys\nfrom commoncall_tools import main\n"
    code += "main(sys.argv[1:])\nprint(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    # -S: what an environment loads at its start (a .pth file of another package) is not ours.
    done = subprocess.run(
        [
            sys.executable,
            "-S",
            "-c",
            f"import sys; sys.path[:0] = {sys.path!r}\n{code}",
            *arguments,
        ],
        input=b"" if arguments == ("adapter",) else b"One.",
        capture_output=True,
        check=True,
    )
    return set(json.loads(done.stderr.splitlines()[-1]))


def parts_of(name: str, modules: set[str]) -> set[str]:
    """Return which parts of a package are among loaded modules."""
    return {part(module) for module in modules if package(module) == name} - {""}


def test_extract_loads_what_it_needs_only() -> None:
    modules = loaded("extract", "--tool", "f")
    assert parts_of(CORE, modules) == BARE
    assert parts_of(TOOLS, modules) == {"console", "extract", "kit"}
    assert parts_of(KIT, modules) == set()
    assert not modules & HEAVY


def test_the_adapter_loads_no_kit() -> None:
    modules = loaded("adapter")
    assert parts_of(KIT, modules) == set()
    assert not {name for name in modules if package(name) == "tools"}


def test_the_command_itself_loads_no_contract_and_no_kit() -> None:
    code = "import json, sys; import commoncall_tools; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    modules = set(json.loads(done.stdout))
    assert parts_of(CORE, modules) == {"near", "printable"}
    assert parts_of(KIT, modules) == set()
