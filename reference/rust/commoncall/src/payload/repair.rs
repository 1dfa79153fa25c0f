//! The repairs of a text of arguments that can mean one thing alone.

use serde_json::Value;

use crate::shared::json::{Read, compact, read};
use crate::shared::outcome::Object;
use crate::shared::text::is_json_space;

/// Arguments that were repaired: what they are, their text, and the repairs in alphabetical order.
pub(super) struct Repaired {
    pub(super) arguments: Object,
    pub(super) text: String,
    pub(super) repairs: Vec<&'static str>,
}

/// The repaired text of a text that is no JSON text and does not nest too deep.
pub(super) fn repaired(text: &str) -> Option<Repaired> {
    let mut repairs = Vec::new();
    let mut out = String::with_capacity(text.len());
    let (mut quoted, mut escaped) = (false, false);
    // Whether something but white space has come since the last bracket that opens.
    let mut filled = false;
    for (at, each) in text.char_indices() {
        let rest = text.get(at + each.len_utf8()..).unwrap_or("");
        if quoted {
            if !escaped && each == '\\' && rest.starts_with('\'') {
                repairs.push("escaped_apostrophe");
                escaped = true;
                continue;
            }
            if !escaped && each < ' ' {
                repairs.push("control_chars");
                let json = compact(&Value::from(each.to_string()));
                out.push_str(json.get(1..json.len() - 1).unwrap_or_default());
                continue;
            }
            quoted = escaped || each != '"';
            escaped = !escaped && each == '\\';
            out.push(each);
            continue;
        }
        if each == ',' && filled && rest.trim_start_matches(is_json_space).starts_with([']', '}']) {
            repairs.push("trailing_comma");
            continue;
        }
        quoted = each == '"';
        filled = !matches!(each, '[' | '{') && (filled || !is_json_space(each));
        out.push(each);
    }
    let mut values = values(&out);
    let last = values.pop().unwrap_or_default();
    if !values.is_empty() && values.iter().all(|each| *each == last || is_empty_object(each)) {
        repairs.push("repeated_object");
        out = last.to_owned();
    }
    repairs.sort_unstable();
    repairs.dedup();
    match read(&out) {
        Read::Yes(Value::Object(arguments)) => Some(Repaired { arguments, text: out, repairs }),
        _ => None,
    }
}

/// The parts of a text that end where the last bracket is closed, or with the text.
fn values(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut quoted, mut escaped) = (false, false);
    let (mut depth, mut start) = (0_i64, 0);
    for (at, each) in text.char_indices() {
        if quoted {
            quoted = escaped || each != '"';
            escaped = !escaped && each == '\\';
            continue;
        }
        match each {
            '"' => quoted = true,
            '{' | '[' => depth += 1,
            '}' | ']' => {
                depth -= 1;
                if depth == 0 {
                    parts.push(text.get(start..=at).unwrap_or_default().trim_matches(is_json_space));
                    start = at + 1;
                }
            }
            _ => {}
        }
    }
    let rest = text.get(start..).unwrap_or_default().trim_matches(is_json_space);
    if !rest.is_empty() {
        parts.push(rest);
    }
    parts
}

fn is_empty_object(text: &str) -> bool {
    text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).is_some_and(|inner| inner.chars().all(is_json_space))
}
