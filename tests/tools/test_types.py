"""The types of the npm package are made from these schemas (``tests/evidence/generators``)."""

import hashlib
import json
from pathlib import Path

BUNDLED = "schemas/v1/bundled"
TYPES = "reference/javascript/types"


def test_the_recorded_types_are_made_from_these_schemas(root: Path) -> None:
    files = sorted((root / BUNDLED).rglob("*.json"), key=lambda file: file.as_posix())
    codes = json.loads((root / "fixtures/v1/manifest.json").read_bytes())["codes"]["errors"]
    texts = [file.read_text(encoding="utf-8") for file in files]
    texts += [f"{row['code']}: {row['meaning']}\n" for row in codes]
    digest = hashlib.sha256("".join(texts).encode()).hexdigest()
    files = sorted((root / TYPES).iterdir())
    seconds = {file.read_text(encoding="utf-8").splitlines()[1] for file in files}
    assert seconds == {f"// {digest}"}, "python3 noxfile.py -s generators -- --write"
    contracts = {each.name for each in (root / BUNDLED).iterdir()}
    assert {file.name.removesuffix(".d.ts") for file in files} == {*contracts, "errors", "profile"}
