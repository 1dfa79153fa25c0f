"""The parts of a result: texts, and media, which most endpoints refuse there.

Holds the definitions "media part" and "list of parts" and PAY-150 of spec/v1/payload.md. Reads and
replaces; where a result stands is known elsewhere.
"""

from collections.abc import Iterable, Mapping
from typing import Final, TypeGuard

from commoncall.payload.fixed_texts import PART_MOVED, PART_NOT_SHOWN
from commoncall.payload.messages import is_text_part
from commoncall.payload.profile import ResultContent, ResultMedia

_NAMED: Final = frozenset({"image_url", "input_audio", "audio_url", "video_url", "file"})
"""The types of Chat Completions, which have the object in a member of the name of the type."""

_OF_TOOLS: Final = frozenset({"image", "audio"})
"""The types that tools return, with the data or a source of it."""

_NOT_SHOWN: Final[Mapping[str, object]] = {"type": "text", "text": PART_NOT_SHOWN}
_MOVED: Final[Mapping[str, object]] = {"type": "text", "text": PART_MOVED}


def is_media_part(part: object) -> TypeGuard[dict[str, object]]:
    """Tell whether an element of a content is media (definition "media part")."""
    kind = part.get("type") if isinstance(part, dict) else None
    if not isinstance(part, dict) or not isinstance(kind, str):
        return False
    if kind in _OF_TOOLS:
        return isinstance(part.get("data"), str) or isinstance(part.get("source"), dict)
    if kind == "input_image":
        return isinstance(part.get("image_url"), str)
    return kind in _NAMED and isinstance(part.get(kind), dict)


def user_part(part: Mapping[str, object]) -> Mapping[str, object] | None:
    """Return media as a message of the user has them, if it can (definition "user part")."""
    match part:
        case {"type": str(kind)} if kind in part:
            return part
        case {"type": "input_image", "image_url": str(url)}:
            pass
        case {"type": "image", "mimeType": str(media), "data": str(data)}:
            url = f"data:{media};base64,{data}"
        case {"type": "image", "source": {"media_type": str(media), "data": str(data)}}:
            url = f"data:{media};base64,{data}"
        case {"type": "image", "source": {"url": str(url)}}:
            pass
        case _:
            return None
    return {"type": "image_url", "image_url": {"url": url}}


def moved_parts(content: object, form: ResultContent) -> list[Mapping[str, object]]:
    """Return the media of a result that go behind it, in the form for the user (PAY-190)."""
    if not are_parts(content):
        return []
    media = [part for part in content if is_media_part(part) and not _is_taken(part, form)]
    return [part for part in map(user_part, media) if part is not None]


def are_parts(content: object) -> TypeGuard[list[dict[str, object]]]:
    """Tell whether a content is a list of parts (definition "list of parts")."""
    return (
        isinstance(content, list)
        and bool(content)
        and all(is_text_part(part) or is_media_part(part) for part in content)
    )


def _is_taken(part: Mapping[str, object], form: ResultContent) -> bool:
    """Tell whether media stay in a result: where no profile is given, none do, and the form that
    tools return nowhere, since no endpoint of Chat Completions has it.
    """
    return form == "parts" and part["type"] in part


def sent_parts(
    parts: Iterable[dict[str, object]], form: ResultContent, *, moves: bool = False
) -> list[dict[str, object]]:
    """Return the parts of a result as they are sent; ``moves``: what can goes behind it."""
    return [
        part
        if not is_media_part(part) or _is_taken(part, form)
        else dict(_MOVED if moves and user_part(part) is not None else _NOT_SHOWN)
        for part in parts
    ]


def stored_parts(
    parts: Iterable[dict[str, object]], form: ResultContent, media: ResultMedia
) -> list[dict[str, object]]:
    """Return the parts of a result as they are stored (definition "stored result")."""
    keeps = media == "user"
    return [
        part if keeps and is_media_part(part) and user_part(part) is not None else sent
        for part, sent in ((part, sent_parts([part], form)[0]) for part in parts)
    ]


def text_of_parts(parts: Iterable[Mapping[str, object]]) -> str:
    """Return the texts of text parts with a line feed between them."""
    return "\n".join(str(part["text"]) for part in parts)
