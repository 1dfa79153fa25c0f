//! Tools and choices of a request: when they are well-formed, and the names under which they are sent.

use serde_json::Value;

use super::profile::Flags;
use crate::shared::capabilities::choice_word;
use crate::shared::outcome::Object;
use crate::shared::sha256::{hex, sha256};
use crate::shared::text::{first, is_blank, is_sendable, is_word};

/// The name in a `{"type": "function", "function": {"name": …}}`, where it is one.
pub(crate) fn function_name(value: &Value) -> Option<&str> {
    let name = value.get("function")?.as_object()?.get("name")?.as_str()?;
    (value.get("type")? == "function" && !is_blank(name)).then_some(name)
}

/// The kind of a choice, if it has one.
pub(super) fn kind_of(choice: &Value) -> Option<&'static str> {
    match choice_word(choice) {
        Some(word) => ["auto", "none", "required"].into_iter().find(|each| *each == word),
        None => function_name(choice).map(|_| "named"),
    }
}

/// The name under which a name is sent.
pub(crate) fn sent_name(name: &str, flags: &Flags) -> String {
    let sendable = if is_sendable(name) {
        name.to_owned()
    } else {
        let kept: String = first(name, 55).chars().map(|each| if is_word(each) { each } else { '_' }).collect();
        format!("{kept}_{}", digits(name))
    };
    if flags.is("name_start", "any") || sendable.starts_with(|each: char| each.is_ascii_alphabetic()) {
        return sendable;
    }
    format!("t_{}_{}", first(&sendable, 53), digits(&sendable))
}

fn digits(text: &str) -> String {
    first(&hex(&sha256(text.as_bytes())), 8).to_owned()
}

/// The combinations, which not every endpoint takes at the root of parameters.
pub(super) const COMBINATIONS: [&str; 6] = ["oneOf", "anyOf", "allOf", "not", "enum", "$ref"];

/// Whether a combination goes at the root (definition "combination that goes").
pub(super) fn goes_at_root(name: &str, flags: &Flags) -> bool {
    flags.is("root_keywords", "none") || name == "anyOf" && flags.holds("refused_in_schemas", "type_beside_any_of")
}

/// Whether the root of parameters that are an object is one that can be sent.
pub(super) fn is_safe_root(parameters: &Object, flags: &Flags) -> bool {
    let stated = |name: &str| parameters.get(name).filter(|value| !value.is_null());
    let is_empty = |value: &Value| value.as_array().is_some_and(Vec::is_empty);
    let has_members = stated("properties").and_then(Value::as_object).is_some_and(|each| !each.is_empty());
    stated("type").is_none_or(|each| named_type(each) == Some("object"))
        && stated("properties").is_none_or(|each| each.is_object() || is_empty(each))
        && stated("required").is_none_or(are_different_strings)
        && (has_members || COMBINATIONS.iter().all(|name| !goes_at_root(name, flags) || stated(name).is_none()))
}

/// The type that a string names (definition "named type").
pub(super) fn named_type(kind: &Value) -> Option<&'static str> {
    const TYPES: [(&str, &str); 13] = [
        ("object", "object"),
        ("array", "array"),
        ("string", "string"),
        ("number", "number"),
        ("integer", "integer"),
        ("boolean", "boolean"),
        ("null", "null"),
        ("dict", "object"),
        ("list", "array"),
        ("str", "string"),
        ("float", "number"),
        ("int", "integer"),
        ("bool", "boolean"),
    ];
    let spelled = kind.as_str()?;
    TYPES.iter().find(|(name, _)| name.eq_ignore_ascii_case(spelled)).map(|(_, named)| *named)
}

/// Whether a value is an array of strings in which none stands twice.
pub(super) fn are_different_strings(value: &Value) -> bool {
    value.as_array().is_some_and(|items| {
        items.iter().enumerate().all(|(at, each)| each.is_string() && items.iter().take(at).all(|other| other != each))
    })
}
