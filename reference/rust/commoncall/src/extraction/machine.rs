//! The machine of nine states.

mod bare;
mod block;
mod pairs;
mod thinking;

use std::cell::RefCell;
use std::sync::Arc;

use super::code::{Ahead, Code, Place, plain};
use super::descriptors::{Dialect, Reader};
use super::json::{JsonReader, Step, payload_begin};
use super::literals::{self, LiteralReader, QuotedReader};
use super::markers::{Marker, Markers, Opening, Seen, Source};
use super::parameters::{self, ParametersReader, is_letter_or_digit};
use super::quotes::Quotes;
use super::setup::{Begin, Setup};
use bare::Bare;
use block::is_always_meant;
pub(super) use block::{Outcome, UNREADABLE};
use pairs::{Pair, Trail};
use thinking::{Run, Thinking};

use crate::shared::text::is_json_space;

/// A piece that is no text.
#[derive(Clone)]
pub(super) struct Item {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) kind: Kind,
}

#[derive(Clone)]
pub(super) enum Kind {
    Block {
        dialect: usize,
        outcome: Outcome,
    },
    Tag {
        dialect: usize,
    },
    Token,
    /// White space between the tags and blocks of a wrapper.
    Space,
    /// The header of a message to show: behind a further one a line feed counts as text.
    Line,
    Message,
    /// Reasoning: from where to where its text is, if it is no closer alone, and its codes.
    Reasoning {
        text: Option<(usize, usize)>,
        codes: Vec<&'static str>,
    },
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum State {
    Prose,
    Reasoning,
    Bare,
    Stripped,
    Opened,
    Payload,
    Behind,
    Doubt,
    Failed,
    Muted,
    Dropped,
    Broken,
    Done,
}

/// A payload that is being read.
#[derive(Clone)]
pub(super) enum Reading {
    Json(JsonReader),
    Parameters(ParametersReader),
    Literals(LiteralReader),
    Quoted(QuotedReader),
}

/// The block that has begun.
#[derive(Clone)]
struct Current {
    opening: Opening,
    /// Where the first opener stands that waits, or the opener.
    from: usize,
    waiting: Vec<Opening>,
    /// Code before the last opener, and behind it as long as it can be text.
    saved: Code,
    code: Code,
    /// The quotations behind what is in doubt, as far as it is text.
    quotes: Quotes,
    reading: Option<Reading>,
    payload_end: Option<usize>,
    look: usize,
    /// Up to where nothing but closers and tokens stands behind an own closer.
    ahead: usize,
    line_from: usize,
    error: usize,
    /// With which a broken message is rejected.
    refusal: &'static str,
    need: usize,
    /// Behind the last opener that counts in a failed block: its header can hold a blank line, and no marker.
    behind: usize,
    /// Whether a reserved opener begins a dropped message.
    message: bool,
    /// Whether words name the opener and the begin of another tag behind it.
    named: bool,
    /// Where an own closer stands directly behind what closes a fence: once asked, the line is clear, and does not tell.
    closes_at: usize,
}

/// An opening mark with openers behind it.
#[derive(Clone)]
struct Mark {
    /// The closing tag before the partner, if the mark has a tag.
    tag: String,
    partner: &'static str,
    from: usize,
    items: usize,
    code: Code,
    quotes: Quotes,
    wrappers: Vec<Opening>,
    after_block: bool,
    fresh: (bool, bool),
    has_opener: bool,
    /// Behind which place a partner counts.
    behind: usize,
}

pub(super) struct Machine {
    setup: Arc<Setup>,
    markers: Arc<Markers>,
    /// Whether this reads the text of reasoning.
    inside: bool,
    pub(super) source: Source,
    pub(super) at: usize,
    state: State,
    code: Code,
    quotes: Quotes,
    /// From where on neither of these was told the text.
    untold: Option<usize>,
    wrappers: Vec<Opening>,
    /// Whether only JSON white space stands behind a block, a tag of a wrapper or a closer.
    after_block: bool,
    /// Whether a closer of reasoning is a token: nothing visible has come since the begin or reasoning (D9.9).
    lone: bool,
    /// Whether nothing visible has come: for JSON, and for a bare message.
    fresh: (bool, bool),
    mark: Option<Mark>,
    /// What can be a foreign pair, and the text before it.
    pair: Option<Pair>,
    /// What looks behind a marker for the run that ends its code.
    ahead: Option<Ahead>,
    trail: Trail,
    current: Option<Box<Current>>,
    thinking: Option<Box<Thinking>>,
    bare: Option<Box<Bare>>,
    pub(super) items: Vec<Item>,
    /// Of each item that was looked at; so a stream looks at each but once.
    runs: RefCell<Vec<Run>>,
    pub(super) pieces: Vec<(usize, usize)>,
    /// Where texts stand that quotation marks make text.
    pub(super) marked: Vec<(usize, usize)>,
}

const MARKS: &[(&str, &str)] = &[
    ("\"", "\""),
    ("'", "'"),
    ("“", "”"),
    ("‘", "’"),
    ("«", "»"),
    ("« ", "»"),
    ("«\u{a0}", "»"),
    ("«\u{202f}", "»"),
    ("「", "」"),
];

/// What can stand directly behind a tag that words name.
const BEHIND_NAME: &str = ".,;:!?)\"'”’»」";

const FOREIGN: [&str; 5] = ["<function=", "<parameter", "<invoke", "<arg_key", "<arg_value"];

/// Looks whether a run ends the inline code in which a marker stands, where that is to be known; false where it has to wait.
fn settles(code: &mut Code, ahead: &mut Option<Ahead>, source: &Source, at: usize) -> bool {
    if !code.may_be_text(at) {
        return true;
    }
    let begun = ahead.take().filter(|ahead| ahead.from == at);
    let ahead = ahead.insert(begun.unwrap_or_else(|| Ahead::new(at, code)));
    let Some(closed) = ahead.closed(source) else { return false };
    code.settle(closed);
    true
}

impl Machine {
    pub(super) fn new(setup: Arc<Setup>) -> Self {
        let markers = Arc::clone(&setup.markers);
        Self::with(setup, markers, false)
    }

    fn with(setup: Arc<Setup>, markers: Arc<Markers>, inside: bool) -> Self {
        let code = Code::new(setup.extract_fences);
        let (json, lines) = &setup.headless;
        let has_headless = !inside && !(json.is_empty() && lines.is_empty());
        let has_bare = has_headless || setup.bare.len() > usize::from(inside && setup.guided);
        Self {
            markers,
            inside,
            source: Source::default(),
            at: 0,
            state: State::Prose,
            code,
            quotes: Quotes::new(),
            untold: None,
            wrappers: Vec::new(),
            after_block: false,
            lone: !inside,
            fresh: (true, has_bare),
            mark: None,
            pair: None,
            ahead: None,
            trail: Trail::default(),
            current: None,
            thinking: None,
            bare: None,
            items: Vec::new(),
            runs: RefCell::default(),
            pieces: Vec::new(),
            marked: Vec::new(),
            setup,
        }
    }

    /// Takes a further piece of the text.
    pub(super) fn push(&mut self, text: &str) {
        let begins = self.source.len() == 0 && !text.is_empty();
        self.source.text.push_str(text);
        if begins && !self.inside {
            self.begin();
        }
        self.run();
    }

    /// The text has ended.
    pub(super) fn end(&mut self) {
        self.source.ended = true;
        self.run();
        if self.code.is_noted() {
            self.tell_words();
            self.code.finish(self.source.len());
            self.take_pieces();
            self.pieces.extend(self.code.open_piece().map(|from| (from, self.source.len())));
        }
    }

    fn begin(&mut self) {
        if self.setup.begin == Begin::Open {
            self.begin_prompted();
        } else if self.setup.messages.as_ref().is_some_and(|messages| messages.spec.stripped.is_some()) {
            self.state = State::Stripped;
        }
    }

    fn run(&mut self) {
        while match self.state {
            State::Prose => self.prose(),
            State::Reasoning => self.think(),
            State::Bare => self.read_bare(),
            State::Stripped => self.strip(),
            State::Opened => self.opened(),
            State::Payload => self.payload(),
            State::Behind => self.behind(),
            State::Doubt => self.doubt(),
            State::Failed | State::Muted => self.failed(),
            State::Dropped => self.dropped(),
            State::Broken => self.broken(),
            State::Done => false,
        } {}
        self.take_pieces();
    }

    fn take_pieces(&mut self) {
        self.pieces.extend(self.code.take_pieces());
    }

    /// The code so far, to come back to. It holds no piece, so that none is copied or told again.
    fn kept_code(&mut self) -> Code {
        self.take_pieces();
        self.code.clone()
    }

    /// Whether no text waits for what follows: it has ended, or it is muted, or reasoning follows it.
    fn holds_nothing(&self) -> bool {
        matches!(self.state, State::Done | State::Muted | State::Reasoning)
    }

    /// Up to where the text is decided.
    pub(super) fn decided(&self) -> usize {
        let limit = match self.state {
            State::Muted => self.source.len(),
            State::Prose if !self.wrappers.is_empty() => self.items.last().map_or(0, |item| item.to).min(self.at),
            _ => self.at,
        };
        let limit = limit.min(self.held());
        self.mark.as_ref().map_or(limit, |mark| mark.from.min(limit))
    }

    fn item(&mut self, from: usize, to: usize, kind: Kind) {
        if from < to {
            let item = Item { from, to, kind };
            self.pair_with(&item);
            self.items.push(item);
        }
    }

    // Prose

    fn prose(&mut self) -> bool {
        loop {
            if self.is_amid_words() {
                match self.skip_words() {
                    Seen::Yes(marker) => {
                        self.tell_words();
                        match self.meet(&marker) {
                            Seen::Yes(()) => return true,
                            Seen::Wait => return false,
                            Seen::No => continue,
                        }
                    }
                    Seen::Wait => return false,
                    Seen::No => {}
                }
            }
            let at = self.at;
            let Some(each) = self.source.char(at) else {
                if self.source.ended {
                    (self.mark, self.pair) = (None, None);
                    self.state = State::Done;
                }
                return false;
            };
            if at == 0 && !self.inside && self.setup.begin != Begin::Open {
                let first = self.setup.messages.as_ref().map(|messages| messages.first(&self.source));
                match first {
                    Some(Seen::Yes(marker)) => {
                        self.marker(&marker);
                        if self.state != State::Prose {
                            return true;
                        }
                        continue;
                    }
                    Some(Seen::Wait) => return false,
                    _ => {}
                }
            }
            if let Some(mark) = &self.mark {
                if mark.has_opener && mark.behind == at {
                    match self.partner_at(mark, at) {
                        Seen::Yes(end) => {
                            self.end_marked(at, end);
                            continue;
                        }
                        Seen::Wait => return false,
                        Seen::No => {}
                    }
                }
            }
            let space = is_json_space(each);
            if !space && self.lone {
                match self.lone_closer(at) {
                    Seen::Yes(marker) if self.code.place(at) == Place::Prose => {
                        self.marker(&marker);
                        continue;
                    }
                    Seen::Wait => return false,
                    Seen::Yes(_) | Seen::No => {} // in code it is no token, and no marker at all
                }
            }
            if !space && self.fresh.1 {
                match self.begin_bare() {
                    Seen::Yes(()) => return true,
                    Seen::Wait => return false,
                    Seen::No => {}
                }
            }
            if self.markers.can_begin_at(&self.source, at) {
                match self.markers.in_answer(&self.source, at) {
                    Seen::Yes(marker) => match self.meet(&marker) {
                        Seen::Yes(()) => return true,
                        Seen::Wait => return false,
                        Seen::No => continue,
                    },
                    Seen::Wait => return false,
                    Seen::No if self.ends_in_closer(at) => {
                        self.take_out(self.source.len(), Kind::Token);
                        continue;
                    }
                    Seen::No => {}
                }
            }
            if !space {
                match self.pair_end(at) {
                    Seen::Yes(end) => {
                        self.end_pair(at, end);
                        continue;
                    }
                    Seen::Wait => return false,
                    Seen::No => {}
                }
            }
            if let Some(dialect) = self.setup.holder.filter(|_| !space && self.is_held()) {
                let (section, reserved, headed) = (false, false, true);
                self.wrappers.clear();
                self.begin_block(Opening { dialect, section, reserved, name: None, headed, from: at, to: at });
                return self.break_at(at, "trailing_text");
            }
            self.text_char(at, each);
        }
    }

    /// Takes a marker at the cursor, where it is known what is code there. Tells whether another state follows.
    fn meet(&mut self, marker: &Marker) -> Seen<()> {
        if !settles(&mut self.code, &mut self.ahead, &self.source, self.at) {
            return Seen::Wait;
        }
        if marker.ends_line && self.code.place(self.at) != Place::Prose {
            let each = self.source.char(self.at).unwrap_or(' ');
            self.text_char(self.at, each);
            return Seen::No;
        }
        match self.is_named(marker) {
            Seen::Yes(()) => {
                self.take_pieces();
                self.text_marker(marker);
                return Seen::No;
            }
            Seen::Wait => return Seen::Wait,
            Seen::No => {}
        }
        self.marker(marker);
        if self.state == State::Prose { Seen::No } else { Seen::Yes(()) }
    }

    /// Whether words name an opener of reasoning, which stands at the cursor (D9.11).
    fn is_named(&mut self, marker: &Marker) -> Seen<()> {
        let is_opener = marker.reasoning.is_some_and(|number| number != usize::MAX) && marker.opener.is_none();
        let is_tag = is_opener && !self.setup.control && self.source.byte(self.at) == Some(b'<');
        if !is_tag || !self.has_words_before(self.at) || self.code.place(self.at) != Place::Prose {
            return Seen::No;
        }
        let behind = self.source.from(marker.end);
        let rest = behind.trim_start_matches([' ', '\t', '\r']);
        match rest.chars().next() {
            None => self.source.short(),
            Some('a'..='z') if rest.len() < behind.len() => Seen::Yes(()),
            Some(each) if rest.len() == behind.len() && BEHIND_NAME.contains(each) => Seen::Yes(()),
            Some(_) => Seen::No,
        }
    }

    /// The closer of reasoning at a place, as the token that it is where nothing stands before it (D9.9).
    fn lone_closer(&self, at: usize) -> Seen<Marker> {
        let mut closers = self.setup.closes.iter().map(|close| close.at(&self.source, at));
        let found = closers.find(|seen| *seen != Seen::No).unwrap_or(Seen::No);
        found.map(|end| Marker { end, token: true, ..Marker::default() })
    }

    /// Whether the end of the text cuts off a closer or a token at a place behind a block (EXT-203).
    ///
    /// One character that is no `<`, such as a bracket of the text, is too little.
    fn ends_in_closer(&mut self, at: usize) -> bool {
        let rest = self.source.from(at);
        let is_enough = rest == "<" || rest.chars().nth(1).is_some();
        is_enough && self.after_block && self.markers.cut_closer(&self.source, at) && self.code.place(at) == Place::Prose
    }

    /// Whether the last that has come is text, behind which only a marker means something.
    fn is_amid_words(&self) -> bool {
        let begins = self.lone || self.fresh != (false, false);
        !begins && !self.after_block && self.wrappers.is_empty() && self.mark.is_none() && self.pair.is_none()
    }

    /// Goes to the next marker. What is code or quoted is found out there: where no marker comes, nobody asks.
    fn skip_words(&mut self) -> Seen<Marker> {
        let from = self.at;
        let (to, seen) = self.markers.next(&self.source, from);
        if from < to {
            self.untold.get_or_insert(from);
            self.trail(from, to);
            self.at = to;
        }
        seen
    }

    /// Finds out what is code or quoted in the words that were skipped.
    fn tell_words(&mut self) {
        let Some(mut at) = self.untold.take() else { return };
        while at < self.at {
            let text = plain(self.source.slice(at, self.at));
            self.code.feed_plain(at, text);
            self.quotes.feed_plain(text);
            at += text.len();
            if let Some(each) = self.source.slice(at, self.at).chars().next() {
                self.tell(at, each);
                at += each.len_utf8();
            }
        }
    }

    fn tell(&mut self, at: usize, each: char) {
        self.code.feed(at, each);
        if self.quotes.feed(each) {
            if self.code.place(at + each.len_utf8()) == Place::Prose {
                self.quotes.begin();
            }
            self.code.note_sign();
        }
    }

    /// A character of the text.
    fn text_char(&mut self, at: usize, each: char) {
        let space = is_json_space(each);
        if !space {
            if self.fresh.0 && matches!(each, '{' | '[') {
                self.quotes.begin_json();
            }
            self.visible();
        }
        self.tell(at, each);
        self.at = at + each.len_utf8();
        self.trail(at, self.at);
    }

    /// Text that is not white space has come: no block, wrapper or mark goes on behind it.
    fn visible(&mut self) {
        self.wrappers.clear();
        (self.after_block, self.lone) = (false, false);
        (self.mark, self.pair) = (None, None);
        self.fresh = (false, false);
    }

    /// Whether a marker is a closer that is a control token.
    fn closes_control(&self, marker: &Marker) -> bool {
        marker.closers.iter().any(|&(dialect, _)| self.setup.is_control(dialect))
    }

    /// A marker that is left as text.
    fn text_marker(&mut self, marker: &Marker) {
        let text = self.source.slice(self.at, marker.end).to_owned();
        self.text_run(&text, marker.end);
        self.visible();
    }

    /// Text in which no marker counts.
    fn text_run(&mut self, text: &str, end: usize) {
        self.code.feed_marker(self.at, text);
        self.quotes.feed_marker(text);
        self.trail(self.at, end);
        self.at = end;
    }

    fn marker(&mut self, marker: &Marker) {
        let at = self.at;
        self.take_pieces();
        let quoted = self.quotes.is_quoted();
        // A header ends the JSON that it would stand in.
        let thought = marker.reasoning.is_some_and(|number| number != usize::MAX) && self.quotes.in_string();
        let ignored = thought || marker.opener.as_ref().is_some_and(|opening| quoted || self.is_out_of_place(opening));
        let place = self.code.place(at);
        if place != Place::Prose {
            self.code.note();
            self.text_marker(marker);
            return;
        }
        let closes = self.wrappers.iter().any(|each| marker.closers.contains(&(each.dialect, each.section)));
        if !self.wrappers.is_empty() && (closes || marker.opener.is_some()) {
            self.item(self.items.last().map_or(at, |item| item.to), at, Kind::Space);
        }
        if marker.opener.is_some() || marker.token {
            self.find_mark(at, marker.opener.is_some());
        }
        if let Some(opening) = marker.opener.clone().filter(|_| !ignored) {
            self.begin_block(opening);
            return;
        }
        if marker.reasoning.is_some() && !thought {
            self.begin_reasoning(marker);
            return;
        }
        if marker.drops {
            let opening =
                Opening { dialect: usize::MAX, section: false, reserved: true, name: None, headed: true, from: at, to: marker.end };
            self.begin_dropped(opening, true);
            return;
        }
        let wrapper = self.wrappers.iter().rposition(|each| marker.closers.contains(&(each.dialect, each.section)));
        if let Some(number) = wrapper {
            let dialect = self.wrappers[number].dialect;
            self.take_out(marker.end, Kind::Tag { dialect });
            self.wrappers.truncate(number);
            self.after_block = true;
            return;
        }
        if marker.token {
            self.take_out(marker.end, if marker.content { Kind::Line } else { Kind::Token });
            if marker.content || marker.end_of_message {
                // No other quotation ends between marks.
                self.mark = self.mark.take().filter(|_| !self.quotes.in_string());
                self.quotes.end_json();
            }
            self.wrappers.clear();
            self.after_block = false;
            return;
        }
        let control = self.closes_control(marker);
        if !marker.closers.is_empty() && self.after_block || control {
            self.mark = None;
            self.take_out(marker.end, Kind::Token);
            self.wrappers.clear();
            return;
        }
        self.text_marker(marker);
    }

    /// Whether the blocks of a message go on that holds those of all dialects (EXT-250).
    fn is_held(&self) -> bool {
        self.setup.holder.is_some() && !self.wrappers.is_empty()
    }

    /// Whether an opener counts in such messages alone, and stands elsewhere.
    fn is_out_of_place(&self, opening: &Opening) -> bool {
        self.setup.holder.is_some_and(|holder| opening.dialect != holder && !self.is_held())
    }

    /// Takes a piece out of the text.
    fn take_out(&mut self, to: usize, kind: Kind) {
        let from = self.at;
        if !matches!(kind, Kind::Token | Kind::Line) {
            self.quotes.end_json();
            (self.fresh, self.lone) = ((false, false), matches!(kind, Kind::Reasoning { .. }));
        }
        self.code.feed_letter(from, true);
        self.quotes.take_out();
        self.item(from, to, kind);
        self.at = to;
        if let Some(mark) = &mut self.mark {
            mark.behind = to;
        }
    }

    // Marked text

    fn find_mark(&mut self, at: usize, is_opener: bool) {
        if let Some(mark) = &mut self.mark {
            mark.has_opener = mark.has_opener || is_opener;
            return;
        }
        let floor = self.items.last().map_or(0, |item| item.to);
        let mut text = self.source.slice(floor.min(at), at);
        let mut tag = String::new();
        if let Some(from) = pairs::tag_before(text) {
            tag = format!("</{}", &text[from + 1..]);
            text = &text[..from];
        }
        let found = MARKS.iter().rev().find(|(open, _)| text.ends_with(open));
        if let Some((_, partner)) = found {
            let code = self.kept_code();
            self.mark = Some(Mark {
                tag,
                partner,
                from: at,
                items: self.items.len(),
                code,
                quotes: self.quotes.clone(),
                wrappers: self.wrappers.clone(),
                after_block: self.after_block,
                fresh: self.fresh,
                has_opener: is_opener,
                behind: usize::MAX,
            });
        }
    }

    /// Whether the partner of a mark stands at a place.
    fn partner_at(&self, mark: &Mark, at: usize) -> Seen<usize> {
        let mut place = match self.source.literal(at, &mark.tag) {
            Seen::Yes(place) => place,
            other => return other,
        };
        if mark.partner == "»" {
            if let Some(each @ (' ' | '\u{a0}' | '\u{202f}')) = self.source.char(place) {
                place += each.len_utf8();
                if place == self.source.len() {
                    return self.source.short();
                }
            }
        }
        self.source.literal(place, mark.partner)
    }

    /// What stands between the marks is text. The partner stands from one place to another.
    fn end_marked(&mut self, from: usize, end: usize) {
        let Some(mark) = self.mark.take() else { return };
        self.marked.push((mark.from, from));
        self.items.truncate(mark.items);
        self.runs.get_mut().truncate(mark.items);
        self.pair = None;
        self.code = mark.code;
        self.quotes = mark.quotes;
        self.wrappers = mark.wrappers;
        self.after_block = mark.after_block;
        self.fresh = mark.fresh;
        self.current = None;
        self.state = State::Prose;
        self.code.feed_letter(mark.from, false);
        self.quotes.feed('x');
        self.visible();
        self.at = end;
    }

    /// Whether the partner of an open mark stands at a place of a block, directly behind an opener or a payload.
    fn is_marked(&mut self, at: usize) -> Seen<()> {
        let Some(mark) = self.mark.as_ref().filter(|mark| mark.has_opener) else { return Seen::No };
        match self.partner_at(mark, at) {
            Seen::Yes(end) => {
                self.end_marked(at, end);
                Seen::Yes(())
            }
            Seen::Wait => Seen::Wait,
            Seen::No => Seen::No,
        }
    }

    // Blocks

    fn begin_block(&mut self, opening: Opening) {
        if opening.reserved {
            self.begin_dropped(opening, false);
            return;
        }
        let saved = self.kept_code();
        let mut code = saved.clone();
        code.feed_letter(self.at, true);
        let to = opening.to;
        self.current = Some(Box::new(Current {
            from: self.at,
            waiting: Vec::new(),
            saved,
            code,
            quotes: self.quotes.clone(),
            reading: None,
            payload_end: None,
            look: to,
            ahead: to,
            line_from: to,
            error: 0,
            refusal: "",
            need: 0,
            behind: 0,
            message: false,
            named: false,
            closes_at: usize::MAX,
            opening,
        }));
        self.state = State::Opened;
    }

    fn is_messages(&self, dialect: usize) -> bool {
        self.setup.numbered(dialect).is_some_and(|dialect| dialect.messages.is_some())
    }

    fn opened(&mut self) -> bool {
        let Some(current) = self.current.as_ref() else { return self.lost() };
        let behind = current.opening.to;
        let (dialect, section) = (current.opening.dialect, current.opening.section);
        match self.is_marked(behind) {
            Seen::Yes(()) => return true,
            Seen::Wait => return false,
            Seen::No => {}
        }
        if self.current.as_ref().is_some_and(|current| self.is_stray(&current.opening)) {
            return self.fail(behind);
        }
        let at = self.source.skip_space(behind);
        if at == self.source.len() {
            if !self.source.ended {
                return false;
            }
            let Some(current) = self.current.as_ref() else { return self.lost() };
            let around = current.waiting.iter().chain(&self.wrappers).map(|opening| opening.dialect);
            let is_tool = |each| self.setup.numbered(each).is_some_and(|each| each.named.is_some());
            if around.chain([dialect]).all(is_tool) {
                return self.begin_doubt(behind);
            }
            self.end_with(at, "truncated");
            return true;
        }
        let seen = self.markers.at(&self.source, at);
        let marker = match seen {
            Seen::Wait => return false,
            Seen::Yes(marker) => Some(marker),
            Seen::No => None,
        };
        let own = marker.as_ref().is_some_and(|marker| marker.closers.contains(&(dialect, section)));
        let setup = Arc::clone(&self.setup);
        let descriptor = setup.dialect(dialect);
        if let Some(marker) = marker.as_ref().filter(|_| own) {
            match self.amid_words(at, marker.end) {
                Seen::Wait => return false,
                Seen::Yes(()) => {
                    let Some(current) = self.current.as_ref() else { return self.lost() };
                    let code = current.code.clone();
                    return self.leave(behind, code);
                }
                Seen::No => {}
            }
        }
        let parameters = !section && descriptor.reader == Reader::Parameters && !descriptor.name_in_first_line;
        if own && !parameters {
            let end = marker.as_ref().map_or(at, |marker| marker.end);
            self.end_with_closer(at, end, "empty");
            return true;
        }
        if let Some(opening) = marker.as_ref().and_then(|marker| marker.opener.clone()) {
            return self.open_further(at, opening);
        }
        let begun = if section || descriptor.reader == Reader::Blocks { Seen::No } else { self.begin_payload(at, behind, own) };
        match begun {
            Seen::Yes(reading) => {
                if let Some(current) = &mut self.current {
                    current.reading = Some(reading);
                }
                self.state = State::Payload;
                return true;
            }
            Seen::Wait => return false,
            Seen::No => {}
        }
        if section {
            return self.begin_doubt(behind);
        }
        if self.is_messages(dialect) {
            return self.break_at(at, "invalid_json");
        }
        let first = self.source.char(at).unwrap_or(' ');
        let visible = is_letter_or_digit(first) || matches!(first, '"' | '\'') || first == '<' && marker.is_none();
        let named = self.setup.dialect(dialect).named.is_some();
        if !named && (self.source.slice(behind, at).contains('\n') || at == behind && visible) {
            return self.fail(at);
        }
        self.begin_doubt(behind)
    }

    /// Whether an answer names an opener and its closer, which stands at a place (D72).
    fn amid_words(&mut self, at: usize, end: usize) -> Seen<()> {
        let Some(current) = self.current.as_ref() else { return Seen::No };
        let Opening { dialect, headed, from, to, .. } = current.opening;
        let descriptor = self.setup.dialect(dialect);
        let words = self.source.slice(to, at).trim_matches(is_json_space);
        let is_call = is_always_meant(descriptor) || self.setup.is_control(dialect) || words.contains('{');
        if is_call || !(current.waiting.is_empty() && self.wrappers.is_empty()) || self.is_in_pair(from) {
            return Seen::No;
        }
        let has_words = self.has_words_before(from);
        let is_empty = words.is_empty();
        let mut look = current.ahead.max(end);
        if let Some(mark) = self.mark.as_ref().filter(|mark| mark.has_opener) {
            match self.partner_at(mark, end) {
                Seen::Yes(_) => return Seen::No,
                Seen::Wait => return Seen::Wait,
                Seen::No => {}
            }
        }
        if has_words && !is_empty && !headed {
            return Seen::Yes(());
        }
        let is_marker = loop {
            let at = self.source.skip_space(look);
            if at == self.source.len() {
                return self.source.short();
            }
            match self.markers.at(&self.source, at) {
                Seen::Wait => return Seen::Wait,
                Seen::Yes(marker) if marker.opener.is_some() && (at == end || self.source.slice(end, at).contains('\n')) => {
                    return Seen::No;
                }
                Seen::Yes(marker) if marker.opener.is_none() && (!marker.closers.is_empty() || marker.token) => {
                    look = marker.end;
                    if let Some(current) = self.current.as_mut() {
                        current.ahead = look;
                    }
                }
                found => break look > end || found != Seen::No,
            }
        };
        let behind = self.source.slice(look, self.source.skip_space(look));
        let is_on_line = !is_marker && !behind.contains('\n') && (headed || !is_empty);
        if has_words || is_on_line { Seen::Yes(()) } else { Seen::No }
    }

    /// Whether text stands before a place on its line, behind all that was taken out but tags of a foreign pair.
    fn has_words_before(&self, place: usize) -> bool {
        let is_marker =
            |item: &&Item| !matches!(item.kind, Kind::Tag { .. }) || self.markers.at(&self.source, item.from) != Seen::No;
        let floor = self.items.last().filter(is_marker).map_or(0, |item| item.to).min(place);
        let before = self.source.slice(floor, place);
        let text = before.trim_end_matches(|each| is_json_space(each) && each != '\n');
        !text.is_empty() && !text.ends_with('\n')
    }

    /// An opener behind an opener: the first waits, unless the line is code.
    fn open_further(&mut self, at: usize, opening: Opening) -> bool {
        let Some(current) = self.current.as_mut() else { return self.lost() };
        let mut code = current.code.clone();
        for (place, each) in self.source.slice(current.opening.to, at).char_indices() {
            code.feed(current.opening.to + place, each);
        }
        if code.clone().place(at) == Place::Indented {
            return self.leave(at, code);
        }
        current.saved = code.clone();
        if opening.reserved {
            let waiting: Vec<Opening> = current.waiting.drain(..).chain([current.opening.clone()]).collect();
            current.waiting = waiting;
            current.opening = opening;
            current.look = current.opening.to;
            self.state = State::Dropped;
            return true;
        }
        code.feed_letter(at, true);
        current.code = code;
        current.line_from = opening.to;
        let first = std::mem::replace(&mut current.opening, opening);
        current.waiting.push(first);
        true
    }

    /// Whether an opener is the stray begin of a parameter.
    fn is_stray(&self, opening: &Opening) -> bool {
        let begin = self.setup.numbered(opening.dialect).map(|dialect| dialect.name_begin.as_str());
        begin.is_some_and(|begin| begin.starts_with('<') && begin == self.source.slice(opening.from, opening.to))
    }

    fn begin_payload(&self, at: usize, behind: usize, own_closer: bool) -> Seen<Reading> {
        let Some(current) = &self.current else { return Seen::No };
        let number = current.opening.dialect;
        let dialect = self.setup.dialect(number);
        let is_cut = || parameters::is_cut_before(&self.source, &self.markers, at, dialect, number, &[]);
        match dialect.reader {
            Reader::Parameters => parameters::begins(&self.source, at, behind, dialect, own_closer || is_cut()).map(|()| {
                let line = !own_closer && parameters::name_begin(&self.source, at, dialect) == Seen::No;
                Reading::Parameters(ParametersReader::new(at, number, dialect, line))
            }),
            Reader::PythonCalls => {
                if literals::begins(&self.source, at, behind, dialect.list) {
                    Seen::Yes(Reading::Literals(LiteralReader::behind_opener(at, dialect.list)))
                } else {
                    Seen::No
                }
            }
            Reader::PythonValues if matches!(self.source.byte(at), Some(b'{' | b'[')) => {
                Seen::Yes(Reading::Literals(LiteralReader::one(at)))
            }
            Reader::PythonValues => Seen::No,
            Reader::QuotedObject => self.quoted_reading(at, dialect),
            reader => payload_begin(&self.source, at, &self.markers, reader == Reader::JsonArguments).map(|(value, fence)| {
                let separator = (dialect.closer.is_none() && !dialect.fence_open).then_some(dialect.separator);
                let fence = fence.or(dialect.fence_open.then_some((b'`', 3)));
                Reading::Json(JsonReader::new(value, fence, separator))
            }),
        }
    }

    /// A name before an object that lacks what begins it, but for the last character or with it (D55.4).
    fn name_alone(&self, at: usize, dialect: &Dialect) -> Seen<usize> {
        let last = dialect.name_begin.char_indices().next_back().map_or("", |(from, _)| &dialect.name_begin[from..]);
        let name = match self.source.literal(at, last) {
            Seen::Yes(behind) => behind,
            Seen::No => at,
            Seen::Wait => return Seen::Wait,
        };
        let length = self.source.from(name).bytes().take(65).take_while(|each| parameters::is_of_name(*each)).count();
        match self.source.byte(name + length) {
            None if length <= 64 => self.source.short(),
            Some(b'{') if (1..=64).contains(&length) => Seen::Yes(name),
            _ => Seen::No,
        }
    }

    fn quoted_reading(&self, at: usize, dialect: &Dialect) -> Seen<Reading> {
        let begin = match self.source.literal(at, &dialect.name_begin) {
            Seen::No if dialect.opener.is_some() => self.name_alone(at, dialect),
            found => found,
        };
        begin.map(|begin| Reading::Quoted(QuotedReader::new(begin, &dialect.quote, dialect.python, dialect.typed)))
    }

    fn payload(&mut self) -> bool {
        let Some(number) = self.current.as_ref().map(|current| current.opening.dialect) else { return self.lost() };
        let messages = self.is_messages(number);
        let Some(current) = self.current.as_mut() else { return self.lost() };
        let dialect = self.setup.dialect(number);
        let step = match &mut current.reading {
            Some(Reading::Json(reader)) => reader.read(&self.source, &self.markers),
            Some(Reading::Parameters(reader)) => {
                let around = current.waiting.iter().chain(&self.wrappers).map(|each| (each.dialect, each.section));
                reader.read(&self.source, &self.markers, dialect, &around.collect::<Vec<_>>())
            }
            Some(Reading::Literals(reader)) => reader.read(&self.source),
            Some(Reading::Quoted(reader)) => reader.read(&self.source),
            None => Step::Error(current.look),
        };
        let json = match &current.reading {
            Some(Reading::Json(reader)) if messages => Some(reader),
            Some(Reading::Parameters(reader)) if messages => reader.json.as_deref(),
            _ => None,
        };
        match step {
            Step::Wait if self.source.ended && messages => {
                let end = self.source.len();
                let at = json.map_or(end, |json| json.cut_at(end));
                self.break_at(at, "truncated")
            }
            Step::Error(at) if messages => {
                let at = json.map_or(at, |json| json.broken_at(at));
                self.break_at(at, "invalid_json")
            }
            Step::Wait if self.source.ended => {
                self.end_with(self.source.len(), "truncated");
                true
            }
            Step::Wait => false,
            Step::Error(at) => self.fail(at),
            Step::End(end) => {
                current.payload_end = Some(end);
                current.look = end;
                let open = matches!(&current.reading, Some(Reading::Parameters(reader)) if reader.open);
                let tags = matches!(&current.reading, Some(Reading::Parameters(reader)) if reader.json.is_none());
                let closerless = dialect.closer.is_none() || tags;
                if open {
                    self.end_read(end, end, true);
                } else if closerless {
                    let inner = if dialect.closer.is_some() { self.closer_before(end) } else { end };
                    self.end_read(inner, end, false);
                } else {
                    self.state = State::Behind;
                }
                true
            }
        }
    }

    /// Where the closer begins that ends here.
    fn closer_before(&self, end: usize) -> usize {
        let text = self.source.slice(0, end);
        text.rfind('<')
            .filter(|at| matches!(self.markers.at(&self.source, *at), Seen::Yes(marker) if marker.end == end))
            .unwrap_or(end)
    }

    fn behind(&mut self) -> bool {
        let Some(current) = self.current.as_ref() else { return self.lost() };
        let end = current.payload_end.unwrap_or(current.look);
        let (dialect, section) = (current.opening.dialect, current.opening.section);
        match self.is_marked(end) {
            Seen::Yes(()) => return true,
            Seen::Wait => return false,
            Seen::No => {}
        }
        let at = self.source.skip_space(end);
        let Some(current) = self.current.as_ref() else { return self.lost() };
        let messages = self.is_messages(dialect);
        if at == self.source.len() {
            if !self.source.ended {
                return false;
            }
            self.end_read(end, end, !messages);
            return true;
        }
        match self.markers.at(&self.source, at) {
            Seen::Wait => return false,
            Seen::Yes(marker) => {
                let waits = |each: &Opening| marker.closers.contains(&(each.dialect, each.section));
                if marker.closers.contains(&(dialect, section)) {
                    self.end_read(at, marker.end, false);
                    return true;
                }
                let header = marker.header || marker.drops || marker.reasoning == Some(usize::MAX);
                let wrapped = !messages && !marker.closers.is_empty() || current.waiting.iter().chain(&self.wrappers).any(waits);
                if marker.opener.is_some() || marker.token || wrapped || header {
                    self.end_read(end, end, true);
                    return true;
                }
            }
            Seen::No if messages => {}
            Seen::No => match self.strange_closer(at) {
                Seen::Yes(to) => {
                    self.end_read(at, to, true);
                    self.end_pair_in_block(at, to);
                    return true;
                }
                Seen::Wait => return false,
                Seen::No if self.markers.cut_closer(&self.source, at) => {
                    self.end_read(end, end, true);
                    return true;
                }
                Seen::No => {}
            },
        }
        let goes_on = matches!(self.source.byte(at), Some(b',' | b'}' | b']' | b':' | b'"'));
        if messages {
            // A string that its message left open ends where the next one begins.
            let begin = match &current.reading {
                Some(Reading::Json(reader)) => reader.values.first().map(|value| value.from),
                _ => None,
            };
            let string = begin.filter(|begin| self.source.byte(*begin) == Some(b'"'));
            return self.break_at(string.unwrap_or(end), if goes_on { "invalid_json" } else { "trailing_text" });
        }
        if goes_on {
            return self.fail(at);
        }
        self.begin_doubt(end)
    }

    // In doubt

    /// The quotations behind openers that can be text.
    fn quotes_behind(&self, current: &Current, mut from: usize) -> Quotes {
        let mut quotes = self.quotes.clone();
        for opening in current.waiting.iter().chain([&current.opening]) {
            quotes.feed_marker(self.source.slice(from, opening.to));
            from = opening.to;
        }
        quotes
    }

    fn begin_doubt(&mut self, from: usize) -> bool {
        let Some(mut current) = self.current.take() else { return self.lost() };
        if current.payload_end.is_some() {
            current.quotes = self.quotes.clone();
            current.quotes.end_json();
            current.quotes.take_out();
            // Only a letter: a payload from which the doubt begins has no line of its own.
            current.code = current.saved.clone();
            current.code.feed_letter(current.opening.from, false);
        } else {
            current.quotes = self.quotes_behind(&current, current.from);
        }
        current.look = from;
        current.line_from = usize::MAX;
        self.current = Some(current);
        self.state = State::Doubt;
        true
    }

    fn doubt(&mut self) -> bool {
        loop {
            let Some(current) = self.current.as_mut() else { return self.lost() };
            let at = current.look;
            let Some(each) = self.source.char(at) else {
                if !self.source.ended {
                    return false;
                }
                let code = current.code.clone();
                return self.leave(at, code);
            };
            let from_opener = current.payload_end.is_none();
            if self.markers.can_begin_at(&self.source, at) {
                let seen = if from_opener { self.markers.in_prose(&self.source, at) } else { self.markers.at(&self.source, at) };
                match seen {
                    Seen::Wait => return false,
                    Seen::Yes(marker) => {
                        let own = marker.closers.contains(&(current.opening.dialect, current.opening.section));
                        if own && current.code.closes_fence() {
                            current.closes_at = at;
                        }
                        let closes = current.closes_at == at;
                        if !settles(&mut current.code, &mut self.ahead, &self.source, at) {
                            return false;
                        }
                        if current.code.place(at) == Place::Prose || closes {
                            let named = if own && from_opener { self.amid_words(at, marker.end) } else { Seen::No };
                            if named == Seen::Wait {
                                return false;
                            }
                            if own && named == Seen::No {
                                self.end_with_closer(at, marker.end, if from_opener { "not_json" } else { "trailing_text" });
                                return true;
                            }
                            let Some(current) = self.current.as_ref() else { return self.lost() };
                            let code = current.code.clone();
                            if marker.opener.is_some_and(|opening| self.is_stray(&opening)) {
                                return self.fail(at);
                            }
                            return self.leave(at, code);
                        }
                        current.code.note();
                        let text = self.source.slice(at, marker.end).to_owned();
                        current.code.feed_marker(at, &text);
                        current.quotes.feed_marker(&text);
                        current.look = marker.end;
                        continue;
                    }
                    Seen::No => {}
                }
            }
            if from_opener && each == '<' {
                match self.foreign(at) {
                    Seen::Wait => return false,
                    Seen::Yes(()) => {
                        let Some(current) = self.current.as_mut() else { return self.lost() };
                        if !settles(&mut current.code, &mut self.ahead, &self.source, at) {
                            return false;
                        }
                        if current.code.place(at) == Place::Prose && !self.names_tag(at) {
                            return self.fail(at);
                        }
                    }
                    Seen::No => {}
                }
            }
            let Some(current) = self.current.as_mut() else { return self.lost() };
            current.code.feed(at, each);
            current.look = at + each.len_utf8();
            if current.quotes.feed(each) {
                if current.code.place(current.look) == Place::Prose {
                    current.quotes.begin();
                }
                current.code.note_sign();
            }
            if each == '\n' {
                let blank =
                    current.line_from != usize::MAX && self.source.slice(current.line_from, at).chars().all(char::is_whitespace);
                current.line_from = at + 1;
                if blank {
                    let code = current.code.clone();
                    return self.leave(at + 1, code);
                }
            }
        }
    }

    /// Whether words name the opener and the begin of another tag at a place (D72).
    fn names_tag(&mut self, at: usize) -> bool {
        let Some(current) = self.current.as_ref() else { return false };
        let Opening { dialect, from, to, .. } = current.opening;
        let named = current.named
            || !self.setup.is_control(dialect)
                && current.waiting.is_empty()
                && self.wrappers.is_empty()
                && !self.is_in_pair(from)
                && self.has_words_before(from)
                && !self.source.slice(to, at).chars().all(is_json_space);
        if let Some(current) = self.current.as_mut() {
            current.named = named;
        }
        named
    }

    fn foreign(&self, at: usize) -> Seen<()> {
        let here = self.source.from(at);
        let mut wait = false;
        for text in FOREIGN {
            let length = here.len().min(text.len());
            if here.as_bytes()[..length].eq_ignore_ascii_case(&text.as_bytes()[..length]) {
                if length == text.len() {
                    return Seen::Yes(());
                }
                wait = !self.source.ended;
            }
        }
        if wait { Seen::Wait } else { Seen::No }
    }

    /// The openers, or what stands behind a payload, are text up to a place, where reading goes on in prose.
    fn leave(&mut self, at: usize, code: Code) -> bool {
        let Some(current) = self.current.take() else { return self.lost() };
        if let Some(end) = current.payload_end {
            let outcome = self.rejected(&current, end, "trailing_text");
            self.push_block(&current, end, outcome);
        } else if self.state == State::Doubt && !current.opening.section && self.setup.is_control(current.opening.dialect) {
            // An opener that is a control token is a rejected block, and those that wait for it are its wrappers.
            let outcome = self.rejected_opener(&current.opening);
            self.push_block(&current, current.opening.to, outcome);
        } else {
            for opening in current.waiting.iter().chain([&current.opening]) {
                let control = self.setup.is_control(opening.dialect);
                if control && opening.section {
                    self.item(opening.from, opening.to, Kind::Token);
                } else if control {
                    let outcome = self.rejected_opener(opening);
                    self.item(opening.from, opening.to, Kind::Block { dialect: opening.dialect, outcome });
                }
            }
        }
        let pair = self.pair_behind(&current, at);
        if self.state == State::Doubt {
            self.quotes = current.quotes;
        } else {
            self.quotes = self.quotes_behind(&current, current.from);
            self.quotes.feed_marker(self.source.slice(current.opening.to, at));
        }
        self.code = code;
        let behind = self.items.last().map_or(0, |item| item.to);
        self.visible();
        self.pair = pair;
        self.trail(behind.max(current.from), at);
        self.at = at;
        self.state = State::Prose;
        true
    }

    // Failed blocks

    fn fail(&mut self, error: usize) -> bool {
        let stray = self.current.as_ref().is_some_and(|current| self.is_stray(&current.opening));
        let Some(current) = self.current.as_mut() else { return self.lost() };
        current.error = error;
        current.need = usize::from(stray);
        current.look = current.opening.from;
        current.line_from = usize::MAX;
        self.state = State::Failed;
        true
    }

    /// Counts the markers from the begin of a failed block on: where what balances it ends, or the blank line that ends it.
    /// Behind that blank line the count goes on, and nothing is read up to where the block is balanced.
    fn failed(&mut self) -> bool {
        loop {
            let Some(current) = self.current.as_mut() else { return self.lost() };
            let at = current.look;
            let Some(each) = self.source.char(at) else {
                if !self.source.ended {
                    return false;
                }
                if self.state == State::Muted {
                    self.end_muted(at);
                } else {
                    self.end_with(at, "invalid_json");
                }
                return true;
            };
            if at >= current.behind && self.markers.can_begin_at(&self.source, at) {
                match self.markers.at(&self.source, at) {
                    Seen::Wait => return false,
                    Seen::Yes(marker) => {
                        if let Some(end) = self.count(&marker) {
                            if self.state == State::Muted {
                                self.end_muted(end);
                            } else {
                                self.end_with_closer(at, end, "invalid_json");
                            }
                            return true;
                        }
                    }
                    Seen::No => {}
                }
            }
            let Some(current) = self.current.as_mut() else { return self.lost() };
            current.look = at + each.len_utf8();
            if each == '\n' && self.state == State::Failed {
                let from = current.line_from;
                current.line_from = at + 1;
                let blank =
                    from != usize::MAX && from > current.error && self.source.slice(from, at).chars().all(char::is_whitespace);
                if blank {
                    self.end_at_blank_line(from - 1);
                    return true;
                }
            }
        }
    }

    /// Counts a marker. Gives where the block ends that it balances.
    fn count(&mut self, marker: &Marker) -> Option<usize> {
        let setup = Arc::clone(&self.setup);
        let current = self.current.as_mut()?;
        let (dialect, section) = (current.opening.dialect, current.opening.section);
        let closer = |dialect: usize, section: bool| {
            let descriptor = setup.numbered(dialect)?;
            if section { descriptor.section.as_ref().map(|(_, close)| close) } else { descriptor.closer.as_ref() }
        };
        if let Some(opening) = &marker.opener {
            let own = (opening.dialect, opening.section) == (dialect, section);
            let same = closer(dialect, section).is_some() && closer(opening.dialect, opening.section) == closer(dialect, section);
            current.need += usize::from(own || same);
            if own || same {
                current.behind = marker.end;
            }
        }
        if marker.closers.contains(&(dialect, section)) && current.look >= current.error {
            current.need = current.need.saturating_sub(1);
            if current.need == 0 {
                return Some(marker.end);
            }
        }
        None
    }

    fn end_at_blank_line(&mut self, end: usize) {
        let current = self.current.clone();
        self.end_with(end, "invalid_json");
        self.wrappers.clear();
        self.after_block = false;
        (self.mark, self.pair) = (None, None);
        self.trail = Trail::default();
        self.current = current;
        self.state = State::Muted;
    }

    fn end_muted(&mut self, end: usize) {
        self.code.feed_letter(self.at, false);
        self.current = None;
        self.at = end;
        self.state = State::Prose;
    }

    // Dropped and broken messages

    fn begin_dropped(&mut self, opening: Opening, message: bool) {
        self.begin_block(Opening { reserved: false, ..opening.clone() });
        if let Some(current) = &mut self.current {
            current.opening = opening;
            current.message = message;
        }
        self.state = State::Dropped;
    }

    fn dropped(&mut self) -> bool {
        let Some(current) = self.current.as_ref() else { return self.lost() };
        let behind = current.opening.to;
        if current.look == behind && !current.message {
            match self.is_marked(behind) {
                Seen::Yes(()) => return true,
                Seen::Wait => return false,
                Seen::No => {}
            }
        }
        loop {
            let Some(current) = self.current.as_mut() else { return self.lost() };
            let at = current.look;
            let Some(each) = self.source.char(at) else {
                if !self.source.ended {
                    return false;
                }
                self.end_dropped(at);
                return true;
            };
            let dialect = self.setup.numbered(current.opening.dialect);
            match (dialect.filter(|dialect| dialect.messages.is_none()), &self.setup.messages) {
                (Some(dialect), _) => {
                    for closer in &dialect.header.closers {
                        match self.source.literal(at, closer) {
                            Seen::Yes(end) => {
                                self.end_dropped(end);
                                return true;
                            }
                            Seen::Wait => return false,
                            Seen::No => {}
                        }
                    }
                }
                (None, Some(messages)) => match messages.message_end(&self.source, at, !current.message) {
                    Seen::Yes(end) => {
                        self.end_dropped(end);
                        return true;
                    }
                    Seen::Wait => return false,
                    Seen::No => {}
                },
                _ => {}
            }
            if let Some(current) = &mut self.current {
                current.look = at + each.len_utf8();
            }
        }
    }

    fn end_dropped(&mut self, end: usize) {
        let Some(current) = self.current.take() else { return };
        if current.message {
            self.code = current.saved;
            self.at = current.from;
            let before = (self.fresh.0, self.lone);
            self.take_out(end, Kind::Message);
            (self.fresh.0, self.lone) = before;
            self.wrappers.clear();
            self.after_block = false;
            self.state = State::Prose;
            return;
        }
        let outcome = self.rejected(&current, end, "reserved_header");
        self.end_block(current, end, outcome);
    }

    fn break_at(&mut self, at: usize, code: &'static str) -> bool {
        let Some(current) = self.current.as_mut() else { return self.lost() };
        current.look = at;
        current.refusal = code;
        self.state = State::Broken;
        true
    }

    fn broken(&mut self) -> bool {
        loop {
            let (Some(current), Some(messages)) = (self.current.as_mut(), &self.setup.messages) else { return self.lost() };
            let at = current.look;
            let code = current.refusal;
            let Some(each) = self.source.char(at) else {
                if !self.source.ended {
                    return false;
                }
                self.end_with(at, code);
                return true;
            };
            match messages.message_end(&self.source, at, true) {
                Seen::Yes(end) => {
                    self.end_with_closer(at, end, code);
                    return true;
                }
                Seen::Wait => return false,
                Seen::No => {}
            }
            current.look = at + each.len_utf8();
        }
    }

    /// A state without what it needs, which no text comes to: reading goes on as prose.
    fn lost(&mut self) -> bool {
        self.current = None;
        self.state = State::Prose;
        true
    }
}
