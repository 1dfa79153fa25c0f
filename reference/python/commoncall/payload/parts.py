"""The parts of a result: texts, and media, which most endpoints refuse there.

Holds the definitions "media part" and "list of parts" and rows of PAY-083 of spec/v1/payload.md.
Reads and replaces; where a result stands is known elsewhere.
"""

from collections.abc import Iterable, Mapping
from typing import Final, TypeGuard

from commoncall.payload.fixed_texts import PART_MOVED, PART_NOT_SHOWN
from commoncall.payload.messages import is_text_part, text_of
from commoncall.payload.profile import ResultContent, ResultMedia

_SENT: Final = frozenset({"image_url", "input_audio", "audio_url", "video_url", "file"})
"""The types of Chat Completions, which have the object in a member of the name of the type."""

_ADDRESSED: Final = frozenset({"image_url", "input_image"})
_OF_TOOLS: Final = frozenset({"image", "audio"})
_OF_LIBRARIES: Final = frozenset({"video", "media", "file", "image-data", "file-data"})
"""The types in which tools and libraries return data; the others say of which kind it is."""

_MEDIA_TYPES: Final = ("mimeType", "mime_type", "mediaType", "media_type")
_NOT_SHOWN: Final[Mapping[str, object]] = {"type": "text", "text": PART_NOT_SHOWN}
_MOVED: Final[Mapping[str, object]] = {"type": "text", "text": PART_MOVED}


def is_media_part(part: object) -> TypeGuard[dict[str, object]]:
    """Tell whether an element of a content is media (definition "media part")."""
    if not isinstance(part, dict) or not isinstance(kind := part.get("type"), str):
        return False
    has_data = _data_of(part) is not None
    return (
        _is_sent(part)
        or (kind in _ADDRESSED and isinstance(part.get("image_url"), str))
        or (kind in _OF_TOOLS and (has_data or isinstance(part.get("source"), dict)))
        or (kind in _OF_LIBRARIES and has_data and _media_type(part) is not None)
        or (kind == "resource" and _data_of(_object_at(part, "resource")) is not None)
    )


def user_part(part: Mapping[str, object]) -> Mapping[str, object] | None:
    """Return media as a message of the user has them, if it can (definition "user part")."""
    if _is_sent(part):
        return part
    is_image = part["type"] == "image"
    # An address comes first, then data, and the address of a source last.
    url = part.get("image_url") if part["type"] in _ADDRESSED else None
    for holder in (part, _object_at(part, "source"), _object_at(part, "resource")):
        media, data = _media_type(holder), _data_of(holder)
        if url is not None or media is None or data is None:
            continue
        if is_image or media.startswith("image/"):
            url = f"data:{media};base64,{data}"
    if url is None and is_image:
        url = _object_at(part, "source").get("url")
    return {"type": "image_url", "image_url": {"url": url}} if isinstance(url, str) else None


def _is_sent(part: Mapping[str, object]) -> bool:
    kind = part["type"]
    return kind in _SENT and isinstance(part.get(str(kind)), dict)


def _object_at(part: Mapping[str, object], name: str) -> Mapping[str, object]:
    value = part.get(name)
    return value if isinstance(value, dict) else {}


def _media_type(part: Mapping[str, object]) -> str | None:
    return _text_at(part, _MEDIA_TYPES)


def _data_of(part: Mapping[str, object]) -> str | None:
    return _text_at(part, ("data", "base64", "blob"))


def _text_at(part: Mapping[str, object], names: Iterable[str]) -> str | None:
    return next((one for one in map(part.get, names) if isinstance(one, str)), None)


def moved_parts(content: object, form: ResultContent) -> list[Mapping[str, object]]:
    """Return the media of a result that go behind it, in the form for the user (PAY-190)."""
    if not are_parts(content):
        return []
    media = [part for part in content if is_media_part(part) and not _is_taken(part, form)]
    return [part for part in map(user_part, media) if part is not None]


def are_parts(content: object) -> TypeGuard[list[object]]:
    """Tell whether a content is a list of parts (definition "list of parts")."""
    if not isinstance(content, list) or not content:
        return False
    return all(map(is_text_part, content)) or any(map(is_media_part, content))


def _is_taken(part: Mapping[str, object], form: ResultContent) -> bool:
    """Tell whether media stay in a result: where no profile is given, none do, and the forms that
    tools return nowhere, since no endpoint of Chat Completions has them.
    """
    return form == "parts" and _is_sent(part)


def sent_parts(
    parts: Iterable[object], form: ResultContent, *, moves: bool = False
) -> list[Mapping[str, object]]:
    """Return the parts of a result as they are sent; ``moves``: what can goes behind it."""
    return [_sent_part(part, form, moves) for part in parts]


def _sent_part(part: object, form: ResultContent, moves: bool) -> Mapping[str, object]:
    if is_text_part(part):
        return part
    if not is_media_part(part):
        # A null is no content, but as an element it is said (definition "list of parts").
        return {"type": "text", "text": "null" if part is None else text_of(part)}
    if _is_taken(part, form):
        return part
    return dict(_MOVED if moves and user_part(part) is not None else _NOT_SHOWN)


def stored_parts(
    parts: Iterable[object], form: ResultContent, media: ResultMedia
) -> list[Mapping[str, object]]:
    """Return the parts of a result as they are stored (definition "stored result")."""
    return [
        part
        if media == "user" and is_media_part(part) and user_part(part) is not None
        else _sent_part(part, form, moves=False)
        for part in parts
    ]


def text_of_parts(parts: Iterable[Mapping[str, object]]) -> str:
    """Return the texts of text parts that are not empty, with a line feed between them."""
    return "\n".join(str(part["text"]) for part in parts if part["text"])
