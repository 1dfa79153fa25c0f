"""The strict judge itself: it refuses what the text mends, and accepts what the text lets out.

`test_golden` asks it about whole requests.
"""

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from commoncall_kit.suite.data import Case
from tests import shared
from tests.each import check_each
from tests.evidence.request_judges.flags import COMMON, STRICTEST
from tests.evidence.request_judges.strict import (
    NOT_JUDGED,
    RULES,
    history_violations,
    rules_broken,
    violations,
)
from tests.evidence.request_judges.test_prepared_requests import SAID
from tests.evidence.validators.test_golden import OPEN

Request = dict[str, Any]

SHOWN: Final = {
    "FORM": {
        "content_coerced",
        "message_not_object",
        "name_not_string",
        "payload_not_object",
        "role_coerced",
        "role_unknown",
        "surrogate_replaced",
        "tool_malformed",
    },
    "H-1": {"result_moved"},
    "H-2": {"result_missing"},
    "H-3": {"id_replaced", "result_late", "result_moved", "result_orphaned"},
    "H-5": {
        "arguments_coerced",
        "arguments_empty",
        "arguments_invalid_json",
        "arguments_not_object",
        "arguments_repaired",
        "arguments_too_deep",
    },
    "H-6": {"opaque_added", "opaque_missing", "part_unknown"},
    "H-7": {"id_replaced"},
    "H-8": {
        "call_not_object",
        "function_missing",
        "function_not_object",
        "name_blank",
        "name_missing",
        "type_coerced",
    },
    "H-9": {
        "content_coerced",
        "message_empty",
        "tool_calls_empty",
        "tool_calls_misplaced",
        "tool_calls_not_array",
    },
    "H-10": {"content_coerced"},
    "H-11": {"bridge_inserted", "bridge_missing", "calls_split", "messages_joined", "system_late"},
    "H-12": {"media_moved", "media_removed", "result_content_coerced", "text_blank"},
    "H-13": {"members_unknown"},
    "H-14": {"assistant_last"},
    "H-15": {"members_unknown"},
    "R-1": {"tools_absent", "tools_empty", "tools_not_array"},
    "R-2": {"capability_unsupported"},
    "R-3": {"null_omitted"},
    "R-4": {
        "annotation_removed",
        "constraint_removed",
        "parameters_added",
        "parameters_completed",
        "schema_not_taken",
        "schema_respelled",
        "schema_unsafe",
        "type_moved",
    },
    "R-5": {"name_aliased", "name_coerced", "tool_malformed"},
    "R-7": {"name_aliased"},
    "R-8": {
        "choice_coerced",
        "choice_not_offered",
        "choice_replaced",
        "effort_not_taken",
        "thinking_disabled",
    },
    "R-10": {"strict_not_boolean", "strict_not_taken"},
    "R-11": {"parallel_not_boolean", "parallel_not_offered", "parallel_not_taken"},
    "R-12": {"function_call_removed"},
    "R-13": {"description_cut", "description_not_string"},
}
"""The findings of what breaks a rule."""

UNREFUSED: Final = {"effort_in_doubt", "member_not_taken", "member_renamed"}
"""Findings of what no rule is about."""

LEFT: Final = {**SAID, "payload_not_object": "FORM"}
"""Findings of what stays as it is, with the rule that it breaks."""

BEYOND: Final = {
    "payload.sanitize_history.blank-part-between-call-and-result",
    "payload.sanitize_history.empty-blank",
    "payload.sanitize_history.empty-texts",
    "payload.sanitize_history.joined-behind-open-call",
    "payload.sanitize_history.joined-systems",
    "payload.sanitize_history.media-with-an-address",
    "payload.sanitize_history.readable-no-wire",
    "payload.sanitize_history.refusal-beside-valid-calls",
    "payload.sanitize_request.below-all-of-endless-ref",
    "payload.sanitize_request.below-enum-of-nothing",
    "payload.sanitize_request.below-formats",
    "payload.sanitize_request.below-older-limit-of-no-number",
    "payload.sanitize_request.below-older-limits",
    "payload.sanitize_request.below-ref-behind-a-ref",
    "payload.sanitize_request.below-ref-percent-beside",
    "payload.sanitize_request.below-ref-words",
    "payload.sanitize_request.below-refs-in-a-long-row",
    "payload.sanitize_request.below-refs-in-a-row",
    "payload.sanitize_request.below-required-beside-faults",
    "payload.sanitize_request.surrogate-in-message",
}
"""Cases in which the text mends what the judge lets pass."""


def call(identifier: str = "abcdefgh1") -> Request:
    function = {"name": "read", "arguments": "{}"}
    return {"id": identifier, "type": "function", "function": function}


def calling(*calls: Request) -> Request:
    return {"role": "assistant", "content": "", "tool_calls": [*calls]}


def result() -> Request:
    return {"role": "tool", "tool_call_id": "abcdefgh1", "content": "one", "name": "read"}


USER: Request = {"role": "user", "content": "hi"}
DONE: Request = {"role": "assistant", "content": "Done."}
SECOND = "abcdefgh2"


def history(*messages: Request) -> Request:
    schema = {"type": "object", "properties": {}}
    tools = [{"type": "function", "function": {"name": "read", "parameters": schema}}]
    return {"model": "m", "tools": tools, "messages": [*messages]}


def mended() -> Iterator[tuple[str, Case]]:
    """Give the cases that say what becomes of a request or a history, with their names."""
    for case in shared.suite().cases:
        names = ("payload.sanitize_history", "payload.sanitize_request")
        if case.operation.name in names and "result" in case.expect:
            yield case.id, case


def judged(case: Case, what: Any) -> set[str]:
    """Return the rules that the input or the result of a case breaks."""
    given: Any = case.input
    profile = given.get("profile")
    if case.operation.name == "payload.sanitize_history":
        is_open = given.get("open_turn", False)
        found = history_violations(what["messages"], profile=profile, open_turn=is_open)
    else:
        request = what["request"]
        if isinstance(request, dict):
            request = {name: value for name, value in request.items() if name != "messages"}
        found = violations(request, capability=given["capability"], profile=profile)
    return {each.rule for each in found}


def check_mended(case: Case) -> None:
    result: Any = case.expect["result"]
    codes = {each["code"] for each in result["findings"]}
    left = {LEFT[code] for code in codes & LEFT.keys()}
    assert judged(case, result) <= left | OPEN.get(case.id, set())
    if "opaque_removed" in codes:
        return  # What goes elsewhere leaves it behind, and the rest of its message follows.
    broken = {rule for rule, shown in SHOWN.items() if codes & shown}
    is_said = not broken.isdisjoint(judged(case, case.input))
    assert is_said != (case.id in BEYOND or codes <= UNREFUSED)


def test_what_the_text_mends_is_refused() -> None:
    before = repr([case.input for _, case in mended()])
    check_each(mended(), check_mended)
    found = {rule for _, case in mended() for rule in judged(case, case.input)}
    assert found == RULES - {"R-9"}  # which is about both halves of a request
    assert repr([case.input for _, case in mended()]) == before


def test_a_history_with_calls_needs_tools() -> None:
    request = history(USER, calling(call()), result(), DONE)
    assert rules_broken(request) == []
    assert rules_broken({**request, "tools": []}) == ["R-1", "R-9"]


def test_an_open_turn_waits_for_results() -> None:
    waiting = history(USER, calling(call(), call(SECOND)), result())
    assert rules_broken(waiting, open_turn=True) == []
    assert rules_broken(waiting) == ["H-2"]
    told = history(USER, calling(call(), call(SECOND)), result(), USER)
    assert rules_broken(told, open_turn=True, profile={}) == []
    answered = history(USER, calling(call()), result(), USER)
    assert rules_broken(answered, open_turn=True, profile={}) == ["H-11"]
    earlier = history(USER, calling(call()), USER, DONE)
    assert rules_broken(earlier, open_turn=True) == ["H-2"]


def test_a_request_that_is_no_object_is_refused() -> None:
    values: list[object] = [None, [], "{}", 1]
    assert [rules_broken(value) for value in values] == [["FORM"]] * 4


def test_no_rule_is_judged_and_not_judged() -> None:
    assert not RULES & NOT_JUDGED.keys()


def test_the_rules_are_those_of_the_two_catalogues(root: Path) -> None:
    page = (root / "spec/coverage.md").read_text(encoding="utf-8")
    catalogues = set(re.findall(r"^\| ([RH]-\d+) \|", page, re.MULTILINE))
    assert {*RULES, *NOT_JUDGED} - {"FORM"} == catalogues


def test_the_judge_knows_every_flag_of_a_profile(root: Path) -> None:
    file = root / "schemas/v1/formats/profile.schema.json"
    flags = set(json.loads(file.read_text(encoding="utf-8"))["$defs"]["flag"]["enum"])
    assert set(COMMON) == set(STRICTEST) == flags


def test_the_judge_shares_no_code_with_the_reference(root: Path) -> None:
    own = {"flags", "history_rules", "request_rules", "schema_rules", "strict"}
    for name in own:
        source = (root / f"tests/evidence/request_judges/{name}.py").read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for imported in names:
                standard = imported.partition(".")[0] in sys.stdlib_module_names
                assert standard or imported in {
                    f"tests.evidence.request_judges.{each}" for each in own
                }


def test_what_is_no_profile_eases_nothing() -> None:
    request = {"messages": [USER], "tools": []}
    no_profile: list[Any] = [[], "vllm"]
    strictest = rules_broken(request, profile={})
    assert [rules_broken(request, profile=each) for each in no_profile] == [strictest] * 2
