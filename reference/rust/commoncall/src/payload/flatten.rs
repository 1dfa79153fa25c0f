//! Flattening: tool turns as text, for a model without tools.

use serde_json::{Value, json};

use super::check::{Checked, Demands, judge};
use super::foreign;
use super::history::{Kept, Message, joined_content, pairs_of};
use super::profile::Flags;
use super::results::{block_result, escaped, quoted_result, quoted_string, text_part};
use crate::shared::data::CALL_NOT_SHOWN;
use crate::shared::findings::{Finding, below, listed, steps};
use crate::shared::json::{compact, elements};
use crate::shared::outcome::{Object, Outcome};
use crate::shared::text::is_json_space;

pub(super) fn flatten(input: &Object) -> Outcome {
    let messages = elements(input.get("messages"));
    foreign::refuse_history(messages, &steps!["messages"])?;
    let effective = input.get("effective").and_then(Value::as_array);
    let effective = effective.map(|names| names.iter().filter_map(Value::as_str).collect::<Vec<_>>());
    let (messages, findings) = flattened(messages, input.get("form") == Some(&json!("blocks")), effective.as_deref(), false);
    Ok(json!({"messages": messages, "findings": listed(findings)}))
}

/// A history without tool turns, and what was found on the way. `joins`: the text of results stands in the message of
/// the user behind them (TRN-077).
pub(crate) fn flattened(messages: &[Value], blocks: bool, effective: Option<&[&str]>, joins: bool) -> (Vec<Value>, Vec<Finding>) {
    let kept = Kept::of(messages, &Flags::of(None));
    let pairs = pairs_of(messages, &kept.messages);
    let (results, late) = (pairs.calls_by_result(), pairs.calls_by_late());
    let form = Form { blocks, effective };
    let calls = kept.messages.iter().flat_map(Message::calls);
    let shown: Vec<_> = calls.map(|call| form.shown_name(&judge(call, false, &Demands::default()))).collect();
    let mut out = Out { messages: Vec::new(), findings: Vec::new(), results: Vec::new() };
    for (at, message) in messages.iter().enumerate() {
        let place = steps!["messages", at];
        let Some(members) = message.as_object() else {
            out.end_results();
            out.messages.push(message.clone());
            continue;
        };
        if members.get("role").is_some_and(|role| role == "tool") {
            out.findings.push(Finding::new("result_flattened", place.clone()));
            if members.contains_key("tool_calls") {
                out.findings.push(Finding::new("tool_calls_misplaced", below(&place, "tool_calls")));
            }
            let call = results.get(&at).or_else(|| late.get(&at));
            if call.is_none() {
                out.findings.push(Finding::new("result_orphaned", place));
            }
            let unknown = || effective.is_none().then(|| "unknown".to_owned());
            let name = call.map_or_else(unknown, |&call| shown.get(call).cloned().flatten());
            out.results.push(if blocks { block_result(members, name.as_deref()) } else { quoted_result(members, name.as_deref()) });
            continue;
        }
        let ends_results = !out.results.is_empty();
        out.end_results();
        let mut members = members.clone();
        let calls = members.shift_remove("tool_calls");
        let is_assistant = members.get("role").is_some_and(|role| role == "assistant");
        let tool_calls = below(&place, "tool_calls");
        match calls {
            None => {}
            Some(_) if !is_assistant => out.findings.push(Finding::new("tool_calls_misplaced", tool_calls)),
            Some(Value::Array(calls)) if calls.is_empty() => out.findings.push(Finding::new("tool_calls_empty", tool_calls)),
            Some(Value::Array(calls)) => {
                let mut texts = Vec::new();
                for (at, call) in calls.iter().enumerate() {
                    let place = below(&tool_calls, at);
                    let checked = judge(call, false, &Demands::default());
                    out.findings.push(Finding::new("call_flattened", place.clone()));
                    out.findings.extend(checked.findings_at(&place));
                    let name = form.shown_name(&checked);
                    texts.push(form.call_text(&checked, name.as_deref()));
                }
                let content = beside(members.get("content"), &texts.join("\n"));
                members.insert("content".into(), content);
            }
            Some(_) => out.findings.push(Finding::new("tool_calls_not_array", tool_calls)),
        }
        if joins && ends_results && members.get("role").is_some_and(|role| role == "user") {
            let results = out.messages.pop().unwrap_or_default();
            let content = joined_content(results.get("content"), members.get("content"));
            members.insert("content".into(), content);
        }
        out.messages.push(members.into());
    }
    out.end_results();
    (out.messages, out.findings)
}

struct Out {
    messages: Vec<Value>,
    findings: Vec<Finding>,
    /// The texts of the run of results that has not ended.
    results: Vec<String>,
}

impl Out {
    fn end_results(&mut self) {
        if !self.results.is_empty() {
            self.messages.push(json!({"role": "user", "content": self.results.join("\n")}));
            self.results.clear();
        }
    }
}

/// How calls are written, and which names are shown.
struct Form<'a> {
    blocks: bool,
    effective: Option<&'a [&'a str]>,
}

impl Form<'_> {
    fn shown_name(&self, checked: &Checked) -> Option<String> {
        let name = checked.name.clone();
        match (checked.is_valid(), self.effective) {
            (true, None) => name,
            (true, Some(effective)) => name.filter(|name| effective.contains(&name.as_str())),
            (false, None) if !self.blocks => Some(name.unwrap_or_else(|| "invalid_tool_call".to_owned())),
            (false, _) => None,
        }
    }

    fn call_text(&self, checked: &Checked, shown: Option<&str>) -> String {
        let arguments = checked.arguments_json().unwrap_or("{}");
        if !self.blocks {
            let name = shown.map_or("a tool".to_owned(), quoted_string);
            return format!("Called {name} with {}", escaped(&without_space(arguments)));
        }
        shown.map_or(CALL_NOT_SHOWN.to_owned(), |name| {
            let arguments = arguments.trim_matches(is_json_space);
            format!("<tool_call>\n{{\"name\": {}, \"arguments\": {arguments}}}\n</tool_call>", quoted_string(name))
        })
    }
}

/// A content with the texts of calls behind it.
fn beside(content: Option<&Value>, texts: &str) -> Value {
    match content {
        None | Some(Value::Null) => texts.into(),
        Some(Value::String(text)) if text.is_empty() => texts.into(),
        Some(Value::Array(parts)) if parts.is_empty() => texts.into(),
        Some(Value::Array(parts)) => parts.iter().cloned().chain([text_part(texts)]).collect(),
        Some(Value::String(text)) => format!("{text}\n{texts}").into(),
        Some(other) => format!("{}\n{texts}", compact(other)).into(),
    }
}

/// A JSON text without the white space outside its strings.
fn without_space(json: &str) -> String {
    let (mut quoted, mut escaped) = (false, false);
    json.chars()
        .filter(|&each| {
            if quoted {
                quoted = escaped || each != '"';
                escaped = !escaped && each == '\\';
                return true;
            }
            quoted = each == '"';
            !is_json_space(each)
        })
        .collect()
}
