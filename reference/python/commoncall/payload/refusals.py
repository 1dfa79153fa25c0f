"""What the endpoint of a profile answers with an error, among what was found.

Holds the definition "refusal" of spec/v1/payload.md, and PAY-171. A refusal is read off the finding
and the input alone: why a step changed something is not asked.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import Any, Final, NamedTuple

from commoncall.payload.call_ids import has_form
from commoncall.payload.messages import is_visible
from commoncall.payload.profile import Ids, Profile
from commoncall.payload.spread import BRANCHED, COMBINED
from commoncall.places import Found, Place, at
from commoncall.stated_capability import choice_word

_ABSENT: Final = object()
_LONG_ID: Final = 40
"""OpenAI takes no longer id of a call."""


class _Given:
    """A request as it was given; a history is one that has nothing but messages."""

    def __init__(self, request: object, ids: Ids) -> None:
        self.request = request
        self.ids = ids

    def at(self, place: Place) -> Any:
        """Return what stands at a place, or `_ABSENT`."""
        return at(self.request, place, _ABSENT)

    def role(self, number: int) -> object:
        """Return the role of the message in a position, which can be before the first one."""
        # For Python a negative position counts from the end.
        return self.at(("messages", number, "role")) if number >= 0 else _ABSENT

    @cached_property
    def lacks_tools(self) -> bool:
        """Whether the request has no tools."""
        tools = self.at(("tools",))
        return not (isinstance(tools, list) and tools)

    @cached_property
    def repeated(self) -> frozenset[Place]:
        """The places of ids that an earlier call has."""
        seen: set[str] = set()
        places = set()
        for place in self._ids():
            identifier = self.at(place)
            if isinstance(identifier, str):
                if identifier in seen:
                    places.add(place)
                seen.add(identifier)
        return frozenset(places)

    def _ids(self) -> Iterator[Place]:
        for number in range(_length(self.at(("messages",)))):
            if self.role(number) == "assistant":
                calls = ("messages", number, "tool_calls")
                entries = range(_length(self.at(calls)))
                yield from ((*calls, entry, "id") for entry in entries)


_Test = Callable[[_Given, Place], bool]
"""Whether the input is at a place as a row says."""


class _Row(NamedTuple):
    """The codes of a refusal, and where they are one."""

    codes: Sequence[str]
    test: _Test


def refused_in(request: object, profile: Profile) -> Callable[[Found], bool]:
    """Return a test for what was found in a request: whether the endpoint refuses it (PAY-171)."""
    names_of = refusals_in(request, profile)
    return lambda found: bool(names_of(found))


def refusals_in(request: object, profile: Profile) -> Callable[[Found], list[str]]:
    """Return what names the refusals that something found is, and the flags that say so."""
    given = _Given(request, profile.ids)
    tests: dict[str, list[tuple[str, _Test]]] = {}
    for name, codes, test in _of_profile(profile):
        for code in codes:
            tests.setdefault(code, []).append((name, test))

    def names_of(found: Found) -> list[str]:
        place = found.place[1:] if found.place[0] == "request" else found.place
        return [name for name, test in tests.get(found.code, ()) if test(given, place)]

    return names_of


def _of_profile(profile: Profile) -> Iterator[tuple[str, Sequence[str], _Test]]:
    """Yield what the profile lists as refused, and what its flags say of themselves."""
    for name in profile.refuses:
        yield name, *_ROWS.get(name, _Row([name], _anywhere))
    schemas = profile.refused_in_schemas
    removed = ("annotation_removed", "constraint_removed")
    yield "refused_in_schemas", removed, lambda given, place: _is_refused(place, schemas)
    mended = ("schema_not_taken", "type_moved", "schema_respelled")
    yield "refused_in_schemas", mended, _anywhere
    if not schemas.isdisjoint(("strict_open", "strict_grammar")):
        strict = ("strict_not_taken",)
        yield "refused_in_schemas", strict, lambda given, place: given.at(place) is True
    yield "refused_choices", ("choice_replaced",), _anywhere
    yield "refused_thinking", ("thinking_disabled",), _anywhere
    yield "effort_beside_tools", ("effort_not_taken",), _anywhere
    yield "assistant_last", ("assistant_last",), _anywhere
    yield "opaque_required", ("opaque_missing",), _anywhere
    yield "opaque_required", ("opaque_added",), _is_lacked
    yield "bridges", ("bridge_missing",), _anywhere
    yield "blank_texts", ("text_blank",), _anywhere


def _length(value: object) -> int:
    return len(value) if isinstance(value, list) else 0


def _parameters(given: _Given, tool: Place) -> Mapping[str, object]:
    """Return the parameters of a tool where they are an object, else an empty one."""
    value = given.at((*tool, "function", "parameters"))
    return value if isinstance(value, dict) else {}


_LENGTH_AT_ROOT: Final = len(("tools", 0, "function", "parameters", "a member"))
"""That of a place in the parameters themselves."""

_UNFIT: Final = {
    "enum": ("enum_of_other_types", "enum_of_others"),
    "anyOf": ("type_beside_any_of",),
}
"""The names by which a combination is refused that is not by its own ("flagged refusal")."""


def _is_refused(place: Place, schemas: Set[str]) -> bool:
    """Tell whether a keyword that went is refused: all are but combinations at the root, which go
    in any case (PAY-047).
    """
    name = str(place[-1])
    if len(place) > _LENGTH_AT_ROOT or name not in COMBINED:
        return True
    return not schemas.isdisjoint((name, *_UNFIT.get(name, ())))


def _is_lacked(given: _Given, place: Place) -> bool:
    """Tell whether a member is absent, or says nothing."""
    return given.at(place) in (_ABSENT, None, "")


def _anywhere(given: _Given, place: Place) -> bool:
    return True


def _is_behind_tool(given: _Given, place: Place) -> bool:
    return given.role(int(place[-1]) - 1) == "tool"


def _is_last_of_assistants(given: _Given, place: Place) -> bool:
    number = int(place[-1])
    is_last = number == _length(given.at(("messages",))) - 1
    return is_last and given.role(number) == given.role(number - 1) == "assistant"


def _is_combined(given: _Given, place: Place) -> bool:
    """Tell whether there is a combination, at the root of a tool or as the keyword itself."""
    if place[-2:-1] == ("parameters",):
        return place[-1] in BRANCHED
    parameters = _parameters(given, place)
    return any(parameters.get(name) is not None for name in BRANCHED)


def _is_incomplete(given: _Given, place: Place) -> bool:
    parameters = given.at(place)
    has_properties = isinstance(parameters.get("properties"), dict)
    return parameters.get("type") is None or not has_properties


def _is_wordless(given: _Given, place: Place) -> bool:
    has_content = given.at((*place, "content")) not in (_ABSENT, None)
    return not has_content and _length(given.at((*place, "tool_calls"))) == 0


def _is_id(given: _Given, place: Place) -> bool:
    return place[-1] == "id" and is_visible(given.at(place))


def _of_assistant(value: object) -> _Test:
    """Return a test for an assistant message with a value as its content."""
    return lambda given, place: (
        given.role(int(place[1])) == "assistant" and given.at(place) == value
    )


_NO_TOOLS: Final = ("tools_absent", "tools_empty", "tools_not_array")
_NEIGHBOURS: Final = ("messages_joined", "bridge_inserted")

_ROWS: Final[Mapping[str, _Row]] = {
    "arguments_invalid_json": _Row(["arguments_invalid_json", "arguments_repaired"], _anywhere),
    "result_orphaned": _Row(["result_orphaned", "result_moved", "result_late"], _anywhere),
    "tools_empty": _Row(
        ["tools_empty"], lambda given, place: place == ("tools",) and given.at(place) == []
    ),
    "tools_not_array": _Row(["tools_not_array"], lambda given, place: place == ("tools",)),
    "choice_without_tools": _Row(
        _NO_TOOLS,
        lambda given, place: (
            place == ("tool_choice",)
            and given.lacks_tools
            and choice_word(given.at(place)) != "none"
        ),
    ),
    "none_without_tools": _Row(
        _NO_TOOLS,
        lambda given, place: (
            place == ("tool_choice",)
            and given.lacks_tools
            and choice_word(given.at(place)) == "none"
        ),
    ),
    "parallel_without_tools": _Row(
        _NO_TOOLS, lambda given, place: place == ("parallel_tool_calls",) and given.lacks_tools
    ),
    "functions_empty": _Row(["tools_empty"], lambda given, place: place == ("functions",)),
    "function_call_without_functions": _Row(
        _NO_TOOLS, lambda given, place: place == ("function_call",)
    ),
    "choice_null": _Row(["null_omitted"], lambda given, place: place == ("tool_choice",)),
    "strict_null": _Row(
        ["null_omitted"], lambda given, place: place[-2:] == ("function", "strict")
    ),
    "strict_true": _Row(["strict_not_taken"], lambda given, place: given.at(place) is True),
    "strict_false": _Row(["strict_not_taken"], lambda given, place: given.at(place) is False),
    "parameters_incomplete": _Row(["parameters_completed"], _is_incomplete),
    "properties_array": _Row(
        ["parameters_completed"],
        lambda given, place: isinstance(given.at((*place, "properties")), list),
    ),
    "root_not_object": _Row(
        ["schema_unsafe"],
        lambda given, place: _parameters(given, place).get("type") not in (None, "object"),
    ),
    "root_combined": _Row(["schema_unsafe", "constraint_removed"], _is_combined),
    "roles_not_alternating": _Row(
        _NEIGHBOURS, lambda given, place: not _is_behind_tool(given, place)
    ),
    "user_behind_tool": _Row(["bridge_inserted"], _is_behind_tool),
    "assistants_last": _Row(_NEIGHBOURS, _is_last_of_assistants),
    "message_without_words": _Row(["message_empty"], _is_wordless),
    "arguments_absent": _Row(
        ["arguments_coerced"], lambda given, place: given.at(place) is _ABSENT
    ),
    "arguments_not_string": _Row(
        ["arguments_coerced"], lambda given, place: given.at(place) is not _ABSENT
    ),
    "type_absent": _Row(["type_coerced"], lambda given, place: given.at(place) is _ABSENT),
    "id_absent": _Row(
        ["id_replaced"], lambda given, place: place[-1] == "id" and given.at(place) is _ABSENT
    ),
    "id_form": _Row(
        ["id_replaced"],
        lambda given, place: _is_id(given, place) and not has_form(given.at(place), given.ids),
    ),
    "id_long": _Row(
        ["id_replaced"],
        lambda given, place: (
            place[-1] == "id"
            and isinstance(given.at(place), str)
            and len(given.at(place)) > _LONG_ID
        ),
    ),
    "id_repeated": _Row(["id_replaced"], lambda given, place: place in given.repeated),
    "content_absent": _Row(["content_coerced"], _of_assistant(_ABSENT)),
    "content_null": _Row(["content_coerced"], _of_assistant(None)),
    "content_array_empty": _Row(["content_coerced"], _of_assistant([])),
    "result_content_array": _Row(
        ["result_content_coerced"], lambda given, place: isinstance(given.at(place), list)
    ),
}
"""The refusals that are no code, or not wherever it stands; each of the others is the code of its
name.
"""
