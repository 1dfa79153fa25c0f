"""The suite on disk: where fixtures and schemas are, and what the kit needs of them.

The files are the built tree: ``fixtures/v1`` and ``schemas/v1``. A wheel carries it as package
data; a checkout has it at its root. Every file that is read is held to ``SHA256SUMS``, so that the
digest in a report says what was run.
"""

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

from commoncall import files, spelled

FORMAT: Final = 1
"""The newest format of fixtures that this kit reads."""

SUMS: Final = "SHA256SUMS"

MAX_BYTES: Final = 64 * 1024 * 1024
"""A file of a suite has no more bytes than this."""

_SUM = re.compile("([0-9a-f]{64}) [ *](.+)")


DECISIVE: Final = (
    "id",
    "requirements",
    "features",
    "without",
    "laws",
    "env",
    "input",
    "input_json",
    "expect",
)
"""The members of a case that decide its outcome. The others are for readers, and may change."""


class SuiteError(Exception):
    """The suite is missing, changed or unreadable. The text says it in one line."""


class DamagedSuiteError(SuiteError):
    """A file of the suite is not the one that its digest names, so a run would prove nothing."""


@dataclass(frozen=True, slots=True)
class SuiteOperation:
    """An operation: ``feature`` is ``core``, or what an adapter declares to have it."""

    name: str
    contract: str
    feature: str
    diagnostics: Sequence[str]


@dataclass(frozen=True, slots=True)
class Requirement:
    """A requirement as reports name it; ``review`` says why no case can show it."""

    id: str
    title: str
    contract: str
    feature: str
    text: str
    address: str
    sha256: str
    review: str | None = None

    def applies(self, features: Collection[str]) -> bool:
        """Tell whether it binds an adapter that declares these features."""
        return self.feature in ("core", *features)


@dataclass(frozen=True, slots=True)
class Case:
    """A case; ``expect`` is ``{result}`` or ``{error}``, and never leaves the kit.

    ``origin`` is the kind of its origin: a ``convention`` holds two ports together, and no incident
    and no measured model has it. ``sha256`` is the digest of what decides its outcome
    (``case_digest``).
    """

    id: str
    operation: SuiteOperation
    requirements: Sequence[str]
    features: frozenset[str]
    without: frozenset[str]
    laws: Sequence[str]
    input: object
    env: Mapping[str, object] | None
    expect: Mapping[str, object]
    origin: str = "derived"
    sha256: str = ""

    def applies(self, features: Collection[str]) -> bool:
        """Tell whether an adapter declares all of its ``features`` and none of ``without``."""
        return self.features.issubset(features) and self.without.isdisjoint(features)


@dataclass(frozen=True, slots=True)
class Level:
    """What a port can do first: the core cases of some operations that have one kind of origin, and
    none of some members in their input.

    The operations stand in the order in which to write them.
    """

    operations: Sequence[str]
    origin: str
    absent: Sequence[str] = ()

    def holds(self, case: Case) -> bool:
        """Tell whether a case belongs to it."""
        if case.features or case.operation.name not in self.operations:
            return False
        given = case.input if isinstance(case.input, dict) else {}
        return case.origin == self.origin and given.keys().isdisjoint(self.absent)


@dataclass(frozen=True, slots=True)
class FrozenSet:
    """What a release scores: digests of cases and requirements by id. It never changes.

    ``cited`` is what each case cited then: one that only cites other requirements is the same case.
    """

    name: str
    cases: Mapping[str, str]
    requirements: Mapping[str, str]
    cited: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Suite:
    """All that a run needs.

    ``used`` are the features of each contract. ``frozen`` is the set that scores; without one every
    case is scored.
    """

    version: str
    digest: str
    operations: Mapping[str, SuiteOperation]
    features: Sequence[str]
    requirements: Mapping[str, Requirement]
    cases: Sequence[Case]
    used: Mapping[str, Sequence[str]]
    levels: Mapping[str, Level]
    frozen: FrozenSet | None = None

    @property
    def contracts(self) -> list[str]:
        """The contracts in the order of the manifest."""
        return list(dict.fromkeys(each.contract for each in self.operations.values()))

    def on_site(self, site: str) -> Self:
        """Return the suite with addresses that begin with that of a site."""
        base = site.rstrip("/")
        placed = {
            each.id: replace(each, address=f"{base}/{each.address}")
            for each in self.requirements.values()
        }
        return replace(self, requirements=placed)

    def scores(self, case: Case) -> bool:
        """Tell whether a case decides verdicts: the set has it, in this form."""
        return self.frozen is None or self.frozen.cases.get(case.id) == case.sha256

    def counts(self, requirement: Requirement) -> bool:
        """Tell whether a requirement is one of those that are scored."""
        return self.frozen is None or requirement.id in self.frozen.requirements


@dataclass(frozen=True, slots=True)
class Documents:
    """The files of a suite as JSON; ``index`` is ``requirements.json``."""

    digest: str
    manifest: Any
    index: Any
    suites: Sequence[Any]


def find_root() -> Path:
    """Return the folder that holds ``fixtures/v1``, ``schemas/v1`` and their licence.

    Raises:
        SuiteError: neither the package nor a checkout has them.
    """
    here = Path(__file__).resolve()
    packaged, checkout = here.parents[1] / "data", here.parents[4]
    for root in (packaged, checkout):
        if (root / "fixtures" / "v1" / "manifest.json").is_file():
            return root
    raise SuiteError(
        "this installation of commoncall has no fixtures; conformance can take others: --suite DIR"
    )


def load(root: Path | None = None, frozen: str | None = None) -> Suite:
    """Read the suite below a folder; without one, that of this installation.

    Args:
        root: holds ``fixtures/v1``, or is that folder itself.
        frozen: the name of the set that scores; None scores every case.

    Raises:
        SuiteError: files are missing or of another format, or there is no such set.
        DamagedSuiteError: a file differs from ``SHA256SUMS``.
    """
    root = root or find_root()
    scoring = None if frozen is None else read_set(root, frozen)
    with _in_one_line(root):
        return _suite(_documents(tree_of(root)), scoring)


def read_set(root: Path, name: str) -> FrozenSet:
    """Read a set of the suite below a folder.

    Raises:
        SuiteError: there is none of this name, or it is unreadable.
    """
    folder = tree_of(root).parent / "sets"
    if not folder.is_dir():  # as in what `export` writes; a set is the same everywhere
        folder = tree_of(find_root()).parent / "sets"
    known = sorted(path.stem for path in folder.glob("*.json"))
    if name not in known:
        raise SuiteError(f"no set {name} in {folder}; there is {', '.join(known) or 'none yet'}")
    with _in_one_line(root):
        value = json.loads(files.read(folder / f"{name}.json", MAX_BYTES))
        if value["format"] != FORMAT:
            raise SuiteError(
                f"the set {name} has format {value['format']}; this kit reads {FORMAT}"
            )
        cases, requirements = (
            {each["id"]: each["sha256"] for each in value[part]}
            for part in ("cases", "requirements")
        )
        cited = folder / f"{name}-cited.jsonl"
        rows = files.read(cited, MAX_BYTES).splitlines() if cited.exists() else []
        of_case = {id: ids for id, *ids in map(json.loads, rows)}
        return FrozenSet(value["set"], cases, requirements, of_case)


def case_digest(operation: str, case: Mapping[str, object]) -> str:
    """Return the SHA-256, in hex, of what decides the outcome of a case.

    Of one JSON text in ASCII: the operation and the members of `DECISIVE` that the case has, with
    members sorted and no white space. Titles and notes are not in it.
    """
    held = {name: case[name] for name in DECISIVE if name in case}
    text = json.dumps({"operation": operation, **held}, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode("ascii"))


def number_of(version: str) -> tuple[int, ...]:
    """Return a version, such as ``0.10``, as numbers that can be compared."""
    return tuple(map(int, version.split(".")))


def documents(root: Path | None = None) -> Documents:
    """Read the same files as `load`, with everything that stands in them."""
    root = root or find_root()
    with _in_one_line(root):
        return _documents(tree_of(root))


def tree_of(root: Path) -> Path:
    """Return ``fixtures/v1`` below a folder, or the folder where that is the tree itself."""
    tree = root / "fixtures" / "v1"
    return tree if tree.is_dir() else root


def sha256(content: bytes) -> str:
    """Return the SHA-256 of a file in hex."""
    return hashlib.sha256(content).hexdigest()


def digest_of(sums: bytes) -> str:
    """Return the digest of the suite that has this ``SHA256SUMS``."""
    return f"sha256:{sha256(sums)}"


def read_sums(sums: bytes) -> dict[str, str]:
    """Return the digests of a ``SHA256SUMS`` by path.

    Raises:
        ValueError: a line has another form, a path leads out of the folder or stands there twice,
            or there is none.
    """
    found: dict[str, str] = {}
    for number, line in enumerate(sums.decode().splitlines(), 1):
        match = _SUM.fullmatch(line)
        if match is None or not {"", ".", ".."}.isdisjoint(match[2].split("/")):
            raise ValueError(f"line {number} of {SUMS} is no digest and path")
        if "\0" in match[2] or match[2] in found:
            raise ValueError(f"line {number} of {SUMS} names what no file is, or a file again")
        found[match[2]] = match[1]
    if not found:
        raise ValueError(f"{SUMS} is empty")
    return found


@contextmanager
def _in_one_line(root: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise SuiteError(f"no suite in {root}: {error.strerror}: {error.filename}") from None
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
        raise SuiteError(f"no readable suite in {root}: {type(error).__name__}: {error}") from None


def _documents(tree: Path) -> Documents:
    sums = files.read(tree / SUMS, MAX_BYTES)
    listed = read_sums(sums)

    def document(path: str) -> Any:
        data = files.read(tree / path, MAX_BYTES)
        if sha256(data) != listed.get(path):
            raise DamagedSuiteError(f"{tree / path} is not the file that {SUMS} names")
        value = json.loads(data)
        if value["format"] != FORMAT:
            raise SuiteError(f"{tree / path} has format {value['format']}; this kit reads {FORMAT}")
        return value

    manifest = document("manifest.json")
    return Documents(
        digest=digest_of(sums),
        manifest=manifest,
        index=document("requirements.json"),
        suites=[document(suite["path"]) for suite in manifest["suites"]],
    )


def _suite(files: Documents, frozen: FrozenSet | None) -> Suite:
    manifest = files.manifest
    operations = {each.name: each for each in map(_operation, manifest["operations"])}
    requirements = {each.id: each for each in map(_requirement, files.index["requirements"])}
    of_set = frozen.cited if frozen else {}
    cases = [
        _case(each, operations[suite["operation"]], of_set)
        for suite in files.suites
        for each in suite["cases"]
    ]
    for case in cases:
        for cited in case.requirements:
            if cited not in requirements:
                raise SuiteError(f"case {case.id} cites {cited}, which is no requirement")
    return Suite(
        version=manifest["version"],
        digest=files.digest,
        operations=operations,
        features=_texts(row["feature"] for row in manifest["features"]),
        requirements=requirements,
        cases=cases,
        used={row["contract"]: _texts(row["features"]) for row in manifest["contracts"]},
        levels={
            row["level"]: Level(
                _texts(row["operations"]), row["origin"], _texts(row.get("absent", ()))
            )
            for row in manifest.get("levels", ())
        },
        frozen=frozen,
    )


def _operation(data: Any) -> SuiteOperation:
    names = (data[member] for member in ("operation", "contract", "feature"))
    name, contract, feature = _texts(names)
    return SuiteOperation(name, contract, feature, _texts(data["diagnostics"]))


def _requirement(data: Any) -> Requirement:
    named = {name: data[name] for name in Requirement.__slots__ if name != "review"}
    return Requirement(**named, review=data.get("review"))


def _case(data: Any, operation: SuiteOperation, cited: Mapping[str, Sequence[str]]) -> Case:
    (id,) = _texts([data["id"]])
    then = {**data, "requirements": cited[id]} if id in cited else data
    return Case(
        id=id,
        operation=operation,
        requirements=_texts(data["requirements"]),
        features=frozenset(_texts(data.get("features", ()))) | ({operation.feature} - {"core"}),
        without=frozenset(_texts(data.get("without", ()))),
        laws=_texts(data.get("laws", ())),
        # Data that a JSON file should not hold, such as lone surrogates, come as a text.
        input=spelled.parse(data["input_json"]) if "input_json" in data else data["input"],
        env=data.get("env"),
        expect=data["expect"],
        origin=data["origin"]["kind"],
        sha256=case_digest(operation.name, then),
    )


def _texts(values: Iterable[object]) -> list[str]:
    """Return names that a run goes by.

    Raises:
        TypeError: one is no text.
    """
    texts: list[str] = []
    for value in values:
        if not isinstance(value, str):
            raise TypeError("a name is no text")
        texts.append(value)
    return texts
