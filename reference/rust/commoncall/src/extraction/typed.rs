//! Typed parameters: what their tools declare, and what their texts are.

use serde_json::Value;

use super::descriptors::{Dialect, Kind};
use super::literals::literal_json;
use super::parameters::Param;
use super::values::members;
use crate::shared::json::{compact, compact_string, double, equal, nests_deeper, parse, pointer_in};
use crate::shared::outcome::Object;
use crate::shared::text::is_json_space;

/// The declared parameters of the tools of a turn.
pub(crate) struct Tools {
    tools: Vec<Value>,
}

impl Tools {
    pub(crate) fn new(tools: Vec<Value>) -> Self {
        Self { tools }
    }

    fn parameters(&self, name: &str) -> Option<&Value> {
        let tool = self.tools.iter().find(|tool| tool["function"]["name"].as_str() == Some(name))?;
        tool["function"].get("parameters")
    }

    /// The arguments of a call that a parameter holds which stands alone, and their text.
    pub(super) fn held<'a>(&self, call: &str, name: &str, text: &'a str) -> Option<(Object, &'a str)> {
        let properties = self.parameters(call)?["properties"].as_object()?;
        let text = text.trim_matches(is_json_space);
        if !matches!(name, "arguments" | "input") || properties.contains_key(name) || !text.starts_with('{') {
            return None;
        }
        let Value::Object(members) = readable(text)? else { return None };
        let is_known = !members.is_empty() && members.keys().all(|each| properties.contains_key(each));
        is_known.then_some((members, text))
    }

    /// The text of arguments with each encoded one decoded (TRN-038). `None` where none is.
    pub(crate) fn decoded(&self, call: &str, arguments: &str) -> Option<String> {
        let root = self.parameters(call)?;
        let properties = root["properties"].as_object()?;
        let mut found = Vec::new();
        for (name, (value, written)) in members(arguments)? {
            let (Value::String(text), Some(schema)) = (&value, properties.get(&name)) else { continue };
            let takes = |value: &Value, kind: &str| takes(schema, value, kind, root, 0);
            if takes(&value, "string") == Some(true) {
                continue;
            }
            let text = text.trim_matches(is_json_space);
            if let Some(json) = readable(text).and_then(|value| taken(&value, text, &takes)) {
                found.push((written.as_ptr().addr() - arguments.as_ptr().addr(), written.len(), json));
            }
        }
        found.sort_unstable();
        let (mut decoded, mut done) = (String::new(), 0);
        for (at, length, json) in found {
            decoded.push_str(&arguments[done..at]);
            decoded.push_str(&json);
            done = at + length;
        }
        (done > 0).then(|| decoded + &arguments[done..])
    }
}

/// The value of a parameter as JSON: typed, or a string. `None` where one of the kind `json` cannot be read.
pub(super) enum Given {
    Typed(String),
    Untyped(String),
    Unreadable,
}

pub(super) fn given(param: &Param, call: &str, name: &str, tools: &Tools, dialect: &Dialect) -> Given {
    let text = as_string(&param.text, dialect);
    let string = || Given::Untyped(compact_string(text));
    let value_text = param.text.trim_matches(is_json_space);
    let value_text = match value_text {
        "True" if dialect.python => "true",
        "False" if dialect.python => "false",
        "None" if dialect.python => "null",
        other => other,
    };
    match param.kind {
        Kind::String => string(),
        Kind::Json => readable(value_text).map_or(Given::Unreadable, |_| Given::Typed(value_text.to_owned())),
        Kind::Typed => {
            let parameters = tools.parameters(call);
            let schema = parameters.and_then(|each| each["properties"].as_object()?.get(name));
            let (root, schema) = (parameters.unwrap_or(&Value::Null), schema.unwrap_or(&Value::Null));
            if dialect.elements {
                let elements = Elements { dialect, root };
                match elements.value(&param.text, schema) {
                    Some(Some(json)) => return Given::Typed(json),
                    Some(None) => return Given::Unreadable,
                    None => {}
                }
            }
            typed(value_text, text, root, schema, dialect).map_or_else(string, Given::Typed)
        }
    }
}

/// A text as a string: without one line end at its start and one at its end.
fn as_string<'a>(text: &'a str, dialect: &Dialect) -> &'a str {
    if dialect.keeps_ends {
        return text;
    }
    let text = text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n')).unwrap_or(text);
    text.strip_suffix("\r\n").or_else(|| text.strip_suffix('\n')).unwrap_or(text)
}

fn readable(text: &str) -> Option<Value> {
    if nests_deeper(text, 127) {
        return None;
    }
    parse(text)
}

fn typed(value_text: &str, text: &str, root: &Value, schema: &Value, dialect: &Dialect) -> Option<String> {
    let takes = |value: &Value, kind: &str| takes(schema, value, kind, root, 0);
    takes(&Value::from(text), "string")?;
    if takes(&Value::from(text), "string") == Some(true) {
        let null = value_text == "null" && dialect.null_text && takes(&Value::Null, "null") == Some(true);
        return null.then(|| "null".to_owned());
    }
    if let Some(value) = readable(value_text) {
        return taken(&value, value_text, &takes);
    }
    let literal = Some(value_text).filter(|_| dialect.python).and_then(literal_json)?;
    let value = readable(&literal)?;
    taken(&value, &literal, &takes)
}

/// The characters of a value that a schema takes.
fn taken(value: &Value, text: &str, takes: &dyn Fn(&Value, &str) -> Option<bool>) -> Option<String> {
    let Value::Number(number) = value else {
        return (takes(value, kind_of(value)) == Some(true)).then(|| text.to_owned());
    };
    let broken = text.contains(['.', 'e', 'E']);
    if takes(value, if broken { "number" } else { "integer" }) == Some(true) {
        return Some(text.to_owned());
    }
    let double = double(number);
    if broken && double.fract() == 0.0 && takes(value, "integer") == Some(true) {
        let short = double.abs() < 9_007_199_254_740_992.0;
        return Some(if short { compact(&double.into()) } else { text.to_owned() });
    }
    None
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Values that are elements (EXT-D61).
struct Elements<'a> {
    dialect: &'a Dialect,
    root: &'a Value,
}

const MOST_ELEMENTS: usize = 32;

impl Elements<'_> {
    /// The JSON of a value that is elements, or blank: `None` where it is neither, `Some(None)` where it is not so written.
    fn value(&self, text: &str, schema: &Value) -> Option<Option<String>> {
        let trimmed = text.trim_matches(is_json_space);
        if trimmed.is_empty() {
            return self.empty(schema).map(Some);
        }
        self.begins(trimmed)?;
        let read = self.read(trimmed, schema, 1);
        Some(read.and_then(|(json, rest)| rest.is_empty().then_some(json)))
    }

    fn takes(&self, schema: &Value, value: &Value, kind: &str) -> Option<bool> {
        takes(schema, value, kind, self.root, 0)
    }

    fn takes_array(&self, schema: &Value) -> bool {
        self.takes(schema, &Value::Array(Vec::new()), "array") == Some(true)
    }

    fn takes_object(&self, schema: &Value) -> bool {
        self.takes(schema, &Value::Object(Object::new()), "object") == Some(true)
    }

    /// A blank text is an empty array or object where its schema takes no string.
    fn empty(&self, schema: &Value) -> Option<String> {
        if self.takes(schema, &Value::from(""), "string") != Some(false) {
            return None;
        }
        if self.takes_array(schema) {
            return Some("[]".to_owned());
        }
        self.takes_object(schema).then(|| "{}".to_owned())
    }

    /// What stands behind a `name_begin` with which a text begins.
    fn begins<'t>(&self, text: &'t str) -> Option<&'t str> {
        text.strip_prefix(self.dialect.name_begin.as_str()).filter(|rest| !rest.starts_with('/'))
    }

    /// Elements, and what stands behind them.
    fn read<'t>(&self, text: &'t str, schema: &Value, depth: usize) -> Option<(String, &'t str)> {
        let (found, rest) = self.split(text, depth)?;
        if found.is_empty() {
            return None;
        }
        let items = found.iter().all(|(name, _)| *name == "item");
        let is_array = self.takes_array(schema) || items && !self.takes_object(schema);
        let mut parts = Vec::new();
        for (at, (name, text)) in found.iter().enumerate() {
            let inner = self.schema_of(schema, if is_array { None } else { Some(name) }, 0).unwrap_or(&Value::Null);
            let json = self.element(text, inner, depth)?;
            if is_array {
                parts.push(json);
            } else {
                if found[..at].iter().any(|(other, _)| other == name) {
                    return None;
                }
                parts.push(format!("{}:{json}", compact_string(name)));
            }
        }
        let json = if is_array { format!("[{}]", parts.join(",")) } else { format!("{{{}}}", parts.join(",")) };
        Some((json, rest))
    }

    /// The names and texts of elements, and what stands behind them.
    fn split<'t>(&self, text: &'t str, depth: usize) -> Option<(Vec<(&'t str, &'t str)>, &'t str)> {
        if depth > MOST_ELEMENTS {
            return None;
        }
        let mut rest = text.trim_start_matches(is_json_space);
        let mut found = Vec::new();
        while let Some(behind) = self.begins(rest) {
            let (name, behind) = behind.split_once(self.dialect.name_end.as_str())?;
            let close = format!("{}{name}{}", self.dialect.value_end, self.dialect.name_end);
            let inner = behind.trim_start_matches(is_json_space);
            let end = if self.begins(inner).is_some() {
                self.split(inner, depth + 1)?.1
            } else {
                &behind[behind.find(self.dialect.name_begin.as_str())?..]
            };
            rest = end.strip_prefix(close.as_str())?.trim_start_matches(is_json_space);
            found.push((name, &behind[..behind.len() - end.len()]));
        }
        Some((found, rest))
    }

    fn element(&self, text: &str, schema: &Value, depth: usize) -> Option<String> {
        let trimmed = text.trim_matches(is_json_space);
        if self.begins(trimmed).is_some() {
            return self.read(trimmed, schema, depth + 1).filter(|(_, rest)| rest.is_empty()).map(|(json, _)| json);
        }
        if let Some(empty) = Some(schema).filter(|_| trimmed.is_empty()).and_then(|schema| self.empty(schema)) {
            return Some(empty);
        }
        let string = as_string(text, self.dialect);
        typed(trimmed, string, self.root, schema, self.dialect).or_else(|| Some(compact_string(string)))
    }

    /// The schema of an element: `items`, or the member of `properties` with its name.
    fn schema_of<'s>(&'s self, schema: &'s Value, name: Option<&str>, depth: usize) -> Option<&'s Value> {
        if depth > 8 {
            return None;
        }
        let own = match name {
            None => schema.get("items").filter(|each| each.is_object()),
            Some(name) => schema.get("properties").and_then(|each| each.get(name)),
        };
        let referred = || {
            let reference = schema.get("$ref")?.as_str()?;
            self.schema_of(self.root.pointer(&pointer_in(reference)?)?, name, depth + 1)
        };
        own.or_else(referred).or_else(|| {
            let unions = ["anyOf", "oneOf", "allOf"].into_iter().filter_map(|word| schema.get(word)?.as_array());
            unions.flatten().find_map(|each| self.schema_of(each, name, depth + 1))
        })
    }
}

/// Whether a schema takes a value of a type: `None` where it says nothing.
fn takes(schema: &Value, value: &Value, kind: &str, root: &Value, depth: usize) -> Option<bool> {
    let members = schema.as_object().filter(|_| depth <= 8)?;
    let inner = |schema: &Value| takes(schema, value, kind, root, depth + 1);
    let mut said: Vec<bool> = Vec::new();
    said.extend(by_type(members, kind));
    if let Some(Value::Array(values)) = members.get("enum").filter(|each| each.as_array().is_some_and(|each| !each.is_empty())) {
        said.push(values.iter().any(|each| equal(each, value)));
    }
    if let Some(constant) = members.get("const") {
        said.push(equal(constant, value));
    }
    if let Some(Value::String(reference)) = members.get("$ref") {
        said.extend(pointer_in(reference).and_then(|pointer| inner(root.pointer(&pointer)?)));
    }
    for name in ["anyOf", "oneOf"] {
        let answers: Vec<bool> = members.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(inner).collect();
        if !answers.is_empty() {
            said.push(answers.contains(&true));
        }
    }
    let answers: Vec<bool> = members.get("allOf").and_then(Value::as_array).into_iter().flatten().filter_map(inner).collect();
    if !answers.is_empty() {
        said.push(!answers.contains(&false));
    }
    if said.is_empty() {
        return None;
    }
    let nullable = value.is_null() && members.get("nullable") == Some(&Value::Bool(true));
    Some(nullable || !said.contains(&false))
}

fn by_type(members: &Object, kind: &str) -> Option<bool> {
    const NAMES: [&str; 7] = ["string", "number", "integer", "boolean", "array", "object", "null"];
    let stated = members.get("type")?;
    let list = stated.as_array().cloned().unwrap_or_else(|| vec![stated.clone()]);
    let known: Vec<&str> = list.iter().filter_map(Value::as_str).filter(|each| NAMES.contains(each)).collect();
    if known.is_empty() {
        return None;
    }
    Some(known.iter().any(|each| *each == kind || *each == "number" && kind == "integer"))
}

/// Whether the text of a parameter is an unbalanced value.
pub(super) fn is_unbalanced(text: &str, name: &str, kind: Kind, dialect: &Dialect) -> bool {
    if dialect.elements {
        return text.contains(dialect.name_begin.as_str());
    }
    let text = text.trim_matches(is_json_space);
    let trim = |text: &str| text.trim_matches(is_json_space).to_owned();
    let name_begin = trim(&dialect.name_begin);
    let value_end = trim(&dialect.value_end);
    let one_begin = match dialect.value_begins.as_slice() {
        [begin] if !dialect.listed_begins && !begin.text.is_empty() => Some(trim(&begin.text)),
        _ => None,
    };
    let mut pieces: Vec<String> =
        dialect.value_begins.iter().flat_map(|each| [trim(&each.text), trim(&each.end)]).filter(|each| !each.is_empty()).collect();
    let ends_other = |piece: &String| pieces.iter().any(|other| other != piece && other.ends_with(piece.as_str()));
    let kept: Vec<String> = pieces.iter().filter(|piece| !ends_other(piece)).cloned().collect();
    pieces = kept;
    pieces.push(name_begin.clone());
    // A value that has an end of its own can quote closing tags at its ends.
    let has_end = dialect.value_begins.iter().any(|each| each.kind == kind && !each.end.is_empty());
    if !has_end {
        pieces.push(value_end.clone());
    }
    if dialect.name_end.starts_with('<') {
        pieces.push(trim(&dialect.name_end));
    }
    let word = value_end.strip_prefix("</").and_then(|rest| rest.strip_suffix('>')).filter(|word| !word.contains(['<', '>']));
    let scan = Scan { text, name_begin: &name_begin, value_end: &value_end, value_begin: one_begin.as_deref(), word };
    let (open, ends) = scan.closings();
    if open {
        return true;
    }
    if pieces.iter().any(|piece| text.starts_with(piece.as_str())) {
        return true;
    }
    let last_closes_likeness = ends.last().is_some_and(|end| end.at + value_end.len() == text.len() && end.likeness);
    if pieces.iter().any(|piece| text.ends_with(piece.as_str())) && !last_closes_likeness {
        return true;
    }
    ends.iter().filter(|end| !end.any).any(|end| scan.goes_on(end.at + value_end.len(), dialect))
        || !has_end
            && (word.is_some_and(|word| misspelt(text, word))
                || misspelt(text, "parameter")
                || !name.is_empty() && closes_name(text, name))
}

/// A `value_end` in a text: whether it closes anything, and a likeness.
struct End {
    at: usize,
    any: bool,
    likeness: bool,
}

struct Scan<'a> {
    text: &'a str,
    name_begin: &'a str,
    value_end: &'a str,
    value_begin: Option<&'a str>,
    word: Option<&'a str>,
}

impl Scan<'_> {
    /// Whether a begin is not closed, and what each end closes.
    fn closings(&self) -> (bool, Vec<End>) {
        let (mut names, mut values, mut likenesses) = (0usize, 0usize, 0usize);
        let mut ends = Vec::new();
        for (at, _) in self.text.char_indices() {
            let here = &self.text[at..];
            let begins_value = self.value_begin.is_some_and(|begin| here.starts_with(begin));
            if here.starts_with(self.value_end) {
                ends.push(End { at, any: names + values + likenesses > 0, likeness: likenesses > 0 });
                names = names.saturating_sub(1);
                values = values.saturating_sub(1);
                likenesses = likenesses.saturating_sub(1);
            } else if here.starts_with(self.name_begin) {
                names += 1;
            } else if begins_value {
                values += 1;
            } else if self.word.is_some_and(|word| here.strip_prefix('<').is_some_and(|rest| rest.starts_with(word))) {
                likenesses += 1;
            }
        }
        (names + values > 0, ends)
    }

    /// Whether behind an end that closes nothing something stands that begins a parameter.
    fn goes_on(&self, at: usize, dialect: &Dialect) -> bool {
        let behind = self.text[at..].trim_start_matches(is_json_space);
        let begins = |rest: &str, word: &str| rest.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word));
        if behind.strip_prefix('<').is_some_and(|rest| begins(rest, "param") || self.word.is_some_and(|word| begins(rest, word))) {
            return true;
        }
        let named = behind.trim_start_matches(|each: char| each.is_ascii_alphanumeric() || matches!(each, '_' | '-' | '.'));
        if named.len() == behind.len() {
            return false;
        }
        let unquoted = named.strip_prefix(['"', '\'']).unwrap_or(named);
        let end = dialect.name_end.as_str();
        let Some(rest) = named.strip_prefix(end).or_else(|| unquoted.strip_prefix(end)) else { return false };
        dialect.value_begins.iter().any(|begin| {
            let rest = if dialect.listed_begins { rest } else { rest.trim_start_matches(is_json_space) };
            begin.text.is_empty() || rest.starts_with(begin.text.as_str())
        })
    }
}

fn has_before(text: &str, word: &str) -> bool {
    text.contains(&format!("<{word}"))
}

/// Whether a text begins or ends with a closing tag whose name begins with a word that no `<` stands before.
fn misspelt(text: &str, word: &str) -> bool {
    let is_tag = |tag: &str| tag.strip_prefix("</").is_some_and(|rest| rest.starts_with(word));
    let first = text.find('>').map(|end| &text[..=end]).filter(|tag| tag.rfind('<') == Some(0));
    let last = text.rfind('<').map(|from| &text[from..]).filter(|tag| tag.find('>') == Some(tag.len() - 1));
    !has_before(text, word) && (first.is_some_and(is_tag) || last.is_some_and(is_tag))
}

fn closes_name(text: &str, name: &str) -> bool {
    let tag = format!("</{name}>");
    !has_before(text, name) && (text.starts_with(&tag) || text.ends_with(&tag))
}
