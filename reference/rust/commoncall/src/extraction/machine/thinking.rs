//! Reasoning: where it ends, and the calls at its end.

use std::sync::Arc;

use super::super::markers::{Marker, Pattern, Seen};
use super::{Item, Kind, Machine, State};

/// Reasoning that has begun.
pub(super) struct Thinking {
    from: usize,
    text_from: usize,
    close: Option<Pattern>,
    by_message: bool,
    child: Machine,
    fed: usize,
    /// Whether it is clear that no opener repeats what the prompt or the opener said.
    begun: bool,
    /// Of its opener, where that is not only in the prompt.
    number: Option<usize>,
    /// What can still follow its opener.
    label: Option<String>,
    tail: Option<Tail>,
}

/// Calls at the end of reasoning, behind which a closer came.
struct Tail {
    close: (usize, usize),
    look: usize,
    items: Vec<Item>,
}

/// The calls with which the text up to the end of an item ends.
#[derive(Clone, Copy, Default)]
pub(super) struct Run {
    /// The number of their first item.
    first: Option<usize>,
    /// The number of the first tag or white space that a call directly behind the item would take along.
    tags: Option<usize>,
}

impl Machine {
    fn child(&self) -> Self {
        let markers = Arc::new(self.setup.markers.without_reasoning());
        Self::with(Arc::clone(&self.setup), markers, true)
    }

    pub(super) fn begin_prompted(&mut self) {
        let close = self.setup.closes.first().cloned();
        self.start(0, 0, close, self.setup.closes.is_empty(), None);
    }

    pub(super) fn begin_reasoning(&mut self, marker: &Marker) {
        let number = marker.reasoning.unwrap_or(0);
        let close = self.setup.closes.get(number).cloned();
        (self.mark, self.pair) = (None, None);
        self.start(self.at, marker.end, close, number == usize::MAX, Some(number));
    }

    fn start(&mut self, from: usize, text_from: usize, close: Option<Pattern>, by_message: bool, number: Option<usize>) {
        let child = self.child();
        let (begun, fed, label) = (false, text_from, self.label(number.unwrap_or(0)));
        self.thinking =
            Some(Box::new(Thinking { from, text_from, close, by_message, child, fed, begun, number, label, tail: None }));
        self.state = State::Reasoning;
    }

    fn label(&self, number: usize) -> Option<String> {
        self.setup.labels.get(number).filter(|label| !label.is_empty()).cloned()
    }

    pub(super) fn think(&mut self) -> bool {
        let Some(mut thinking) = self.thinking.take() else { return self.lost() };
        let goes_on = self.think_on(&mut thinking);
        if self.state == State::Reasoning {
            self.thinking = Some(thinking);
        }
        goes_on
    }

    fn think_on(&mut self, thinking: &mut Thinking) -> bool {
        if thinking.tail.is_some() {
            return self.read_tail(thinking);
        }
        while !thinking.begun {
            let at = thinking.number.map_or_else(|| self.source.skip_space(0), |_| thinking.text_from);
            if at == self.source.len() && !self.source.ended {
                return false;
            }
            match self.markers.at(&self.source, at) {
                Seen::Wait => return false,
                Seen::Yes(Marker { reasoning: Some(number), end, .. })
                    if thinking.number.is_none_or(|own| own == number && !thinking.by_message) =>
                {
                    thinking.number = Some(number);
                    (thinking.text_from, thinking.fed) = (end, end);
                    thinking.label = self.label(number);
                    thinking.close = self.setup.closes.get(number).cloned();
                    thinking.by_message = number == usize::MAX;
                }
                _ => thinking.begun = true,
            }
        }
        if let Some(label) = &thinking.label {
            match self.label_end(thinking, label) {
                Seen::Wait => return false,
                Seen::Yes(end) => (thinking.text_from, thinking.fed) = (end, end),
                Seen::No => {}
            }
            thinking.label = None;
        }
        loop {
            let Some(at) = self.next_special(thinking) else {
                self.feed(thinking, self.source.len());
                if !self.source.ended {
                    return false;
                }
                return self.end_open(thinking);
            };
            self.feed(thinking, at);
            if let Some(close) = &thinking.close {
                match close.at(&self.source, at) {
                    Seen::Yes(end) => return self.close(thinking, at, end),
                    Seen::Wait => return false,
                    Seen::No => {}
                }
            }
            if thinking.by_message {
                if let Some(messages) = &self.setup.messages {
                    match messages.message_end(&self.source, at, false) {
                        Seen::Yes(end) => return self.close(thinking, at, end),
                        Seen::Wait => return false,
                        Seen::No => {}
                    }
                }
            }
            for token in &self.setup.answer {
                match self.source.literal(at, token) {
                    Seen::Yes(_) => return self.close(thinking, at, at),
                    Seen::Wait => return false,
                    Seen::No => {}
                }
            }
            self.feed(thinking, at + self.source.char(at).map_or(1, char::len_utf8));
        }
    }

    /// Behind a label before a line feed, which belongs to it, or a closer.
    fn label_end(&self, thinking: &Thinking, label: &str) -> Seen<usize> {
        let Seen::Yes(end) = self.source.literal(thinking.text_from, label) else {
            return self.source.literal(thinking.text_from, label);
        };
        match (self.source.literal(end, "\n"), &thinking.close) {
            (Seen::No, Some(close)) => close.at(&self.source, end).map(|_| end),
            (found, _) => found,
        }
    }

    /// Reads reasoning up to a place, for the blocks in it where there can be some.
    fn feed(&self, thinking: &mut Thinking, to: usize) {
        if self.has_last_calls() {
            thinking.child.push(self.source.slice(thinking.fed, to));
        }
        thinking.fed = to;
    }

    /// The next place where the reasoning can end.
    fn next_special(&self, thinking: &Thinking) -> Option<usize> {
        let close = thinking.close.as_ref().map(Pattern::first);
        let bytes = self.source.text.as_bytes().get(thinking.fed..)?;
        let open = !self.setup.answer.is_empty();
        let special = |byte: &u8| Some(*byte) == close || (open || thinking.by_message) && self.markers.can_begin(*byte);
        bytes.iter().position(special).map(|at| thinking.fed + at)
    }

    /// Whether there can be blocks in reasoning.
    fn has_last_calls(&self) -> bool {
        self.setup.messages.is_none()
    }

    /// A closer of the reasoning, from `at` to `end`.
    fn close(&mut self, thinking: &mut Thinking, at: usize, end: usize) -> bool {
        thinking.child.end();
        if thinking.child.first_last_call().is_some() {
            thinking.tail = Some(Tail { close: (at, end), look: end, items: Vec::new() });
            return self.read_tail(thinking);
        }
        self.end_reasoning(thinking, at, end, Vec::new());
        true
    }

    fn end_reasoning(&mut self, thinking: &Thinking, at: usize, end: usize, codes: Vec<&'static str>) {
        let text = Some((thinking.text_from, at));
        self.code.feed_letter(thinking.from, true);
        self.wrappers.clear();
        (self.after_block, self.lone) = (false, true);
        self.pair = None;
        self.items.push(Item { from: thinking.from.min(end), to: end, kind: Kind::Reasoning { text, codes } });
        self.quotes.end_json();
        self.quotes.take_out();
        self.at = end;
        self.state = State::Prose;
    }

    /// What stands behind a closer that calls stand before: where it is only white space, closers and tokens up to the end,
    /// the closer does not count.
    fn read_tail(&mut self, thinking: &mut Thinking) -> bool {
        let Some(tail) = thinking.tail.as_mut() else { return false };
        loop {
            let at = self.source.skip_space(tail.look);
            if at == self.source.len() {
                if !self.source.ended {
                    return false;
                }
                let (from, to) = tail.close;
                let items = std::mem::take(&mut tail.items);
                self.adopt(thinking, Some((from, to)), items);
                return true;
            }
            if let Some(close) = &thinking.close {
                match close.at(&self.source, at) {
                    Seen::Yes(end) => {
                        tail.items.push(Item { from: at, to: end, kind: Kind::Reasoning { text: None, codes: Vec::new() } });
                        tail.look = end;
                        continue;
                    }
                    Seen::Wait => return false,
                    Seen::No => {}
                }
            }
            match self.markers.at(&self.source, at) {
                Seen::Wait => return false,
                Seen::Yes(marker) if marker.opener.is_none() && (!marker.closers.is_empty() || marker.token) => {
                    tail.items.push(Item { from: at, to: marker.end, kind: Kind::Token });
                    tail.look = marker.end;
                }
                _ => {
                    let (at, end) = tail.close;
                    self.end_reasoning(thinking, at, end, Vec::new());
                    return true;
                }
            }
        }
    }

    /// The reasoning ends before its last calls, which become blocks of the text.
    fn adopt(&mut self, thinking: &mut Thinking, close: Option<(usize, usize)>, behind: Vec<Item>) {
        let Some(first) = thinking.child.first_last_call() else { return };
        let base = thinking.text_from;
        let items: Vec<Item> = thinking.child.items.drain(first..).collect();
        let start = items.first().map_or(base, |item| base + item.from);
        self.end_reasoning(thinking, start, start, Vec::new());
        for mut item in items {
            item.from += base;
            item.to += base;
            if let Kind::Block { outcome, .. } = &mut item.kind {
                if !outcome.calls.is_empty() {
                    outcome.repairs.push("reasoning_unclosed");
                }
            }
            self.items.push(item);
        }
        if let Some((from, to)) = close.filter(|(from, to)| from < to) {
            self.items.push(Item { from, to, kind: Kind::Reasoning { text: None, codes: Vec::new() } });
        }
        self.items.extend(behind);
        self.at = self.source.len();
        self.state = State::Done;
    }

    /// The text ends in reasoning.
    fn end_open(&mut self, thinking: &mut Thinking) -> bool {
        thinking.child.end();
        let length = self.source.len();
        if thinking.child.first_last_call().is_some() {
            self.adopt(thinking, None, Vec::new());
            return true;
        }
        let blocks = thinking.child.items.iter().filter(|item| match &item.kind {
            Kind::Block { outcome, .. } => outcome.meant,
            _ => false,
        });
        let codes = std::iter::once("unclosed").chain(blocks.map(|_| "in_reasoning")).collect();
        self.end_reasoning(thinking, length, length, codes);
        self.state = State::Done;
        true
    }

    /// The first item of the last calls, where the text of reasoning ends with such.
    fn first_last_call(&self) -> Option<usize> {
        self.last_run().first
    }

    /// What the text of reasoning ends with.
    fn last_run(&self) -> Run {
        let is_space = |from: usize, to: usize| self.source.skip_space(from) >= to;
        let native = |codes: &[&str]| codes.contains(&"beside_native_calls");
        let mut runs = self.runs.borrow_mut();
        let behind = |number: usize| number.checked_sub(1).map_or(0, |before| self.items[before].to);
        for (number, item) in self.items.iter().enumerate().skip(runs.len()) {
            let last = runs.last().filter(|_| is_space(behind(number), item.from));
            let Run { first, tags } = last.copied().unwrap_or_default();
            runs.push(match &item.kind {
                Kind::Block { outcome, .. } if outcome.calls.is_empty() && !native(&outcome.codes) => Run::default(),
                Kind::Block { .. } => Run { first: first.or(tags).or(Some(number)), tags: None },
                Kind::Tag { .. } => Run { first, tags: tags.or(Some(number)) },
                Kind::Space | Kind::Token => Run { first, tags },
                _ => Run { first, tags: None },
            });
        }
        // What can still be a foreign pair is no text yet.
        let held = self.held();
        let count = self.items.partition_point(|item| item.from < held);
        let run = count.checked_sub(1).and_then(|last| runs.get(last));
        run.filter(|_| is_space(behind(count), self.at.min(held))).copied().unwrap_or_default()
    }

    /// From where to where the text of the reasoning is decided that has not ended.
    pub(in super::super) fn thought(&self) -> Option<(usize, usize)> {
        let thinking = self.thinking.as_ref().filter(|_| self.state == State::Reasoning)?;
        if !thinking.begun || thinking.label.is_some() {
            return None;
        }
        if !self.has_last_calls() {
            return Some((thinking.text_from, thinking.fed));
        }
        let child = &thinking.child;
        // The tags before a call are of the last calls with it.
        let Run { first, tags } = child.last_run();
        let limit = match first.or(tags) {
            Some(first) => child.decided().min(child.items[first].from),
            // Its begin waits for what can be a bare message, or for what stands in a pair.
            None if child.waits_at_begin() => child.at,
            // Of what is not decided only an opener is held, what can be the closing tag of a wrapper, and the begin of a marker.
            None if child.state == State::Prose && child.mark.is_none() => {
                let rest = child.source.from(child.at).char_indices().map(|(place, _)| child.at + place);
                let in_wrapper = !child.wrappers.is_empty();
                let has_calls = !self.setup.dialects.is_empty();
                let begins = |at: usize| has_calls && matches!(child.markers.at(&child.source, at), Seen::Wait);
                let mut held = rest.filter(|at| in_wrapper || self.markers.can_open(&child.source, *at) || begins(*at));
                held.next().unwrap_or(child.source.len()).min(child.held())
            }
            None => child.decided(),
        };
        Some((thinking.text_from, thinking.text_from + limit))
    }
}
