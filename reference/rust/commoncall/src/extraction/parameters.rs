//! Payloads of parameters.

use super::descriptors::{Dialect, Kind};
use super::json::{JsonReader, Step};
use super::markers::{Markers, Seen, Source, unquoted, without_attributes};
use crate::shared::text::is_json_space;
use std::collections::HashSet;

/// A parameter: its name as it stands, and where its text is.
#[derive(Clone, Debug)]
pub(super) struct Param {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) kind: Kind,
}

impl Param {
    /// The name without what stands around it. Attributes stay where they may be what the text lacks.
    pub(super) fn bare_name(&self) -> &str {
        let is_blank = self.text.chars().all(is_json_space);
        unquoted(if is_blank { self.name.trim() } else { without_attributes(&self.name) })
    }
}

#[derive(Clone, Copy, PartialEq)]
enum At {
    Line,
    Between,
    Json,
    Name,
    Begin,
    Text,
}

#[derive(Clone)]
pub(super) struct ParametersReader {
    at: usize,
    state: At,
    dialect: usize,
    from: usize,
    text_from: usize,
    name: String,
    kind: Kind,
    end: String,
    /// The quoted blocks that are open in the text.
    quoted: usize,
    pub(super) line: Option<String>,
    /// Whether the `value_end` before the closer was misspelt or missing, or ended no value.
    pub(super) end_repaired: bool,
    /// The names of the tags that begin in the text, as far as `seen`.
    begun: HashSet<String>,
    seen: usize,
    /// Whether the payload ended at the closer of a wrapper.
    pub(super) open: bool,
    /// What ends the text that is read.
    value_end: String,
    pub(super) params: Vec<Param>,
    /// What reads JSON in the place of parameters, and the text that has to stand behind it.
    pub(super) json: Option<Box<JsonReader>>,
    json_end: String,
}

/// Whether a payload of parameters begins here, behind an opener that ends at `behind`.
pub(super) fn begins(source: &Source, at: usize, behind: usize, dialect: &Dialect, is_closer: bool) -> Seen<()> {
    if is_closer && !dialect.name_in_first_line {
        return Seen::Yes(());
    }
    if dialect.name_in_first_line {
        let begins = source.byte(at) == Some(b'{') || begins_line(source, at, behind);
        return if begins { Seen::Yes(()) } else { Seen::No };
    }
    match json_begin(source, at, dialect) {
        Seen::Yes(_) => Seen::Yes(()),
        Seen::Wait => Seen::Wait,
        Seen::No => source.literal(at, &dialect.name_begin).map(|_| ()),
    }
}

/// Where JSON begins behind what can stand before it, and what has to stand behind it (D46.7).
fn json_begin<'a>(source: &Source, at: usize, dialect: &'a Dialect) -> Seen<(usize, &'a str)> {
    if source.byte(at) == Some(b'{') {
        return Seen::Yes((at, ""));
    }
    dialect.json.as_ref().map_or(Seen::No, |(begin, end)| source.literal(at, begin).map(|behind| (behind, end.as_str())))
}

/// The names of the tags that begin in a text.
fn names_begun(text: &str) -> impl Iterator<Item = &str> {
    text.split('<').skip(1).map(|rest| &rest[..rest.bytes().take_while(|each| is_of_name(*each)).count()])
}

/// Whether a byte can stand in a name of a tag, of a header, or of a first line.
pub(super) fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-.".contains(&byte)
}

/// Where a `name_begin` ends that stands here. In elements no name begins with a slash.
pub(super) fn name_begin(source: &Source, at: usize, dialect: &Dialect) -> Seen<usize> {
    match source.literal(at, &dialect.name_begin) {
        Seen::Yes(behind) if dialect.elements => match source.byte(behind) {
            None => source.short(),
            Some(b'/') => Seen::No,
            Some(_) => Seen::Yes(behind),
        },
        other => other,
    }
}

/// Whether a word stands here that can begin a line: directly behind an opener, or behind a line feed.
pub(super) fn begins_line(source: &Source, at: usize, behind: usize) -> bool {
    let begins = source.char(at).is_some_and(|each| each == '_' || is_letter_or_digit(each));
    begins && (at == behind || source.slice(behind, at).contains('\n'))
}

/// Whether a character is a letter or digit of the vocabulary.
pub(super) fn is_letter_or_digit(each: char) -> bool {
    if each.is_ascii() {
        return each.is_ascii_alphanumeric();
    }
    let code = u32::from(each);
    code > 0x7F
        && !each.is_whitespace()
        && !matches!(
            code,
            0xAB | 0xBB
                | 0x200B..=0x206F
                | 0x2190..=0x245F
                | 0x2500..=0x2775
                | 0x2794..=0x2BFF
                | 0x3001..=0x3003
                | 0x3008..=0x301F
                | 0xD800..=0xDFFF
                | 0xFEFF
                | 0xFF01..=0xFF0F
                | 0xFF1A..=0xFF20
                | 0x1F300..=0x1FAFF
        )
}

impl ParametersReader {
    pub(super) fn new(at: usize, number: usize, dialect: &Dialect, is_line: bool) -> Self {
        Self {
            at,
            state: if is_line && dialect.name_in_first_line { At::Line } else { At::Between },
            dialect: number,
            from: at,
            text_from: at,
            name: String::new(),
            kind: Kind::Typed,
            end: String::new(),
            quoted: 0,
            line: None,
            end_repaired: false,
            begun: HashSet::new(),
            seen: at,
            open: false,
            value_end: dialect.value_end.clone(),
            params: Vec::new(),
            json: None,
            json_end: String::new(),
        }
    }

    /// `wrappers` are the wrappers that are open around the block.
    pub(super) fn read(&mut self, source: &Source, markers: &Markers, dialect: &Dialect, wrappers: &[(usize, bool)]) -> Step {
        loop {
            let step = match self.state {
                At::Line => self.read_line(source),
                At::Between => self.read_between(source, markers, dialect, wrappers),
                At::Json => self.read_json(source, markers),
                At::Name => self.read_name(source, dialect),
                At::Begin => self.read_begin(source, dialect),
                At::Text => self.read_text(source, markers, dialect, wrappers),
            };
            match step {
                Some(Step::Wait) if source.ended && self.state == At::Text => {
                    return self.missing_end(source, markers, dialect).unwrap_or(Step::Wait);
                }
                Some(step) => return step,
                None => {}
            }
        }
    }

    /// The end of a payload whose last text has none: at its first own closer, if nothing else can have been meant (D47.6).
    fn missing_end(&mut self, source: &Source, markers: &Markers, dialect: &Dialect) -> Option<Step> {
        if !self.end.is_empty() {
            return None;
        }
        let own = |at: usize| match own_closer(source, markers, at, self.dialect) {
            Seen::Yes(end) => Some((at, end)),
            _ => None,
        };
        let (at, end) = source.from(self.text_from).char_indices().find_map(|(length, _)| own(self.text_from + length))?;
        let text = source.slice(self.text_from, at);
        if ["</", "|>", &dialect.name_begin, &self.value_end].iter().any(|each| text.contains(each)) {
            return None;
        }
        let mut place = source.skip_space(end);
        while place < source.len() {
            match markers.at(source, place) {
                Seen::Yes(marker) if marker.token || !marker.closers.is_empty() => place = source.skip_space(marker.end),
                _ => return None,
            }
        }
        // Of all other values the line end goes with those at their ends.
        let line = text.strip_suffix('\n').filter(|_| dialect.keeps_ends);
        let text = line.map_or(text, |line| line.strip_suffix('\r').unwrap_or(line)).to_owned();
        self.params.push(Param { name: std::mem::take(&mut self.name), text, kind: self.kind });
        self.end_repaired = true;
        Some(Step::End(end))
    }

    fn read_line(&mut self, source: &Source) -> Option<Step> {
        let mut count = 0;
        for (place, each) in source.from(self.from).char_indices() {
            if matches!(each, '\n' | '<' | '{') {
                self.line = Some(source.slice(self.from, self.from + place).to_owned());
                self.at = self.from + place;
                self.state = At::Between;
                return None;
            }
            count += 1;
            if count > 128 {
                return Some(Step::Error(self.from + place));
            }
        }
        Some(Step::Wait)
    }

    fn read_between(&mut self, source: &Source, markers: &Markers, dialect: &Dialect, wrappers: &[(usize, bool)]) -> Option<Step> {
        let behind_parameter = self.at;
        let around = if self.params.is_empty() { &[] } else { wrappers };
        let place = source.skip_space(self.at);
        if self.params.is_empty() {
            match json_begin(source, place, dialect) {
                Seen::Yes((behind, end)) => {
                    (self.state, self.at) = (At::Json, behind);
                    end.clone_into(&mut self.json_end);
                    return None;
                }
                Seen::Wait => return Some(Step::Wait),
                Seen::No => {}
            }
        }
        match name_begin(source, place, dialect) {
            Seen::Yes(behind) => {
                (self.state, self.from, self.at) = (At::Name, behind, behind);
                self.begun.clear();
                return None;
            }
            Seen::Wait => return Some(Step::Wait),
            Seen::No => {}
        }
        match closer_at(source, markers, place, self.dialect, wrappers) {
            Seen::Yes((end, true)) => Some(Step::End(end)),
            Seen::Yes((_, false)) if !self.params.is_empty() => {
                self.open = true;
                Some(Step::End(behind_parameter))
            }
            Seen::Wait => Some(Step::Wait),
            Seen::No if is_cut_before(source, markers, place, dialect, self.dialect, around) => {
                self.open = true;
                Some(Step::End(behind_parameter))
            }
            Seen::No if dialect.name_in_first_line && self.params.is_empty() => {
                Some(self.stray_end(source, markers, place, dialect))
            }
            Seen::No if place == source.len() || is_cut(source, place, dialect) => Some(Step::Wait),
            Seen::Yes(_) | Seen::No => Some(Step::Error(place)),
        }
    }

    /// JSON in the place of parameters.
    fn read_json(&mut self, source: &Source, markers: &Markers) -> Option<Step> {
        if self.json.is_none() {
            self.at = source.skip_space(self.at);
            match source.byte(self.at) {
                None => return Some(Step::Wait),
                Some(b'{') => self.json = Some(Box::new(JsonReader::new(self.at, None, None))),
                Some(_) => return Some(Step::Error(self.at)),
            }
        }
        let step = self.json.as_mut()?.read(source, markers);
        let Step::End(end) = step else { return Some(step) };
        if self.json_end.is_empty() {
            return Some(step);
        }
        let place = source.skip_space(end);
        Some(match source.literal(place, &self.json_end) {
            Seen::Yes(behind) => Step::End(behind),
            Seen::Wait => Step::Wait,
            Seen::No if self.json_end.starts_with(source.from(place)) => Step::Wait,
            Seen::No => Step::Error(place),
        })
    }

    /// The end of a payload without parameters that has a `value_end` before the own closer (D46.6).
    fn stray_end(&mut self, source: &Source, markers: &Markers, at: usize, dialect: &Dialect) -> Step {
        let behind = match source.literal(at, &dialect.value_end) {
            Seen::Yes(behind) => source.skip_space(behind),
            Seen::No if !dialect.value_end.starts_with(source.from(at)) && !is_cut(source, at, dialect) => return Step::Error(at),
            Seen::No | Seen::Wait => return Step::Wait,
        };
        match own_closer(source, markers, behind, self.dialect) {
            Seen::Yes(end) => {
                self.end_repaired = true;
                Step::End(end)
            }
            Seen::Wait => Step::Wait,
            Seen::No if behind == source.len() || closer_is_cut(source, behind, dialect) => Step::Wait,
            Seen::No => Step::Error(at),
        }
    }

    fn read_name(&mut self, source: &Source, dialect: &Dialect) -> Option<Step> {
        let (mut count, mut named, mut line) = (0, false, false);
        let mut mark = None;
        let takes_marks = !dialect.name_end.starts_with(['"', '\'']);
        for (place, each) in source.from(self.from).char_indices() {
            let place = self.from + place;
            match source.literal(place, &dialect.name_end) {
                _ if mark.is_some() => {}
                Seen::Yes(behind) => {
                    self.name = source.slice(self.from, place).to_owned();
                    if dialect.elements {
                        self.value_end = format!("{}{}{}", dialect.value_end, self.name, dialect.name_end);
                    }
                    (self.state, self.at) = (At::Begin, behind);
                    return None;
                }
                Seen::Wait => return Some(Step::Wait),
                Seen::No
                    if source.from(place).len() < dialect.name_end.len() && dialect.name_end.starts_with(source.from(place)) =>
                {
                    return Some(Step::Wait);
                }
                Seen::No => {}
            }
            count += 1;
            let space = is_json_space(each);
            line = line || named && each == '\n';
            if mark.is_some() {
                mark = mark.filter(|sign| *sign != each);
            } else if takes_marks && !named && matches!(each, '"' | '\'') {
                mark = Some(each);
            }
            if each == '<' || count > 128 || line && !space {
                return Some(Step::Error(place));
            }
            named = named || !space;
        }
        Some(Step::Wait)
    }

    fn read_begin(&mut self, source: &Source, dialect: &Dialect) -> Option<Step> {
        let bare = !dialect.listed_begins && dialect.value_begins.iter().all(|each| each.text.is_empty());
        let place = if dialect.listed_begins || bare { self.at } else { source.skip_space(self.at) };
        let mut cut = false;
        for begin in &dialect.value_begins {
            match source.literal(place, &begin.text) {
                Seen::Yes(behind) => {
                    (self.kind, self.end) = (begin.kind, begin.end.clone());
                    (self.state, self.text_from, self.at) = (At::Text, behind, behind);
                    return None;
                }
                Seen::Wait => return Some(Step::Wait),
                Seen::No => cut = cut || source.from(place).len() < begin.text.len() && begin.text.starts_with(source.from(place)),
            }
        }
        if cut {
            return Some(Step::Wait);
        }
        if dialect.bare_value && source.byte(place) != Some(b'<') {
            (self.kind, self.end) = (Kind::Typed, String::new());
            (self.state, self.text_from, self.at) = (At::Text, place, place);
            return None;
        }
        Some(Step::Error(place))
    }

    fn read_text(&mut self, source: &Source, markers: &Markers, dialect: &Dialect, wrappers: &[(usize, bool)]) -> Option<Step> {
        loop {
            let Some(byte) = source.byte(self.at) else { return Some(Step::Wait) };
            if self.value_end.as_bytes().first() == Some(&byte) {
                match self.ends_value(source, markers, dialect, wrappers) {
                    Seen::Yes(Some(end)) => {
                        let text = source.slice(self.text_from, end - self.end.len()).to_owned();
                        self.params.push(Param { name: std::mem::take(&mut self.name), text, kind: self.kind });
                        self.at = end + self.value_end.len();
                        self.state = At::Between;
                        return None;
                    }
                    Seen::Yes(None) => {
                        self.at += self.value_end.len();
                        continue;
                    }
                    Seen::Wait => return Some(Step::Wait),
                    Seen::No => {}
                }
            }
            if byte == b'<' && self.quoted == 0 && self.end.is_empty() {
                match self.misspelt_end(source, markers, dialect) {
                    Seen::Yes(behind) => {
                        let from = self.seen.max(self.text_from);
                        self.begun.extend(names_begun(source.slice(from, self.at)).map(str::to_owned));
                        self.seen = self.at;
                        if !self.begun.contains(source.slice(self.at + "</".len(), behind - ">".len())) {
                            let text = source.slice(self.text_from, self.at).to_owned();
                            self.params.push(Param { name: std::mem::take(&mut self.name), text, kind: self.kind });
                            self.at = behind;
                            self.end_repaired = true;
                            self.state = At::Between;
                            return None;
                        }
                    }
                    Seen::Wait => return Some(Step::Wait),
                    Seen::No => {}
                }
            }
            if markers.can_begin_at(source, self.at) {
                match self.quoted_begin(source, markers, dialect) {
                    Seen::Yes(behind) => {
                        self.quoted += 1;
                        self.at = behind;
                        continue;
                    }
                    Seen::Wait => return Some(Step::Wait),
                    Seen::No => {}
                }
            }
            self.at += source.char(self.at).map_or(1, char::len_utf8);
        }
    }

    /// What a `value_end` here ends: the text (`Some`), a quoted block or nothing (`None`).
    fn ends_value(
        &mut self,
        source: &Source,
        markers: &Markers,
        dialect: &Dialect,
        wrappers: &[(usize, bool)],
    ) -> Seen<Option<usize>> {
        let behind = match source.literal(self.at, &self.value_end) {
            Seen::Yes(behind) => behind,
            Seen::Wait => return Seen::Wait,
            Seen::No => return Seen::No,
        };
        let place = source.skip_space(behind);
        if place == source.len() {
            return if source.ended { Seen::Yes(None) } else { Seen::Wait };
        }
        let closer = match closer_at(source, markers, place, self.dialect, wrappers) {
            Seen::Wait => return Seen::Wait,
            Seen::Yes((_, own)) => Some(own),
            Seen::No => None,
        };
        let closes = closer.is_some();
        if self.quoted > 0 {
            self.quoted -= usize::from(closer == Some(true));
            return Seen::Yes(None);
        }
        let goes_on = match name_begin(source, place, dialect) {
            Seen::Wait => return Seen::Wait,
            Seen::Yes(_) => true,
            Seen::No => false,
        };
        let ends = self.end.is_empty() || source.slice(self.text_from, self.at).ends_with(self.end.as_str());
        let goes_on = goes_on || !closes && is_cut_before(source, markers, place, dialect, self.dialect, wrappers);
        Seen::Yes((ends && (closes || goes_on)).then_some(self.at))
    }

    /// Where a misspelt `value_end` ends that stands here, directly before the own closer.
    fn misspelt_end(&self, source: &Source, markers: &Markers, dialect: &Dialect) -> Seen<usize> {
        let Some(word) = dialect.value_end.strip_prefix("</").and_then(|rest| rest.strip_suffix('>')) else { return Seen::No };
        if word.contains(['<', '>']) {
            return Seen::No;
        }
        match source.literal(self.at, "</") {
            Seen::Yes(_) => {}
            other => return other,
        }
        let rest = source.from(self.at + 2);
        let mut wait = false;
        for begin in [word, "param"] {
            if !source.ended && begin.starts_with(rest) {
                wait = true;
            }
            let Some(more) = rest.strip_prefix(begin) else { continue };
            let length = more.bytes().take(33).take_while(|each| is_of_name(*each)).count();
            if length > 32 {
                continue;
            }
            let end = self.at + 2 + begin.len() + length;
            if end == source.len() {
                wait = wait || !source.ended;
                continue;
            }
            if source.byte(end) != Some(b'>') {
                continue;
            }
            let place = source.skip_space(end + 1);
            if place == source.len() {
                return source.short();
            }
            return own_closer(source, markers, place, self.dialect).map(|_| end + 1);
        }
        if wait { Seen::Wait } else { Seen::No }
    }

    /// Whether a quoted block begins here: an own opener with a `name_begin` behind it.
    fn quoted_begin(&self, source: &Source, markers: &Markers, dialect: &Dialect) -> Seen<usize> {
        let opener = match markers.at(source, self.at) {
            Seen::Yes(marker) => match marker.opener {
                Some(opener) if opener.dialect == self.dialect && !opener.section => opener,
                _ => return Seen::No,
            },
            Seen::Wait => return Seen::Wait,
            Seen::No => return Seen::No,
        };
        let mut place = source.skip_space(opener.to);
        if dialect.name_in_first_line {
            if place == source.len() {
                return source.short();
            }
            if !begins_line(source, place, opener.to) {
                return Seen::No;
            }
            let line = source.from(place).char_indices().take(129).find(|(_, each)| matches!(each, '\n' | '<'));
            match line {
                Some((length, _)) => place = source.skip_space(place + length),
                None if source.from(place).chars().nth(129).is_some() => return Seen::No,
                None => return source.short(),
            }
        }
        if place == source.len() {
            return source.short();
        }
        source.literal(place, &dialect.name_begin)
    }
}

/// Where a closer ends that stands here, of the block or of a wrapper around it, and whether it is an own one.
fn closer_at(source: &Source, markers: &Markers, at: usize, dialect: usize, wrappers: &[(usize, bool)]) -> Seen<(usize, bool)> {
    match markers.at(source, at) {
        Seen::Yes(marker) if marker.closers.contains(&(dialect, false)) => Seen::Yes((marker.end, true)),
        Seen::Yes(marker) if marker.closers.iter().any(|closer| wrappers.contains(closer)) => Seen::Yes((marker.end, false)),
        Seen::Wait => Seen::Wait,
        _ => Seen::No,
    }
}

/// Where an own closer ends that stands here.
fn own_closer(source: &Source, markers: &Markers, at: usize, dialect: usize) -> Seen<usize> {
    closer_at(source, markers, at, dialect, &[]).map(|(end, _)| end)
}

/// Whether the text ends in the own closer of a dialect, or in that of a wrapper, where no parameter can begin so (D46.9).
pub(super) fn is_cut_before(
    source: &Source,
    markers: &Markers,
    at: usize,
    dialect: &Dialect,
    number: usize,
    wrappers: &[(usize, bool)],
) -> bool {
    let rest = source.from(at);
    let ends_in = |closers: &[(usize, bool)]| markers.cuts_one(source, at, closers);
    !dialect.name_begin.starts_with(rest) && (ends_in(&[(number, false)]) || ends_in(wrappers))
}

/// Whether the text ends in a literal text or the closer that begins here.
fn is_cut(source: &Source, at: usize, dialect: &Dialect) -> bool {
    closer_is_cut(source, at, dialect)
        || source.from(at).len() < dialect.name_begin.len() && dialect.name_begin.starts_with(source.from(at))
}

/// Whether the text ends in the closer that begins here.
fn closer_is_cut(source: &Source, at: usize, dialect: &Dialect) -> bool {
    let mut open = Source::whole(source.from(at));
    open.ended = false;
    open.len() <= 400 && dialect.closer.as_ref().is_some_and(|closer| closer.at(&open, 0) == Seen::Wait)
}
