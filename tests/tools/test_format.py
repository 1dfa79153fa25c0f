"""Tests of the format itself: suites that load, suites that are refused, suites that have to fail.

Each folder below ``tests/tools/format`` is a tree of sources like ``fixtures/src/v1``, and each
file is judged alone. The first line of a file says what has to happen to it.
"""

from collections.abc import Collection, Iterator

import pytest

from commoncall import adapter
from commoncall_kit.verdict.compare import outcomes
from tools.fixtures import authored
from tools.fixtures.authored import Case, Context, Problem, Suite

ROOT = authored.ROOT
FORMAT = ROOT / "tests" / "tools" / "format"


def files(folder: str) -> list[str]:
    return sorted(
        path.relative_to(FORMAT / folder).as_posix() for path in (FORMAT / folder).rglob("*.yaml")
    )


def read(folder: str, name: str, context: Context) -> tuple[Suite | None, list[Problem]]:
    path = FORMAT / folder / name
    suite, problems = authored.read_suite(path, ROOT, FORMAT / folder, context)
    if suite is not None:
        problems += authored.clashes([(path.relative_to(ROOT).as_posix(), suite)])
    return suite, problems


def announced(folder: str, name: str, word: str) -> str:
    first = (FORMAT / folder / name).read_text(encoding="utf-8").partition("\n")[0]
    assert first.startswith(f"# {word}: ")
    return first.removeprefix(f"# {word}: ")


def differences(
    suite: Suite, case: Case, context: Context, features: Collection[str]
) -> Iterator[str]:
    """Where the reference's answer differs from what the case expects."""
    operation = suite["operation"]
    diagnostics = next(
        entry["diagnostics"]
        for entry in context.manifest["operations"]
        if entry["operation"] == operation
    )
    answer = adapter.answer(operation, authored.case_input(case), case.get("env"))
    for difference in outcomes(case["expect"], answer, features, diagnostics):
        yield difference.path


@pytest.fixture(scope="module")
def context() -> Context:
    found, problems = authored.read_context(ROOT)
    assert problems == []
    return found


@pytest.mark.parametrize("name", files("valid-pass"))
def test_valid_suites_load_and_pass(name: str, context: Context) -> None:
    suite, problems = read("valid-pass", name, context)
    assert problems == []
    assert suite is not None
    for case in suite["cases"]:
        assert list(differences(suite, case, context, adapter.FEATURES)) == []


@pytest.mark.parametrize("name", files("invalid"))
def test_invalid_suites_are_refused_for_their_reason(name: str, context: Context) -> None:
    _, problems = read("invalid", name, context)
    assert len(problems) == 1, "one defect a file"
    assert announced("invalid", name, "refused") in problems[0].reason
    assert "\n" not in str(problems[0])
    assert len(str(problems[0])) < 400


@pytest.mark.parametrize("name", files("valid-fail"))
def test_wrong_expectations_fail_where_they_are_wrong(name: str, context: Context) -> None:
    suite, problems = read("valid-fail", name, context)
    assert problems == []
    assert suite is not None
    wanted = announced("valid-fail", name, "fails at")
    for case in suite["cases"]:
        assert ", ".join(differences(suite, case, context, adapter.FEATURES)) == wanted


def test_diagnostic_members_count_only_with_the_feature(context: Context) -> None:
    suite, _ = read("valid-fail", "payload/wrong-finding.yaml", context)
    assert suite is not None
    assert list(differences(suite, suite["cases"][0], context, [])) == []


def test_there_are_enough_of_each() -> None:
    assert len(files("valid-pass")) >= 5
    assert len(files("invalid")) >= 25
    assert len(files("valid-fail")) >= 15
