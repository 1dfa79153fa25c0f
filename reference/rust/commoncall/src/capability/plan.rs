//! Which tools are effective, and the plan of a turn.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::at_element;
use crate::shared::capabilities::{are_choices, stated_choices, stated_parallel, supports};
use crate::shared::findings::{Finding, steps};
use crate::shared::json::elements;
use crate::shared::outcome::Object;

/// What the policies leave of the registered tools.
pub(crate) struct Policy {
    pub(crate) effective: Vec<String>,
    pub(crate) findings: Vec<Finding>,
}

impl Policy {
    pub(crate) fn of(input: &Object) -> Self {
        let layers = elements(input.get("layers"));
        let malformed = (0..layers.len()).filter(|&at| !is_policy(&layers[at]));
        let findings: Vec<_> = malformed.map(|at| at_element("layer_malformed", "layers", at)).collect();
        let readable = findings.is_empty();
        let sets: Vec<_> = layers.iter().map(|layer| (names(layer.get("allow")), names(layer.get("exclude")))).collect();
        let (mut effective, mut seen) = (Vec::new(), HashSet::new());
        for name in elements(input.get("registered")).iter().filter_map(Value::as_str) {
            let admits = |(allow, exclude): &(Option<HashSet<&str>>, Option<HashSet<&str>>)| {
                allow.as_ref().is_none_or(|names| names.contains(name))
                    && !exclude.as_ref().is_some_and(|names| names.contains(name))
            };
            if seen.insert(name) && readable && sets.iter().all(admits) {
                effective.push(name.to_owned());
            }
        }
        Self { effective, findings }
    }
}

fn names(value: Option<&Value>) -> Option<HashSet<&str>> {
    Some(value?.as_array()?.iter().filter_map(Value::as_str).collect())
}

/// Whether an element of `layers` is a policy layer.
fn is_policy(layer: &Value) -> bool {
    let Some(members) = layer.as_object() else { return false };
    let are_names = |value: &Value| value.as_array().is_some_and(|names| names.iter().all(Value::is_string));
    !members.is_empty()
        && members.iter().all(|(name, value)| match name.as_str() {
            "allow" => value.is_null() || are_names(value),
            "exclude" => are_names(value),
            _ => false,
        })
}

/// The plan of a turn, without its findings, and these.
pub(crate) fn plan(input: &Object) -> (Object, Vec<Finding>) {
    let Policy { effective, mut findings } = Policy::of(input);
    let null = Value::Null;
    let capability = input.get("capability").unwrap_or(&null);
    findings.extend(faults(capability));
    let is = |name: &str| input.get(name) == Some(&Value::Bool(true));
    let protocol = match (supports(capability), effective.is_empty()) {
        (_, true) => "none",
        (true, false) => "native",
        (false, false) => {
            if is("text_protocol") {
                "text"
            } else {
                "none"
            }
        }
    };
    let (native, text) = (protocol == "native", protocol == "text");
    let flatten = !native && elements(input.get("messages")).iter().any(is_tool_turn);
    let plan = json!({
        "protocol": protocol,
        "effective": if protocol == "none" { Vec::new() } else { effective },
        "send_tools": native,
        "send_tool_choice": if native { stated_choices(capability) } else { Some(Vec::new()) },
        "send_parallel_tool_calls": if native { stated_parallel(capability) } else { Some(false) },
        "prompt_catalogue": text,
        "prompt_protocol": text,
        "parse_native_calls": native,
        "parse_text_calls": text || native && !is("strict_parsing"),
        "strip_reasoning": true,
        "history": if flatten { "flatten" } else { "keep" },
    });
    (plan.as_object().cloned().unwrap_or_default(), findings)
}

/// Whether a message becomes text where the request has no tools.
fn is_tool_turn(message: &Value) -> bool {
    let has_calls = || message.get("tool_calls").and_then(Value::as_array).is_some_and(|calls| !calls.is_empty());
    match message.get("role").and_then(Value::as_str) {
        Some("tool") => true,
        Some("assistant") => has_calls(),
        _ => false,
    }
}

/// What is wrong with the form of a capability (CAP-044).
fn faults(capability: &Value) -> Vec<Finding> {
    let Some(members) = capability.as_object() else {
        return vec![Finding::new("capability_malformed", steps!["capability"])];
    };
    let is_fault = |name: &str| {
        let stated = members.get(name).filter(|value| !value.is_null());
        match name {
            "tool_calls_supported" => !members.get(name).is_some_and(Value::is_boolean),
            "tool_choice" => stated.is_some_and(|value| !are_choices(value)),
            _ => stated.is_some_and(|value| !value.is_boolean()),
        }
    };
    let names = ["parallel_tool_calls", "tool_calls_supported", "tool_choice"];
    names
        .into_iter()
        .filter(|name| is_fault(name))
        .map(|name| Finding::new("capability_malformed", steps!["capability", name]))
        .collect()
}
