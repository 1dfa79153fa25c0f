//! The message that the chunks of a stream are together.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::{Value, json};

use super::receive::{REASONING, is_opaque_member};
use crate::payload::Flags;
use crate::payload::foreign::camel_calls;
use crate::shared::findings::{Finding, Path, below, steps};
use crate::shared::json::{compact, double, elements, equal, parse_object};
use crate::shared::outcome::Object;
use crate::shared::text::is_blank;

/// A call of a stream.
struct Slot {
    index: Option<f64>,
    id: Option<String>,
    kind: Option<String>,
    kept_name: Option<String>,
    arguments: Option<String>,
    /// The delta of its last entry, and the place of its first one.
    last_array: usize,
    first: Path,
    own: Joined,
    function: Joined,
}

impl Slot {
    fn is_whole(&self) -> bool {
        self.arguments.as_deref().is_some_and(is_whole)
    }
}

/// Whether a text is whole arguments.
fn is_whole(text: &str) -> bool {
    parse_object(text).is_some()
}

/// Values by their names, as they are joined.
#[derive(Default)]
struct Joined {
    values: BTreeMap<String, Option<Value>>,
}

impl Joined {
    /// Adds a value. `false` where it cannot be joined with those before it, for the first time.
    fn add(&mut self, name: &str, value: &Value) -> bool {
        if value.is_null() {
            return true;
        }
        let Some(before) = self.values.get_mut(name) else {
            let first = if value.is_array() { joined_elements(&[], elements(Some(value))) } else { value.clone() };
            self.values.insert(name.to_owned(), Some(first));
            return true;
        };
        let Some(known) = before else { return true };
        *before = match (&*known, value) {
            (Value::String(one), Value::String(other)) => Some(format!("{one}{other}").into()),
            (Value::Array(one), Value::Array(other)) => Some(joined_elements(one, other)),
            (one, other) if equal(one, other) => Some(one.clone()),
            _ => None,
        };
        before.is_some()
    }

    fn into_members(self) -> impl Iterator<Item = (String, Value)> {
        self.values.into_iter().filter_map(|(name, value)| Some((name, value?)))
    }
}

/// The elements of two arrays, in which a thought goes into an unsigned one before it.
fn joined_elements(one: &[Value], other: &[Value]) -> Value {
    let mut out = one.to_vec();
    for element in other {
        let words = out.last().and_then(|last| takes_in(last, element));
        match (out.last_mut(), words) {
            (Some(last), Some(words)) => take_in(last, element, words),
            _ => out.push(element.clone()),
        }
    }
    out.into()
}

/// The member in which a thought has its words.
fn name_of_words(value: &Value) -> Option<&'static str> {
    match value.get("type").and_then(Value::as_str)? {
        "thinking" => Some("thinking"),
        "reasoning.text" if !index_of_thought(value).is_null() => Some("text"),
        _ => None,
    }
}

/// What a thought says, where it says anything.
fn words<'thought>(thought: &'thought Value, name: &str) -> Option<&'thought Value> {
    thought.get(name).filter(|each| !each.is_null())
}

fn index_of_thought(value: &Value) -> &Value {
    value.get("index").unwrap_or(&Value::Null)
}

/// The member with the words of both, where the next thought goes into the last one.
fn takes_in(last: &Value, next: &Value) -> Option<&'static str> {
    let name = name_of_words(last).filter(|name| name_of_words(next) == Some(name))?;
    let signed = last.get("signature").and_then(Value::as_str).is_some_and(|each| !each.is_empty());
    let fits = |one: &Value, other: &Value| one.is_string() && other.is_string() || one.is_array() && other.is_array();
    let alike = match (words(last, name), words(next, name)) {
        (Some(one), Some(other)) => fits(one, other),
        (Some(one), None) | (None, Some(one)) => fits(one, one),
        (None, None) => true,
    };
    (!signed && alike && equal(index_of_thought(last), index_of_thought(next))).then_some(name)
}

fn take_in(last: &mut Value, next: &Value, words: &str) {
    let Some(members) = next.as_object() else { return };
    for (name, value) in members {
        let joined = match (last.get(name), value) {
            (Some(Value::String(one)), Value::String(other)) if name == words => format!("{one}{other}").into(),
            (Some(Value::Array(one)), Value::Array(other)) if name == words => one.iter().chain(other).cloned().collect(),
            (Some(Value::String(_)), Value::Null) if name == words => continue,
            (None | Some(Value::Null), _) => value.clone(),
            (Some(Value::String(one)), _) if one.is_empty() => value.clone(),
            _ => continue,
        };
        last[name.as_str()] = joined;
    }
}

/// What one chunk adds to what is shown.
#[derive(Default)]
pub(super) struct Piece {
    pub(super) spoken: Vec<String>,
    pub(super) refusal: String,
    pub(super) has_entry: bool,
}

/// The joined message, what each chunk says, and what of the chunks is not in it.
pub(super) struct Message {
    pub(super) joined: Object,
    pub(super) pieces: Vec<Piece>,
    pub(super) findings: Vec<Finding>,
}

pub(super) fn joined(chunks: &[Value], flags: &Flags) -> Message {
    let mut joiner = Joiner {
        flags,
        slots: Vec::new(),
        last_at: HashMap::new(),
        is_row: false,
        is_by_place: false,
        named: HashSet::new(),
        deltas: 0,
        spoken: None,
        others: Vec::new(),
        refusal: None,
        own: Joined::default(),
        findings: Vec::new(),
    };
    let mut pieces = Vec::new();
    let (mut cut, mut ended) = (false, false);
    for (at, chunk) in chunks.iter().enumerate() {
        let mut piece = Piece::default();
        ended = ended || chunk == "[DONE]";
        cut = cut || chunk.as_object().and_then(|chunk| chunk.get("error")).is_some_and(|error| !error.is_null());
        if chunk.as_object().is_some_and(|chunk| !OF_CHUNKS.iter().any(|name| chunk.contains_key(*name))) {
            joiner.report("delta_not_read", steps!["chunks", at]);
        }
        if let Some(choice) = choice_of(chunk) {
            let reason = choice.get("finish_reason").and_then(Value::as_str);
            cut = cut || reason.is_some_and(|reason| CUTS.contains(&reason));
            ended = ended || reason.is_some_and(|reason| !is_blank(reason));
            joiner.take_choice(choice, &steps!["chunks", at, "choices", 0usize], &mut piece);
        }
        pieces.push(piece);
    }
    joiner.finish(pieces, cut || !ended)
}

/// What a chunk has; one without is of another interface (TRN-072).
const OF_CHUNKS: [&str; 3] = ["choices", "error", "usage"];

const CUTS: [&str; 12] = [
    "length",
    "model_length",
    "content_filter",
    "insufficient_system_resource",
    "repetition",
    "error",
    "abort",
    "malformed_function_call",
    "MALFORMED_FUNCTION_CALL",
    "unexpected_tool_call",
    "UNEXPECTED_TOOL_CALL",
    "function_call_filter: MALFORMED_FUNCTION_CALL",
];

fn choice_of(chunk: &Value) -> Option<&Object> {
    match chunk.as_object()?.get("choices")?.as_array()?.as_slice() {
        [choice] => choice.as_object(),
        _ => None,
    }
}

fn is_nothing(value: &Value) -> bool {
    value.is_null() || value == "" || value.as_array().is_some_and(Vec::is_empty)
}

struct Joiner<'a> {
    flags: &'a Flags,
    slots: Vec<Slot>,
    /// The last slot of each place in an array of several entries.
    last_at: HashMap<usize, usize>,
    /// Whether the array at hand has several entries, and whether none of them says of which call it is.
    is_row: bool,
    is_by_place: bool,
    /// The members that a delta had so far.
    named: HashSet<String>,
    deltas: usize,
    spoken: Option<String>,
    others: Vec<Value>,
    refusal: Option<String>,
    own: Joined,
    findings: Vec<Finding>,
}

impl Joiner<'_> {
    fn report(&mut self, code: &'static str, path: Path) {
        self.findings.push(Finding::new(code, path));
    }

    /// The delta of a choice, and what its message says beside it.
    fn take_choice(&mut self, choice: &Object, place: &Path, piece: &mut Piece) {
        let delta = choice.get("delta").and_then(Value::as_object);
        if let Some(members) = delta {
            self.named.extend(members.iter().filter(|(_, value)| !is_nothing(value)).map(|(name, _)| name.clone()));
            self.take(members, &below(place, "delta"), piece);
        }
        let Some(message) = choice.get("message").and_then(Value::as_object) else { return };
        let place = below(place, "message");
        for name in ["content", "refusal", "tool_calls"] {
            let lost = message.get(name).filter(|_| self.named.contains(name));
            if lost.is_some_and(|value| !self.is_said(name, value, delta)) {
                self.report("delta_not_read", below(&place, name));
            }
        }
        let mut unsaid = message.clone();
        unsaid.retain(|name, _| !self.named.contains(name));
        self.take(&unsaid, &place, piece);
    }

    /// Whether what a message repeats has been said before.
    fn is_said(&self, name: &str, value: &Value, delta: Option<&Object>) -> bool {
        let joined = match name {
            "content" => self.spoken.as_deref(),
            "refusal" => self.refusal.as_deref(),
            _ => None,
        };
        let beside = delta.and_then(|delta| delta.get(name)).and_then(Value::as_str);
        let is_same = value.as_str().is_some_and(|text| beside == Some(text) || joined == Some(text));
        let repeats_calls = name == "tool_calls" && value.as_array().is_some_and(|calls| calls.len() <= self.slots.len());
        is_nothing(value) || is_same || repeats_calls
    }

    fn take(&mut self, delta: &Object, place: &Path, piece: &mut Piece) {
        self.deltas += 1;
        for (name, value) in delta {
            let place = below(place, name.as_str());
            match (name.as_str(), value) {
                (_, Value::Null) => {}
                ("content", Value::String(text)) => self.speak(text, piece),
                ("content", Value::Array(parts)) => self.take_parts(parts, piece),
                ("refusal", Value::String(text)) => {
                    piece.refusal.push_str(text);
                    self.refusal.get_or_insert_default().push_str(text);
                }
                ("tool_calls", Value::Array(entries)) => self.take_entries(entries, &place, piece),
                ("content" | "refusal" | "tool_calls" | "function_call", _) => self.report("delta_not_read", place),
                (member, _) => {
                    let is_reasoning = REASONING.contains(&member) && value.is_string();
                    if (is_reasoning || is_opaque_member(name, self.flags)) && !self.own.add(name, value) {
                        self.report("opaque_removed", place);
                    }
                }
            }
        }
        if let Some((_, place)) = camel_calls(delta, place) {
            self.report("delta_not_read", place);
        }
    }

    fn speak(&mut self, text: &str, piece: &mut Piece) {
        piece.spoken.push(text.to_owned());
        self.spoken.get_or_insert_default().push_str(text);
    }

    fn take_parts(&mut self, parts: &[Value], piece: &mut Piece) {
        for part in parts {
            let text = part.as_object().filter(|part| part.get("type").is_some_and(|each| each == "text"));
            match text.and_then(|part| part.get("text")).and_then(Value::as_str) {
                Some(text) => self.speak(text, piece),
                None => {
                    let joined = joined_elements(&self.others, std::slice::from_ref(part));
                    self.others = joined.as_array().cloned().unwrap_or_default();
                }
            }
        }
    }

    fn take_entries(&mut self, entries: &[Value], place: &Path, piece: &mut Piece) {
        self.is_row = entries.iter().filter(|entry| entry.is_object()).count() > 1;
        self.is_by_place = self.is_row && !entries.iter().any(says_whose);
        for (at, entry) in entries.iter().enumerate() {
            let place = below(place, at);
            match entry {
                Value::Null => {}
                Value::Object(members) => {
                    piece.has_entry = true;
                    self.take_entry(members, entry, at, &place);
                }
                _ => self.report("delta_not_read", place),
            }
        }
    }

    fn take_entry(&mut self, members: &Object, entry: &Value, at: usize, place: &Path) {
        let function = members.get("function").filter(|each| !each.is_null());
        if function.is_some_and(|each| !each.is_object()) {
            self.report("delta_not_read", below(place, "function"));
        }
        let function = function.and_then(Value::as_object);
        let name = function.and_then(|function| function.get("name")).and_then(Value::as_str);
        let arguments = function.and_then(|function| function.get("arguments")).filter(|each| !each.is_null());
        let arguments = arguments.map(|each| each.as_str().map_or_else(|| compact(each), str::to_owned));
        let id = members.get("id").and_then(Value::as_str).filter(|id| !is_blank(id));
        let index = index_of(entry);
        let beside = self.last_at.get(&at).copied().filter(|_| self.is_by_place);
        let found = self.slot_of(beside, index, id, name.filter(|name| !is_blank(name)), arguments.as_deref());
        let number = found.unwrap_or_else(|| {
            self.slots.push(Slot {
                index: None,
                id: None,
                kind: None,
                kept_name: None,
                arguments: None,
                last_array: 0,
                first: place.clone(),
                own: Joined::default(),
                function: Joined::default(),
            });
            self.slots.len() - 1
        });
        if self.is_row {
            self.last_at.insert(at, number);
        }
        let array = self.deltas;
        let flags = self.flags;
        let slot = &mut self.slots[number];
        slot.index = slot.index.or(index);
        slot.id = slot.id.take().or_else(|| id.map(str::to_owned));
        let kind = members.get("type").and_then(Value::as_str).filter(|kind| !is_blank(kind));
        slot.kind = slot.kind.take().or_else(|| kind.map(str::to_owned));
        slot.last_array = array;
        if let Some(name) = name.filter(|name| slot.kept_name.as_deref() != Some(*name)) {
            slot.kept_name.get_or_insert_default().push_str(name);
        }
        if let Some(piece) = arguments {
            let again = slot.arguments.as_ref() == Some(&piece) && is_whole(&piece);
            if !again {
                slot.arguments.get_or_insert_default().push_str(&piece);
            }
        }
        let mut lost = Vec::new();
        for (name, value) in members.iter().filter(|(name, _)| flags.is_opaque(name)) {
            if !slot.own.add(name, value) {
                lost.push(below(place, name.as_str()));
            }
        }
        for (name, value) in function.into_iter().flatten().filter(|(name, _)| flags.is_opaque(name)) {
            if !slot.function.add(name, value) {
                lost.push(below(&below(place, "function"), name.as_str()));
            }
        }
        for place in lost {
            self.report("opaque_removed", place);
        }
    }

    /// The slot into which an entry goes.
    fn slot_of(
        &self,
        beside: Option<usize>,
        index: Option<f64>,
        id: Option<&str>,
        name: Option<&str>,
        piece: Option<&str>,
    ) -> Option<usize> {
        let has_id = |slot: &Slot| id.is_some() && slot.id.as_deref() == id;
        let has_index = |slot: &Slot| index.is_some() && slot.index == index;
        let loose = |slot: &Slot| index.is_none() || slot.index.is_none();
        let last = |fits: &dyn Fn(&Slot) -> bool| self.slots.iter().rposition(fits);
        let end = self.slots.len().checked_sub(1);
        let speaks = piece.is_some_and(|piece| !is_blank(piece));
        let number = beside
            .or_else(|| last(&|slot| has_index(slot) && has_id(slot)))
            .or_else(|| last(&has_index))
            .or_else(|| last(&has_id).filter(|number| loose(&self.slots[*number])))
            .or_else(|| end.filter(|number| loose(&self.slots[*number])))
            .or_else(|| end.filter(|number| id.is_none() && name.is_none() && speaks && !self.slots[*number].is_whole()))?;
        let slot = &self.slots[number];
        let differ = id.is_some() && slot.id.is_some() && slot.id.as_deref() != id;
        let further = speaks && slot.arguments.as_deref() != piece && slot.is_whole();
        let same_array = slot.last_array == self.deltas && loose(slot);
        (name.is_none() || !(differ || further || same_array)).then_some(number)
    }

    fn finish(mut self, pieces: Vec<Piece>, truncated: bool) -> Message {
        let mut message = Object::new();
        let text = self.spoken.map(Value::from);
        let text = if self.others.is_empty() {
            text.unwrap_or_default()
        } else {
            let spoken = text.map(|text| json!({"type": "text", "text": text}));
            self.others.into_iter().chain(spoken).collect()
        };
        message.insert("text".into(), text);
        let mut calls = Vec::new();
        let mut seen = HashSet::new();
        for slot in self.slots {
            let said = (slot.kept_name.clone(), slot.arguments.clone());
            let keys = [slot.index.map(|index| index.to_string()), slot.id.as_ref().map(|id| format!("\"{id}"))];
            let keyed: Vec<_> = keys.into_iter().flatten().map(|key| (key, said.clone())).collect();
            let is_known = keyed.iter().any(|call| seen.contains(call));
            seen.extend(keyed);
            if slot.index.is_some() && slot.is_whole() && is_known {
                self.findings.push(Finding::new("delta_not_read", slot.first));
                continue;
            }
            let mut function = Object::new();
            if let Some(kept) = slot.kept_name {
                function.insert("name".into(), kept.into());
            }
            if let Some(arguments) = slot.arguments {
                function.insert("arguments".into(), arguments.into());
            }
            function.extend(slot.function.into_members());
            let mut call = Object::new();
            if let Some(id) = slot.id {
                call.insert("id".into(), id.into());
            }
            if let Some(kind) = slot.kind {
                call.insert("type".into(), kind.into());
            }
            call.insert("function".into(), function.into());
            call.extend(slot.own.into_members());
            calls.push(Value::Object(call));
        }
        message.insert("tool_calls".into(), if calls.is_empty() { Value::Null } else { calls.into() });
        message.insert("truncated".into(), truncated.into());
        if let Some(refusal) = self.refusal {
            message.insert("refusal".into(), refusal.into());
        }
        message.extend(self.own.into_members());
        Message { joined: message, pieces, findings: self.findings }
    }
}

fn says_whose(entry: &Value) -> bool {
    index_of(entry).is_some() || entry.get("id").and_then(Value::as_str).is_some_and(|id| !is_blank(id))
}

fn index_of(entry: &Value) -> Option<f64> {
    let index = double(entry.get("index")?.as_number()?);
    (index.fract() == 0.0).then_some(index)
}
