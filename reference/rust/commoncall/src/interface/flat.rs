//! Messages that are those of the contracts, but for a few members: those of Ollama.

use std::collections::{HashMap, HashSet, VecDeque};

use serde_json::{Value, json};

use super::made::Matcher;
use super::table::{Table, as_text, has_type, present, unsaid};
use super::units::Unit;
use crate::shared::data::PART_NOT_SHOWN;
use crate::shared::findings::{Finding, Path, below, listed, steps};
use crate::shared::json::{elements, equal, parse_object};
use crate::shared::outcome::Object;

/// What says of tools what Ollama has no place for.
const BESIDE: [&str; 2] = ["tool_choice", "parallel_tool_calls"];

/// Reads a request.
pub(super) fn read(table: Table, mut request: Object) -> Value {
    let mut carried = Object::new();
    if let Some(Value::Array(history)) = request.get_mut(table.history()) {
        history.iter_mut().filter_map(Value::as_object_mut).for_each(|members| _ = members.shift_remove("_from"));
        let read = messages(table, history, true);
        let sent = std::mem::replace(history, read);
        if !sent.is_empty() {
            carried.insert(table.history().to_owned(), sent.into());
        }
    }
    json!({"request": request, "carried": carried, "findings": []})
}

/// The messages of a history; with ids, each call has one, and so has its result.
pub(super) fn messages(table: Table, history: &[Value], with_ids: bool) -> Vec<Value> {
    let mut waiting = Waiting::default();
    let read = |(at, native): (usize, &Value)| {
        let mut message = message_of(table, native, with_ids.then_some(at));
        if is_result(&message) {
            let name = present(&message, "name").map(as_text);
            let given = present(&message, "tool_call_id").cloned();
            let is_open = given.as_ref().is_none_or(|given| waiting.is_stray(given));
            let id = if is_open { waiting.first(name.as_ref()) } else { given };
            if let Some(id) = id {
                waiting.answered.insert(as_text(&id));
                message["tool_call_id"] = id;
            }
        } else if let Some(known) = Waiting::of(elements(message.get("tool_calls"))) {
            waiting = known;
            waiting.has_made = elements(native.get("tool_calls")).iter().any(|call| present(call, "id").is_none());
        }
        message
    };
    history.iter().enumerate().map(read).collect()
}

/// The calls of a message by their names and all, and which of them have results.
#[derive(Default)]
struct Waiting {
    calls: HashMap<Option<String>, VecDeque<Value>>,
    answered: HashSet<String>,
    known: HashSet<String>,
    /// Whether a call came without an id.
    has_made: bool,
}

impl Waiting {
    fn of(calls: &[Value]) -> Option<Self> {
        let mut waiting = Self::default();
        for (call, id) in calls.iter().filter_map(|call| Some((call, present(call, "id")?))) {
            waiting.known.insert(as_text(id));
            waiting.calls.entry(None).or_default().push_back(id.clone());
            if let Some(name) = present(&call["function"], "name") {
                waiting.calls.entry(Some(as_text(name))).or_default().push_back(id.clone());
            }
        }
        (!waiting.calls.is_empty()).then_some(waiting)
    }

    /// Whether an id is that of no call, where some came without one.
    fn is_stray(&self, id: &Value) -> bool {
        self.has_made && !self.known.contains(&as_text(id))
    }

    /// The id of the first call of a name, or of any, that has no result.
    fn first(&mut self, name: Option<&String>) -> Option<Value> {
        let ids = self.calls.get_mut(&name.cloned())?;
        while ids.front().is_some_and(|id| self.answered.contains(&as_text(id))) {
            ids.pop_front();
        }
        ids.front().cloned()
    }
}

fn is_result(message: &Value) -> bool {
    message.get("role").is_some_and(|role| role == "tool")
}

fn made_id(at: usize, number: usize) -> String {
    format!("call_{at}_{number}")
}

/// The message that an element is; `at` is where it stands, if its calls get ids.
fn message_of(table: Table, native: &Value, at: Option<usize>) -> Value {
    let Some(mut message) = native.as_object().cloned() else { return native.clone() };
    let images: Option<Vec<&str>> = elements(native.get(table.name("/images"))).iter().map(Value::as_str).collect();
    let images = images.filter(|images| !images.is_empty());
    let content = present(native, "content");
    if let Some(images) = images.filter(|_| content.is_none_or(Value::is_string)) {
        message.shift_remove(table.name("/images"));
        let said = content.filter(|said| *said != "").map(|said| json!({"type": "text", "text": said}));
        let parts = images.into_iter().map(|image| json!({"type": "image_url", "image_url": {"url": url(table, image)}}));
        message.insert("content".into(), said.into_iter().chain(parts).collect());
    }
    if let Some(Value::Array(calls)) = message.get_mut("tool_calls").filter(|_| native["role"] == "assistant") {
        for (number, call) in calls.iter_mut().enumerate() {
            *call = read_call(call, at.map(|at| made_id(at, number)));
        }
    }
    if let Some(name) = present(native, table.name("/result_name")).filter(|_| is_result(native)) {
        message.shift_remove(table.name("/result_name"));
        message.insert("name".into(), name.clone());
    }
    message.into()
}

fn url(table: Table, image: &str) -> String {
    let known = table.media().find(|(begin, _)| image.starts_with(begin.as_str()));
    format!("data:{};base64,{image}", known.and_then(|(_, media)| media.as_str()).unwrap_or("image/png"))
}

/// A call as the contracts have it, with an id where it has none.
pub(super) fn read_call(call: &Value, id: Option<String>) -> Value {
    let (Some(members), Some(function)) = (call.as_object(), call["function"].as_object()) else { return call.clone() };
    let mut read = members.clone();
    read.retain(|_, value| !value.is_null());
    if let (None, Some(id)) = (read.get("id"), id) {
        read.insert("id".into(), id.into());
    }
    read.entry("type").or_insert_with(|| "function".into());
    if let Some(given) = function.get("arguments").filter(|given| !given.is_null()) {
        read["function"]["arguments"] = as_text(given).into();
    }
    read.into()
}

/// What an object says, without nulls.
pub(super) fn told(value: &Value) -> Object {
    value
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// Adds to a message what one more says.
pub(super) fn join(message: &mut Object, more: &Value) {
    for (name, value) in told(more) {
        match (message.get_mut(&name), value) {
            (Some(Value::String(known)), Value::String(more)) if name == "content" || name == "thinking" => known.push_str(&more),
            (Some(Value::Array(known)), Value::Array(more)) if name == "tool_calls" => known.extend(more),
            (_, value) => _ = message.insert(name, value),
        }
    }
}

/// Writes a request, with what `read` gave beside it.
pub(super) fn write(table: Table, mut request: Object, carried: &Object) -> Value {
    let mut findings = Vec::new();
    for (name, natural) in BESIDE.into_iter().zip([Value::from("auto"), Value::from(true)]) {
        if request.shift_remove(name).is_some_and(|given| !given.is_null() && given != natural) {
            findings.push(Finding::new("not_written", steps!["request", name]));
        }
    }
    if let Some(Value::Array(messages)) = request.get("messages") {
        let sent = written(table, messages, elements(carried.get(table.history())), &mut findings);
        request.insert(table.history().to_owned(), sent.into());
    }
    json!({"request": request, "findings": listed(findings)})
}

fn written(table: Table, messages_now: &[Value], natives: &[Value], findings: &mut Vec<Finding>) -> Vec<Value> {
    let unit = |message| Unit { blocks: Vec::new(), message, is_result: false, is_own: false, is_system: false };
    let units: Vec<Unit> = messages(table, natives, true).into_iter().map(unit).collect();
    let made = natives.iter().enumerate().flat_map(|(at, native)| {
        let calls = elements(native.get("tool_calls")).iter().enumerate();
        calls.filter(|(_, call)| call.is_object() && present(call, "id").is_none()).map(move |(number, _)| made_id(at, number))
    });
    let mut writer = Writer { table, made: made.collect(), names: HashMap::new(), findings };
    let mut matcher = Matcher::new(&units);
    let element = |(at, message): (usize, &Value)| {
        writer.name(message);
        let unit = matcher.unit_of(&units, message);
        match unit.filter(|number| {
            writer.takes(*number, &natives[*number], &units[*number].message) && equal(&units[*number].message, message)
        }) {
            Some(number) => natives[number].clone(),
            None => writer.element(&steps!["request", "messages", at], message),
        }
    };
    messages_now.iter().enumerate().map(element).collect()
}

/// Writes messages that are new, or have changed.
struct Writer<'a> {
    table: Table,
    /// The ids that were made for calls.
    made: HashSet<String>,
    /// The names of the calls so far, by their ids.
    names: HashMap<String, Option<Value>>,
    findings: &'a mut Vec<Finding>,
}

impl Writer<'_> {
    /// Whether the endpoint takes a carried element as it is; says why not.
    fn takes(&mut self, at: usize, native: &Value, read: &Value) -> bool {
        let mut calls = elements(native.get("tool_calls")).iter();
        let faults = [
            ("content_coerced", native.get("content").is_some_and(Value::is_array)),
            ("arguments_coerced", calls.any(|call| call["function"]["arguments"].is_string())),
            ("id_replaced", present(native, "tool_call_id").is_some_and(|id| !equal(id, &read["tool_call_id"]))),
        ];
        for (code, _) in faults.into_iter().filter(|(_, is_there)| *is_there) {
            self.findings.push(Finding::new(code, steps!["carried", self.table.history(), at]));
        }
        faults.iter().all(|(_, is_there)| !is_there)
    }

    fn name(&mut self, message: &Value) {
        for call in elements(message.get("tool_calls")) {
            if let Some(id) = present(call, "id") {
                self.names.insert(as_text(id), call["function"].get("name").cloned());
            }
        }
    }

    fn element(&mut self, place: &Path, message: &Value) -> Value {
        let Some(mut sent) = message.as_object().cloned() else { return message.clone() };
        self.content(&below(place, "content"), &mut sent, is_result(message));
        if let Some(Value::Array(calls)) = sent.get_mut("tool_calls") {
            let place = below(place, "tool_calls");
            for (at, call) in std::mem::take(calls).iter().enumerate() {
                match self.call(call) {
                    Some(written) => calls.push(written),
                    None => self.findings.push(Finding::new("not_written", below(&place, at))),
                }
            }
        }
        if is_result(message) {
            let id = present(message, "tool_call_id").map(as_text);
            let name = sent.shift_remove("name");
            let name = id.as_ref().and_then(|id| self.names.get(id).cloned()).unwrap_or(name);
            if let Some(name) = name.filter(|name| !name.is_null()) {
                sent.insert(self.table.name("/result_name").to_owned(), name);
            }
            if id.is_some_and(|id| self.made.contains(&id)) {
                sent.shift_remove("tool_call_id");
            }
        }
        sent.into()
    }

    /// Writes a content: its text, and its images. A model is told what it cannot see of a result.
    fn content(&mut self, place: &Path, sent: &mut Object, is_of_result: bool) {
        let parts = match sent.get("content") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(parts)) => parts.clone(),
            Some(_) => return,
        };
        let (mut words, mut images) = (Vec::new(), Vec::new());
        for (at, part) in parts.iter().enumerate() {
            let image = part["image_url"]["url"].as_str().filter(|_| has_type(part, "image_url")).and_then(data);
            match (part["text"].as_str().filter(|_| has_type(part, "text")), image) {
                (Some(text), _) => words.push(text),
                (None, Some(image)) => images.push(Value::from(image)),
                (None, None) => {
                    self.findings.push(Finding::new("not_written", below(place, at)));
                    words.extend(is_of_result.then_some(PART_NOT_SHOWN));
                    continue;
                }
            }
            for inner in unsaid(part, None) {
                self.findings.push(Finding::new("not_written", below(place, at).into_iter().chain(inner).collect()));
            }
        }
        let words = if is_of_result {
            words.retain(|text| !text.is_empty());
            words.join("\n")
        } else {
            words.concat()
        };
        sent.insert("content".into(), words.into());
        if !images.is_empty() {
            sent.insert(self.table.name("/images").to_owned(), images.into());
        }
    }

    fn call(&self, call: &Value) -> Option<Value> {
        let arguments = parse_object(call["function"]["arguments"].as_str()?)?;
        let mut written = call.as_object()?.clone();
        written.shift_remove("type");
        if call["id"].as_str().is_some_and(|id| self.made.contains(id)) {
            written.shift_remove("id");
        }
        written["function"]["arguments"] = arguments;
        Some(written.into())
    }
}

/// The data of a data URL in base64.
fn data(url: &str) -> Option<&str> {
    let (media, data) = url.strip_prefix("data:")?.split_once(";base64,")?;
    (!media.is_empty() && !media.contains([';', ','])).then_some(data)
}
