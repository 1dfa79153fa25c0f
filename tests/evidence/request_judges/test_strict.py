"""The strict judge itself: for each rule a request that it accepts, and one that it refuses."""

import ast
import copy
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.evidence.request_judges.flags import COMMON, STRICTEST
from tests.evidence.request_judges.strict import NOT_JUDGED, RULES, rules_broken

Request = dict[str, Any]


def tool(name: str = "read", **members: Any) -> Request:
    schema = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
    return {"type": "function", "function": {"name": name, "parameters": schema, **members}}


def call(identifier: Any = "abcdefgh1", name: Any = "read", arguments: Any = "{}") -> Request:
    return {
        "id": identifier,
        "type": "function",
        "function": {"name": name, "arguments": arguments},
    }


def calling(*calls: Any, content: Any = "") -> Request:
    return {"role": "assistant", "content": content, "tool_calls": [*calls]}


def result(identifier: Any = "abcdefgh1", content: Any = "one", name: Any = "read") -> Request:
    return {"role": "tool", "tool_call_id": identifier, "content": content, "name": name}


USER: Request = {"role": "user", "content": "hi"}
SYSTEM: Request = {"role": "system", "content": "Be brief."}
IMAGE: Request = {"type": "image", "data": "AA=="}
MEDIA: Request = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
DONE: Request = {"role": "assistant", "content": "Done."}
SECOND = "abcdefgh2"


def history(*messages: Any) -> Request:
    return {"model": "m", "tools": [tool()], "messages": [*messages]}


TURN = history(USER, calling(call()), result())


def plain(**members: Any) -> Request:
    return {"model": "m", "messages": [USER], **members}


def named(name: str) -> Request:
    return {"type": "function", "function": {"name": name}}


def with_schema(**members: Any) -> Request:
    schema = {"type": "object", "properties": {}, **members}
    return plain(tools=[tool(parameters={k: v for k, v in schema.items() if v is not ...})])


BAD_ARGUMENTS: list[Any] = [
    "[1]",
    "null",
    "{",
    "{} x",
    '{"a": NaN}',
    '{"a": 1e999}',
    '{"a": "\\ud800"}',
    "{'a': 1}",
    "\ufeff{}",
    None,
    {},
]
NO_TEXT: list[Any] = [None, [], 7, {}]
LONG = "x" * 1025
MANY = [tool(f"t{number}") for number in range(129)]

ALWAYS: list[tuple[str, Request, Request]] = [
    # rule, accepted, refused: with and without a profile
    ("R-1", plain(), plain(tools=[])),
    ("R-1", plain(tools=[tool()], tool_choice="auto"), plain(tool_choice="auto")),
    ("R-1", plain(), plain(tools={})),
    ("R-1", plain(functions=[{"name": "f"}], function_call="auto"), plain(function_call="auto")),
    ("R-1", plain(), plain(functions=[])),
    ("R-3", plain(tools=[tool()]), plain(tools=[tool()], tool_choice=None)),
    ("R-3", plain(), plain(stop=None)),
    ("R-3", plain(tools=[tool()]), plain(tools=[tool(description=None)])),
    ("R-4", with_schema(), with_schema(type="array")),
    ("R-4", with_schema(), with_schema(type=...)),
    ("R-4", with_schema(), with_schema(type=["object"])),
    ("R-4", with_schema(), with_schema(properties=...)),
    ("R-4", with_schema(), with_schema(properties=[])),
    ("R-4", with_schema(), with_schema(anyOf=[{}])),
    ("R-4", with_schema(properties={"enum": {"enum": [1]}}), with_schema(enum=[{}])),
    ("R-4", with_schema(required=[]), with_schema(required=None)),
    ("R-4", with_schema(required=["a", "b"]), with_schema(required=["a", "a"])),
    ("R-4", plain(tools=[tool()]), plain(tools=[{"type": "function", "function": {"name": "f"}}])),
    ("R-5", plain(tools=[tool("f" * 64)]), plain(tools=[tool("f" * 65)])),
    ("R-5", plain(tools=[tool("f_-9")]), plain(tools=[tool("f.9")])),
    ("R-5", plain(tools=[tool()]), plain(tools=[tool("")])),
    ("R-5", TURN, history(USER, calling(call(name="a b")), {**result(), "name": "a b"})),
    ("R-6", plain(tools=[tool("f"), tool("F")]), plain(tools=[tool("f"), tool("f")])),
    (
        "R-7",
        plain(tools=[tool()], tool_choice=named("read")),
        plain(tools=[tool()], tool_choice=named("Read")),
    ),
    (
        "R-8",
        plain(tools=[tool()], tool_choice="required"),
        plain(tools=[tool()], tool_choice="any"),
    ),
    (
        "R-8",
        plain(tools=[tool()], tool_choice=named("read")),
        plain(tools=[tool()], tool_choice={"type": "function", "name": "read"}),
    ),
    ("R-9", TURN, plain(messages=[USER, calling(call()), result()])),
    ("R-10", plain(tools=[tool()]), plain(tools=[tool(strict="true")])),
    ("R-11", plain(tools=[tool()]), plain(tools=[tool()], parallel_tool_calls=1)),
    ("R-12", plain(tools=[tool()]), plain(tools=[tool()], functions=[{"name": "f"}])),
    ("R-12", plain(), plain(messages=[USER, {**DONE, "function_call": {"name": "f"}}])),
    ("R-15", plain(extra_body={"top_k": 5}), plain(extra_body={"tool_choice": "auto"})),
    (
        "R-15",
        plain(chat_template_kwargs={"enable_thinking": True}),
        plain(chat_template_kwargs={"extra_body": {"messages": []}}),
    ),
    (
        "R-13",
        plain(tools=[tool(description="Reads.")]),
        plain(tools=[tool(description=["Reads."])]),
    ),
    (
        "H-1",
        history(USER, calling(call()), result(), DONE),
        history(USER, calling(call()), SYSTEM, result(), DONE),
    ),
    ("H-2", TURN, history(USER, calling(call()))),
    ("H-2", TURN, history(USER, calling(call(), call(SECOND)), result(), DONE)),
    (
        "H-2",
        history(USER, calling(call()), result(), DONE, USER),
        history(USER, calling(call()), USER, DONE),
    ),
    ("H-3", TURN, history(USER, calling(call()), result(), result())),
    ("H-3", history(USER), history(USER, result())),
    ("H-3", TURN, history(USER, calling(call()), result(), result(SECOND))),
    (
        "H-5",
        history(USER, calling(call(arguments=' {"a": [1e3]} ')), result()),
        history(USER, calling(call(arguments="")), result()),
    ),
    *(
        ("H-5", TURN, history(USER, calling(call(arguments=bad)), result()))
        for bad in BAD_ARGUMENTS
    ),
    ("H-7", TURN, history(USER, calling(call(" ")), result(" "))),
    ("H-7", TURN, history(USER, calling(call(7)), result(7))),
    (
        "H-7",
        history(USER, calling(call()), result(), DONE, USER, calling(call(SECOND)), result(SECOND)),
        history(USER, calling(call()), result(), DONE, USER, calling(call()), result()),
    ),
    ("H-8", TURN, history(USER, calling(call(name="")), result(name=""))),
    ("H-8", TURN, history(USER, calling({**call(), "type": "tool"}), result())),
    ("H-8", TURN, history(USER, calling("read"))),
    ("H-9", history(USER, DONE), history(USER, {**DONE, "tool_calls": []})),
    ("H-9", history(USER, DONE), history(USER, {**DONE, "tool_calls": None})),
    ("H-9", history(USER, DONE), history(USER, {"role": "assistant", "content": ""})),
    ("H-9", TURN, history({**USER, "tool_calls": [call()]})),
    ("H-12", TURN, history(USER, calling(call()), result(content={"a": 1}))),
    ("FORM", plain(), plain(messages=None)),
    ("FORM", plain(), plain(messages=[USER, "hi"])),
    ("FORM", plain(), plain(messages=[{**USER, "role": "function"}])),
    *(("FORM", plain(), plain(messages=[{**USER, "content": odd}])) for odd in NO_TEXT),
    ("FORM", plain(), plain(messages=[{"role": "user"}])),
    ("FORM", plain(), plain(messages=[{**USER, "name": None}])),
    ("FORM", plain(), plain(messages=[{**USER, "content": "a\ud800"}])),
    ("H-12", TURN, history(USER, calling(call()), result(content=[IMAGE, MEDIA]))),
    ("FORM", plain(tools=[tool()]), plain(tools=[{"type": "web_search"}])),
]

BY_PROFILE: list[tuple[str, Request, Request, Request]] = [
    # rule, the flag that eases it, accepted, refused by the empty profile alone
    ("R-5", {"name_start": "any"}, plain(tools=[tool("read")]), plain(tools=[tool("9read")])),
    (
        "R-10",
        {"strict_field": "any"},
        plain(tools=[tool()]),
        plain(tools=[tool(strict=True), tool("b")]),
    ),
    (
        "R-10",
        {"strict_field": "uniform"},
        plain(tools=[tool()]),
        plain(tools=[tool(strict=True), tool("b", strict=True)]),
    ),
    (
        "R-11",
        {"parallel_field": True},
        plain(tools=[tool()]),
        plain(tools=[tool()], parallel_tool_calls=False),
    ),
    ("R-13", {"max_tools": None}, plain(tools=MANY[:128]), plain(tools=MANY)),
    ("R-13", {"max_tools": 129}, plain(tools=MANY[:128]), plain(tools=MANY)),
    (
        "R-13",
        {"max_description": None},
        plain(tools=[tool(description=LONG[1:])]),
        plain(tools=[tool(description=LONG)]),
    ),
    (
        "H-6",
        {"opaque_parts": ["thinking"]},
        history(USER, {**DONE, "content": [{"type": "text", "text": "Done."}]}),
        history(USER, {**DONE, "content": [{"type": "thinking", "signature": "s"}]}),
    ),
    (
        "H-7",
        {"ids": "any"},
        TURN,
        history(USER, calling(call("functions.read:0")), result("functions.read:0")),
    ),
    ("H-7", {"ids": "word_40"}, TURN, history(USER, calling(call("call_1")), result("call_1"))),
    ("H-7", {"ids": "verbatim"}, TURN, history(USER, calling(call("call:1")), result("call:1"))),
    (
        "H-10",
        {"content_beside_calls": "any"},
        TURN,
        history(USER, calling(call(), content=None), result()),
    ),
    (
        "H-11",
        {"user_after_tool": True, "repeated_roles": True},
        history(USER, calling(call()), result(), DONE, USER),
        history(USER, calling(call()), result(), USER),
    ),
    ("H-11", {"repeated_roles": True}, history(USER, DONE, USER), history(USER, DONE, USER, USER)),
    ("H-11", {"repeated_roles": True}, history(USER, DONE, USER), history(USER, DONE, DONE, USER)),
    ("H-11", {"repeated_roles": True}, history(SYSTEM, USER), history(SYSTEM, DONE, USER)),
    ("H-11", {"repeated_roles": True}, history(SYSTEM, USER), history(SYSTEM)),
    (
        "H-11",
        {"calls_in_message": "any"},
        history(USER, calling(call()), result(), calling(call(SECOND)), result(SECOND)),
        history(USER, calling(call(), call(SECOND)), result(SECOND), result()),
    ),
    (
        "FORM",
        {"developer_role": True},
        plain(),
        plain(messages=[{**USER, "role": "developer"}, USER]),
    ),
    ("H-11", {"system_anywhere": True}, history(SYSTEM, USER), history(USER, SYSTEM)),
    ("H-11", {"system_anywhere": "first"}, history(SYSTEM, USER), history(SYSTEM, SYSTEM, USER)),
    (
        "H-12",
        {"result_content": "any"},
        TURN,
        history(USER, calling(call()), result(content=[{"type": "text", "text": "one"}])),
    ),
    (
        "H-13",
        {"readable_members": ["reasoning"]},
        history(USER, DONE),
        history(USER, {**DONE, "reasoning": "I think."}),
    ),
    (
        "H-13",
        {"opaque_members": ["reasoning_content"]},
        history(USER, DONE),
        history(USER, {**DONE, "reasoning_content": "I think."}),
    ),
    (
        "H-13",
        {"unknown_members": "any"},
        TURN,
        history(USER, calling({**call(), "index": 0}), result()),
    ),
    (
        "H-15",
        {"result_name": "any"},
        TURN,
        history(
            USER, calling(call()), {"role": "tool", "tool_call_id": "abcdefgh1", "content": "one"}
        ),
    ),
]


@pytest.mark.parametrize("profile", [None, {}])
def test_each_rule_accepts_and_refuses(profile: Request | None) -> None:
    for rule, accepted, refused in ALWAYS:
        assert rules_broken(accepted, profile=profile) == [], rule
        assert rules_broken(refused, profile=profile).count(rule) == 1, (rule, refused)


@pytest.mark.parametrize(("rule", "flag", "accepted", "refused"), BY_PROFILE)
def test_each_flag_eases_its_rule(
    rule: str, flag: Request, accepted: Request, refused: Request
) -> None:
    assert rules_broken(accepted, profile={}) == []
    assert rules_broken(refused, profile={}) == [rule]
    assert rules_broken(refused, profile=flag) == []
    assert rules_broken(refused) == []


def below(schema: Any, **members: Any) -> Request:
    return with_schema(properties={"p": schema}, **members)


def strictly(schema: Request) -> Request:
    parameters = {"type": "object", "properties": {"p": schema}, "required": ["p"]}
    return plain(
        tools=[tool(strict=True, parameters={**parameters, "additionalProperties": False})]
    )


CHOOSING = plain(tools=[tool()], tool_choice="required")
STRICT: Request = {"type": "array", "items": {"type": "object", "properties": {}}}
CLOSED = {**STRICT, "items": {**STRICT["items"], "additionalProperties": False}}
REFUSED: list[tuple[str, Request, Request, Request]] = [
    # rule, flag, accepted, refused: by a flag that says what the endpoint refuses
    *(
        ("R-4", {"refused_in_schemas": [name]}, below(accepted), below(refused))
        for name, accepted, refused in [
            ("examples", {"type": "string"}, {"type": "string", "examples": []}),
            ("malformed", {"type": "string"}, {"type": ["string", "string"]}),
            ("malformed", True, None),
            ("malformed", {"anyOf": [{}]}, {"anyOf": []}),
            ("malformed", {"type": "null"}, {"type": "any"}),
            ("malformed", {"enum": [1]}, {"enum": []}),
            ("ref_undefined", {"$ref": "#/properties"}, {"items": {"$ref": "#/$defs/a"}}),
            (
                "all_of_endless",
                {"allOf": [{"$ref": "#/nowhere"}]},
                {"allOf": [{"$ref": "#/properties"}]},
            ),
            ("ref_siblings", {"items": True}, {"$ref": "#/properties"}),
            ("boolean", {"additionalProperties": True}, {"not": True}),
            ("required_undefined", {"required": []}, {"required": ["a"]}),
            ("type_beside_any_of", {"anyOf": []}, {"type": "string", "anyOf": []}),
            ("type_list", {"type": "string"}, {"items": {"type": ["string"]}}),
            ("untyped", {"enum": [1]}, {"enum": [1], "not": {}}),
            ("array_without_items", {"type": "array", "items": {}}, {"type": "array"}),
            ("array_without_items", {"type": ["null"]}, {"type": ["null", "array"]}),
            ("pattern_of_parts", {"pattern": "^a\\.$"}, {"pattern": "^\\d$"}),
            ("pattern_of_parts", {"pattern": "^a$"}, {"pattern": "a$"}),
            ("members_of_no_object", {"required": []}, {"type": "string", "required": []}),
            ("items_of_no_array", {"items": {}}, {"type": "string", "items": {}}),
            ("enum_of_others", {"enum": ["a"]}, {"oneOf": [{"enum": [1]}]}),
        ]
    ),
    (
        "R-10",
        {"strict_field": "any", "refused_in_schemas": ["strict_open"]},
        strictly(CLOSED),
        strictly(STRICT),
    ),
    (
        "R-8",
        {"refused_choices": ["named"]},
        CHOOSING,
        plain(tools=[tool()], tool_choice=named("read")),
    ),
    (
        "R-8",
        {"refused_thinking": ["required"]},
        {**CHOOSING, "thinking": {"type": "disabled"}},
        {**CHOOSING, "extra_body": {"enable_thinking": True}},
    ),
    (
        "R-8",
        {"refused_thinking": ["required"], "thinks_unasked": True},
        {**CHOOSING, "reasoning_effort": "none"},
        CHOOSING,
    ),
    (
        "R-8",
        {"effort_beside_tools": "none"},
        plain(tools=[tool()], reasoning_effort="none"),
        plain(tools=[tool()]),
    ),
    (
        "H-6",
        {"opaque_members": ["r"], "opaque_required": {"r": {"in": "message"}}},
        history(USER, {**DONE, "r": ""}, USER),
        history(USER, DONE, USER),
    ),
    (
        "H-6",
        {"opaque_members": ["s"], "opaque_required": {"s": {"in": "call"}}},
        history(USER, calling({**call(), "s": 1}), result()),
        TURN,
    ),
    ("H-14", {"assistant_last": False}, history(USER, DONE, USER), history(USER, DONE)),
]


@pytest.mark.parametrize(("rule", "flag", "accepted", "refused"), REFUSED)
def test_each_refusal_of_a_profile_is_a_rule(
    rule: str, flag: Request, accepted: Request, refused: Request
) -> None:
    assert rules_broken(accepted, profile=flag) == []
    assert rules_broken(refused, profile=flag) == [rule]
    assert rules_broken(refused) == []


def test_uniform_strict_is_all_or_none() -> None:
    mixed = plain(tools=[tool(strict=True), tool("b")])
    assert rules_broken(mixed, profile={"strict_field": "uniform"}) == ["R-10"]


def test_a_provider_that_wants_its_ids_back_may_repeat_them() -> None:
    rounds = history(USER, calling(call()), result(), calling(call()), result())
    profile = {"ids": "verbatim", "calls_in_message": "any"}
    assert rules_broken(rounds, profile=profile) == []
    twice = history(USER, calling(call(), call()), result(), result())
    assert rules_broken(twice, profile=profile) == ["H-7"]


def test_roles_that_alternate_leave_the_user_behind_a_result() -> None:
    told = history(USER, calling(call()), result(), USER)
    assert rules_broken(told, profile={"user_after_tool": True}) == []
    assert rules_broken(told, profile={"repeated_roles": True}) == ["H-11"]


def test_what_is_signed_keeps_its_calls() -> None:
    signed = calling({**call(), "signature": "s"}, call(SECOND))
    request = history(USER, signed, result(), result(SECOND))
    assert rules_broken(request, profile={"opaque_members": ["signature"]}) == []
    assert rules_broken(request, profile={"unknown_members": "any"}) == ["H-11"]


def test_a_profile_may_want_no_name_in_a_result() -> None:
    unnamed = {"role": "tool", "tool_call_id": "abcdefgh1", "content": "one"}
    profile = {"result_name": "none"}
    assert rules_broken(history(USER, calling(call()), unnamed), profile=profile) == []
    assert rules_broken(TURN, profile=profile) == ["H-15"]


def test_a_profile_may_take_media_in_a_result() -> None:
    profile = {"result_content": "parts"}
    pictured = history(USER, calling(call()), result(content=[MEDIA]))
    assert rules_broken(pictured, profile=profile) == []
    assert rules_broken(pictured, profile={"result_content": "any"}) == ["H-12"]
    raw = history(USER, calling(call()), result(content=[IMAGE]))
    assert rules_broken(raw, profile=profile) == ["H-12"]


def test_ids_have_their_length() -> None:
    long = "x" * 41
    request = history(USER, calling(call(long)), result(long))
    assert rules_broken(request, profile={"ids": "word_40"}) == ["H-7"]
    assert rules_broken(request, profile={"ids": "word_64"}) == []


@pytest.mark.parametrize(
    ("rule", "capability", "accepted", "refused"),
    [
        ("R-2", None, plain(), plain(tools=[tool()])),
        ("R-2", {"tool_calls_supported": "true"}, plain(), plain(tools=[tool()])),
        ("R-2", {"tool_calls_supported": False}, plain(), plain(functions=[{"name": "f"}])),
        (
            "R-8",
            {"tool_calls_supported": True, "tool_choice": ["auto"]},
            plain(tools=[tool()], tool_choice="auto"),
            plain(tools=[tool()], tool_choice=named("read")),
        ),
        (
            "R-8",
            {"tool_calls_supported": True, "tool_choice": "auto"},
            plain(tools=[tool()]),
            plain(tools=[tool()], tool_choice="auto"),
        ),
        (
            "R-11",
            {"tool_calls_supported": True, "parallel_tool_calls": False},
            plain(tools=[tool()], parallel_tool_calls=False),
            plain(tools=[tool()], parallel_tool_calls=True),
        ),
    ],
)
def test_rules_about_the_model(
    rule: str, capability: object, accepted: Request, refused: Request
) -> None:
    assert rules_broken(accepted, capability=capability) == []
    assert rules_broken(refused, capability=capability) == [rule]


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


def test_every_rule_is_tested_or_not_judged_for_a_reason() -> None:
    tested = {case[0] for case in [*ALWAYS, *BY_PROFILE, *REFUSED]} | {"R-2"}
    assert tested == RULES
    assert not RULES & NOT_JUDGED.keys()


def test_the_rules_are_those_of_the_two_catalogues(root: Path) -> None:
    page = (root / "spec/coverage.md").read_text(encoding="utf-8")
    catalogues = set(re.findall(r"^\| ([RH]-\d+) \|", page, re.MULTILINE))
    assert {*RULES, *NOT_JUDGED} - {"FORM"} == catalogues


def test_the_judge_knows_every_flag_of_a_profile(root: Path) -> None:
    file = root / "schemas/v1/formats/profile.schema.json"
    flags = set(json.loads(file.read_text(encoding="utf-8"))["$defs"]["flag"]["enum"])
    assert set(COMMON) == set(STRICTEST) == flags


def test_judging_changes_nothing() -> None:
    for case in [*ALWAYS, *BY_PROFILE]:
        request = case[-1]
        before = copy.deepcopy(request)
        rules_broken(request, capability=None, profile={})
        assert request == before


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


@pytest.mark.parametrize("profile", [[], "vllm"])
def test_what_is_no_profile_eases_nothing(profile: Any) -> None:
    request = {"messages": [{"role": "user", "content": "x"}], "tools": []}
    assert rules_broken(request, profile=profile) == rules_broken(request, profile={})
