//! Code: fences, inline code and indented lines, as CommonMark has them, decided by the text so far alone.

mod blocks;
mod inline;
mod markup;

use inline::{Inline, KEPT_WHOLE};

use super::markers::Source;

/// A container of CommonMark.
#[derive(Clone, Copy)]
enum Container {
    Quote,
    /// A list item, with the columns by which its lines are indented, and whether it has content.
    Item {
        indent: usize,
        filled: bool,
    },
}

/// The block that holds the current line.
#[derive(Clone, Copy, PartialEq)]
enum Leaf {
    None,
    Paragraph,
    Heading,
    /// Text that can be another block: code to the next blank line or fence.
    Unsure,
    Indented,
    Fence {
        mark: char,
        length: usize,
        start: usize,
        noted: bool,
    },
    Html {
        ends: &'static [&'static str],
        found: bool,
    },
}

/// What a marker here would stand in.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    Prose,
    /// A fence or inline code.
    Piece,
    /// An indented line.
    Indented,
}

/// The blocks at the begin of a line.
#[derive(Clone)]
struct Blocks {
    containers: Vec<Container>,
    leaf: Leaf,
    inline: Inline,
}

/// What a line changed that opens a fence, until it is known whether a further backtick stands on it.
#[derive(Clone)]
struct Opened {
    /// The blocks before the line.
    before: Blocks,
    /// The pieces of code that the fence ended.
    ended: Vec<(usize, usize)>,
}

#[derive(Clone)]
pub(super) struct Code {
    blocks: Blocks,
    /// The characters of the current line with their places, while it is not clear what block holds them, or while it
    /// opens a fence.
    line: Vec<(usize, char)>,
    /// Whether it is clear what block holds the current line.
    clear: bool,
    /// Whether the line is the rest of one that began with what was taken out: it is never blank.
    rest: bool,
    /// Whether the current line opens the fence that it is in.
    opening: Option<Box<Opened>>,
    /// Whether only spaces and tabs have come of the line.
    empty: bool,
    /// Whether a sign of a fence or of a tag has come of a line that is not clear.
    signed: bool,
    /// The line with which a paragraph begins, as long as it can be a tag: if it is a whole one, it is HTML from here on.
    tag: Option<String>,
    /// A carriage return that can end the line.
    returned: Option<usize>,
    /// Where the line feed before the current line stands.
    line_feed: usize,
    /// Whether fences are read.
    extract: bool,
    /// The pieces of code in which a marker was ignored, and that have ended.
    pieces: Vec<(usize, usize)>,
    /// One that ends before the last line feed if a further line follows, and else with the text.
    last_piece: Option<(usize, usize)>,
    /// Whether a marker was ever ignored.
    noted: bool,
}

const MOST_CONTAINERS: usize = 64;

/// The beginning of a text in which no line ends and nothing decides what is code or quoted.
pub(super) fn plain(text: &str) -> &str {
    let is_sign = |byte| matches!(byte, b'\n' | b'\r' | b'`' | b'\\' | b'<' | b'>' | b'[' | b']' | b'!' | b'-');
    text.bytes().position(is_sign).map_or(text, |end| &text[..end])
}

impl Code {
    pub(super) fn new(extract: bool) -> Self {
        Self {
            blocks: Blocks { containers: Vec::new(), leaf: Leaf::None, inline: Inline::default() },
            line: Vec::new(),
            clear: false,
            rest: false,
            empty: true,
            signed: false,
            tag: None,
            returned: None,
            opening: None,
            line_feed: 0,
            extract,
            pieces: Vec::new(),
            last_piece: None,
            noted: false,
        }
    }

    /// Takes a character of prose.
    pub(super) fn feed(&mut self, at: usize, each: char) {
        if !matches!(each, ' ' | '\t' | '\r' | '\n') {
            self.end_last_piece();
        }
        let returned = self.returned.take();
        if each == '\n' {
            self.end_line(returned.unwrap_or(at), at);
            return;
        }
        if let Some(before) = returned {
            self.end_line(before, before);
        }
        if each == '\r' {
            self.returned = Some(at);
            return;
        }
        self.empty = self.empty && matches!(each, ' ' | '\t');
        self.add_to_tag(each.encode_utf8(&mut [0; 4]));
        if !self.clear {
            self.signed = self.signed || matches!(each, '<' | '`' | '~');
            if self.signed || !each.is_alphabetic() {
                self.line.push((at, each));
                return;
            }
            // A letter behind all other signs makes clear what block holds the line.
            self.clear_up(Some(at), true);
            self.tag = None;
        }
        if self.opening.is_some() {
            self.line.push((at, each));
            if each == '`' && self.is_backtick_fence() {
                self.reopen();
                return;
            }
        }
        self.feed_inside(at, each);
    }

    /// Takes characters of one line in which no run of backticks, tag, link or escape begins or ends.
    pub(super) fn feed_plain(&mut self, at: usize, text: &str) {
        if !text.chars().all(|each| matches!(each, ' ' | '\t')) {
            self.end_last_piece();
        }
        let mut rest = text.char_indices();
        while !self.clear || self.opening.is_some() || self.returned.is_some() {
            let Some((place, each)) = rest.next() else { return };
            self.feed(at + place, each);
        }
        let rest = rest.as_str();
        self.add_to_tag(rest);
        self.empty = self.empty && rest.chars().all(|each| matches!(each, ' ' | '\t'));
        if matches!(self.blocks.leaf, Leaf::Paragraph | Leaf::Heading | Leaf::Unsure | Leaf::Html { .. }) {
            self.blocks.inline.feed_plain(at + text.len() - rest.len(), rest, &mut self.pieces);
        }
    }

    fn add_to_tag(&mut self, text: &str) {
        let can_be = |tag: &String| tag.is_empty() || tag.starts_with('<') && tag.len() < KEPT_WHOLE;
        self.tag = self.tag.take().map(|tag| tag + text).filter(can_be);
    }

    /// Takes the text of a marker that was ignored, or of an opener that is text: its backticks are no runs.
    pub(super) fn feed_marker(&mut self, at: usize, text: &str) {
        for (place, each) in text.char_indices() {
            if each == '`' {
                if self.opening.is_some() && self.is_backtick_fence() {
                    self.line.push((at + place, 'x'));
                    self.reopen();
                } else {
                    self.feed(at + place, 'x');
                }
            } else {
                self.feed(at + place, each);
            }
        }
    }

    /// Takes what stands for a letter: a block, reasoning, a token, an opener.
    pub(super) fn feed_letter(&mut self, at: usize, ends_line: bool) {
        self.end_return();
        let first = self.empty;
        self.place(at);
        self.feed(at, 'x');
        if first && ends_line {
            self.close_line(at);
            self.rest = true;
        }
    }

    /// A further line follows the last piece: it has an end, or more than spaces and tabs.
    fn end_last_piece(&mut self) {
        if let Some(piece) = self.last_piece.take() {
            self.pieces.push(piece);
        }
    }

    fn end_return(&mut self) {
        if let Some(before) = self.returned.take() {
            self.end_line(before, before);
        }
    }

    /// The text has ended.
    pub(super) fn finish(&mut self, at: usize) {
        self.end_return();
        if !self.clear && !self.line.iter().all(|(_, each)| each.is_whitespace()) {
            self.clear_up(None, true);
        }
        self.end_opening();
        self.blocks.inline.end_run(at, &mut self.pieces);
    }

    /// What a marker at this place stands in.
    pub(super) fn place(&mut self, at: usize) -> Place {
        self.end_return();
        self.end_last_piece();
        if !self.clear {
            self.clear_up(Some(at), true);
        }
        self.blocks.inline.end_run(at, &mut self.pieces);
        match self.blocks.leaf {
            Leaf::Fence { .. } if self.extract && self.opening.is_none() => Place::Prose,
            Leaf::Fence { .. } => Place::Piece,
            Leaf::Indented => Place::Indented,
            _ if self.blocks.containers.len() > MOST_CONTAINERS => Place::Indented,
            _ if self.blocks.inline.is_open() => Place::Piece,
            _ => Place::Prose,
        }
    }

    /// Whether a marker at this place stands in inline code if a run ends that, and nobody has looked whether one does.
    pub(super) fn may_be_text(&mut self, at: usize) -> bool {
        let has_run = self.blocks.inline.has_run() || !self.clear && self.signed;
        has_run && self.place(at) == Place::Piece && !self.is_fence() && self.blocks.inline.may_be_text()
    }

    fn is_fence(&self) -> bool {
        matches!(self.blocks.leaf, Leaf::Fence { .. })
    }

    /// Whether a run ends the inline code of a marker, by what follows in its block.
    pub(super) fn settle(&mut self, closed: bool) {
        self.blocks.inline.settle(closed);
    }

    /// A comment may begin here, in code or not.
    pub(super) fn note_sign(&mut self) {
        self.blocks.inline.note_sign();
    }

    /// Whether the current line would close the fence that it stands in, if it ended here.
    pub(super) fn closes_fence(&self) -> bool {
        !self.clear && self.would_close()
    }

    /// Whether the current line is code to its end where a marker stood here.
    pub(super) fn note(&mut self) {
        self.noted = true;
        match &mut self.blocks.leaf {
            Leaf::Fence { noted, .. } => *noted = true,
            _ => self.blocks.inline.note(),
        }
    }

    /// Whether there can be pieces of code to tell.
    pub(super) fn is_noted(&self) -> bool {
        self.noted
    }

    /// The pieces of code that have ended since this was last asked for.
    pub(super) fn take_pieces(&mut self) -> Vec<(usize, usize)> {
        std::mem::take(&mut self.pieces)
    }

    /// Where the piece of code began that has not ended and in which a marker was ignored.
    pub(super) fn open_piece(&self) -> Option<usize> {
        match self.blocks.leaf {
            Leaf::Fence { start, noted, .. } => (noted && !self.extract).then_some(start),
            _ => self.last_piece.map(|(start, _)| start).or_else(|| self.blocks.inline.noted_start()),
        }
    }

    fn is_backtick_fence(&self) -> bool {
        matches!(self.blocks.leaf, Leaf::Fence { mark: '`', .. })
    }

    /// The line opened no fence: a further backtick stands on it.
    fn reopen(&mut self) {
        let Some(opened) = self.opening.take() else { return };
        let noted = matches!(self.blocks.leaf, Leaf::Fence { noted: true, .. });
        self.blocks = opened.before;
        self.clear_up(None, false);
        if noted {
            self.blocks.inline.note();
        }
    }

    /// The line has ended, and so has the code before the fence that it opened.
    fn end_opening(&mut self) {
        if let Some(opened) = self.opening.take() {
            self.pieces.extend(opened.ended);
        }
    }

    fn feed_inside(&mut self, at: usize, each: char) {
        match &mut self.blocks.leaf {
            Leaf::Paragraph | Leaf::Heading | Leaf::Unsure => self.blocks.inline.feed(at, each, &mut self.pieces),
            Leaf::Html { ends, found } => {
                self.blocks.inline.feed(at, each, &mut self.pieces);
                *found = *found || self.blocks.inline.ends_with(ends);
            }
            Leaf::None | Leaf::Indented | Leaf::Fence { .. } => {}
        }
    }

    /// The line ends, with its last character before `end` and its line feed at `at`.
    fn end_line(&mut self, end: usize, at: usize) {
        self.end_last_piece();
        if !self.clear {
            let blank = self.line.iter().all(|(_, each)| each.is_whitespace());
            if !(blank && self.rest) {
                self.clear_up(None, true);
            }
        }
        self.blocks.inline.end_run(end, &mut self.pieces);
        if self.clear || !self.rest {
            self.feed_inside(at, '\n');
        }
        self.end_opening();
        if self.tag.take().is_some_and(|tag| tag.strip_prefix('<').is_some_and(blocks::is_tag)) {
            self.blocks.leaf = Leaf::Html { ends: &[], found: false };
        }
        let before = self.pieces.len();
        self.close_line(at);
        if self.pieces.len() > before {
            self.last_piece = self.pieces.pop();
        }
        self.line_feed = at;
    }

    fn close_line(&mut self, at: usize) {
        if matches!(self.blocks.leaf, Leaf::Heading | Leaf::Html { found: true, .. }) {
            self.end_leaf(at);
        }
        self.line.clear();
        self.clear = false;
        self.rest = false;
        self.empty = true;
        self.signed = false;
        self.tag = None;
    }

    /// Ends the block of the line, with what is open in it.
    fn end_leaf(&mut self, at: usize) {
        if let Leaf::Fence { start, noted: true, .. } = self.blocks.leaf {
            if !self.extract {
                self.pieces.push((start, at));
            }
        }
        self.blocks.inline.end(at, &mut self.pieces);
        self.blocks.inline = self.blocks.inline.next();
        self.blocks.leaf = Leaf::None;
    }
}

/// What tells whether a run ends the inline code in which a marker stands.
pub(super) struct Ahead {
    /// Where the marker stands.
    pub(super) from: usize,
    code: Code,
    /// Up to where it has read.
    at: usize,
    /// Whether it has come to a further line. Only all of that says what the line is.
    further: bool,
}

impl Ahead {
    pub(super) fn new(from: usize, code: &Code) -> Self {
        let mut code = code.clone();
        code.pieces.clear();
        code.blocks.inline.watch();
        Self { from, code, at: from, further: false }
    }

    /// Whether a run ends the code, or none can, so that it is code anyway; `None` where the rest of its block has not come.
    pub(super) fn closed(&mut self, source: &Source) -> Option<bool> {
        for (place, each) in source.from(self.at).char_indices() {
            self.code.feed(self.at + place, each);
            let known = if self.further && each != '\n' { None } else { self.known() };
            if known == Some(true) || self.further && known.is_some() {
                return known;
            }
            self.further = self.further || each == '\n';
        }
        self.at = source.len();
        if !source.ended {
            return None;
        }
        self.code.finish(self.at);
        Some(self.known().unwrap_or(false))
    }

    fn known(&self) -> Option<bool> {
        // A fence may be none, if a further backtick follows on its line.
        if self.code.opening.is_some() { None } else { self.code.blocks.inline.is_ended() }
    }
}

#[cfg(test)]
mod tests {
    use super::{Code, KEPT_WHOLE};

    #[test]
    fn a_line_that_can_be_a_tag_is_not_kept_for_ever() {
        // Each marker in it takes a copy of the code.
        let mut code = Code::new(false);
        code.feed(0, '<');
        code.place(1);
        assert!(code.tag.is_some());
        (1..KEPT_WHOLE).for_each(|at| code.feed(at, 'a'));
        assert!(code.tag.is_none());
    }
}
