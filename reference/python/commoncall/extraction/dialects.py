"""What a dialect is made of, as data (definitions "dialect", "descriptor"). Code names two by their
ids: guided output is read as ``bare-json``, and JSON without a name as ``tool_call`` (D46.8).
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from commoncall.call_object import CallForm, unquoted_name
from commoncall.dialect_data import DESCRIPTORS
from commoncall.extraction.messages import Messages, PseudoMessages

JsonScanner = Literal["json_values", "json_object", "json_array", "json_arguments"]
_Other = Literal["parameters", "python_calls", "python_values", "quoted_object", "blocks", "none"]
Scanner = Literal[JsonScanner, _Other]
Kind = Literal["string", "json", "typed"]
# The members of a payload that are no fields of a dialect, or fields of another form.
_OF_FORM = ("names", "arguments", "nested", "keyed", "fence", "list", "json", "calls")
_NO_FORM = CallForm()
_COUNTER = re.compile(r":[0-9]+\Z")
_NUMBERED = re.compile("[.:_]?(.*?)[.:_]?[0-9]+", re.DOTALL)

HEADER_LENGTH = 128
"""How many characters a header may have."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A marker ``<name>``, in any ASCII case, with blanks before its ``>``; a closer begins with
    ``</``.
    """

    name: str


@dataclass(frozen=True, slots=True)
class Header:
    """An opener that begins with a fixed text, holds a header, and ends with a fixed text."""

    text: str
    end: str
    tokens: tuple[str, ...]  # the only texts in a header that begin like its end
    # What is taken off a header that is the name of the call.
    prefix: str = ""
    counter: bool = False
    word: str = ""  # with which a name begins that ends in digits
    # What begins and what ends the name, where they stand in the header.
    behind: str = ""
    id: str = ""
    is_before_json: bool = False  # it is an opener nowhere else, as it holds the run of a fence
    bare: tuple[str, ...] = ()  # between the name and one of these ``end`` can be missing
    message: PseudoMessages | Messages | None = None  # None where the header is a name


class HeldCalls(NamedTuple):
    """The members of an object that can hold calls: an array of them, or one; and their form."""

    array: str
    one: str
    form: CallForm


@dataclass(frozen=True, slots=True, eq=False)
class Dialect:
    """A way of writing calls as text; a marker that is a ``str`` is one fixed text."""

    id: str
    opener: Tag | Header | str | None  # None where the whole message is a payload: "bare message"
    closer: Tag | str | None  # None where a block ends behind its payload
    scanner: Scanner  # what finds the end of a payload (see ``readers.READERS``)
    name_in_first_line: bool = False  # the name of the call stands there, and not in the opener
    # What stands around a parameter.
    name_begin: str = ""
    name_end: str = ""
    value_begin: str = ""
    bare_value: bool = False  # it can be missing
    value_end: str = ""
    elements: bool = False  # its name is a part of that, and a value can hold elements
    json: tuple[str, str] | None = None  # what can stand around JSON in the place of parameters
    # The ways in which a value begins, or ``value_begin`` alone: each with the kind of
    # the value that it says, and the end that stands before ``value_end``.
    ways: tuple[tuple[str, Kind, str], ...] = ()
    separator: str = ""  # what may stand between two values of a bare message
    words_behind: bool = False  # a text may stand behind a bare message
    trim: str = ""  # ``none`` where a text keeps the line feeds at its ends
    # How the text of a parameter is read.
    python: bool = False
    null_text: bool = False
    is_list: bool = False  # calls stand in a list
    quote: str = ""  # what stands around the strings of an object
    typed: bool = False  # such a string is read by what the tool declares
    section: tuple[str, str] | None = None  # the markers around its blocks, if there are such
    excludes: tuple[str, ...] = ()  # the dialects that cannot be active beside it
    is_default: bool = False  # active where no dialects are chosen
    is_common: bool = False  # active beside those of a format; models of each kind write it
    is_in_code: bool = False  # and that only where fences are read
    is_each_tool: bool = False  # its tags stand for those of each effective tool
    words: frozenset[str] = frozenset()  # names of which it has no tags, in lower case
    tool: str = ""  # the one that its tags name
    is_section: bool = False  # it is such a section, which only wraps
    is_control: bool = False  # its markers are control tokens
    repairs: frozenset[str] | None = None  # what a payload may need; None for all (EXT-160)
    # The longest text between opener and end in bytes of UTF-8, unless the caller sets one; None
    # where there is no limit (EXT-164).
    limit_bytes: int | None = None
    form: CallForm = _NO_FORM  # of its call values, where the payload has such
    calls: HeldCalls | None = None
    is_fenced: bool = False  # a code fence around a payload is no repair
    opens_fence: bool = False  # whose first run is in the opener, three backticks

    @property
    def is_addressed(self) -> bool:
        """Whether its blocks are messages to a tool, which are nothing else than calls."""
        return isinstance(self.opener, Header) and self.opener.message is not None

    @property
    def is_called_in_header(self) -> bool:
        """Whether a header of its opener means a call, whatever stands behind it."""
        return not self.tool and self.scanner != "blocks"

    @property
    def is_bare(self) -> bool:
        """Whether the whole message is its payload."""
        return self.opener is None

    @property
    def messages(self) -> Messages | None:
        """What its headers say, where the whole text is messages."""
        message = self.opener.message if isinstance(self.opener, Header) else None
        return message if isinstance(message, Messages) else None

    @property
    def may_lack_opener(self) -> bool:
        """Whether a block of it can be read without its opener (definition "headless block")."""
        is_json = self.scanner in ("json_values", "json_object", "json_array")
        has_head = isinstance(self.opener, Header) or self.is_fenced or self.repairs is not None
        return (is_json or self.name_in_first_line) and bool(self.closer) and not has_head

    @property
    def key(self) -> str:
        """What its markers are known by: the id, that of its section, or that for a tool."""
        if self.tool:
            return f"{self.id} {self.tool}"
        return f"{self.id} section" if self.is_section else self.id

    @property
    def written_closer(self) -> str:
        """Its closer as models write it; empty where there is none."""
        return f"</{self.closer.name}>" if isinstance(self.closer, Tag) else self.closer or ""

    @property
    def end_word(self) -> str:
        """The name of the closing tag that ends a value; empty where no such tag does."""
        closing = re.fullmatch(r"</([^<>]+)>", self.value_end)
        return closing[1] if closing else ""

    @property
    def stray_begin(self) -> str:
        """How its parameters begin, empty where a tag of XML, which an answer can hold, begins so:
        as a control token it is an opener where no call began (EXT-204).
        """
        return self.name_begin if re.match(r"<[^A-Za-z]", self.name_begin) else ""

    @property
    def stray_end(self) -> str:
        """How its values end, empty where a tag of XML is written so: as a control token it goes
        where no call ended (EXT-204).
        """
        return self.value_end if re.match(r"</?[^A-Za-z/]", self.value_end) else ""

    @property
    def members(self) -> tuple[str, ...]:
        """With which a call value of it can begin."""
        form, held = self.form, self.calls[:2] if self.calls else ()
        every = (*form.names, *form.arguments, form.nested, *held)
        every += ("type", "id") if self.is_bare else ()
        return tuple(filter(None, every))

    def with_section(self) -> list["Dialect"]:
        """Return it, and its section as a dialect without a payload, which so can only wrap."""
        if self.section is None:
            return [self]
        section = Dialect(
            self.id, *self.section, "none", is_section=True, is_control=self.is_control
        )
        return [self, section]

    def name_in_header(
        self, header: str, effective: Collection[str] | None = None, *, is_alone: bool = False
    ) -> str:
        """Return the name that the header of an opener holds, with arguments or alone (EXT-141)."""
        opener = self.opener
        if opener is None or self.tool:  # guided output has no opener, and its name is said
            return header
        if not isinstance(opener, Header) or isinstance(opener.message, PseudoMessages):
            return ""
        if opener.message:
            return opener.message.name(header)
        name = header.split(opener.behind, 1)[-1] if opener.behind else header
        if opener.id:
            name = name.partition(opener.id)[0]
        written = unquoted_name(name, is_alone=is_alone)
        name = written.removeprefix(opener.prefix)
        name = _COUNTER.sub("", name) if opener.counter else name
        names = effective or ()
        if opener.word and name not in names and written.startswith(opener.word):
            found = _NUMBERED.fullmatch(written, len(opener.word))
            return found[1] if found and found[1] in names else name
        return name


def dialect_of(descriptor: Mapping[str, Any]) -> Dialect:
    """Return the dialect that a descriptor describes (schema ``formats/dialect``)."""
    section, closer = descriptor.get("section"), descriptor["closer"]
    payload = _with_ways(descriptor["payload"])
    around, calls = payload.get("json"), payload.get("calls")
    form = _form(payload, descriptor.get("values", {}))
    return Dialect(
        id=descriptor["id"],
        opener=_opener(descriptor["opener"], closer, payload),
        closer=marker_of(closer) if closer else None,
        section=(section["opener"]["text"], section["closer"]["text"]) if section else None,
        excludes=tuple(descriptor.get("excludes", ())),
        is_default=descriptor["default"],
        is_common="common" in descriptor,
        is_in_code=descriptor.get("common") == "extract",
        is_each_tool=descriptor.get("each_tool", False),
        words=frozenset(descriptor.get("words", ())),
        repairs=frozenset(descriptor["repairs"]) if "repairs" in descriptor else None,
        limit_bytes=descriptor.get("limit_bytes"),
        is_fenced="fence" in payload,
        opens_fence=payload.get("fence") == "open",
        json=(around["begin"], around["end"]) if around else None,
        is_list=payload.get("list", False),
        form=form,
        calls=_holders(calls, form) if calls else None,
        **{member: value for member, value in payload.items() if member not in _OF_FORM},
    )


def _holders(calls: Mapping[str, str], form: CallForm) -> HeldCalls:
    return HeldCalls(calls["member"], calls["one"], replace(form, nested=calls["nested"]))


def _with_ways(payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a payload with the ways in which a value begins."""
    begins = payload.get("value_begin", "")
    if isinstance(begins, str):
        return {**payload, "ways": ((begins, "typed", ""),)}
    ways = tuple((each["text"], each["kind"], each.get("end", "")) for each in begins)
    return {**payload, "value_begin": "", "ways": ways}


def _form(payload: Mapping[str, Any], values: Mapping[str, str]) -> CallForm:
    return CallForm(
        names=tuple(payload.get("names", ())),
        arguments=tuple(payload.get("arguments", ())),
        nested=payload.get("nested"),
        keyed=payload.get("keyed", False),
        exact=values.get("members") == "exact",
        object_only=values.get("arguments") == "object",
        verbatim=values.get("name") == "verbatim",
    )


def marker_of(marker: Mapping[str, Any]) -> Tag | str:
    """Return the marker that data describes, a tag or a fixed text."""
    return Tag(marker["tag"]) if "tag" in marker else str(marker["text"])


def _opener(
    opener: Mapping[str, Any] | None, closer: Any, payload: Mapping[str, Any]
) -> Tag | Header | str | None:
    if opener is None:
        return None
    if "end" not in opener:
        return marker_of(opener)
    text, end = opener["text"], opener["end"]
    if "name" in opener:
        name = dict(opener["name"])
        tokens = tuple(name[member] for member in ("behind", "id") if member in name)
        fence = ["```"] if payload.get("fence") == "expected" else []
        ends = ["{", *([closer["text"]] if closer else []), *fence] if "bare_end" in opener else ()
        is_fence = payload.get("fence") == "open"
        return Header(text, end, tokens, **name, bare=tuple(ends), is_before_json=is_fence)
    tokens = tuple(opener.get("tokens", ()))
    if "messages" in opener:
        return Header(text, end, tokens, message=_messages(opener))
    if "select" not in opener:
        return Header(text, end, tokens)
    select, reserved = opener["select"], opener["reserved"]
    signs, closers = tuple(reserved["signs"]), tuple(reserved["closers"])
    message = PseudoMessages(select["behind"], select["is"], signs, closers)
    return Header(text, end, tokens, message=message)


def _messages(opener: Mapping[str, Any]) -> Messages:
    messages = opener["messages"]
    left = messages.get("stripped")
    # No header has a line feed: a part that the descriptor does not name is never found.
    channel, recipient = messages.get("channel", "\n"), messages.get("recipient", "\n")
    return Messages(
        begin=opener["text"],
        tokens=tuple(opener["tokens"]),
        channel=channel,
        recipient=recipient,
        prefix=messages.get("prefix", ""),
        types=frozenset(messages["types"]) if "types" in messages else None,
        kinds=tuple(messages["kinds"].items()),
        ends=tuple(messages["ends"]),
        stripped=(left["reasoning"], left["content"], left["call"]) if left else None,
    )


DIALECTS = {descriptor["id"]: dialect_of(descriptor) for descriptor in DESCRIPTORS}
_GUIDED = replace(DIALECTS["bare-json"], separator="", words_behind=False)
GUIDED_CALLS = replace(_GUIDED, scanner="json_array")
GUIDED_ARGUMENTS = replace(GUIDED_CALLS, scanner="json_arguments")
"""What guided output is, that of any tool and that of one (definition "guided payload")."""
DEFAULT_DIALECTS = tuple(name for name, dialect in DIALECTS.items() if dialect.is_default)
COMMON_IN_FENCES = tuple(name for name, dialect in DIALECTS.items() if dialect.is_common)
"""Those that are active beside a format where fences are read."""
COMMON_DIALECTS = tuple(name for name in COMMON_IN_FENCES if not DIALECTS[name].is_in_code)
"""Those that are where they are not."""
