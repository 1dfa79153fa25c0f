//! Bare messages: a text that is nothing but calls, without a marker.

use super::super::descriptors::Reader;
use super::super::json::{JsonReader, Step, payload_begin};
use super::super::literals::{LiteralReader, QuotedReader};
use super::super::markers::{Opening, Seen};
use super::super::parameters::is_letter_or_digit;
use super::{Kind, Machine, Outcome, Reading, State};

/// A bare message that has begun.
pub(super) struct Bare {
    /// Which of the dialects without an opener is tried.
    number: usize,
    from: usize,
    reading: Reading,
    end: Option<usize>,
    look: usize,
}

impl Machine {
    pub(super) fn begin_bare(&mut self) -> Seen<()> {
        self.try_bare(0)
    }

    fn try_bare(&mut self, from_number: usize) -> Seen<()> {
        let at = self.at;
        // A marker is none of the text: reasoning and tokens can stand before a bare message.
        match self.markers.at(&self.source, at) {
            Seen::Wait => return Seen::Wait,
            Seen::Yes(marker) if marker.reasoning.is_some() || marker.token && from_number == 0 => return Seen::No,
            _ => {}
        }
        let mut wait = false;
        for number in from_number..self.setup.bare.len() {
            match self.bare_reading(number, at) {
                Seen::Yes(reading) => {
                    self.bare = Some(Box::new(Bare { number, from: at, reading, end: None, look: at }));
                    self.state = State::Bare;
                    return Seen::Yes(());
                }
                Seen::Wait => wait = true,
                Seen::No => {}
            }
        }
        if wait {
            return Seen::Wait;
        }
        self.fresh.1 = false;
        Seen::No
    }

    fn bare_reading(&self, number: usize, at: usize) -> Seen<Reading> {
        let dialect = &self.setup.dialects[self.setup.bare[number]];
        let byte = self.source.byte(at);
        match dialect.reader {
            Reader::PythonCalls if byte == Some(b'[') => Seen::Yes(Reading::Literals(LiteralReader::new(at, dialect.list))),
            Reader::QuotedObject => match self.source.literal(at, &dialect.name_begin) {
                Seen::Yes(begin) => {
                    Seen::Yes(Reading::Quoted(QuotedReader::new(begin, &dialect.quote, dialect.python, dialect.typed)))
                }
                Seen::Wait => Seen::Wait,
                Seen::No => Seen::No,
            },
            _ if dialect.fence_expected => match payload_begin(&self.source, at, &self.markers) {
                Seen::Yes((value, Some(fence))) => Seen::Yes(Reading::Json(JsonReader::new(value, Some(fence), None))),
                Seen::Wait => Seen::Wait,
                _ => Seen::No,
            },
            Reader::JsonArray if byte == Some(b'[') => Seen::Yes(Reading::Json(JsonReader::bare(at, dialect.separator))),
            Reader::JsonValues | Reader::JsonObject | Reader::JsonArguments if byte == Some(b'{') => {
                Seen::Yes(Reading::Json(JsonReader::bare(at, dialect.separator)))
            }
            _ => Seen::No,
        }
    }

    fn is_guided(&self, number: usize) -> bool {
        self.setup.guided && number == 0
    }

    pub(super) fn read_bare(&mut self) -> bool {
        let Some(mut bare) = self.bare.take() else { return self.lost() };
        if bare.end.is_none() {
            let step = match &mut bare.reading {
                Reading::Json(reader) => reader.read(&self.source, &self.markers),
                Reading::Literals(reader) => reader.read(&self.source),
                Reading::Quoted(reader) => reader.read(&self.source),
                Reading::Parameters(_) => Step::Error(bare.from),
            };
            match step {
                Step::Wait if !self.source.ended => {
                    self.bare = Some(bare);
                    return false;
                }
                Step::Wait if self.is_guided(bare.number) => {
                    let outcome = self.whole(&self.bare_opening(&bare), "truncated", self.source.len());
                    self.end_bare(&bare, self.source.len(), outcome);
                    return true;
                }
                Step::Wait | Step::Error(_) => return self.drop_bare(&bare),
                Step::End(end) => {
                    bare.end = Some(end);
                    bare.look = end;
                }
            }
        }
        let end = bare.end.unwrap_or(bare.from);
        loop {
            let at = self.source.skip_space(bare.look);
            if at == self.source.len() {
                if !self.source.ended {
                    self.bare = Some(bare);
                    return false;
                }
                return self.judge_bare(&bare, end);
            }
            match self.markers.at(&self.source, at) {
                Seen::Wait => {
                    self.bare = Some(bare);
                    return false;
                }
                Seen::Yes(marker) if marker.token && marker.opener.is_none() => bare.look = marker.end,
                seen => {
                    let dialect = &self.setup.dialects[self.setup.bare[bare.number]];
                    let words = seen == Seen::No && dialect.words_behind && self.source.char(at).is_some_and(is_letter_or_digit);
                    return if words { self.judge_bare(&bare, end) } else { self.drop_bare(&bare) };
                }
            }
        }
    }

    fn bare_opening(&self, bare: &Bare) -> Opening {
        let dialect = self.setup.bare[bare.number];
        Opening { dialect, section: false, reserved: false, name: None, headed: false, from: bare.from, to: bare.from }
    }

    fn judge_bare(&mut self, bare: &Bare, end: usize) -> bool {
        let number = self.setup.bare[bare.number];
        let dialect = &self.setup.dialects[number];
        let unclosed = matches!(&bare.reading, Reading::Json(reader) if reader.fenced && !reader.fence_closed);
        let outcome = self.read_outcome(&self.bare_opening(bare), Some(&bare.reading), dialect, false, end);
        if !self.is_guided(bare.number) {
            let known = |name: &String| self.setup.effective.as_ref().is_none_or(|names| names.contains(name));
            let rejected = outcome.codes.iter().any(|code| *code != "name_not_sendable");
            let repaired = matches!(&bare.reading, Reading::Json(reader) if !reader.edits.is_empty());
            if unclosed || rejected || repaired || outcome.calls.is_empty() || !outcome.calls.iter().all(|call| known(&call.name)) {
                let native = self.setup.judge.native
                    && !unclosed
                    && !repaired
                    && !outcome.codes.is_empty()
                    && outcome.codes.iter().all(|code| matches!(*code, "beside_native_calls" | "name_not_sendable"));
                if !native {
                    return self.drop_bare(bare);
                }
            }
        }
        self.end_bare(bare, end, outcome);
        true
    }

    fn end_bare(&mut self, bare: &Bare, end: usize, outcome: Outcome) {
        let dialect = self.setup.bare[bare.number];
        self.at = bare.from;
        self.take_out(end, Kind::Block { dialect, outcome });
        self.after_block = true;
        self.fresh = (false, false);
        self.state = State::Prose;
    }

    /// There is no bare message of this dialect.
    fn drop_bare(&mut self, bare: &Bare) -> bool {
        self.state = State::Prose;
        if self.try_bare(bare.number + 1) == Seen::No {
            self.fresh.1 = false;
        }
        true
    }

    /// A text whose headers lost their tokens (EXT-210).
    pub(super) fn strip(&mut self) -> bool {
        let Some([reasoning, content, call]) = self.setup.messages.as_ref().and_then(|messages| messages.spec.stripped.clone())
        else {
            return self.lost();
        };
        let behind = match self.source.literal(0, &reasoning) {
            Seen::Yes(behind) => behind,
            Seen::Wait => return false,
            Seen::No => {
                self.state = State::Prose;
                return true;
            }
        };
        let rest = self.source.from(behind);
        let (content_at, call_at) = (rest.find(&content), rest.find(&call));
        let hold = content_at.is_none() || call_at.is_some_and(|call| content_at.is_some_and(|content| call < content));
        match (content_at, call_at) {
            (None, None) => {
                if !self.source.ended {
                    return false;
                }
                self.state = State::Prose;
            }
            (Some(at), _) if !hold => {
                let texts = vec![(behind, behind + at)];
                self.take_out(behind + at + content.len(), Kind::Reasoning { texts, codes: Vec::new() });
                self.state = State::Prose;
            }
            (_, Some(at)) => {
                let texts = vec![(behind, behind + at)];
                self.take_out(behind + at, Kind::Reasoning { texts, codes: Vec::new() });
                let dialect = self.setup.messages.as_ref().and_then(|messages| messages.dialect);
                let from = behind + at;
                let to = from + call.len();
                let number = dialect.unwrap_or(usize::MAX);
                let opening = Opening { dialect: number, section: false, reserved: true, name: None, headed: true, from, to };
                self.begin_dropped(opening, dialect.is_none());
            }
            _ => self.state = State::Prose,
        }
        true
    }
}
