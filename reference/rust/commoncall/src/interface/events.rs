//! The events of a streamed reply: the chunks for them, and the reply that they are together.
//! Those of Responses are read in `response`.

use serde_json::{Value, json};

use super::flat::{join, read_call, told};
use super::reply::CUT;
use super::response::Response;
use super::table::{Table, as_text, has_type, present};
use super::written::count;
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
            if has_type(event, "error") {
                chunks.push(error(event));
            } else {
                response.read(event, &mut chunks);
            }
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

pub(super) fn delta(delta: &Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

/// The chunk with which a reply ends.
pub(super) fn ended(reason: &str, usage: Option<Value>) -> Value {
    let mut end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]});
    if let Some(usage) = usage {
        end["usage"] = usage;
    }
    end
}

/// What a reply used, where any of its text is told.
pub(super) fn usage(prompt: &[&Value], completion: &Value, details: &[(&str, &Value)], reasoning: &Value) -> Option<Value> {
    if completion.is_null() && prompt.iter().all(|each| each.is_null()) {
        return None;
    }
    let (before, after) = (prompt.iter().map(|each| count(each)).sum::<u64>(), count(completion));
    let mut usage = json!({"prompt_tokens": before, "completion_tokens": after, "total_tokens": before + after});
    for (name, value) in details.iter().filter(|(_, value)| !value.is_null()) {
        usage["prompt_tokens_details"][*name] = count(value).into();
    }
    if !reasoning.is_null() {
        usage["completion_tokens_details"] = json!({"reasoning_tokens": count(reasoning)});
    }
    Some(usage)
}

fn error(event: &Value) -> Value {
    json!({"error": present(event, "error").cloned().unwrap_or_else(|| json!({})), "choices": []})
}

/// What a block or an item is known by.
pub(super) fn place(event: &Value, name: &str) -> Value {
    present(event, name).map_or(Value::Null, |place| as_text(place).into())
}

pub(super) fn call_begun(number: usize, id: &Value, name: &Value) -> Value {
    let function = json!({"name": name, "arguments": ""});
    delta(&json!({"tool_calls": [{"index": number, "id": id, "type": "function", "function": function}]}))
}

pub(super) fn arguments(number: usize, piece: &str) -> Value {
    delta(&json!({"tool_calls": [{"index": number, "function": {"arguments": piece}}]}))
}

/// A block of a message, with its number as a call and the pieces of its JSON.
struct Block {
    index: Value,
    value: Value,
    call: Option<usize>,
    json: String,
}

impl Block {
    /// Whether a delta of a type can be of this block.
    fn takes(&self, kind: &str) -> bool {
        match kind {
            "text_delta" => has_type(&self.value, "text"),
            "input_json_delta" => !has_type(&self.value, "text") && !has_type(&self.value, "thinking"),
            _ => has_type(&self.value, "thinking"),
        }
    }
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
            Some("message_delta") => self.close(event, chunks),
            Some("error") => chunks.push(error(event)),
            _ => {}
        }
    }

    /// Takes what the end of a message says.
    fn close(&mut self, event: &Value, chunks: &mut Vec<Value>) {
        let begun = self.begun.get_or_insert_default();
        begun.extend(event["delta"].as_object().cloned().unwrap_or_default());
        let mut used = begun.get("usage").and_then(Value::as_object).cloned().unwrap_or_default();
        if event["usage"].is_object() {
            used.extend(told(&event["usage"]));
            begun.insert("usage".into(), used.clone().into());
        }
        let Some(why) = event["delta"].get("stop_reason").filter(|why| !why.is_null()) else { return };
        let used = Value::from(used);
        let (read, stored) = (&used["cache_read_input_tokens"], &used["cache_creation_input_tokens"]);
        let details = [("cached_tokens", read), ("cache_write_tokens", stored)];
        let usage = usage(&[&used["input_tokens"], read, stored], &used["output_tokens"], &details, &Value::Null);
        let stop = event["delta"]["stop_sequence"].as_str().filter(|stop| why == "stop_sequence" && !stop.is_empty());
        let mut end = ended(finish_reason(why.as_str().unwrap_or_default()), usage);
        if let Some(stop) = stop {
            end["choices"][0]["stop_reason"] = stop.into();
        }
        chunks.push(end);
    }

    /// The position of the block of an event: of the last one, where it names none.
    fn block(&self, event: &Value) -> Option<usize> {
        let index = place(event, "index");
        let named = self.blocks.iter().rposition(|block| !index.is_null() && block.index == index);
        named.or(self.blocks.len().checked_sub(1))
    }

    fn begin(&mut self, event: &Value, chunks: &mut Vec<Value>) {
        let Some(value) = event.get("content_block").filter(|block| block.is_object()).cloned() else { return };
        self.begin_block(place(event, "index"), value, chunks);
    }

    fn begin_block(&mut self, index: Value, value: Value, chunks: &mut Vec<Value>) {
        let is_call = has_type(&value, "tool_use");
        if is_call {
            chunks.push(call_begun(self.calls, &value["id"], &value["name"]));
        } else if let Some(text) = value["text"].as_str().filter(|text| has_type(&value, "text") && !text.is_empty()) {
            chunks.push(delta(&json!({"content": text})));
        }
        let call = is_call.then_some(self.calls);
        self.calls += usize::from(is_call);
        self.blocks.push(Block { index, value, call, json: String::new() });
    }

    /// Adds a delta to its block, to the last one, or to one that it begins: the first of these that takes it.
    fn add(&mut self, event: &Value, chunks: &mut Vec<Value>) {
        let given = &event["delta"];
        let known = self.block(event);
        let kind = given["type"].as_str().unwrap_or_default();
        if let (Some(citation), Some(block)) = (given.get("citation"), known.map(|at| &mut self.blocks[at])) {
            let mut citations = elements(block.value.get("citations")).to_vec();
            citations.push(citation.clone());
            set(&mut block.value, "citations", citations.into());
        }
        let (member, begun) = match kind {
            "text_delta" => ("text", json!({"type": "text", "text": ""})),
            "thinking_delta" => ("thinking", json!({"type": "thinking", "thinking": ""})),
            "signature_delta" => ("signature", json!({"type": "thinking", "thinking": ""})),
            "input_json_delta" => ("partial_json", json!({"type": "tool_use"})),
            _ => return,
        };
        let Some(piece) = given[member].as_str() else { return };
        let last = self.blocks.len().checked_sub(1);
        let taking = [known, last].into_iter().flatten().find(|at| self.blocks[*at].takes(kind));
        if taking.is_none() {
            if piece.is_empty() {
                return;
            }
            self.begin_block(place(event, "index"), begun, chunks);
        }
        let at = taking.unwrap_or(self.blocks.len() - 1);
        let block = &mut self.blocks[at];
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
        let Some(at) = self.block(event) else { return };
        let block = &mut self.blocks[at];
        if is_blank(&block.json) {
            let input = block.value.get("input").filter(|input| !input.is_null()).map_or_else(|| "{}".to_owned(), as_text);
            if let Some(number) = block.call {
                chunks.push(arguments(number, &input));
                block.json.push_str(&input);
            }
            return;
        }
        if block.call.is_some() || block.value.get("input").is_some() {
            let input = parse_object(&block.json).unwrap_or_else(|| block.json.as_str().into());
            set(&mut block.value, "input", input);
        }
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
            chunks
                .push(ended(why.unwrap_or("stop"), usage(&[&event["prompt_eval_count"]], &event["eval_count"], &[], &Value::Null)));
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
