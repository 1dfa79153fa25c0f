//! What a stream shows: the content, the reasoning and the calls, as they are decided.

use serde_json::{Value, json};

/// What a chunk shows.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A piece of the content.
    Text(String),
    /// A piece of the reasoning.
    Reasoning(String),
    /// The number of a call whose block has ended.
    Call(usize),
    /// A call that was meant and could not be read.
    Unreadable(Unreadable),
}

/// A call that was meant and could not be read.
#[derive(Clone, Debug, PartialEq)]
pub struct Unreadable {
    /// How many calls stand before it.
    pub before: usize,
    /// Its name, where that could be read.
    pub name: Option<String>,
    /// The error type with which it is answered.
    pub error_type: &'static str,
}

/// What the operation shows of events: as one what follows what is of the same kind, and nothing of what could not be read.
pub(super) fn shown(events: Vec<Event>) -> Value {
    let value = |event: Event| match event {
        Event::Text(text) => json!({"text": text}),
        Event::Reasoning(text) => json!({"reasoning": text}),
        Event::Call(number) => json!({"call": number}),
        Event::Unreadable(_) => Value::Null,
    };
    let read = events.into_iter().filter(|event| !matches!(event, Event::Unreadable(_)));
    joined(read).into_iter().map(value).collect()
}

/// Events, with those as one that follow what is of the same kind.
fn joined(events: impl Iterator<Item = Event>) -> Vec<Event> {
    let mut found: Vec<Event> = Vec::new();
    for event in events {
        match (found.last_mut(), event) {
            (Some(Event::Text(last)), Event::Text(text)) | (Some(Event::Reasoning(last)), Event::Reasoning(text)) => {
                last.push_str(&text);
            }
            (_, event) => found.push(event),
        }
    }
    found
}

/// A piece of a text, if it is not empty.
fn piece_of(text: &str, from: usize, to: usize) -> Option<String> {
    (from < to).then(|| text[from..to].to_owned())
}

/// A piece of what is shown.
enum Piece {
    /// From where to where it stands in the content.
    Text(usize, usize),
    /// From where to where it stands in the reasoning.
    Reasoning(usize, usize),
    /// The number of a call.
    Call(usize),
    /// The number of an unreadable call.
    Unreadable(usize),
}

#[derive(Default)]
pub(super) struct Output {
    content: String,
    reasoning: Option<String>,
    /// What a stream of the whole text shows, in its order.
    pieces: Vec<Piece>,
    /// How many pieces were taken that cannot grow, and how much of the content and the reasoning.
    taken: (usize, usize, usize),
    calls: usize,
    pub(super) unreadable: Vec<Unreadable>,
    /// Blanks that can be at the end.
    blanks: String,
    visible: bool,
    removed: bool,
    /// Whether something was removed behind the last visible character.
    removed_behind: bool,
}

impl Output {
    /// What was shown since this was last asked for.
    pub(super) fn take(&mut self) -> Vec<Event> {
        let (piece, content, reasoning) = self.taken;
        let thought = self.reasoning.as_deref().unwrap_or_default();
        let event = |piece: &Piece| match *piece {
            Piece::Text(from, to) => piece_of(&self.content, from.max(content), to).map(Event::Text),
            Piece::Reasoning(from, to) => piece_of(thought, from.max(reasoning), to).map(Event::Reasoning),
            Piece::Call(number) => Some(Event::Call(number)),
            Piece::Unreadable(number) => Some(Event::Unreadable(self.unreadable[number].clone())),
        };
        let events = self.pieces[piece..].iter().filter_map(event).collect();
        let grows = matches!(self.pieces.last(), Some(Piece::Text(..) | Piece::Reasoning(..)));
        self.taken = (self.pieces.len() - usize::from(grows), self.content.len(), thought.len());
        events
    }

    /// What is shown, as the parts of a result.
    pub(super) fn parts(&self) -> Value {
        let thought = self.reasoning.as_deref().unwrap_or_default();
        let part = |piece: &Piece| match *piece {
            Piece::Text(from, to) => piece_of(&self.content, from, to).map(Event::Text),
            Piece::Reasoning(from, to) => piece_of(thought, from, to).map(Event::Reasoning),
            Piece::Call(number) => Some(Event::Call(number)),
            Piece::Unreadable(_) => None,
        };
        let typed = |event: Event| match event {
            Event::Text(text) => json!({"type": "text", "text": text}),
            Event::Reasoning(text) => json!({"type": "reasoning", "text": text}),
            Event::Call(number) => json!({"type": "tool_call", "index": number}),
            Event::Unreadable(_) => Value::Null,
        };
        let mut is_later = false;
        let without_join = |event: Event| match event {
            Event::Reasoning(text) if std::mem::replace(&mut is_later, true) => {
                let alone = text.strip_prefix('\n').unwrap_or(&text);
                (!alone.is_empty()).then(|| Event::Reasoning(alone.to_owned()))
            }
            other => Some(other),
        };
        joined(self.pieces.iter().filter_map(part)).into_iter().filter_map(without_join).map(typed).collect()
    }

    pub(super) fn text(&mut self, text: &str) {
        let shown = text.trim_end();
        let behind = &text[shown.len()..];
        if !shown.is_empty() {
            let held = std::mem::take(&mut self.blanks);
            if self.visible || !self.removed {
                self.show(&held);
                self.show(shown);
            } else {
                self.show(shown.trim_start());
            }
            self.visible = true;
            self.removed_behind = false;
        }
        self.blanks.push_str(behind);
    }

    fn show(&mut self, text: &str) {
        let from = self.content.len();
        self.content.push_str(text);
        match self.pieces.last_mut() {
            _ if text.is_empty() => {}
            Some(Piece::Text(_, to)) => *to = self.content.len(),
            _ => self.pieces.push(Piece::Text(from, self.content.len())),
        }
    }

    pub(super) fn removed(&mut self) {
        self.removed = true;
        self.removed_behind = true;
    }

    /// Further reasoning begins on a line of its own; as a part of its own it needs none.
    pub(super) fn begin_reasoning(&mut self) {
        if self.reasoning.is_some() {
            self.think("\n");
        }
        self.reasoning.get_or_insert_default();
    }

    pub(super) fn think(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let reasoning = self.reasoning.get_or_insert_default();
        let from = reasoning.len();
        reasoning.push_str(text);
        match self.pieces.last_mut() {
            Some(Piece::Reasoning(_, to)) => *to = reasoning.len(),
            _ => self.pieces.push(Piece::Reasoning(from, reasoning.len())),
        }
    }

    pub(super) fn call(&mut self) {
        self.pieces.push(Piece::Call(self.calls));
        self.calls += 1;
    }

    /// Behind the calls so far stands one that could not be read.
    pub(super) fn lost(&mut self, name: Option<String>, error_type: &'static str) {
        self.pieces.push(Piece::Unreadable(self.unreadable.len()));
        self.unreadable.push(Unreadable { before: self.calls, name, error_type });
    }

    /// The text has ended: the blanks at its end are shown, unless they follow something that was removed.
    pub(super) fn end(&mut self) {
        if !self.removed_behind && !(self.removed && !self.visible) {
            let blanks = std::mem::take(&mut self.blanks);
            self.show(&blanks);
        }
    }

    /// The content, if there is one, and the reasoning.
    pub(super) fn into_texts(self) -> (Option<String>, Option<String>) {
        (Some(self.content).filter(|_| self.visible || !self.removed), self.reasoning)
    }
}
