//! Event: what is observed of each call, without leaking its arguments.

mod hash;
mod otel;
mod record;

use serde_json::Value;

use crate::shared::outcome::{Environment, Outcome};
use crate::shared::schema;

pub(crate) use record::{record_calls as recorded, record_planned};

/// `event.hash_arguments`: makes a digest of arguments.
///
/// ```
/// use commoncall::{event, serde_json::json};
///
/// let result = event::hash_arguments(&json!({"arguments_json": "{\"b\": 1, \"a\": 2.0}"}))?;
/// assert_eq!(result["args_preview_hash"], "d3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772");
/// # Ok::<(), commoncall::Failure>(())
/// ```
///
/// # Errors
/// `invalid_input`, `arguments_not_json`, `arguments_not_object`.
pub fn hash_arguments(input: &Value) -> Outcome {
    hash::hash_arguments(schema::input("event:hash_arguments", input)?)
}

/// `event.record_calls`: gives events, metrics and outputs of the calls of a request.
///
/// ```
/// use commoncall::{Environment, event, serde_json::json};
///
/// let calls = json!([{"name": "read", "arguments_json": "{}", "outcome": {"status": "ok", "latency_ms": 3}}]);
/// let input = json!({"request_id": "r1", "effective": ["read"], "calls": calls});
/// assert_eq!(event::record_calls(&input, Environment::default())?["events"][1]["status"], "ok");
/// # Ok::<(), commoncall::Failure>(())
/// ```
///
/// # Errors
/// `invalid_input`, `env_exhausted`.
pub fn record_calls(input: &Value, environment: Environment) -> Outcome {
    record::record_calls(schema::input("event:record_calls", input)?, environment)
}

/// `event.to_otel`: gives spans, log records and measurements of `OpenTelemetry`.
///
/// # Errors
/// `invalid_input`.
pub fn to_otel(input: &Value) -> Outcome {
    Ok(otel::to_otel(schema::input("event:to_otel", input)?))
}
