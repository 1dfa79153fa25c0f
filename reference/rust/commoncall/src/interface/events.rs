//! The events of a streamed reply: the chunks for them, and the reply that they are together.

use serde_json::{Value, json};

use super::flat::{join, read_call, told};
use super::reply::{self, CUT};
use super::table::{Table, as_text, has_type, present};
use super::units::call_of;
use crate::shared::json::{elements, parse_object};
use crate::shared::outcome::Object;
use crate::shared::text::is_blank;

pub(super) fn read(input: &Object) -> Value {
    let events = elements(input.get("events"));
    let mut chunks = Vec::new();
    let reply = if Table::of(input).is_flat() {
        let mut lines = Lines::default();
        for event in events {
            lines.read(event, &mut chunks);
        }
        lines.reply.map_or(Value::Null, Value::Object)
    } else if Table::of(input).has_items() {
        let mut response = Response::new(Table::of(input));
        for event in events {
            response.read(event, &mut chunks);
        }
        response.reply()
    } else {
        let mut message = Message::default();
        for event in events {
            message.read(event, &mut chunks);
        }
        message.reply()
    };
    json!({"chunks": chunks, "reply": reply})
}

fn delta(delta: &Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

fn reason(reason: &str) -> Value {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
}

fn error(event: &Value) -> Value {
    json!({"error": present(event, "error").cloned().unwrap_or_else(|| json!({})), "choices": []})
}

/// What a block or an item is known by.
fn place(event: &Value, name: &str) -> Value {
    present(event, name).map_or(Value::Null, |place| as_text(place).into())
}

fn call_begun(number: usize, id: &Value, name: &Value) -> Value {
    let function = json!({"name": name, "arguments": ""});
    delta(&json!({"tool_calls": [{"index": number, "id": id, "type": "function", "function": function}]}))
}

fn arguments(number: usize, piece: &str) -> Value {
    delta(&json!({"tool_calls": [{"index": number, "function": {"arguments": piece}}]}))
}

/// A block of a message, with its number as a call and the pieces of its JSON.
struct Block {
    index: Value,
    value: Value,
    call: Option<usize>,
    json: String,
}

/// A message of Anthropic.
#[derive(Default)]
struct Message {
    begun: Option<Object>,
    blocks: Vec<Block>,
    calls: usize,
}

impl Message {
    fn read(&mut self, event: &Value, chunks: &mut Vec<Value>) {
        match event.get("type").and_then(Value::as_str) {
            Some("message_start") => self.begun = Some(event["message"].as_object().cloned().unwrap_or_default()),
            Some("content_block_start") => self.begin(event, chunks),
            Some("content_block_delta") => self.add(event, chunks),
            Some("content_block_stop") => self.end(event, chunks),
            Some("message_delta") => {
                let members = event["delta"].as_object().cloned().unwrap_or_default();
                let why = members.get("stop_reason").filter(|why| !why.is_null());
                chunks.extend(why.map(|why| reason(finish_reason(why.as_str().unwrap_or_default()))));
                self.begun.get_or_insert_default().extend(members);
            }
            Some("error") => chunks.push(error(event)),
            _ => {}
        }
    }

    fn block(&mut self, event: &Value) -> Option<&mut Block> {
        let index = place(event, "index");
        self.blocks.iter_mut().rfind(|block| index.is_null() || block.index == index)
    }

    fn begin(&mut self, event: &Value, chunks: &mut Vec<Value>) {
        let Some(value) = event.get("content_block").filter(|block| block.is_object()).cloned() else { return };
        let is_call = has_type(&value, "tool_use");
        if is_call {
            chunks.push(call_begun(self.calls, &value["id"], &value["name"]));
        } else if let Some(text) = value["text"].as_str().filter(|text| has_type(&value, "text") && !text.is_empty()) {
            chunks.push(delta(&json!({"content": text})));
        }
        let call = is_call.then_some(self.calls);
        self.calls += usize::from(is_call);
        self.blocks.push(Block { index: place(event, "index"), value, call, json: String::new() });
    }

    fn add(&mut self, event: &Value, chunks: &mut Vec<Value>) {
        let given = &event["delta"];
        let Some(block) = self.block(event) else { return };
        let kind = given["type"].as_str().unwrap_or_default();
        if let ("citations_delta", Some(citation)) = (kind, given.get("citation")) {
            let mut citations = elements(block.value.get("citations")).to_vec();
            citations.push(citation.clone());
            set(&mut block.value, "citations", citations.into());
        }
        let member = match kind {
            "text_delta" => "text",
            "thinking_delta" => "thinking",
            "signature_delta" => "signature",
            "input_json_delta" => "partial_json",
            _ => return,
        };
        let Some(piece) = given[member].as_str() else { return };
        match kind {
            "text_delta" => {
                append(&mut block.value, "text", piece);
                chunks.push(delta(&json!({"content": piece})));
            }
            "thinking_delta" => append(&mut block.value, "thinking", piece),
            "signature_delta" => set(&mut block.value, "signature", piece.into()),
            _ => {
                block.json.push_str(piece);
                chunks.extend(block.call.filter(|_| !piece.is_empty()).map(|number| arguments(number, piece)));
            }
        }
    }

    fn end(&mut self, event: &Value, chunks: &mut Vec<Value>) {
        let Some(block) = self.block(event) else { return };
        if is_blank(&block.json) {
            let input = block.value.get("input").filter(|input| !input.is_null()).map_or_else(|| "{}".to_owned(), as_text);
            chunks.extend(block.call.map(|number| arguments(number, &input)));
            return;
        }
        let input = parse_object(&block.json).unwrap_or_else(|| block.json.as_str().into());
        set(&mut block.value, "input", input);
    }

    fn reply(self) -> Value {
        if self.begun.is_none() && self.blocks.is_empty() {
            return Value::Null;
        }
        let mut message = self.begun.unwrap_or_default();
        if !self.blocks.is_empty() {
            message.insert("content".into(), self.blocks.into_iter().map(|block| block.value).collect());
        }
        message.into()
    }
}

/// Adds a text or a refusal to the content of an item, to its last part if that is of the kind.
fn add_text(item: &mut Value, is_refusal: bool, text: &str) {
    let (kind, name) = if is_refusal { ("refusal", "refusal") } else { ("output_text", "text") };
    let mut content = elements(item.get("content")).to_vec();
    if !content.last().is_some_and(|last| has_type(last, kind)) {
        content.push(json!({"type": kind}));
    }
    content.last_mut().into_iter().for_each(|last| append(last, name, text));
    set(item, "content", content.into());
}

fn append(value: &mut Value, name: &str, piece: &str) {
    let text = format!("{}{piece}", value[name].as_str().unwrap_or_default());
    set(value, name, text.into());
}

fn set(value: &mut Value, name: &str, member: Value) {
    if let Some(members) = value.as_object_mut() {
        members.insert(name.to_owned(), member);
    }
}

fn finish_reason(reason: &str) -> &'static str {
    match reason {
        "tool_use" => "tool_calls",
        "max_tokens" | "model_context_window_exceeded" => "length",
        "refusal" => "content_filter",
        _ => "stop",
    }
}

/// A response of Responses.
struct Response {
    table: Table,
    ended: Option<Value>,
    /// The same as the reply has it.
    whole: Option<Value>,
    done: Vec<Value>,
    /// The items that only began, by their place.
    open: Vec<(Value, Value)>,
    /// The calls that have begun, by their place, and their ids.
    calls: Vec<(Value, Value)>,
    /// The arguments that came, by their place; they can come before their call.
    arguments: Vec<(Value, String)>,
    /// The places of texts that came; null where they had none.
    said: Vec<Value>,
}

impl Response {
    const fn new(table: Table) -> Self {
        Self {
            table,
            ended: None,
            whole: None,
            done: Vec::new(),
            open: Vec::new(),
            calls: Vec::new(),
            arguments: Vec::new(),
            said: Vec::new(),
        }
    }

    fn read(&mut self, event: &Value, chunks: &mut Vec<Value>) {
        let piece = event["delta"].as_str();
        let place = place(event, "output_index");
        match (event.get("type").and_then(Value::as_str), piece) {
            (Some(kind @ ("response.output_text.delta" | "response.refusal.delta")), Some(piece)) => {
                let name = if kind == "response.refusal.delta" { "refusal" } else { "content" };
                chunks.push(delta(&json!({name: piece})));
                if let Some((_, item)) = self.open.iter_mut().find(|(own, _)| *own == place) {
                    add_text(item, name == "refusal", piece);
                }
                self.said.push(place);
            }
            (Some("response.function_call_arguments.delta"), Some(piece)) => self.argue(&place, piece, chunks),
            (Some("response.function_call_arguments.done"), _) => self.settle(&place, event.get("arguments"), chunks),
            (Some(kind @ ("response.output_item.added" | "response.output_item.done")), _) if event["item"].is_object() => {
                let (item, is_done) = (&event["item"], kind == "response.output_item.done");
                if self.table.is_call(item) {
                    self.call(&place, item, is_done, chunks);
                } else if is_done {
                    self.say(&place, item, chunks);
                }
                if is_done {
                    self.open.retain(|(own, _)| *own != place);
                    self.done.push(item.clone());
                } else if let Some((_, own)) = self.open.iter_mut().find(|(own, _)| *own == place) {
                    own.clone_from(item);
                } else {
                    self.open.push((place, item.clone()));
                }
            }
            (Some(kind @ ("response.completed" | "response.incomplete" | "response.failed")), _) => {
                if let Some(response) = event.get("response").filter(|each| each.is_object()) {
                    self.ended = Some(response.clone());
                    self.whole = Some(self.with_items(response));
                }
                if kind != "response.failed" {
                    self.end(chunks);
                }
                chunks.push(reason(match kind {
                    "response.completed" => "stop",
                    "response.incomplete" => "length",
                    _ => "error",
                }));
            }
            (Some("error"), _) => chunks.push(error(event)),
            _ => {}
        }
    }

    fn number(&self, place: &Value) -> Option<usize> {
        self.calls.iter().position(|(own, _)| own == place)
    }

    /// Takes arguments; those that come before their call wait for it.
    fn argue(&mut self, place: &Value, piece: &str, chunks: &mut Vec<Value>) {
        match self.arguments.iter_mut().find(|(own, _)| own == place) {
            Some((_, text)) => text.push_str(piece),
            None => self.arguments.push((place.clone(), piece.to_owned())),
        }
        chunks.extend(self.number(place).map(|number| arguments(number, piece)));
    }

    /// Takes the arguments of the end, where none came before.
    fn settle(&mut self, place: &Value, given: Option<&Value>, chunks: &mut Vec<Value>) {
        let came = self.arguments.iter().any(|(own, text)| own == place && !is_blank(text));
        if let Some(text) = given.and_then(Value::as_str).filter(|_| !came) {
            self.argue(place, text, chunks);
        }
    }

    fn call(&mut self, place: &Value, item: &Value, is_done: bool, chunks: &mut Vec<Value>) {
        let call = call_of(self.table, item);
        if self.number(place).is_none() {
            let number = self.calls.len();
            chunks.push(call_begun(number, &item["call_id"], &call["function"]["name"]));
            self.calls.push((place.clone(), self::place(item, "call_id")));
            let waiting = self.arguments.iter().find(|(own, text)| own == place && !text.is_empty());
            chunks.extend(waiting.map(|(_, text)| arguments(number, text)));
        }
        if is_done {
            self.settle(place, call["function"].get("arguments"), chunks);
        }
    }

    /// Gives the texts of an item of which none came. One without a place can be of any.
    fn say(&mut self, place: &Value, item: &Value, chunks: &mut Vec<Value>) {
        if self.said.iter().any(|own| own.is_null() || own == place) {
            return;
        }
        let reply = json!({"interface": "openai-responses", "reply": {"output": [item]}});
        let message = reply::read(reply.as_object().unwrap_or(&Object::new()))["message"].take();
        for (name, own) in [("content", "text"), ("refusal", "refusal")] {
            if let Some(text) = message[own].as_str().filter(|text| !text.is_empty()) {
                chunks.push(delta(&json!({name: text})));
                self.said.push(place.clone());
            }
        }
    }

    /// A response; where it has no item, with those that came before it.
    fn with_items(&self, response: &Value) -> Value {
        let mut response = response.clone();
        let open = self.open.iter().map(|(place, item)| {
            let mut item = item.clone();
            if let Some((_, text)) = self.arguments.iter().find(|(own, text)| own == place && !is_blank(text)) {
                set(&mut item, "arguments", text.as_str().into());
            }
            item
        });
        let came: Vec<Value> = self.done.iter().cloned().chain(open).collect();
        let is_empty = present(&response, "output").is_none_or(|output| output.as_array().is_some_and(Vec::is_empty));
        if is_empty && !came.is_empty() {
            set(&mut response, "output", came.into());
        }
        response
    }

    /// Gives what the end of a response holds and no event before it said.
    fn end(&mut self, chunks: &mut Vec<Value>) {
        let output = self.ended.as_ref().map(|response| elements(response.get("output")).to_vec()).unwrap_or_default();
        let begun: Vec<_> = self.calls.iter().map(|(_, id)| id.clone()).collect();
        let is_silent = self.said.is_empty();
        for (number, item) in output.iter().enumerate() {
            let place = json!(["end", number]);
            if self.table.is_call(item) {
                if !begun.contains(&self::place(item, "call_id")) {
                    self.call(&place, item, true, chunks);
                }
            } else if is_silent {
                self.say(&place, item, chunks);
            }
        }
    }

    fn reply(self) -> Value {
        if let Some(whole) = self.whole {
            return whole;
        }
        if self.done.is_empty() {
            return Value::Null;
        }
        json!({"status": "incomplete", "output": self.done})
    }
}

/// The lines of Ollama.
#[derive(Default)]
struct Lines {
    reply: Option<Object>,
    calls: usize,
}

impl Lines {
    /// Reads a line, which can hold words, calls and the end.
    fn read(&mut self, event: &Value, chunks: &mut Vec<Value>) {
        if has_type(event, "error") || present(event, "error").is_some() {
            chunks.push(error(event));
            return;
        }
        if let Some(message) = event.get("message").filter(|message| message.is_object()) {
            let reply = self.reply.get_or_insert_default();
            let mut joined = reply.get("message").and_then(Value::as_object).cloned().unwrap_or_default();
            join(&mut joined, message);
            reply.extend(told(event));
            reply.insert("message".into(), joined.into());
            chunks.extend(message["content"].as_str().filter(|text| !text.is_empty()).map(|text| delta(&json!({"content": text}))));
            chunks.extend(elements(message.get("tool_calls")).iter().map(|call| self.call(call)));
        }
        if event.get("done").is_some_and(|done| done == true) {
            let why = event.get("done_reason").and_then(Value::as_str).filter(|why| CUT.contains(why));
            chunks.push(reason(why.unwrap_or("stop")));
        }
    }

    fn call(&mut self, given: &Value) -> Value {
        let read = read_call(given, None);
        let members = ["name", "arguments"].into_iter();
        let function: Object = members.filter_map(|name| Some((name.to_owned(), read["function"].get(name)?.clone()))).collect();
        let mut call = json!({"index": self.calls, "type": "function", "function": function});
        if let Some(id) = present(&read, "id") {
            call["id"] = id.clone();
        }
        self.calls += 1;
        delta(&json!({"tool_calls": [call]}))
    }
}
