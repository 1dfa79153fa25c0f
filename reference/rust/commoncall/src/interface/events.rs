//! The events of a streamed reply: the chunks for them, and the reply that they are together.

use serde_json::{Value, json};

use super::table::{Table, has_type, present};
use super::units::call_of;
use crate::shared::json::{compact, elements, parse_object};
use crate::shared::outcome::Object;
use crate::shared::text::is_blank;

pub(super) fn read(input: &Object) -> Value {
    let events = elements(input.get("events"));
    let mut chunks = Vec::new();
    let reply = if Table::of(input).has_items() {
        let mut response = Response { table: Table::of(input), ended: None, done: Vec::new(), calls: Vec::new() };
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

fn call_begun(number: usize, id: Option<&Value>, name: Option<&Value>) -> Value {
    let mut function = Object::new();
    function.extend(name.map(|name| ("name".to_owned(), name.clone())));
    function.insert("arguments".into(), "".into());
    let mut call = json!({"index": number});
    if let Some(id) = id {
        call["id"] = id.clone();
    }
    call["type"] = "function".into();
    call["function"] = function.into();
    delta(&json!({"tool_calls": [call]}))
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
                chunks.extend(members.get("stop_reason").and_then(Value::as_str).map(|each| reason(finish_reason(each))));
                self.begun.get_or_insert_default().extend(members);
            }
            Some("error") => chunks.push(error(event)),
            _ => {}
        }
    }

    fn block(&mut self, event: &Value) -> Option<&mut Block> {
        let index = event.get("index")?;
        self.blocks.iter_mut().rfind(|block| block.index == *index)
    }

    fn begin(&mut self, event: &Value, chunks: &mut Vec<Value>) {
        let Some(value) = event.get("content_block").filter(|block| block.is_object()).cloned() else { return };
        let is_call = has_type(&value, "tool_use");
        if is_call {
            chunks.push(call_begun(self.calls, value.get("id"), value.get("name")));
        } else if let Some(text) = value["text"].as_str().filter(|text| has_type(&value, "text") && !text.is_empty()) {
            chunks.push(delta(&json!({"content": text})));
        }
        let call = is_call.then_some(self.calls);
        self.calls += usize::from(is_call);
        self.blocks.push(Block { index: event.get("index").cloned().unwrap_or_default(), value, call, json: String::new() });
    }

    fn add(&mut self, event: &Value, chunks: &mut Vec<Value>) {
        let given = &event["delta"];
        let Some(block) = self.block(event) else { return };
        let piece = |name: &str| given[name].as_str().unwrap_or_default();
        match given.get("type").and_then(Value::as_str) {
            Some("text_delta") => {
                append(&mut block.value, "text", piece("text"));
                chunks.push(delta(&json!({"content": piece("text")})));
            }
            Some("thinking_delta") => append(&mut block.value, "thinking", piece("thinking")),
            Some("signature_delta") => set(&mut block.value, "signature", given["signature"].clone()),
            Some("citations_delta") => {
                let mut citations = elements(block.value.get("citations")).to_vec();
                citations.push(given["citation"].clone());
                set(&mut block.value, "citations", citations.into());
            }
            Some("input_json_delta") => {
                let piece = piece("partial_json");
                block.json.push_str(piece);
                chunks.extend(block.call.filter(|_| !piece.is_empty()).map(|number| arguments(number, piece)));
            }
            _ => {}
        }
    }

    fn end(&mut self, event: &Value, chunks: &mut Vec<Value>) {
        let Some(block) = self.block(event) else { return };
        if is_blank(&block.json) {
            let input = block.value.get("input").map_or_else(|| "{}".to_owned(), compact);
            chunks.extend(block.call.map(|number| arguments(number, &input)));
            return;
        }
        let text = std::mem::take(&mut block.json);
        set(&mut block.value, "input", parse_object(&text).unwrap_or_else(|| text.into()));
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
    done: Vec<Value>,
    /// The calls that have begun, by their place, and whether arguments of them have come.
    calls: Vec<(Value, bool)>,
}

impl Response {
    fn read(&mut self, event: &Value, chunks: &mut Vec<Value>) {
        let piece = event["delta"].as_str().unwrap_or_default();
        let place = event.get("output_index").cloned().unwrap_or_default();
        match event.get("type").and_then(Value::as_str) {
            Some("response.output_text.delta") => chunks.push(delta(&json!({"content": piece}))),
            Some("response.refusal.delta") => chunks.push(delta(&json!({"refusal": piece}))),
            Some("response.output_item.added") => _ = self.begin(&place, &event["item"], chunks),
            Some("response.function_call_arguments.delta") => {
                if let Some(number) = self.calls.iter().position(|(own, _)| *own == place) {
                    self.calls[number].1 = true;
                    chunks.push(arguments(number, piece));
                }
            }
            Some("response.output_item.done") => {
                let item = &event["item"];
                if let Some(number) = self.begin(&place, item, chunks).filter(|number| !self.calls[*number].1) {
                    self.calls[number].1 = true;
                    let call = call_of(self.table, item);
                    chunks.extend(call["function"]["arguments"].as_str().map(|text| arguments(number, text)));
                }
                self.done.extend(item.is_object().then(|| item.clone()));
            }
            Some(kind @ ("response.completed" | "response.incomplete" | "response.failed")) => {
                let word = match kind {
                    "response.completed" => "stop",
                    "response.incomplete" => "length",
                    _ => "error",
                };
                chunks.push(reason(word));
                if let Some(response) = event.get("response").filter(|each| each.is_object()) {
                    self.ended = Some(response.clone());
                }
            }
            Some("error") => chunks.push(error(event)),
            _ => {}
        }
    }

    /// The number of the call that an item is, which begins if it is new.
    fn begin(&mut self, place: &Value, item: &Value, chunks: &mut Vec<Value>) -> Option<usize> {
        if !self.table.is_call(item) {
            return None;
        }
        let known = self.calls.iter().position(|(own, _)| own == place);
        Some(known.unwrap_or_else(|| {
            let number = self.calls.len();
            chunks.push(call_begun(number, item.get("call_id"), item.get("name")));
            self.calls.push((place.clone(), false));
            number
        }))
    }

    fn reply(self) -> Value {
        if let Some(ended) = self.ended {
            return ended;
        }
        if self.done.is_empty() {
            return Value::Null;
        }
        json!({"status": "incomplete", "output": self.done})
    }
}
