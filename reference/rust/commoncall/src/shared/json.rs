//! JSON texts and values: what is one, how deep it is, when two are equal, and how one is written.

use std::fmt::Write as _;

use serde_json::{Number, Value};

use crate::shared::text::is_json_space;

/// No input and no text of arguments nests deeper.
pub(crate) const DEEPEST: usize = 128;

/// The nesting depth of a text, which needs no valid JSON. Count it before you parse what somebody sent.
#[must_use]
pub fn nesting_depth(text: &str) -> usize {
    let (mut open, mut deepest, mut quoted, mut escaped) = (0usize, 0, false, false);
    for byte in text.bytes() {
        if quoted {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => quoted = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => quoted = true,
            b'[' | b'{' => {
                open += 1;
                deepest = deepest.max(open);
            }
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// Whether a text nests deeper than this. Few have so many brackets, and to count these takes no time.
pub(crate) fn nests_deeper(text: &str, most: usize) -> bool {
    text.bytes().filter(|each| matches!(each, b'[' | b'{')).count() > most && nesting_depth(text) > most
}

/// Whether a value nests deeper than an input may.
pub(crate) fn is_too_deep(value: &Value) -> bool {
    is_deeper(value, DEEPEST)
}

/// Whether a value nests deeper than this, without recursion.
pub(crate) fn is_deeper(value: &Value, most: usize) -> bool {
    let mut left = vec![(value, 1)];
    while let Some((each, depth)) = left.pop() {
        match each {
            Value::Array(_) | Value::Object(_) if depth > most => return true,
            Value::Array(items) => left.extend(items.iter().map(|inner| (inner, depth + 1))),
            Value::Object(members) => left.extend(members.values().map(|inner| (inner, depth + 1))),
            _ => {}
        }
    }
    false
}

/// What a text of arguments is.
pub(crate) enum Read {
    /// It nests deeper than 128, and was not parsed.
    TooDeep,
    /// It is no JSON text.
    No,
    /// It is the JSON text of this value.
    Yes(Value),
}

/// Reads a text of arguments.
pub(crate) fn read(text: &str) -> Read {
    if nests_deeper(text, DEEPEST) { Read::TooDeep } else { parse(text).map_or(Read::No, Read::Yes) }
}

/// Parses a JSON text whose depth was counted before: the parser recurses, and has no limit of its own. Of several members of
/// one name the last counts.
#[must_use]
pub fn parse(text: &str) -> Option<Value> {
    let mut source = serde_json::Deserializer::from_str(text);
    source.disable_recursion_limit();
    serde::Deserialize::deserialize(&mut source).ok().filter(|_: &Value| source.end().is_ok())
}

/// The object that a text is, if it nests no deeper than an input may.
pub(crate) fn parse_object(text: &str) -> Option<Value> {
    // Arguments that arrive in pieces are asked for each piece, and nearly all of these end in no brace.
    let may_be_one = text.trim_end_matches(is_json_space).ends_with('}');
    if !may_be_one || nests_deeper(text, DEEPEST) { None } else { parse(text).filter(Value::is_object) }
}

/// The elements of an array; none of all else.
pub(crate) fn elements(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The nearest binary64 of a number.
pub(crate) fn double(number: &Number) -> f64 {
    number.as_f64().unwrap_or(f64::NAN)
}

/// Whether two values are equal: numbers by their binary64, objects in any order.
pub(crate) fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        #[expect(clippy::float_cmp, reason = "the same nearest binary64 is what is asked for")]
        (Value::Number(one), Value::Number(other)) => double(one) == double(other),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len() && one.iter().all(|(name, value)| other.get(name).is_some_and(|other| equal(value, other)))
        }
        _ => one == other,
    }
}

/// The compact JSON of a value.
pub(crate) fn compact(value: &Value) -> String {
    let mut out = String::new();
    write(&mut out, value, false);
    out
}

/// The compact JSON of a string.
pub(crate) fn compact_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    write_string(&mut out, text);
    out
}

/// The canonical text of a value, by RFC 8785.
pub(crate) fn canonical(value: &Value) -> String {
    let mut out = String::new();
    write(&mut out, value, true);
    out
}

fn write(out: &mut String, value: &Value, canonical: bool) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) => write_number(out, number, canonical),
        Value::String(text) => write_string(out, text),
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                out.push(if at == 0 { '[' } else { ',' });
                write(out, item, canonical);
            }
            out.push_str(if items.is_empty() { "[]" } else { "]" });
        }
        Value::Object(members) => {
            let mut named: Vec<_> = members.iter().collect();
            if canonical {
                named.sort_by(|one, other| one.0.encode_utf16().cmp(other.0.encode_utf16()));
            }
            for (at, (name, value)) in named.into_iter().enumerate() {
                out.push(if at == 0 { '{' } else { ',' });
                write_string(out, name);
                out.push(':');
                write(out, value, canonical);
            }
            out.push_str(if members.is_empty() { "{}" } else { "}" });
        }
    }
}

/// The length of the characters at the begin of a text that stand for themselves in a string.
pub(crate) fn plain_length(text: &str) -> usize {
    text.bytes().position(|each| matches!(each, b'"' | b'\\' | ..=0x1f)).unwrap_or(text.len())
}

fn write_string(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    loop {
        let (plain, behind) = rest.split_at(plain_length(rest));
        out.push_str(plain);
        let mut behind = behind.chars();
        let Some(each) = behind.next() else { break };
        rest = behind.as_str();
        match each {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            '\0'..='\u{1f}' => _ = write!(out, "\\u{:04x}", u32::from(each)),
            _ => out.push(each),
        }
    }
    out.push('"');
}

/// The fewest digits of a number, and its decimal exponent. Of two that are as near, ECMAScript takes the even one, and
/// Rust the larger.
fn shortest(value: f64) -> (String, i32) {
    let parts = |scientific: &str| {
        let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
        (mantissa.replace('.', ""), exponent.parse().unwrap_or(0))
    };
    let (mut digits, exponent) = parts(&format!("{value:e}"));
    let last = digits.pop().unwrap_or('0');
    let lower = char::from(last as u8 - u8::from(matches!(last, '1' | '3' | '5' | '7' | '9')));
    // Half a unit of the last digit stands behind the lower one.
    let (exact, _) = parts(&format!("{value:.40e}"));
    let behind = exact.strip_prefix(&format!("{digits}{lower}5")).unwrap_or("1");
    let is_even = behind.bytes().all(|digit| digit == b'0');
    let same = || format!("0.{digits}{lower}e{}", exponent + 1).parse() == Ok(value);
    let chosen = if lower != last && is_even && same() { lower } else { last };
    digits.push(chosen);
    (digits, exponent)
}

/// A number as ECMAScript writes it. In compact JSON an integer keeps the digits that the parser has read.
fn write_number(out: &mut String, number: &Number, canonical: bool) {
    if !canonical && !number.is_f64() {
        _ = write!(out, "{number}");
        return;
    }
    let value = double(number);
    if value == 0.0 {
        out.push('0');
        return;
    }
    if value < 0.0 {
        out.push('-');
    }
    let (digits, exponent) = shortest(value.abs());
    let point = exponent + 1;
    let length = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    let zeros = |number: i32| "0".repeat(usize::try_from(number).unwrap_or(0));
    match point {
        1..=21 if point >= length => _ = write!(out, "{digits}{}", zeros(point - length)),
        1..=21 => {
            let (whole, fraction) = digits.split_at(usize::try_from(point).unwrap_or(0));
            _ = write!(out, "{whole}.{fraction}");
        }
        -5..=0 => _ = write!(out, "0.{}{digits}", zeros(-point)),
        _ => {
            let (first, rest) = digits.split_at(1);
            let dot = if rest.is_empty() { "" } else { "." };
            _ = write!(out, "{first}{dot}{rest}e{}{}", if point > 0 { "+" } else { "-" }, (point - 1).abs());
        }
    }
}

/// The JSON Pointer in a local reference: `#` and this, percent-encoded.
pub(crate) fn pointer_in(reference: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = reference.strip_prefix('#')?.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        let digits = behind.get(..2).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let code = digits.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        match (byte, code) {
            (b'%', Some(code)) => {
                bytes.push(code);
                rest = &behind[2..];
            }
            (b'%', None) => return None,
            _ => {
                bytes.push(byte);
                rest = behind;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::{canonical, compact, nesting_depth};
    use serde_json::Value;

    fn parsed(text: &str) -> Value {
        serde_json::from_str(text).unwrap_or(Value::Null)
    }

    #[test]
    fn numbers_are_written_as_ecmascript_writes_them() {
        let text = "[1.0,1E2,-0,1e21,1e-7,1.5e-6,123.25,9007199254740993,-1e300,100000000000000000000]";
        let written = "[1,100,0,1e+21,1e-7,0.0000015,123.25,9007199254740993,-1e+300,100000000000000000000]";
        assert_eq!(compact(&parsed(text)), written);
        assert_eq!(canonical(&parsed("[9007199254740993]")), "[9007199254740992]");
    }

    #[test]
    fn depth_needs_no_valid_json() {
        assert_eq!(nesting_depth("]][{\"[\\\"[\"}{[\"["), 3);
    }
}
