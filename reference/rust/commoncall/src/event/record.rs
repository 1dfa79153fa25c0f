//! Events, metrics and outputs of the calls of a request.

use std::collections::BTreeMap;
use std::time::Instant;

use serde_json::{Value, json};

use super::hash::{Key, preview};
use crate::shared::data::fixed_text;
use crate::shared::json::{Read, compact, double, read};
use crate::shared::outcome::{Environment, Failure, Object, Outcome};
use crate::shared::text::is_blank;

/// No latency is longer, so sums stay finite.
const LONGEST: f64 = 9_007_199_254_740_991.0;

/// The error types of a call.
const ERROR_TYPES: [&str; 9] = [
    "tool_payload_too_large",
    "tool_payload_parse_error",
    "tool_payload_truncated",
    "tool_echoed",
    "tool_not_available",
    "tool_denied",
    "tool_timeout",
    "tool_aborted",
    "tool_error",
];

/// A call as it was judged.
struct Judged {
    name: Option<String>,
    /// The arguments that were read, for the hash.
    arguments: Option<Value>,
    /// The error type of the failed check.
    failed: Option<&'static str>,
}

const TOO_LARGE: &str = "tool_payload_too_large";
const UNREADABLE: &str = "tool_payload_parse_error";

/// What of the input concerns all calls.
struct Request<'a> {
    id: &'a Value,
    /// The names that may be shown.
    labels: Vec<&'a str>,
    observe: bool,
    limit: Option<f64>,
    /// Whether the calls were checked when they were planned, and have their labels.
    checked: bool,
    key: Option<Key>,
}

pub(crate) fn record_calls(input: &Object, environment: Environment) -> Outcome {
    record(input, false, environment)
}

/// The record of calls that were planned before: none fails a check.
pub(crate) fn record_planned(input: &Object) -> Outcome {
    record(input, true, Environment::default())
}

fn record(input: &Object, checked: bool, environment: Environment) -> Outcome {
    let null = Value::Null;
    let observe = input.contains_key("observe");
    let names = input.get(if observe { "labels" } else { "effective" }).and_then(Value::as_array);
    let request = Request {
        id: input.get("request_id").unwrap_or(&null),
        labels: names.into_iter().flatten().filter_map(Value::as_str).collect(),
        observe,
        limit: input.get("limits").and_then(|limits| limits["payload_bytes"].as_f64()),
        checked,
        key: Key::in_input(input),
    };
    let mut clock = Clock::of(environment);
    let (mut events, mut outputs) = (Vec::new(), Vec::new());
    for (seq, entry) in input.get("calls").and_then(Value::as_array).into_iter().flatten().enumerate() {
        let judged = judge(entry, &request);
        let label = label(judged.name.as_deref(), &request);
        let mut common = json!({"request_id": request.id, "seq": seq, "tool": label});
        if let Some(id) = entry.get("tool_call_id").and_then(Value::as_str) {
            let telling = judged.name.as_deref() != Some(label) && is_telling(id, judged.name.as_deref());
            common["tool_call_id"] = if telling { "unknown" } else { id }.into();
        }
        events.push(planned(&common, &judged, entry, &request));
        let result = result(&common, &judged, entry, &mut clock)?;
        outputs.push(json!({"seq": seq, "channel": "commentary", "content": content(&judged, entry, &result)}));
        events.push(result);
    }
    let metrics = metrics(events.iter().filter(|event| event["type"] == "ToolCallResult"));
    Ok(json!({"events": events, "metrics": metrics, "outputs": outputs}))
}

/// The checks of a call, in their order.
fn judge(entry: &Value, request: &Request) -> Judged {
    let name = entry.get("name").and_then(Value::as_str).map(str::to_owned);
    let fails = |name, failed| Judged { name, arguments: None, failed: Some(failed) };
    if let Some(read) = entry.get("error_type").and_then(Value::as_str) {
        return fails(name, ERROR_TYPES.into_iter().find(|each| *each == read).unwrap_or(UNREADABLE));
    }
    let payload = entry.get("payload");
    let text = payload.or_else(|| entry.get("arguments_json")).and_then(Value::as_str);
    let limit = request.limit.or(payload.map(|_| 8192.0));
    #[expect(clippy::cast_precision_loss, reason = "no text has 2^53 bytes")]
    if text.is_some_and(|text| limit.is_some_and(|limit| text.len() as f64 > limit)) {
        return fails(name, TOO_LARGE);
    }
    let Some(Read::Yes(value)) = text.map(read) else { return fails(name, UNREADABLE) };
    if payload.is_none() {
        return match value {
            Value::Object(_) => available(name, value, request),
            _ => fails(name, UNREADABLE),
        };
    }
    let name = value.as_object().and_then(|object| object.get("tool")).and_then(Value::as_str).map(str::to_owned);
    let known = |name: &String| name == "tool" || name == "arguments";
    match value {
        Value::Object(mut members) if members.keys().all(known) => match members.shift_remove("arguments") {
            Some(arguments @ Value::Object(_)) => available(name, arguments, request),
            Some(Value::Null) => available(name, json!({}), request),
            _ => fails(name, UNREADABLE),
        },
        _ => fails(name, UNREADABLE),
    }
}

fn available(name: Option<String>, arguments: Value, request: &Request) -> Judged {
    let failed = match name.as_deref() {
        _ if request.checked => None,
        None => Some(UNREADABLE),
        Some(name) if is_blank(name) => Some(UNREADABLE),
        Some(name) if !request.observe && !request.labels.contains(&name) => Some("tool_not_available"),
        Some(_) => None,
    };
    Judged { name, arguments: Some(arguments), failed }
}

fn label<'a>(name: Option<&'a str>, request: &Request) -> &'a str {
    name.filter(|name| request.labels.contains(name) && (request.checked || !is_blank(name))).unwrap_or("unknown")
}

/// Whether an id tells the name of a call that may not be shown.
fn is_telling(id: &str, name: Option<&str>) -> bool {
    id.contains(['.', ':']) || name.is_some_and(|name| !name.is_empty() && id.contains(name))
}

fn planned(common: &Value, judged: &Judged, entry: &Value, request: &Request) -> Value {
    let mut event = common.clone();
    event["type"] = "ToolCallPlanned".into();
    event["args_preview_hash"] = judged.arguments.as_ref().map(|arguments| preview(arguments, request.key.as_ref())).into();
    if let Some(key) = &request.key {
        event["args_hash_algorithm"] = "hmac-sha256".into();
        event["args_hash_key_id"] = key.id.clone().into();
    }
    if let Some(version) = entry.get("args_schema_version") {
        event["args_schema_version"] = version.clone();
    }
    event
}

fn result(common: &Value, judged: &Judged, entry: &Value, clock: &mut Clock) -> Outcome {
    let mut event = common.clone();
    event["type"] = "ToolCallResult".into();
    let outcome = entry.get("outcome").filter(|_| judged.failed.is_none());
    let error = judged.failed.or_else(|| outcome.and_then(error_of));
    event["status"] = if error.is_some() { "error" } else { "ok" }.into();
    if let Some(error) = error {
        event["error_type"] = error.into();
        event["message"] = fixed_text(error).into();
    }
    let latency = match outcome {
        Some(outcome) => outcome.get("latency_ms").filter(|each| is_latency(each)).cloned(),
        None if judged.failed.is_some() => None,
        None => Some(clock.elapsed()?).filter(|elapsed| *elapsed <= LONGEST).map(whole_or_not),
    };
    if let Some(latency) = latency {
        event["latency_ms"] = latency;
    }
    Ok(event)
}

/// A number as JSON, without a fraction of zero.
#[expect(clippy::cast_possible_truncation, reason = "the number is whole and at most 2^53")]
fn whole_or_not(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() <= LONGEST { (number as i64).into() } else { number.into() }
}

/// The error type of an outcome that is no success (EVT-021).
fn error_of(outcome: &Value) -> Option<&'static str> {
    if outcome["status"] == "ok" {
        return None;
    }
    let said = outcome.get("error_type").and_then(Value::as_str).unwrap_or_default();
    Some(ERROR_TYPES.into_iter().find(|each| *each == said).unwrap_or("tool_error"))
}

fn is_latency(value: &Value) -> bool {
    value.as_number().map(double).is_some_and(|number| (0.0..=LONGEST).contains(&number))
}

fn content(judged: &Judged, entry: &Value, result: &Value) -> Value {
    let given = entry.get("outcome").filter(|_| judged.failed.is_none()).and_then(|outcome| outcome.get("content"));
    match given {
        Some(Value::String(text)) => text.clone().into(),
        None | Some(Value::Null) if result["status"] == "ok" => "{\"ok\":true}".into(),
        None | Some(Value::Null) => result["message"].clone(),
        Some(other) => compact(other).into(),
    }
}

/// Readings of the environment, or of a clock of our own.
struct Clock {
    readings: Option<std::vec::IntoIter<f64>>,
    start: Instant,
}

impl Clock {
    fn of(environment: Environment) -> Self {
        Self { readings: environment.clock_ms.map(Vec::into_iter), start: Instant::now() }
    }

    fn read(&mut self) -> Result<f64, Failure> {
        match &mut self.readings {
            Some(readings) => readings.next().ok_or_else(|| Failure::of("env_exhausted")),
            None => Ok(self.start.elapsed().as_secs_f64() * 1000.0),
        }
    }

    /// What the no-op takes (EVT-021).
    fn elapsed(&mut self) -> Result<f64, Failure> {
        let first = self.read()?;
        Ok((self.read()? - first).max(0.0))
    }
}

/// The counter and the histogram of some Results.
fn metrics<'a>(results: impl Iterator<Item = &'a Value>) -> Value {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut latencies: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for result in results {
        let tool = result["tool"].as_str().unwrap_or_default();
        *counts.entry((tool, result["status"].as_str().unwrap_or_default())).or_default() += 1;
        if let Some(latency) = result.get("latency_ms").and_then(Value::as_f64) {
            latencies.entry(tool).or_default().push(latency);
        }
    }
    let counter: Vec<Value> =
        counts.into_iter().map(|((tool, status), value)| json!({"tool": tool, "status": status, "value": value})).collect();
    let histogram: Vec<Value> = latencies
        .into_iter()
        .map(|(tool, observed)| {
            let below = |bound: f64| observed.iter().filter(|each| **each <= bound).count();
            let buckets: Vec<usize> = bounds().into_iter().map(below).chain([observed.len()]).collect();
            let sum = observed.iter().fold(0.0, |sum, each| sum + each);
            json!({"tool": tool, "count": observed.len(), "sum": whole_or_not(sum), "buckets": buckets})
        })
        .collect();
    json!({"tool_calls_total": counter, "tool_call_latency_ms": histogram})
}

/// The bounds of the buckets in milliseconds (EVT-043).
pub(super) fn bounds() -> [f64; 14] {
    std::array::from_fn(|n| f64::from(10_u32 << n))
}
