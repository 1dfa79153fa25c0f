//! The outbound half of a turn.

use serde_json::{Value, json};

use crate::capability::{filtered_sections, plan, resolve_targets};
use crate::payload::foreign::refuse_request;
use crate::payload::{Flags, Wish, flattened, function_name, mark_refused, sanitized_history, sanitized_request, sent_name};
use crate::shared::capabilities::supports;
use crate::shared::findings::{Finding, Path, Step, listed, steps};
use crate::shared::json::elements;
use crate::shared::outcome::{Failure, Object, Outcome};
use crate::shared::schema;
use crate::turn::receive::calls_none;

pub(super) fn prepare(input: &Value) -> Outcome {
    let input = schema::input("turn:prepare", input)?;
    let null = Value::Null;
    let request = input.get("request").unwrap_or(&null);
    let capability = resolve_targets(input);
    refuse_request(request, supports(&capability))?;
    let flags = Flags::of(input.get("profile"));
    if flags.lacks_origin() {
        return Err(Failure::of("origin_missing"));
    }
    let is = |name: &str| input.get(name) == Some(&json!(true));
    let history = request.as_object().and_then(|request| request.get("messages")).and_then(Value::as_array);

    let first = planned(input, &capability, history, narrowed(request, &capability)).0;
    let mut findings = Vec::new();
    let (given, positions) = without_excluded(request, &capability, &first, &flags, &mut findings);
    let sent_capability = if supports(&capability) {
        json!({
            "tool_calls_supported": true, "tool_choice": first["send_tool_choice"],
            "parallel_tool_calls": first["send_parallel_tool_calls"],
        })
    } else {
        json!({"tool_calls_supported": false})
    };
    let mut sent = sanitized_request(&given, &sent_capability, &flags)?;
    let (plan, plan_findings) = if first["protocol"] == "native" {
        let names = sent_names(&sent.request, &sent.aliases);
        planned(input, &capability, history, Some(json!({"allow": names})))
    } else {
        planned(input, &capability, history, narrowed(request, &capability))
    };
    findings.extend(plan_findings);
    let text = plan["protocol"] == "text";
    findings.extend(sent.findings.drain(..).map(|finding| at_input(finding, &positions, text)));

    let mut skipped = 0;
    if let Some(history) = history {
        let flattens = plan["history"] == "flatten";
        let wish = Wish { skip: input.get("disposition") == Some(&json!("skip")), open_turn: is("open_turn"), flattens };
        let done = sanitized_history(history, wish, &flags);
        if done.messages.is_empty() && !history.is_empty() {
            return Err(Failure::of("history_emptied"));
        }
        skipped = done.skipped;
        findings.extend(done.findings.into_iter().map(|finding| Finding { path: below_request(finding.path), ..finding }));
        let messages = if flattens { flat(done.messages, &plan, is("keep_names"), &flags, &mut findings) } else { done.messages };
        sent.request["messages"] = messages.into();
    }
    mark_refused(&mut findings, input, &flags);
    let mut result = json!({
        "request": sent.request,
        "sections": filtered_sections(input.get("sections").unwrap_or(&json!([])), &plan.clone().into()),
        "plan": plan,
        "aliases": sent.aliases,
        "reason": capability["reason"],
        "matched": capability["matched"],
        "findings": listed(findings),
    });
    result["plan"]["findings"] = json!([]);
    if skipped > 0 {
        result["skipped"] = skipped.into();
    }
    Ok(result)
}

/// The layer that the declared tools, or the choice `none`, add to the policy.
fn narrowed(request: &Value, capability: &Value) -> Option<Value> {
    if !supports(capability) {
        return calls_none(Some(request)).then(|| json!({"allow": []}));
    }
    let names: Vec<&str> = tools(request).iter().filter_map(function_name).collect();
    Some(json!({"allow": names}))
}

fn tools(request: &Value) -> &[Value] {
    elements(request.get("tools"))
}

/// The plan of a turn, with one more layer.
fn planned(input: &Object, capability: &Value, history: Option<&Vec<Value>>, layer: Option<Value>) -> (Object, Vec<Finding>) {
    let mut layers = input.get("layers").and_then(Value::as_array).cloned().unwrap_or_default();
    layers.extend(layer);
    let mut asked = Object::new();
    for name in ["registered", "text_protocol", "strict_parsing"] {
        if let Some(value) = input.get(name) {
            asked.insert(name.to_owned(), value.clone());
        }
    }
    asked.insert("layers".into(), layers.into());
    asked.insert("capability".into(), capability.clone());
    asked.insert("messages".into(), history.cloned().unwrap_or_default().into());
    plan(&asked)
}

/// The request without the tools that are not effective, and the positions that the others have in the input (TRN-004).
fn without_excluded(
    request: &Value,
    capability: &Value,
    plan: &Object,
    flags: &Flags,
    findings: &mut Vec<Finding>,
) -> (Value, Vec<usize>) {
    let mut given = request.clone();
    let Some(members) = given.as_object_mut().filter(|_| supports(capability)) else {
        return (given, (0..tools(request).len()).collect());
    };
    let effective = plan.get("effective").and_then(Value::as_array).cloned().unwrap_or_default();
    let mut positions = Vec::new();
    if let Some(Value::Array(tools)) = members.get_mut("tools") {
        let mut kept = Vec::new();
        for (at, tool) in std::mem::take(tools).into_iter().enumerate() {
            if function_name(&tool).is_some_and(|name| !effective.contains(&name.into())) {
                findings.push(Finding::new("tool_not_effective", steps!["request", "tools", at]));
            } else {
                positions.push(at);
                kept.push(tool);
            }
        }
        *tools = kept;
    }
    let has_functions = members.get("functions").and_then(Value::as_array).is_some_and(|each| !each.is_empty());
    if has_functions {
        let takes = json!({"tool_calls_supported": true});
        let both = sanitized_request(&Value::Object(members.clone()), &takes, flags);
        if !matches!(both, Err(Failure { code: "legacy_and_tools", .. })) {
            members.shift_remove("functions");
            findings.push(Finding::new("tool_not_effective", steps!["request", "functions"]));
        }
    }
    (given, positions)
}

/// The names that the sent tools have in the input.
fn sent_names(request: &Value, aliases: &Object) -> Vec<String> {
    let own = |name: &str| aliases.get(name).and_then(Value::as_str).unwrap_or(name).to_owned();
    tools(request).iter().filter_map(function_name).map(own).collect()
}

/// A finding of the request with the position that a tool has in the input.
fn at_input(mut finding: Finding, positions: &[usize], text: bool) -> Finding {
    if let [_, Step::Name(name), Step::At(at), ..] = finding.path.as_mut_slice() {
        if name == "tools" {
            *at = positions.get(*at).copied().unwrap_or(*at);
        }
    }
    if text && finding.code == "capability_unsupported" {
        finding.code = "protocol_text";
    }
    finding
}

fn below_request(path: Path) -> Path {
    steps!["request"].into_iter().chain(path).collect()
}

/// The history as text (TRN-009).
fn flat(messages: Vec<Value>, plan: &Object, keep_names: bool, flags: &Flags, findings: &mut Vec<Finding>) -> Vec<Value> {
    let effective: Vec<&str> = plan["effective"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let text = plan["protocol"] == "text";
    let messages = if text { with_prompt_names(messages, &effective, flags) } else { messages };
    let shown = (text || !keep_names).then_some(effective.as_slice());
    let (messages, found) = flattened(&messages, text, shown, flags.is("repeated_roles", false));
    if !found.is_empty() {
        findings.push(Finding::new("history_flattened", steps!["request", "messages"]));
    }
    messages
}

fn with_prompt_names(mut messages: Vec<Value>, effective: &[&str], flags: &Flags) -> Vec<Value> {
    for message in &mut messages {
        for call in message.get_mut("tool_calls").and_then(Value::as_array_mut).into_iter().flatten() {
            let Some(name) = call["function"]["name"].as_str() else { continue };
            let mut fitting = effective.iter().filter(|own| sent_name(own, flags) == name);
            if let (Some(own), None) = (fitting.next(), fitting.next()) {
                call["function"]["name"] = (*own).into();
            }
        }
    }
    messages
}
