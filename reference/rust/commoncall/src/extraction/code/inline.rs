//! Runs of backticks in a block that holds text.

use super::markup::may_hold_run;

/// A longer run may be meant as a fence, and begins code whether or not a run ends it.
const LONGEST_STRAY: usize = 2;
/// Longer texts are not kept whole, so that a block without an end takes linear time.
pub(super) const KEPT_WHOLE: usize = 1 << 12;
/// So many bytes before a place are enough to tell what goes on there.
const ENOUGH: usize = 1 << 10;
/// Stands for a long text in which HTML or a link may have begun.
const UNSURE: &str = "<!-- ";

/// Inline code and the run that is being read.
#[derive(Clone, Default)]
pub(super) struct Inline {
    /// The inline code that is open: the length of its run, where it began, and whether a run can end it.
    open: Option<(usize, usize, bool)>,
    /// Whether another run or the begin of a comment, as it may be, stands in it.
    signed: bool,
    /// Whether a run is known to end it.
    closed: bool,
    /// Where code begins that is watched, and whether a run has ended it.
    watched: Option<(usize, bool)>,
    /// Whether a run in the block was found to begin no code.
    text_run: bool,
    noted: bool,
    run: usize,
    run_start: usize,
    escaped: bool,
    /// What the block holds behind the last code, from the first sign of HTML or a link on.
    kept: String,
    label: Label,
    /// The last 16 characters or bytes, for the ends of HTML, which are ASCII.
    tail: u128,
}

/// Whether the block begins with a label and `]:`.
#[derive(Clone, Copy, Default, PartialEq)]
enum Label {
    #[default]
    Begin,
    In {
        escaped: bool,
    },
    Behind,
    Yes,
    No,
}

impl Inline {
    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Whether code is open, or a run has come that can open some.
    pub(super) fn has_run(&self) -> bool {
        self.open.is_some() || self.run > 0
    }

    /// Whether that is code only if a run ends it, and nobody has asked for that.
    pub(super) fn may_be_text(&self) -> bool {
        self.open.is_some_and(|(length, _, ends)| ends && length <= LONGEST_STRAY) && !self.signed && !self.closed
    }

    /// Watches the code that is open, also in the blocks behind this.
    pub(super) fn watch(&mut self) {
        self.watched = self.open.map(|(_, start, _)| (start, false));
    }

    /// What a block begins with.
    pub(super) fn next(&self) -> Self {
        Self { watched: self.watched, ..Self::default() }
    }

    /// Whether a run ends the code that is watched, or none can; `None` while it is open.
    pub(super) fn is_ended(&self) -> Option<bool> {
        match (self.watched, self.open) {
            (Some((start, false)), Some((_, open, ends))) if start == open => (!ends).then_some(true),
            (watched, _) => Some(watched.is_some_and(|(_, ended)| ended)),
        }
    }

    /// A run ends the code that is open, or the one that opened it is text.
    pub(super) fn settle(&mut self, closed: bool) {
        self.closed = closed;
        if !closed {
            self.open = None;
            self.text_run = true;
        }
    }

    /// A comment may begin here.
    pub(super) fn note_sign(&mut self) {
        self.signed = self.signed || self.open.is_some();
    }

    pub(super) fn note(&mut self) {
        self.noted = self.noted || self.open.is_some();
    }

    pub(super) fn noted_start(&self) -> Option<usize> {
        self.open.filter(|_| self.noted).map(|(_, start, _)| start)
    }

    pub(super) fn ends_with(&self, ends: &[&str]) -> bool {
        let tail = self.tail.to_be_bytes();
        ends.iter().any(|end| tail[tail.len() - end.len()..].eq_ignore_ascii_case(end.as_bytes()))
    }

    /// Takes characters that mean nothing where the block holds plain text: letters, digits and the like, no backtick.
    pub(super) fn feed_plain(&mut self, at: usize, text: &str, pieces: &mut Vec<(usize, usize)>) {
        let mut rest = text.char_indices();
        while !self.is_amid_words() {
            let Some((place, each)) = rest.next() else { return };
            self.feed(at + place, each, pieces);
        }
        let rest = rest.as_str();
        match rest.as_bytes().last_chunk() {
            Some(last) => self.tail = u128::from_be_bytes(*last),
            None => rest.chars().for_each(|each| self.remember(each)),
        }
    }

    /// Whether characters that mean nothing change nothing.
    fn is_amid_words(&self) -> bool {
        let is_text = self.kept.is_empty() && !self.escaped;
        let is_label = matches!(self.label, Label::No | Label::Yes | Label::In { escaped: false });
        self.run == 0 && is_label && (self.open.is_some() || is_text)
    }

    fn remember(&mut self, each: char) {
        self.tail = self.tail << 8 | u128::from(u8::try_from(each).unwrap_or(0));
    }

    pub(super) fn feed(&mut self, at: usize, each: char, pieces: &mut Vec<(usize, usize)>) {
        self.remember(each);
        self.label = self.labelled(each);
        if each == '`' && !(self.escaped && self.open.is_none()) {
            if self.run == 0 {
                self.run_start = at;
            }
            self.run += 1;
            self.escaped = false;
            return;
        }
        self.end_run(at, pieces);
        if self.open.is_some() {
            return;
        }
        self.keep(each);
        self.escaped = each == '\\' && !self.escaped;
    }

    pub(super) fn is_definition(&self) -> bool {
        self.label == Label::Yes
    }

    /// Code begins that no run ends.
    pub(super) fn open_for_good(&mut self, at: usize) {
        self.run = 0;
        match &mut self.open {
            Some((_, _, closes)) => *closes = false,
            None => self.open = Some((0, at, false)),
        }
    }

    fn labelled(&mut self, each: char) -> Label {
        let label = match (self.label, each) {
            (Label::Begin, ' ' | '\t' | '\n') => Label::Begin,
            (Label::Begin, '[') => Label::In { escaped: false },
            (Label::In { escaped: false }, '\\') => Label::In { escaped: true },
            (Label::In { escaped: false }, ']') => Label::Behind,
            (Label::In { escaped: false }, '[') | (Label::Begin, _) => Label::No,
            (Label::In { .. }, _) => Label::In { escaped: false },
            (Label::Behind, ':') => Label::Yes,
            (Label::Behind, _) => Label::No,
            (label, _) => label,
        };
        if label == Label::Yes && self.label != Label::Yes {
            if let Some((_, _, closes)) = &mut self.open {
                *closes = false;
            }
        }
        label
    }

    /// Keeps text that can be the begin of HTML or a link, if that is not too much.
    fn keep(&mut self, each: char) {
        if self.kept.is_empty() && (self.escaped || !matches!(each, '<' | ']')) {
            return;
        }
        self.kept.push(each);
        if self.kept.len() > KEPT_WHOLE {
            if may_hold_run(&self.kept) {
                UNSURE.clone_into(&mut self.kept);
            } else {
                let from = self.kept.len() - ENOUGH;
                self.kept = self.kept.char_indices().filter(|(at, _)| *at >= from).map(|(_, each)| each).collect();
            }
        }
    }

    /// A run of backticks ends here.
    pub(super) fn end_run(&mut self, at: usize, pieces: &mut Vec<(usize, usize)>) {
        let length = std::mem::take(&mut self.run);
        if length == 0 {
            return;
        }
        match self.open {
            Some((open, start, true)) if open == length => {
                if std::mem::take(&mut self.noted) {
                    pieces.push((start, at));
                }
                self.open = None;
                self.watched = self.watched.map(|(watched, ended)| (watched, ended || watched == start));
            }
            Some(_) => self.signed = true,
            None => {
                let closes = !may_hold_run(&self.kept) && self.label != Label::Yes && !self.text_run;
                self.kept.clear();
                (self.signed, self.closed) = (false, false);
                self.open = Some((length, self.run_start, closes));
            }
        }
    }

    /// The block ends here.
    pub(super) fn end(&mut self, at: usize, pieces: &mut Vec<(usize, usize)>) {
        self.end_run(at, pieces);
        if let (Some((_, start, _)), true) = (self.open, self.noted) {
            pieces.push((start, at));
        }
    }
}
