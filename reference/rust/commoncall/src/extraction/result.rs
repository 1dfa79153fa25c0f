//! The result of an extraction.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};

use serde_json::{Value, json};

use super::machine::{Kind, Machine};
use super::setup::Setup;
use crate::shared::outcome::{Environment, Failure, Outcome};

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

pub(super) fn result(
    machine: &Machine,
    setup: &Setup,
    content: Option<&str>,
    reasoning: Option<&str>,
    environment: Environment,
) -> Outcome {
    let mut ids = Ids { given: environment.ids.map(Vec::into_iter) };
    let (mut calls, mut unreadable, mut removed) = (Vec::new(), Vec::new(), 0usize);
    let mut matched: Vec<&str> = Vec::new();
    let mut repairs: BTreeMap<&str, usize> = BTreeMap::new();
    let unread = |before: usize, name: &Option<String>, error: &str| json!({"before": before, "name": name, "error_type": error});
    for item in &machine.items {
        match &item.kind {
            Kind::Block { dialect, outcome } => {
                matched.push(&setup.dialects[*dialect].id);
                unreadable.extend(outcome.unreadable.iter().map(|(before, name, error)| unread(calls.len() + before, name, error)));
                removed += usize::from(outcome.calls.is_empty() && outcome.unreadable.is_empty());
                outcome.repairs.iter().for_each(|code| *repairs.entry(code).or_default() += 1);
                for call in &outcome.calls {
                    calls.push(json!({
                        "id": ids.next()?, "name": call.name, "arguments": call.arguments, "arguments_json": call.arguments_json,
                    }));
                }
            }
            Kind::Tag { dialect } => matched.push(&setup.dialects[*dialect].id),
            Kind::Message => removed += 1,
            Kind::Reasoning { codes, .. } => {
                let open = codes.iter().filter(|_| !setup.judge.native).filter(|code| **code == "in_reasoning");
                unreadable.extend(open.map(|_| unread(calls.len(), &None, "tool_payload_parse_error")));
            }
            Kind::Token => {}
        }
    }
    let mut seen = Vec::new();
    matched.retain(|id| {
        !seen.contains(id) && {
            seen.push(*id);
            true
        }
    });
    let repairs: Vec<Value> = repairs.into_iter().map(|(code, count)| json!({"code": code, "count": count})).collect();
    let mut result = json!({"content": content, "reasoning": reasoning, "tool_calls": calls});
    if !unreadable.is_empty() {
        result["unreadable"] = unreadable.into();
    }
    if removed > 0 {
        result["removed"] = removed.into();
    }
    result["matched"] = json!(matched);
    result["repairs"] = repairs.into();
    result["segments"] = segments(machine, setup).into();
    Ok(result)
}

/// The pieces of the input in order.
fn segments(machine: &Machine, setup: &Setup) -> Vec<Value> {
    let mut pieces: Vec<(usize, usize, Value)> = Vec::new();
    for item in machine.items.iter().filter(|item| item.from < item.to) {
        let mut segment = json!({});
        let codes: &[&str] = match &item.kind {
            Kind::Block { dialect, outcome } => {
                segment["kind"] = if outcome.calls.is_empty() { "rejected" } else { "call" }.into();
                segment["dialect"] = setup.dialects[*dialect].id.clone().into();
                if !outcome.calls.is_empty() {
                    segment["calls"] = outcome.calls.len().into();
                }
                &outcome.codes
            }
            Kind::Tag { dialect } => {
                segment = json!({"kind": "call", "dialect": setup.dialects[*dialect].id, "calls": 0});
                &[]
            }
            Kind::Token => {
                segment["kind"] = "token".into();
                &[]
            }
            Kind::Message => {
                segment["kind"] = "message".into();
                &[]
            }
            Kind::Reasoning { codes, .. } => {
                segment["kind"] = "reasoning".into();
                codes
            }
        };
        if !codes.is_empty() {
            segment["codes"] = json!(codes);
        }
        pieces.push((item.from, item.to, segment));
    }
    pieces.extend(machine.pieces.iter().filter(|(from, to)| from < to).map(|(from, to)| (*from, *to, json!({"kind": "code"}))));
    pieces.sort_by_key(|(from, to, _)| (*from, *to));
    let mut found = Vec::new();
    let mut at = 0;
    let source = &machine.source;
    for (from, to, mut segment) in pieces {
        if from < at {
            continue;
        }
        if at < from {
            found.push(json!({"kind": "text", "text": source.slice(at, from)}));
        }
        segment["text"] = source.slice(from, to).into();
        found.push(segment);
        at = to;
    }
    if at < source.len() {
        found.push(json!({"kind": "text", "text": source.slice(at, source.len())}));
    }
    found
}
