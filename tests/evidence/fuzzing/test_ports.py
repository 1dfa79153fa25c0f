"""A few inputs of the fuzzer: the session ``fuzz`` asks for a quarter of an hour."""

import shutil
from pathlib import Path

import pytest

from tests.evidence.fuzzing import ports

ROOT = Path(__file__).parents[3]
NODE_PORT = ROOT / "reference" / "javascript" / "adapter.mjs"
CRATE = ROOT / "reference" / "rust"
RUST_PORT = CRATE / "target" / "debug" / "commoncall-adapter"


def test_ports_agree_on_generated_texts() -> None:
    others = [f"{node} {NODE_PORT}"] if (node := shutil.which("node")) else []
    others += [str(RUST_PORT)] if _is_built() else []
    if not others:
        pytest.skip("NOT RUN: the reference beside other ports, because none is here.")
    asked = ["--inputs", "400", "--only", "extraction"]
    assert ports.main([*asked, "--", *others]) == 0


def _is_built() -> bool:
    """Whether the adapter of the crate is there, and no source is younger."""
    sources = [*CRATE.glob("commoncall*/src/**/*.rs"), *ROOT.glob("spec/v1/*/*.json")]
    last = max(source.stat().st_mtime for source in sources)
    return RUST_PORT.exists() and RUST_PORT.stat().st_mtime > last
