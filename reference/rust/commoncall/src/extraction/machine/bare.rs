//! Bare messages: a text that is nothing but calls, without a marker.

use super::super::descriptors::{Dialect, Reader};
use super::super::json::{JsonReader, Step, payload_begin};
use super::super::literals::LiteralReader;
use super::super::markers::{Opening, Seen};
use super::super::parameters::{ParametersReader, is_letter_or_digit, is_of_name, name_begin};
use super::{Kind, Machine, Outcome, Reading, State};
use crate::shared::text::{first, is_json_space};

/// A bare message that has begun.
pub(super) struct Bare {
    /// Which of the dialects without an opener is tried.
    number: usize,
    from: usize,
    /// Where its first value begins, in a fence or not.
    value: usize,
    reading: Reading,
    end: Option<usize>,
    look: usize,
    /// The closing tag that has to come, of a foreign pair.
    closer: Option<String>,
    /// What the payloads in the fences before came to.
    before: Outcome,
}

impl Bare {
    fn new(number: usize, from: usize, closer: Option<String>, reading: Reading) -> Box<Self> {
        let value = if let Reading::Json(reader) = &reading { reader.at } else { from };
        Box::new(Self { number, from, value, reading, end: None, look: from, closer, before: Outcome::default() })
    }
}

/// Whether a payload ended with the run of its fence.
fn ends_its_fence(reading: &Reading) -> bool {
    !matches!(reading, Reading::Json(reader) if reader.fenced && !reader.fence_closed)
}

impl Machine {
    pub(super) fn begin_bare(&mut self) -> Seen<()> {
        self.try_bare(self.first_bare())
    }

    /// The first dialect that is tried: none is guided in reasoning.
    fn first_bare(&self) -> usize {
        usize::from(self.inside && self.setup.guided)
    }

    fn try_bare(&mut self, from_number: usize) -> Seen<()> {
        let at = self.at;
        // A marker is none of the text: reasoning and tokens can stand before a bare message.
        match self.markers.at(&self.source, at) {
            Seen::Wait => return Seen::Wait,
            Seen::Yes(marker) if marker.reasoning.is_some() || marker.token && from_number == self.first_bare() => return Seen::No,
            _ => {}
        }
        let (begin, closer) = match self.foreign_tag(at) {
            Seen::Yes((begin, closer)) => (begin, Some(closer)),
            Seen::Wait => return Seen::Wait,
            Seen::No => (at, None),
        };
        let mut wait = false;
        for number in from_number..self.setup.bare.len() {
            match self.bare_reading(number, begin) {
                Seen::Yes(reading) => {
                    self.bare = Some(Bare::new(number, begin, closer, reading));
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
        for number in from_number.max(self.setup.bare.len())..self.headless_end() {
            match self.headless_reading(number, at) {
                Seen::Yes(reading) => {
                    self.bare = Some(Bare::new(number, at, None, reading));
                    self.state = State::Bare;
                    return Seen::Yes(());
                }
                Seen::Wait => return Seen::Wait,
                Seen::No => {}
            }
        }
        self.fresh.1 = false;
        Seen::No
    }

    /// Behind the numbers of bare messages come those of headless blocks: one for JSON, and one for each first line.
    fn headless_end(&self) -> usize {
        if self.inside {
            return 0;
        }
        self.setup.bare.len() + 1 + self.setup.headless.1.len()
    }

    fn headless_reading(&self, number: usize, at: usize) -> Seen<Reading> {
        let Some(line) = number.checked_sub(self.setup.bare.len() + 1) else {
            let begins = !self.setup.headless.0.is_empty() && matches!(self.source.byte(at), Some(b'{' | b'['));
            let opener = matches!(self.markers.at(&self.source, at), Seen::Yes(marker) if marker.opener.is_some());
            return if begins && !opener { Seen::Yes(Reading::Json(JsonReader::new(at, None, None))) } else { Seen::No };
        };
        let Some(&dialect_number) = self.setup.headless.1.get(line) else { return Seen::No };
        let dialect = self.setup.dialect(dialect_number);
        let word = self.source.text.as_bytes().get(at..).unwrap_or(&[]);
        let length = word.iter().take(65).take_while(|&&each| is_of_name(each)).count();
        if length == 0 || length > 64 {
            return Seen::No;
        }
        let place = self.source.skip_space(at + length);
        if place == self.source.len() {
            return self.source.short();
        }
        let begin = name_begin(&self.source, place, dialect);
        begin.map(|_| Reading::Parameters(ParametersReader::new(at, dialect_number, dialect, true)))
    }

    /// The dialect of a headless block whose payload ends before a closer, if it is one.
    fn headless_dialect(&self, bare: &Bare, closers: &[(usize, bool)]) -> Option<(usize, Outcome)> {
        let is_own = |number: &&usize| closers.contains(&(**number, false));
        let numbers = match &bare.reading {
            Reading::Json(_) => &self.setup.headless.0,
            _ => &self.setup.headless.1,
        };
        numbers.iter().filter(is_own).find_map(|&number| {
            let dialect = self.setup.dialect(number);
            if let Reading::Json(_) = &bare.reading {
                let member = self.first_member(bare.from)?;
                if !members(dialect).any(|each| *each == member) {
                    return None;
                }
            }
            if matches!(&bare.reading, Reading::Parameters(reader) if reader.open) {
                return None;
            }
            let opening = Opening { dialect: number, ..Self::opening_at(bare.from) };
            let mut outcome = self.read_outcome(&opening, Some(&bare.reading), dialect, false);
            if !self.is_clean(&outcome, true) {
                return None;
            }
            if !outcome.calls.is_empty() {
                outcome.repairs.push("missing_opener");
            }
            Some((number, outcome))
        })
    }

    /// The name of the first member of the first object of a payload.
    fn first_member(&self, from: usize) -> Option<String> {
        let mut place = from;
        if self.source.byte(place) == Some(b'[') {
            place = self.source.skip_space(place + 1);
        }
        if self.source.byte(place) != Some(b'{') {
            return None;
        }
        let rest = self.source.from(self.source.skip_space(place + 1)).strip_prefix('"')?;
        rest.split_once('"').map(|(name, _)| name.to_owned())
    }

    /// Whether JSON so far can be calls of some dialects: as far as its first member has come, it is one that counts.
    fn can_begin(&self, from: usize, dialects: &[usize]) -> bool {
        let text = first(self.source.from(from), 200);
        let rest = text.strip_prefix('[').unwrap_or(text).trim_start_matches(is_json_space);
        let Some(rest) = rest.strip_prefix('{') else { return rest.is_empty() };
        let rest = rest.trim_start_matches(is_json_space);
        let Some(name) = rest.strip_prefix('"') else { return rest.is_empty() };
        let mut names = dialects.iter().flat_map(|&number| members(self.setup.dialect(number)));
        match name.split_once('"') {
            Some((name, _)) => names.any(|each| each == name),
            None => names.any(|each| each.starts_with(name)),
        }
    }

    /// Whether a bare message of a common dialect, or a headless block, can still be calls.
    fn can_be_calls(&self, bare: &Bare) -> bool {
        match self.setup.bare.get(bare.number) {
            Some(&number) if self.setup.dialect(number).common => self.can_begin(bare.value, &[number]),
            None if bare.number == self.setup.bare.len() => self.can_begin(bare.from, &self.setup.headless.0),
            _ => true,
        }
    }

    /// Whether there is a call, and all values are for effective tools.
    fn is_clean(&self, outcome: &Outcome, each_is_one: bool) -> bool {
        let known = |name: &String| self.setup.effective.as_ref().is_none_or(|names| names.contains(name));
        let refused = outcome.values.iter().filter(|(_, is_call)| !is_call).count();
        refused < outcome.values.len()
            && !(each_is_one && refused > 0)
            && outcome.values.iter().all(|(name, _)| name.as_ref().is_some_and(known))
    }

    fn opening_at(from: usize) -> Opening {
        Opening { dialect: 0, section: false, reserved: false, name: None, headed: false, from, to: from }
    }

    pub(super) fn bare_reading(&self, number: usize, at: usize) -> Seen<Reading> {
        let dialect = self.setup.dialect(self.setup.bare[number]);
        let byte = self.source.byte(at);
        match dialect.reader {
            Reader::PythonCalls if byte == Some(b'[') => Seen::Yes(Reading::Literals(LiteralReader::new(at, dialect.list))),
            Reader::PythonValues if byte == Some(b'[') => Seen::Yes(Reading::Literals(LiteralReader::one(at))),
            Reader::QuotedObject => self.quoted_reading(at, dialect),
            _ if dialect.fence_expected => match payload_begin(&self.source, at, &self.markers, false) {
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
                Reading::Parameters(reader) => {
                    let number = self.setup.headless.1[bare.number - self.setup.bare.len() - 1];
                    reader.read(&self.source, &self.markers, self.setup.dialect(number), &[])
                }
            };
            match step {
                Step::Wait | Step::End(_) if !self.can_be_calls(&bare) => return self.drop_bare(&bare),
                Step::Wait if !self.source.ended => {
                    self.bare = Some(bare);
                    return false;
                }
                Step::Wait if self.is_guided(bare.number) => {
                    let opening = self.bare_opening(&bare);
                    let outcome = self.whole(&opening, "truncated");
                    self.end_bare(&bare, self.source.len(), opening.dialect, outcome);
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
        if bare.number >= self.setup.bare.len() {
            return self.end_headless(bare, end);
        }
        loop {
            let at = self.source.skip_space(bare.look);
            if at == self.source.len() {
                if !self.source.ended {
                    self.bare = Some(bare);
                    return false;
                }
                return if bare.closer.is_none() { self.judge_bare(&bare, end) } else { self.drop_bare(&bare) };
            }
            let fence = matches!(self.source.byte(at), Some(b'`' | b'~'));
            if let Some(closer) = bare.closer.take_if(|_| !fence) {
                match self.source.literal(at, &closer) {
                    Seen::Yes(end) => bare.look = end,
                    Seen::Wait => {
                        bare.closer = Some(closer);
                        self.bare = Some(bare);
                        return false;
                    }
                    Seen::No => return self.drop_bare(&bare),
                }
                continue;
            }
            match self.markers.at(&self.source, at) {
                Seen::Wait => {
                    self.bare = Some(bare);
                    return false;
                }
                Seen::Yes(marker) if marker.opener.is_none() && (marker.token || self.closes_control(&marker)) => {
                    bare.look = marker.end;
                }
                Seen::No if self.is_next_fence(&bare, at) => return self.next_fence(bare, at),
                seen => {
                    let dialect = self.setup.dialect(self.setup.bare[bare.number]);
                    let words = seen == Seen::No
                        && bare.closer.is_none()
                        && dialect.words_behind
                        && self.source.char(at).is_some_and(is_letter_or_digit);
                    return if words { self.judge_bare(&bare, end) } else { self.drop_bare(&bare) };
                }
            }
        }
    }

    /// Looks for the closer behind the payload of a headless block.
    fn end_headless(&mut self, bare: Box<Bare>, end: usize) -> bool {
        let found = if let Reading::Parameters(_) = &bare.reading {
            let number = self.setup.headless.1[bare.number - self.setup.bare.len() - 1];
            self.headless_dialect(&bare, &[(number, false)]).map(|found| (end, found))
        } else {
            let at = self.source.skip_space(end);
            if at == self.source.len() && !self.source.ended {
                self.bare = Some(bare);
                return false;
            }
            match self.markers.at(&self.source, at) {
                Seen::Wait => {
                    self.bare = Some(bare);
                    return false;
                }
                Seen::Yes(marker) => self.headless_dialect(&bare, &marker.closers).map(|found| (marker.end, found)),
                Seen::No => None,
            }
        };
        let Some((end, (dialect, outcome))) = found else { return self.drop_bare(&bare) };
        self.end_bare(&bare, end, dialect, outcome);
        true
    }

    fn is_next_fence(&self, bare: &Bare, at: usize) -> bool {
        self.setup.dialect(self.setup.bare[bare.number]).fence_expected && matches!(self.source.byte(at), Some(b'`' | b'~'))
    }

    /// A further fence at a place, behind one that ended before.
    fn next_fence(&mut self, mut bare: Box<Bare>, at: usize) -> bool {
        match payload_begin(&self.source, at, &self.markers, false) {
            Seen::Wait => {
                self.bare = Some(bare);
                false
            }
            Seen::Yes((value, fence)) if ends_its_fence(&bare.reading) => {
                bare.before = self.outcome_so_far(&bare);
                bare.reading = Reading::Json(JsonReader::new(value, fence, None));
                bare.end = None;
                self.bare = Some(bare);
                true
            }
            _ => self.drop_bare(&bare),
        }
    }

    /// What the payloads of a bare message came to.
    fn outcome_so_far(&self, bare: &Bare) -> Outcome {
        let opening = self.bare_opening(bare);
        let dialect = self.setup.dialect(opening.dialect);
        bare.before.clone().joined(self.read_outcome(&opening, Some(&bare.reading), dialect, false))
    }

    fn bare_opening(&self, bare: &Bare) -> Opening {
        Opening { dialect: self.setup.bare[bare.number], ..Self::opening_at(bare.from) }
    }

    fn judge_bare(&mut self, bare: &Bare, end: usize) -> bool {
        let opening = self.bare_opening(bare);
        let outcome = self.outcome_so_far(bare);
        if !self.is_guided(bare.number) && (!ends_its_fence(&bare.reading) || !self.is_clean(&outcome, false)) {
            return self.drop_bare(bare);
        }
        self.end_bare(bare, end, opening.dialect, outcome);
        true
    }

    /// The block of a bare message, or of a headless one, has ended.
    fn end_bare(&mut self, bare: &Bare, end: usize, dialect: usize, outcome: Outcome) {
        while self.at < bare.from {
            let Some(each) = self.source.char(self.at) else { break };
            self.text_char(self.at, each);
        }
        self.at = bare.from;
        self.take_out(end, Kind::Block { dialect, outcome });
        self.after_block = true;
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
                let text = Some((behind, behind + at));
                self.take_out(behind + at + content.len(), Kind::Reasoning { text, codes: Vec::new() });
                self.state = State::Prose;
            }
            (_, Some(at)) => {
                let text = Some((behind, behind + at));
                self.take_out(behind + at, Kind::Reasoning { text, codes: Vec::new() });
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

/// The members with which a call value of a dialect can begin.
fn members(dialect: &Dialect) -> impl Iterator<Item = &str> {
    let own = dialect.names.iter().chain(&dialect.arguments).chain(&dialect.nested).map(String::as_str);
    own.chain(dialect.calls.iter().flat_map(|[member, one, _]| [member.as_str(), one.as_str()]))
        .chain(dialect.opener.is_none().then_some(["type", "id"]).into_iter().flatten())
}
