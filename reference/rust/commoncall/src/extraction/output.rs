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
    pub(super) fn value(&self) -> Value {
        match self {
            Self::Text(text) => json!({"text": text}),
            Self::Reasoning(text) => json!({"reasoning": text}),
            Self::Call(number) => json!({"call": number}),
            Self::Candidate { dialect, name, length } => json!({"candidate": {"dialect": dialect, "name": name, "length": length}}),
        }
    }
}

/// A piece of what is shown.
enum Piece {
    /// From where to where it stands in the content.
    Text(usize, usize),
    /// From where to where it stands in the reasoning. As a part it begins later, where a separator stands before it.
    Reasoning {
        from: usize,
        begin: usize,
        to: usize,
    },
    Call,
}

#[derive(Default)]
pub(super) struct Output {
    content: String,
    reasoning: Option<String>,
    /// What a stream of the whole text shows, in its order.
    pieces: Vec<Piece>,
    /// Which piece was begun when this was last taken from, and how much of the content, the reasoning and the calls was taken.
    taken: (usize, usize, usize, usize),
    calls: usize,
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
        let (piece, content, reasoning, mut call) = self.taken;
        let thought = self.reasoning.as_deref().unwrap_or_default();
        let mut events = Vec::new();
        for each in &self.pieces[piece..] {
            match *each {
                Piece::Text(from, to) if to > content => events.push(Event::Text(self.content[from.max(content)..to].to_owned())),
                Piece::Reasoning { from, to, .. } if to > reasoning => {
                    events.push(Event::Reasoning(thought[from.max(reasoning)..to].to_owned()));
                }
                Piece::Call if self.calls > call => {
                    events.push(Event::Call(call));
                    call += 1;
                }
                _ => {}
            }
        }
        // The last piece can grow, unless it is a call.
        let grows = usize::from(!matches!(self.pieces.last(), None | Some(Piece::Call)));
        self.taken = (self.pieces.len() - grows, self.content.len(), thought.len(), self.calls);
        events
    }

    /// What is shown, as the parts of a result.
    pub(super) fn parts(&self) -> Value {
        let thought = self.reasoning.as_deref().unwrap_or_default();
        let mut calls = 0..;
        let part = |piece: &Piece| match *piece {
            Piece::Text(from, to) => Some(json!({"type": "text", "text": self.content[from..to]})),
            Piece::Reasoning { begin, to, .. } if begin == to => None,
            Piece::Reasoning { begin, to, .. } => Some(json!({"type": "reasoning", "text": thought[begin..to]})),
            Piece::Call => Some(json!({"type": "tool_call", "index": calls.next()})),
        };
        self.pieces.iter().filter_map(part).collect()
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
            let beside = matches!(self.pieces.last(), Some(Piece::Reasoning { begin, to, .. }) if begin < to);
            self.think("\n");
            if let (Some(Piece::Reasoning { begin, to, .. }), false) = (self.pieces.last_mut(), beside) {
                *begin = *to;
            }
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
            Some(Piece::Reasoning { to, .. }) => *to = reasoning.len(),
            _ => self.pieces.push(Piece::Reasoning { from, begin: from, to: reasoning.len() }),
        }
    }

    pub(super) fn call(&mut self) {
        self.pieces.push(Piece::Call);
        self.calls += 1;
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
