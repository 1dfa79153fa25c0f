//! Payloads of JSON: where their values end, which repairs they need, and where an error is.

use std::borrow::Cow;

use super::markers::{Markers, Seen, Source};
use crate::shared::json::plain_length;
use crate::shared::text::is_json_space;

/// A change that a repair makes: what stands in the place of a character, or is put before it.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    pub(super) at: usize,
    pub(super) code: &'static str,
    /// How many bytes go.
    pub(super) removed: usize,
    pub(super) put: String,
}

/// A value of a payload, with the elements of an array.
#[derive(Clone, Debug)]
pub(super) struct JsonValue {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) is_array: bool,
    pub(super) elements: Vec<(usize, usize)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Frame {
    Array,
    Object,
}

#[derive(Clone, Copy, PartialEq)]
enum Expect {
    /// A value, `]` where the array is empty, or the repair of a comma.
    Value {
        first: bool,
    },
    Key {
        first: bool,
    },
    Colon,
    Comma,
    String {
        key: bool,
    },
    Escape {
        key: bool,
    },
    Hex {
        key: bool,
        left: u8,
    },
    Literal {
        rest: &'static str,
    },
    Number(Number),
    Done,
}

#[derive(Clone, Copy, PartialEq)]
enum Number {
    Minus,
    Zero,
    Whole,
    Point,
    Fraction,
    Exponent,
    Sign,
    Power,
}

/// A scanner of one value, a character at a time.
#[derive(Clone)]
pub(super) struct Scan {
    stack: Vec<Frame>,
    expect: Expect,
    /// The comma behind the last value, for the repairs of it.
    comma: usize,
    /// Whether the last value of the innermost object was an object or an array.
    nested_last: bool,
    pub(super) edits: Vec<Edit>,
    from: usize,
    elements: Vec<(usize, usize)>,
    element_from: usize,
    is_array: bool,
    /// Where the last string begins, and ends.
    string: (usize, usize),
}

/// What a character did.
pub(super) enum Fed {
    More,
    /// The value ends behind this character.
    End,
    Error,
}

impl Scan {
    pub(super) fn new(from: usize) -> Self {
        Self {
            stack: Vec::new(),
            expect: Expect::Value { first: false },
            comma: 0,
            nested_last: false,
            edits: Vec::new(),
            from,
            elements: Vec::new(),
            element_from: from,
            is_array: false,
            string: (from, usize::MAX),
        }
    }

    pub(super) fn in_string(&self) -> bool {
        matches!(self.expect, Expect::String { .. } | Expect::Escape { .. } | Expect::Hex { .. })
    }

    pub(super) fn value(&mut self, to: usize) -> JsonValue {
        JsonValue { from: self.from, to, is_array: self.is_array, elements: std::mem::take(&mut self.elements) }
    }

    fn edit(&mut self, at: usize, code: &'static str, removed: usize, put: &str) {
        self.edits.push(Edit { at, code, removed, put: put.to_owned() });
    }

    pub(super) fn feed(&mut self, at: usize, each: char) -> Fed {
        let space = is_json_space(each);
        match self.expect {
            Expect::Value { first } => match each {
                _ if space => Fed::More,
                ']' if first && self.stack.last() == Some(&Frame::Array) => self.close(at),
                ']' if !self.stack.is_empty() && self.stack.last() == Some(&Frame::Array) => {
                    self.edit(self.comma, "trailing_comma", 1, "");
                    self.close(at)
                }
                _ => self.begin(at, each),
            },
            Expect::Key { first } => match each {
                _ if space => Fed::More,
                '"' => self.begin_string(at, true),
                '}' if first => self.close(at),
                '}' => {
                    self.edit(self.comma, "trailing_comma", 1, "");
                    self.close(at)
                }
                '{' if !first && self.nested_last && self.stack.len() >= 2 && self.stack[self.stack.len() - 2] == Frame::Array => {
                    self.edit(self.comma, "missing_object_close", 0, "}");
                    self.stack.pop();
                    if self.stack.len() == 1 {
                        self.elements.push((self.element_from, self.comma));
                    }
                    self.begin(at, each)
                }
                _ => Fed::Error,
            },
            Expect::Colon => match each {
                _ if space => Fed::More,
                ':' => self.to(Expect::Value { first: false }),
                _ => Fed::Error,
            },
            Expect::Comma => self.behind_value(at, each),
            Expect::String { key } => match each {
                '"' => {
                    self.string.1 = at + 1;
                    if key { self.to(Expect::Colon) } else { self.ended(at + 1, false) }
                }
                '\\' => self.to(Expect::Escape { key }),
                '\0'..='\u{1f}' => {
                    let put = match each {
                        '\u{8}' => "\\b".to_owned(),
                        '\t' => "\\t".to_owned(),
                        '\n' => "\\n".to_owned(),
                        '\u{c}' => "\\f".to_owned(),
                        '\r' => "\\r".to_owned(),
                        _ => format!("\\u{:04x}", u32::from(each)),
                    };
                    self.edit(at, "control_chars", 1, &put);
                    Fed::More
                }
                _ => Fed::More,
            },
            Expect::Escape { key } => match each {
                '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' => self.to(Expect::String { key }),
                'u' => self.to(Expect::Hex { key, left: 4 }),
                '\'' => {
                    self.edit(at.saturating_sub(1), "escaped_apostrophe", 1, "");
                    self.to(Expect::String { key })
                }
                _ => Fed::Error,
            },
            Expect::Hex { key, left } if each.is_ascii_hexdigit() => {
                self.to(if left == 1 { Expect::String { key } } else { Expect::Hex { key, left: left - 1 } })
            }
            Expect::Hex { .. } | Expect::Done => Fed::Error,
            Expect::Literal { rest } => match rest.strip_prefix(each) {
                Some("") => self.ended(at + 1, false),
                Some(rest) => self.to(Expect::Literal { rest }),
                None => Fed::Error,
            },
            Expect::Number(number) => self.number(number, at, each),
        }
    }

    fn begin_string(&mut self, at: usize, key: bool) -> Fed {
        self.string.0 = at;
        self.to(Expect::String { key })
    }

    fn to(&mut self, expect: Expect) -> Fed {
        self.expect = expect;
        Fed::More
    }

    fn begin(&mut self, at: usize, each: char) -> Fed {
        if self.stack.len() == 1 && self.stack[0] == Frame::Array {
            self.element_from = at;
        }
        match each {
            '{' => {
                self.stack.push(Frame::Object);
                self.to(Expect::Key { first: true })
            }
            '[' => {
                if self.stack.is_empty() {
                    self.is_array = true;
                }
                self.stack.push(Frame::Array);
                self.to(Expect::Value { first: true })
            }
            '"' => self.begin_string(at, false),
            't' => self.to(Expect::Literal { rest: "rue" }),
            'f' => self.to(Expect::Literal { rest: "alse" }),
            'n' => self.to(Expect::Literal { rest: "ull" }),
            '-' => self.to(Expect::Number(Number::Minus)),
            '0' => self.to(Expect::Number(Number::Zero)),
            '1'..='9' => self.to(Expect::Number(Number::Whole)),
            _ => Fed::Error,
        }
    }

    fn number(&mut self, number: Number, at: usize, each: char) -> Fed {
        use Number::{Exponent, Fraction, Minus, Point, Power, Sign, Whole, Zero};
        let next = match (number, each) {
            (Minus, '0') => Zero,
            (Minus, '1'..='9') | (Whole, '0'..='9') => Whole,
            (Zero | Whole, '.') => Point,
            (Point | Fraction, '0'..='9') => Fraction,
            (Zero | Whole | Fraction, 'e' | 'E') => Exponent,
            (Exponent, '+' | '-') => Sign,
            (Exponent | Sign | Power, '0'..='9') => Power,
            (Zero | Whole | Fraction | Power, _) => {
                return match self.ended(at, false) {
                    Fed::More => self.behind_value(at, each),
                    other => other,
                };
            }
            _ => return Fed::Error,
        };
        self.to(Expect::Number(next))
    }

    fn behind_value(&mut self, at: usize, each: char) -> Fed {
        match (each, self.stack.last()) {
            (' ' | '\t' | '\n' | '\r', _) => Fed::More,
            (',', Some(Frame::Array)) => {
                self.comma = at;
                self.to(Expect::Value { first: false })
            }
            (',', Some(Frame::Object)) => {
                self.comma = at;
                self.to(Expect::Key { first: false })
            }
            (']', Some(Frame::Array)) | ('}', Some(Frame::Object)) => self.close(at),
            _ => Fed::Error,
        }
    }

    fn close(&mut self, at: usize) -> Fed {
        self.stack.pop();
        self.ended(at + 1, true)
    }

    /// A value ends before a place.
    fn ended(&mut self, to: usize, nested: bool) -> Fed {
        self.nested_last = nested;
        if self.stack.len() == 1 && self.stack[0] == Frame::Array {
            self.elements.push((self.element_from, to));
        }
        if self.stack.is_empty() {
            self.expect = Expect::Done;
            return Fed::End;
        }
        self.expect = Expect::Comma;
        Fed::More
    }
}

/// What a reader came to.
#[derive(Debug, PartialEq)]
pub(super) enum Step {
    Wait,
    /// The payload ends here.
    End(usize),
    Error(usize),
}

/// A payload of JSON values.
#[derive(Clone)]
pub(super) struct JsonReader {
    pub(super) at: usize,
    scan: Option<Scan>,
    pub(super) values: Vec<JsonValue>,
    pub(super) edits: Vec<Edit>,
    /// The character and the length of the run of the fence around the payload.
    fence: Option<(u8, usize)>,
    pub(super) fenced: bool,
    pub(super) fence_closed: bool,
    /// What stands between two values of a dialect without a closer.
    separator: Option<Option<char>>,
    /// What can stand between two values of a bare message, as white space does.
    between: Option<char>,
    end: usize,
}

/// What a fence around a payload can be named. Of two words that begin alike the longer comes first.
const FENCE_WORDS: [&str; 5] = ["json", "tool_call", "tool_code", "tool", "invoke"];

/// Where the first value of a payload begins, if a payload begins here, with its fence. It can be a string where that is said.
pub(super) fn payload_begin(source: &Source, at: usize, markers: &Markers, string: bool) -> Seen<(usize, Option<(u8, usize)>)> {
    let Some(byte) = source.byte(at) else { return Seen::No };
    let value = |place: usize| matches!(source.byte(place), Some(b'{' | b'[')) || string && source.byte(place) == Some(b'"');
    if value(at) {
        return match is_barred(source, at, markers) {
            Seen::Yes(()) => Seen::No,
            Seen::Wait => Seen::Wait,
            Seen::No => Seen::Yes((at, None)),
        };
    }
    if !matches!(byte, b'`' | b'~') {
        return Seen::No;
    }
    let run = source.from(at).bytes().take_while(|each| *each == byte).count();
    let behind = at + run;
    if behind == source.len() {
        return source.short();
    }
    if run < 3 {
        return Seen::No;
    }
    let mut place = behind;
    for word in FENCE_WORDS {
        match source.literal(behind, word) {
            Seen::Yes(behind) => {
                place = behind;
                break;
            }
            Seen::Wait => return Seen::Wait,
            Seen::No => {}
        }
    }
    let place = source.skip_space(place);
    if place == source.len() {
        return source.short();
    }
    if !value(place) {
        return Seen::No;
    }
    match is_barred(source, place, markers) {
        Seen::Yes(()) => Seen::No,
        Seen::Wait => Seen::Wait,
        Seen::No => Seen::Yes((place, Some((byte, run)))),
    }
}

/// Whether an opener of a block or a token stands in the place of a value.
pub(super) fn is_barred(source: &Source, at: usize, markers: &Markers) -> Seen<()> {
    match markers.at(source, at) {
        Seen::Yes(marker) if marker.opener.is_some() || marker.token || !marker.closers.is_empty() => Seen::Yes(()),
        Seen::Wait => Seen::Wait,
        _ => Seen::No,
    }
}

impl JsonReader {
    /// `separator` is that of a dialect without a closer, `None` where there is a closer.
    pub(super) fn new(at: usize, fence: Option<(u8, usize)>, separator: Option<Option<char>>) -> Self {
        Self {
            at,
            scan: Some(Scan::new(at)),
            values: Vec::new(),
            edits: Vec::new(),
            fence,
            fenced: fence.is_some(),
            fence_closed: false,
            separator,
            between: None,
            end: at,
        }
    }

    /// The payload of a bare message.
    pub(super) fn bare(at: usize, between: Option<char>) -> Self {
        Self { between, ..Self::new(at, None, None) }
    }

    pub(super) fn read(&mut self, source: &Source, markers: &Markers) -> Step {
        loop {
            if let Some(scan) = &mut self.scan {
                let mut ended = false;
                loop {
                    if let Expect::String { .. } = scan.expect {
                        self.at += plain_length(source.from(self.at));
                    }
                    let Some(each) = source.char(self.at) else { break };
                    match scan.feed(self.at, each) {
                        Fed::More => self.at += each.len_utf8(),
                        Fed::Error => return Step::Error(self.at),
                        Fed::End => {
                            self.at += each.len_utf8();
                            ended = true;
                            break;
                        }
                    }
                }
                if !ended {
                    return Step::Wait;
                }
                let value = scan.value(self.at);
                self.edits.append(&mut scan.edits);
                self.values.push(value);
                self.end = self.at;
                self.scan = None;
            }
            match self.next_value(source, markers) {
                Seen::Yes(at) => {
                    self.at = at;
                    self.scan = Some(Scan::new(at));
                }
                Seen::Wait => return Step::Wait,
                Seen::No => return Step::End(self.end),
            }
        }
    }

    /// An error, or the string that ends directly before it.
    pub(super) fn broken_at(&self, error: usize) -> usize {
        self.scan.as_ref().filter(|scan| scan.string.1 == error).map_or(error, |scan| scan.string.0)
    }

    /// The end of the text, or the string that is open there.
    pub(super) fn cut_at(&self, end: usize) -> usize {
        self.scan.as_ref().filter(|scan| scan.in_string()).map_or(end, |scan| scan.string.0)
    }

    /// Where a further value begins.
    fn next_value(&mut self, source: &Source, markers: &Markers) -> Seen<usize> {
        let mut place = source.skip_space(self.at);
        if place == source.len() && !self.is_alone() {
            return source.short();
        }
        if let Some((byte, run)) = self.fence {
            let closing = source.from(place).bytes().take_while(|each| *each == byte).count();
            if closing >= run {
                if place + closing == source.len() && !source.ended {
                    return Seen::Wait;
                }
                self.end = place + closing;
                self.fence_closed = true;
                return Seen::No;
            }
            if closing > 0 && place + closing == source.len() {
                return source.short();
            }
        }
        if let Some(separator) = self.separator {
            let Some(separator) = separator else { return Seen::No };
            if source.char(place) != Some(separator) {
                return Seen::No;
            }
            place = source.skip_space(place + separator.len_utf8());
            if place == source.len() {
                return source.short();
            }
        }
        if self.between.is_some() && source.char(place) == self.between {
            place = source.skip_space(place + self.between.map_or(0, char::len_utf8));
            if place == source.len() {
                return source.short();
            }
        }
        if !matches!(source.byte(place), Some(b'{' | b'[')) {
            return Seen::No;
        }
        match is_barred(source, place, markers) {
            Seen::Yes(()) => Seen::No,
            Seen::Wait => Seen::Wait,
            Seen::No => Seen::Yes(place),
        }
    }

    /// Whether nothing can stand behind the value that is read.
    fn is_alone(&self) -> bool {
        self.separator == Some(None) && self.fence.is_none()
    }

    /// A part of the payload after its repairs.
    pub(super) fn repaired<'a>(&self, source: &'a Source, from: usize, to: usize) -> Cow<'a, str> {
        let first = self.edits.partition_point(|edit| edit.at < from);
        let in_part = |edit: &&Edit| edit.at < to || edit.at == to && edit.code == "missing_object_close";
        let mut edits = self.edits[first..].iter().take_while(in_part).peekable();
        if edits.peek().is_none() {
            return source.slice(from, to).into();
        }
        let mut out = String::new();
        let mut place = from;
        for edit in edits {
            out.push_str(source.slice(place, edit.at));
            out.push_str(&edit.put);
            place = edit.at + edit.removed;
        }
        out.push_str(source.slice(place.min(to), to));
        out.into()
    }
}
