//! Whether an input is what the schema of its operation says. The schemas of the specification are read as they are.

use std::collections::HashMap;
use std::sync::OnceLock;

use regex_lite::Regex;
use serde_json::Value;

use super::data::SCHEMAS;
use super::json::{double, elements, equal, is_too_deep};
use super::outcome::{Failure, Object};

/// The members of an input, unless it is bad: of another form than its schema, or too deep.
pub(crate) fn input<'a>(operation: &str, input: &'a Value) -> Result<&'a Object, Failure> {
    let reference = format!("urn:commoncall:v1:{operation}#/$defs/input");
    match input.as_object() {
        Some(members) if !is_too_deep(input) && refers(input, &reference, "") => Ok(members),
        _ => Err(Failure::of("invalid_input")),
    }
}

/// The schemas by their `$id`.
fn documents() -> &'static HashMap<String, Value> {
    static DOCUMENTS: OnceLock<HashMap<String, Value>> = OnceLock::new();
    DOCUMENTS.get_or_init(|| {
        let parsed = SCHEMAS.iter().filter_map(|text| serde_json::from_str::<Value>(text).ok());
        parsed.map(|each| (each["$id"].as_str().unwrap_or_default().to_owned(), each)).collect()
    })
}

/// The schema that a reference in the document `home` names, and the `$id` of its document.
fn referred(reference: &str, home: &str) -> Option<(&'static str, &'static Value)> {
    let (document, place) = reference.split_once('#').unwrap_or((reference, ""));
    let (id, schema) = documents().get_key_value(if document.is_empty() { home } else { document })?;
    Some((id, schema.pointer(place)?))
}

fn refers(value: &Value, reference: &str, home: &str) -> bool {
    referred(reference, home).is_some_and(|(id, schema)| fits(value, schema, id))
}

/// Whether a value fits a schema of the document `home`. A keyword that is not known fits nothing.
fn fits(value: &Value, schema: &Value, home: &str) -> bool {
    let Some(keywords) = schema.as_object() else { return schema == &Value::Bool(true) };
    keywords.iter().all(|(keyword, said)| keeps(value, keyword, said, keywords, home))
}

fn keeps(value: &Value, keyword: &str, said: &Value, all: &Object, home: &str) -> bool {
    let inner = |value: &Value, schema: &Value| fits(value, schema, home);
    let items = value.as_array();
    let members = value.as_object();
    let text = value.as_str();
    let number = value.as_number().map(double);
    let bound = said.as_f64().unwrap_or(f64::NAN);
    #[expect(clippy::cast_precision_loss, reason = "no input has 2^53 elements")]
    let length = |length: usize| length as f64;
    match keyword {
        "$schema" | "$id" | "$comment" | "title" | "description" | "examples" | "default" | "$defs" | "then" | "else" => true,
        "$ref" => refers(value, said.as_str().unwrap_or_default(), home),
        "type" => has_type(value, said),
        "const" => equal(value, said),
        "enum" => elements(Some(said)).iter().any(|each| equal(value, each)),
        "not" => !inner(value, said),
        "allOf" => elements(Some(said)).iter().all(|each| inner(value, each)),
        "anyOf" => elements(Some(said)).iter().any(|each| inner(value, each)),
        "oneOf" => elements(Some(said)).iter().filter(|each| inner(value, each)).count() == 1,
        "if" => all.get(if inner(value, said) { "then" } else { "else" }).is_none_or(|each| inner(value, each)),
        "properties" => members.is_none_or(|members| {
            said.as_object()
                .is_some_and(|said| said.iter().all(|(name, schema)| members.get(name).is_none_or(|value| inner(value, schema))))
        }),
        "required" => members
            .is_none_or(|members| elements(Some(said)).iter().all(|name| members.contains_key(name.as_str().unwrap_or_default()))),
        "additionalProperties" => members.is_none_or(|members| {
            members
                .iter()
                .all(|(name, value)| all.get("properties").and_then(|each| each.get(name)).is_some() || inner(value, said))
        }),
        "unevaluatedProperties" => {
            members.is_none_or(|members| members.keys().all(|name| is_evaluated(name, all, home)) || said == &Value::Bool(true))
        }
        "propertyNames" => members.is_none_or(|members| members.keys().all(|name| inner(&Value::from(name.as_str()), said))),
        "minProperties" => members.is_none_or(|members| length(members.len()) >= bound),
        "dependentRequired" => members.is_none_or(|members| {
            said.as_object().is_some_and(|said| {
                said.iter().all(|(name, needed)| {
                    !members.contains_key(name)
                        || elements(Some(needed)).iter().all(|each| members.contains_key(each.as_str().unwrap_or_default()))
                })
            })
        }),
        "items" => items.is_none_or(|items| items.iter().all(|each| inner(each, said))),
        "contains" => items.is_none_or(|items| items.iter().any(|each| inner(each, said))),
        "minItems" => items.is_none_or(|items| length(items.len()) >= bound),
        "maxItems" => items.is_none_or(|items| length(items.len()) <= bound),
        "uniqueItems" => items
            .is_none_or(|items| items.iter().enumerate().all(|(at, each)| !items.iter().take(at).any(|other| equal(each, other)))),
        "minLength" => text.is_none_or(|text| length(text.chars().count()) >= bound),
        "maxLength" => text.is_none_or(|text| length(text.chars().count()) <= bound),
        "pattern" => text.is_none_or(|text| matches(text, said.as_str().unwrap_or_default())),
        "minimum" => number.is_none_or(|number| number >= bound),
        "maximum" => number.is_none_or(|number| number <= bound),
        _ => false,
    }
}

/// Whether a name stands among the properties of a schema, or of what it refers to.
fn is_evaluated(name: &str, keywords: &Object, home: &str) -> bool {
    if keywords.get("properties").and_then(|each| each.get(name)).is_some() {
        return true;
    }
    let reference = keywords.get("$ref").and_then(Value::as_str);
    let inner = reference.and_then(|reference| referred(reference, home));
    inner.and_then(|(id, schema)| Some((id, schema.as_object()?))).is_some_and(|(id, inner)| is_evaluated(name, inner, id))
}

/// Whether a value is of a type, or of one of several, as `type` of a schema says.
pub(crate) fn has_type(value: &Value, said: &Value) -> bool {
    match said {
        Value::Array(types) => types.iter().any(|each| is_type(value, each)),
        _ => is_type(value, said),
    }
}

fn is_type(value: &Value, name: &Value) -> bool {
    match name.as_str().unwrap_or_default() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => value.as_number().is_some_and(|number| double(number).fract() == 0.0),
        _ => false,
    }
}

fn matches(text: &str, pattern: &str) -> bool {
    patterns().get(pattern).is_some_and(|pattern| pattern.is_match(text))
}

/// The patterns of the schemas, each compiled once.
fn patterns() -> &'static HashMap<&'static str, Regex> {
    static PATTERNS: OnceLock<HashMap<&str, Regex>> = OnceLock::new();
    PATTERNS.get_or_init(|| {
        let mut found = HashMap::new();
        let mut left: Vec<&Value> = documents().values().collect();
        while let Some(each) = left.pop() {
            left.extend(each.as_array().into_iter().flatten().chain(each.as_object().into_iter().flat_map(Object::values)));
            let pattern = each.get("pattern").and_then(Value::as_str);
            found.extend(pattern.and_then(|pattern| Some((pattern, Regex::new(pattern).ok()?))));
        }
        found
    })
}
