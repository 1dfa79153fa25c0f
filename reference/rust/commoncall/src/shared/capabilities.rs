//! How a capability is read.

use serde_json::{Map, Value, json};

/// The kinds of a choice, in the order in which they are listed.
pub(crate) const KINDS: [&str; 4] = ["auto", "none", "required", "named"];

/// Whether a capability supports tool calls.
pub(crate) fn supports(capability: &Value) -> bool {
    capability.get("tool_calls_supported") == Some(&Value::Bool(true))
}

/// The stated choices of a capability. `None` where nothing is stated.
pub(crate) fn stated_choices(capability: &Value) -> Option<Vec<&'static str>> {
    if !supports(capability) {
        return Some(Vec::new());
    }
    match capability.get("tool_choice") {
        None | Some(Value::Null) => None,
        Some(choices) if are_choices(choices) => {
            let stated = |kind: &&str| choices.as_array().is_some_and(|each| each.contains(&json!(kind)));
            Some(KINDS.into_iter().filter(stated).collect())
        }
        Some(_) => Some(Vec::new()),
    }
}

/// The string that a choice is, or that it stands for as an object with nothing but this type.
pub(crate) fn choice_word(choice: &Value) -> Option<&str> {
    let Value::Object(given) = choice else { return choice.as_str() };
    let word = given.get("type")?.as_str().filter(|_| given.len() == 1)?;
    match word {
        "any" => Some("required"),
        "auto" | "none" | "required" => Some(word),
        _ => None,
    }
}

/// Whether a value is an array of kinds of a choice only.
pub(crate) fn are_choices(value: &Value) -> bool {
    let is_kind = |each: &Value| each.as_str().is_some_and(|each| KINDS.contains(&each));
    value.as_array().is_some_and(|choices| choices.iter().all(is_kind))
}

/// The stated parallel calls of a capability. `None` where nothing is stated.
pub(crate) fn stated_parallel(capability: &Value) -> Option<bool> {
    if !supports(capability) {
        return Some(false);
    }
    match capability.get("parallel_tool_calls") {
        None | Some(Value::Null) => None,
        Some(value) => Some(value == &Value::Bool(true)),
    }
}

/// An object of the members of another that satisfy a condition.
pub(crate) fn filtered(object: &Map<String, Value>, keep: impl Fn(&str, &Value) -> bool) -> Map<String, Value> {
    object.iter().filter(|(name, value)| keep(name, value)).map(|(name, value)| (name.clone(), value.clone())).collect()
}
