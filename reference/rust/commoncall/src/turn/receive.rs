//! The inbound half of a turn: what a message is, and what becomes of its calls.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use crate::event::recorded;
use crate::extraction::{Tools, extracted, random_id};
use crate::payload::results::text_of_part;
use crate::payload::{Demands, Flags, judge, refusal_in, sent_name};
use crate::shared::capabilities::choice_word;
use crate::shared::findings::{Finding, Path, below, listed, steps};
use crate::shared::json::{elements, is_deeper};
use crate::shared::outcome::{Environment, Failure, Object, Outcome};
use crate::shared::schema;
use crate::shared::text::is_blank;

pub(super) const OWN: [&str; 5] = ["text", "tool_calls", "truncated", "refusal", "function_call"];

/// The members in which a server puts what it takes for reasoning.
pub(super) const REASONING: [&str; 3] = ["reasoning_content", "reasoning", "thinking"];

/// No opaque value nests deeper.
const DEEPEST_OPAQUE: usize = 32;

pub(super) fn receive(given: &Value, environment: Environment) -> Outcome {
    let input = schema::input("turn:receive", given)?;
    let flags = Flags::of(input.get("profile"));
    let none = Object::new();
    let message = input.get("message").and_then(Value::as_object).unwrap_or(&none);
    let is_read = |name: &str| OWN.contains(&name) || REASONING.contains(&name);
    let known = |name: &String| is_read(name) || is_opaque_member(name, &flags);
    if !message.keys().all(known) {
        return Err(Failure::of("invalid_input"));
    }
    refuse_turn(input, &flags)?;
    Receiver { input, message, flags: &flags }.receive(environment)
}

/// `origin_missing` and `plan_mismatch`.
pub(super) fn refuse_turn(input: &Object, flags: &Flags) -> Result<(), Failure> {
    if flags.lacks_origin() {
        return Err(Failure::of("origin_missing"));
    }
    let Some(request) = input.get("request") else { return Ok(()) };
    let plan = &input["plan"];
    let none = Vec::new();
    let effective = plan["effective"].as_array().unwrap_or(&none);
    let tools = request.as_object().and_then(|request| request.get("tools")).and_then(Value::as_array).unwrap_or(&none);
    let names: Vec<Option<&str>> = tools
        .iter()
        .map(|tool| {
            let name = tool.get("function")?.get("name")?.as_str()?;
            Some(input.get("aliases").and_then(|aliases| aliases.get(name)).and_then(Value::as_str).unwrap_or(name))
        })
        .collect();
    let is_effective = |name: Option<&str>| name.is_some_and(|name| effective.iter().any(|each| each == name));
    let is_sent = |name: &Value| name.as_str().is_some_and(|name| names.contains(&Some(name)));
    let mismatch = if plan["parse_native_calls"] == true {
        !names.iter().copied().all(is_effective) || !effective.iter().all(is_sent)
    } else {
        !names.is_empty()
    };
    let legacy = request.as_object().and_then(|request| request.get("functions")).and_then(Value::as_array);
    if mismatch || legacy.is_some_and(|functions| !functions.is_empty()) {
        return Err(Failure::of("plan_mismatch"));
    }
    Ok(())
}

/// Whether the caller switched all tools of a request off by its choice.
pub(super) fn calls_none(request: Option<&Value>) -> bool {
    request.and_then(|request| request.get("tool_choice")).and_then(choice_word) == Some("none")
}

/// Whether a member of a message of this name is an opaque value.
pub(super) fn is_opaque_member(name: &str, flags: &Flags) -> bool {
    (flags.is_opaque(name) || flags.is_readable(name)) && !OWN.contains(&name) && name != "_from"
}

/// A call of the message.
struct Call {
    name: Option<String>,
    arguments: Option<String>,
    error: Option<&'static str>,
    /// The element of `tool_calls` that it is.
    native: Option<usize>,
    id: String,
}

impl Call {
    fn is_invalid(&self) -> bool {
        self.name.is_none() || self.arguments.is_none()
    }
}

/// The input of the extraction of a message's text, as TRN-022 says.
pub(super) fn reading(input: &Object, native: bool) -> Object {
    let mut asked = Object::new();
    let plan = &input["plan"];
    let effective = if plan["parse_text_calls"] == true { plan["effective"].clone() } else { json!([]) };
    asked.insert("effective".into(), effective);
    asked.insert("native_calls".into(), native.into());
    asked.extend(known_tools(input).map(|tools| ("tools".to_owned(), tools.into())));
    for name in ["dialects", "format", "fences", "reasoning", "guided", "limits"] {
        if let Some(value) = input.get(name) {
            asked.insert(name.to_owned(), value.clone());
        }
    }
    asked
}

/// The tools that a text and native calls are read with: those that were sent where nobody gave any.
fn known_tools(input: &Object) -> Option<Vec<Value>> {
    if let Some(tools) = input.get("tools") {
        return Some(elements(Some(tools)).to_vec());
    }
    let sent = input.get("request")?.as_object()?.get("tools");
    let known = elements(sent).iter().filter_map(|tool| {
        let name = runtime_name(input, tool.get("function")?.get("name")?.as_str()?);
        let mut tool = tool.clone();
        tool["function"]["name"] = name.into();
        Some(tool)
    });
    Some(known.collect())
}

/// The name that the runtime knows.
fn runtime_name(input: &Object, name: &str) -> String {
    let alias = input.get("aliases").and_then(|aliases| aliases.as_object()?.get(name)?.as_str());
    alias.unwrap_or(name).to_owned()
}

struct Receiver<'a> {
    input: &'a Object,
    message: &'a Object,
    flags: &'a Flags,
}

impl Receiver<'_> {
    fn plan(&self, name: &str) -> bool {
        self.input["plan"][name] == true
    }

    fn effective(&self) -> &[Value] {
        elements(self.input["plan"].get("effective"))
    }

    fn native_calls(&self) -> &[Value] {
        elements(self.message.get("tool_calls"))
    }

    fn truncated(&self) -> bool {
        self.message.get("truncated") == Some(&json!(true))
    }

    /// Why a call of the text could not be read.
    fn unread(&self) -> &'static str {
        if self.truncated() { CUT_OFF } else { UNREADABLE }
    }

    fn receive(&self, environment: Environment) -> Outcome {
        let mut findings = Vec::new();
        let native = !self.native_calls().is_empty() && self.plan("parse_native_calls");
        let text = self.text();
        let extraction = match &text {
            None => None,
            Some(text) => {
                let mut asked = reading(self.input, native);
                asked.insert("text".into(), text.as_str().into());
                Some(extracted(&asked, Environment::default())?)
            }
        };
        let hidden = self.hidden(text.as_deref()).map(|(name, text)| Ok((name, self.read_hidden(text)?))).transpose()?;
        let (member, read) = match &hidden {
            Some((name, read)) => (*name, Some(read)),
            None => ("text", extraction.as_ref()),
        };
        let mut calls = if native { self.judged(&mut findings) } else { self.text_calls(read) };
        self.decode(&mut calls, &mut findings);
        self.give_ids(&mut calls, environment)?;
        self.find(native, member, read, &mut findings);
        let empty = Value::Null;
        let shown = extraction.as_ref().unwrap_or(&empty);
        let mut result = json!({"content": shown["content"], "reasoning": shown["reasoning"]});
        self.sort(&calls, &mut result)?;
        result["removed"] = read.and_then(|read| read.get("removed")).cloned().unwrap_or_else(|| 0.into());
        self.carry(&mut result);
        result["findings"] = listed(findings);
        Ok(result)
    }

    /// The text of the message, or of its parts (TRN-036).
    fn text(&self) -> Option<String> {
        match self.message.get("text") {
            Some(Value::String(text)) => Some(text.clone()),
            Some(Value::Array(parts)) => {
                let texts: Vec<&str> = parts.iter().filter_map(text_of_part).collect();
                (!texts.is_empty()).then(|| texts.join("\n"))
            }
            _ => None,
        }
    }

    /// The hidden text of the message, and its member.
    fn hidden(&self, text: Option<&str>) -> Option<(&'static str, &str)> {
        let silent = text.is_none_or(is_blank) && self.native_calls().is_empty() && self.refusal().is_none();
        let words = |name: &'static str| Some((name, self.message.get(name)?.as_str().filter(|text| !is_blank(text))?));
        REASONING.into_iter().filter(|_| silent).find_map(words)
    }

    /// Reads a hidden text: nothing in it is content, and calls run where they end it.
    fn read_hidden(&self, text: &str) -> Outcome {
        let mut asked = reading(self.input, false);
        asked.insert("reasoning".into(), "open".into());
        asked.insert("text".into(), text.into());
        extracted(&asked, Environment::default())
    }

    /// The calls in their own field.
    fn judged(&self, findings: &mut Vec<Finding>) -> Vec<Call> {
        if self.effective().is_empty() {
            return Vec::new();
        }
        let tools = known_tools(self.input).unwrap_or_default();
        let mut demands = HashMap::new();
        for tool in tools.iter().rev() {
            demands.insert(&tool["function"]["name"], Demands::of(tool));
        }
        let effective: HashSet<&str> = self.effective().iter().filter_map(Value::as_str).collect();
        let none = Demands::default();
        let mut calls = Vec::new();
        for (at, call) in self.native_calls().iter().enumerate() {
            let name = call.get("function").and_then(|each| each.get("name")).and_then(Value::as_str);
            let meant = name.map(|name| self.meant_name(name, &effective));
            let wanted = meant.and_then(|name| demands.get(&Value::from(self.runtime_name(name))));
            let checked = judge(call, self.truncated(), wanted.unwrap_or(&none));
            findings.extend(checked.findings_at(&steps!["message", "tool_calls", at]));
            let arguments = checked.arguments_json().map(str::to_owned);
            let error = checked.findings.iter().any(|each| each.code == "arguments_truncated").then_some(CUT_OFF);
            let called = checked.name.as_deref().and(meant);
            if called != checked.name.as_deref() {
                findings.push(Finding::new("name_repaired", steps!["message", "tool_calls", at, "function", "name"]));
            }
            calls.push(Call { name: called.map(str::to_owned), arguments, error, native: Some(at), id: String::new() });
        }
        calls
    }

    fn runtime_name(&self, name: &str) -> String {
        runtime_name(self.input, name)
    }

    /// The name of an effective tool that the name of a native call leads to, or the name itself.
    fn meant_name<'a>(&self, name: &'a str, effective: &HashSet<&str>) -> &'a str {
        let cut = name.split("<|").next().and_then(|rest| rest.split('"').next()).unwrap_or(name);
        let visible = cut.trim();
        let bare = ["functions", "tools"].iter().find_map(|word| visible.strip_prefix(word)?.strip_prefix(['.', '/', ':']));
        let leads = |each: &&str| effective.contains(self.runtime_name(each).as_str());
        [name, cut, visible, bare.unwrap_or(visible)].into_iter().find(leads).unwrap_or(name)
    }

    /// Decodes the encoded arguments of the calls (TRN-038).
    fn decode(&self, calls: &mut [Call], findings: &mut Vec<Finding>) {
        if calls.is_empty() {
            return;
        }
        let tools = Tools::new(known_tools(self.input).unwrap_or_default());
        for call in calls {
            let (Some(name), Some(arguments)) = (&call.name, &call.arguments) else { continue };
            let Some(decoded) = tools.decoded(&self.runtime_name(name), arguments) else { continue };
            call.arguments = Some(decoded);
            if let Some(at) = call.native {
                findings.push(Finding::new("arguments_decoded", steps!["message", "tool_calls", at, "function", "arguments"]));
            }
        }
    }

    /// The calls in the text, the unreadable ones among them.
    fn text_calls(&self, extraction: Option<&Value>) -> Vec<Call> {
        let Some(extraction) = extraction else { return Vec::new() };
        let heard = self.heard();
        let segments = extraction["segments"].as_array().into_iter().flatten();
        let mut echoed = Vec::new();
        for segment in segments {
            let count = segment["calls"].as_u64().unwrap_or(0);
            let echoes = count > 0 && !heard.is_empty() && is_echo(segment["text"].as_str().unwrap_or_default(), &heard);
            echoed.extend((0..count).map(|_| echoes));
        }
        let mut unreadable = extraction["unreadable"].as_array().into_iter().flatten().peekable();
        let cut = self.truncated() && self.plan("parse_native_calls");
        let mut calls = Vec::new();
        let found = elements(extraction.get("tool_calls"));
        for at in 0..=found.len() {
            while let Some(each) = unreadable.next_if(|each| each["before"] == at) {
                let error = match each["error_type"].as_str() {
                    Some("tool_payload_too_large") => "tool_payload_too_large",
                    _ => self.unread(),
                };
                let name = each["name"].as_str().map(str::to_owned);
                calls.push(Call { name, arguments: None, error: Some(error), native: None, id: String::new() });
            }
            let Some(call) = found.get(at) else { break };
            let error = match (echoed.get(at), cut) {
                (Some(true), _) => Some("tool_echoed"),
                (_, true) => Some(CUT_OFF),
                _ => None,
            };
            let arguments = call["arguments_json"].as_str().filter(|_| error.is_none()).map(str::to_owned);
            let name = call["name"].as_str().map(str::to_owned);
            calls.push(Call { name, arguments, error, native: None, id: String::new() });
        }
        calls
    }

    /// The bare forms of the heard texts.
    fn heard(&self) -> Vec<String> {
        let messages = self.input.get("request").and_then(|request| request.as_object()?.get("messages")?.as_array());
        let heard = messages.into_iter().flatten().filter_map(|message| {
            let message = message.as_object()?;
            let role = message.get("role")?.as_str()?;
            matches!(role, "user" | "tool" | "function").then_some(message.get("content")?)
        });
        heard
            .map(|content| {
                let mut text = String::new();
                collect_strings(content, &mut text);
                bare_form(&text)
            })
            .collect()
    }

    fn give_ids(&self, calls: &mut [Call], environment: Environment) -> Result<(), Failure> {
        let mut usable: HashSet<String> = HashSet::new();
        let own: Vec<Option<String>> = self
            .native_calls()
            .iter()
            .map(|call| {
                let id = call.as_object()?.get("id")?.as_str()?;
                (!is_blank(id) && usable.insert(id.to_owned())).then(|| id.to_owned())
            })
            .collect();
        let mut given = environment.ids.map(Vec::into_iter);
        for call in calls {
            if let Some(id) = call.native.and_then(|at| own.get(at).cloned().flatten()) {
                call.id = id;
                continue;
            }
            call.id = loop {
                let id = match &mut given {
                    Some(ids) => ids.next().ok_or_else(|| Failure::of("env_exhausted"))?,
                    None => random_id(),
                };
                if !is_blank(&id) && usable.insert(id.clone()) {
                    break id;
                }
            };
        }
        Ok(())
    }

    /// The findings that concern no single call.
    fn find(&self, native: bool, member: &str, extraction: Option<&Value>, findings: &mut Vec<Finding>) {
        let calls = self.native_calls();
        let solicited = self.plan("parse_native_calls") && !self.effective().is_empty();
        if !calls.is_empty() && !solicited {
            findings.push(Finding::new("native_calls_unsolicited", steps!["message", "tool_calls"]));
        }
        if native && solicited {
            let mut seen = HashSet::new();
            for (at, call) in calls.iter().enumerate().filter(|(_, call)| call.is_object()) {
                let id = call.get("id").and_then(Value::as_str).unwrap_or_default();
                if is_blank(id) || !seen.insert(id) {
                    findings.push(Finding::new("id_replaced", steps!["message", "tool_calls", at, "id"]));
                }
            }
        }
        let codes = extraction.and_then(|each| each["segments"].as_array()).into_iter().flatten();
        let mut codes = codes.flat_map(|segment| segment["codes"].as_array().into_iter().flatten());
        if codes.any(|code| code != "name_not_sendable" && code != "unclosed") {
            findings.push(Finding::new("text_call_rejected", steps!["message", member]));
        }
        for (at, part) in self.message.get("text").and_then(Value::as_array).into_iter().flatten().enumerate() {
            if text_of_part(part).is_none() && refusal_in(part).is_none() {
                findings.push(Finding::new("part_unknown", steps!["message", "text", at]));
            }
        }
        if self.message.get("function_call").is_some_and(|each| !each.is_null()) {
            findings.push(Finding::new("function_call_removed", steps!["message", "function_call"]));
        }
        self.find_deep(native && solicited, findings);
    }

    /// Opaque values that nest too deep.
    fn find_deep(&self, with_calls: bool, findings: &mut Vec<Finding>) {
        let mut report = |value: &Value, path: Path| {
            if is_deeper(value, DEEPEST_OPAQUE) {
                findings.push(Finding::new("opaque_removed", path));
            }
        };
        for (name, value) in self.message.iter().filter(|(name, _)| is_opaque_member(name, self.flags)) {
            report(value, steps!["message", name.as_str()]);
        }
        for (at, call) in self.native_calls().iter().enumerate().filter(|_| with_calls) {
            let place = steps!["message", "tool_calls", at];
            for (name, value) in call.as_object().into_iter().flatten().filter(|(name, _)| self.flags.is_opaque(name)) {
                report(value, below(&place, name.as_str()));
            }
            let function = call.get("function").and_then(Value::as_object);
            for (name, value) in function.into_iter().flatten().filter(|(name, _)| self.flags.is_opaque(name)) {
                report(value, below(&below(&place, "function"), name.as_str()));
            }
        }
    }

    /// Says what is run, what is answered, what is stored, and what is observed.
    fn sort(&self, calls: &[Call], result: &mut Value) -> Result<(), Failure> {
        let entries: Vec<Value> = calls
            .iter()
            .map(|call| {
                let name = call.name.as_deref().map(|name| self.runtime_name(name));
                let mut entry = json!({"name": name, "arguments_json": call.arguments, "tool_call_id": call.id});
                if let Some(error) = call.error {
                    entry["error_type"] = error.into();
                }
                entry
            })
            .collect();
        let mut asked = Object::new();
        asked.insert("request_id".into(), self.input["request_id"].clone());
        let effective = if calls_none(self.input.get("request")) { &[] } else { self.effective() };
        asked.insert("effective".into(), effective.into());
        asked.insert("calls".into(), entries.clone().into());
        if let Some(key) = self.input.get("key") {
            asked.insert("key".into(), key.clone());
        }
        let record = recorded(&asked, Environment::default())?;
        let events = elements(record.get("events"));
        let (mut dispatch, mut answers, mut planned, mut stored) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let skip = self.input.get("disposition") == Some(&json!("skip"));
        let open = Flags::of(None);
        for (seq, ((call, entry), events)) in calls.iter().zip(&entries).zip(events.chunks(2)).enumerate() {
            planned.push(events[0].clone());
            match events.get(1).and_then(|event| event.get("error_type")) {
                Some(error) => answers.push(json!({"seq": seq, "id": call.id, "error_type": error})),
                None => dispatch.push(json!({
                    "seq": seq, "id": call.id, "name": entry["name"], "arguments_json": entry["arguments_json"],
                })),
            }
            if skip && call.is_invalid() {
                continue;
            }
            let name = call.name.as_deref().map_or_else(|| "invalid_tool_call".to_owned(), |name| sent_name(name, &open));
            let arguments = call.arguments.as_deref().filter(|_| !call.is_invalid()).unwrap_or("{}");
            let mut element = json!({"seq": seq, "id": call.id, "name": name, "arguments_json": arguments});
            if let Some(opaque) = call.native.and_then(|at| self.opaque_of_call(&self.native_calls()[at])) {
                element["opaque"] = opaque.into();
            }
            stored.push(element);
        }
        let unread =
            |answer: &&Value| matches!(answer["error_type"].as_str(), Some("tool_payload_too_large" | UNREADABLE | CUT_OFF));
        result["unreadable"] = answers.iter().filter(unread).count().into();
        result["calls"] = stored.into();
        result["dispatch"] = dispatch.into();
        result["answers"] = answers.into();
        result["planned"] = planned.into();
        Ok(())
    }

    fn opaque_of_call(&self, call: &Value) -> Option<Object> {
        let of = |object: Option<&Object>| -> Object {
            let kept = |(name, value): &(&String, &Value)| self.flags.is_opaque(name) && !is_deeper(value, DEEPEST_OPAQUE);
            object.into_iter().flatten().filter(kept).map(|(name, value)| (name.clone(), value.clone())).collect()
        };
        let mut opaque = Object::new();
        let parts = [("call", of(call.as_object())), ("function", of(call.get("function").and_then(Value::as_object)))];
        for (name, members) in parts {
            if !members.is_empty() {
                opaque.insert(name.into(), members.into());
            }
        }
        (!opaque.is_empty()).then_some(opaque)
    }

    /// What is carried through the turn (TRN-035).
    fn carry(&self, result: &mut Value) {
        if self.truncated() {
            result["truncated"] = true.into();
        }
        if let Some(refusal) = self.refusal() {
            result["refusal"] = refusal.into();
        }
        if let Some(origin) = &self.flags.origin {
            result["origin"] = origin.clone();
        }
        let kept = |value: &Value| !is_deeper(value, DEEPEST_OPAQUE);
        let members: Object = self
            .message
            .iter()
            .filter(|(name, value)| is_opaque_member(name, self.flags) && kept(value))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        if !members.is_empty() {
            result["opaque"] = json!({"members": members});
        }
    }

    fn refusal(&self) -> Option<String> {
        let own = self.message.get("refusal").and_then(Value::as_str);
        let parts = self.message.get("text").and_then(Value::as_array).into_iter().flatten();
        let parts = parts.filter_map(refusal_in);
        let mut found: Vec<&str> = Vec::new();
        for each in own.into_iter().chain(parts) {
            if !each.is_empty() && !found.contains(&each) {
                found.push(each);
            }
        }
        (!found.is_empty()).then(|| found.join("\n"))
    }
}

const UNREADABLE: &str = "tool_payload_parse_error";

const CUT_OFF: &str = "tool_payload_truncated";

/// All strings in a content that are values, without those of members with the name `type`.
fn collect_strings(value: &Value, text: &mut String) {
    match value {
        Value::String(each) => text.push_str(each),
        Value::Array(items) => items.iter().for_each(|each| collect_strings(each, text)),
        Value::Object(members) => {
            members.iter().filter(|(name, _)| *name != "type").for_each(|(_, each)| collect_strings(each, text));
        }
        _ => {}
    }
}

/// What is left of a text without escapes and blanks.
fn bare_form(text: &str) -> String {
    let mut units: Vec<u16> = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\\u") {
        units.extend(rest[..at].encode_utf16());
        let digits = rest.get(at + 2..at + 6).filter(|digits| digits.bytes().all(|each| each.is_ascii_hexdigit()));
        match digits.and_then(|digits| u16::from_str_radix(digits, 16).ok()) {
            Some(unit) => {
                units.push(unit);
                rest = &rest[at + 6..];
            }
            None => {
                units.extend("\\u".encode_utf16());
                rest = &rest[at + 2..];
            }
        }
    }
    units.extend(rest.encode_utf16());
    // On code units: two halves of a pair can stand behind a backslash each.
    let mut left = Vec::with_capacity(units.len());
    let mut units = units.into_iter().peekable();
    let is = |unit: u16, listed: &str| char::from_u32(u32::from(unit)).is_some_and(|each| listed.contains(each));
    while let Some(unit) = units.next() {
        if is(unit, "\\") {
            units.next_if(|next| is(*next, "bfnrt"));
        } else if unit != 8 && !char::from_u32(u32::from(unit)).is_some_and(char::is_whitespace) {
            left.push(unit);
        }
    }
    String::from_utf16_lossy(&left)
}

fn is_echo(segment: &str, heard: &[String]) -> bool {
    let bare = bare_form(segment);
    heard.iter().any(|text| text.contains(&bare))
}
