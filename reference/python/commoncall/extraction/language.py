"""What is looked for with some dialects active, compiled once (definitions "dialect", "marker")."""

import itertools
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache

from commoncall.call_object import is_sendable
from commoncall.extraction.dialects import (
    COMMON_DIALECTS,
    COMMON_IN_FENCES,
    DIALECTS,
    Dialect,
    Header,
    Tag,
)
from commoncall.extraction.formats import NO_FORMAT, Format, load_format
from commoncall.extraction.markers import (
    ANY_TAG,
    BLANK_LINE,
    Marker,
    MarkerKind,
    Markers,
    Sign,
    ToolTags,
    bound_sign,
    channel_sign,
    fence_sign,
    header_sign,
    misspelt_sign,
    named_sign,
    tag_sign,
)
from commoncall.extraction.messages import PseudoMessages
from commoncall.near import others_than

# How payloads begin of dialects that need not be active (D5.29). They tell that the opener before
# them is no mention.
FOREIGN = [
    Sign("foreign", "", text, in_any_case=True)
    for text in ("<function=", "<parameter", "<invoke", "<arg_key", "<arg_value")
]


class _Dialects(dict[str, Dialect]):
    """Dialects by their keys, and those of the tools whose tags were met."""

    def __missing__(self, key: str) -> Dialect:
        id, _, name = key.partition(" ")
        return _of_tool(self[id], name)


@lru_cache
def _of_tool(dialect: Dialect, name: str) -> Dialect:
    """Return a dialect with the tags of one tool (definition "tool tag")."""
    opener, closer = (str(each).replace("NAME", name) for each in (dialect.opener, dialect.closer))
    return replace(dialect, opener=opener, closer=closer, tool=name, is_each_tool=False)


class Language:
    """The markers of some dialects and of a format (EXT-007, EXT-175).

    Attributes:
        guided: the dialect of guided output, if that is asked for.
        bare: the dialects without markers, that one first.
        headless: the dialects whose opener can be missing where the text begins.
        dialects: by key, with their sections.
        markers: of the dialects, the reasoning openers, and the tokens.
        closers: of reasoning, by its opener's place in the format, or the key of its dialect.
        labels: what may follow an opener of reasoning, by its place.
        messages: what their headers say, where the text is messages.
        messages_key: the key of their dialect, if that is active.
        holder: the same where the blocks of all others stand in its messages (EXT-250).
        opened: the headers that a prompt can have begun.
        stripped: how reasoning begins whose tokens were taken out, and what ends it.
        has_control: its markers are control tokens (EXT-204).
    """

    def __init__(
        self,
        dialects: Sequence[Dialect],
        frame: Format = NO_FORMAT,
        guided: Dialect | None = None,
    ) -> None:
        self.guided = guided
        self.bare = [one for one in (guided, *dialects) if one and one.is_bare]
        marked = [one for one in dialects if not one.is_bare]
        if frame.has_control:
            marked = [
                replace(x, is_control=x.id in frame.dialects or not x.is_common) for x in marked
            ]
        self._marked = tuple(marked)
        self.has_control = frame.has_control
        self._frame = frame
        # Messages count also where no call is looked for (EXT-175).
        framing = (DIALECTS[id] for id in frame.dialects)
        messages = next((one for one in (*marked, *framing) if one.messages), None)
        if messages and messages not in marked:
            messages = replace(messages, id="")  # it frames, and no call is its
            marked.append(messages)
        self.dialects = _Dialects({part.key: part for one in marked for part in one.with_section()})
        self.headless = [one for one in dialects if one.may_lack_opener]
        self.closers: dict[str, Markers] = {}
        self.labels = {str(place): label for place, label in enumerate(frame.labels)}
        self._openers: dict[str, list[Sign]] = {}  # by the closer that each needs
        self._signs = [*_token_signs(frame.tokens, messages)]
        for place, (opener, closer) in enumerate(frame.reasoning):
            self._signs.append(_sign("reasoning", str(place), opener))
            close = _sign("closer", "", closer)
            ends = [close, *(Sign("token", "", token) for token in frame.answer)]
            if frame.has_control:
                # Outside reasoning its closer is a token.
                self._signs.append(replace(close, kind="token"))
            self.closers[str(place)] = Markers(ends)
        for dialect in self.dialects.values():
            openers = _openers(dialect)
            self._signs += [*openers, *closers(dialect)]
            self._openers.setdefault(dialect.written_closer, []).extend(openers)
        self._signs += _shared_closers(self.dialects.values())
        self.markers = Markers(self._signs)
        self.messages = messages.messages if messages else None
        self.messages_key = messages.key if messages else ""
        self.holder = self.messages_key if messages and messages.scanner == "blocks" else ""
        self.opened = None
        if messages:
            self.closers[messages.key] = self.message_ends(messages)
            self.opened = Markers(_opened_signs(messages))
        self.stripped = _stripped(messages) if messages else None

    def tags_of(self, tools: Collection[str]) -> ToolTags:
        """Return the tags of tools with some names."""
        key = next((one.key for one in self._marked if one.is_each_tool), "")
        taken = self.taken or ()
        names = (one for one in tools if key and is_sendable(one))
        return ToolTags(key, {one for one in names if f"<{one.lower()}>" not in taken})

    @cached_property
    def taken(self) -> set[str] | None:
        """What no tag of a tool or of a foreign pair is, in lower case; None where there are no
        such tags.
        """
        if not any(one.is_each_tool for one in self._marked):
            return None
        others = [one for one in self.dialects.values() if not one.is_each_tool]
        own = [marker for one in others for marker in (one.opener, one.closer)]
        written = map(_written, itertools.chain(own, self._frame.tokens, *self._frame.reasoning))
        return {*written, *(f"<{word}>" for one in self._marked for word in one.words)}

    @cached_property
    def drafted(self) -> "Language | None":
        """What is looked for in reasoning; None where nothing is."""
        active = [*self._marked, *(one for one in self.bare if one is not self.guided)]
        if self.messages or not active:
            return None
        frame = replace(self._frame, reasoning=(), lone=(), labels=(), answer=())
        drafted = Language(active, frame)
        drafted.headless = []
        return drafted

    @cached_property
    def asks_types(self) -> bool:
        """Whether values are read by what their tools declare."""
        scanners = {one.scanner for one in self.dialects.values()}
        return not scanners.isdisjoint(("parameters", "quoted_object"))

    def message_ends(self, dialect: Dialect, *, is_block: bool = False) -> Markers:
        """Return what ends a message of a dialect, or a block of it, of which no more is read."""
        return _message_ends(dialect, self._frame.tokens, is_block=is_block)

    @cached_property
    def control(self) -> Markers:
        """The markers that are control tokens (EXT-204)."""
        if not self.has_control:
            return Markers(())
        control = {key for key, one in self.dialects.items() if one.is_control}
        own = ("opener", "closer", "end")
        return Markers(one for one in self._signs if one.kind not in own or one.dialect in control)

    @cached_property
    def lone(self) -> Markers:
        """The closers of reasoning as the tokens that they are where they end none (D9.9)."""
        closers = self._frame.lone or tuple(close for _, close in self._frame.reasoning)
        signs = (_sign("closer", "", close) for close in closers)
        return Markers(replace(one, kind="token") for one in signs)

    @cached_property
    def _in_prose(self) -> list[Sign]:
        return [*self._signs, *_stray_signs(self._marked)]

    @cached_property
    def in_prose(self) -> Markers:
        """The markers, and the stray begins and ends of parameters."""
        return Markers(self._in_prose)

    @cached_property
    def in_answer(self) -> Markers:
        """The same, and the closers of reasoning that no reasoning needs (D9.10)."""
        pairs = self._frame.reasoning
        lone = [replace(_sign("closer", "", close), kind="lone") for _, close in pairs]
        # Of signs that look alike the first counts: a closer that is a token stays one.
        return Markers([*self._in_prose, *lone])

    @cached_property
    def closing(self) -> Markers:
        """The closers and tokens."""
        return Markers(one for one in self._signs if one.kind in ("closer", "token", "end", "tag"))

    @cached_property
    def with_foreign(self) -> Markers:
        """The markers, blank lines, and the openings of other dialects' payloads."""
        return Markers([*self._in_prose, *FOREIGN, BLANK_LINE])

    @cached_property
    def with_blank_line(self) -> Markers:
        """The markers, and blank lines."""
        return Markers([*self._signs, BLANK_LINE])

    def is_control(self, marker: Marker) -> bool:
        """Tell whether a marker of dialects is a control token."""
        return any(self.dialects[key].is_control for key in marker.dialects)

    def is_out_of_place(self, opener: Marker) -> bool:
        """Tell whether an opener is one that counts in a message to a tool alone (EXT-250)."""
        return bool(self.holder) and self.holder not in opener.dialects

    def balancing(self, dialect: Dialect, *others: Sign) -> Markers:
        """Return the closer that balances a failed block, the openers that need it, and others."""
        # A closer that no sign has is that of a tool, whose opener alone needs it.
        openers = self._openers.get(dialect.written_closer, _openers(dialect))
        return Markers([*closers(dialect), *openers, *others])


@lru_cache(512)
def language_for(
    dialects: tuple[str | Dialect, ...] | None,
    format: str | None,
    guided: Dialect | None,
    *,
    opaque: bool,
    parses: bool,
    reasons: bool,
) -> Language:
    """Return what is looked for in a text that is read so.

    Raises:
        ValueError: there is no such format or dialect, or one excludes another (EXT-001).
    """
    frame = NO_FORMAT if format is None else load_format(format)
    if not reasons:
        frame = replace(frame, reasoning=(), lone=tuple(close for _, close in frame.reasoning))
    further, own = dialects or (), frame.dialects
    if dialects is not None:
        own = () if format is None else without_excluded(own, further)
    if format is not None or dialects is None:
        common = COMMON_DIALECTS if opaque else COMMON_IN_FENCES
        own = (*own, *without_excluded(common, (*own, *further)))
    # What is no dialect is refused also where none is looked for.
    language = language_of((*own, *further), frame, guided)
    return language if parses else language_of((), frame)


def language_of(
    dialects: tuple[str | Dialect, ...],
    frame: Format = NO_FORMAT,
    guided: Dialect | None = None,
) -> Language:
    """Return the language of some dialects, given by their ids or themselves, in a frame.

    Raises:
        ValueError: there is no such dialect, or one excludes another (EXT-001).
    """
    chosen = [*map(_dialect, dict.fromkeys(dialects))]
    ids = {one.id for one in chosen}
    for one in chosen:
        if others := ids.intersection(one.excludes):
            raise ValueError(f"dialect {one.id!r} excludes {min(others)!r}")
    return Language(chosen, frame, guided)


def _written(marker: Header | Tag | str | None) -> str:
    """Return a marker as an opening tag would be written."""
    text = f"<{marker.name}>" if isinstance(marker, Tag) else marker
    return text.replace("</", "<", 1).lower() if isinstance(text, str) else ""


def without_excluded(ids: Sequence[str], others: Sequence[str | Dialect]) -> tuple[str, ...]:
    """Return those dialects beside which others can be active."""
    excluded = {id for one in map(_dialect, others) for id in one.excludes}
    return tuple(id for id in ids if id not in excluded)


def opens_reasoning(prompt: str, format: str) -> bool:
    """Tell whether a prompt, or its tail, ends in reasoning that it opened, so that the text of the
    model is to be read with ``reasoning="open"``. Where a format has no tokens, a tag in a message
    before counts.

    No format says so: the same model has templates that open reasoning and others that do not.

    Raises:
        ValueError: there is no such format.
    """
    frame = load_format(format)
    language = language_of(frame.dialects, frame)
    # Before the last token another message stands, which may quote the opener; headers have tokens.
    tokens = () if language.messages else frame.tokens
    at = max((prompt.rfind(one) + len(one) for one in tokens if one in prompt), default=0)
    while marker := language.markers.first(prompt, at, 0):
        at = marker.end
        if marker.kind == "reasoning":
            closer = language.closers[marker.dialects[0]].first(prompt, at, 0)
            if closer is None or closer.kind == "cut_off":
                return True
            at = closer.end
    return False


def _dialect(given: str | Dialect) -> Dialect:
    if isinstance(given, Dialect):
        return given
    if given not in DIALECTS:
        raise ValueError(f"no dialect {given!r}; {others_than(given, sorted(DIALECTS))}")
    return DIALECTS[given]


@lru_cache
def ends_of_values(dialect: Dialect, end_of_value: str) -> Markers:
    """Return what counts in a value: the opener of its dialect, what may end the value, and, as
    tokens, the closers.
    """
    end = Sign("closer", dialect.key, end_of_value)
    word = dialect.end_word
    alike = [misspelt_sign(each) for each in {"param", word} if word]
    tokens = [replace(one, kind="token") for one in closers(dialect)]
    return Markers([*_openers(dialect), end, *alike, *tokens])


@lru_cache
def _message_ends(dialect: Dialect, tokens: Sequence[str], *, is_block: bool) -> Markers:
    """Return what ``Language.message_ends`` does. A block can quote headers (D44.4)."""
    assert isinstance(dialect.opener, Header)
    if messages := dialect.messages:
        begins = filter(messages.begin.startswith, tokens)
        follows = () if is_block else messages.follows
        ends = messages.ends
        behind = (messages.begin, *begins, *follows, *ends)
        signs = [bound_sign(end, behind) for end in ends]
        signs += [] if is_block else _bare_signs(dialect, messages.bare)
        return Markers([*signs, header_sign(dialect.key, dialect.opener)])
    assert isinstance(dialect.opener.message, PseudoMessages)
    return Markers(Sign("closer", dialect.key, end) for end in dialect.opener.message.ends)


def _opened_signs(dialect: Dialect) -> list[Sign]:
    """Return the signs of headers that only begin a text, since the prompt has begun them."""
    assert isinstance(dialect.opener, Header)
    assert dialect.messages
    key, opener, messages = dialect.key, replace(dialect.opener, text=""), dialect.messages
    spaced = [f" {messages.recipient}"] if messages.recipient != "\n" else []
    begins = _bare_signs(dialect, spaced)
    calls = [name for name, kind in messages.kinds if kind == "call" and messages.channel != "\n"]
    begins += [named_sign(key, opener, messages.channel + name) for name in calls]
    return begins


def _bare_signs(dialect: Dialect, begins: Iterable[str]) -> list[Sign]:
    """Return the signs of headers without their text, which begin with some others."""
    assert isinstance(dialect.opener, Header)
    opener = replace(dialect.opener, text="")
    return [header_sign(dialect.key, opener, begin) for begin in begins]


def _stripped(dialect: Dialect) -> tuple[str, Markers] | None:
    """Return what reasoning begins with whose tokens were taken out, and what ends it."""
    if not dialect.messages or not dialect.messages.stripped:
        return None
    begin, content, call = dialect.messages.stripped
    refused = Sign("reserved" if dialect.key else "drop", dialect.key, call)
    return begin, Markers([Sign("closer", "", content), refused])


def _openers(dialect: Dialect) -> list[Sign]:
    """Return the signs of the opener."""
    key, opener = dialect.key, dialect.opener
    assert opener is not None
    if dialect.is_each_tool:
        return [ANY_TAG]
    if dialect.tool:
        return [tag_sign("opener", key, f"<{dialect.tool}", in_any_case=False)]
    signs = [_sign("opener", key, opener)]
    if dialect.opens_fence and isinstance(opener, str):
        signs = [fence_sign("opener", key, opener)]
    if dialect.messages:
        signs += _bare_signs(dialect, dialect.messages.bare)
    if dialect.is_control and isinstance(opener, Header) and not opener.message:
        signs.append(Sign("opener", key, opener.text))
    return signs


def closers(dialect: Dialect) -> list[Sign]:
    """Return the signs of the closer, if there is one."""
    if dialect.messages:
        return [Sign("end", dialect.key, end) for end in dialect.messages.ends]
    if dialect.tool:
        return [tag_sign("closer", dialect.key, f"</{dialect.tool}", in_any_case=False)]
    own = dialect.closer if not dialect.is_each_tool else None
    return [_sign("closer", dialect.key, own)] if own else []


def _token_signs(tokens: Sequence[str], dialect: Dialect | None) -> Iterator[Sign]:
    """Give the signs of tokens, which stand where no header of messages does, and of the channels
    that need no more of a header.
    """
    messages = dialect.messages if dialect else None
    yield from (Sign("token", "", token) for token in tokens)
    if dialect and messages and messages.channel in tokens:
        for name, kind in messages.shown.items():
            yield channel_sign(kind, dialect.key, messages.channel, name)


def _stray_signs(dialects: Iterable[Dialect]) -> Iterator[Sign]:
    """Give the signs of parameters where no call is: of their begins, and of their ends as tokens
    (EXT-204).
    """
    for one in dialects:
        if one.is_control and one.stray_begin:
            yield Sign("stray", one.key, one.stray_begin)
        if one.is_control and one.stray_end:
            yield Sign("token", "", one.stray_end)


def _shared_closers(dialects: Collection[Dialect]) -> list[Sign]:
    """Return the fixed texts among the closers that are also the tag of another dialect, as its."""
    texts = {dialect.closer for dialect in dialects}
    tags = (one for one in dialects if isinstance(one.closer, Tag) and one.written_closer in texts)
    return [Sign("closer", one.key, one.written_closer) for one in tags]


def _sign(kind: MarkerKind, key: str, marker: Header | Tag | str) -> Sign:
    if isinstance(marker, Header):
        return header_sign(key, marker)
    if isinstance(marker, Tag):
        return tag_sign(kind, key, f"<{'/' * (kind == 'closer')}{marker.name}")
    return Sign(kind, key, marker)
