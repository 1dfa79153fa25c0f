"""A fault of each kind is planted in a copy where all passed before; the main job has to find it.

    python -m tests.repository.planted

It takes minutes, so a session of its own runs it: `python3 noxfile.py -s planted`.
"""

import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Fault:
    """A text of one file becomes another; a session of the main job prints what it found."""

    kind: str
    session: str
    file: str
    find: str
    replace: str
    found: str


FAULTS = [
    Fault(
        "text",
        "spec",
        "spec/v1/extraction.md",
        "the extractor **MUST** give a result.",
        "the extractor gives a result.",
        "EXT-002",
    ),
    Fault(
        "case",
        "fixtures",
        "fixtures/src/v1/payload/flatten-blocks.yaml",
        "{code: result_flattened, path: /messages/1}",
        "{code: result_flatened, path: /messages/1}",
        "payload.flatten_history.blocks-turn",
    ),
    Fault(
        "schema",
        "fixtures",
        "schemas/v1/payload/sanitize_request.schema.json",
        '"type": "object"',
        '"type": "objekt"',
        "sanitize_request.schema.json",
    ),
    Fault(
        "built file",
        "fixtures",
        "fixtures/v1/payload/flatten-blocks.json",
        "several blocks stand below each other",
        "several blocks stand",
        "fixtures/v1/payload/flatten-blocks.json",
    ),
    Fault(
        "bundled schema",
        "fixtures",
        "schemas/v1/bundled/payload/check_tool_call.input.schema.json",
        '"type": "object"',
        '"type": "array"',
        "check_tool_call.input.schema.json: stale",
    ),
    Fault(
        "reference",
        "reference",
        "reference/python/commoncall/extraction/payload_scanner.py",
        'Edit(self._comma, "trailing_comma")',
        'Edit(self._comma, "control_chars")',
        "EXT-051",
    ),
    Fault(
        "Node port",
        "reference",
        "reference/javascript/extraction/payload_scanner.mjs",
        "this.count('trailing_comma')",
        "this.count('control_chars')",
        "EXT-051",
    ),
    Fault(
        "link of the site",
        "docs",
        "spec/index.md",
        "](conformance.md",
        "](conformence.md",
        "conformence.md",
    ),
]


def main() -> int:
    """Plant each fault in turn; the exit status is 1 where one is not found."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "checkout"
        copy_checkout(copy)
        done = run(copy)
        if done.returncode:
            print(done.stdout, "planted: the main job fails without a fault", sep="\n")
            return 1
        missed = [fault.kind for fault in FAULTS if not is_found(copy, fault)]
    print(f"{len(FAULTS) - len(missed)} of {len(FAULTS)} planted faults are found")
    return 1 if missed else 0


def copy_checkout(target: Path) -> None:
    """Copy what the checkout holds, without what sessions made."""
    unwanted = shutil.ignore_patterns(".*", "build", "dist", "node_modules", "__pycache__")
    shutil.copytree(ROOT, target, ignore=unwanted)


def is_found(copy: Path, fault: Fault) -> bool:
    """Plant a fault, run the session that has to find it, and take it out again."""
    path = copy / fault.file
    sound = path.read_text("utf-8")
    if fault.find not in sound:
        print(f"planted: {fault.file} does not hold {fault.find!r}")
        return False
    path.write_text(sound.replace(fault.find, fault.replace, 1), "utf-8")
    done = run(copy, "-s", fault.session)
    lines = [line for line in done.stdout.splitlines() if fault.found in line]
    found = done.returncode != 0 and bool(lines)
    if found:
        print(f"{fault.kind}: found: {lines[0][:150]}", flush=True)
    else:
        print(done.stdout, f"planted: {fault.kind}: not found", sep="\n")
    path.write_text(sound, "utf-8")
    return found


def run(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the noxfile of the copy, with the nox that runs this session."""
    return subprocess.run(
        [sys.executable, "noxfile.py", *arguments],
        cwd=copy,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )


if __name__ == "__main__":
    sys.exit(main())
