//! Digests of arguments.

use serde_json::{Value, json};

use crate::shared::json::{Read, canonical, read};
use crate::shared::outcome::{Failure, Object, Outcome};
use crate::shared::sha256::{hex, hmac, sha256};
use crate::shared::text::first;

/// A key of keyed hashes.
pub(super) struct Key {
    pub(super) id: String,
    secret: Vec<u8>,
}

impl Key {
    pub(super) fn in_input(input: &Object) -> Option<Self> {
        let key = input.get("key")?;
        let digits = key["secret_hex"].as_str()?;
        let byte = |at: usize| u8::from_str_radix(digits.get(2 * at..2 * at + 2)?, 16).ok();
        Some(Self { id: key["id"].as_str()?.to_owned(), secret: (0..digits.len() / 2).map_while(byte).collect() })
    }
}

fn digest(text: &str, key: Option<&Key>) -> String {
    let bytes = text.as_bytes();
    hex(&key.map_or_else(|| sha256(bytes), |key| hmac(&key.secret, bytes)))
}

/// The preview hash of arguments (EVT-007).
pub(super) fn preview(arguments: &Value, key: Option<&Key>) -> String {
    digest(first(&canonical(arguments), 200), key)
}

pub(super) fn hash_arguments(input: &Object) -> Outcome {
    let arguments = match input.get("arguments_json").and_then(Value::as_str) {
        Some(text) => match read(text) {
            Read::Yes(value) => value,
            Read::No | Read::TooDeep => return Err(Failure::of("arguments_not_json")),
        },
        None => input.get("arguments").filter(|each| !each.is_null()).cloned().unwrap_or_else(|| json!({})),
    };
    if !arguments.is_object() {
        return Err(Failure::of("arguments_not_object"));
    }
    let key = Key::in_input(input);
    let mut result = json!({
        "args_preview_hash": preview(&arguments, key.as_ref()),
        "algorithm": if key.is_some() { "hmac-sha256" } else { "sha256" },
    });
    if let Some(key) = key {
        result["key_id"] = key.id.into();
    }
    Ok(result)
}
