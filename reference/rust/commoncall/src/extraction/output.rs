//! What a stream shows: the content, the reasoning and the calls, as they are decided.

use serde_json::{Value, json};

/// What a chunk shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A piece of the content.
    Text(String),
    /// A piece of the reasoning.
    Reasoning(String),
    /// The number of a call whose block has ended.
    Call(usize),
    /// A long call is coming. Nothing of it may be run.
    Candidate {
        /// The dialect of its opener.
        dialect: String,
        /// The name with which it begins, if that has come.
        name: Option<String>,
        /// How many characters of it have come.
        length: usize,
    },
}

impl Event {
    /// What is shown as a part of a result.
    pub(super) fn part(&self) -> Value {
        match self {
            Self::Text(text) => json!({"type": "text", "text": text}),
            Self::Reasoning(text) => json!({"type": "reasoning", "text": text}),
            Self::Call(number) => json!({"type": "tool_call", "index": number}),
            Self::Candidate { .. } => Value::Null,
        }
    }

    pub(super) fn value(&self) -> Value {
        match self {
            Self::Text(text) => json!({"text": text}),
            Self::Reasoning(text) => json!({"reasoning": text}),
            Self::Call(number) => json!({"call": number}),
            Self::Candidate { dialect, name, length } => json!({"candidate": {"dialect": dialect, "name": name, "length": length}}),
        }
    }
}

#[derive(Default)]
pub(super) struct Output {
    pub(super) content: String,
    pub(super) reasoning: Option<String>,
    pub(super) calls: usize,
    events: Vec<Event>,
    /// What a stream of the whole text shows, in its order.
    pub(super) parts: Vec<Event>,
    /// Blanks that can be at the end.
    blanks: String,
    visible: bool,
    removed: bool,
    /// Whether something was removed behind the last visible character.
    removed_behind: bool,
}

impl Output {
    pub(super) fn take(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    pub(super) fn push(&mut self, event: Event) {
        self.events.push(event);
    }

    pub(super) fn text(&mut self, text: &str) {
        let shown = text.trim_end();
        let behind = &text[shown.len()..];
        if !shown.is_empty() {
            let mut held = std::mem::take(&mut self.blanks);
            held.push_str(shown);
            if !self.visible && self.removed {
                held = held.trim_start().to_owned();
            }
            self.show(&held);
            self.visible = true;
            self.removed_behind = false;
        }
        self.blanks.push_str(behind);
    }

    fn show(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.content.push_str(text);
        for shown in [&mut self.parts, &mut self.events] {
            match shown.last_mut() {
                Some(Event::Text(last)) => last.push_str(text),
                _ => shown.push(Event::Text(text.to_owned())),
            }
        }
    }

    pub(super) fn removed(&mut self) {
        self.removed = true;
        self.removed_behind = true;
    }

    pub(super) fn begin_reasoning(&mut self) {
        if self.reasoning.is_some() {
            let beside = matches!(self.parts.last(), Some(Event::Reasoning(_)));
            self.think("\n");
            if !beside {
                self.parts.pop();
            }
        }
        self.reasoning.get_or_insert_default();
    }

    pub(super) fn think(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.reasoning.get_or_insert_default().push_str(text);
        for shown in [&mut self.parts, &mut self.events] {
            match shown.last_mut() {
                Some(Event::Reasoning(last)) => last.push_str(text),
                _ => shown.push(Event::Reasoning(text.to_owned())),
            }
        }
    }

    pub(super) fn call(&mut self) {
        self.events.push(Event::Call(self.calls));
        self.parts.push(Event::Call(self.calls));
        self.calls += 1;
    }

    /// The text has ended. Gives the content.
    pub(super) fn end(&mut self) -> Option<String> {
        if !self.removed_behind && !(self.removed && !self.visible) {
            let blanks = std::mem::take(&mut self.blanks);
            self.show(&blanks);
        }
        if self.removed && !self.visible { None } else { Some(self.content.clone()) }
    }
}
