//! Turn: how the four contracts meet, outbound and inbound.

mod join;
mod prepare;
mod receive;
mod settle;
mod stream;

use serde_json::Value;

use crate::shared::outcome::{Environment, Outcome};

/// `turn.prepare`: puts the outbound half of a turn together.
///
/// ```
/// use commoncall::{serde_json::json, turn};
///
/// let input = json!({
///     "request": {"model": "m", "messages": [{"role": "user", "content": "hi"}], "tools": [], "tool_choice": "auto"},
///     "registries": [], "targets": [], "registered": [], "layers": [], "text_protocol": false, "disposition": "answer",
/// });
/// assert_eq!(turn::prepare(&input)?["request"], json!({"model": "m", "messages": [{"role": "user", "content": "hi"}]}));
/// # Ok::<(), commoncall::Failure>(())
/// ```
///
/// # Errors
/// `invalid_input`, `form_not_chat_completions`, `origin_missing`, `history_emptied`, and those of `payload.sanitize_request`.
pub fn prepare(input: &Value) -> Outcome {
    prepare::prepare(input)
}

/// `turn.receive`: reads what the model gave, and says what to show, run, answer and store.
///
/// ```
/// use commoncall::{Environment, serde_json::json, turn};
///
/// let plan = json!({"effective": ["read"], "parse_native_calls": true, "parse_text_calls": true});
/// let call = json!({"id": "a", "type": "function", "function": {"name": "read", "arguments": "{}"}});
/// let message = json!({"text": null, "tool_calls": [call]});
/// let input = json!({"plan": plan, "message": message, "request_id": "r1", "disposition": "answer"});
/// assert_eq!(turn::receive(&input, Environment::default())?["dispatch"][0]["name"], "read");
/// # Ok::<(), commoncall::Failure>(())
/// ```
///
/// # Errors
/// `form_not_chat_completions`, `invalid_input`, `origin_missing`, `plan_mismatch`, `env_exhausted`.
pub fn receive(input: &Value, environment: Environment) -> Outcome {
    receive::receive(input, environment)
}

/// `turn.stream`: does the same for a message that arrives in chunks.
///
/// # Errors
/// Those of `turn.receive`, and `choice_not_single`.
pub fn stream(input: &Value, environment: Environment) -> Outcome {
    stream::stream(input, environment)
}

/// `turn.settle`: ends the turn with the outcomes of the calls.
///
/// # Errors
/// `invalid_input`.
pub fn settle(input: &Value) -> Outcome {
    settle::settle(input)
}
