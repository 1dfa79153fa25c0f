"""Whole requests through `turn.prepare`: what leaves is accepted by a judge of its own.

The judge (`strict.py`) knows what providers refuse, and nothing of the reference.
"""

import copy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from commoncall.envelope import Env
from commoncall.payload import OPERATIONS as PAYLOAD
from commoncall.turn import OPERATIONS as TURN
from tests import examples
from tests.evidence.request_judges.clean import Draw, Request, clean_requests
from tests.evidence.request_judges.flags import VALUES, Violation
from tests.evidence.request_judges.strict import rules_broken, violations
from tests.evidence.servers import sent
from tests.evidence.servers.sent import HERE, SECRET, prepare_input

ERRORS = {
    "invalid_input",
    "choice_unknown_tool",
    "choice_unsupported",
    "choice_malformed",
    "duplicate_tool",
    "history_emptied",
    "legacy_and_tools",
    "too_many_tools",
    "origin_missing",
}
"""The errors with which a request may be refused in place of being sent."""

NAMES = {"opaque_members": ["reasoning_content"]}
"""A value of the flags that are names, beside the empty list."""

REFUSED: dict[str, Any] = {
    "refused_in_schemas": [
        # With `array_without_items` no finite schema would say that anything is taken.
        *("examples", "type_list", "untyped", "required_undefined", "ref_siblings"),
        *("type_beside_any_of", "members_of_no_object", "items_of_no_array", "malformed"),
        *(
            "enum_of_others",
            "enum_of_other_types",
            "strict_open",
            "strict_grammar",
            "property_names",
            "pattern_of_parts",
        ),
    ],
    "refused_choices": ["named"],
    "refused_thinking": ["required"],
    "opaque_required": {"reasoning_content": {"in": "message", "value": ""}},
}
"""A value of the flags that say what the endpoint refuses, beside the empty one."""


WANTS = {"effort_beside_tools", *REFUSED}


def _with_origin(profile: dict[str, Any]) -> dict[str, Any]:
    """Return a profile that has an origin where it names something opaque (PAY-158)."""
    if profile.get("opaque_required"):  # It says something of opaque members alone.
        profile = {**profile, "opaque_members": [*profile["opaque_required"]]}
    names = any(profile.get(name) for name in NAMES)
    return {**profile, "origin": HERE} if names else profile


def _marked(messages: Any, profile: Any) -> Any:
    """Return sent messages as their store has them, from where the profile says (PAY-085)."""
    if not profile or "origin" not in profile or not isinstance(messages, list):
        return messages
    return [{**message, "_from": profile["origin"]} for message in messages]


profiles: st.SearchStrategy[Any] = (
    st.none()
    | st.just({})
    | st.fixed_dictionaries(
        {},
        optional={
            **{
                name: st.sampled_from([*values, {**NAMES, **REFUSED}.get(name, values[0])])
                for name, values in VALUES.items()
            },
            "origin": st.just(HERE),
        },
    ).map(_with_origin)
)
clean = examples.shared(clean_requests(strictest=False))
strictly_clean = examples.shared(clean_requests(strictest=True))
poisoned = st.integers(0, 2**32).map(lambda seed: sent.Draw(seed).request())
"""Requests in which any part can be wrong, as running servers are asked about them."""

any_texts = st.text(st.characters(exclude_categories=()), max_size=4).map(
    lambda text: SECRET + text
)
json_values = examples.shared(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | any_texts,
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(any_texts, inner, max_size=2),
        max_leaves=5,
    )
)


@st.composite
def displaced_requests(draw: Draw[Any]) -> Request:
    """Draw a clean request and put any JSON in one to three places of it."""
    request: Request = copy.deepcopy(draw(clean_requests(strictest=draw(st.booleans()))))
    for _ in range(draw(st.integers(1, 3))):
        holder, key = draw(st.sampled_from(_places(request)))
        holder[key] = draw(json_values)
    return request


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Return each member and each element below a value, as its holder and its key."""
    keys = list(value) if isinstance(value, dict) else []
    keys = list(range(len(value))) if isinstance(value, list) else keys
    return [
        *((value, key) for key in keys),
        *(place for key in keys for place in _places(value[key])),
    ]


dispositions = st.sampled_from(["skip", "answer"])
protocols = st.sampled_from(["native", "native", "native", "text", "none"])
kinds = st.lists(st.sampled_from(["auto", "none", "required", "named"]), unique=True)
stated = st.fixed_dictionaries(
    {}, optional={"tool_choice": kinds | st.none(), "parallel_tool_calls": st.booleans()}
)
"""What a capability may say of a model that takes tools."""


def run(operation: str, value: dict[str, Any]) -> Any:
    """Return the result, or None for an error of the closed list; the input stays as it is."""
    before = repr(value)
    outcome = (PAYLOAD | TURN)[operation](value, Env([]))
    assert repr(value) == before
    if "error" in outcome:
        assert outcome["error"]["code"] in ERRORS
        return None
    return outcome["result"]


SAID = {"assistant_last": "H-14", "opaque_missing": "H-6", "bridge_missing": "H-11"}
"""The findings of what stays as it is, since only the caller knows what to do about it."""


def unsaid(found: list[Violation], result: Any) -> list[Violation]:
    """Return the violations that no finding names."""
    said = {SAID.get(each["code"]) for each in result["findings"]}
    return [each for each in found if each.rule not in said]


@given(clean | strictly_clean)
def test_what_is_called_clean_is_clean(request: Request) -> None:
    assert rules_broken(request) == []


@given(strictly_clean)
def test_what_is_called_clean_for_all_is_clean_for_all(request: Request) -> None:
    assert violations(request, profile={}) == []


@settings(max_examples=300)
@given(poisoned, profiles, dispositions, protocols, stated, st.booleans())
def test_what_is_prepared_is_accepted(
    request: Request,
    profile: Any,
    disposition: str,
    protocol: str,
    says: Request,
    open_turn: bool,
) -> None:
    value = prepare_input(request, profile, disposition, protocol, says, open_turn=open_turn)
    if result := run("turn.prepare", value):
        capability = {**says, "tool_calls_supported": protocol == "native"}
        found = unsaid(
            violations(
                result["request"], capability=capability, profile=profile, open_turn=open_turn
            ),
            result,
        )
        if open_turn and "history_flattened" in {each["code"] for each in result["findings"]}:
            # No bridge stands behind a call that waits, and as text it waits no more (TRN-009).
            found = [each for each in found if each.rule != "H-11"]
        assert found == []


@given(displaced_requests(), profiles, dispositions, protocols)
def test_any_json_in_any_place_is_accepted_then_or_refused(
    request: Request, profile: Any, disposition: str, protocol: str
) -> None:
    result = run("turn.prepare", prepare_input(request, profile, disposition, protocol))
    if result and isinstance(request.get("messages"), list):
        assert unsaid(violations(result["request"], profile=profile), result) == []


@given(clean, dispositions)
def test_a_clean_request_leaves_as_it_came(request: Request, disposition: str) -> None:
    result = run("turn.prepare", prepare_input(request, disposition=disposition))
    assert repr(result["request"]) == repr(request)
    assert (result["aliases"], result["findings"]) == ({}, [])


@given(strictly_clean, profiles, dispositions)
def test_what_all_take_leaves_as_it_came_under_every_profile(
    request: Request, profile: Any, disposition: str
) -> None:
    eased = {**profile, "max_tools": None, "max_description": None} if profile else profile
    if eased and eased.get("result_name") == "none":
        del eased["result_name"]  # One endpoint wants the name, and another refuses it.
    if eased and eased.get("blank_texts") is False:
        eased["content_beside_calls"] = "string"  # One refuses the empty text that another wants.
    if eased:
        # One endpoint wants a member that no other does, or refuses what each other takes.
        eased = {name: value for name, value in eased.items() if name not in WANTS}
    result = run("turn.prepare", prepare_input(request, eased, disposition))
    assert repr(result["request"]) == repr(request)
    assert (result["aliases"], result["findings"]) == ({}, [])


@given(poisoned, profiles, dispositions)
def test_a_second_pass_changes_nothing(request: Request, profile: Any, disposition: str) -> None:
    value = prepare_input(request, profile, disposition)
    if (result := run("turn.prepare", value)) and not result["aliases"]:
        sent = result["request"]
        if isinstance(sent, dict) and "messages" in sent:
            sent = {**sent, "messages": _marked(sent["messages"], profile)}
        again = run("turn.prepare", {**value, "request": sent})
        said = {each["code"] for each in again["findings"]} - {"effort_in_doubt"}
        assert repr(again["request"]) == repr(result["request"])
        # Where no word may be added, what stands side by side is said each time.
        said -= set() if profile is None or profile.get("bridges", True) else {"bridge_missing"}
        # Where the last message may not be one of the assistant, nothing else can be done.
        said -= (
            set() if profile is None or profile.get("assistant_last", True) else {"assistant_last"}
        )
        assert said == set()


@given(poisoned, profiles, dispositions)
def test_a_change_has_a_finding_and_no_change_has_none(
    request: Request, profile: Any, disposition: str
) -> None:
    result = run("turn.prepare", prepare_input(request, profile, disposition))
    if result is None:
        return
    same = repr(result["request"]) == repr(request)
    findings = result["findings"]
    changed = {each["code"] for each in findings} - {"effort_in_doubt", *SAID}
    assert not same or changed == set()
    # What is not reported stands in the request that leaves, as it came: what speaks in its order,
    # and results anywhere, with the name that the profile wants.
    paths = [each["path"].split("/")[2:] for each in findings]
    if ["messages"] not in paths:
        reported = {path[1] for path in paths if path[0] == "messages"}
        joined = {
            request["messages"][int(path[1])]["role"]
            for path, each in zip(paths, findings, strict=True)
            if each["code"] == "messages_joined"
        }
        joined |= {"system"} if "developer" in joined else set()
        # A late one has become the user's before it was joined.
        joined |= {"user"} if joined & {"system", "tool"} else set()
        for role in ("system", "developer", "user", "assistant"):
            sent = iter([repr(one) for one in result["request"]["messages"] if one["role"] == role])
            for at, message in enumerate(request["messages"]):
                if role == _role(message) and role not in joined and str(at) not in reported:
                    assert repr(_without(message, "_from")) in sent
        answers = [
            _without(one, "name") for one in result["request"]["messages"] if one["role"] == "tool"
        ]
        for at, message in enumerate(request["messages"]):
            if _role(message) == "tool" and str(at) not in reported:
                answers.remove(_without(message, "name"))


def _role(message: Any) -> object:
    return message.get("role") if isinstance(message, dict) else None


def _without(message: Request, gone: str) -> Request:
    return {name: value for name, value in message.items() if name != gone}


def test_every_flag_has_values_here() -> None:
    assert NAMES.keys() <= VALUES.keys()
    assert all(VALUES.values())
