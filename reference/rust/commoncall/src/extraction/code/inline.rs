//! Runs of backticks in a block that holds text.

/// A longer run may be meant as a fence, and begins code whether or not a run ends it.
const LONGEST_STRAY: usize = 2;

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
    /// What the block holds so far outside of code, as far as it can be HTML or a link.
    shape: Shape,
    label: Label,
    /// The last 16 characters or bytes, for the ends of HTML, which are ASCII.
    tail: u128,
}

/// What a block holds behind its last character, as far as a run of backticks can begin in it so that no run ends it.
#[derive(Clone, Copy, Default, PartialEq)]
enum Shape {
    #[default]
    Text,
    /// Behind a `]`.
    Bracket,
    /// In the destination, title or label behind a `]`, with what ends it.
    Link(char),
    /// Behind a `<`.
    Open,
    /// In the name of a tag, which can be the scheme of an autolink.
    Name,
    Auto,
    /// Between attributes.
    Space,
    Attribute,
    BehindAttribute,
    Equals,
    Unquoted,
    Quoted(char),
    BehindValue,
    Slash,
    Close,
    CloseSpace,
    Bang,
    /// In the begin of a comment or of CDATA: what still has to come of it, and what ends it then.
    Begun(&'static str, &'static str),
    /// In a comment, a declaration, a processing instruction or CDATA, with what ends it.
    Until(&'static str),
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
        let is_text = self.shape == Shape::Text && !self.escaped;
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
        self.shape = self.shaped(each);
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

    /// What the block holds behind one more character.
    fn shaped(&self, each: char) -> Shape {
        use Shape::{
            Attribute, Auto, Bang, Begun, BehindAttribute, BehindValue, Bracket, Close, CloseSpace, Equals, Link, Name, Open,
            Quoted, Slash, Space, Text, Unquoted, Until,
        };
        let name = || each.is_ascii_alphanumeric() || each == '-';
        let attribute = || each.is_ascii_alphabetic() || matches!(each, '_' | ':');
        let space = || each.is_whitespace();
        let next = match (self.shape, each) {
            (Until(end), _) => return if self.ends_with(&[end]) { Text } else { self.shape },
            (Quoted(end), _) => return if each == end { BehindValue } else { self.shape },
            (Link(end), _) => return if each == end && !self.escaped { Text } else { self.shape },
            (Bracket, '(') if !self.escaped => return Link(')'),
            (Bracket, '[') if !self.escaped => return Link(']'),
            (Open, '/') => Close,
            (Open, '!') => Bang,
            (Open, '?') => Until("?>"),
            (Open, _) if each.is_ascii_alphabetic() => Name,
            (Bang, '-') => Begun("-", "-->"),
            (Bang, '[') => Begun("CDATA[", "]]>"),
            (Begun(rest, end), _) if rest.starts_with(each) => match &rest[1..] {
                "" => Until(end),
                rest => Begun(rest, end),
            },
            (Bang, _) if each.is_ascii_alphabetic() => Until(">"),
            (Name, _) if name() => Name,
            (Name, ':' | '.' | '+' | '@') => Auto,
            (Auto, _) if !space() && !matches!(each, '<' | '>') => Auto,
            (Name | Space | BehindValue | Unquoted, _) if space() => Space,
            (Name | Space | Attribute | BehindAttribute | BehindValue, '/') => Slash,
            (Space | BehindAttribute, _) if attribute() => Attribute,
            (Attribute, _) if name() || matches!(each, '_' | '.' | ':') => Attribute,
            (Attribute | BehindAttribute, '=') => Equals,
            (Attribute | BehindAttribute, _) if space() => BehindAttribute,
            (Equals, '"' | '\'') => Quoted(each),
            (Equals, _) if space() => Equals,
            (Equals | Unquoted, _) if !matches!(each, '"' | '\'' | '=' | '<' | '>' | '`') => Unquoted,
            (Close, _) if name() => Close,
            (Close | CloseSpace, _) if space() => CloseSpace,
            _ => Text,
        };
        match (next, each) {
            (Text, '<') if !self.escaped => Open,
            (Text, ']') if !self.escaped => Bracket,
            _ => next,
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
                self.shape = Shape::Text;
            }
            Some(_) => self.signed = true,
            None => {
                let holds = matches!(self.shape, Shape::Quoted(_) | Shape::Until(_) | Shape::Auto | Shape::Link(_));
                let closes = !holds && self.label != Label::Yes && !self.text_run;
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
