//! Markers: how they are written, and which stands at a place.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::descriptors::{Dialect, texts};
use super::messages::{MessageSet, skip_few};
use super::parameters::{is_letter_or_digit, is_of_name};
use crate::shared::text::{is_json_space, is_sendable};

const LONGEST_HEADER: usize = 128;

/// So many characters of a control token show what the end of the text cuts off.
const CUT_OFF: usize = 7;

/// What was found at a place. `Wait` says that more of the text decides.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Seen<T> {
    Yes(T),
    No,
    Wait,
}

impl<T> Seen<T> {
    /// The same with what was found made into something else.
    pub(super) fn map<U>(self, make: impl FnOnce(T) -> U) -> Seen<U> {
        match self {
            Self::Yes(found) => Seen::Yes(make(found)),
            Self::No => Seen::No,
            Self::Wait => Seen::Wait,
        }
    }
}

#[cfg(test)]
thread_local! {
    /// How often a single character was looked at: the work that tests count.
    pub(super) static LOOKS: Cell<usize> = const { Cell::new(0) };
}

/// A text of which more can come.
#[derive(Clone, Default)]
pub(super) struct Source {
    pub(super) text: String,
    pub(super) ended: bool,
    /// JSON white space that was seen last, so that nothing looks at it again when more comes.
    space: Cell<(usize, usize)>,
    /// The gap of a tag that was seen last: where its name ends, up to where it was read, and its line feeds.
    gap: Cell<(usize, usize, usize)>,
}

impl Source {
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    pub(super) fn char(&self, at: usize) -> Option<char> {
        #[cfg(test)]
        LOOKS.set(LOOKS.get() + 1);
        self.text.get(at..)?.chars().next()
    }

    pub(super) fn from(&self, at: usize) -> &str {
        self.text.get(at..).unwrap_or("")
    }

    pub(super) fn slice(&self, from: usize, to: usize) -> &str {
        self.text.get(from..to).unwrap_or("")
    }

    /// `No` at the end of the text, `Wait` where more can come.
    pub(super) fn short<T>(&self) -> Seen<T> {
        if self.ended { Seen::No } else { Seen::Wait }
    }

    /// Whether a literal text stands at a place; gives where it ends.
    pub(super) fn literal(&self, at: usize, text: &str) -> Seen<usize> {
        let here = self.from(at).as_bytes();
        let length = here.len().min(text.len());
        if here[..length] != text.as_bytes()[..length] {
            return Seen::No;
        }
        if length == text.len() { Seen::Yes(at + length) } else { self.short() }
    }

    /// The first place from here on without JSON white space.
    pub(super) fn skip_space(&self, at: usize) -> usize {
        let (from, to) = self.space.get();
        let known = if (from..=to).contains(&at) { to } else { at };
        let bytes = self.text.as_bytes().get(known..).unwrap_or(&[]);
        let end = known + bytes.iter().take_while(|&&each| is_json_space(each.into())).count();
        if end > at {
            self.space.set((at.min(if known > at { from } else { at }), end));
        }
        end
    }

    /// An ended text.
    pub(super) fn whole(text: &str) -> Self {
        Self { text: text.to_owned(), ended: true, ..Self::default() }
    }
}

/// What can stand in the header of an opener.
#[derive(Clone, Default)]
pub(super) struct Header {
    /// Texts that may stand in it though they begin like its end, or with `<`.
    skipped: Vec<String>,
    /// Those of them, and the end, before which a line feed can stand in that of a message.
    behind_line: Vec<String>,
    /// Whether it is a name.
    named: bool,
    pub(super) prefix: String,
    pub(super) counter: bool,
    pub(super) behind: Option<String>,
    pub(super) id: Option<String>,
    word: Option<String>,
    /// The text behind which the channel stands, and the channel of an opener.
    pub(super) select: Option<(String, String)>,
    pub(super) signs: Vec<String>,
    pub(super) closers: Vec<String>,
    pub(super) end: String,
    /// Before which texts the end can be missing behind a name.
    bare: Vec<String>,
    /// Before which texts alone it is a header: those that JSON begins with, behind the run of a fence.
    before: Vec<String>,
}

impl Header {
    pub(super) fn of(opener: &Value, closer: &Value, payload: &Value) -> Self {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let name = &opener["name"];
        let (behind, id) = (text(&name["behind"]), text(&name["id"]));
        let select = text(&opener["select"]["behind"]).zip(text(&opener["select"]["is"]));
        let end = text(&opener["end"]).unwrap_or_default();
        let channel = text(&opener["messages"]["channel"]).or_else(|| text(&opener["select"]["behind"]));
        let in_lines = texts(&opener["tokens"]).into_iter().filter(|token| Some(token) != channel.as_ref());
        let is_message = opener["messages"].is_object() || select.is_some();
        Self {
            behind_line: if is_message { in_lines.chain([end.clone()]).collect() } else { Vec::new() },
            skipped: texts(&opener["tokens"]).into_iter().chain(behind.clone()).chain(id.clone()).collect(),
            named: name.is_object(),
            prefix: text(&name["prefix"]).unwrap_or_default(),
            counter: name["counter"] == true,
            behind,
            id,
            word: text(&name["word"]),
            select,
            signs: texts(&opener["reserved"]["signs"]),
            closers: texts(&opener["reserved"]["closers"]),
            end,
            before: if payload["fence"] == "open" { vec!["{".to_owned(), "[".to_owned()] } else { Vec::new() },
            bare: match opener["bare_end"].as_bool() {
                Some(true) => {
                    let fence = (payload["fence"] == "expected").then(|| "```".to_owned());
                    std::iter::once("{".to_owned()).chain(text(&closer["text"])).chain(fence).collect()
                }
                _ => Vec::new(),
            },
        }
    }

    pub(super) fn tokens(&self) -> &[String] {
        &self.skipped
    }

    /// Where it goes on behind a line feed, if that stands here.
    pub(super) fn behind_line_feed(&self, source: &Source, at: usize) -> Seen<usize> {
        if source.byte(at) != Some(b'\n') {
            return Seen::No;
        }
        let behind = skip_few(source, at);
        one_of(source, behind, &self.behind_line).map(|()| behind)
    }

    /// Whether the text ends before or in one of what can stand behind a line feed.
    pub(super) fn is_cut_behind_line(&self, rest: &str) -> bool {
        self.behind_line.iter().any(|each| each.starts_with(rest))
    }

    /// Where a header ends that begins here, and behind what ends it.
    pub(super) fn scan(&self, source: &Source, at: usize) -> Seen<(usize, usize)> {
        if !self.bare.is_empty() {
            match self.without_end(source, at) {
                Seen::No => {}
                Seen::Yes(end) => return Seen::Yes((end, end)),
                Seen::Wait => return Seen::Wait,
            }
        }
        let (mut place, mut count) = (at, 0);
        let (mut named, mut line) = (false, false);
        loop {
            match source.literal(place, &self.end) {
                Seen::Yes(behind) if count <= 128 => return Seen::Yes((place, behind)),
                Seen::Yes(_) => return Seen::No,
                Seen::Wait => return Seen::Wait,
                Seen::No => {}
            }
            let mut skipped = false;
            for text in &self.skipped {
                match source.literal(place, text) {
                    Seen::Yes(behind) => {
                        count += text.chars().count();
                        if count > 128 {
                            return Seen::No;
                        }
                        if self.behind.as_ref() == Some(text) {
                            (named, line) = (false, false);
                        }
                        place = behind;
                        skipped = true;
                        break;
                    }
                    Seen::Wait => return Seen::Wait,
                    Seen::No => {}
                }
            }
            if skipped {
                continue;
            }
            let Some(each) = source.char(place) else { return source.short() };
            match self.behind_line_feed(source, place) {
                Seen::Yes(behind) => {
                    count += behind - place;
                    place = behind;
                    continue;
                }
                Seen::Wait => return Seen::Wait,
                Seen::No => {}
            }
            count += 1;
            let space = is_json_space(each);
            line = line || named && each == '\n';
            if count > 128 || each == '<' || self.end.starts_with(each) || each == '\n' && !self.named || !space && line {
                return Seen::No;
            }
            named = named || !space;
            place += each.len_utf8();
        }
    }

    /// Where a header without its end ends: a name, its `id` or counter behind it or not, and then a brace or the closer.
    fn without_end(&self, source: &Source, begin: usize) -> Seen<usize> {
        let mut end = word_end(source, skip_few(source, begin));
        if let (Seen::Yes(at), Some(behind)) = (&end, &self.behind) {
            end = match source.literal(*at, behind) {
                Seen::Yes(behind) => word_end(source, behind),
                Seen::Wait => Seen::Wait,
                Seen::No => end,
            };
        }
        let end = match end {
            Seen::Yes(end) => end,
            other => return other,
        };
        let mut place = match self.id.as_ref().map(|id| source.literal(end, id)) {
            Some(Seen::Wait) => return Seen::Wait,
            Some(Seen::Yes(behind)) => behind,
            Some(Seen::No) | None => end,
        };
        if self.counter && source.byte(place) == Some(b':') {
            let digits = source.from(place + 1).bytes().take_while(u8::is_ascii_digit).count();
            if place + 1 + digits == source.len() && !source.ended {
                return Seen::Wait;
            }
            place += if digits > 0 { 1 + digits } else { 0 };
        }
        one_of(source, skip_few(source, place), &self.bare).map(|()| place)
    }

    /// The name in a header.
    fn name(&self, header: &str) -> Name {
        let whole = self.whole_name(header, str::trim);
        let text = self.whole_name(header, without_attributes);
        Name { alone: Some(whole).filter(|whole| *whole != text), numbered: self.numbered_name(header), text }
    }

    /// The name between the word of its descriptor and digits.
    fn numbered_name(&self, header: &str) -> Option<String> {
        let rest = self.bare_name(header, without_attributes).strip_prefix(self.word.as_deref()?)?;
        let name = rest.trim_end_matches(|each: char| each.is_ascii_digit());
        let sign = ['.', ':', '_'];
        let inner = name.strip_prefix(sign).unwrap_or(name);
        (name.len() < rest.len()).then(|| inner.strip_suffix(sign).unwrap_or(inner).to_owned())
    }

    /// The bare name in a header, of which a function takes what stands around the name itself.
    fn bare_name<'a>(&self, header: &'a str, bare: fn(&str) -> &str) -> &'a str {
        let mut rest = header;
        if let Some((_, behind)) = self.behind.as_ref().and_then(|text| rest.split_once(text.as_str())) {
            rest = behind;
        }
        if let Some((before, _)) = self.id.as_ref().and_then(|text| rest.split_once(text.as_str())) {
            rest = before;
        }
        unquoted(bare(rest))
    }

    /// The same without prefix and counter.
    fn whole_name(&self, header: &str, bare: fn(&str) -> &str) -> String {
        let rest = self.bare_name(header, bare);
        let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|each| each.is_ascii_digit());
        let mut rest = rest.strip_prefix(self.prefix.as_str()).unwrap_or(rest);
        if self.counter {
            rest = rest.rsplit_once(':').filter(|(_, digits)| is_digits(digits)).map_or(rest, |(name, _)| name);
        }
        rest.to_owned()
    }

    /// Whether a message header is one of this dialect: `Some(true)` where it is reserved.
    fn selected(&self, header: &str) -> Option<bool> {
        let (behind, is) = self.select.as_ref()?;
        let channel =
            header.rsplit_once(behind.as_str()).map(|(_, rest)| rest.split_once("<|").map_or(rest, |(channel, _)| channel));
        if channel.is_some_and(|channel| channel.trim() == is) {
            return Some(false);
        }
        self.signs.iter().any(|sign| header.contains(sign.as_str())).then_some(true)
    }
}

/// Where the name ends that stands at a place.
fn word_end(source: &Source, at: usize) -> Seen<usize> {
    match source.from(at).bytes().take(65).take_while(|&each| is_of_name(each)).count() {
        length if length > 64 => Seen::No,
        length if at + length == source.len() => source.short(),
        0 => Seen::No,
        length => Seen::Yes(at + length),
    }
}

/// Whether one of some texts stands at a place.
fn one_of(source: &Source, at: usize, texts: &[String]) -> Seen<()> {
    let mut found = Seen::No;
    for text in texts {
        match source.literal(at, text) {
            Seen::Yes(_) => return Seen::Yes(()),
            Seen::Wait => found = Seen::Wait,
            Seen::No => {}
        }
    }
    found
}

/// A text without blanks at its ends and attributes behind it.
pub(super) fn without_attributes(text: &str) -> &str {
    let text = text.trim();
    let attributes = text.char_indices().find(|&(at, each)| is_json_space(each) && are_attributes(&text[at..]));
    attributes.map_or(text, |(at, _)| &text[..at])
}

/// A text without a pair of quotation marks around it, and the blanks inside these.
pub(super) fn unquoted(text: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(inner) = text.strip_prefix(quote).and_then(|inner| inner.strip_suffix(quote)) {
            return inner.trim();
        }
    }
    text
}

/// Whether a text that begins with white space is nothing but attributes.
fn are_attributes(text: &str) -> bool {
    let is_of_word = |each: char| each.is_ascii_alphanumeric() || "_.:-".contains(each);
    let Some((word, value)) = text.trim_start_matches(is_json_space).split_once('=') else { return false };
    if !word.starts_with(|each: char| each.is_ascii_alphabetic() || each == '_') || !word.chars().all(is_of_word) {
        return false;
    }
    let Some(quote) = value.chars().next().filter(|&each| each == '"' || each == '\'') else { return false };
    let behind = value[1..].split_once(quote).map(|(_, behind)| behind);
    behind.is_some_and(|behind| behind.is_empty() || behind.starts_with(is_json_space) && are_attributes(behind))
}

/// How a marker is written.
#[derive(Clone, PartialEq)]
pub(super) enum Pattern {
    Tag(Arc<str>),
    Closing(Arc<str>),
    Text(Arc<str>),
    /// A text with a header behind it.
    Headed(Arc<str>),
}

impl Pattern {
    pub(super) fn opener(data: &Value) -> Option<Self> {
        match (data["tag"].as_str(), data["text"].as_str()) {
            (Some(tag), _) => Some(Self::Tag(tag.into())),
            (_, Some(text)) if data.get("end").is_some() => Some(Self::Headed(text.into())),
            (_, Some(text)) => Some(Self::Text(text.into())),
            _ => None,
        }
    }

    pub(super) fn closer(data: &Value) -> Option<Self> {
        data["tag"].as_str().map(|tag| Self::Closing(tag.into())).or_else(|| Some(Self::Text(data["text"].as_str()?.into())))
    }

    pub(super) fn first(&self) -> u8 {
        match self {
            Self::Tag(_) | Self::Closing(_) => b'<',
            Self::Text(text) | Self::Headed(text) => text.as_bytes().first().copied().unwrap_or(b'<'),
        }
    }

    /// The byte behind the first, if it has one.
    fn second(&self) -> Option<u8> {
        match self {
            Self::Tag(name) => name.bytes().next(),
            Self::Closing(_) => Some(b'/'),
            Self::Text(text) | Self::Headed(text) => text.bytes().nth(1),
        }
    }

    /// Whether it is written as a tag with a name, opening or closing, in any case.
    fn is_tag_of(&self, name: &str) -> bool {
        match self {
            Self::Tag(own) | Self::Closing(own) => own.eq_ignore_ascii_case(name),
            Self::Text(text) => {
                let inner = text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).unwrap_or_default();
                inner.strip_prefix('/').unwrap_or(inner).eq_ignore_ascii_case(name)
            }
            Self::Headed(_) => false,
        }
    }

    /// Where the marker ends if it stands here, without its header.
    pub(super) fn at(&self, source: &Source, at: usize) -> Seen<usize> {
        match self {
            Self::Tag(name) => tag(source, at, name, false),
            Self::Closing(name) => tag(source, at, name, true),
            Self::Text(text) | Self::Headed(text) => source.literal(at, text),
        }
    }
}

fn tag(source: &Source, at: usize, name: &str, closing: bool) -> Seen<usize> {
    let begin = at + if closing { 2 } else { 1 };
    let sign = if closing { "</" } else { "<" };
    match source.literal(at, sign) {
        Seen::Yes(_) => {}
        other => return other,
    }
    let here = source.text.as_bytes().get(begin..).unwrap_or(&[]);
    let length = here.len().min(name.len());
    if !here[..length].eq_ignore_ascii_case(&name.as_bytes()[..length]) {
        return Seen::No;
    }
    if length < name.len() {
        return source.short();
    }
    let named = begin + length;
    let (mut place, mut lines) = match source.gap.get() {
        (known, place, lines) if known == named && known > 0 => (place, lines),
        _ => (named, 0),
    };
    while let Some(each) = source.char(place) {
        place += each.len_utf8();
        match each {
            '>' => return Seen::Yes(place),
            '\n' if lines == 0 => lines = 1,
            '\n' => return Seen::No,
            each if each.is_whitespace() => {}
            _ => return Seen::No,
        }
        source.gap.set((named, place, lines));
    }
    source.short()
}

/// An opener as it stands in the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Opening {
    pub(super) dialect: usize,
    /// Whether it is the opener of a section.
    pub(super) section: bool,
    pub(super) reserved: bool,
    pub(super) name: Option<Name>,
    pub(super) headed: bool,
    pub(super) from: usize,
    pub(super) to: usize,
}

/// The name in a header.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Name {
    pub(super) text: String,
    /// The name of a call without arguments, where attributes stand behind it, which may be what was meant as these.
    pub(super) alone: Option<String>,
    /// What it is if only that is effective.
    pub(super) numbered: Option<String>,
}

/// What a marker is: each of the roles that its text has.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Marker {
    pub(super) end: usize,
    pub(super) opener: Option<Opening>,
    /// The dialects of which it is a closer, and whether of the section.
    pub(super) closers: Vec<(usize, bool)>,
    /// The reasoning that it opens.
    pub(super) reasoning: Option<usize>,
    pub(super) token: bool,
    /// Whether it is the header of a message that is content.
    pub(super) content: bool,
    /// Whether it begins a message that is dropped.
    pub(super) drops: bool,
    /// Whether it is an end of messages.
    pub(super) end_of_message: bool,
    /// Whether it is a whole header of a message, with the text of one.
    pub(super) header: bool,
    /// Whether it is a closer of reasoning with which a line ends (D9.10).
    pub(super) ends_line: bool,
}

#[derive(Clone)]
enum Role {
    Opener(usize, bool),
    Closer(usize, bool),
    Reasoning(usize),
    ReasoningClose,
    Token,
}

/// The tags of tools, looked up where one stands: each request has others.
#[derive(Clone)]
pub(super) struct ToolTags {
    /// The number of the dialect of the first name.
    pub(super) first: usize,
    pub(super) names: Arc<[String]>,
    pub(super) dialect: Arc<Dialect>,
}

/// The markers that are looked for.
#[derive(Clone)]
pub(super) struct Markers {
    patterns: Vec<(Pattern, Role, Arc<Header>)>,
    /// By the first byte and the second, if there is one, in lower case, where the patterns stand that begin with these. Without a
    /// pattern something else begins with them.
    by_begin: BTreeMap<u8, BTreeMap<Option<u8>, Vec<usize>>>,
    /// The closers of reasoning with which a line can end.
    closes: Vec<Pattern>,
    /// The bytes with which a marker can begin.
    firsts: [bool; 256],
    messages: Option<MessageSet>,
    message_bytes: Vec<u8>,
    reasoning: bool,
    /// Whether they are control tokens.
    control: bool,
    /// The dialects whose markers are none.
    plain: Vec<usize>,
    /// The stray begins of parameters, with their dialects.
    strays: Vec<(String, usize)>,
    /// Their stray ends, which are tokens.
    stray_ends: Vec<String>,
    tools: Option<ToolTags>,
    /// The dialect of the tags of tools, where foreign pairs are read.
    pairs: Option<Arc<Dialect>>,
}

impl Markers {
    pub(super) fn new(control: bool) -> Self {
        Self {
            patterns: Vec::new(),
            by_begin: BTreeMap::new(),
            closes: Vec::new(),
            firsts: [false; 256],
            messages: None,
            message_bytes: Vec::new(),
            reasoning: true,
            control,
            plain: Vec::new(),
            strays: Vec::new(),
            stray_ends: Vec::new(),
            tools: None,
            pairs: None,
        }
    }

    /// Says that the markers of a dialect are no control tokens.
    pub(super) fn add_plain(&mut self, dialect: usize) {
        self.plain.push(dialect);
    }

    pub(super) fn add_stray(&mut self, text: &str, dialect: usize) {
        self.begin(text);
        self.strays.push((text.to_owned(), dialect));
    }

    pub(super) fn add_stray_end(&mut self, text: &str) {
        self.begin(text);
        self.stray_ends.push(text.to_owned());
    }

    pub(super) fn set_tools(&mut self, tools: ToolTags) {
        self.begin("</");
        for name in tools.names.iter() {
            self.begin_with(b'<', name.bytes().next());
        }
        self.tools = Some(tools);
    }

    /// Whether a name has tags.
    fn is_tool(&self, name: &str, tools: &ToolTags) -> bool {
        is_sendable(name) && !self.is_taken(name, &tools.dialect)
    }

    /// Whether a tag of a name is another marker, or an element of HTML.
    fn is_taken(&self, name: &str, dialect: &Dialect) -> bool {
        let counts = |role: &Role| self.reasoning || !matches!(role, Role::Reasoning(_) | Role::ReasoningClose);
        self.patterns.iter().any(|(pattern, role, _)| counts(role) && pattern.is_tag_of(name))
            || dialect.words.iter().any(|word| word.eq_ignore_ascii_case(name))
    }

    pub(super) fn set_closes(&mut self, closes: impl Iterator<Item = Pattern>) {
        self.closes.extend(closes);
        for close in self.closes.clone() {
            self.begin_with(close.first(), close.second());
        }
    }

    pub(super) fn set_pairs(&mut self, dialect: &Arc<Dialect>) {
        self.pairs = Some(Arc::clone(dialect));
    }

    /// Whether there are foreign pairs.
    pub(super) fn has_pairs(&self) -> bool {
        self.pairs.is_some()
    }

    /// Whether a name can be that of a foreign pair.
    pub(super) fn is_foreign(&self, name: &str) -> bool {
        self.pairs.as_ref().is_some_and(|dialect| !self.is_taken(name, dialect))
    }

    /// The tag of a tool that stands at a place.
    fn tool_at(&self, source: &Source, at: usize) -> Seen<Marker> {
        let Some((tools, rest)) = self.tools.as_ref().zip(source.from(at).strip_prefix('<')) else { return Seen::No };
        let inner = rest.strip_prefix('/').unwrap_or(rest);
        let name = &inner[..inner.bytes().take(65).take_while(|&each| is_of_name(each)).count()];
        let place = tools.names.partition_point(|each| each.as_str() < name);
        match inner.as_bytes().get(name.len()) {
            Some(_) if tools.names.get(place).is_some_and(|each| each == name) && self.is_tool(name, tools) => {
                let to = match tag(source, at, name, inner.len() < rest.len()) {
                    Seen::Yes(to) => to,
                    Seen::Wait => return Seen::Wait,
                    Seen::No => return Seen::No,
                };
                let dialect = tools.first + place;
                let (section, reserved, name, headed) = (false, false, None, true);
                let opening = Opening { dialect, section, reserved, name, headed, from: at, to };
                let mut marker = Marker { end: to, ..Marker::default() };
                if inner.len() == rest.len() {
                    marker.opener = Some(opening);
                } else {
                    marker.closers.push((dialect, false));
                }
                Seen::Yes(marker)
            }
            None if !source.ended => {
                let mut begun = tools.names[place..].iter().take_while(|each| each.starts_with(name));
                if begun.any(|each| self.is_tool(each, tools)) { Seen::Wait } else { Seen::No }
            }
            _ => Seen::No,
        }
    }

    fn is_control(&self, role: &Role) -> bool {
        let plain = matches!(role, Role::Opener(dialect, _) | Role::Closer(dialect, _) if self.plain.contains(dialect));
        self.control && !plain
    }

    pub(super) fn set_messages(&mut self, set: MessageSet) {
        for text in set.spec.ends.iter().map(String::as_str).chain([&*set.text]).chain(set.bare_begins()) {
            self.begin(text);
            self.message_bytes.extend(text.bytes().next());
        }
        self.messages = Some(set);
    }

    /// The same markers but for those of reasoning.
    pub(super) fn without_reasoning(&self) -> Self {
        Self { reasoning: false, closes: Vec::new(), ..self.clone() }
    }

    fn add(&mut self, pattern: &Pattern, role: Role, header: &Arc<Header>) {
        let number = self.patterns.len();
        self.begin_with(pattern.first(), pattern.second()).push(number);
        self.patterns.push((pattern.clone(), role, Arc::clone(header)));
    }

    /// Something begins with a text.
    fn begin(&mut self, text: &str) {
        let mut bytes = text.bytes();
        if let Some(first) = bytes.next() {
            self.begin_with(first, bytes.next());
        }
    }

    fn begin_with(&mut self, first: u8, second: Option<u8>) -> &mut Vec<usize> {
        self.firsts[usize::from(first)] = true;
        let second = second.map(|byte| byte.to_ascii_lowercase());
        self.by_begin.entry(first).or_default().entry(second).or_default()
    }

    /// The patterns that can stand at a place, as far as two bytes tell.
    fn begun_at(&self, source: &Source, at: usize) -> impl Iterator<Item = &(Pattern, Role, Arc<Header>)> {
        let begun = source.byte(at).and_then(|byte| self.by_begin.get(&byte));
        let next = source.byte(at + 1).map(|byte| byte.to_ascii_lowercase());
        let goes_on = move |second: Option<u8>| second.is_none() || next.is_none() || second == next;
        let fitting = begun.into_iter().flatten().filter(move |(second, _)| goes_on(**second));
        fitting.flat_map(|(_, numbers)| numbers).map(|&number| &self.patterns[number])
    }

    pub(super) fn add_opener(&mut self, pattern: &Pattern, dialect: usize, section: bool, header: &Arc<Header>) {
        self.add(pattern, Role::Opener(dialect, section), header);
    }

    pub(super) fn add_closer(&mut self, pattern: &Pattern, dialect: usize, section: bool) {
        self.add(pattern, Role::Closer(dialect, section), &Arc::default());
    }

    pub(super) fn add_reasoning(&mut self, open: &Pattern, close: Option<&Pattern>, number: usize) {
        self.add(open, Role::Reasoning(number), &Arc::default());
        if let Some(close) = close {
            self.add(close, Role::ReasoningClose, &Arc::default());
        }
    }

    pub(super) fn add_token(&mut self, text: &str) {
        self.add(&Pattern::Text(text.into()), Role::Token, &Arc::default());
    }

    /// The marker of prose that stands at a place, or the closer of reasoning with which a line ends.
    pub(super) fn in_answer(&self, source: &Source, at: usize) -> Seen<Marker> {
        let seen = self.in_prose(source, at);
        if seen != Seen::No {
            return seen;
        }
        let mut ends = self.closes.iter().map(|close| close.at(source, at));
        let end = match ends.find(|seen| *seen != Seen::No) {
            Some(Seen::Yes(end)) => end,
            Some(Seen::Wait) => return Seen::Wait,
            _ => return Seen::No,
        };
        match source.from(end).trim_start_matches([' ', '\t', '\r']).chars().next() {
            None if !source.ended => Seen::Wait,
            None | Some('\n') => Seen::Yes(Marker { end, token: true, ends_line: true, ..Marker::default() }),
            Some(_) => Seen::No,
        }
    }

    /// The first place from here on where a marker of prose stands, or can come to stand, or the end of the text.
    pub(super) fn next(&self, source: &Source, mut at: usize) -> (usize, Seen<Marker>) {
        while let Some(place) = source.text.as_bytes().get(at..).and_then(|bytes| self.next_first(bytes)) {
            at += place;
            let seen = if self.can_begin_at(source, at) { self.in_answer(source, at) } else { Seen::No };
            if seen != Seen::No {
                return (at, seen);
            }
            at += 1;
        }
        (source.len(), Seen::No)
    }

    /// The first place of a byte with which a marker can begin.
    fn next_first(&self, bytes: &[u8]) -> Option<usize> {
        let begins = |&byte: &u8| self.can_begin(byte);
        // Most of the text is none: to ask of eight at once takes a third of the steps.
        let any = |eight: &[u8]| eight.iter().fold(false, |found, byte| found | begins(byte));
        let from = bytes.chunks_exact(8).take_while(|eight| !any(eight)).count() * 8;
        bytes[from..].iter().position(begins).map(|place| from + place)
    }

    /// Whether a marker can begin with a byte.
    pub(super) fn can_begin(&self, byte: u8) -> bool {
        self.firsts[usize::from(byte)]
    }

    /// Whether a marker can stand at a place, as far as two bytes tell.
    pub(super) fn can_begin_at(&self, source: &Source, at: usize) -> bool {
        let Some(begun) = source.byte(at).and_then(|byte| self.by_begin.get(&byte)) else { return false };
        let next = source.byte(at + 1).map(|byte| byte.to_ascii_lowercase());
        next.is_none() || begun.contains_key(&next) || begun.contains_key(&None)
    }

    /// Whether an opener stands at a place, or can still come to stand there.
    pub(super) fn can_open(&self, source: &Source, at: usize) -> bool {
        let Some(byte) = source.byte(at) else { return false };
        let opens = |(pattern, role, _): &(Pattern, Role, Arc<Header>)| {
            matches!(role, Role::Opener(..)) && pattern.at(source, at) != Seen::No
        };
        let message = self.messages.as_ref().filter(|_| self.message_bytes.contains(&byte));
        let tool = match self.tool_at(source, at) {
            Seen::Yes(marker) => marker.opener.is_some(),
            seen => seen == Seen::Wait,
        };
        tool || self.begun_at(source, at).any(opens)
            || message.is_some_and(|messages| messages.at(source, at) != Seen::No)
            || self.cut_off(source, at).is_some_and(|marker| marker.opener.is_some())
            || self.strays.iter().any(|(text, _)| source.literal(at, text) != Seen::No)
    }

    /// The control token, no tag, that the end of the text cuts off (EXT-204).
    fn cut_off(&self, source: &Source, at: usize) -> Option<Marker> {
        let rest = source.from(at);
        let is_word = rest.starts_with(is_letter_or_digit);
        if !self.control || !source.ended || is_word || rest.chars().nth(CUT_OFF - 1).is_none() {
            return None;
        }
        let mut begun = self.begun_at(source, at).filter(|(pattern, role, _)| match pattern {
            Pattern::Text(text) | Pattern::Headed(text) => {
                self.is_control(role) && text.len() > rest.len() && text.starts_with(rest)
            }
            Pattern::Tag(_) | Pattern::Closing(_) => false,
        });
        let first = begun.next()?;
        let mut marker = Marker { end: source.len(), ..Marker::default() };
        let opener = std::iter::once(first).chain(begun).find_map(|(_, role, _)| match role {
            Role::Opener(dialect, section) => Some((*dialect, *section)),
            _ => None,
        });
        marker.token = opener.is_none();
        marker.opener = opener.map(|(dialect, section)| {
            let (reserved, name, headed, from, to) = (false, None, false, at, source.len());
            Opening { dialect, section, reserved, name, headed, from, to }
        });
        Some(marker)
    }

    /// Whether the text ends inside a closer or a token that begins at a place.
    pub(super) fn cut_closer(&self, source: &Source, at: usize) -> bool {
        let Some(begun) = self.begun(source, at) else { return false };
        let is_begun = |(pattern, role, _): &(Pattern, Role, Arc<Header>)| {
            let closes = matches!(role, Role::Closer(..) | Role::ReasoningClose | Role::Token);
            closes && pattern.at(&begun, 0) == Seen::Wait
        };
        self.begun_at(&begun, 0).any(is_begun) || begun.text.starts_with("</") && self.tool_at(&begun, 0) == Seen::Wait
    }

    /// Whether the text ends inside one of some closers that begins at a place.
    pub(super) fn cuts_one(&self, source: &Source, at: usize, closers: &[(usize, bool)]) -> bool {
        let Some(begun) = self.begun(source, at) else { return false };
        let is_begun = |(pattern, role, _): &(Pattern, Role, Arc<Header>)| {
            let closes = matches!(role, Role::Closer(dialect, section) if closers.contains(&(*dialect, *section)));
            closes && pattern.at(&begun, 0) == Seen::Wait
        };
        self.begun_at(&begun, 0).any(is_begun) || closers.iter().any(|&(dialect, _)| self.begins_tag(&begun, dialect))
    }

    /// Whether a text is the begin of the closing tag of the tool that a dialect names.
    fn begins_tag(&self, begun: &Source, dialect: usize) -> bool {
        let Some(tools) = &self.tools else { return false };
        let name = dialect.checked_sub(tools.first).and_then(|place| tools.names.get(place));
        name.zip(begun.text.strip_prefix("</")).is_some_and(|(name, inner)| {
            name.starts_with(inner) || inner.starts_with(name.as_str()) && tag(begun, 0, name, true) == Seen::Wait
        })
    }

    /// The rest of a text that has ended, as one that goes on, where it can be the begin of a closer.
    fn begun(&self, source: &Source, at: usize) -> Option<Source> {
        let rest = source.from(at);
        let is_long = rest.bytes().skip(LONGEST_HEADER).any(|each| !each.is_ascii_whitespace());
        let may_be = source.ended && self.messages.is_none() && !is_long;
        may_be.then(|| Source { text: rest.to_owned(), ..Source::default() })
    }

    /// The marker that stands at a place of prose, where parameters can begin and end astray (EXT-204).
    pub(super) fn in_prose(&self, source: &Source, at: usize) -> Seen<Marker> {
        let seen = self.or_stray(source, at);
        if matches!(seen, Seen::Yes(_)) {
            return seen;
        }
        let mut wait = seen == Seen::Wait;
        for text in &self.stray_ends {
            match source.literal(at, text) {
                Seen::Yes(end) => return Seen::Yes(Marker { end, token: true, ..Marker::default() }),
                Seen::Wait => wait = true,
                Seen::No => {}
            }
        }
        if wait { Seen::Wait } else { Seen::No }
    }

    /// The marker that stands at a place where parameters can begin astray.
    pub(super) fn or_stray(&self, source: &Source, at: usize) -> Seen<Marker> {
        let seen = self.at(source, at);
        if seen != Seen::No {
            return seen;
        }
        let mut wait = false;
        for (text, dialect) in &self.strays {
            match source.literal(at, text) {
                Seen::Yes(end) => {
                    let (section, reserved, name, headed) = (false, false, None, false);
                    let opening = Opening { dialect: *dialect, section, reserved, name, headed, from: at, to: end };
                    return Seen::Yes(Marker { end, opener: Some(opening), ..Marker::default() });
                }
                Seen::Wait => wait = true,
                Seen::No => {}
            }
        }
        if wait { Seen::Wait } else { Seen::No }
    }

    /// The marker that stands at a place.
    pub(super) fn at(&self, source: &Source, at: usize) -> Seen<Marker> {
        let Some(byte) = source.byte(at) else { return Seen::No };
        let mut found = Marker::default();
        let mut wait = match self.tool_at(source, at) {
            Seen::Yes(marker) => return Seen::Yes(marker),
            seen => seen == Seen::Wait,
        };
        let mut longer = false; // a text can come to stand here, which is longer than any that does
        for (pattern, role, header) in self.begun_at(source, at) {
            if !self.reasoning && matches!(role, Role::Reasoning(_) | Role::ReasoningClose) {
                continue;
            }
            let (end, head) = match pattern.at(source, at) {
                Seen::No => continue,
                Seen::Wait => {
                    wait = true;
                    longer = longer || matches!(pattern, Pattern::Text(_));
                    continue;
                }
                Seen::Yes(end) if matches!(pattern, Pattern::Headed(_)) => match header.scan(source, end) {
                    Seen::Yes((to, behind)) => (behind, Some((end, to))),
                    Seen::No if self.is_control(role) && header.named => (end, Some((end, end))),
                    Seen::No => continue,
                    Seen::Wait => {
                        wait = true;
                        continue;
                    }
                },
                Seen::Yes(end) => (end, None),
            };
            if matches!(role, Role::Opener(..)) && !header.before.is_empty() {
                match one_of(source, skip_few(source, end), &header.before) {
                    Seen::Yes(()) => {}
                    Seen::No => continue,
                    Seen::Wait => {
                        wait = true;
                        continue;
                    }
                }
            }
            if end < found.end {
                continue;
            }
            if end > found.end {
                found = Marker { end, ..Marker::default() };
            }
            match role {
                Role::Opener(dialect, section) => {
                    let header_text = head.map(|(from, to)| source.slice(from, to));
                    let reserved = match (&header.select, header_text) {
                        (Some(_), Some(text)) => match header.selected(text) {
                            Some(reserved) => reserved,
                            None => continue,
                        },
                        _ => false,
                    };
                    let name = header_text.filter(|_| header.named).map(|text| header.name(text));
                    let headed = header_text.is_some_and(|text| !text.is_empty());
                    found.opener =
                        Some(Opening { dialect: *dialect, section: *section, reserved, name, headed, from: at, to: end });
                }
                Role::Closer(dialect, section) => found.closers.push((*dialect, *section)),
                Role::Reasoning(number) => found.reasoning = found.reasoning.or(Some(*number)),
                Role::ReasoningClose | Role::Token => found.token = true,
            }
        }
        if let Some(messages) = self.messages.as_ref().filter(|_| self.message_bytes.contains(&byte)) {
            match messages.at(source, at) {
                Seen::No => {}
                found => return found,
            }
            match messages.channel_alone(source, at) {
                Seen::No => {}
                found => return found,
            }
            match messages.end_at(source, at) {
                Seen::Yes(end) if end >= found.end => {
                    if end > found.end {
                        found = Marker { end, ..Marker::default() };
                    }
                    found.token = true;
                    found.end_of_message = true;
                    found.closers.extend(messages.dialect.map(|dialect| (dialect, false)));
                }
                Seen::Wait => wait = true,
                _ => {}
            }
        }
        let is_one = found.opener.is_some() || !found.closers.is_empty() || found.reasoning.is_some() || found.token;
        match (is_one, wait) {
            (true, _) if !longer => Seen::Yes(found),
            (_, true) => Seen::Wait,
            (_, false) => self.cut_off(source, at).map_or(Seen::No, Seen::Yes),
        }
    }
}
