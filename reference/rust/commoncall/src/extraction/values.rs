//! What becomes of a payload: calls and rejections.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::descriptors::{Dialect, Reader};
use super::json::JsonReader;
use super::literals::LiteralCall;
use super::markers::Source;
use super::parameters::Param;
use super::typed::{Given, Tools, given, is_unbalanced};
use crate::shared::json::{DEEPEST, compact, equal, nesting_depth, parse};
use crate::shared::outcome::Object;
use crate::shared::text::is_blank;

/// A call without its id.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) name: String,
    pub(super) arguments: Object,
    pub(super) arguments_json: String,
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
            return Entry::Rejected("beside_native_calls", None);
        }
        Entry::Call(Call { name, arguments, arguments_json })
    }

    /// The entries of a payload of JSON. `None` where it is rejected as a whole with `not_a_call` or is empty.
    pub(super) fn json(&self, reader: &JsonReader, source: &Source, dialect: &Dialect, header: Option<&str>) -> Vec<Entry> {
        let values = &reader.values;
        if dialect.reader == Reader::JsonArguments {
            return vec![self.arguments(reader, source, dialect, header.unwrap_or_default())];
        }
        let only = match values.as_slice() {
            [only] => Some(only.is_array),
            _ => None,
        };
        if dialect.reader == Reader::JsonObject && only != Some(false) || dialect.reader == Reader::JsonArray && only != Some(true)
        {
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
                entries.push(self.value(&reader.repaired(source, value.from, value.to), dialect));
            }
        }
        entries
    }

    /// The payload that is the arguments of a call.
    fn arguments(&self, reader: &JsonReader, source: &Source, dialect: &Dialect, header: &str) -> Entry {
        let name = name_in(header, dialect);
        let rejected = |code| Entry::Rejected(code, known(name.clone()));
        let [only] = reader.values.as_slice() else {
            return if name.is_empty() { rejected("name_blank") } else { rejected("arguments_not_object") };
        };
        let text = reader.repaired(source, only.from, only.to);
        if !only.is_array {
            if nesting_depth(&text) > DEEPEST {
                return Entry::Rejected("too_deep", None);
            }
            if parse(&text).is_none() {
                return Entry::Rejected("invalid_json", None);
            }
        }
        if name.is_empty() {
            return rejected("name_blank");
        }
        match parse(&text) {
            Some(Value::Object(arguments)) => self.done(name, arguments, text),
            _ => rejected("arguments_not_object"),
        }
    }

    /// One call value.
    fn value(&self, text: &str, dialect: &Dialect) -> Entry {
        if nesting_depth(text) > DEEPEST {
            return Entry::Rejected("too_deep", None);
        }
        let Some(Value::Object(members)) = parse(text) else { return Entry::Rejected("invalid_json", None) };
        let raw = raw_members(text);
        let (members, raw) = shaped(members, raw, dialect);
        self.judged(&members, &raw, dialect)
    }

    fn judged(&self, members: &Object, raw: &[(String, String)], dialect: &Dialect) -> Entry {
        let name = dialect.names.iter().find_map(|name| {
            let value = members.get(name)?;
            (name != "function" || value.is_string()).then_some(value)
        });
        let readable = name.and_then(Value::as_str).map(|name| name_in(name, dialect));
        let rejected = |code| Entry::Rejected(code, readable.clone().and_then(known));
        let listed = |name: &String| dialect.names.contains(name) || dialect.arguments.contains(name);
        if dialect.exact_members && !members.keys().all(listed) {
            return rejected("members_unknown");
        }
        if is_declaration(members) {
            return rejected("declaration");
        }
        match (name, &readable) {
            (None | Some(Value::Null), _) => return rejected("name_missing"),
            (_, None) => return rejected("name_not_string"),
            (_, Some(name)) if name.is_empty() => return rejected("name_blank"),
            _ => {}
        }
        let given: Vec<(&String, &Value)> = dialect.arguments.iter().filter_map(|name| Some((name, members.get(name)?))).collect();
        let Some(&(member, arguments)) = given.first() else { return rejected("arguments_missing") };
        if given.iter().any(|(_, other)| !equal(arguments, other)) {
            return rejected("ambiguous_arguments");
        }
        let name = readable.clone().unwrap_or_default();
        match arguments {
            Value::Null => self.done(name, Object::new(), "{}".to_owned()),
            Value::Object(object) => {
                let text = raw.iter().find(|(own, _)| own == member).map_or_else(|| compact(arguments), |(_, text)| text.clone());
                self.done(name, object.clone(), text)
            }
            Value::String(_) if dialect.object_arguments => rejected("arguments_not_object"),
            Value::String(text) if is_blank(text) => rejected("arguments_empty"),
            Value::String(text) if nesting_depth(text) > DEEPEST => rejected("arguments_too_deep"),
            Value::String(text) => match parse(text) {
                Some(Value::Object(object)) => self.done(name, object, text.clone()),
                Some(_) => rejected("arguments_not_object"),
                None => rejected("arguments_invalid_json"),
            },
            _ => rejected("arguments_not_object"),
        }
    }

    /// A call of parameters.
    pub(super) fn parameters(&self, name: &str, params: &[Param], tagged: bool, bad: bool, dialect: &Dialect) -> Entry {
        let name = name_in(name, dialect);
        let mut named = Vec::new();
        let (mut unreadable, mut unbalanced) = (bad, false);
        for param in params {
            let own = if tagged { cleaned(super::markers::unquoted(&param.name)).to_owned() } else { param.name.clone() };
            let value = match given(param, &name, &own, &self.tools, dialect) {
                Given::Typed(json) => json,
                Given::Untyped(json) => {
                    unbalanced = unbalanced || tagged && is_unbalanced(&param.text, &own, dialect);
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
        let mut names: Vec<&String> = named.iter().map(|(name, _)| name).collect();
        names.sort();
        if names.windows(2).any(|pair| pair[0] == pair[1]) {
            return rejected("ambiguous_arguments");
        }
        if unbalanced {
            return rejected("parameter_unbalanced");
        }
        let members: Vec<String> = named.iter().map(|(name, value)| format!("{}:{value}", compact(&json!(name)))).collect();
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

/// The members of an object with their texts, the last of each name.
fn raw_members(text: &str) -> Vec<(String, String)> {
    struct Members(Vec<(String, String)>);
    impl<'de> serde::Deserialize<'de> for Members {
        fn deserialize<D: serde::Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
            struct Visit;
            impl<'de> serde::de::Visitor<'de> for Visit {
                type Value = Members;

                fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    out.write_str("an object")
                }

                fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                    let mut found: Vec<(String, String)> = Vec::new();
                    while let Some((name, value)) = map.next_entry::<String, &RawValue>()? {
                        found.retain(|(own, _)| *own != name);
                        found.push((name, value.get().to_owned()));
                    }
                    Ok(Members(found))
                }
            }
            source.deserialize_map(Visit)
        }
    }
    serde_json::from_str::<Members>(text).map_or(Vec::new(), |members| members.0)
}

/// The members of a call value, where it is nested or keyed.
fn shaped(members: Object, raw: Vec<(String, String)>, dialect: &Dialect) -> (Object, Vec<(String, String)>) {
    if dialect.keyed {
        let mut entries = members.into_iter();
        return match (entries.next(), entries.next()) {
            (Some((name, value)), None) => {
                let text = raw.into_iter().next().map(|(_, text)| text).unwrap_or_default();
                let members = json!({"name": name, "arguments": value}).as_object().cloned().unwrap_or_default();
                (members, vec![("arguments".to_owned(), text)])
            }
            _ => (Object::new(), Vec::new()),
        };
    }
    let Some(nested) = dialect.nested.as_ref().filter(|_| !members.contains_key("name")) else { return (members, raw) };
    let Some(Value::Object(inner)) = members.get(nested).cloned() else { return (members, raw) };
    let inner_raw = raw.iter().find(|(name, _)| name == nested).map_or(Vec::new(), |(_, text)| raw_members(text));
    (inner, inner_raw)
}

fn is_declaration(members: &Object) -> bool {
    let schema = members.get("parameters").and_then(Value::as_object);
    let describes = schema.is_some_and(|schema| {
        schema.get("type").is_some_and(|each| each == "object") || schema.get("properties").is_some_and(Value::is_object)
    });
    !members.contains_key("arguments") && (members.contains_key("description") || describes)
}
