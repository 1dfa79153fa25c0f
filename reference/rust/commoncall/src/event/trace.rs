//! Whether events can have come from a recorder.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::record::{LONGEST, is_latency};
use crate::shared::data::fixed_text;
use crate::shared::findings::{Finding, Path, below, listed, steps};
use crate::shared::json::{double, elements};
use crate::shared::outcome::Object;
use crate::shared::text::is_blank;

/// The error types of a call.
pub(super) const ERROR_TYPES: [&str; 8] = [
    "tool_payload_too_large",
    "tool_payload_parse_error",
    "tool_echoed",
    "tool_not_available",
    "tool_denied",
    "tool_timeout",
    "tool_aborted",
    "tool_error",
];

/// The members of which the right value is known.
const KNOWN: [&str; 12] = [
    "request_id",
    "seq",
    "tool",
    "args_preview_hash",
    "args_hash_algorithm",
    "args_hash_key_id",
    "args_schema_version",
    "tool_call_id",
    "status",
    "latency_ms",
    "error_type",
    "message",
];

/// The state of a call, with the position of the Planned that began it.
enum State {
    Planned(usize),
    Done,
}

pub(super) fn check_trace(input: &Object) -> Value {
    let events = elements(input.get("events"));
    let mut findings = Vec::new();
    let mut states: HashMap<(&str, u64), State> = HashMap::new();
    for (at, event) in events.iter().enumerate() {
        let place = steps!["events", at];
        let faults = faults(event, &place);
        findings.extend(faults.iter().map(|fault| Finding::new("event_malformed", fault.clone())));
        let Some(call) = call_of(event, &place, &faults) else { continue };
        let state = states.get(&call);
        let code = match (event["type"] == "ToolCallPlanned", state) {
            (true, None) => {
                states.insert(call, State::Planned(at));
                None
            }
            (true, Some(_)) => Some("planned_twice"),
            (false, None) => Some("result_without_planned"),
            (false, Some(State::Done)) => Some("result_twice"),
            (false, Some(State::Planned(_))) => {
                states.insert(call, State::Done);
                None
            }
        };
        findings.extend(code.map(|code| Finding::new(code, place)));
    }
    for state in states.values() {
        if let State::Planned(at) = state {
            findings.push(Finding::new("planned_without_result", steps!["events", *at]));
        }
    }
    json!({"findings": listed(findings)})
}

/// The call of an event, if it has one.
fn call_of<'a>(event: &'a Value, place: &Path, faults: &[Path]) -> Option<(&'a str, u64)> {
    let sound = |name: &str| event.get(name).is_some() && !faults.contains(&below(place, name));
    let request = event.get("request_id").and_then(Value::as_str)?;
    (sound("type") && sound("request_id") && sound("seq")).then_some((request, whole(event.get("seq")?)?))
}

/// A `seq` as a whole number.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the number is whole and from 0 to 2^53")]
fn whole(value: &Value) -> Option<u64> {
    let number = double(value.as_number()?);
    ((0.0..=LONGEST).contains(&number) && number.fract() == 0.0).then_some(number as u64)
}

/// Whether an element of `events` is a well-formed event.
pub(super) fn is_well_formed(event: &Value) -> bool {
    faults(event, &steps![]).is_empty()
}

/// The faults of an element of `events`.
fn faults(event: &Value, place: &Path) -> Vec<Path> {
    let Some(members) = event.as_object().filter(|members| members.contains_key("type")) else { return vec![place.clone()] };
    let (needed, allowed): (&[&str], &[&str]) = match members["type"].as_str() {
        Some("ToolCallPlanned") => (
            &["request_id", "seq", "tool", "args_preview_hash"],
            &["args_hash_algorithm", "args_hash_key_id", "args_schema_version", "tool_call_id"],
        ),
        Some("ToolCallResult") if members.get("status").is_some_and(|status| status == "ok") => {
            (&["request_id", "seq", "tool", "status"], &["latency_ms", "tool_call_id"])
        }
        Some("ToolCallResult") => {
            (&["request_id", "seq", "tool", "status", "error_type", "message"], &["latency_ms", "tool_call_id"])
        }
        _ => return vec![below(place, "type")],
    };
    let known = |name: &str| name == "type" || needed.contains(&name) || allowed.contains(&name);
    let has_members = needed.iter().all(|name| members.contains_key(*name))
        && members.keys().all(|name| known(name))
        && members.contains_key("args_hash_algorithm") == members.contains_key("args_hash_key_id");
    let mut found = Vec::new();
    if !has_members {
        found.push(place.clone());
    }
    let wrong = members.iter().filter(|(name, value)| KNOWN.contains(&name.as_str()) && !is_right(name, value, event));
    found.extend(wrong.map(|(name, _)| below(place, name.as_str())));
    found
}

/// Whether a member of an event has its right value.
fn is_right(name: &str, value: &Value, event: &Value) -> bool {
    let text = value.as_str();
    let is_hex = |text: &str| text.len() == 64 && text.bytes().all(|each| matches!(each, b'0'..=b'9' | b'a'..=b'f'));
    let is_error = |text: &str| ERROR_TYPES.contains(&text);
    match name {
        "seq" => whole(value).is_some(),
        "tool" => text.is_some_and(|text| !is_blank(text)),
        "args_preview_hash" => value.is_null() || text.is_some_and(is_hex),
        "args_hash_algorithm" => text == Some("hmac-sha256"),
        "status" => matches!(text, Some("ok" | "error")),
        "latency_ms" => is_latency(value),
        "error_type" => text.is_some_and(is_error),
        "message" => {
            let error = event.get("error_type").and_then(Value::as_str).filter(|each| is_error(each));
            text.is_some() && error.and_then(fixed_text) == text
        }
        _ => text.is_some(),
    }
}
