//! What becomes of a payload: calls and rejections.

use std::collections::HashMap;
use std::collections::hash_map::Entry as MapEntry;

use serde_json::Value;
use serde_json::value::RawValue;

use super::descriptors::{Dialect, Reader};
use super::json::JsonReader;
use super::literals::LiteralCall;
use super::markers::Source;
use super::parameters::Param;
use super::typed::{Given, Tools, given, is_unbalanced};
use crate::shared::json::{DEEPEST, compact_string, equal, nests_deeper, parse};
use crate::shared::outcome::Object;
use crate::shared::text::{is_blank, is_json_space};

/// A call without its id.
#[derive(Clone, Debug)]
pub struct Call {
    /// Its name.
    pub name: String,
    /// Its arguments.
    pub arguments: Object,
    /// The text of the arguments, as the model wrote it but for repairs.
    pub arguments_json: String,
}

/// What a call value or a payload became.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    Call(Call),
    /// Its code, and the name of the unreadable call that it can be.
    Rejected(&'static str, Option<String>),
}

/// What concerns all calls of a text.
pub(super) struct Judge {
    pub(super) native: bool,
    pub(super) tools: Tools,
}

/// The name without blanks and control tokens at its ends.
pub(super) fn cleaned(name: &str) -> &str {
    let mut name = name.trim();
    loop {
        let before = name;
        if let Some(rest) = name.strip_prefix("<|") {
            if let Some((token, behind)) = rest.split_once("|>") {
                if is_token(token) {
                    name = behind.trim();
                }
            }
        }
        if let Some(rest) = name.strip_suffix("|>") {
            if let Some((before, token)) = rest.rsplit_once("<|") {
                if is_token(token) {
                    name = before.trim();
                }
            }
        }
        if name == before {
            return name;
        }
    }
}

fn is_token(text: &str) -> bool {
    !text.is_empty() && !text.contains(['<', '>', '|'])
}

fn name_in(name: &str, dialect: &Dialect) -> String {
    match dialect.verbatim_name {
        true if is_blank(name) => String::new(),
        true => name.to_owned(),
        false => cleaned(name).to_owned(),
    }
}

fn known(name: String) -> Option<String> {
    Some(name).filter(|name| !name.is_empty())
}

impl Judge {
    fn done(&self, name: String, arguments: Object, arguments_json: String) -> Entry {
        if self.native {
            return Entry::Rejected("beside_native_calls", Some(name));
        }
        Entry::Call(Call { name, arguments, arguments_json })
    }

    /// The entries of a payload of JSON. `None` where it is rejected as a whole with `not_a_call` or is empty.
    pub(super) fn json(&self, reader: &JsonReader, source: &Source, dialect: &Dialect, header: Option<&str>) -> Vec<Entry> {
        let values = &reader.values;
        if dialect.reader == Reader::JsonArguments {
            return vec![self.arguments(reader, source, dialect, header.unwrap_or_default())];
        }
        let taken = match dialect.reader {
            Reader::JsonObject => matches!(values.as_slice(), [only] if !only.is_array),
            Reader::JsonArray => values.iter().all(|value| value.is_array),
            _ => true,
        };
        if !taken {
            return vec![Entry::Rejected("not_a_call", None)];
        }
        let mut entries = Vec::new();
        for value in values {
            if value.is_array {
                for (from, to) in &value.elements {
                    if source.byte(*from) == Some(b'{') {
                        entries.push(self.value(&reader.repaired(source, *from, *to), dialect));
                    } else {
                        entries.push(Entry::Rejected("not_a_call", None));
                    }
                }
            } else {
                let text = reader.repaired(source, value.from, value.to);
                match self.held(&text, dialect) {
                    Some(held) => entries.extend(held),
                    None => entries.push(self.value(&text, dialect)),
                }
            }
        }
        entries
    }

    /// The calls, or the one, in a member of an object that says nothing else.
    fn held(&self, text: &str, dialect: &Dialect) -> Option<Vec<Entry>> {
        let [member, one, nested] = dialect.calls.as_ref().filter(|_| !nests_deeper(text, DEEPEST))?;
        let mut found = members(text)?;
        let is_one = found.get(one).is_some_and(|(value, _)| value.is_object());
        let holds = |value: &Value| is_one || value.as_array().is_some_and(|each| !each.is_empty());
        let (_, held) = found.remove(if is_one { one } else { member }).filter(|(value, _)| holds(value))?;
        let says_nothing = |value: &Value| value.is_null() || matches!(value.as_str(), Some("" | "assistant"));
        if !found.values().all(|(value, _)| says_nothing(value)) {
            return None;
        }
        let inner = Dialect { nested: Some(nested.clone()), calls: None, ..dialect.clone() };
        if is_one {
            return Some(vec![self.value(held, &inner)]);
        }
        let elements: Vec<&RawValue> = serde_json::from_str(held).ok()?;
        let entry = |each: &RawValue| {
            let is_object = each.get().starts_with('{');
            if is_object { self.value(each.get(), &inner) } else { Entry::Rejected("not_a_call", None) }
        };
        Some(elements.into_iter().map(entry).collect())
    }

    /// The payload that is the arguments of a call.
    pub(super) fn arguments(&self, reader: &JsonReader, source: &Source, dialect: &Dialect, header: &str) -> Entry {
        let name = name_in(header, dialect);
        let rejected = |code| Entry::Rejected(code, known(name.clone()));
        let [only] = reader.values.as_slice() else {
            return if name.is_empty() { rejected("name_blank") } else { rejected("arguments_not_object") };
        };
        let text = reader.repaired(source, only.from, only.to);
        let mut read = None;
        if !only.is_array {
            if nests_deeper(&text, DEEPEST) {
                return Entry::Rejected("too_deep", None);
            }
            read = parse(&text);
            if read.is_none() {
                return Entry::Rejected("invalid_json", None);
            }
        }
        if name.is_empty() {
            return rejected("name_blank");
        }
        match arguments_of(read.unwrap_or_default(), &text) {
            Ok((arguments, text)) => self.done(name, arguments, text),
            Err(code) => rejected(code),
        }
    }

    /// One call value.
    fn value(&self, text: &str, dialect: &Dialect) -> Entry {
        if nests_deeper(text, DEEPEST) {
            return Entry::Rejected("too_deep", None);
        }
        let Some(members) = members(text) else { return Entry::Rejected("invalid_json", None) };
        self.judged(shaped(members, dialect), dialect)
    }

    fn judged(&self, mut members: Members<'_>, dialect: &Dialect) -> Entry {
        let name = dialect.names.iter().find_map(|name| {
            let (value, _) = members.get(name)?;
            (name != "function" || value.is_string()).then_some(value)
        });
        let readable = name.and_then(Value::as_str).map(|name| name_in(name, dialect));
        let rejected = |code| Entry::Rejected(code, readable.clone().and_then(known));
        let listed = |name: &String| dialect.names.contains(name) || dialect.arguments.contains(name);
        if dialect.exact_members && !members.keys().all(listed) {
            return rejected("members_unknown");
        }
        if is_declaration(&members) {
            return rejected("declaration");
        }
        match (name, &readable) {
            (None | Some(Value::Null), _) => return rejected("name_missing"),
            (_, None) => return rejected("name_not_string"),
            (_, Some(name)) if name.is_empty() => return rejected("name_blank"),
            _ => {}
        }
        let mut given = dialect.arguments.iter().filter(|name| members.contains_key(*name));
        let Some(member) = given.next() else { return rejected("arguments_missing") };
        if given.any(|other| !equal(&members[member].0, &members[other].0)) {
            return rejected("ambiguous_arguments");
        }
        let name = readable.clone().unwrap_or_default();
        match members.remove(member).unwrap_or_default() {
            (Value::Null, _) => self.done(name, Object::new(), "{}".to_owned()),
            (Value::String(_), _) if dialect.object_arguments => rejected("arguments_not_object"),
            (value, text) => match arguments_of(value, text) {
                Ok((arguments, text)) => self.done(name, arguments, text),
                Err(code) => rejected(code),
            },
        }
    }

    /// A call of parameters.
    pub(super) fn parameters(&self, name: &str, params: &[Param], tagged: bool, bad: bool, dialect: &Dialect) -> Entry {
        let name = name_in(name, dialect);
        if let ([param], true) = (params, tagged && !dialect.elements && !name.is_empty()) {
            if let Some((arguments, text)) = self.tools.held(&name, cleaned(param.bare_name()), &param.text) {
                return self.done(name, arguments, text.to_owned());
            }
        }
        let mut named = Vec::new();
        let (mut unreadable, mut unbalanced) = (bad, false);
        for param in params {
            let own = if tagged { cleaned(param.bare_name()).to_owned() } else { param.name.clone() };
            let value = match given(param, &name, &own, &self.tools, dialect) {
                Given::Typed(json) => json,
                Given::Untyped(json) => {
                    unbalanced = unbalanced || tagged && is_unbalanced(&param.text, &own, param.kind, dialect);
                    json
                }
                Given::Unreadable => {
                    unreadable = true;
                    String::new()
                }
            };
            named.push((own, value));
        }
        if unreadable {
            return Entry::Rejected("invalid_json", None);
        }
        let rejected = |code| Entry::Rejected(code, known(name.clone()));
        if name.is_empty() {
            return rejected("name_blank");
        }
        let mut firsts = HashMap::new();
        let mut members = Vec::new();
        for (name, value) in &named {
            match firsts.entry(name) {
                MapEntry::Vacant(place) => {
                    members.push(format!("{}:{value}", compact_string(name)));
                    place.insert((value, None));
                }
                MapEntry::Occupied(mut place) => {
                    let (first, parsed) = place.get_mut();
                    let first = parsed.get_or_insert_with(|| parse(first).unwrap_or_default()); // once, however often it repeats
                    if !equal(first, &parse(value).unwrap_or_default()) {
                        return rejected("ambiguous_arguments");
                    }
                }
            }
        }
        if unbalanced {
            return rejected("parameter_unbalanced");
        }
        let text = format!("{{{}}}", members.join(","));
        match parse(&text) {
            Some(Value::Object(arguments)) => self.done(name, arguments, text),
            _ => Entry::Rejected("invalid_json", None),
        }
    }

    pub(super) fn literals(&self, calls: &[LiteralCall], dialect: &Dialect) -> Vec<Entry> {
        calls.iter().map(|call| self.parameters(&call.name, &call.params, false, call.bad, dialect)).collect()
    }
}

/// The members of an object, each with its text: the last of each name.
pub(super) type Members<'a> = HashMap<String, (Value, &'a str)>;

/// The members of the text of an object. `None` where it is no such text.
pub(super) fn members(text: &str) -> Option<Members<'_>> {
    let mut found = Members::new();
    let mut rest = behind_sign(text, '{')?;
    let end = loop {
        if let Some(end) = behind_sign(rest, '}').filter(|_| found.is_empty()) {
            break end;
        }
        let (name, behind) = first_value(rest)?;
        let begin = behind_sign(behind, ':')?.trim_start_matches(is_json_space);
        let (value, behind) = first_value(begin)?;
        found.insert(name, (value, &begin[..begin.len() - behind.len()]));
        match behind_sign(behind, ',') {
            Some(next) => rest = next,
            None => break behind_sign(behind, '}')?,
        }
    };
    end.is_empty().then_some(found)
}

/// What stands behind a sign and the white space before it.
fn behind_sign(text: &str, sign: char) -> Option<&str> {
    text.trim_start_matches(is_json_space).strip_prefix(sign)
}

/// The value with which a text begins, and what stands behind it.
fn first_value<'a, T: serde::Deserialize<'a>>(text: &'a str) -> Option<(T, &'a str)> {
    let mut source = serde_json::Deserializer::from_str(text);
    source.disable_recursion_limit();
    let mut values = source.into_iter();
    let value = values.next()?.ok()?;
    Some((value, &text[values.byte_offset()..]))
}

/// The members of a call value, where it is nested or keyed.
fn shaped<'a>(mut found: Members<'a>, dialect: &Dialect) -> Members<'a> {
    if dialect.keyed {
        let only = (found.len() == 1).then(|| found.drain().next()).flatten();
        let named = |(name, value): (String, _)| [("name".to_owned(), (name.into(), "")), ("arguments".to_owned(), value)];
        return only.into_iter().flat_map(named).collect();
    }
    let nested = dialect.nested.as_ref().filter(|_| !found.contains_key("name")).and_then(|nested| found.get(nested));
    match nested {
        Some((Value::Object(_), text)) => members(text).unwrap_or_default(),
        _ => found,
    }
}

/// The arguments that a value is, or that it holds as a string, with their text, or a code.
fn arguments_of(value: Value, text: &str) -> Result<(Object, String), &'static str> {
    match value {
        Value::Object(object) => Ok((object, text.to_owned())),
        Value::String(text) if is_blank(&text) => Err("arguments_empty"),
        Value::String(text) if nests_deeper(&text, DEEPEST) => Err("arguments_too_deep"),
        Value::String(text) => match parse(&text) {
            Some(Value::Object(object)) => Ok((object, text)),
            Some(_) => Err("arguments_not_object"),
            None => Err("arguments_invalid_json"),
        },
        _ => Err("arguments_not_object"),
    }
}

fn is_declaration(members: &Members<'_>) -> bool {
    let schema = members.get("parameters").and_then(|(value, _)| value.as_object());
    let describes = schema.is_some_and(|schema| {
        schema.get("type").is_some_and(|each| each == "object") || schema.get("properties").is_some_and(Value::is_object)
    });
    !members.contains_key("arguments") && (members.contains_key("description") || describes)
}
