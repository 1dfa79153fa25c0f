"""The operation ``extraction.extract``: which calls are hidden in the text that the model wrote?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypedDict, Unpack

from commoncall.envelope import (
    ENV_EXHAUSTED,
    INVALID_INPUT,
    Env,
    EnvExhausted,
    Outcome,
    are_limits,
    are_strings,
    names_tools,
    random_id,
    too_deep,
)
from commoncall.extraction.dialects import DEFAULT_DIALECTS, DIALECTS, Dialect
from commoncall.extraction.events import Events
from commoncall.extraction.extractor import Extractor
from commoncall.extraction.language import language_of
from commoncall.extraction.record import Extraction, Record

Fences = Literal["opaque", "extract"]

OPTIONS = {"tools", "native_calls", "dialects", "fences", "starts_in_reasoning"}
OTHERS = {"effective", "observe", "labels", "limits"}


class Options(TypedDict, total=False):
    """How to read a text.

    Attributes:
        effective: the names of the tools that are effective in this turn; an empty list: nothing is
            parsed. It has to be given unless ``observe`` is.
        observe: in the place of ``effective``, where there is no registry and nothing is run.
        native_calls: the provider delivered calls in their own field. True: nothing is parsed.
        dialects: ids of the dialects to look for, or dialects of your own; by default those whose
            descriptors say so.
        tools: the declarations of the tools, which type the parameters of some dialects.
        fences: whether a marker in a code fence counts.
        starts_in_reasoning: the prompt ended in an opened reasoning tag.
        payload_bytes: the longest text between the markers of a dialect that has a limit, in bytes
            of UTF-8; by default that limit.
        new_id: gives the id of each call, in order of the calls.
    """

    effective: Sequence[str] | None
    observe: bool
    native_calls: bool
    dialects: Sequence[str | Dialect] | None
    tools: Sequence[object]
    fences: Fences
    starts_in_reasoning: bool
    payload_bytes: int | None
    new_id: Callable[[], str]


def extract(text: str, **options: Unpack[Options]) -> Extraction:
    """Take the calls and the reasoning out of a text.

    Returns:
        ``{content, reasoning, tool_calls, unreadable?, removed?, matched, repairs, segments}``, for
        every text (EXT-002).

    Raises:
        TypeError: neither ``effective`` nor ``observe`` is given, or both are.
    """
    extractor = extractor_for(**options, events=False)
    extractor.feed(text)
    extractor.finish()
    return extractor.result()


def extractor_for(
    *,
    effective: Sequence[str] | None = None,
    observe: bool = False,
    native_calls: bool = False,
    dialects: Sequence[str | Dialect] | None = None,
    tools: Sequence[object] = (),
    fences: Fences = "opaque",
    starts_in_reasoning: bool = False,
    payload_bytes: int | None = None,
    new_id: Callable[[], str] = random_id,
    record: bool = True,
    events: bool = True,
) -> Extractor:
    """Return an extractor for a text that arrives in chunks (see ``Options``).

    Without ``record`` nothing is held but an open block, and there is no ``result``. Without
    ``events`` the lists that ``feed`` and ``finish`` return are empty.
    """
    if (effective is None) != observe:
        raise TypeError("either effective or observe")
    # EXT-003, EXT-004, EXT-167; all names are extracted, whatever is effective (EXT-005).
    parses = (observe or bool(effective)) and not native_calls
    return Extractor(
        language=language_of(
            tuple(DEFAULT_DIALECTS if dialects is None else dialects) if parses else ()
        ),
        tools=tools,
        opaque_fences=fences == "opaque",
        starts_in_reasoning=starts_in_reasoning,
        payload_bytes=payload_bytes,
        new_id=new_id,
        record=Record() if record else None,
        events=Events() if events else None,
    )


def extract_operation(given: object, env: Env) -> Outcome:
    """Run ``extract`` on JSON input (EXT-001, EXT-083)."""
    return run(extract, "text", lambda text: isinstance(text, str), given, env)


def run(
    operation: Callable[..., Mapping[str, object]],
    member: str,
    is_text: Callable[[object], bool],
    given: object,
    env: Env,
) -> Outcome:
    """Run an operation on JSON input, whose ``member`` holds the text."""
    if not isinstance(given, dict) or too_deep(given):
        return INVALID_INPUT
    if given.keys() - OPTIONS - OTHERS != {member} or not is_text(given[member]):
        return INVALID_INPUT
    if not has_valid_options(given):
        return INVALID_INPUT
    try:
        return {"result": dict(operation(given[member], new_id=env.next_id, **options_of(given)))}
    except EnvExhausted:
        return ENV_EXHAUSTED


def options_of(given: dict[str, Any]) -> dict[str, Any]:
    """Return the members of a valid input that say how to read, as arguments of ``extract``."""
    options = {member: given[member] for member in OPTIONS if member in given}
    return {
        **options,
        "effective": given.get("effective"),
        "observe": given.get("observe", False),
        "payload_bytes": given.get("limits", {}).get("payload_bytes"),
    }


def has_valid_options(given: dict[str, object]) -> bool:
    """Tell whether all members but the text have the types of the schema."""
    dialects = given.get("dialects", [])
    return (
        names_tools(given)
        and are_limits(given.get("limits", {"payload_bytes": 1}))
        and isinstance(given.get("tools", []), list)
        and isinstance(given.get("native_calls", False), bool)
        and are_strings(dialects)
        and set(dialects) <= DIALECTS.keys()
        and not any(set(DIALECTS[name].excludes) & set(dialects) for name in dialects)
        and given.get("fences", "opaque") in ("opaque", "extract")
        and isinstance(given.get("starts_in_reasoning", False), bool)
    )
