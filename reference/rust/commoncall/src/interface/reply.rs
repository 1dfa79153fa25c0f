//! The reply of a model: what a turn receives of it, and what a history gets.

use serde_json::{Value, json};

use super::flat;
use super::table::Table;
use super::units::{parts_of, units};
use crate::payload::refusal_in;
use crate::payload::results::text_of_part;
use crate::shared::json::elements;
use crate::shared::outcome::Object;

/// Why a reply of Ollama ended that the model had not ended.
pub(super) const CUT: [&str; 2] = ["length", "content_filter"];

pub(super) fn read(input: &Object) -> Value {
    let table = Table::of(input);
    let reply = input.get("reply").unwrap_or(&Value::Null);
    let history = history(table, reply);
    let (mut text, mut refusal, mut calls) = (None::<String>, None::<String>, Vec::new());
    let messages = if table.is_flat() {
        flat::messages(table, &history, false)
    } else {
        units(table, None, &history, false).into_iter().map(|unit| unit.message).collect()
    };
    for message in messages {
        if message.get("role").is_none_or(|role| role != "assistant") {
            continue;
        }
        for part in parts_of(message.get("content")) {
            let (kind, piece) = match refusal_in(&part) {
                Some(piece) => (&mut refusal, Some(piece)),
                None => (&mut text, text_of_part(&part)),
            };
            if let Some(piece) = piece {
                kind.get_or_insert_default().push_str(piece);
            }
        }
        calls.extend(elements(message.get("tool_calls")).iter().cloned());
    }
    let mut message = json!({"text": text, "tool_calls": if calls.is_empty() { Value::Null } else { calls.into() }});
    if let Some(refusal) = refusal {
        message["refusal"] = refusal.into();
    }
    if is_truncated(reply) {
        message["truncated"] = true.into();
    }
    json!({"message": message, "history": history})
}

/// The history of a reply, without nulls.
fn history(table: Table, reply: &Value) -> Vec<Value> {
    if table.is_flat() {
        return reply.get("message").filter(|each| each.is_object()).map(without_nulls).into_iter().collect();
    }
    if table.has_items() {
        return elements(reply.get("output")).iter().map(without_nulls).collect();
    }
    match &reply["content"] {
        Value::Null => Vec::new(),
        Value::Array(blocks) if blocks.is_empty() => Vec::new(),
        Value::String(text) if text.is_empty() => Vec::new(),
        Value::Array(blocks) => vec![json!({"role": "assistant", "content": blocks.iter().map(without_nulls).collect::<Vec<_>>()})],
        other => vec![json!({"role": "assistant", "content": other})],
    }
}

fn without_nulls(element: &Value) -> Value {
    let Some(members) = element.as_object() else { return element.clone() };
    let mut kept = members.clone();
    kept.retain(|_, value| !value.is_null());
    if let Some(Value::Array(blocks)) = kept.get_mut("content") {
        *blocks = blocks.iter().map(without_nulls).collect();
    }
    kept.into()
}

fn is_truncated(reply: &Value) -> bool {
    let is = |name: &str, words: &[&str]| reply.get(name).and_then(Value::as_str).is_some_and(|each| words.contains(&each));
    is("stop_reason", &["max_tokens", "model_context_window_exceeded", "refusal"])
        || is("status", &["incomplete", "failed"])
        || is("done_reason", &CUT)
}
