"""The kit drives processes: every way to be broken has its outcome and its exit status."""

import contextlib
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.command import commoncall, process
from tests.kit_suite import adapter, write_suite

NUMBER = "toy.echo.number"
PICKS = {"toy.pick.members": "failed", "toy.pick.no-object": "failed"}


@dataclass
class Driven:
    status: int
    out: str
    err: str
    report: dict[str, Any]

    @property
    def outcomes(self) -> dict[str, str]:
        cases = self.report["cases"]
        return {case["case"]: case["outcome"] for case in cases if case["outcome"] != "passed"}

    def reason(self, case: str) -> str:
        (reason,) = (each["reason"] for each in self.report["cases"] if each["case"] == case)
        return str(reason)


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_suite(tmp_path_factory.mktemp("suite"))


class Drive:
    run = staticmethod(commoncall)

    def __init__(self, root: Path, toy: Path, folder: Path) -> None:
        self.root, self.toy, self.folder = root, toy, folder

    def __call__(self, command: list[str], *options: str) -> Driven:
        file = self.folder / "report.json"
        file.unlink(missing_ok=True)
        fixed = ["--suite", str(self.toy), "--seed", "1", "--report", str(file)]
        with contextlib.chdir(self.root):
            done = self.run("conformance", *fixed, *options, "--", *command)
        report = json.loads(file.read_text()) if file.exists() else {}
        return Driven(done.returncode, done.stdout.decode(), done.stderr.decode(), report)


@pytest.fixture
def drive(root: Path, toy: Path, tmp_path: Path) -> Drive:
    return Drive(root, toy, tmp_path)


@pytest.mark.parametrize("run", [commoncall, process])
@pytest.mark.parametrize("name", ["good", "noisy"])
def test_a_right_adapter_is_conformant(
    drive: Drive, name: str, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drive, "run", run)
    driven = drive(adapter(name))
    assert driven.status == 0, driven.out
    assert driven.out.startswith("conformant: toy, spare\n")
    assert driven.err == ""
    assert driven.outcomes == {}
    assert driven.report["verdict"] == "conformant"


@pytest.mark.parametrize(
    ("name", "outcomes", "reason"),
    [
        ("boast", {"toy.extra.null": "failed"}, "expected a result, got the error"),
        ("boolean", {NUMBER: "failed"}, "None"),
        ("crash_on_one", {NUMBER: "errored"}, "ended with status 7; it said: value 1 \x1b[31mkil"),
        ("forgetful", {NUMBER: "failed"}, "the second run gave another answer"),
        ("garbage_once", {NUMBER: "errored"}, 'character 0; the line begins "DEBUG value is 1"'),
        ("honest_error", {NUMBER: "errored"}, "the adapter says: ZeroDivisionError"),
        ("long_line", {NUMBER: "errored"}, "a line that is too long"),
        ("member_order", {"toy.pick.members": "failed"}, "under the law key-order"),
        ("partial", PICKS, "skipped: not written yet"),
    ],
)
def test_a_broken_adapter_is_not_conformant(
    drive: Drive, name: str, outcomes: dict[str, str], reason: str
) -> None:
    driven = drive(adapter(name))
    assert driven.status == 1, driven.out
    assert driven.out.startswith("not conformant: toy (conformant: spare)\n")
    assert driven.outcomes == outcomes
    assert reason in driven.reason(next(iter(outcomes)))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("parrot", "the answer is out of form: cmd is no known member"),
        ("both", "the answer is out of form: it has to have one member beside seq"),
    ],
)
def test_answers_out_of_form_are_errors(drive: Drive, name: str, reason: str) -> None:
    driven = drive(adapter(name))
    assert driven.status == 1, driven.out
    assert set(driven.outcomes.values()) == {"errored"}
    assert len(driven.outcomes) == len(driven.report["cases"])
    assert reason in driven.reason(NUMBER)


def test_an_undeclared_operation_fails_and_an_undeclared_contract_does_not(drive: Drive) -> None:
    driven = drive(adapter("undeclared"))
    assert driven.status == 1
    assert driven.outcomes == {
        "toy.echo.surrogate": "not_applicable",
        "toy.extra.null": "not_applicable",
        **PICKS,
    }
    assert "spare  not claimed\n" in driven.out


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("crash_always", "the adapter closed its output and ended with status 9"),
        ("early_answer", ""),
        ("early_close", "the adapter closed its output and ended with status 0"),
        ("garbage", "the answer is not JSON"),
        ("twice", ""),
        ("wrong_seq", "the line is not the answer to this request"),
    ],
)
def test_an_adapter_that_keeps_breaking_establishes_nothing(
    drive: Drive, name: str, reason: str
) -> None:
    driven = drive(adapter(name))
    assert driven.status == 3, driven.out
    assert driven.out.startswith("not established: the adapter broke again after 3 restarts\n")
    found = list(driven.outcomes.values())
    assert found.count("errored") == 4
    assert "not_run" in found
    errored = [case for case in driven.report["cases"] if case["outcome"] == "errored"]
    assert all(reason in case["reason"] for case in errored)


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (adapter("crash_at_once"), "ended with status 1; it said: no such thing as a free"),
        (adapter("echo"), "the adapter did not start: implementation is missing"),
        (adapter("nothing"), "the adapter declares no operation of this suite"),
        (adapter("other_suite"), "it said: this adapter was built for the suite sha256:000000"),
        (adapter("last_word"), "the adapter wrote a line that answers no request"),
        (["no-such-command-anywhere"], "cannot be started: no-such-command-anywhere: No such"),
        ([os.devnull], "cannot be started"),
        ([""], "cannot be started"),
    ],
)
def test_an_adapter_that_does_not_work_establishes_nothing(
    drive: Drive, command: list[str], reason: str
) -> None:
    driven = drive(command)
    assert driven.status == 3, driven.out
    assert driven.out.startswith("not established: ")
    assert reason in driven.out.splitlines()[0]
    assert driven.err == ""
    assert reason in driven.report["reason"]


def test_silence_ends_at_the_time_limit(drive: Drive) -> None:
    driven = drive(adapter("silent"), "--timeout", "0.1")
    assert driven.status == 3
    assert "the adapter did not start: no answer within 0.6 s; does it flush" in driven.out


def test_four_time_outs_end_the_run(drive: Drive) -> None:
    driven = drive(adapter("mute"), "--timeout", "0.4")
    assert driven.status == 3
    assert list(driven.outcomes.values()).count("errored") == 4


def test_one_slow_case_is_one_error(drive: Drive) -> None:
    driven = drive(adapter("slow"), "--timeout", "1")
    assert driven.status == 1, driven.out
    assert driven.outcomes == {NUMBER: "errored"}
    assert driven.reason(NUMBER) == "no answer within 1 s"


def test_an_adapter_that_does_not_stop_is_stopped(drive: Drive) -> None:
    assert drive(adapter("stubborn"), "--timeout", "1").status == 0


def test_a_restart_that_declares_something_else_ends_the_run(drive: Drive, tmp_path: Path) -> None:
    driven = drive(adapter("moody", str(tmp_path / "memory")))
    assert driven.status == 3
    assert "the adapter declared something else after a restart" in driven.out


def test_a_case_can_be_run_alone(drive: Drive) -> None:
    driven = drive(adapter("boolean"), "--case", "toy.echo.text", "spare.flip.on")
    assert driven.status == 0
    assert driven.out.startswith("passed: all selected cases;")
    assert [case["case"] for case in driven.report["cases"]] == ["toy.echo.text", "spare.flip.on"]
    assert drive(adapter("boolean"), "--case", NUMBER).status == 1


def test_the_cases_of_an_operation_can_be_run_alone(drive: Drive) -> None:
    driven = drive(adapter("boolean"), "--operation", "toy.pick")
    assert driven.status == 0
    assert [case["case"] for case in driven.report["cases"]] == list(PICKS)
    assert drive(adapter("boolean"), "--operation", "toy.pock").status == 2


def test_a_contract_can_be_run_alone(drive: Drive) -> None:
    driven = drive(adapter("boolean"), "--contract", "spare")
    assert driven.status == 0
    assert driven.out.startswith("conformant: spare\n")
    assert "toy    not selected\n" in driven.out


@pytest.mark.parametrize("options", [["--contract", "spare"], ["--case", "spare.flip.on"]])
def test_a_contract_that_is_not_claimed_cannot_be_established(
    drive: Drive, options: list[str]
) -> None:
    driven = drive(adapter("undeclared"), *options)
    assert driven.status == 3
    assert driven.out.startswith("not established: the adapter does not claim spare\n")


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--contract", "toys"], "no contract toys; near it: toy"),
        (["--case", "toy.echo.numbr"], f"no case toy.echo.numbr; near it: {NUMBER}"),
        (["--report", "no/such/folder/r.json"], "no folder no/such/folder for r.json"),
        (["--markdown", "b", "--junit", "b"], "two of the files are the same"),
        (["--known-failures", "no/such/file"], "cannot read no/such/file: No such file"),
        (["--known-failures", "README.md"], "README.md: no JSON"),
        (["--set", "9.9"], "no set 9.9 in "),
        (["--suite", "no/such/folder"], "no suite in no/such/folder"),
    ],
)
def test_wrong_usage_is_one_line_and_status_2(drive: Drive, options: list[str], line: str) -> None:
    driven = drive(adapter("good"), *options)
    assert driven.status == 2
    assert driven.out == ""
    assert driven.err.startswith(f"commoncall: {line}")
    assert driven.err.count("\n") == 1


def test_nothing_executed_establishes_nothing(drive: Drive) -> None:
    driven = drive(adapter("undeclared"), "--case", "toy.extra.null")
    assert driven.status == 3
    assert driven.out.startswith("not established: no case of toy was executed\n")


def test_another_digest_than_the_one_asked_for_establishes_nothing(drive: Drive) -> None:
    digest = drive(adapter("good")).report["suite"]["digest"]
    assert drive(adapter("good"), "--digest", digest).status == 0
    driven = drive(adapter("good"), "--digest", "sha256:" + "0" * 64)
    assert driven.status == 3
    assert driven.out.startswith(f"not established: the suite is {digest}, and sha256:000")
    assert driven.report["cases"] == []


def test_addresses_begin_with_the_site_that_is_named(drive: Drive, tmp_path: Path) -> None:
    file = tmp_path / "junit.xml"
    site = "https://example.org/commoncall/"
    driven = drive(adapter("boolean"), "--site", site, "--junit", str(file))
    address = "https://example.org/commoncall/v1/toy/#toy-001"
    assert driven.status == 1
    assert f"  {address}\n" in driven.out
    assert address in {each["address"] for each in driven.report["requirements"]}
    assert address in file.read_text()


def test_a_site_is_an_address(drive: Drive) -> None:
    driven = drive(adapter("good"), "--site", "example.org")
    assert driven.status == 2
    assert "an address such as https://" in driven.err


def test_a_damaged_suite_establishes_nothing(drive: Drive, tmp_path: Path) -> None:
    drive.toy = write_suite(tmp_path)
    file = tmp_path / "fixtures/v1/toy/echo.json"
    file.write_text(file.read_text().replace('"value": 1', '"value": 2'))
    driven = drive(adapter("good"))
    assert (driven.status, driven.out) == (3, "")
    assert driven.err.endswith("echo.json is not the file that SHA256SUMS names\n")


def test_known_failures_decide_the_status(drive: Drive, tmp_path: Path) -> None:
    file = tmp_path / "known.json"
    entry = {"case": NUMBER, "reason": "booleans", "issue": "#1", "expires": "2026-12-31"}
    listed = ["--known-failures", str(file), "--today", "2026-11-22"]
    file.write_text(json.dumps({"format": 1, "known_failures": [entry]}))
    assert drive(adapter("boolean")).status == 1
    driven = drive(adapter("boolean"), *listed)
    assert driven.status == 0
    assert driven.report["verdict"] == "known_failures"
    assert driven.report["date"] == "2026-11-22"
    assert drive(adapter("good"), *listed).status == 1
    assert drive(adapter("boolean"), *listed[:3], "2027-01-01").status == 1
    file.write_text(json.dumps({"format": 1, "known_failures": [{**entry, "case": "toy.x"}]}))
    driven = drive(adapter("boolean"), *listed)
    assert (driven.status, driven.out) == (2, "")
    assert driven.err == f"commoncall: {file}: no case toy.x in this suite\n"


def test_every_form_of_a_report_becomes_a_file(drive: Drive, tmp_path: Path) -> None:
    forms = {"junit": "j.xml", "markdown": "m.md", "claim": "c.json"}
    asked = [part for name, file in forms.items() for part in (f"--{name}", str(tmp_path / file))]
    assert drive(adapter("good"), *asked).status == 0
    written = {path.name for path in tmp_path.iterdir()}
    assert written == {"report.json", *forms.values()}


def test_a_claim_is_written_of_what_is_not_conformant(drive: Drive, tmp_path: Path) -> None:
    assert drive(adapter("boolean"), "--claim", str(tmp_path / "c.json")).status == 1
    contracts = json.loads((tmp_path / "c.json").read_text())["contracts"]
    assert {each["contract"]: each["conformant"] for each in contracts} == {
        "toy": False,
        "spare": True,
    }


def test_a_run_that_backs_no_claim_says_so(drive: Drive, tmp_path: Path) -> None:
    place = ["--claim", str(tmp_path / "c.json")]
    driven = drive(adapter("good"), "--case", NUMBER, *place)
    assert driven.status == 2
    assert driven.err.startswith("commoncall: no claim is written: single cases were selected")
    driven = drive(adapter("nothing"), *place)
    assert driven.status == 3
    assert {path.name for path in tmp_path.iterdir()} == {"report.json"}


def test_the_seed_is_printed_and_repeats_the_run(drive: Drive) -> None:
    first, second = drive(adapter("boolean")), drive(adapter("boolean"))
    assert ", seed 1\n" in first.out
    assert first.out == second.out
    assert first.report == second.report


def test_the_adapter_sees_neither_ids_nor_expectations(drive: Drive, tmp_path: Path) -> None:
    log = tmp_path / "log"
    spy = "import sys\nfor line in sys.stdin:\n open(sys.argv[1], 'a').write(line)"
    relay = f"tee {log} | {sys.executable} -m tests.adapters.broken.good"
    if os.name == "posix":
        assert drive(["sh", "-c", relay]).status == 0
    else:
        drive([sys.executable, "-c", spy, str(log)], "--timeout", "1")
    sent = [json.loads(line) for line in log.read_text(encoding="ascii").splitlines()]
    assert sent[0]["suite"]["digest"].startswith("sha256:")
    assert sent[-1] == {"cmd": "stop"}
    for message in sent[1:-1]:
        assert set(message) == {"cmd", "seq", "operation", "input"}
    assert [message["seq"] for message in sent[1:-1]] == list(range(1, len(sent) - 1))
    text = log.read_text()
    for word in ("TOY-", "toy.echo.text", "expect", "title", "echoed"):
        assert word not in text
