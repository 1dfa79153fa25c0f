//! Runs of backticks in a block that holds text.

/// Inline code and the run that is being read.
#[derive(Clone, Default)]
pub(super) struct Inline {
    /// The inline code that is open: the length of its run, where it began, and whether a run can end it.
    open: Option<(usize, usize, bool)>,
    noted: bool,
    run: usize,
    run_start: usize,
    escaped: bool,
    /// What the block holds so far outside of code, as far as it can be HTML or a link.
    shape: Shape,
    /// The last characters, for the ends of HTML.
    tail: String,
}

/// What a run of backticks can begin in, so that no run ends it.
#[derive(Clone, Copy, Default, PartialEq)]
enum Shape {
    #[default]
    Text,
    /// Behind a `<` that can begin a tag.
    Tag,
    /// Behind a `]`.
    Bracket,
    /// In the destination, title or label behind a `]`, with what ends it.
    Link(char),
}

impl Inline {
    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    pub(super) fn note(&mut self) {
        self.noted = self.noted || self.open.is_some();
    }

    pub(super) fn noted_start(&self) -> Option<usize> {
        self.open.filter(|_| self.noted).map(|(_, start, _)| start)
    }

    pub(super) fn ends_with(&self, ends: &[&str]) -> bool {
        ends.iter().any(|end| self.tail.ends_with(end))
    }

    pub(super) fn feed(&mut self, at: usize, each: char, pieces: &mut Vec<(usize, usize)>) {
        if self.tail.len() > 24 {
            self.tail = self.tail.chars().skip(self.tail.chars().count().saturating_sub(12)).collect();
        }
        self.tail.push(each.to_ascii_lowercase());
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

    /// What the block holds behind one more character.
    fn shaped(&self, each: char) -> Shape {
        match (self.shape, each) {
            (Shape::Bracket, '(') if !self.escaped => Shape::Link(')'),
            (Shape::Bracket, '[') if !self.escaped => Shape::Link(']'),
            (Shape::Tag, '>') => Shape::Text,
            (Shape::Link(end), each) if each == end && !self.escaped => Shape::Text,
            (Shape::Tag | Shape::Link(_), _) => self.shape,
            (_, ']') if !self.escaped => Shape::Bracket,
            (_, '<') if !self.escaped => Shape::Tag,
            _ => Shape::Text,
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
                self.shape = Shape::Text;
            }
            Some(_) => {}
            None => {
                let closes = matches!(self.shape, Shape::Text | Shape::Bracket);
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
