"""The parts of a result: texts, and media, which most endpoints refuse there.

Holds the definitions "media part" and "list of parts" and PAY-150 of spec/v1/payload.md. Reads and
replaces; where a result stands is known elsewhere.
"""

from collections.abc import Iterable, Mapping
from typing import Final, TypeGuard

from commoncall.payload.fixed_texts import PART_NOT_SHOWN
from commoncall.payload.messages import is_text_part
from commoncall.payload.profile import ResultContent

_NAMED: Final = frozenset({"image_url", "input_audio", "audio_url", "video_url", "file"})
"""The types of Chat Completions, which have the object in a member of the name of the type."""

_OF_TOOLS: Final = frozenset({"image", "audio"})
"""The types that tools return, with the data or a source of it."""

_NOT_SHOWN: Final[Mapping[str, object]] = {"type": "text", "text": PART_NOT_SHOWN}


def is_media_part(part: object) -> TypeGuard[dict[str, object]]:
    """Tell whether an element of a content is media (definition "media part")."""
    kind = part.get("type") if isinstance(part, dict) else None
    if not isinstance(part, dict) or not isinstance(kind, str):
        return False
    if kind in _OF_TOOLS:
        return isinstance(part.get("data"), str) or isinstance(part.get("source"), dict)
    return kind in _NAMED and isinstance(part.get(kind), dict)


def are_parts(content: object) -> TypeGuard[list[dict[str, object]]]:
    """Tell whether a content is a list of parts (definition "list of parts")."""
    return (
        isinstance(content, list)
        and bool(content)
        and all(is_text_part(part) or is_media_part(part) for part in content)
    )


def sent_parts(parts: Iterable[dict[str, object]], form: ResultContent) -> list[dict[str, object]]:
    """Return the parts of a result as they are sent: media only where the endpoint takes its form.

    Where no profile is given, none does. The form that tools return goes in any case, since no
    endpoint of Chat Completions has it.
    """
    return [
        dict(_NOT_SHOWN)
        if is_media_part(part) and not (form == "parts" and part["type"] in part)
        else part
        for part in parts
    ]


def text_of_parts(parts: Iterable[Mapping[str, object]]) -> str:
    """Return the texts of text parts with a line feed between them."""
    return "\n".join(str(part["text"]) for part in parts)
