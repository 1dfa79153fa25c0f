"""The programs that are broken on purpose, and what is told to the process that answers for one.

All mutants of the crate are compiled into one copy of it, so that their ``find`` and ``replace``
are expressions; an adapter of it is told by its argument which one to misread.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence, Set
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from commoncall_kit.suite.data import Case, Suite
from tests import syntax
from tests.evidence.adequacy.lists import Mutant, MutantError

HERE: Final = Path(__file__).parent
CRATE: Final = "reference/rust"
SOURCES: Final = "commoncall/src"
COPY: Final = "build/rust-mutants"

SWITCH: Final = """
/// Which expression is misread, by the argument of the adapter.
pub(crate) fn misread() -> usize {
    static NUMBER: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    *NUMBER.get_or_init(|| std::env::args().nth(1).and_then(|each| each.parse().ok()).unwrap_or(0))
}
"""


def misread(path: Path, mutant: Mutant, instead: str) -> str:
    """Return the source of a file with ``instead`` in the place of what a row seeks.

    Raises:
        MutantError: there is no such file, or it does not hold that once.
    """
    if not path.is_file():
        raise MutantError(f"{mutant} names no file of the program")
    source = path.read_text("utf-8")
    times = source.count(mutant.find) if mutant.find else 0
    if times != 1:
        raise MutantError(f"{mutant} does not apply: `find` stands {times} times in the file")
    return source.replace(mutant.find, instead)


class Program:
    """A program, in which a mutant names a file.

    Attributes:
        folder: where it stands.
        command: what answers for it.
        whole: what that is told of the program as it is.
    """

    LISTS: str
    MEMBERS: Sequence[str] = ("requirement", "reading", "file", "find", "replace")
    ONE_OF: Sequence[str] = ("noticed_by", "equal")
    folder: Path
    command: Sequence[str]
    whole: Mapping[str, Any] = {}

    def __init__(self, root: Path) -> None:
        self.root = root

    def prepare(self, mutants: Sequence[Mutant]) -> None:
        """Get ready for these mutants.

        Raises:
            MutantError: one does not apply, or is no program.
        """

    def broken(self, mutant: Mutant) -> dict[str, Any]:
        """Return what the process is told of a mutant.

        Raises:
            MutantError: the row does not apply.
        """
        raise NotImplementedError

    def may_notice(self, case: Case, mutant: Mutant, suite: Suite) -> bool:
        """Tell whether a case is of the same contract."""
        return case.operation.contract == suite.requirements[mutant.requirement].contract


class Reference(Program):
    """The reference."""

    LISTS = "tests/evidence/mutants"
    MEMBERS = ("requirement", "file", "find", "replace")
    ONE_OF = ("noticed_by",)

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.folder = root / "reference" / "python" / "commoncall"
        worker = HERE / "reference_worker.py"
        self.command = [sys.executable, str(worker), str(self.folder.parent)]

    @cached_property
    def imported(self) -> Mapping[str, Set[str]]:
        """What each module of the package imports: modules, the packages of each, and its own."""
        found: dict[str, Set[str]] = {}
        for file in self.folder.rglob("*.py"):
            name = syntax.module_name(self.folder.parent, file)
            names = (one.split(".") for one in (name, *syntax.imported(file)))
            found[name] = {one for parts in names for one in accumulate(parts, "{}.{}".format)}
        return found

    def broken(self, mutant: Mutant) -> dict[str, Any]:
        """Return the source of a module, and which modules that reaches."""
        file = self.folder / mutant.file
        source = misread(file, mutant, mutant.replace)
        if unbound := syntax.unbound(source):
            raise MutantError(f"{mutant} reads {min(unbound)}, which nothing binds")
        module = syntax.module_name(self.folder.parent, file)
        stale = sorted(self._reaching(module))
        return {"module": module, "file": str(file), "source": source, "stale": stale}

    def _reaching(self, module: str) -> set[str]:
        """Return a module, and all that import it, or that import what does."""
        reached: set[str] = set()
        found = {module}
        while found:
            reached |= found
            found = {one for one, names in self.imported.items() if names & found} - reached
        return reached

    def may_notice(self, case: Case, mutant: Mutant, suite: Suite) -> bool:
        """Tell whether a case cites the requirement."""
        return mutant.requirement in case.requirements


class NodePort(Program):
    """The Node port."""

    LISTS = "tests/evidence/mutants/node"

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.folder = root / "reference" / "javascript"
        node = ["node", "--experimental-vm-modules", "--no-warnings"]
        self.command = [*node, str(HERE / "port_worker.mjs"), str(self.folder)]

    def broken(self, mutant: Mutant) -> dict[str, Any]:
        """Return the source of a file."""
        source = misread(self.folder / mutant.file, mutant, mutant.replace)
        return {"file": mutant.file, "source": source}


class Crate(Program):
    """The crate in Rust; a copy holds all wrong readings."""

    LISTS = "tests/evidence/mutants/rust"
    ONE_OF = ("noticed_by",)
    whole: Mapping[str, Any] = {"cmd": "start", "argument": "0"}

    def prepare(self, mutants: Sequence[Mutant]) -> None:
        """Compile a copy of the crate with all mutants in it."""
        self.numbers = {mutant.row: number for number, mutant in enumerate(mutants, 1)}
        copy = self.root / COPY
        for part in ("commoncall", "commoncall-adapter"):
            shutil.rmtree(copy / part, ignore_errors=True)
            shutil.copytree(self.root / CRATE / part, copy / part)
        for name in ("Cargo.toml", "Cargo.lock"):
            shutil.copy(self.root / CRATE / name, copy / name)
        sources = copy / SOURCES
        for mutant in mutants:
            condition = f"if crate::misread() == {self.numbers[mutant.row]}"
            both = f"({condition} {{ {mutant.replace} }} else {{ {mutant.find} }})"
            path = sources / mutant.file
            path.write_text(misread(path, mutant, both), "utf-8")
        with (sources / "lib.rs").open("a", encoding="utf-8") as library:
            library.write(SWITCH)
        target = str(copy / "target")
        cargo = ["cargo", "build", "--locked", "--offline", "--quiet", "--target-dir", target]
        # What a misreading leaves over is no fault of the crate.
        env = {**os.environ, "RUSTFLAGS": "--cap-lints allow"}
        done = subprocess.run(
            cargo, cwd=copy, env=env, capture_output=True, encoding="utf-8", check=False
        )
        if done.returncode:
            raise MutantError(f"the copy is no program:\n{done.stderr}")
        self.command = [str(copy / "target" / "debug" / "commoncall-adapter")]

    def broken(self, mutant: Mutant) -> dict[str, Any]:
        """Return the argument of the adapter."""
        return {"cmd": "start", "argument": str(self.numbers[mutant.row])}


PROGRAMS: Final[Mapping[str, type[Program]]] = {
    "reference": Reference,
    "node": NodePort,
    "crate": Crate,
}
