//! A reply of Chat Completions, whole or in chunks, written for an interface.

use serde_json::{Value, json};

use super::flat::{join, told};
use super::made::text_in;
use super::read::units_of;
use super::table::{Table, as_text, has_type, present};
use super::tools::{Owns, owns_of};
use crate::shared::findings::{Finding, Path, listed, steps};
use crate::shared::json::{double, elements, equal, parse_object};
use crate::shared::outcome::Object;
use crate::shared::text::is_blank;

pub(super) fn write_reply(input: &Object) -> Value {
    let mut writer = Writer::new(input);
    writer.take(&steps!["reply"], input.get("reply").unwrap_or(&Value::Null));
    writer.end(false);
    json!({"reply": writer.reply(), "findings": listed(writer.findings)})
}

pub(super) fn write_events(input: &Object) -> Value {
    let mut writer = Writer::new(input);
    for (at, chunk) in elements(input.get("chunks")).iter().enumerate() {
        writer.take(&steps!["chunks", at], chunk);
    }
    writer.end(true);
    json!({"events": writer.events, "findings": listed(writer.findings)})
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Reasoning,
    Text,
    Refusal,
}

/// A call whose pieces come.
struct Call {
    key: Value,
    path: Path,
    id: String,
    name: String,
    arguments: String,
}

impl Call {
    /// Whether a piece with a name is of another call.
    fn is_ended_by(&self, id: &str, arguments: &str) -> bool {
        if !id.is_empty() && !self.id.is_empty() && id != self.id {
            return true;
        }
        !is_blank(arguments) && arguments != self.arguments && parse_object(&self.arguments).is_some()
    }
}

struct Writer {
    table: Table,
    owns: Owns,
    events: Vec<Value>,
    /// The blocks that are done.
    done: Vec<Value>,
    open: Option<(Kind, String)>,
    calls: Vec<Call>,
    wrote_call: bool,
    wrote_refusal: bool,
    /// The id, the model and the time of the reply, from its first written choice on.
    head: Option<(String, String, Value)>,
    /// Why the reply ended, as Chat Completions has it.
    reason: Option<&'static str>,
    /// The stop sequence that matched.
    stop: Option<String>,
    usage: Value,
    error: Option<Value>,
    findings: Vec<Finding>,
}

impl Writer {
    fn new(input: &Object) -> Self {
        let table = Table::of(input);
        let carried = input.get("carried").and_then(Value::as_object);
        let owns = carried.filter(|_| !table.is_flat()).map(|carried| owns_of(table, carried, &units_of(table, carried, carried)));
        Self {
            table,
            owns: owns.unwrap_or_default(),
            events: Vec::new(),
            done: Vec::new(),
            open: None,
            calls: Vec::new(),
            wrote_call: false,
            wrote_refusal: false,
            head: None,
            reason: None,
            stop: None,
            usage: Value::Null,
            error: None,
            findings: Vec::new(),
        }
    }

    fn not_written(&mut self, path: Path) {
        self.findings.push(Finding::new("not_written", path));
    }

    /// Takes a chunk, or a reply.
    fn take(&mut self, place: &Path, chunk: &Value) {
        if chunk == "[DONE]" {
            self.reason = self.reason.or(Some("stop"));
        }
        if self.error.is_some() || !chunk.is_object() {
            return;
        }
        let error =
            present(chunk, "error").filter(|error| error.is_object() || error.as_str().is_some_and(|each| !each.is_empty()));
        if let Some(error) = error {
            self.error = Some(error.clone());
            return;
        }
        for (at, choice) in elements(chunk.get("choices")).iter().enumerate() {
            let place = joined(place, steps!["choices", at]);
            let index = present(choice, "index").cloned().unwrap_or_else(|| at.into());
            if choice.is_object() && index.as_f64() == Some(0.0) {
                self.begin(chunk);
                self.used(choice);
                self.choice(&place, choice);
            } else {
                self.not_written(place);
            }
        }
        self.used(chunk);
    }

    /// Takes the usage that a chunk or a choice tells.
    fn used(&mut self, told: &Value) {
        if let Some(usage) = told.get("usage").filter(|usage| usage.is_object()) {
            self.usage = usage.clone();
        }
    }

    fn begin(&mut self, chunk: &Value) {
        if self.head.is_some() {
            return;
        }
        let text = |name: &str, other: &str| chunk[name].as_str().filter(|text| !text.is_empty()).unwrap_or(other).to_owned();
        let created = chunk.get("created").filter(|each| each.is_number()).cloned().unwrap_or_else(|| 0.into());
        self.head = Some((text("id", "reply"), text("model", ""), created));
        self.begin_events();
    }

    fn begin_events(&mut self) {
        if self.table.is_flat() {
            return;
        }
        if self.table.has_items() {
            let response = self.response("in_progress", &[], &Value::Null);
            self.event(json!({"type": "response.created", "response": response}));
            self.event(json!({"type": "response.in_progress", "response": response}));
        } else {
            let message = self.message(&[], &Value::Null, &tokens(self.table, &Value::Null));
            self.event(json!({"type": "message_start", "message": message}));
        }
    }

    /// The events of Responses are numbered.
    fn event(&mut self, mut event: Value) {
        if self.table.has_items() {
            event["sequence_number"] = self.events.len().into();
        }
        self.events.push(event);
    }

    fn choice(&mut self, place: &Path, choice: &Value) {
        if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str).filter(|reason| !is_blank(reason)) {
            let end = end_of(reason);
            if end.is_none() {
                self.not_written(joined(place, steps!["finish_reason"]));
            }
            self.reason = Some(end.unwrap_or("stop"));
        }
        let stop = ["stop_reason", "matched_stop"].into_iter().filter_map(|name| choice.get(name)?.as_str());
        self.stop = stop.map(ToOwned::to_owned).find(|stop| !stop.is_empty()).or(self.stop.take());
        let name = if choice.get("delta").is_some_and(Value::is_object) { "delta" } else { "message" };
        let Some(said) = choice.get(name).and_then(Value::as_object) else { return };
        let place = joined(place, steps![name]);
        let text = |name: &str| said.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        if let Some(reasoning) = text("reasoning_content").or(text("reasoning")) {
            self.piece(Kind::Reasoning, reasoning);
        }
        match said.get("content") {
            Some(Value::Array(parts)) => {
                for (at, part) in parts.iter().enumerate() {
                    self.part(&joined(&place, steps!["content", at]), part);
                }
            }
            _ => text("content").into_iter().for_each(|text| self.piece(Kind::Text, text)),
        }
        if let Some(refusal) = text("refusal") {
            self.piece(Kind::Refusal, refusal);
        }
        for (at, call) in elements(said.get("tool_calls")).iter().enumerate() {
            self.call(joined(&place, steps!["tool_calls", at]), at, call);
        }
        for (name, value) in said {
            let is_piece = match name.as_str() {
                "role" => true,
                "reasoning_content" | "reasoning" | "refusal" => value.is_string(),
                "content" => value.is_string() || value.is_array(),
                "tool_calls" => value.is_array(),
                _ => false,
            };
            let is_empty = match value {
                Value::Null => true,
                Value::String(text) => text.is_empty(),
                Value::Array(items) => items.is_empty(),
                Value::Object(members) => members.is_empty(),
                _ => false,
            };
            if !is_piece && !is_empty {
                self.not_written(joined(&place, steps![name.as_str()]));
            }
        }
    }

    fn part(&mut self, place: &Path, part: &Value) {
        let text = |name: &str| part.get(name).and_then(Value::as_str).filter(|_| has_type(part, name));
        if let Some(text) = part.as_str().or_else(|| text("text")) {
            self.piece(Kind::Text, text);
        } else if let Some(refusal) = text("refusal") {
            self.piece(Kind::Refusal, refusal);
        } else {
            self.not_written(place.clone());
        }
    }

    fn call(&mut self, path: Path, at: usize, given: &Value) {
        if !given.is_object() {
            self.not_written(path);
            return;
        }
        let key = present(given, "index").cloned().unwrap_or_else(|| at.into());
        let function = &given["function"];
        let (id, name) = (given["id"].as_str().unwrap_or_default(), function["name"].as_str().unwrap_or_default());
        let arguments = present(function, "arguments").map(as_text).unwrap_or_default();
        let last = self.calls.iter().rposition(|call| equal(&call.key, &key) && !id.is_empty() && call.id == id);
        let last = last.or_else(|| self.calls.iter().rposition(|call| equal(&call.key, &key)));
        // Only a name begins a further call: servers send pieces of one under other ids.
        let last = last.filter(|&at| name.is_empty() || !self.calls[at].is_ended_by(id, &arguments));
        let number = last.unwrap_or_else(|| {
            self.calls.push(Call { key, path, id: String::new(), name: String::new(), arguments: String::new() });
            self.calls.len() - 1
        });
        let call = &mut self.calls[number];
        for (own, given) in [(&mut call.id, id), (&mut call.name, name)] {
            if own.is_empty() {
                given.clone_into(own);
            }
        }
        if arguments != call.arguments || parse_object(&arguments).is_none() {
            call.arguments.push_str(&arguments);
        }
    }

    fn piece(&mut self, kind: Kind, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.table.is_flat() {
            let name = if kind == Kind::Reasoning { "thinking" } else { "content" };
            self.said(json!({name: text}));
            return;
        }
        if self.open.as_ref().is_none_or(|(open, _)| *open != kind) {
            self.close(false);
            self.open = Some((kind, String::new()));
            self.wrote_refusal |= kind == Kind::Refusal;
            self.open_events(kind);
        }
        if let Some((_, open)) = &mut self.open {
            open.push_str(text);
        }
        let number = self.done.len();
        if self.table.has_items() {
            let mut event = self.inner(kind, &format!("response.{}.delta", part_name(kind)));
            event["delta"] = text.into();
            self.event(event);
        } else {
            let delta = if kind == Kind::Reasoning {
                json!({"type": "thinking_delta", "thinking": text})
            } else {
                json!({"type": "text_delta", "text": text})
            };
            self.event(json!({"type": "content_block_delta", "index": number, "delta": delta}));
        }
    }

    /// An event inside of an item of Responses.
    fn inner(&self, kind: Kind, name: &str) -> Value {
        let mut event =
            json!({"type": name, "output_index": self.done.len(), "item_id": self.item_id(prefix(kind)), "content_index": 0});
        if kind == Kind::Text && name.starts_with("response.output_text") {
            event["logprobs"] = json!([]);
        }
        event
    }

    fn item_id(&self, prefix: &str) -> String {
        let id = self.head.as_ref().map_or("reply", |(id, ..)| id.as_str());
        format!("{prefix}_{id}_{}", self.done.len())
    }

    fn open_events(&mut self, kind: Kind) {
        if self.table.has_items() {
            let mut item = self.item(kind, "", "in_progress");
            item["content"] = json!([]);
            self.event(json!({"type": "response.output_item.added", "output_index": self.done.len(), "item": item}));
            let mut event = self.inner(kind, "response.content_part.added");
            event["part"] = part(kind, "");
            self.event(event);
        } else {
            self.event(json!({"type": "content_block_start", "index": self.done.len(), "content_block": block(kind, "")}));
        }
    }

    /// Ends the open block; `last` where the reply ends with it.
    fn close(&mut self, last: bool) {
        let Some((kind, text)) = self.open.take() else { return };
        if !self.table.has_items() {
            self.event(json!({"type": "content_block_stop", "index": self.done.len()}));
            self.done.push(block(kind, &text));
            return;
        }
        let mut event = self.inner(kind, &format!("response.{}.done", part_name(kind)));
        event[if kind == Kind::Refusal { "refusal" } else { "text" }] = text.as_str().into();
        self.event(event);
        let mut event = self.inner(kind, "response.content_part.done");
        event["part"] = part(kind, &text);
        self.event(event);
        let item = self.item(kind, &text, self.status_of_item(last));
        self.item_done(item);
    }

    fn item_done(&mut self, item: Value) {
        self.event(json!({"type": "response.output_item.done", "output_index": self.done.len(), "item": item}));
        self.done.push(item);
    }

    fn status_of_item(&self, last: bool) -> &'static str {
        if last && self.incomplete().is_some() { "incomplete" } else { "completed" }
    }

    fn item(&self, kind: Kind, text: &str, status: &str) -> Value {
        let id = self.item_id(prefix(kind));
        let content = [part(kind, text)];
        if kind == Kind::Reasoning {
            return json!({"type": "reasoning", "id": id, "summary": [], "content": content, "status": status});
        }
        json!({"type": "message", "id": id, "role": "assistant", "content": content, "status": status})
    }

    /// The reply has ended. Chunks without a reason broke off.
    fn end(&mut self, in_chunks: bool) {
        let has_reason = !in_chunks || self.reason.is_some();
        if self.error.is_none() && (self.head.is_none() || !has_reason || self.reason == Some("error")) {
            self.error = Some(Value::Null);
        }
        if self.head.is_none() {
            self.begin(&Value::Null);
        }
        if self.error.is_some() {
            let failed = self.failed();
            self.event(failed);
            return;
        }
        let calls: Vec<Call> = std::mem::take(&mut self.calls);
        let (written, lost): (Vec<Call>, Vec<Call>) = calls.into_iter().partition(|call| self.has_block(call));
        for call in lost {
            self.not_written(call.path);
        }
        self.close(written.is_empty());
        let count = written.len();
        for (at, call) in written.into_iter().enumerate() {
            self.put_call(call, at + 1 == count);
        }
        if self.table.is_flat() {
            let mut event = self.line(&Value::Null);
            self.end_line(&mut event);
            self.event(event);
        } else if self.table.has_items() {
            let (kind, status) = match self.incomplete() {
                Some(_) => ("response.incomplete", "incomplete"),
                None => ("response.completed", "completed"),
            };
            let usage = tokens(self.table, &self.usage);
            let response = self.response(status, &self.done, &usage);
            self.event(json!({"type": kind, "response": response}));
        } else {
            let why = self.stop_reason();
            let delta = json!({"stop_reason": why, "stop_sequence": self.stop.as_ref().filter(|_| why == STOPPED)});
            let usage = tokens(self.table, &self.usage);
            self.event(json!({"type": "message_delta", "delta": delta, "usage": usage}));
            self.event(json!({"type": "message_stop"}));
        }
    }

    fn has_block(&self, call: &Call) -> bool {
        !call.name.is_empty() && (self.table.has_items() || input_of(&call.arguments).is_some())
    }

    fn put_call(&mut self, call: Call, last: bool) {
        if self.table.is_flat() {
            let mut given = json!({"function": {"name": call.name, "arguments": input_of(&call.arguments)}});
            if !call.id.is_empty() {
                given["id"] = call.id.into();
            }
            self.said(json!({"tool_calls": [given]}));
            return;
        }
        let number = self.done.len();
        self.wrote_call = true;
        let id = if call.id.is_empty() { self.item_id("call") } else { call.id };
        if self.table.has_items() {
            let mut own = json!({"type": "function_call", "name": call.name});
            own.as_object_mut().into_iter().for_each(|own| own.extend(self.owns.get(&call.name).cloned().unwrap_or_default()));
            let is_text = self.table.is_text_call(&own);
            let (prefix, member) = if is_text { ("ctc", "input") } else { ("fc", "arguments") };
            let given = if is_text { text_in(&call.arguments) } else { call.arguments };
            own["id"] = self.item_id(prefix).into();
            own["call_id"] = id.into();
            let item = |given: &str, status: &str| {
                let mut item = own.clone();
                item[member] = given.into();
                item["status"] = status.into();
                item
            };
            let added = item("", "in_progress");
            self.event(json!({"type": "response.output_item.added", "output_index": number, "item": added}));
            let kind = format!("response.{}_{member}", own["type"].as_str().unwrap_or_default());
            let place = json!({"output_index": number, "item_id": own["id"]});
            let mut delta = place.clone();
            delta["type"] = format!("{kind}.delta").into();
            delta["delta"] = given.as_str().into();
            self.event(delta);
            let mut done = place;
            done["type"] = format!("{kind}.done").into();
            done[member] = given.as_str().into();
            if !is_text {
                done["name"] = own["name"].clone();
            }
            self.event(done);
            let done = item(&given, self.status_of_item(last));
            self.item_done(done);
            return;
        }
        let can_stand = |character: char| character.is_ascii_alphanumeric() || character == '_' || character == '-';
        let id = if id.chars().all(can_stand) { id } else { self.item_id("call").replace(|own| !can_stand(own), "_") };
        let block = |input: Value| json!({"type": "tool_use", "id": id, "name": call.name, "input": input});
        self.event(json!({"type": "content_block_start", "index": number, "content_block": block(json!({}))}));
        if !is_blank(&call.arguments) {
            let delta = json!({"type": "input_json_delta", "partial_json": call.arguments});
            self.event(json!({"type": "content_block_delta", "index": number, "delta": delta}));
        }
        self.event(json!({"type": "content_block_stop", "index": number}));
        self.done.push(block(input_of(&call.arguments).unwrap_or_default()));
    }

    /// Says something to a client of Ollama.
    fn said(&mut self, said: Value) {
        let line = self.line(&said);
        self.event(line);
        self.done.push(said);
    }

    /// A line of Ollama that says something.
    fn line(&self, said: &Value) -> Value {
        let mut message = told(&json!({"role": "assistant", "content": ""}));
        message.extend(told(said));
        let (model, created) = self.head.as_ref().map_or(("", &Value::Null), |(_, model, created)| (model, created));
        json!({"model": model, "created_at": time(created), "message": message, "done": false})
    }

    /// Ends a line, and the reply.
    fn end_line(&self, line: &mut Value) {
        line["done"] = true.into();
        line["done_reason"] = self.reason.unwrap_or("stop").into();
        for (name, count) in told(&tokens(self.table, &self.usage)) {
            line[name] = count;
        }
    }

    fn stop_reason(&self) -> &'static str {
        match self.reason {
            Some("length") => "max_tokens",
            Some("content_filter") => "refusal",
            _ if self.wrote_call => "tool_use",
            _ if self.wrote_refusal => "refusal",
            _ if self.stop.is_some() => STOPPED,
            _ => "end_turn",
        }
    }

    /// Why a response is incomplete, if it is.
    fn incomplete(&self) -> Option<&'static str> {
        match self.reason {
            Some("length") => Some("max_output_tokens"),
            Some("content_filter") => Some("content_filter"),
            _ => None,
        }
    }

    fn message(&self, content: &[Value], stop_reason: &Value, usage: &Value) -> Value {
        let (id, model) = self.head.as_ref().map_or(("reply", ""), |(id, model, _)| (id, model));
        json!({
            "id": id, "type": "message", "role": "assistant", "model": model, "content": content, "stop_reason": stop_reason,
            "stop_sequence": self.stop.as_ref().filter(|_| stop_reason == STOPPED), "usage": usage,
        })
    }

    fn response(&self, status: &str, output: &[Value], usage: &Value) -> Value {
        let zero = Value::from(0);
        let (id, model, created) = self.head.as_ref().map_or(("reply", "", &zero), |(id, model, created)| (id, model, created));
        let details = self.incomplete().filter(|_| status == "incomplete").map(|reason| json!({"reason": reason}));
        json!({
            "id": id, "object": "response", "created_at": created, "status": status, "error": null, "incomplete_details": details,
            "model": model, "output": output, "parallel_tool_calls": true, "tool_choice": "auto", "tools": [], "usage": usage,
        })
    }

    /// The event of a reply that fails.
    fn failed(&self) -> Value {
        let error = self.error.as_ref().unwrap_or(&Value::Null);
        let message = error["message"].as_str().or(error.as_str()).unwrap_or("the reply broke off");
        if self.table.is_flat() {
            return json!({"error": message});
        }
        if !self.table.has_items() {
            return json!({"type": "error", "error": {"type": "api_error", "message": message}});
        }
        let code = error["code"].as_str().filter(|code| !code.is_empty()).unwrap_or("server_error");
        let mut response = self.response("failed", &self.done, &Value::Null);
        response["error"] = json!({"code": code, "message": message});
        json!({"type": "response.failed", "response": response})
    }

    /// The whole reply that was written.
    fn reply(&self) -> Value {
        if self.table.is_flat() && self.error.is_none() {
            let mut reply = self.line(&Value::Null);
            let mut message = told(&reply["message"]);
            self.done.iter().for_each(|said| join(&mut message, said));
            reply["message"] = message.into();
            self.end_line(&mut reply);
            return reply;
        }
        let usage = tokens(self.table, &self.usage);
        match (&self.error, self.table.has_items()) {
            (Some(_), false) => self.failed(),
            (Some(_), true) => self.failed()["response"].take(),
            (None, true) => self.response(if self.incomplete().is_some() { "incomplete" } else { "completed" }, &self.done, &usage),
            (None, false) => self.message(&self.done, &self.stop_reason().into(), &usage),
        }
    }
}

fn joined(place: &Path, inner: Path) -> Path {
    place.iter().cloned().chain(inner).collect()
}

/// The arguments of a call as an object, if they are one.
fn input_of(arguments: &str) -> Option<Value> {
    if is_blank(arguments) { Some(json!({})) } else { parse_object(arguments) }
}

fn prefix(kind: Kind) -> &'static str {
    if kind == Kind::Reasoning { "rs" } else { "msg" }
}

fn part_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Reasoning => "reasoning_text",
        Kind::Text => "output_text",
        Kind::Refusal => "refusal",
    }
}

/// A part of an item of Responses.
fn part(kind: Kind, text: &str) -> Value {
    match kind {
        Kind::Reasoning => json!({"type": "reasoning_text", "text": text}),
        Kind::Text => json!({"type": "output_text", "text": text, "annotations": [], "logprobs": []}),
        Kind::Refusal => json!({"type": "refusal", "refusal": text}),
    }
}

/// A block of Anthropic.
fn block(kind: Kind, text: &str) -> Value {
    match kind {
        Kind::Reasoning => json!({"type": "thinking", "thinking": text, "signature": ""}),
        Kind::Text | Kind::Refusal => json!({"type": "text", "text": text}),
    }
}

/// A second in UTC, the first where it has no time of four digits for the year.
fn time(created: &Value) -> String {
    const END: f64 = 253_402_300_800.0;
    let second = created.as_number().map(double).filter(|second| (0.0..END).contains(second)).unwrap_or_default();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it lies between these ends")]
    let second = second as u64;
    let (day, rest) = (second / 86_400 + 719_468, second % 86_400);
    // Years begin in March here, so that the day that only some have is the last.
    let (era, day) = (day / 146_097, day % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = year + era * 400 + next;
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

/// By the reason of a provider that of Chat Completions.
fn end_of(reason: &str) -> Option<&'static str> {
    match reason {
        "stop" | "tool_calls" | "function_call" => Some("stop"),
        "length" | "model_length" | "repetition" => Some("length"),
        "content_filter" => Some("content_filter"),
        "error"
        | "abort"
        | "insufficient_system_resource"
        | "malformed_function_call"
        | "MALFORMED_FUNCTION_CALL"
        | "function_call_filter: MALFORMED_FUNCTION_CALL"
        | "unexpected_tool_call"
        | "UNEXPECTED_TOOL_CALL" => Some("error"),
        _ => None,
    }
}

/// Why a message of Anthropic ended at a stop sequence.
const STOPPED: &str = "stop_sequence";

/// More tokens are no count: the sum of two such is exact in binary64.
const MOST_TOKENS: f64 = 1e15;

/// The tokens of a reply, by a usage.
/// A number of tokens; 0 for what is none.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the number is whole and not negative")]
pub(super) fn count(value: &Value) -> u64 {
    let number = value.as_number().map(double).unwrap_or_default();
    if (0.0..=MOST_TOKENS).contains(&number) && number.fract() == 0.0 { number as u64 } else { 0 }
}

fn tokens(table: Table, usage: &Value) -> Value {
    let details = &usage["prompt_tokens_details"];
    let (input, output) = (count(&usage["prompt_tokens"]), count(&usage["completion_tokens"]));
    let beside = || ["prompt_cache_hit_tokens", "cached_tokens"].into_iter().find_map(|name| present(usage, name));
    let cached = present(details, "cached_tokens").or_else(beside).map(count);
    let stored = present(details, "cache_write_tokens").or_else(|| present(usage, "cache_creation_input_tokens")).map(count);
    if table.is_flat() {
        return json!({"prompt_eval_count": input, "eval_count": output});
    }
    if table.has_items() {
        if !usage.is_object() {
            return Value::Null;
        }
        return json!({
            "input_tokens": input,
            "input_tokens_details": {"cached_tokens": cached.unwrap_or(0), "cache_write_tokens": stored.unwrap_or(0)},
            "output_tokens": output,
            "output_tokens_details": {"reasoning_tokens": count(&usage["completion_tokens_details"]["reasoning_tokens"])},
            "total_tokens": input + output,
        });
    }
    let mut found = json!({"input_tokens": input.saturating_sub(cached.unwrap_or(0)).saturating_sub(stored.unwrap_or(0))});
    if let Some(stored) = stored {
        found["cache_creation_input_tokens"] = stored.into();
    }
    if let Some(cached) = cached {
        found["cache_read_input_tokens"] = cached.into();
    }
    found["output_tokens"] = output.into();
    found
}
