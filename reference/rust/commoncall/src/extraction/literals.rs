//! Payloads of literal calls and quoted objects: scanned with a stack, a character at a time.

use super::descriptors::Kind;
use super::json::Step;
use super::markers::{Seen, Source};
use super::parameters::{Param, is_letter_or_digit};
use crate::shared::json::compact_string;
use crate::shared::text::is_json_space;

/// A literal call: its name, its arguments, and whether it holds a bad literal.
#[derive(Clone, Debug)]
pub(super) struct LiteralCall {
    pub(super) name: String,
    pub(super) params: Vec<Param>,
    pub(super) bad: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Frame {
    List,
    /// A tuple, with whether it has a comma.
    Tuple {
        comma: bool,
        empty: bool,
    },
    Dict,
}

/// What stands in a string: the sign that ends it, what was read, and the escape that is open.
#[derive(Clone)]
struct Quoted {
    end: String,
    escapes: bool,
    value: Vec<u16>,
    escape: Option<String>,
    /// Whether it has a `\\` that begins no escape.
    bad: bool,
}

#[derive(Clone, PartialEq)]
enum Expect {
    /// `[` of a list of calls, or the first word.
    Open,
    CallOrEnd,
    Word {
        from: usize,
    },
    Bracket,
    ArgumentOrEnd,
    Name {
        from: usize,
    },
    Equals,
    Value,
    ValueOrEnd,
    ValueWord {
        from: usize,
    },
    Text,
    KeyOrEnd,
    Colon,
    Behind,
    BehindArgument,
    BehindCall,
}

/// A scanner of literals and of calls with literals.
#[derive(Clone)]
pub(super) struct LiteralReader {
    at: usize,
    expect: Expect,
    list: bool,
    stack: Vec<Frame>,
    string: Option<Quoted>,
    key: bool,
    /// The JSON text of the value that is read.
    json: String,
    top_string: bool,
    pub(super) calls: Vec<LiteralCall>,
    bad_at: Option<usize>,
    bad_here: bool,
    end: usize,
    line: bool,
    /// Whether one literal is read, and no call.
    alone: bool,
    /// Whether an object in the place of the first call makes it one literal.
    objects: bool,
}

/// Whether a payload of literal calls begins here.
pub(super) fn begins(source: &Source, at: usize, behind: usize, list: bool) -> bool {
    if list { matches!(source.byte(at), Some(b'[' | b'{')) } else { super::parameters::begins_line(source, at, behind) }
}

fn is_word(each: char) -> bool {
    is_letter_or_digit(each) || matches!(each, '_' | '-' | '+' | '.')
}

/// Whether a text is a number of RFC 8259, also one whose binary64 is infinite.
fn is_number_shape(text: &str) -> bool {
    let rest = text.strip_prefix('-').unwrap_or(text);
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(rest);
    if whole == 0 || whole > 1 && rest.starts_with('0') {
        return false;
    }
    let mut rest = &rest[whole..];
    if let Some(fraction) = rest.strip_prefix('.') {
        let length = digits(fraction);
        if length == 0 {
            return false;
        }
        rest = &fraction[length..];
    }
    if let Some(power) = rest.strip_prefix(['e', 'E']) {
        let power = power.strip_prefix(['+', '-']).unwrap_or(power);
        let length = digits(power);
        if length == 0 {
            return false;
        }
        rest = &power[length..];
    }
    rest.is_empty()
}

/// The JSON of a word that is a literal.
fn literal_word(word: &str, python: bool) -> Option<String> {
    match word {
        "true" | "false" | "null" => return Some(word.to_owned()),
        "True" if python => return Some("true".to_owned()),
        "False" if python => return Some("false".to_owned()),
        "None" if python => return Some("null".to_owned()),
        _ => {}
    }
    let number = word.strip_prefix('+').filter(|_| python).unwrap_or(word);
    is_number_shape(number).then(|| number.to_owned())
}

impl Quoted {
    fn new(end: &str, escapes: bool) -> Self {
        Self { end: end.to_owned(), escapes, value: Vec::new(), escape: None, bad: false }
    }

    fn push(&mut self, each: char) {
        let mut units = [0; 2];
        self.value.extend_from_slice(each.encode_utf16(&mut units));
    }

    /// Takes the characters at the begin of a text that stand for themselves, and gives their length.
    fn push_plain(&mut self, text: &str) -> usize {
        if self.escape.is_some() {
            return 0;
        }
        let end = self.end.as_bytes().first();
        let length = text.bytes().position(|each| each == b'\\' || Some(&each) == end).unwrap_or(text.len());
        self.value.extend(text[..length].encode_utf16());
        length
    }

    /// The string as JSON. With a half of a pair alone it is no text, and what nothing reads.
    fn json(&self) -> String {
        String::from_utf16(&self.value).map_or_else(|_| "\"\\ud800\"".to_owned(), |text| compact_string(&text))
    }
}

impl LiteralReader {
    pub(super) fn new(at: usize, list: bool) -> Self {
        Self {
            at,
            expect: if list { Expect::Open } else { Expect::CallOrEnd },
            list,
            stack: Vec::new(),
            string: None,
            key: false,
            json: String::new(),
            top_string: false,
            calls: Vec::new(),
            bad_at: None,
            bad_here: false,
            end: at,
            line: true,
            alone: false,
            objects: false,
        }
    }

    /// A payload of calls behind an opener, where objects can stand in the place of a list.
    pub(super) fn behind_opener(at: usize, list: bool) -> Self {
        let mut reader = Self::new(at, list);
        reader.objects = list;
        reader
    }

    /// One literal alone, at a place.
    pub(super) fn one(at: usize) -> Self {
        let mut reader = Self::new(at, true);
        reader.expect = Expect::Value;
        reader.alone = true;
        reader.calls.push(LiteralCall {
            name: String::new(),
            params: vec![Param { name: String::new(), text: String::new(), kind: Kind::Json }],
            bad: false,
        });
        reader
    }

    /// The JSON of the literal that was read alone.
    pub(super) fn value(&self) -> Option<&str> {
        let call = self.calls.first().filter(|_| self.alone)?;
        Some(&call.params.first()?.text)
    }

    fn error(&self) -> Step {
        Step::Error(self.bad_at.unwrap_or(self.at))
    }

    fn bad(&mut self, at: usize) {
        self.bad_at.get_or_insert(at);
        self.bad_here = true;
    }

    pub(super) fn read(&mut self, source: &Source) -> Step {
        loop {
            self.at += self.string.as_mut().map_or(0, |string| string.push_plain(source.from(self.at)));
            let Some(each) = source.char(self.at) else { break };
            let fed = self.feed(source, each);
            if let Some(bad) = self.bad_at.filter(|_| self.alone) {
                return Step::Error(bad);
            }
            match fed {
                Some(Step::Wait) => self.at += each.len_utf8(),
                Some(step) => return step,
                None => {} // the character is read again
            }
        }
        if source.ended {
            // Further calls stand behind white space: what has been read is whole.
            if !self.list && !self.alone && self.expect == Expect::BehindCall {
                return Step::End(self.end);
            }
            if self.alone && self.stack.is_empty() {
                if let Expect::ValueWord { from } = self.expect {
                    self.finish_word(source, from);
                    return Step::End(self.at);
                }
            }
        }
        Step::Wait
    }

    /// `Some(Wait)`: the character is read; `None`: it is read again in another state.
    #[expect(clippy::too_many_lines, reason = "one row of the grammar each")]
    fn feed(&mut self, source: &Source, each: char) -> Option<Step> {
        let space = is_json_space(each);
        let at = self.at;
        match self.expect.clone() {
            Expect::Text => self.feed_string(at, each),
            Expect::Word { .. } | Expect::Name { .. } | Expect::ValueWord { .. } if is_word(each) => Some(Step::Wait),
            Expect::Word { from } => {
                self.calls.push(LiteralCall { name: source.slice(from, at).to_owned(), params: Vec::new(), bad: false });
                self.expect = Expect::Bracket;
                None
            }
            Expect::Name { from } => {
                if let Some(call) = self.calls.last_mut() {
                    let name = source.slice(from, at).to_owned();
                    call.params.push(Param { name, text: String::new(), kind: Kind::Json });
                }
                self.expect = Expect::Equals;
                None
            }
            Expect::ValueWord { from } => {
                self.finish_word(source, from);
                None
            }
            Expect::BehindCall if space => {
                self.line = self.line || each == '\n';
                Some(Step::Wait)
            }
            _ if space => Some(Step::Wait),
            Expect::Open => {
                self.expect = Expect::CallOrEnd;
                match each {
                    '[' => Some(Step::Wait),
                    '{' => None,
                    _ => Some(self.error()),
                }
            }
            Expect::CallOrEnd => match each {
                ']' if self.list => Some(Step::End(at + 1)),
                '{' if self.objects && self.calls.is_empty() => {
                    *self = Self::one(self.end); // its begin, as no call has ended
                    None
                }
                each if is_word(each) => {
                    self.expect = Expect::Word { from: at };
                    Some(Step::Wait)
                }
                _ => Some(self.error()),
            },
            Expect::Bracket => {
                self.expect = Expect::ArgumentOrEnd;
                if each == '(' { Some(Step::Wait) } else { Some(self.error()) }
            }
            Expect::ArgumentOrEnd => match each {
                ')' => self.end_call(at),
                each if is_word(each) => {
                    self.expect = Expect::Name { from: at };
                    Some(Step::Wait)
                }
                _ => Some(self.error()),
            },
            Expect::Equals => {
                self.expect = Expect::Value;
                self.json.clear();
                if each == '=' { Some(Step::Wait) } else { Some(self.error()) }
            }
            Expect::ValueOrEnd => match (each, self.stack.last()) {
                (']', Some(Frame::List)) => self.close(']'),
                (')', Some(Frame::Tuple { comma, empty })) => {
                    if !comma && !empty {
                        self.bad(at);
                    }
                    self.close(']')
                }
                _ => {
                    self.expect = Expect::Value;
                    None
                }
            },
            Expect::Value => self.begin_value(at, each),
            Expect::KeyOrEnd => match each {
                '}' => self.close('}'),
                '"' | '\'' => {
                    self.separate();
                    self.begin_string(each, true)
                }
                _ => Some(self.error()),
            },
            Expect::Colon => {
                self.json.push(':');
                self.expect = Expect::Value;
                if each == ':' { Some(Step::Wait) } else { Some(self.error()) }
            }
            Expect::Behind => self.behind(at, each),
            Expect::BehindArgument => match each {
                ',' => {
                    self.expect = Expect::ArgumentOrEnd;
                    Some(Step::Wait)
                }
                ')' => self.end_call(at),
                _ => Some(self.error()),
            },
            Expect::BehindCall if self.list => match each {
                ',' => {
                    self.expect = Expect::CallOrEnd;
                    Some(Step::Wait)
                }
                ']' => Some(Step::End(at + 1)),
                _ => Some(self.error()),
            },
            Expect::BehindCall => {
                if self.line && (each == '_' || is_letter_or_digit(each)) {
                    self.expect = Expect::Word { from: at };
                    return Some(Step::Wait);
                }
                Some(Step::End(self.end))
            }
        }
    }

    fn end_call(&mut self, at: usize) -> Option<Step> {
        if let Some(call) = self.calls.last_mut() {
            call.bad = std::mem::take(&mut self.bad_here);
        }
        self.end = at + 1;
        self.line = false;
        self.expect = Expect::BehindCall;
        Some(Step::Wait)
    }

    /// A comma before a value or key that is not the first of its bracket.
    fn separate(&mut self) {
        if !self.json.is_empty() && !self.json.ends_with(['[', '{', ':']) {
            self.json.push(',');
        }
    }

    fn begin_value(&mut self, at: usize, each: char) -> Option<Step> {
        self.separate();
        match each {
            '"' | '\'' => {
                self.top_string = self.stack.is_empty();
                self.begin_string(each, false)
            }
            '[' => self.open(Frame::List, '['),
            '(' => self.open(Frame::Tuple { comma: false, empty: true }, '['),
            '{' => {
                self.open(Frame::Dict, '{');
                self.expect = Expect::KeyOrEnd;
                Some(Step::Wait)
            }
            each if is_word(each) => {
                self.expect = Expect::ValueWord { from: at };
                Some(Step::Wait)
            }
            _ => Some(self.error()),
        }
    }

    fn open(&mut self, frame: Frame, bracket: char) -> Option<Step> {
        self.stack.push(frame);
        self.json.push(bracket);
        self.expect = Expect::ValueOrEnd;
        Some(Step::Wait)
    }

    fn close(&mut self, bracket: char) -> Option<Step> {
        self.stack.pop();
        self.json.push(bracket);
        self.end_value();
        if self.alone && self.stack.is_empty() {
            self.at += 1;
            return Some(Step::End(self.at));
        }
        Some(Step::Wait)
    }

    fn finish_word(&mut self, source: &Source, from: usize) {
        match literal_word(source.slice(from, self.at), true) {
            Some(json) => self.json.push_str(&json),
            None => {
                self.bad(from);
                self.json.push_str("null");
            }
        }
        self.end_value();
    }

    /// A value has been read.
    fn end_value(&mut self) {
        if let Some(Frame::Tuple { empty, .. }) = self.stack.last_mut() {
            *empty = false;
        }
        if !self.stack.is_empty() {
            self.expect = Expect::Behind;
            return;
        }
        self.expect = Expect::BehindArgument;
        if let Some(param) = self.calls.last_mut().and_then(|call| call.params.last_mut()) {
            param.text = std::mem::take(&mut self.json);
        }
    }

    fn behind(&mut self, at: usize, each: char) -> Option<Step> {
        match (each, self.stack.last_mut()) {
            (',', Some(Frame::Dict)) => self.expect = Expect::KeyOrEnd,
            (',', Some(Frame::List)) => self.expect = Expect::ValueOrEnd,
            (',', Some(Frame::Tuple { comma, .. })) => {
                *comma = true;
                self.expect = Expect::ValueOrEnd;
            }
            (']', Some(Frame::List)) => return self.close(']'),
            ('}', Some(Frame::Dict)) => return self.close('}'),
            (')', Some(Frame::Tuple { comma, .. })) => {
                if !*comma {
                    self.bad(at);
                }
                return self.close(']');
            }
            _ => return Some(self.error()),
        }
        Some(Step::Wait)
    }

    fn begin_string(&mut self, sign: char, key: bool) -> Option<Step> {
        self.string = Some(Quoted::new(&sign.to_string(), true));
        self.key = key;
        self.expect = Expect::Text;
        Some(Step::Wait)
    }

    fn feed_string(&mut self, at: usize, each: char) -> Option<Step> {
        let string = self.string.as_mut()?;
        let fed = fed_string(string, each);
        let (bad, json) = (string.bad, if fed.is_none() { string.json() } else { String::new() });
        if bad {
            self.bad(at);
        }
        if fed.is_some() {
            return Some(Step::Wait);
        }
        self.string = None;
        self.json.push_str(&json);
        if self.key {
            self.expect = Expect::Colon;
        } else {
            self.end_value();
            if self.alone && self.stack.is_empty() {
                self.at += each.len_utf8();
                return Some(Step::End(self.at));
            }
        }
        Some(Step::Wait)
    }
}

/// Takes a character of a string with escapes: `None` where it ends.
fn fed_string(string: &mut Quoted, each: char) -> Option<()> {
    if let Some(mut escape) = string.escape.take() {
        let needed = match escape.chars().next() {
            None => {
                let put = match each {
                    '\\' | '\'' | '"' => each,
                    'b' => '\u{8}',
                    'f' => '\u{c}',
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    'x' | 'u' => {
                        string.escape = Some(each.to_string());
                        return Some(());
                    }
                    _ => {
                        string.bad = true;
                        string.push(each);
                        return Some(());
                    }
                };
                string.push(put);
                return Some(());
            }
            Some('x') => 3,
            _ => 5,
        };
        if each.is_ascii_hexdigit() {
            escape.push(each);
            if escape.len() == needed {
                string.value.push(u16::from_str_radix(&escape[1..], 16).unwrap_or(0));
            } else {
                string.escape = Some(escape);
            }
            return Some(());
        }
        // No escape: what stands here is read as it is.
        string.bad = true;
        return fed_string(string, each);
    }
    if string.escapes && each == '\\' {
        string.escape = Some(String::new());
        return Some(());
    }
    if string.end.starts_with(each) {
        return None;
    }
    string.push(each);
    Some(())
}

/// The JSON of a text that is one literal, if it is one.
pub(super) fn literal_json(text: &str) -> Option<String> {
    let source = Source::whole(text);
    let mut reader = LiteralReader::one(0);
    match reader.read(&source) {
        Step::End(end) if end == text.len() && reader.bad_at.is_none() => reader.value().map(str::to_owned),
        _ => None,
    }
}

/// The rest of a literal text has not come: nothing is read.
const HOLD: Step = Step::End(usize::MAX);

#[derive(Clone, PartialEq)]
enum Part {
    Name,
    /// `{` or `(` of the outermost object.
    Open,
    Key {
        first: bool,
    },
    BareKey {
        from: usize,
    },
    Colon,
    Value,
    Word {
        from: usize,
    },
    Text,
    Behind,
}

/// A quoted object.
#[derive(Clone)]
pub(super) struct QuotedReader {
    at: usize,
    part: Part,
    from: usize,
    quote: String,
    python: bool,
    typed: bool,
    stack: Vec<char>,
    string: Option<Quoted>,
    key: bool,
    json: String,
    pub(super) name: String,
    pub(super) params: Vec<Param>,
}

impl QuotedReader {
    /// `at` is behind the `name_begin`.
    pub(super) fn new(at: usize, quote: &str, python: bool, typed: bool) -> Self {
        Self {
            at,
            part: Part::Name,
            from: at,
            quote: quote.to_owned(),
            python,
            typed,
            stack: Vec::new(),
            string: None,
            key: false,
            json: String::new(),
            name: String::new(),
            params: Vec::new(),
        }
    }

    fn error(&self) -> Step {
        Step::Error(self.at)
    }

    fn is_bare(&self, each: char) -> bool {
        !matches!(each, '\n' | ':' | ',' | '=' | '(' | ')' | '{' | '}' | '[' | ']' | '"' | '\'') && !self.quote.starts_with(each)
    }

    pub(super) fn read(&mut self, source: &Source) -> Step {
        loop {
            self.at += self.string.as_mut().map_or(0, |string| string.push_plain(source.from(self.at)));
            let Some(each) = source.char(self.at) else { break };
            match self.feed(source, each) {
                Some(Step::Wait) => self.at += each.len_utf8(),
                Some(HOLD) => return Step::Wait,
                Some(step) => return step,
                None => {}
            }
        }
        Step::Wait
    }

    fn is_top(&self) -> bool {
        self.stack.len() == 1
    }

    #[expect(clippy::too_many_lines, reason = "one row of the grammar each")]
    fn feed(&mut self, source: &Source, each: char) -> Option<Step> {
        let at = self.at;
        let space = is_json_space(each);
        match self.part.clone() {
            Part::Text => return self.feed_text(source, at, each),
            Part::Name => {
                if each == ':' || self.is_bare(each) || space && source.slice(self.from, at).trim().is_empty() {
                    return Some(Step::Wait);
                }
                let name = source.slice(self.from, at).trim_matches(is_json_space).to_owned();
                if name.is_empty() || name.starts_with(':') {
                    return Some(self.error());
                }
                self.name = name;
                self.part = Part::Open;
                return None;
            }
            Part::BareKey { .. } if self.is_bare(each) => return Some(Step::Wait),
            Part::BareKey { from } => {
                let name = source.slice(from, at).trim_matches(is_json_space).to_owned();
                self.end_key(&name);
                return None;
            }
            Part::Word { .. } if is_word(each) => return Some(Step::Wait),
            Part::Word { from } => {
                let word = source.slice(from, at);
                match literal_word(word, self.python).filter(|_| !word.starts_with('+')) {
                    Some(json) => self.json.push_str(&json),
                    None => return Some(Step::Error(from)),
                }
                self.end_value(Kind::Json);
                return None;
            }
            _ => {}
        }
        if space {
            return Some(Step::Wait);
        }
        match self.part.clone() {
            Part::Open => match each {
                '{' | '(' => {
                    self.stack.push(each);
                    self.part = Part::Key { first: true };
                    Some(Step::Wait)
                }
                _ => Some(self.error()),
            },
            Part::Key { first } => {
                if first && self.closes(each) {
                    return self.close(at, each);
                }
                match self.begin_string(source, at, each, true) {
                    Seen::Yes(()) => return None,
                    Seen::Wait => return Some(HOLD),
                    Seen::No => {}
                }
                if self.is_bare(each) {
                    self.part = Part::BareKey { from: at };
                    return Some(Step::Wait);
                }
                Some(self.error())
            }
            Part::Colon => match each {
                ':' | '=' => {
                    self.part = Part::Value;
                    Some(Step::Wait)
                }
                _ => Some(self.error()),
            },
            Part::Value => {
                if each == ']' && self.json.ends_with('[') {
                    return self.close(at, each);
                }
                match self.begin_string(source, at, each, false) {
                    Seen::Yes(()) => return None,
                    Seen::Wait => return Some(HOLD),
                    Seen::No => {}
                }
                match each {
                    '[' | '{' => {
                        self.json.push(each);
                        self.stack.push(each);
                        self.part = if each == '[' { Part::Value } else { Part::Key { first: true } };
                        Some(Step::Wait)
                    }
                    each if is_word(each) => {
                        self.part = Part::Word { from: at };
                        Some(Step::Wait)
                    }
                    _ => Some(self.error()),
                }
            }
            Part::Behind => {
                if each == ',' {
                    let list = self.stack.last() == Some(&'[');
                    if !self.is_top() {
                        self.json.push(',');
                    }
                    self.part = if list { Part::Value } else { Part::Key { first: false } };
                    return Some(Step::Wait);
                }
                if self.closes(each) {
                    return self.close(at, each);
                }
                Some(self.error())
            }
            _ => Some(self.error()),
        }
    }

    fn closes(&self, each: char) -> bool {
        matches!((self.stack.last(), each), (Some('{'), '}') | (Some('('), ')') | (Some('['), ']'))
    }

    fn close(&mut self, at: usize, each: char) -> Option<Step> {
        self.stack.pop();
        if self.stack.is_empty() {
            return Some(Step::End(at + 1));
        }
        self.json.push(each);
        self.end_value(Kind::Json);
        Some(Step::Wait)
    }

    fn end_key(&mut self, name: &str) {
        if self.is_top() {
            self.params.push(Param { name: name.to_owned(), text: String::new(), kind: Kind::Json });
            self.json.clear();
        } else {
            self.json.push_str(&compact_string(name));
            self.json.push(':');
        }
        self.part = Part::Colon;
    }

    fn end_value(&mut self, kind: Kind) {
        self.part = Part::Behind;
        if self.is_top() {
            if let Some(param) = self.params.last_mut() {
                param.text = std::mem::take(&mut self.json);
                param.kind = kind;
            }
        }
    }

    fn begin_string(&mut self, source: &Source, at: usize, each: char, key: bool) -> Seen<()> {
        let quoted = source.literal(at, &self.quote);
        match quoted {
            Seen::Yes(behind) => {
                self.string = Some(Quoted::new(&self.quote.clone(), false));
                self.at = behind;
            }
            Seen::Wait => return Seen::Wait,
            Seen::No if matches!(each, '"' | '\'') => {
                self.string = Some(Quoted::new(&each.to_string(), true));
                self.at = at + 1;
            }
            Seen::No if self.quote.starts_with(source.from(at)) => return Seen::Wait,
            Seen::No => return Seen::No,
        }
        self.key = key;
        self.part = Part::Text;
        Seen::Yes(())
    }

    fn feed_text(&mut self, source: &Source, at: usize, each: char) -> Option<Step> {
        let string = self.string.as_mut()?;
        if string.escapes {
            let fed = fed_string(string, each);
            if string.bad {
                return Some(Step::Error(at));
            }
            if fed.is_some() {
                return Some(Step::Wait);
            }
            self.at += each.len_utf8();
        } else {
            match source.literal(at, &string.end) {
                Seen::Yes(behind) => self.at = behind,
                Seen::Wait => return Some(HOLD),
                Seen::No => {
                    string.push(each);
                    return Some(Step::Wait);
                }
            }
        }
        let string = self.string.take()?;
        let plain = String::from_utf16_lossy(&string.value);
        if self.key {
            self.end_key(&plain);
        } else if self.is_top() {
            self.json = plain;
            self.end_value(if self.typed { Kind::Typed } else { Kind::String });
        } else {
            self.json.push_str(&string.json());
            self.end_value(Kind::Json);
        }
        None
    }
}
