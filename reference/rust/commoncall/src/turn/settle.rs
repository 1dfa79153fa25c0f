//! The end of a turn: what became of every call.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use crate::event::record_planned;
use crate::payload::Flags;
use crate::payload::results::{is_media, is_sent_media, parts, shown_text, text_of_element, text_of_part, text_part, user_part};
use crate::shared::data::{PART_NOT_SHOWN, RESULT_NOT_JSON};
use crate::shared::findings::{Finding, listed, steps};
use crate::shared::json::{elements, is_deeper};
use crate::shared::outcome::{Failure, Object, Outcome};
use crate::shared::schema;
use crate::shared::text::is_blank;

pub(super) fn settle(given: &Value) -> Outcome {
    let invalid = || Failure::of("invalid_input");
    let input = schema::input("turn:settle", given)?;
    let received = &input["received"];
    let turn = Turn::of(received, &input["outcomes"]).ok_or_else(invalid)?;
    let flags = Flags::of(input.get("profile"));
    let record = record_planned(&turn.record())?;
    let events = record["events"].as_array().into_iter().flatten().filter(|event| event["type"] == "ToolCallResult");
    let events: Vec<&Value> = events.collect();
    let outputs = elements(record.get("outputs"));
    let mut findings = Vec::new();
    let failures: Vec<Option<&str>> = events.iter().map(|event| event["message"].as_str()).collect();
    let history = turn.history(received, outputs, &failures, &flags, &mut findings);
    let mut result = json!({"events": events, "metrics": record["metrics"], "outputs": outputs, "history": history});
    if !findings.is_empty() {
        result["findings"] = listed(findings);
    }
    Ok(result)
}

/// A received turn with its outcomes.
struct Turn<'a> {
    planned: &'a [Value],
    /// The outcome of each call, by its `seq`, and where it stands in the input.
    outcomes: HashMap<u64, (Value, Option<usize>)>,
}

fn seq_of(value: &Value) -> Option<u64> {
    let seq = value["seq"].as_f64()?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the number is whole and small")]
    (seq >= 0.0 && seq.fract() == 0.0 && seq < 9e15).then_some(seq as u64)
}

impl<'a> Turn<'a> {
    fn of(received: &'a Value, outcomes: &Value) -> Option<Self> {
        let list = |name: &str| received[name].as_array();
        let planned = list("planned")?;
        let in_order = planned.iter().enumerate().all(|(at, event)| seq_of(event) == Some(at as u64));
        let one_request = planned.iter().all(|event| event["request_id"] == planned[0]["request_id"]);
        let (dispatch, answers, calls) = (list("dispatch")?, list("answers")?, list("calls")?);
        let mut seen = HashSet::new();
        let each_once = dispatch.iter().chain(answers).all(|each| seq_of(each).is_some_and(|seq| seen.insert(seq)));
        let known = |seq: u64| seq < planned.len() as u64;
        let mut stored = HashSet::new();
        let own = calls.iter().all(|call| seq_of(call).is_some_and(|seq| known(seq) && stored.insert(seq)));
        if !(in_order && one_request && each_once && own && seen.len() == planned.len() && seen.iter().all(|seq| known(*seq))) {
            return None;
        }
        let mut found: HashMap<u64, (Value, Option<usize>)> = HashMap::new();
        for answer in answers {
            found.insert(seq_of(answer)?, (json!({"status": "error", "error_type": answer["error_type"]}), None));
        }
        let dispatched: HashSet<u64> = dispatch.iter().filter_map(seq_of).collect();
        for (at, outcome) in outcomes.as_array()?.iter().enumerate() {
            let seq = seq_of(outcome).filter(|seq| dispatched.contains(seq))?;
            let mut own = outcome.as_object()?.clone();
            own.shift_remove("seq");
            if found.insert(seq, (own.into(), Some(at))).is_some() {
                return None;
            }
        }
        for seq in dispatched {
            found.entry(seq).or_insert_with(|| (json!({"status": "error", "error_type": "tool_aborted"}), None));
        }
        Some(Self { planned, outcomes: found })
    }

    /// The input of a record of these calls.
    fn record(&self) -> Object {
        let tools: Vec<&Value> = self.planned.iter().map(|event| &event["tool"]).collect();
        let calls: Vec<Value> = self
            .planned
            .iter()
            .enumerate()
            .map(|(seq, event)| {
                let (mut outcome, _) = self.outcomes.get(&(seq as u64)).cloned().unwrap_or_default();
                if let Some(parts) = in_parts(&outcome) {
                    outcome["content"] = shown_text(parts).into();
                }
                json!({"name": event["tool"], "arguments_json": "{}", "tool_call_id": event["tool_call_id"], "outcome": outcome})
            })
            .collect();
        let request = self.planned.first().map_or(Value::Null, |event| event["request_id"].clone());
        let record = json!({"request_id": request, "effective": tools, "calls": calls});
        record.as_object().cloned().unwrap_or_default()
    }

    /// What is stored of the turn (TRN-043).
    fn history(
        &self,
        received: &Value,
        outputs: &[Value],
        failures: &[Option<&str>],
        flags: &Flags,
        findings: &mut Vec<Finding>,
    ) -> Vec<Value> {
        let calls = elements(received.get("calls"));
        let words = stored_words(received);
        let mut history = Vec::new();
        let spoken = words.as_str().is_some_and(|words| !is_blank(words));
        if !calls.is_empty() || spoken {
            let mut message = Object::new();
            message.insert("role".into(), "assistant".into());
            message.insert("content".into(), words.clone());
            for (name, value) in received["opaque"]["members"].as_object().into_iter().flatten() {
                message.insert(name.clone(), value.clone());
            }
            if let Some(origin) = received.get("origin") {
                message.insert("_from".into(), origin.clone());
            }
            if !calls.is_empty() {
                message.insert("tool_calls".into(), calls.iter().map(stored_call).collect());
            }
            history.push(message.into());
        }
        for call in calls {
            let seq = seq_of(call).unwrap_or(0);
            let at = usize::try_from(seq).unwrap_or(usize::MAX);
            let output = outputs.get(at).map_or(Value::Null, |output| output["content"].clone());
            let content = self.stored_result(seq, flags, findings).unwrap_or(output);
            let content = told(content, failures.get(at).copied().flatten());
            history.push(json!({"role": "tool", "tool_call_id": call["id"], "content": content}));
        }
        let stored: HashSet<u64> = calls.iter().filter_map(seq_of).collect();
        for seq in self.outcomes.keys().filter(|seq| !stored.contains(seq)) {
            self.stored_result(*seq, flags, findings);
        }
        history
    }

    /// The parts of a result, where these are stored.
    fn stored_result(&self, seq: u64, flags: &Flags, findings: &mut Vec<Finding>) -> Option<Value> {
        let (outcome, place) = self.outcomes.get(&seq)?;
        let found = in_parts(outcome)?;
        let shown = |part: &Value| flags.is("result_media", "user") && is_media(part) && user_part(part).is_some();
        let kept = |part: &Value| flags.is("result_content", "parts") && is_sent_media(part) || shown(part);
        let stored = |part: &Value| match part {
            part if text_of_part(part).is_some() || kept(part) => part.clone(),
            part if !is_media(part) => text_part(&text_of_element(part)),
            _ => text_part(PART_NOT_SHOWN),
        };
        let as_parts = !flags.is("result_content", "string") || found.iter().any(shown);
        for (at, part) in found.iter().enumerate() {
            if let (true, Some(place)) = (is_media(part) && !(as_parts && kept(part)), place) {
                findings.push(Finding::new("media_removed", steps!["outcomes", *place, "content", at]));
            }
        }
        as_parts.then(|| found.iter().map(stored).collect())
    }
}

/// What is stored of a result; one that failed begins with why.
fn told(content: Value, failure: Option<&str>) -> Value {
    match (failure, content) {
        (Some(failure), Value::String(text)) if text != failure && text != RESULT_NOT_JSON => format!("{failure}\n{text}").into(),
        (Some(failure), Value::Array(parts)) => std::iter::once(text_part(failure)).chain(parts).collect(),
        (_, content) => content,
    }
}

/// The parts of an outcome in parts.
fn in_parts(outcome: &Value) -> Option<&Vec<Value>> {
    let content = outcome.get("content")?;
    parts(Some(content)).filter(|_| !is_deeper(content, 32))
}

fn stored_words(received: &Value) -> Value {
    let content = &received["content"];
    let refusal = received.get("refusal").filter(|each| each.as_str().is_some_and(|each| !each.is_empty()));
    match refusal {
        Some(refusal) if content.as_str().is_none_or(is_blank) => refusal.clone(),
        _ => content.clone(),
    }
}

fn stored_call(call: &Value) -> Value {
    let with = |mut value: Value, opaque: &Value| {
        for (name, member) in opaque.as_object().into_iter().flatten() {
            value[name] = member.clone();
        }
        value
    };
    let function = with(json!({"name": call["name"], "arguments": call["arguments_json"]}), &call["opaque"]["function"]);
    let mut stored = with(json!({"id": call["id"], "type": "function"}), &call["opaque"]["call"]);
    stored["function"] = function;
    stored
}
