//! The result of an extraction.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};

use serde_json::{Value, json};

use super::machine::{Kind, Machine};
use super::output::{Output, Unreadable};
use super::setup::Setup;
use crate::shared::outcome::{Environment, Failure, Object, Outcome};

/// The ids of new calls.
struct Ids {
    given: Option<std::vec::IntoIter<String>>,
}

impl Ids {
    fn next(&mut self) -> Result<String, Failure> {
        match &mut self.given {
            Some(ids) => ids.next().ok_or_else(|| Failure::of("env_exhausted")),
            None => Ok(random_id()),
        }
    }
}

/// A random UUID of version 4. The standard library seeds its hashers from the system.
pub(crate) fn random_id() -> String {
    let random = || RandomState::new().build_hasher().finish();
    let (high, low) = (random() & !0xF000 | 0x4000, random() & !(0b11 << 62) | 0b10 << 62);
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        high >> 32,
        high >> 16 & 0xFFFF,
        high & 0xFFFF,
        low >> 48,
        low & 0xFFFF_FFFF_FFFF
    )
}

pub(super) fn result(machine: Machine, setup: &Setup, output: Output, environment: Environment) -> Outcome {
    let mut ids = Ids { given: environment.ids.map(Vec::into_iter) };
    let segments = segments(&machine, setup);
    let (mut calls, mut removed) = (Vec::new(), 0usize);
    let mut matched: Vec<&str> = Vec::new();
    let mut repairs: BTreeMap<&str, usize> = BTreeMap::new();
    let mut seen = |dialect: usize| {
        let id = setup.dialect(dialect).id.as_str();
        if !matched.contains(&id) {
            matched.push(id);
        }
    };
    for item in machine.items {
        match item.kind {
            Kind::Block { dialect, outcome } => {
                seen(dialect);
                removed += usize::from(outcome.calls.is_empty() && outcome.unreadable.is_empty());
                outcome.repairs.iter().for_each(|code| *repairs.entry(code).or_default() += 1);
                for call in outcome.calls {
                    calls.push(Value::Object(Object::from_iter([
                        ("id".to_owned(), ids.next()?.into()),
                        ("name".to_owned(), call.name.into()),
                        ("arguments".to_owned(), call.arguments.into()),
                        ("arguments_json".to_owned(), call.arguments_json.into()),
                    ])));
                }
            }
            Kind::Tag { dialect } => seen(dialect),
            Kind::Message => removed += 1,
            Kind::Reasoning { .. } | Kind::Token | Kind::Space | Kind::Line => {}
        }
    }
    let unread = |each: &Unreadable| json!({"before": each.before, "name": each.name, "error_type": each.error_type});
    let unreadable: Vec<Value> = output.unreadable.iter().map(unread).collect();
    let parts = setup.parts.then(|| output.parts());
    let (content, reasoning) = output.into_texts();
    let mut result = Object::new();
    let mut member = |name: &str, value: Value| _ = result.insert(name.to_owned(), value);
    member("content", content.into());
    member("reasoning", reasoning.into());
    member("tool_calls", calls.into());
    if !unreadable.is_empty() {
        member("unreadable", unreadable.into());
    }
    if removed > 0 {
        member("removed", removed.into());
    }
    member("matched", matched.into());
    member("repairs", repairs.into_iter().map(|(code, count)| json!({"code": code, "count": count})).collect());
    member("segments", segments.into());
    if let Some(parts) = parts {
        member("parts", parts);
    }
    Ok(result.into())
}

/// The pieces of the input in order.
fn segments(machine: &Machine, setup: &Setup) -> Vec<Value> {
    let codes = machine.pieces.iter().map(|&(from, to)| (from, to, None));
    let mut pieces: Vec<_> = machine.items.iter().map(|item| (item.from, item.to, Some(&item.kind))).chain(codes).collect();
    pieces.retain(|(from, to, _)| from < to);
    pieces.sort_by_key(|(from, to, _)| (*from, *to));
    let source = &machine.source;
    let text = |from, to| json!({"kind": "text", "text": source.slice(from, to)});
    let mut found = Vec::new();
    let mut at = 0;
    for (from, to, kind) in pieces {
        if from < at {
            continue;
        }
        if at < from {
            found.push(text(at, from));
        }
        found.push(segment(kind, setup, source.slice(from, to)));
        at = to;
    }
    if at < source.len() {
        found.push(text(at, source.len()));
    }
    found
}

/// A piece that is no text: an item of a kind, or code.
fn segment(kind: Option<&Kind>, setup: &Setup, text: &str) -> Value {
    let (name, dialect, calls, codes): (_, _, _, &[&str]) = match kind {
        None => ("code", None, 0, &[]),
        Some(Kind::Token | Kind::Space | Kind::Line) => ("token", None, 0, &[]),
        Some(Kind::Message) => ("message", None, 0, &[]),
        Some(Kind::Reasoning { codes, .. }) => ("reasoning", None, 0, codes),
        Some(Kind::Tag { dialect }) => ("call", Some(*dialect), 0, &[]),
        Some(Kind::Block { dialect, outcome }) => {
            let calls = outcome.calls.len();
            (if calls > 0 { "call" } else { "rejected" }, Some(*dialect), calls, &outcome.codes)
        }
    };
    let mut segment = Object::new();
    segment.insert("kind".into(), name.into());
    segment.insert("text".into(), text.into());
    if let Some(dialect) = dialect {
        segment.insert("dialect".into(), setup.dialect(dialect).id.as_str().into());
    }
    if name == "call" {
        segment.insert("calls".into(), calls.into());
    }
    if !codes.is_empty() {
        segment.insert("codes".into(), codes.into());
    }
    segment.into()
}
