"""A strict judge of requests of Chat Completions: which rules of providers does one break?

Written from the two tables below, which were read off the answers, the sources and the reports of
providers, and from nothing else: it imports the standard library only (a test holds that), so a
mistake of the reference is not repeated here. It judges what is on its way out, mends nothing and
raises nothing.

Rules about a request:

| R-1 | without tools there is no choice, no parallel flag; `tools` is never empty; legacy alike |
| R-2 | tools go only to a model that is known to take them |
| R-3 | no null at the top level, in a tool or in a function |
| R-4 | `parameters` stand there: `type: "object"`, `properties`, no combinator, no `$ref`; by
        profile: no schema in them of a form, or with a keyword, that its endpoint refuses |
| R-5 | names are 1 to 64 of `A-Z a-z 0-9 _ -`, in history too; a profile says how they begin |
| R-6 | no two tools of one name |
| R-7 | a named choice names a tool of the request |
| R-8 | a choice is `auto`, `none`, `required` or named, and one that the model takes; by profile:
        none that is refused, or refused while it thinks, and no effort beside tools |
| R-9 | no tool turn in the history of a request without tools |
| R-10 | `strict` is a boolean; a profile says whether it is known, whether it may differ, and
         whether it may stand beside a schema that is open |
| R-11 | `parallel_tool_calls` is a boolean; profile and model say whether it may stand there |
| R-12 | not both `functions` and `tools`, and no `function_call` in a message |
| R-13 | descriptions are strings; number of tools and length of descriptions, by profile |

Rules about a history:

| H-1 | the results of a message's calls stand directly behind it, before anything else |
| H-2 | every call has a result, except those of the last assistant message of an open turn |
| H-3 | every result has a call before it that waits for one |
| H-5 | `arguments` is the text of a JSON object |
| H-6 | by profile: no part of an assistant's content but text and what the profile knows, and what
        it requires of messages and calls is there; no text part without a text but in results |
| H-7 | ids are strings, visible, unique in the request, and of the form of the profile |
| H-8 | every call is a function with a name |
| H-9 | no empty `tool_calls`, none on other roles, no assistant without content and calls |
| H-10 | by profile: content beside calls is a string, or holds a part that the profile knows |
| H-11 | by profile: only an assistant speaks behind a result, system messages come first, then the
         user, roles alternate, and a message has one call |
| H-12 | the content of a result is a string or text parts; a string, or media too, by profile |
| H-13 | by profile: no member of a message or a call that only some providers know |
| H-14 | by profile: the last message is no assistant's |
| H-15 | by profile: a result has the name of its call, or none |
| FORM | messages are objects of the five roles, by profile without `developer`; a name is a string,
         and the content of system, developer and user a string or a filled list; all of it has
         UTF-8 |
"""

import json
import re
from typing import Final

from tests.evidence.request_judges.flags import Flags, Violation, flags_of, is_filled_list
from tests.evidence.request_judges.history_rules import message_violations, order_violations
from tests.evidence.request_judges.request_rules import (
    beyond_capability,
    field_violations,
    tool_turns,
)

NOT_JUDGED: Final = {
    "H-4": "where a history was cut: shows as a result without a call or a call without a result",
    "H-16": "what is stored after a refusal: no request shows it",
    "R-14": "a model that cannot stream tools: no flag of a profile and no capability says so",
}
"""The rules of the tables that a request does not show, each with the reason."""

RULES: Final = frozenset(re.findall(r"^\| (\S+) \|", __doc__, re.MULTILINE))


def rules_broken(
    request: object,
    *,
    capability: object = ...,
    profile: Flags | None = None,
    open_turn: bool = False,
) -> list[str]:
    """Return the rules that a request breaks, each once, sorted; see `violations`."""
    found = violations(request, capability=capability, profile=profile, open_turn=open_turn)
    return sorted({each.rule for each in found})


def violations(
    request: object,
    *,
    capability: object = ...,
    profile: Flags | None = None,
    open_turn: bool = False,
) -> list[Violation]:
    """Judge a whole request as it would go out.

    Args:
        request: the body, any JSON.
        capability: what the model takes, in the form of `payload.sanitize_request`; not judged
            where it is not given.
        profile: flags of a profile. None asks what all providers ask for; ``{}`` asks what any of
            them asks for.
        open_turn: the calls of the last assistant message still wait for their results.
    """
    if not isinstance(request, dict):
        return [Violation("FORM", "")]
    found = [*field_violations(request, flags_of(profile))]
    try:
        json.dumps(request, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        found.append(Violation("FORM", ""))
    if capability is not ...:
        found += beyond_capability(request, capability)
    if "messages" in request:
        found += history_violations(request["messages"], profile=profile, open_turn=open_turn)
        if not is_filled_list(request.get("tools")):
            found += tool_turns(request["messages"])
    return found


def history_violations(
    messages: object, *, profile: Flags | None = None, open_turn: bool = False
) -> list[Violation]:
    """Judge the messages of a request alone; the arguments are those of `violations`."""
    if not isinstance(messages, list):
        return [Violation("FORM", "messages")]
    flags = flags_of(profile)
    found = [
        violation
        for number, message in enumerate(messages)
        for violation in message_violations(message, flags, f"messages/{number}")
    ]
    return [*found, *order_violations(messages, flags, open_turn=open_turn)]
