//! Tags that no dialect knows, around nothing but blocks (EXT-300).

use super::super::markers::Seen;
use super::{Current, Item, Kind, Machine, State};
use crate::shared::text::is_json_space;

/// The longest name of such a tag.
const LONGEST: usize = 64;

/// What can be the opening tag of a pair: the last `<` of the text, and where the last visible character behind it ends.
#[derive(Clone, Copy, Default)]
pub(super) struct Trail {
    from: Option<usize>,
    visible: usize,
}

/// What can be a pair, with at least one block in it.
#[derive(Clone)]
pub(super) struct Pair {
    from: usize,
    /// The closing tag.
    closer: String,
    dialect: usize,
    /// The number of the first item behind the tag.
    first: usize,
    /// Where the last item ends.
    last: usize,
}

/// The length of an opening tag with its name, or of the name alone where the text ends in it.
fn tag_length(text: &str) -> Option<(usize, bool)> {
    name_length(text.strip_prefix('<')?).map(|(length, whole)| (length + 1 + usize::from(whole), whole))
}

/// The length of the name of a tag, and whether it ends before the text does.
fn name_length(inner: &str) -> Option<(usize, bool)> {
    let of_name = |each: &char| each.is_ascii_alphanumeric() || matches!(each, '_' | '-' | '.' | ':' | '｜');
    let length = inner.chars().take(LONGEST + 1).take_while(of_name).map(char::len_utf8).sum();
    let is_first = |first: char| first.is_ascii_alphabetic() || first == '｜';
    if inner[..length].chars().count() > LONGEST || inner.chars().next().is_some_and(|first| !is_first(first)) {
        return None;
    }
    match inner.as_bytes().get(length) {
        Some(b'>') if length > 0 => Some((length, true)),
        None => Some((length, false)),
        Some(_) => None,
    }
}

/// Where the opening tag begins that a text ends with.
pub(super) fn tag_before(text: &str) -> Option<usize> {
    let begin = text.len().saturating_sub(LONGEST * '｜'.len_utf8() + 2);
    let from = begin + text.as_bytes()[begin..].iter().rposition(|&each| each == b'<').filter(|_| text.ends_with('>'))?;
    tag_length(&text[from..]).is_some_and(|(length, whole)| whole && from + length == text.len()).then_some(from)
}

impl Machine {
    /// Text has come, from one place to another.
    pub(super) fn trail(&mut self, from: usize, to: usize) {
        let text = self.source.slice(from, to);
        if let Some(place) = text.rfind('<') {
            self.trail.from = Some(from + place);
        }
        let shown = text.trim_end_matches(is_json_space);
        if !shown.is_empty() {
            self.trail.visible = from + shown.len();
        }
    }

    /// The opening tag that the text before a place ends with, and white space, or its begin there.
    fn last_tag(&self, at: usize) -> Option<(usize, bool)> {
        let Trail { from, visible } = self.trail;
        let from = from.filter(|from| self.items.last().is_none_or(|item| item.to <= *from))?;
        let text = self.source.slice(from, visible.max(from));
        let (length, whole) = tag_length(text).filter(|(length, _)| *length == text.len())?;
        if whole { self.is_foreign(&text[1..length - 1]) } else { visible == at }.then_some((from, whole))
    }

    fn is_foreign(&self, name: &str) -> bool {
        self.markers.is_foreign(name)
    }

    /// From where on the text waits for what follows, as it can be a pair or its begin.
    pub(super) fn held(&self) -> usize {
        if self.holds_nothing() || !self.markers.has_pairs() {
            return usize::MAX;
        }
        let tag = || self.last_tag(self.at).map(|(from, _)| from);
        self.pair.as_ref().map(|pair| pair.from).or_else(tag).unwrap_or(usize::MAX)
    }

    /// Whether what begins at a place can stand in a pair.
    pub(super) fn is_in_pair(&self, at: usize) -> bool {
        self.pair.is_some() || self.markers.has_pairs() && self.last_tag(at).is_some_and(|(_, whole)| whole)
    }

    /// An item comes: it stands in the pair, begins one, or there is none.
    pub(super) fn pair_with(&mut self, item: &Item) {
        let lines = self.items.iter().map(|item| &item.kind).chain([&item.kind]);
        let stands = match item.kind {
            Kind::Message | Kind::Reasoning { .. } => false,
            Kind::Line => lines.filter(|kind| matches!(kind, Kind::Line)).count() == 1,
            _ => true,
        };
        if let Some(pair) = &mut self.pair {
            if stands && self.source.skip_space(pair.last) >= item.from {
                pair.last = item.to;
            } else {
                self.pair = None;
            }
            return;
        }
        let (Kind::Block { dialect, .. } | Kind::Tag { dialect }) = item.kind else { return };
        let tag = self.last_tag(item.from).filter(|(_, whole)| *whole && self.markers.has_pairs());
        self.pair = tag.map(|(from, _)| {
            let name = &self.source.slice(from, self.trail.visible)[1..];
            Pair { from, closer: format!("</{name}"), dialect, first: self.items.len(), last: item.to }
        });
    }

    /// Whether the closing tag of a pair stands at a place.
    pub(super) fn pair_end(&self, at: usize) -> Seen<usize> {
        let Some(pair) = &self.pair else { return Seen::No };
        self.source.literal(at, &pair.closer)
    }

    /// The closing tag of a pair stands from a place on: its tags and the white space in it go.
    pub(super) fn end_pair(&mut self, at: usize, end: usize) {
        let pair = self.pair.take();
        while self.at < end {
            let Some(each) = self.source.char(self.at) else { break };
            self.text_char(self.at, each);
        }
        self.close_pair(pair, at, end);
    }

    /// What is left of a pair behind a block that is rejected before text, where reading goes on: its closing tag may be
    /// the begin of that text.
    pub(super) fn pair_behind(&mut self, current: &Current, to: usize) -> Option<Pair> {
        let pair = self.pair.take().filter(|pair| pair.last >= current.opening.to)?;
        let at = self.source.skip_space(pair.last);
        if at >= to {
            return Some(pair);
        }
        if let Seen::Yes(end) = self.source.literal(at, &pair.closer) {
            self.close_pair(Some(pair), at, end);
        }
        None
    }

    fn close_pair(&mut self, pair: Option<Pair>, at: usize, end: usize) {
        let Some(pair) = pair else { return };
        let Pair { from, closer, dialect, first, .. } = pair;
        let inside = self.items.split_off(first);
        self.runs.get_mut().truncate(first);
        let mut place = from + closer.len() - 1;
        self.items.push(Item { from, to: place, kind: Kind::Tag { dialect } });
        for item in inside {
            let to = item.to;
            if place < item.from {
                self.items.push(Item { from: place, to: item.from, kind: Kind::Space });
            }
            self.items.push(item);
            place = to;
        }
        if place < at {
            self.items.push(Item { from: place, to: at, kind: Kind::Space });
        }
        if at < end {
            self.items.push(Item { from: at, to: end, kind: Kind::Tag { dialect } });
        }
        self.trail = Trail::default();
    }

    /// Where the closing tag of no dialect ends that stands at a place.
    pub(super) fn strange_closer(&self, at: usize) -> Seen<usize> {
        let begin = match self.source.literal(at, "</") {
            Seen::Yes(begin) if self.markers.has_pairs() => begin,
            Seen::Wait if self.markers.has_pairs() => return Seen::Wait,
            _ => return Seen::No,
        };
        match name_length(self.source.from(begin)) {
            Some((length, true)) if self.is_foreign(self.source.slice(begin, begin + length)) => Seen::Yes(begin + length + 1),
            Some((_, false)) => self.source.short(),
            _ => Seen::No,
        }
    }

    /// A block has ended with the closing tag of no dialect, from one place to another, which can be that of its pair (D70.4).
    pub(super) fn end_pair_in_block(&mut self, at: usize, end: usize) {
        let tag = self.source.slice(at, end);
        if self.pair.as_ref().is_some_and(|pair| pair.last == end && pair.closer == tag) {
            let pair = self.pair.take();
            self.close_pair(pair, end, end);
        }
    }

    /// Whether the begin of the text waits, as it can be that of a bare message or the opening tag of a pair around one.
    pub(super) fn waits_at_begin(&self) -> bool {
        let waits = |number| matches!(self.bare_reading(number, self.at), Seen::Wait);
        let begins = self.state == State::Prose && self.fresh.1;
        begins && (self.foreign_tag(self.at) == Seen::Wait || (0..self.setup.bare.len()).any(waits))
    }

    /// The opening tag at a place that says that calls follow: where what stands behind it and white space begins, and its
    /// closing tag (D40.1).
    pub(super) fn foreign_tag(&self, at: usize) -> Seen<(usize, String)> {
        if !self.markers.has_pairs() || self.source.byte(at) != Some(b'<') {
            return Seen::No;
        }
        match self.markers.at(&self.source, at) {
            Seen::Yes(_) => return Seen::No,
            Seen::Wait => return Seen::Wait,
            Seen::No => {}
        }
        let Some((length, whole)) = tag_length(self.source.from(at)) else { return Seen::No };
        if !whole {
            return self.source.short();
        }
        let tag = self.source.slice(at, at + length);
        let begin = self.source.skip_space(at + length);
        let name = &tag[1..length - 1];
        let lower = name.to_ascii_lowercase();
        let says_calls = lower.ends_with("call") || lower.ends_with("calls") || lower == "tool_code";
        if !says_calls || !self.is_foreign(name) {
            return Seen::No;
        }
        if begin == self.source.len() { self.source.short() } else { Seen::Yes((begin, format!("</{}", &tag[1..]))) }
    }
}
