"""The bundled schemas before a strict validator, and the types of the npm package: made of the
schemas, packed, used by a program, held to the cases.

Not named `test_...`: the session `generators` names it, since it needs npm packages.
"""

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.evidence.generators.values import values
from tools.fixtures.schemas import BUNDLED

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
PACKAGE = ROOT / "reference" / "javascript"
TYPES = PACKAGE / "types"
USER = ROOT / "tests" / "javascript" / "user.ts"
STRICT = "--strict --noEmit --exactOptionalPropertyTypes --noUncheckedIndexedAccess"
LANGUAGE = "--target es2022 --lib es2022"
RESOLUTIONS = {"nodenext": "nodenext", "esnext": "bundler"}
"""How a program finds a package: as Node does, and as bundlers do."""

EXPORT = re.compile(r"^export (?:declare )?(?:function|const|class) (\w+)", re.MULTILINE)


def run(*command: str | Path, cwd: Path = ROOT, given: str = "") -> str:
    done = subprocess.run(
        command, cwd=cwd, input=given, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tool(name: str) -> Path:
    return HERE / "node_modules" / ".bin" / name


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty project with the packed package and the user's file."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    run("npm", "pack", "--silent", "--pack-destination", folder, cwd=PACKAGE)
    [tarball] = folder.glob("*.tgz")
    run("npm", "install", "--offline", "--no-audit", "--no-fund", tarball, cwd=folder)
    (folder / "user.ts").write_bytes(USER.read_bytes())
    return folder


def test_a_strict_validator_accepts_what_the_schemas_accept() -> None:
    asked = list(values())
    lines = "".join(f'["{each.schema}", {each.text}]\n' for each in asked)
    accepted = {*json.loads(run("node", HERE / "strict.mjs", given=lines))}
    assert [each for at, each in enumerate(asked) if each.valid != (at in accepted)] == []


def test_the_recorded_types_are_those_of_the_schemas(tmp_path: Path) -> None:
    run("node", HERE / "types.mjs", tmp_path)
    made = {file.name: file.read_text(encoding="utf-8") for file in tmp_path.iterdir()}
    assert made == {file.name: file.read_text(encoding="utf-8") for file in TYPES.iterdir()}


def test_what_is_exported_is_declared_and_nothing_else() -> None:
    names = "import('commoncall').then((all) => console.log(JSON.stringify(Object.keys(all))))"
    exported = json.loads(run("node", "-e", names.replace("commoncall", f"{PACKAGE}/index.mjs")))
    assert sorted(exported) == sorted(declared())


def declared() -> list[str]:
    """What the declarations beside the modules declare."""
    files = [file.read_text(encoding="utf-8") for file in PACKAGE.glob("*/*.d.mts")]
    # A function has a declaration for each way to call it.
    return [*dict.fromkeys(name for text in files for name in EXPORT.findall(text))]


def compiled(folder: Path, module: str, *files: str) -> None:
    resolution = ["--module", module, "--moduleResolution", RESOLUTIONS[module]]
    run(tool("tsc"), *STRICT.split(), *LANGUAGE.split(), *resolution, *files, cwd=folder)


def test_the_cases_are_of_the_types(project: Path) -> None:
    constants: dict[str, list[str]] = {}
    for each in values():
        if each.case and each.valid:
            constants.setdefault(each.schema, []).append(json.dumps(json.loads(each.text)))
    assert sum(map(len, constants.values())) > 7000
    for name, texts in constants.items():
        title = json.loads((ROOT / BUNDLED / f"{name}.schema.json").read_bytes())["title"]
        lines = [f"export const v{at}: {title} = {text};" for at, text in enumerate(texts)]
        head = f"import type {{{title}}} from 'commoncall';"
        (project / f"case.{name.replace('/', '.')}.ts").write_text("\n".join([head, *lines]))
    compiled(project, "nodenext", *(file.name for file in project.glob("case.*.ts")))


@pytest.mark.parametrize("module", RESOLUTIONS)
def test_a_program_compiles_and_its_faults_are_found(module: str, project: Path) -> None:
    compiled(project, module, "user.ts")


def test_without_its_marks_each_fault_is_named(project: Path) -> None:
    lines = USER.read_text(encoding="utf-8").splitlines()
    marked = [at for at, line in enumerate(lines) if "@ts-expect-error" in line]
    bare = [line if at not in marked else "" for at, line in enumerate(lines)]
    (project / "bare.ts").write_text("\n".join(bare))
    with pytest.raises(AssertionError) as found:
        compiled(project, "nodenext", "bare.ts")
    named = {int(line) for line in re.findall(r"bare\.ts\((\d+),", str(found.value))}
    assert len(named) == len(marked) >= 25


def test_every_function_is_used() -> None:
    used = USER.read_text(encoding="utf-8")
    body = used.partition("// payload")[2]
    for name in declared():
        assert re.search(rf"\b{name}\b", body), name


def test_the_types_are_found_in_every_way_that_modules_are(project: Path) -> None:
    [tarball] = project.glob("*.tgz")
    run(tool("attw"), tarball, "--profile", "esm-only")
