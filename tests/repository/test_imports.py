"""Who may import whom. The directions keep contracts apart and the runtime small."""

import ast
import functools
import json
import subprocess
import sys
from collections.abc import Set
from pathlib import Path

import pytest

from tests import syntax
from tests.each import check_each

CONTRACTS = {"payload", "capability", "event", "extraction", "turn"}
SHARED = {
    "border",
    "call_object",
    "dialect_data",
    "envelope",
    "json_object",
    "json_text",
    "places",
    "stated_capability",
}
"""What contracts may have in common."""

IMPORTERS = {"operations", "scanning.lines", "scanning.texts"}
"""The modules that may import contracts, beside the contracts themselves and the command."""

KIT = ("suite", "drive", "verdict")
"""The parts of the kit; each may import those before it. What puts them together stands above."""

BESIDE = {"capability.check", "capability.importers", "capability.search_path"}
"""Parts that stand beside a contract: it never imports them, and nobody does during a turn."""

DEPENDENCIES = {"rfc8785"}
EXTRAS = {
    "judging": {"jsonschema", "referencing"},
    "cli.terminal": {"rich"},
    "scale.spark": {"pyarrow", "pyspark"},
    "scale.duckdb": {"duckdb"},
}
"""What needs an extra. Nothing else imports it, but for a command that writes to a terminal."""

BARE = {
    "border",
    "call_object",
    "dialect_data",
    "envelope",
    "extraction",
    "json_object",
    "json_text",
    "printable",
}
"""What `extract` needs of this package, beside the command's own files."""

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

SOURCE = Path(__file__).resolve().parents[2] / "reference" / "python" / "commoncall"


def name_of(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in sorted(SOURCE.rglob("*.py"))}


def imports(module: str) -> Set[str]:
    """Return the absolute names that a module imports, wherever in it."""
    return imported(MODULES[module])


@functools.cache
def imported(file: Path) -> Set[str]:
    """Return the same of a file of Python."""
    found: set[str] = set()
    for node in syntax.imports(syntax.tree(file)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        else:
            assert node.level == 0, f"{file} imports relatively"
            assert node.module is not None
            # "from commoncall import payload" names a module, "from x import y" may.
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def ours(module: str) -> set[str]:
    """Return the modules of this package that a module imports."""
    names = {name.removeprefix("commoncall.") for name in imports(module)}
    return {name for name in names if name in MODULES and name}


def part(module: str) -> str:
    return module.split(".")[0]


def test_there_is_something_to_check() -> None:
    assert {"json_text", "envelope", "payload", "extraction", "cli"} <= set(MODULES)
    assert "payload" in ours("operations")


def test_the_runtime_needs_the_standard_library_and_rfc8785_only() -> None:
    def check(module: str) -> None:
        roots = {name.split(".")[0] for name in imports(module)}
        extra = EXTRAS.get(module, set())
        assert roots <= sys.stdlib_module_names | DEPENDENCIES | {"commoncall"} | extra

    check_each(((name, name) for name in MODULES), check)
    extras = EXTRAS.keys() - {"cli.terminal"}
    assert not [name for name in MODULES if ours(name) & extras]


def test_a_contract_imports_itself_and_what_is_shared() -> None:
    def check(module: str) -> None:
        allowed = {part(module)} | SHARED | (CONTRACTS if part(module) == "turn" else set())
        assert {part(name) for name in ours(module)} <= allowed

    check_each(((name, name) for name in MODULES if part(name) in CONTRACTS), check)


def is_beside(module: str) -> bool:
    return any(module == one or module.startswith(f"{one}.") for one in BESIDE)


def test_what_stands_beside_a_contract_is_imported_by_itself_and_the_command_only() -> None:
    assert MODULES.keys() >= BESIDE
    for module in MODULES:
        if not is_beside(module) and part(module) != "cli":
            assert not [name for name in ours(module) if is_beside(name)], module


def test_what_is_shared_is_at_the_bottom() -> None:
    assert ours("json_text") == set()
    assert ours("envelope") <= {"json_text"}
    assert ours("places") <= {"envelope"}
    assert ours("stated_capability") == set()
    assert ours("dialect_data") == set()


def test_only_the_command_and_few_others_import_contracts() -> None:
    def check(module: str) -> None:
        found = {name for name in ours(module) if part(name) in CONTRACTS}
        assert not found or part(module) == "cli" or module in IMPORTERS

    check_each(((name, name) for name in MODULES if part(name) not in CONTRACTS), check)


def test_the_kit_knows_neither_the_command_nor_its_own_adapter() -> None:
    def check(module: str) -> None:
        assert not {
            name for name in ours(module) if part(name) == "cli" or name == "kit.drive.adapter"
        }

    check_each(((name, name) for name in MODULES if part(name) == "kit"), check)


def test_a_part_of_the_kit_imports_itself_and_the_parts_before_it() -> None:
    def check(module: str) -> None:
        allowed = KIT[: KIT.index(module.split(".")[1]) + 1]
        kit = {name for name in ours(module) if part(name) == "kit"}
        assert {name.split(".")[1] for name in kit - {"kit"}} <= set(allowed)

    parts = [name for name in MODULES if name.startswith(tuple(f"kit.{each}." for each in KIT))]
    assert {name.split(".")[1] for name in parts} == set(KIT)
    check_each(((name, name) for name in parts), check)


def test_no_tool_imports_a_test(root: Path) -> None:
    tools = sorted((root / "reference/tools").rglob("*.py"))
    assert tools
    assert not [str(file) for file in tools if "tests" in map(part, imported(file))]


def test_the_package_itself_imports_nothing() -> None:
    assert imports("") == set()


def loaded(*arguments: str) -> set[str]:
    """Return the modules that a process has loaded when the command has ended."""
    code = "import json, sys\nfrom commoncall.cli import main\n"
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


def loaded_of_ours(modules: set[str]) -> set[str]:
    names = {name.partition(".")[2] for name in modules if part(name) == "commoncall"} - {""}
    return {part(name) for name in names if part(name) != "cli"}


@pytest.mark.parametrize("option", [[], ["--stream"]])
def test_extract_loads_what_it_needs_only(option: list[str]) -> None:
    modules = loaded("extract", "--tool", "f", *option)
    assert loaded_of_ours(modules) == BARE
    assert {name for name in modules if name.startswith("commoncall.cli.")} == {
        "commoncall.cli.console",
        "commoncall.cli.extract",
    }
    assert not modules & HEAVY


def test_the_adapter_loads_nothing_that_drives_one() -> None:
    modules = loaded("adapter")
    kit = {name for name in modules if name.startswith("commoncall.kit.")}
    assert kit == {
        "commoncall.kit.drive",
        "commoncall.kit.drive.adapter",
        "commoncall.kit.drive.protocol",
        "commoncall.kit.suite",
        "commoncall.kit.suite.spelled",
    }
    assert not {name for name in modules if name.startswith("tools")}


def test_the_command_itself_loads_no_contract_and_no_kit() -> None:
    code = "import json, sys; import commoncall.cli; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert loaded_of_ours(set(json.loads(done.stdout))) == {"printable"}
