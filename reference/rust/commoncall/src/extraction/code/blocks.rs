//! The block structure of one line.

use super::{Code, Container, Leaf, Opened};

/// A place in a line, with its column: a tab reaches to the next multiple of 4.
#[derive(Clone)]
struct Cursor<'a> {
    line: &'a [(usize, char)],
    at: usize,
    column: usize,
    /// Columns of a tab that were not taken.
    left: usize,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<char> {
        self.line.get(self.at).map(|(_, each)| *each)
    }

    /// The columns of spaces and tabs from here on.
    fn indent(&self) -> usize {
        let mut column = self.column + self.left;
        for (_, each) in &self.line[self.at.min(self.line.len())..] {
            match each {
                ' ' => column += 1,
                '\t' => column += 4 - column % 4,
                _ => break,
            }
        }
        column - self.column
    }

    /// Takes columns of spaces and tabs.
    fn take(&mut self, mut columns: usize) {
        while columns > 0 {
            if self.left > 0 {
                let taken = self.left.min(columns);
                (self.left, self.column, columns) = (self.left - taken, self.column + taken, columns - taken);
                continue;
            }
            match self.peek() {
                Some(' ') => self.left = 1,
                Some('\t') => self.left = 4 - self.column % 4,
                _ => return,
            }
            self.at += 1;
        }
    }

    fn skip_indent(&mut self) {
        self.take(self.indent());
    }

    /// Takes a visible character.
    fn step(&mut self) {
        self.at += 1;
        self.column += 1;
    }

    fn rest(&self) -> impl Iterator<Item = char> + Clone {
        self.line[self.at.min(self.line.len())..].iter().map(|(_, each)| *each)
    }

    fn is_blank(&self) -> bool {
        self.rest().all(is_space)
    }

    /// The length of the run of a character from here on.
    fn run(&self, mark: char) -> usize {
        self.rest().take_while(|each| *each == mark).count()
    }
}

fn is_space(each: char) -> bool {
    matches!(each, ' ' | '\t' | '\r')
}

impl Code {
    /// Whether the line so far closes the fence that it stands in.
    pub(super) fn would_close(&self) -> bool {
        let mut cursor = Cursor { line: &self.line, at: 0, column: 0, left: 0 };
        self.matched(&mut cursor) == self.blocks.containers.len() && self.is_closing(&cursor)
    }

    /// How many of the open containers the line goes on with.
    fn matched(&self, cursor: &mut Cursor) -> usize {
        for (at, container) in self.blocks.containers.iter().enumerate() {
            let indent = cursor.indent();
            match container {
                Container::Quote => {
                    let mut ahead = cursor.clone();
                    ahead.skip_indent();
                    if indent > 3 || ahead.peek() != Some('>') {
                        return at;
                    }
                    *cursor = ahead;
                    take_quote(cursor);
                }
                Container::Item { indent: needed, filled } => {
                    if indent >= *needed {
                        cursor.take(*needed);
                    } else if cursor.is_blank() && *filled {
                        cursor.skip_indent();
                    } else {
                        return at;
                    }
                }
            }
        }
        self.blocks.containers.len()
    }

    fn is_closing(&self, cursor: &Cursor) -> bool {
        let Leaf::Fence { mark, length, .. } = self.blocks.leaf else { return false };
        let mut ahead = cursor.clone();
        ahead.skip_indent();
        let run = ahead.run(mark);
        cursor.indent() < 4 && run >= length && ahead.rest().skip(run).all(is_space)
    }

    /// Finds out what block holds the line: with `letter` as if a letter stood behind what has come of it.
    pub(super) fn clear_up(&mut self, letter: Option<usize>, fences: bool) {
        let mut line = std::mem::take(&mut self.line);
        if let Some(at) = letter {
            line.push((at, 'x'));
        }
        self.tag = None;
        let content = self.structure(&line, letter.is_none(), fences);
        if letter.is_some() {
            line.pop();
        }
        let begun = |_| line[content.min(line.len())..].iter().map(|(_, each)| *each).collect();
        self.tag = self.tag.take().filter(|_| letter.is_some()).map(begun);
        self.clear = true;
        for (at, each) in line.get(content..).unwrap_or(&[]) {
            self.feed_inside(*at, *each);
        }
        if self.opening.is_none() {
            line.clear();
        }
        self.line = line;
    }

    /// Puts the line into its block. Gives where its content begins.
    fn structure(&mut self, line: &[(usize, char)], whole: bool, fences: bool) -> usize {
        let mut cursor = Cursor { line, at: 0, column: 0, left: 0 };
        let before = self.line_feed;
        let matched = self.matched(&mut cursor);
        let all = matched == self.blocks.containers.len();
        let blank = cursor.is_blank();
        let told = self.pieces.len();
        let was = self.signed.then(|| self.blocks.clone());
        match self.blocks.leaf {
            Leaf::Fence { .. } if all => {
                if self.is_closing(&cursor) && whole {
                    let end = line.last().map_or(before, |_| end_of_run(line));
                    self.end_leaf(end);
                    return line.len();
                }
                return line.len();
            }
            Leaf::Html { ends, .. } if all && !(blank && ends.is_empty()) => return cursor.at,
            Leaf::Indented if all && (blank || cursor.indent() >= 4) => return line.len(),
            Leaf::Unsure if !blank => {
                let fence = opens_fence(&cursor, fences);
                if !fence {
                    return cursor.at;
                }
                self.close_unmatched(matched, before);
                self.end_leaf(before);
            }
            Leaf::Paragraph | Leaf::None | Leaf::Unsure => {}
            _ => self.end_leaf(before),
        }
        let paragraph = self.blocks.leaf == Leaf::Paragraph;
        if !blank && paragraph && self.is_unsure(&cursor, all) {
            self.close_unmatched_keeping(matched);
            cursor.skip_indent();
            if cursor.peek() == Some('>') {
                take_quote(&mut cursor);
                cursor.skip_indent();
            }
            let at = line.get(cursor.at).map_or(before, |(at, _)| *at);
            self.blocks.leaf = Leaf::Unsure;
            self.blocks.inline.open_for_good(at);
            return cursor.at;
        }
        if blank {
            self.close_unmatched(matched, before);
            if self.blocks.leaf != Leaf::None {
                self.end_leaf(before);
            }
            self.empty_item();
            return line.len();
        }
        let mut closed = all;
        loop {
            let indent = cursor.indent();
            let mut ahead = cursor.clone();
            ahead.skip_indent();
            let lazy = paragraph && self.blocks.leaf == Leaf::Paragraph;
            if indent >= 4 {
                if !lazy {
                    self.begin(matched, &mut closed, before, Leaf::Indented);
                    return line.len();
                }
                break;
            }
            let interrupts = lazy && closed && all;
            match ahead.peek() {
                Some('>') => {
                    self.begin(matched, &mut closed, before, Leaf::None);
                    cursor = ahead;
                    take_quote(&mut cursor);
                    self.push(Container::Quote);
                    if cursor.is_blank() {
                        return line.len();
                    }
                    continue;
                }
                Some('#') if is_heading(&ahead) => {
                    self.begin(matched, &mut closed, before, Leaf::Heading);
                    return ahead.at;
                }
                Some(mark @ ('`' | '~')) if fences || mark == '~' => {
                    let length = ahead.run(mark);
                    if length >= 3 && !(mark == '`' && ahead.rest().skip(length).any(|each| each == '`')) {
                        let start = line.get(ahead.at).map_or(before, |(at, _)| *at);
                        self.begin(matched, &mut closed, before, Leaf::Fence { mark, length, start, noted: false });
                        let ended = self.pieces.split_off(told);
                        self.opening = was.map(|before| Box::new(Opened { before, ended }));
                        return line.len();
                    }
                }
                Some(each) if each.is_alphabetic() => break,
                _ => {
                    if let Some(ends) = html(&ahead, interrupts || lazy, whole) {
                        self.begin(matched, &mut closed, before, Leaf::Html { ends, found: false });
                        return ahead.at;
                    }
                }
            }
            if whole && interrupts && is_underline(&ahead) {
                self.end_leaf(before);
                return line.len();
            }
            if whole && is_rule(&ahead) {
                self.begin(matched, &mut closed, before, Leaf::None);
                return line.len();
            }
            if let Some((width, filled)) = item(&ahead, interrupts) {
                self.begin(matched, &mut closed, before, Leaf::None);
                cursor = ahead;
                (0..width).for_each(|_| cursor.step());
                let spaces = cursor.indent();
                let taken = if !filled || spaces > 4 { 1 } else { spaces };
                cursor.take(taken);
                self.push(Container::Item { indent: indent + width + taken, filled });
                if !filled {
                    return line.len();
                }
                continue;
            }
            break;
        }
        if !(paragraph && self.blocks.leaf == Leaf::Paragraph) {
            self.begin(matched, &mut closed, before, Leaf::Paragraph);
            self.tag = Some(String::new());
        }
        cursor.skip_indent();
        cursor.at
    }

    /// A blank line: an item without content so far has none from here on.
    fn empty_item(&mut self) {
        if let Some(Container::Item { filled: false, .. }) = self.blocks.containers.last() {
            self.blocks.containers.pop();
        }
    }

    /// Begins another block: what the line did not go on with ends.
    fn begin(&mut self, matched: usize, closed: &mut bool, before: usize, leaf: Leaf) {
        if !*closed {
            self.close_unmatched(matched, before);
            *closed = true;
        }
        if self.blocks.leaf != Leaf::None {
            self.end_leaf(before);
        }
        if leaf != Leaf::None {
            if let Some(Container::Item { filled, .. }) = self.blocks.containers.last_mut() {
                *filled = true;
            }
            self.blocks.inline = self.blocks.inline.next();
            self.blocks.leaf = leaf;
        }
    }

    fn push(&mut self, container: Container) {
        if let Some(Container::Item { filled, .. }) = self.blocks.containers.last_mut() {
            *filled = true;
        }
        self.blocks.containers.push(container);
    }

    /// Whether a line of a paragraph can be another block, so that nobody can tell what stands in code from here on.
    fn is_unsure(&self, cursor: &Cursor, all: bool) -> bool {
        let indent = cursor.indent();
        let is_definition = self.blocks.inline.is_definition();
        if !is_definition && indent < 4 || opens_fence(cursor, true) {
            return false;
        }
        let mut ahead = cursor.clone();
        ahead.skip_indent();
        let begins = matches!(ahead.peek(), Some('>'))
            || is_heading_at(&ahead)
            || is_rule(&ahead)
            || opens_fence(&ahead, true)
            || html(&ahead, true, false).is_some();
        let may_be_item = item(&ahead, false).is_some();
        if indent < 4 {
            let ends = begins || item(&ahead, all).is_some() || all && is_underline(&ahead);
            return !ends && (!all || may_be_item);
        }
        is_definition || !all && (begins || may_be_item)
    }

    fn close_unmatched_keeping(&mut self, matched: usize) {
        self.blocks.containers.truncate(matched);
    }

    fn close_unmatched(&mut self, matched: usize, before: usize) {
        if matched < self.blocks.containers.len() {
            if self.blocks.leaf != Leaf::None {
                self.end_leaf(before);
            }
            self.blocks.containers.truncate(matched);
        }
    }
}

/// Where the run ends with which a fence is closed.
fn end_of_run(line: &[(usize, char)]) -> usize {
    line.iter().rev().find(|(_, each)| !is_space(*each)).map_or(0, |(at, _)| at + 1)
}

/// Takes the `>` of a quotation, and a space behind it.
fn take_quote(cursor: &mut Cursor) {
    cursor.step();
    if matches!(cursor.peek(), Some(' ' | '\t')) {
        cursor.take(1);
    }
}

/// Whether a fence begins on the line.
fn opens_fence(cursor: &Cursor, fences: bool) -> bool {
    let mut ahead = cursor.clone();
    ahead.skip_indent();
    let Some(mark @ ('`' | '~')) = ahead.peek() else { return false };
    let length = ahead.run(mark);
    let further = mark == '`' && (!fences || ahead.rest().skip(length).any(|each| each == '`'));
    cursor.indent() < 4 && length >= 3 && !further
}

fn is_heading_at(cursor: &Cursor) -> bool {
    cursor.peek() == Some('#') && is_heading(cursor)
}

fn is_heading(cursor: &Cursor) -> bool {
    let run = cursor.run('#');
    run <= 6 && cursor.rest().nth(run).is_none_or(is_space)
}

fn is_underline(cursor: &Cursor) -> bool {
    let Some(mark @ ('=' | '-')) = cursor.peek() else { return false };
    cursor.rest().skip(cursor.run(mark)).all(is_space)
}

fn is_rule(cursor: &Cursor) -> bool {
    let Some(mark @ ('*' | '-' | '_')) = cursor.peek() else { return false };
    cursor.rest().all(|each| each == mark || is_space(each)) && cursor.rest().filter(|each| *each == mark).count() >= 3
}

/// The width of the marker of a list item here, and whether something stands behind it on its line.
fn item(cursor: &Cursor, interrupts: bool) -> Option<(usize, bool)> {
    let digits: String = cursor.rest().take(10).take_while(char::is_ascii_digit).collect();
    let width = match cursor.peek()? {
        '-' | '+' | '*' => 1,
        '0'..='9' if digits.len() <= 9 && matches!(cursor.rest().nth(digits.len()), Some('.' | ')')) => digits.len() + 1,
        _ => return None,
    };
    let mut behind = cursor.rest().skip(width);
    if !behind.clone().next().is_none_or(is_space) {
        return None;
    }
    let filled = !behind.all(is_space);
    let begins = digits.is_empty() || digits.parse() == Ok(1);
    (!interrupts || filled && begins).then_some((width, filled))
}

const NAMES: &[&str] = &[
    "address",
    "article",
    "aside",
    "base",
    "basefont",
    "blockquote",
    "body",
    "caption",
    "center",
    "col",
    "colgroup",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hr",
    "html",
    "iframe",
    "legend",
    "li",
    "link",
    "main",
    "menu",
    "menuitem",
    "nav",
    "noframes",
    "ol",
    "optgroup",
    "option",
    "p",
    "param",
    "search",
    "section",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
    "track",
    "ul",
];

/// The ends of the HTML block that begins here; none where a blank line ends it.
fn html(cursor: &Cursor, in_paragraph: bool, whole: bool) -> Option<&'static [&'static str]> {
    if cursor.peek() != Some('<') {
        return None;
    }
    let text: String = cursor.rest().skip(1).map(|each| each.to_ascii_lowercase()).collect();
    let ends_name = |rest: &str| rest.chars().next().is_none_or(|each| is_space(each) || each == '>');
    for name in ["script", "pre", "style", "textarea"] {
        if text.strip_prefix(name).is_some_and(ends_name) {
            return Some(&["</script>", "</pre>", "</style>", "</textarea>"]);
        }
    }
    if text.starts_with("!--") {
        return Some(&["-->"]);
    }
    if text.starts_with('?') {
        return Some(&["?>"]);
    }
    if text.starts_with("![cdata[") {
        return Some(&["]]>"]);
    }
    if text.strip_prefix('!').is_some_and(|rest| rest.starts_with(|each: char| each.is_ascii_alphabetic())) {
        return Some(&[">"]);
    }
    let name = text.strip_prefix('/').unwrap_or(&text);
    let length = name.chars().take_while(char::is_ascii_alphanumeric).count();
    let behind = &name[length..];
    if NAMES.contains(&&name[..length]) && (ends_name(behind) || behind.starts_with("/>")) {
        return Some(&[]);
    }
    (whole && !in_paragraph && is_tag(&text)).then_some(&[])
}

/// Whether a text behind a `<` is a whole tag with only white space behind it.
pub(super) fn is_tag(text: &str) -> bool {
    let skip_space = |text: &str| text.trim_start_matches(is_space).to_owned();
    let skip_name = |text: &str, more: &str| {
        let begins = text.starts_with(|each: char| each.is_ascii_alphabetic() || more.contains(each) && "_:".contains(each));
        begins.then(|| {
            text.trim_start_matches(|each: char| each.is_ascii_alphanumeric() || each == '-' || more.contains(each)).to_owned()
        })
    };
    if let Some(closing) = text.strip_prefix('/') {
        return skip_name(closing, "")
            .is_some_and(|rest| skip_space(&rest).strip_prefix('>').is_some_and(|rest| rest.chars().all(is_space)));
    }
    let Some(mut rest) = skip_name(text, "") else { return false };
    loop {
        let behind = skip_space(&rest);
        let close = behind.strip_prefix('/').unwrap_or(&behind);
        if let Some(tail) = close.strip_prefix('>') {
            return tail.chars().all(is_space);
        }
        if behind.len() == rest.len() {
            return false;
        }
        let Some(named) = skip_name(&behind, "_.:") else { return false };
        let value = skip_space(&named);
        rest = match value.strip_prefix('=') {
            None => named,
            Some(value) => {
                let value = skip_space(value);
                let quoted = ['"', '\''].into_iter().find(|quote| value.starts_with(*quote));
                match quoted {
                    Some(quote) => match value[1..].split_once(quote) {
                        Some((_, behind)) => behind.to_owned(),
                        None => return false,
                    },
                    None => {
                        let behind = value.trim_start_matches(|each: char| !is_space(each) && !"\"'=<>`".contains(each));
                        if behind.len() == value.len() {
                            return false;
                        }
                        behind.to_owned()
                    }
                }
            }
        };
    }
}
