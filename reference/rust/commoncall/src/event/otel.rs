//! Events as telemetry of `OpenTelemetry`.

use serde_json::{Value, json};

use super::record::bounds;
use crate::shared::json::elements;
use crate::shared::outcome::Object;

fn is_planned(event: &Value) -> bool {
    event["type"] == "ToolCallPlanned"
}

pub(super) fn to_otel(input: &Object) -> Value {
    let events = elements(input.get("events"));
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
    json!({"conventions": "semantic-conventions-genai 0.1.0", "spans": spans, "logs": logs, "metrics": metrics})
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
