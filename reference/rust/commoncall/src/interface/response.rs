//! The events of Responses: the chunks for them, and the response that they are together.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::events::{arguments, call_begun, delta, ended, place, usage};
use super::reply;
use super::table::{Table, as_text, present};
use super::units::call_of;
use crate::shared::json::{compact, compact_string, elements};
use crate::shared::outcome::Object;
use crate::shared::text::is_blank;

/// What events bring pieces of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    Text,
    Refusal,
    Reasoning,
    Summary,
    Arguments,
    Input,
}

impl Piece {
    fn of(event: &str) -> Option<Self> {
        Some(match event {
            "response.output_text" => Self::Text,
            "response.refusal" => Self::Refusal,
            "response.reasoning_text" => Self::Reasoning,
            "response.reasoning_summary_text" => Self::Summary,
            "response.function_call_arguments" => Self::Arguments,
            "response.custom_tool_call_input" => Self::Input,
            _ => return None,
        })
    }

    /// The kind of its item, and an item of nothing else.
    fn item(self) -> (&'static str, Value) {
        match self {
            Self::Text | Self::Refusal => ("message", json!({"type": "message", "role": "assistant"})),
            Self::Reasoning | Self::Summary => ("reasoning", json!({"type": "reasoning", "summary": []})),
            Self::Arguments => ("call", json!({"type": "function_call"})),
            Self::Input => ("call", json!({"type": "custom_tool_call"})),
        }
    }

    /// The member that has the whole of it.
    const fn whole(self) -> &'static str {
        match self {
            Self::Text | Self::Reasoning | Self::Summary => "text",
            Self::Refusal => "refusal",
            Self::Arguments => "arguments",
            Self::Input => "input",
        }
    }

    /// The member of an item that has it, and the type of the part there.
    const fn part(self) -> (&'static str, &'static str) {
        match self {
            Self::Refusal => ("content", "refusal"),
            Self::Reasoning => ("content", "reasoning_text"),
            Self::Summary => ("summary", "summary_text"),
            _ => ("content", "output_text"),
        }
    }

    /// The member of a delta that says it.
    const fn delta(self) -> Option<&'static str> {
        match self {
            Self::Text => Some("content"),
            Self::Refusal => Some("refusal"),
            _ => None,
        }
    }
}

/// What an event tells of an item.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Added,
    Done,
    Piece,
}

/// An item that began, with the pieces that came of it.
struct Item {
    value: Value,
    pieces: Vec<(Piece, String)>,
    /// Of those of a call together.
    arguments: String,
    /// Of a call that chunks have begun, its index there.
    number: Option<usize>,
    /// Whether an event told which item it is.
    is_placed: bool,
    is_done: bool,
}

impl Item {
    const fn new(value: Value) -> Self {
        Self { value, pieces: Vec::new(), arguments: String::new(), number: None, is_placed: false, is_done: false }
    }

    fn came(&self, kind: Piece) -> String {
        if kind == Piece::Arguments {
            return self.arguments.clone();
        }
        self.pieces.iter().filter(|(own, _)| *own == kind).map(|(_, piece)| piece.as_str()).collect()
    }

    /// The item as it was told, with its pieces where that says nothing.
    fn filled(&self, value: &Value) -> Value {
        let mut value = value.clone();
        for (name, said) in self.said() {
            if says_nothing(&value[name]) {
                value[name] = said;
            }
        }
        value
    }

    /// The members that the pieces make.
    fn said(&self) -> Vec<(&'static str, Value)> {
        if self.pieces.iter().any(|(kind, _)| *kind == Piece::Input) {
            return vec![("input", self.came(Piece::Input).into())];
        }
        if !is_blank(&self.arguments) {
            return vec![("arguments", self.arguments.as_str().into())];
        }
        let mut said: [(_, Vec<Value>); 2] = [("content", Vec::new()), ("summary", Vec::new())];
        for run in self.pieces.chunk_by(|(one, _), (next, _)| one == next) {
            let Some((kind, _)) = run.first() else { continue };
            let text: String = run.iter().map(|(_, piece)| piece.as_str()).collect();
            let (member, part) = kind.part();
            let parts = said.iter_mut().find(|(name, _)| *name == member);
            if let Some((_, parts)) = parts.filter(|_| !is_blank(&text)) {
                parts.push(json!({"type": part, kind.whole(): text}));
            }
        }
        said.into_iter().filter(|(_, parts)| !parts.is_empty()).map(|(name, parts)| (name, parts.into())).collect()
    }
}

/// An id; null for an empty one.
fn id_in(value: &Value, name: &str) -> Value {
    Some(place(value, name)).filter(|id| id != "").unwrap_or_default()
}

/// Whether a call has what chunks can begin it with: an id, and a name.
fn is_known(call: &Value) -> bool {
    ["call_id", "name"].iter().all(|name| !id_in(call, name).is_null())
}

/// Whether a member of an item says nothing: a text, or parts.
fn says_nothing(given: &Value) -> bool {
    match given {
        Value::Null => true,
        Value::String(text) => is_blank(text),
        Value::Array(parts) => parts.iter().all(|part| part["text"] == "" || part["refusal"] == ""),
        _ => false,
    }
}

/// A response of Responses.
pub(super) struct Response {
    table: Table,
    /// The response that ended.
    whole: Option<Value>,
    /// In the order in which they began.
    items: Vec<Item>,
    /// In the order in which they were done.
    done: Vec<usize>,
    /// By kind and place.
    known: HashMap<(String, &'static str, String), usize>,
    /// The last of each kind.
    last: HashMap<String, usize>,
    /// The calls that chunks have begun, by their ids.
    calls: HashMap<Value, usize>,
    begun: usize,
    /// What came of all items.
    text: String,
    refusal: String,
}

impl Response {
    pub(super) fn new(table: Table) -> Self {
        Self {
            table,
            whole: None,
            items: Vec::new(),
            done: Vec::new(),
            known: HashMap::new(),
            last: HashMap::new(),
            calls: HashMap::new(),
            begun: 0,
            text: String::new(),
            refusal: String::new(),
        }
    }

    pub(super) fn read(&mut self, event: &Value, chunks: &mut Vec<Value>) {
        let kind = event.get("type").and_then(Value::as_str).unwrap_or_default();
        let why = match kind {
            "response.completed" => "stop",
            "response.incomplete" => "length",
            "response.failed" => "error",
            _ => {
                self.read_item(kind, event, chunks);
                return;
            }
        };
        let output = self.end(event.get("response").filter(|each| each.is_object()));
        if why != "error" {
            self.say_rest(&output, chunks);
        }
        chunks.push(ended(why, usage_in(&event["response"]["usage"])));
    }

    fn read_item(&mut self, kind: &str, event: &Value, chunks: &mut Vec<Value>) {
        let Some((name, step)) = kind.rsplit_once('.') else { return };
        let step = match step {
            "added" => Step::Added,
            "done" => Step::Done,
            "delta" => Step::Piece,
            _ => return,
        };
        if name == "response.output_item" {
            if let Some(item) = event.get("item").filter(|item| item.is_object() && step != Step::Piece) {
                self.tell(event, item, step, chunks);
            }
            return;
        }
        let Some(piece) = Piece::of(name) else { return };
        let (kind, begun) = piece.item();
        match (step, event["delta"].as_str(), event[piece.whole()].as_str()) {
            (Step::Piece, Some(text), _) => {
                let at = self.item(kind, event, &begun, Step::Piece);
                self.add(at, piece, text, chunks);
            }
            (Step::Done, _, Some(whole)) => {
                let at = self.item(kind, event, &begun, Step::Piece);
                self.settle(at, piece, whole, chunks);
            }
            _ => {}
        }
    }

    /// The position of the item of an event; of one that begins with it where there is none.
    fn item(&mut self, kind: &str, event: &Value, value: &Value, step: Step) -> usize {
        let is_told = step != Step::Piece;
        let ids = if is_told { vec![id_in(value, "id"), id_in(value, "call_id")] } else { vec![id_in(event, "item_id")] };
        let index = place(event, "output_index");
        let has_index = !index.is_null();
        let named = |name, place: Value| Some((kind.to_owned(), name, place.as_str()?.to_owned()));
        let ids = ids.into_iter().filter_map(|id| named("id", id));
        let places: Vec<_> = named("output_index", index).into_iter().chain(ids).collect();
        let looked_up = if has_index { &places[..1] } else { &places[..] };
        let found = looked_up.iter().find_map(|place| self.known.get(place).copied());
        let can_be_last = |last: &usize| !self.items[*last].is_placed || !has_index && step != Step::Added;
        let found = found.or_else(|| self.last.get(kind).copied().filter(can_be_last));
        let found = found.filter(|at| !is_told || !self.is_other(&self.items[*at], value));
        let at = found.unwrap_or_else(|| {
            self.items.push(Item::new(value.clone()));
            self.last.insert(kind.to_owned(), self.items.len() - 1);
            self.items.len() - 1
        });
        self.items[at].is_placed |= is_told || !places.is_empty();
        self.known.extend(places.into_iter().map(|place| (place, at)));
        at
    }

    /// Whether an item that is told is another than the one that began at its place.
    fn is_other(&self, known: &Item, told: &Value) -> bool {
        let is_call = self.table.is_call(told);
        let name = if is_call { "call_id" } else { "id" };
        let (own, new) = (id_in(&known.value, name), id_in(told, name));
        if known.is_done {
            return new.is_null() || new != own;
        }
        is_call && !own.is_null() && !new.is_null() && new != own
    }

    fn tell(&mut self, event: &Value, value: &Value, step: Step, chunks: &mut Vec<Value>) {
        let is_call = self.table.is_call(value);
        let at = self.item(&self.kind_of(value), event, value, step);
        let is_done = step == Step::Done;
        let value = &if is_done { self.items[at].filled(value) } else { value.clone() };
        if is_done && !self.items[at].is_done {
            self.done.push(at);
        }
        if is_done || !self.items[at].is_done {
            self.items[at].value = value.clone();
        }
        self.items[at].is_done |= is_done;
        if is_call && (is_done || is_known(value)) {
            self.begin(at, chunks);
        }
        if is_done {
            for (piece, whole) in self.said(value) {
                self.settle(at, piece, &whole, chunks);
            }
        }
    }

    /// Of which kind an item is.
    fn kind_of(&self, item: &Value) -> String {
        if self.table.is_call(item) {
            return "call".to_owned();
        }
        present(item, "type").map_or_else(|| "message".to_owned(), as_text)
    }

    /// The items of a response, with the pieces that came of them.
    fn whole(&self, output: &[Value]) -> Vec<Value> {
        let mut given = HashSet::new();
        let whole = output.iter().map(|value| {
            let mut ids = ["id", "call_id"].into_iter().filter_map(|name| place(value, name).as_str().map(ToOwned::to_owned));
            let known = ids.find_map(|id| self.known.get(&(self.kind_of(value), "id", id)).copied());
            known.filter(|at| given.insert(*at)).map_or_else(|| value.clone(), |at| self.items[at].filled(value))
        });
        whole.collect()
    }

    /// Begins a call that chunks have not begun, with the arguments that came before it.
    fn begin(&mut self, at: usize, chunks: &mut Vec<Value>) {
        if self.items[at].number.is_some() {
            return;
        }
        let item = &mut self.items[at];
        item.number = Some(self.begun);
        self.calls.insert(place(&item.value, "call_id"), at);
        let call = call_of(self.table, &item.value);
        chunks.push(call_begun(self.begun, &item.value["call_id"], &call["function"]["name"]));
        if !item.arguments.is_empty() {
            chunks.push(arguments(self.begun, &item.arguments));
        }
        self.begun += 1;
    }

    fn add(&mut self, at: usize, kind: Piece, piece: &str, chunks: &mut Vec<Value>) {
        let item = &mut self.items[at];
        if kind == Piece::Arguments {
            item.arguments.push_str(piece);
            chunks.extend(item.number.map(|number| arguments(number, piece)));
            return;
        }
        item.pieces.push((kind, piece.to_owned()));
        match kind {
            Piece::Text => self.text.push_str(piece),
            Piece::Refusal => self.refusal.push_str(piece),
            Piece::Input => {
                // As it stands in the compact JSON of the object that the tool takes here.
                let start = if item.arguments.is_empty() { "{\"input\":\"" } else { "" };
                let written = compact_string(piece);
                self.add(at, Piece::Arguments, &format!("{start}{}", &written[1..written.len() - 1]), chunks);
            }
            _ => {}
        }
        chunks.extend(kind.delta().map(|name| delta(&json!({name: piece}))));
    }

    /// Takes what an item is in the end: what is left of it.
    fn settle(&mut self, at: usize, kind: Piece, whole: &str, chunks: &mut Vec<Value>) {
        let came = self.items[at].came(kind);
        let rest = rest_of(whole, &came);
        if kind == Piece::Input {
            self.items[at].pieces.push((kind, rest.to_owned()));
            self.settle(at, Piece::Arguments, &compact(&json!({"input": whole})), chunks);
        } else if !rest.is_empty() {
            self.add(at, kind, rest, chunks);
        }
    }

    /// The arguments of a call, or the text and the refusal of any other item.
    fn said(&self, item: &Value) -> Vec<(Piece, String)> {
        let text = |value: &Value| value.as_str().map(ToOwned::to_owned);
        if self.table.is_call(item) {
            let call = call_of(self.table, item);
            return present(&call["function"], "arguments").map(|given| (Piece::Arguments, as_text(given))).into_iter().collect();
        }
        let reply = json!({"interface": "openai-responses", "reply": {"output": [item]}});
        let message = reply::read(reply.as_object().unwrap_or(&Object::new()))["message"].take();
        let said = [(Piece::Text, text(&message["text"])), (Piece::Refusal, text(&message["refusal"]))];
        said.into_iter().filter_map(|(kind, said)| Some((kind, said?))).collect()
    }

    /// Ends a response; gives what it holds, or where it has no item, those that came before it.
    fn end(&mut self, response: Option<&Value>) -> Vec<(Option<usize>, Value)> {
        let done = self.done.iter().map(|at| (Some(*at), self.items[*at].value.clone()));
        let open =
            self.items.iter().enumerate().filter(|(_, item)| !item.is_done).map(|(at, item)| (Some(at), item.filled(&item.value)));
        let came: Vec<_> = done.chain(open).collect();
        let Some(response) = response else { return came };
        let mut whole = response.clone();
        let is_empty = present(response, "output").is_none_or(|output| output.as_array().is_some_and(Vec::is_empty));
        let output = if is_empty {
            came
        } else {
            self.whole(elements(response.get("output"))).into_iter().map(|value| (None, value)).collect()
        };
        if !output.is_empty() {
            whole["output"] = output.iter().map(|(_, value)| value.clone()).collect();
        }
        self.whole = Some(whole);
        output
    }

    /// Says what the end of a response holds and no event before it said.
    fn say_rest(&mut self, output: &[(Option<usize>, Value)], chunks: &mut Vec<Value>) {
        let begun = self.calls.clone();
        let said: Vec<_> = output.iter().map(|(_, value)| self.said(value)).collect();
        let mut left = [(Piece::Text, &self.text), (Piece::Refusal, &self.refusal)].map(|(kind, came)| {
            let texts = said.iter().flatten().filter(|(own, _)| *own == kind);
            let whole: String = texts.map(|(_, text)| text.as_str()).collect();
            (kind, whole.len() - rest_of(&whole, came).len())
        });
        for ((at, value), said) in output.iter().zip(said) {
            if self.table.is_call(value) {
                let at = at.or_else(|| begun.get(&place(value, "call_id")).copied()).unwrap_or_else(|| {
                    // No event brought it: it is none of those that came (ITF-028).
                    self.items.push(Item { is_done: true, ..Item::new(value.clone()) });
                    self.items.len() - 1
                });
                self.begin(at, chunks);
                for (piece, whole) in &said {
                    self.settle(at, *piece, whole, chunks);
                }
                continue;
            }
            for (kind, left) in &mut left {
                let Some((_, text)) = said.iter().find(|(own, _)| own == kind) else { continue };
                let rest = text.get(*left..).filter(|rest| !rest.is_empty());
                chunks.extend(rest.zip(kind.delta()).map(|(rest, name)| delta(&json!({name: rest}))));
                *left = left.saturating_sub(text.len());
            }
        }
    }

    pub(super) fn reply(self) -> Value {
        if let Some(whole) = self.whole {
            return whole;
        }
        if self.done.is_empty() {
            return Value::Null;
        }
        let done: Vec<_> = self.done.iter().map(|at| &self.items[*at].value).collect();
        json!({"status": "incomplete", "output": done})
    }
}

fn usage_in(told: &Value) -> Option<Value> {
    let before = &told["input_tokens_details"];
    let details = ["cached_tokens", "cache_write_tokens"].map(|name| (name, &before[name]));
    usage(&[&told["input_tokens"]], &told["output_tokens"], &details, &told["output_tokens_details"]["reasoning_tokens"])
}

/// What a text has beyond what came of it.
fn rest_of<'text>(whole: &'text str, came: &str) -> &'text str {
    if is_blank(came) { whole } else { whole.strip_prefix(came).unwrap_or_default() }
}
