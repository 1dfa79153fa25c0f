//! Payload: what may leave for a provider, and what may stay in the history.
//!
//! Each function takes the input of its operation as JSON and gives its result, or an error of the contract.
//! [The text](https://github.com/commoncall/commoncall/blob/main/spec/v1/payload.md) says what is in both.

mod check;
mod flatten;
pub(crate) mod foreign;
mod history;
mod profile;
mod repair;
mod request;
pub(crate) mod results;
mod schemas;
mod spread;
mod tools;

use serde_json::Value;

use crate::shared::outcome::Outcome;
use crate::shared::schema;

pub(crate) use check::{Demands, judge};
pub(crate) use flatten::flattened;
pub(crate) use history::{Wish, refusal_in, sanitized as sanitized_history};
pub(crate) use profile::{Flags, mark_refused};
pub(crate) use request::sanitized as sanitized_request;
pub(crate) use tools::{function_name, sent_name};

/// `payload.check_tool_call`: judges one call before it is run or stored.
///
/// ```
/// use commoncall::{payload, serde_json::json};
///
/// let call = json!({"function": {"name": "read_file", "arguments": "{\"path\": \"/tmp/a\""}});
/// let result = payload::check_tool_call(&json!({"tool_call": call}))?;
/// assert_eq!(result["valid"], false);
/// assert_eq!(result["findings"][0]["code"], "arguments_invalid_json");
/// # Ok::<(), commoncall::Failure>(())
/// ```
///
/// # Errors
/// `invalid_input`.
pub fn check_tool_call(input: &Value) -> Outcome {
    let input = schema::input("payload:check_tool_call", input)?;
    let truncated = input.get("truncated") == Some(&Value::Bool(true));
    let demands = Demands::of(input.get("tool").unwrap_or(&Value::Null));
    let call = input.get("tool_call").unwrap_or(&Value::Null);
    Ok(check::check(call, truncated, &demands).result())
}

/// `payload.sanitize_request`: takes out of a request what the provider would refuse.
///
/// ```
/// use commoncall::{payload, serde_json::json};
///
/// let request = json!({"model": "m", "tools": [], "tool_choice": "auto"});
/// let input = json!({"request": request, "capability": {"tool_calls_supported": true}});
/// assert_eq!(payload::sanitize_request(&input)?["request"], json!({"model": "m"}));
/// # Ok::<(), commoncall::Failure>(())
/// ```
///
/// # Errors
/// `invalid_input`, `form_not_chat_completions`, `legacy_and_tools`, `too_many_tools`,
/// `duplicate_tool`, `choice_malformed`, `choice_unknown_tool`, `choice_unsupported`.
pub fn sanitize_request(input: &Value) -> Outcome {
    request::sanitize(schema::input("payload:sanitize_request", input)?)
}

/// `payload.sanitize_history`: leaves no broken call in a history, and no call without its result.
///
/// ```
/// use commoncall::{payload, serde_json::json};
///
/// let call = json!({"id": "c1", "type": "function", "function": {"name": "read", "arguments": "{}"}});
/// let messages = json!([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": null, "tool_calls": [call]}]);
/// let result = payload::sanitize_history(&json!({"messages": messages, "disposition": "answer"}))?;
/// assert_eq!(result["messages"][2]["content"], "Error: there is no result for this call.");
/// # Ok::<(), commoncall::Failure>(())
/// ```
///
/// # Errors
/// `invalid_input`, `form_not_chat_completions`, `origin_missing`.
pub fn sanitize_history(input: &Value) -> Outcome {
    history::sanitize(schema::input("payload:sanitize_history", input)?)
}

/// `payload.flatten_history`: turns tool turns into quoted text for a model without tools.
///
/// ```
/// use commoncall::{payload, serde_json::json};
///
/// let messages = json!([{"role": "tool", "tool_call_id": "c1", "content": "two\nlines"}]);
/// let result = payload::flatten_history(&json!({"messages": messages, "form": "quoted"}))?;
/// assert_eq!(result["messages"][0]["content"], "Result of \"unknown\":\n> two\n> lines");
/// # Ok::<(), commoncall::Failure>(())
/// ```
///
/// # Errors
/// `invalid_input`, `form_not_chat_completions`.
pub fn flatten_history(input: &Value) -> Outcome {
    flatten::flatten(schema::input("payload:flatten_history", input)?)
}
