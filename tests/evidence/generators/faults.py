"""Generators of types, and a strict validator, read the bundled schemas.

``python -m tests.evidence.generators.faults`` asks them about the values of ``values.py``: a right
value must be accepted by all, a wrong one refused by ajv. Models generated for Python or TypeScript
cannot refuse all that is wrong. ``--write`` writes the types of the npm package, too.
"""

import argparse
import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.evidence.generators.values import GARBAGE, Value, values
from tools.fixtures.authored import ROOT
from tools.fixtures.schemas import BUNDLED

HERE = Path(__file__).parent
TYPES = ROOT / "reference" / "javascript" / "types"
MODELS = "datamodel-code-generator"
TYPESCRIPT, QUICKTYPE = "json-schema-to-typescript", "quicktype"
GENERATED = (TYPESCRIPT, QUICKTYPE)
OPTIONS = (
    *("--input-file-type", "jsonschema", "--output-model-type", "pydantic_v2.BaseModel"),
    *("--target-python-version", "3.11", "--formatters", "builtin", "--disable-timestamp"),
)
STRICT = ("--strict", "--noEmit", "--target", "es2022", "--module", "nodenext")
NAMED = {
    MODELS: re.compile(r"^class (\w+)\(", re.MULTILINE),
    **dict.fromkeys(GENERATED, re.compile(r"^export (?:interface|type) (\w+)", re.MULTILINE)),
}


def main() -> int:
    """Print the faults, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the types of the npm package")
    write: bool = parser.parse_args().write
    with TemporaryDirectory(dir=HERE) as folder:  # below node_modules, for the imports of modules
        found = faults(Path(folder))
    for fault in found:
        print(f"generators: {fault}", file=sys.stderr)
    if write and not found:
        node("types.mjs", str(TYPES))
    return int(bool(found))


def faults(folder: Path) -> list[str]:
    """Generate in a folder, judge all values, and return what is wrong."""
    asked = list(values())
    lines = (f'["{each.schema}", {each.text}]\n' for each in asked)
    (folder / "values.jsonl").write_text("".join(lines), encoding="utf-8", newline="\n")
    node("generate.mjs", str(folder))
    schemas = read_schemas()
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda name: to_models(name, folder), schemas))
    accepted = {
        name: set(indexes)
        for name, indexes in json.loads((folder / "found.json").read_bytes()).items()
    }
    accepted[MODELS] = set(accepted_by_models(asked, schemas, folder))
    types = {each: dict(named_types(each, schemas, folder)) for each in (*GENERATED, MODELS)}
    found = [
        f"{generator}: {name} has no type {title}"
        for generator, names in types.items()
        for name, schema in schemas.items()
        for title in sorted(to_be_named(generator, schema) - set(names[name]))
    ]
    for judge, indexes in accepted.items():
        wrong = [each for at, each in enumerate(asked) if each.valid and at not in indexes]
        found += [f"{judge} refuses {each.schema}: {each.text[:200]}" for each in wrong]
    found += [
        f"ajv accepts {asked[at].schema}: {asked[at].text[:200]}"
        for at in sorted(accepted["ajv"])
        if not asked[at].valid
    ]
    found += [
        f"{judge} takes anything for {asked[at].schema}"
        for judge, indexes in accepted.items()
        for at in sorted(indexes)
        if asked[at].text == json.dumps(GARBAGE)
    ]
    for generator in GENERATED:
        found += compile_types(folder / generator)
    return found


def read_schemas() -> dict[str, Any]:
    """Return the bundled schemas by contract, operation and side."""
    return {
        file.relative_to(ROOT / BUNDLED).as_posix().removesuffix(".schema.json"): json.loads(
            file.read_bytes()
        )
        for file in sorted((ROOT / BUNDLED).rglob("*.schema.json"))
    }


def node(script: str, *arguments: str) -> None:
    """Run a script of this folder."""
    subprocess.run(["node", str(HERE / script), *arguments], check=True)


def to_models(name: str, folder: Path) -> None:
    """Let datamodel-code-generator write the models of a schema; what it warns of is its own."""
    source, target = ROOT / BUNDLED / f"{name}.schema.json", models_file(name, folder)
    target.parent.mkdir(exist_ok=True)
    command = [sys.executable, "-W", "ignore", "-m", "datamodel_code_generator", *OPTIONS]
    command += ["--input", str(source), "--output", str(target)]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)


def models_file(name: str, folder: Path) -> Path:
    """Return where the models of a schema stand."""
    return folder / MODELS / f"{name.replace('/', '_').replace('.', '_')}.py"


def accepted_by_models(
    asked: Sequence[Value], schemas: Mapping[str, Any], folder: Path
) -> Iterator[int]:
    """Yield which values the models accept, as pydantic reads JSON where it is strict.

    There it takes no 1.0 for an integer, as a schema does: whole numbers are written as such first.
    """
    models: dict[str, Callable[..., object]] = {}
    for name, schema in schemas.items():
        file = models_file(name, folder)
        spec = importlib.util.spec_from_file_location(file.stem, file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[file.stem] = module
        spec.loader.exec_module(module)
        models[name] = getattr(module, schema["title"]).model_validate_json
    for at, each in enumerate(asked):
        try:
            text = json.dumps(json.loads(each.text, parse_float=whole))
            models[each.schema](text, strict=True)
        except ValueError:
            continue
        yield at


def whole(text: str) -> int | float:
    """Return a number with a fraction; one whose fraction is zero as an integer."""
    number = float(text)
    return int(number) if number.is_integer() else number


def named_types(
    generator: str, schemas: Mapping[str, Any], folder: Path
) -> Iterator[tuple[str, list[str]]]:
    """Yield the names of the types that a generator wrote of each schema."""
    for name in schemas:
        file = models_file(name, folder)
        if generator != MODELS:
            file = folder / generator / f"{name.replace('/', '.')}.ts"
        yield name, NAMED[generator].findall(file.read_text(encoding="utf-8"))


def to_be_named(generator: str, schema: Any) -> set[str]:
    """Return the definitions that a generator has to name, and the root.

    What can be anything needs no name. json-schema-to-typescript gives none to what an empty list
    would hold; quicktype makes one type of all objects of a union, and names objects and lists of
    values only.
    """
    definitions = {**schema.get("$defs", {}), schema["title"]: schema}
    needed = {schema["title"], *references(generator, schema)}
    return {
        title
        for title in needed
        if definitions[title].get("anyOf") != [True]
        and (generator != QUICKTYPE or named_by_quicktype(definitions[title]))
    }


def named_by_quicktype(schema: Mapping[str, Any]) -> bool:
    """Whether a definition is an object or a list of values: a text or an object is neither."""
    of_one_kind = all("const" not in each for each in schema.get("oneOf", []))
    return bool(schema.keys() & {"properties", "enum", "oneOf"}) and of_one_kind


def references(generator: str, node: Any) -> Iterator[str]:
    """Yield the definitions that a schema refers to where a generator would name them."""
    if isinstance(node, list):
        for each in node:
            yield from references(generator, each)
    elif isinstance(node, dict) and (node.get("maxItems") != 0 or generator != TYPESCRIPT):
        for key, value in node.items():
            if key == "$ref":
                yield value.removeprefix("#/$defs/")
            elif key != "oneOf" or generator != QUICKTYPE:
                yield from references(generator, value)
            else:
                yield from references(generator, [each for each in value if "$ref" not in each])


def compile_types(folder: Path) -> list[str]:
    """Return what ``tsc --strict`` has against the files of a folder."""
    command = [str(HERE / "node_modules/.bin/tsc"), *STRICT, *map(str, sorted(folder.glob("*.ts")))]
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout.splitlines()


if __name__ == "__main__":
    sys.exit(main())
