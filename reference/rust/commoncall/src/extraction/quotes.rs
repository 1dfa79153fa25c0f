//! Quotations of a line, a comment and a string: whether an opener here would stand in one.

use super::json::{Fed, Scan};

/// The longest tag of a result, without its `>`.
const LONGEST_TAG: usize = "</function_responses".len();

/// Whether tags of a name, in lower case, hold what calls gave (D14.5).
fn is_result(name: &str) -> bool {
    let what = name.strip_prefix("tool_").or_else(|| name.strip_prefix("function_"));
    what.is_some_and(|what| matches!(what.strip_suffix('s').unwrap_or(what), "result" | "response" | "output"))
}

#[derive(Clone)]
pub(super) struct Quotes {
    /// Whether the line can still have a sign of quotation, and whether it has one.
    open: bool,
    line: bool,
    last: Option<char>,
    digits: bool,
    /// How much of `<!--` has come, and how many dashes stand at the end of a comment.
    begun: usize,
    comment: Option<usize>,
    /// Whether the tag of a result can begin here, and what has come of one, its `<` included.
    starts: bool,
    tag: String,
    /// The name of the result of a call that is open, and of one that would begin: none for a comment.
    result: Option<String>,
    named: Option<String>,
    json: Option<Scan>,
}

impl Quotes {
    pub(super) fn new() -> Self {
        Self {
            open: true,
            line: false,
            last: None,
            digits: false,
            begun: 0,
            comment: None,
            starts: true,
            tag: String::new(),
            result: None,
            named: None,
            json: None,
        }
    }

    pub(super) fn begin_json(&mut self) {
        self.json = Some(Scan::new(0));
    }

    /// Something was taken out of the text: no JSON goes on behind it.
    pub(super) fn end_json(&mut self) {
        self.json = None;
    }

    pub(super) fn is_quoted(&self) -> bool {
        self.line || self.comment.is_some() || self.result.is_some() || self.in_string()
    }

    /// Whether a string of the JSON is open with which the text begins.
    pub(super) fn in_string(&self) -> bool {
        self.json.as_ref().is_some_and(Scan::in_string)
    }

    /// Takes a character of prose. `true` where a comment or a result would begin behind it.
    pub(super) fn feed(&mut self, each: char) -> bool {
        self.feed_line(each);
        self.feed_beside_lines(each)
    }

    fn feed_json(&mut self, each: char) {
        if let Some(scan) = &mut self.json {
            if !matches!(scan.feed(0, each), Fed::More) {
                self.json = None;
            }
        }
    }

    fn feed_beside_lines(&mut self, each: char) -> bool {
        self.feed_json(each);
        let starts = std::mem::replace(&mut self.starts, each == '\n');
        if self.comment.is_none() && self.feed_tag(each, starts) {
            return true;
        }
        match self.comment {
            _ if self.result.is_some() => {}
            Some(dashes) if each == '>' && dashes >= 2 => self.comment = None,
            Some(dashes) => self.comment = Some(if each == '-' { dashes + 1 } else { 0 }),
            None => {
                let next = "<!--".as_bytes().get(self.begun).copied();
                self.begun = match each {
                    _ if next == u8::try_from(each).ok() && each.is_ascii() => self.begun + 1,
                    '<' => 1,
                    _ => 0,
                };
                if self.begun == 4 {
                    (self.begun, self.named) = (0, None);
                    self.tag.clear();
                    return true;
                }
            }
        }
        false
    }

    /// Takes a character for the tags of results. `true` where a result would begin behind it.
    fn feed_tag(&mut self, each: char, starts: bool) -> bool {
        match each {
            '<' if starts || self.result.is_some() => self.tag = "<".to_owned(),
            '>' if !self.tag.is_empty() => {
                let tag = std::mem::take(&mut self.tag);
                let name = tag[1..].to_owned();
                match &self.result {
                    Some(open) if name.strip_prefix('/') == Some(open) => self.result = None,
                    None if is_result(&name) => {
                        (self.begun, self.named) = (0, Some(name));
                        return true;
                    }
                    _ => {}
                }
            }
            _ => self.add_to_tag(each.encode_utf8(&mut [0; 4])),
        }
        false
    }

    fn add_to_tag(&mut self, text: &str) {
        if self.tag.is_empty() {
            return;
        }
        if self.tag.len() + text.len() > LONGEST_TAG {
            self.tag.clear();
        } else {
            self.tag.push_str(&text.to_ascii_lowercase());
        }
    }

    /// Takes characters of one line of which none is a sign of a quotation or of a comment.
    pub(super) fn feed_plain(&mut self, text: &str) {
        let mut of_json = text.chars();
        while let Some(each) = of_json.next().filter(|_| self.json.is_some()) {
            self.feed_json(each);
        }
        let mut of_line = text.chars();
        while let Some(each) = of_line.next().filter(|_| self.open && !self.line) {
            self.feed_line(each);
        }
        if !text.is_empty() {
            self.comment = self.comment.map(|_| 0);
            self.begun = 0;
            self.starts = false;
            self.add_to_tag(text);
        }
    }

    /// Takes the text of a marker: its `>` is no sign of a line, and can end a comment.
    pub(super) fn feed_marker(&mut self, text: &str) {
        for each in text.chars() {
            self.feed_line(if each == '>' { 'x' } else { each });
            self.feed_beside_lines(each);
        }
    }

    /// Something was taken out of the line: no sign stands directly behind it, and none goes on.
    pub(super) fn take_out(&mut self) {
        self.comment = self.comment.map(|_| 0);
        self.begun = 0;
        self.starts = false;
        self.tag.clear();
        self.open = false;
        self.last = Some('x');
    }

    pub(super) fn begin(&mut self) {
        self.result = self.named.take();
        self.comment = if self.result.is_some() { None } else { Some(2) };
    }

    fn feed_line(&mut self, each: char) {
        if each == '\n' {
            (self.open, self.line, self.last, self.digits) = (true, false, None, false);
            return;
        }
        if !self.open || self.line {
            return;
        }
        let behind_digits = std::mem::take(&mut self.digits);
        match each {
            '>' if !behind_digits && self.last.is_none_or(|last| last.is_whitespace() || last == '>') => self.line = true,
            '0'..='9' => self.digits = true,
            '.' | ')' if behind_digits => {}
            '-' | '*' | '+' if !behind_digits => {}
            each if each.is_whitespace() && !behind_digits => {}
            _ => self.open = false,
        }
        self.last = Some(each);
    }
}
