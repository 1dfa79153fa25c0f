//! Events in the envelope of `CloudEvents`, and as telemetry of `OpenTelemetry`.

use serde_json::{Value, json};

use super::record::bounds;
use super::trace::{is_well_formed, whole};
use crate::shared::json::elements;
use crate::shared::outcome::{Failure, Object, Outcome};

fn events(input: &Object) -> &[Value] {
    elements(input.get("events"))
}

fn is_planned(event: &Value) -> bool {
    event["type"] == "ToolCallPlanned"
}

pub(super) fn to_cloudevents(input: &Object) -> Outcome {
    let (events, null) = (events(input), Value::Null);
    let times = elements(input.get("times"));
    let member = |name: &str| input.get(name).unwrap_or(&null);
    let texts = |event: &Value| ["request_id", "tool"].iter().all(|name| event[*name].as_str().is_some_and(is_attribute_text));
    if times.len() != events.len()
        || !events.iter().all(|event| is_well_formed(event) && texts(event))
        || !times.iter().all(|time| time.as_str().is_some_and(is_timestamp))
    {
        return Err(Failure::of("invalid_input"));
    }
    let envelope = |(event, time): (&Value, &Value)| {
        let kind = if is_planned(event) { "planned" } else { "result" };
        let request = event["request_id"].as_str().unwrap_or_default();
        json!({
            "specversion": "1.0",
            "id": format!("{request}:{}:{kind}", whole(&event["seq"]).unwrap_or(0)),
            "source": member("source"),
            "type": format!("{}.tool_call.{kind}.v1", member("type_prefix").as_str().unwrap_or_default()),
            "subject": event["tool"],
            "time": time,
            "datacontenttype": "application/json",
            "correlationid": request,
            "data": event,
        })
    };
    let enveloped: Vec<Value> = events.iter().zip(times).map(envelope).collect();
    Ok(json!({"events": enveloped}))
}

fn is_attribute_text(text: &str) -> bool {
    let banned = |each: char| each.is_control() || matches!(u32::from(each), 0xFDD0..=0xFDEF) || u32::from(each) & 0xFFFE == 0xFFFE;
    !text.is_empty() && !text.contains(banned)
}

/// Whether a text of the form of a timestamp names a day and a time that there are.
fn is_timestamp(text: &str) -> bool {
    let number = |from: usize, length: usize| text.get(from..from + length).and_then(|digits| digits.parse::<u32>().ok());
    let parts = (number(0, 4), number(5, 2), number(8, 2), number(11, 2), number(14, 2), number(17, 2));
    let (Some(year), Some(month), Some(day), Some(hour), Some(minute), Some(second)) = parts else { return false };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(leap),
        _ => 31,
    };
    let zone = text.len().saturating_sub(6);
    let offset = text.ends_with('Z')
        || number(zone + 1, 2).is_some_and(|each| each < 24) && number(zone + 4, 2).is_some_and(|each| each < 60);
    year > 0 && (1..=12).contains(&month) && (1..=days).contains(&day) && hour < 24 && minute < 60 && second < 60 && offset
}

pub(super) fn to_otel(input: &Object) -> Outcome {
    let events = events(input);
    if !events.iter().all(is_well_formed) {
        return Err(Failure::of("invalid_input"));
    }
    let ran: Vec<&Value> = events.iter().filter(|event| has_run(event)).collect();
    let logged = |event: &&Value| !has_run(event) || event["status"] == "error";
    let spans: Vec<Value> = ran.iter().map(|event| span(event)).collect();
    let logs: Vec<Value> = events.iter().filter(logged).map(log).collect();
    let measurements: Vec<Value> = ran.iter().filter_map(|event| measurement(event)).collect();
    let boundaries = bounds().map(|bound| bound / 1000.0);
    let metric = json!({
        "name": "gen_ai.execute_tool.duration", "instrument": "histogram", "unit": "s",
        "boundaries": boundaries, "measurements": measurements,
    });
    let metrics = if measurements.is_empty() { Vec::new() } else { vec![metric] };
    Ok(json!({"conventions": "semantic-conventions-genai 0.1.0", "spans": spans, "logs": logs, "metrics": metrics}))
}

/// Whether an event is the Result of a call that ran.
fn has_run(event: &Value) -> bool {
    !is_planned(event)
        && (event["status"] == "ok" || matches!(event["error_type"].as_str(), Some("tool_timeout" | "tool_aborted" | "tool_error")))
}

/// The attributes of an event.
fn attributes(event: &Value) -> Object {
    let names = [
        ("tool", "gen_ai.tool.name"),
        ("tool_call_id", "gen_ai.tool.call.id"),
        ("error_type", "error.type"),
        ("request_id", "commoncall.request_id"),
        ("seq", "commoncall.seq"),
        ("args_preview_hash", "commoncall.args_preview_hash"),
        ("args_hash_algorithm", "commoncall.args_hash_algorithm"),
        ("args_hash_key_id", "commoncall.args_hash_key_id"),
        ("args_schema_version", "commoncall.args_schema_version"),
    ];
    let stated = |name: &str| event.get(name).filter(|value| !value.is_null()).cloned();
    names.into_iter().filter_map(|(member, name)| Some((name.to_owned(), stated(member)?))).collect()
}

fn seconds(event: &Value) -> Option<Value> {
    event.get("latency_ms").and_then(Value::as_f64).map(|latency| (latency / 1000.0).into())
}

fn span(event: &Value) -> Value {
    let mut attributes = attributes(event);
    attributes.insert("gen_ai.operation.name".into(), "execute_tool".into());
    attributes.insert("gen_ai.tool.type".into(), "function".into());
    let name = format!("execute_tool {}", event["tool"].as_str().unwrap_or_default());
    let mut span = json!({"name": name, "kind": "internal", "status": "unset", "attributes": attributes});
    if event["status"] == "error" {
        span["status"] = "error".into();
        span["status_description"] = event["message"].clone();
    }
    if let Some(duration) = seconds(event) {
        span["duration_s"] = duration;
    }
    span
}

fn log(event: &Value) -> Value {
    if is_planned(event) {
        return json!({"event_name": "commoncall.tool_call.planned", "severity_number": 9, "attributes": attributes(event)});
    }
    if has_run(event) {
        let mut attributes = attributes(event);
        attributes.insert("exception.message".into(), event["message"].clone());
        return json!({"event_name": "gen_ai.execute_tool.exception", "severity_number": 13, "attributes": attributes});
    }
    json!({
        "event_name": "commoncall.tool_call.not_run", "severity_number": 13, "body": event["message"], "attributes": attributes(event),
    })
}

fn measurement(event: &Value) -> Option<Value> {
    let mut attributes = attributes(event);
    attributes.retain(|name, _| name == "gen_ai.tool.name" || name == "error.type");
    Some(json!({"value": seconds(event)?, "attributes": attributes}))
}
