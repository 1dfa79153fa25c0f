//! Blocks and units: how a history of an interface is read into messages.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::table::{Table, as_text, flat_name, has_type, present};
use crate::shared::findings::{Path, steps};
use crate::shared::json::{DEEPEST, compact, elements, is_deeper};
use crate::shared::outcome::Object;

/// A block, and where it stands: the element of the history, or none for the system text, and the place in its content.
pub(super) struct Block {
    pub(super) value: Value,
    pub(super) element: Option<usize>,
    /// The place in an array; none for a whole content, and for an item.
    pub(super) place: Option<usize>,
    pub(super) is_item: bool,
}

impl Block {
    /// Where it stands in a request.
    pub(super) fn path(&self, root: &str, table: Table) -> Path {
        let mut path = match self.element {
            None => steps![root, table.system()],
            Some(at) => steps![root, table.history(), at],
        };
        if !self.is_item && self.element.is_some() {
            path.push("content".into());
        }
        path.extend(self.place.map(Into::into));
        path
    }
}

/// What becomes one message.
pub(super) struct Unit {
    pub(super) blocks: Vec<Block>,
    pub(super) message: Value,
    pub(super) is_result: bool,
    /// Whether an element is a unit by itself, and its own message.
    pub(super) is_own: bool,
    /// Whether it is the system text.
    pub(super) is_system: bool,
}

/// The role of a message that has a form.
pub(super) fn role_of(element: &Value) -> Option<&str> {
    element.get("role").and_then(Value::as_str).filter(|role| *role != "tool")
}

fn is_item(table: Table, element: &Value) -> bool {
    table.has_items() && present(element, "type").is_some_and(|kind| kind != "message")
}

/// The type of an item that another agent says, to the one that the request is for.
const AGENT_MESSAGE: &str = "agent_message";

pub(super) fn says_user(item: &Value) -> bool {
    let kind = item.get("type").and_then(Value::as_str).unwrap_or_default();
    kind.ends_with("_output") || kind.ends_with("_response") || kind == AGENT_MESSAGE
}

/// The elements of a history; a string is a message of the user.
pub(super) fn history_of(table: Table, request: &Object) -> Vec<Value> {
    match request.get(table.history()) {
        Some(Value::Array(elements)) => elements.clone(),
        Some(text @ Value::String(_)) => vec![json!({"role": "user", "content": text})],
        _ => Vec::new(),
    }
}

/// The units of a request.
pub(super) fn units(table: Table, system: Option<&Value>, history: &[Value], holds_past: bool) -> Vec<Unit> {
    let mut reader = Reader { table, units: Vec::new(), run: Run::default(), calls: None };
    if holds_past {
        let calls = history.iter().flat_map(|element| {
            let said = Some(element).filter(|element| !is_item(table, element) && element["role"] == "assistant");
            let inner = said.map(|element| elements(element.get("content"))).unwrap_or_default();
            inner.iter().chain(Some(element).filter(|element| is_item(table, element))).filter(|each| table.is_call(each))
        });
        reader.calls = Some(calls.filter_map(|call| present(call, table.name("/call/id")).map(as_text)).collect());
    }
    if let Some(content) = system.filter(|each| !each.is_null()) {
        reader.message(None, "system", Some(content));
        reader.end_run();
        reader.units.iter_mut().for_each(|unit| unit.is_system = true);
    }
    for (at, element) in history.iter().enumerate() {
        reader.element(at, element);
    }
    reader.end_run();
    reader.units
}

/// The blocks that become one unit, so far.
#[derive(Default)]
struct Run {
    role: String,
    element: Option<usize>,
    blocks: Vec<Block>,
}

struct Reader {
    table: Table,
    units: Vec<Unit>,
    run: Run,
    /// The ids of the calls of the history, where the provider can hold others.
    calls: Option<HashSet<String>>,
}

impl Reader {
    fn element(&mut self, at: usize, element: &Value) {
        if element.is_object() && is_item(self.table, element) {
            let role = if says_user(element) { "user" } else { "assistant" };
            self.block(role, Block { value: element.clone(), element: Some(at), place: None, is_item: true });
            return;
        }
        let Some(role) = role_of(element) else {
            self.end_run();
            let block = Block { value: element.clone(), element: Some(at), place: None, is_item: true };
            self.push(vec![block], element.clone(), false, true);
            return;
        };
        self.message(Some(at), role, element.get("content"));
    }

    fn message(&mut self, element: Option<usize>, role: &str, content: Option<&Value>) {
        match content {
            Some(Value::Array(blocks)) if !blocks.is_empty() => {
                for (place, value) in blocks.iter().enumerate() {
                    self.block(role, Block { value: value.clone(), element, place: Some(place), is_item: false });
                }
            }
            Some(text @ Value::String(_)) => {
                self.block(role, Block { value: text.clone(), element, place: None, is_item: false });
            }
            other => {
                self.end_run();
                let block = Block { value: other.cloned().unwrap_or_default(), element, place: None, is_item: false };
                let content = other.map(|content| ("content".to_owned(), content.clone()));
                let message = [("role".to_owned(), role.into())].into_iter().chain(content).collect();
                self.push(vec![block], Value::Object(message), false, false);
            }
        }
    }

    fn push(&mut self, blocks: Vec<Block>, message: Value, is_result: bool, is_own: bool) {
        self.units.push(Unit { blocks, message, is_result, is_own, is_system: false });
    }

    fn block(&mut self, role: &str, block: Block) {
        let is_text = block.is_item && self.table.is_text_result(&block.value);
        let is_result = has_type(&block.value, self.table.name("/result/type")) || is_text;
        if role == "user" && is_result && !self.is_held(&block.value) {
            self.end_run();
            let message = result_message(self.table, &block.value);
            self.push(vec![block], message, true, false);
            return;
        }
        let goes_on = self.run.role == role
            && !self.run.blocks.is_empty()
            && (self.run.element == block.element && !block.is_item || self.table.has_items() && role == "assistant");
        if !goes_on {
            self.end_run();
            self.run = Run { role: role.to_owned(), element: block.element, blocks: Vec::new() };
        }
        self.run.blocks.push(block);
    }

    /// Whether the provider holds the call of a result.
    fn is_held(&self, result: &Value) -> bool {
        let id = present(result, self.table.name("/result/id")).map(as_text);
        self.calls.as_ref().is_some_and(|calls| id.is_none_or(|id| !calls.contains(&id)))
    }

    fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        if run.blocks.is_empty() {
            return;
        }
        let message = message_of(self.table, &run.role, run.blocks.iter().map(|block| &block.value));
        self.push(run.blocks, message, false, false);
    }
}

/// The message of blocks that somebody says.
fn message_of<'a>(table: Table, role: &str, blocks: impl Iterator<Item = &'a Value> + Clone) -> Value {
    let is_call = |block: &&Value| role == "assistant" && table.is_call(block);
    let parts = blocks.clone().filter(|block| !is_call(block)).map(|block| part_of(table, role, block)).collect();
    let calls: Vec<Value> = blocks.filter(is_call).map(|block| call_of(table, block)).collect();
    let mut message = json!({"role": role, "content": content_of(role, parts)});
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    message
}

/// The message of a result.
fn result_message(table: Table, block: &Value) -> Value {
    let mut message = json!({"role": "tool"});
    if let Some(id) = present(block, table.name("/result/id")) {
        message["tool_call_id"] = id.clone();
    }
    let content = match block.get(table.name("/result/content")) {
        None | Some(Value::Null) => "".into(),
        Some(Value::Array(parts)) => content_of("tool", parts.iter().map(|part| part_of(table, "tool", part)).collect()),
        Some(other) => other.clone(),
    };
    message["content"] = if block.get("is_error") == Some(&Value::Bool(true)) { failed(content) } else { content };
    message
}

/// What a result says that failed.
pub(super) const FAILED: &str = "The tool failed.";

/// The content of a result that failed, which begins with that: Chat Completions has no other place for it.
fn failed(content: Value) -> Value {
    match content {
        Value::String(text) => format!("{FAILED}\n{text}").into(),
        Value::Array(mut parts) => {
            parts.insert(0, json!({"type": "text", "text": FAILED}));
            parts.into()
        }
        other => other,
    }
}

fn content_of(role: &str, mut parts: Vec<Value>) -> Value {
    match parts.as_mut_slice() {
        [] if role == "assistant" => Value::Null,
        [] => "".into(),
        [only] if has_type(only, "text") && only["text"].is_string() => only["text"].take(),
        _ => parts.into(),
    }
}

/// The part of a block.
pub(super) fn part_of(table: Table, role: &str, block: &Value) -> Value {
    if let Some(text) = table.text_of(block) {
        return json!({"type": "text", "text": text});
    }
    if let Some(url) = image_of(block) {
        let mut image = json!({"url": url});
        if let Some(detail) = block.get("detail").filter(|detail| has_type(block, "input_image") && detail.is_string()) {
            image["detail"] = detail.clone();
        }
        return json!({"type": "image_url", "image_url": image});
    }
    let texts = if has_type(block, AGENT_MESSAGE) { texts_in(block.get("content")) } else { Vec::new() };
    if !texts.is_empty() {
        return json!({"type": "text", "text": texts.join("\n")});
    }
    if role == "assistant" && present(block, "type").is_some() {
        return block.clone();
    }
    json!({"type": "file", "file": block})
}

/// What a content says in words; what is encrypted in it nobody here can read.
fn texts_in(content: Option<&Value>) -> Vec<String> {
    parts_of(content).iter().filter_map(|each| each.get("text")?.as_str().map(str::to_owned)).collect()
}

fn image_of(block: &Value) -> Option<String> {
    if has_type(block, "input_image") {
        return block.get("image_url")?.as_str().map(str::to_owned);
    }
    let source = block.get("source").filter(|_| has_type(block, "image"))?;
    if has_type(source, "url") {
        return source.get("url")?.as_str().map(str::to_owned);
    }
    let (media, data) = (source.get("media_type")?.as_str()?, source.get("data")?.as_str()?);
    has_type(source, "base64").then(|| format!("data:{media};base64,{data}"))
}

/// The call of a block.
pub(super) fn call_of(table: Table, block: &Value) -> Value {
    let mut function = Object::new();
    let name = flat_name(block, table.namespace_of(block)).filter(|name| !name.is_null());
    function.extend(name.map(|name| ("name".to_owned(), name)));
    if table.is_text_call(block) {
        let given = json!({"input": block.get("input")});
        if !is_deeper(&given, DEEPEST) {
            function.insert("arguments".into(), compact(&given).into());
        }
    } else if let Some(given) = present(block, table.name("/call/arguments")) {
        let is_written = table.takes_object() && !given.is_string() && !is_deeper(given, DEEPEST);
        function.insert("arguments".into(), if is_written { compact(given).into() } else { given.clone() });
    }
    let mut call = Object::new();
    if let Some(id) = present(block, table.name("/call/id")) {
        call.insert("id".into(), id.clone());
    }
    call.insert("type".into(), "function".into());
    call.insert("function".into(), function.into());
    call.into()
}

/// The parts of a content.
pub(super) fn parts_of(content: Option<&Value>) -> Vec<Value> {
    match content {
        Some(text @ Value::String(_)) => vec![json!({"type": "text", "text": text})],
        content => elements(content).to_vec(),
    }
}
