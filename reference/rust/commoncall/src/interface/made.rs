//! The blocks of a message of the contracts: carried ones that stay, and new ones.

use std::collections::{HashMap, HashSet, VecDeque};

use serde_json::{Value, json};

use super::table::{Table, as_text, others_in, present, unsaid};
use super::tools::Owns;
use super::units::{Unit, call_of, part_of, parts_of};
use crate::shared::findings::{Finding, Path, steps};
use crate::shared::json::{canonical, elements, equal, parse_object};
use crate::shared::outcome::Object;

/// A block that is sent.
pub(super) struct Made {
    pub(super) value: Value,
    /// Which block of which unit it is, if it was carried.
    pub(super) block: Option<(usize, usize)>,
}

/// Finds for each message, one after the other, the unit that was carried for it.
pub(super) struct Matcher {
    by_key: HashMap<String, VecDeque<usize>>,
    used: Vec<bool>,
    /// Behind the units of all messages so far that are no results.
    floor: usize,
    /// The ids that the calls of new ids had.
    ids: HashMap<Option<String>, Option<String>>,
}

impl Matcher {
    pub(super) fn new(units: &[Unit]) -> Self {
        let mut by_key: HashMap<String, VecDeque<usize>> = HashMap::new();
        let none = HashMap::new();
        for (at, unit) in units.iter().enumerate() {
            for key in keys(&unit.message, &none) {
                by_key.entry(key).or_default().push_back(at);
            }
        }
        Self { by_key, used: vec![false; units.len()], floor: 0, ids: HashMap::new() }
    }

    pub(super) fn unit_of(&mut self, units: &[Unit], message: &Value) -> Option<usize> {
        let is_result = is_result(message);
        let found = keys(message, &self.ids).into_iter().find_map(|key| {
            let units = self.by_key.get_mut(&key)?;
            while units.front().is_some_and(|at| self.used[*at] || !is_result && *at < self.floor) {
                units.pop_front();
            }
            units.iter().copied().find(|at| !self.used[*at])
        })?;
        self.used[found] = true;
        if !is_result {
            self.floor = found + 1;
        }
        let [old, new] = [&units[found].message, message].map(calls_in);
        if old.len() == new.len() {
            let pairs = new.into_iter().zip(old);
            let id = |call: &Value| present(call, "id").map(as_text);
            self.ids.extend(pairs.map(|(new, old)| (id(new), id(old))));
        }
        Some(found)
    }
}

/// The calls of a message that are objects.
fn calls_in(message: &Value) -> Vec<&Value> {
    elements(message.get("tool_calls")).iter().filter(|call| call.is_object()).collect()
}

fn is_result(message: &Value) -> bool {
    message.get("role").is_some_and(|role| role == "tool")
}

/// What a message can have in common with the message of its unit, the surest first.
fn keys(message: &Value, ids: &HashMap<Option<String>, Option<String>>) -> Vec<String> {
    let mut found = Vec::new();
    let calls = calls_in(message);
    if is_result(message) {
        let id = present(message, "tool_call_id").map(as_text);
        let before = ids.get(&id).unwrap_or(&id);
        found.push(before.as_ref().map_or_else(|| "result".to_owned(), |id| format!("result {id}")));
    } else if !calls.is_empty() {
        found.extend(calls.iter().filter_map(|call| Some(format!("call {}", as_text(present(call, "id")?)))));
        let functions: Vec<Value> = calls.iter().map(|call| call["function"].clone()).collect();
        found.push(format!("functions {}", canonical(&functions.into())));
    }
    if let Some(content) = present(message, "content") {
        found.push(format!("content {}", canonical(content)));
    } else {
        found.push(format!("all {}", canonical(message)));
    }
    // With another role it is another message.
    let role = present(message, "role").map(canonical).unwrap_or_default();
    found.into_iter().map(|key| format!("{role} {key}")).collect()
}

/// Makes the blocks of messages.
pub(super) struct Maker<'a> {
    pub(super) table: Table,
    pub(super) units: &'a [Unit],
    pub(super) matcher: Matcher,
    pub(super) findings: Vec<Finding>,
    pub(super) known: Known,
}

/// What a call of each carried function has, and the ids of calls whose tools take a text.
pub(super) struct Known {
    owns: Owns,
    text_ids: HashSet<String>,
}

impl Known {
    pub(super) fn new(table: Table, owns: Owns, messages: &[Value]) -> Self {
        let calls = messages.iter().flat_map(|message| elements(message.get("tool_calls")));
        let is_text = |call: &&Value| {
            let own = call["function"]["name"].as_str().and_then(|name| owns.get(name));
            own.is_some_and(|own| own.get("type").is_some_and(|kind| kind == table.name("/text_tool/call")))
        };
        let text_ids = calls.filter(is_text).filter_map(|call| call.get("id")?.as_str()).map(str::to_owned).collect();
        Self { owns, text_ids }
    }
}

impl Maker<'_> {
    /// The blocks of a message, and the unit that was found for it.
    pub(super) fn blocks(&mut self, at: usize, message: &Value) -> (Vec<Made>, Option<usize>) {
        let place = steps!["request", "messages", at];
        let found = self.matcher.unit_of(self.units, message);
        let number = found.filter(|number| !self.units[*number].is_own);
        let unit = number.map(|number| &self.units[number]);
        if let Some((number, unit)) = number.zip(unit).filter(|(_, unit)| equal(&unit.message, message)) {
            let made = |(at, block): (usize, &super::units::Block)| Made { value: block.value.clone(), block: Some((number, at)) };
            return (unit.blocks.iter().enumerate().map(made).collect(), found);
        }
        let known: &[&str] =
            if is_result(message) { &["role", "content", "tool_call_id", "name"] } else { &["role", "content", "tool_calls"] };
        for (name, value) in message.as_object().into_iter().flatten() {
            if !value.is_null() && !known.contains(&name.as_str()) {
                self.not_written(&place, steps![name.as_str()]);
            }
        }
        let made =
            if is_result(message) { vec![self.result(&place, message, number)] } else { self.others(&place, message, number) };
        (made, found)
    }

    fn not_written(&mut self, place: &Path, inner: Path) {
        self.findings.push(Finding::new("not_written", place.iter().cloned().chain(inner).collect()));
    }

    /// Reports the members of a call that its block has no place for.
    fn not_said(&mut self, place: &Path, at: usize, call: &Value) {
        for name in others_in(call, &["id", "type", "function"]) {
            self.not_written(place, steps!["tool_calls", at, name]);
        }
        for name in others_in(&call["function"], &["name", "arguments"]) {
            self.not_written(place, steps!["tool_calls", at, "function", name]);
        }
    }

    fn result(&mut self, place: &Path, message: &Value, number: Option<usize>) -> Made {
        let table = self.table;
        let carried = number.map(|number| &self.units[number]);
        let mut block = carried.and_then(|unit| unit.blocks[0].value.as_object()).cloned().unwrap_or_default();
        let is_text = message["tool_call_id"].as_str().is_some_and(|id| self.known.text_ids.contains(id));
        let kind = table.name(if is_text { "/text_tool/result" } else { "/result/type" });
        let is_same = block.insert("type".into(), kind.into()).is_some_and(|was| was == kind);
        block.insert(table.name("/result/id").into(), message["tool_call_id"].clone());
        let content = message.get("content").unwrap_or(&Value::Null);
        if !is_same || !carried.is_some_and(|unit| equal(&unit.message["content"], content)) {
            let content = match content {
                Value::Array(parts) => {
                    let mut blocks = Vec::new();
                    for (at, part) in parts.iter().enumerate() {
                        blocks.extend(self.fresh(place, at, part, "tool").map(|made| made.value));
                    }
                    blocks.into()
                }
                other => other.clone(),
            };
            block.insert(table.name("/result/content").into(), content);
        }
        Made { value: block.into(), block: number.map(|number| (number, 0)) }
    }

    fn others(&mut self, place: &Path, message: &Value, number: Option<usize>) -> Vec<Made> {
        let role = message["role"].as_str().unwrap_or_default();
        let content = message.get("content");
        let parts = parts_of(content);
        if content.is_some_and(|content| !matches!(content, Value::Null | Value::String(_) | Value::Array(_))) {
            self.not_written(place, steps!["content"]);
        }
        if message.get("tool_calls").is_some_and(|calls| !matches!(calls, Value::Null | Value::Array(_))) {
            self.not_written(place, steps!["tool_calls"]);
        }
        let calls = elements(message.get("tool_calls"));
        let mut became = vec![false; calls.len()];
        let mut next = 0;
        let mut made = Vec::new();
        let unit = number.map(|number| &self.units[number]);
        let table = self.table;
        let is_call = |value: &Value| role == "assistant" && table.is_call(value);
        let before = unit.map_or(0, |unit| unit.blocks.iter().filter(|block| is_call(&block.value)).count());
        let mut seen = 0;
        for (at, block) in unit.into_iter().flat_map(|unit| unit.blocks.iter().enumerate()) {
            let block_at = number.map(|number| (number, at));
            if is_call(&block.value) {
                let id = present(&block.value, self.table.name("/call/id")).map(as_text);
                let same = || (0..calls.len()).find(|at| !became[*at] && present(&calls[*at], "id").map(as_text) == id);
                let target = if before == calls.len() { Some(seen) } else { same() };
                seen += 1;
                let Some(target) = target else { continue };
                became[target] = true;
                if equal(&call_of(self.table, &block.value), &calls[target]) {
                    made.push(Made { value: block.value.clone(), block: block_at });
                } else if let Some(Value::Object(new)) =
                    self.call_block(&calls[target], Some(&self.kept(&block.value, &calls[target])))
                {
                    self.not_said(place, target, &calls[target]);
                    let mut value = block.value.as_object().cloned().unwrap_or_default();
                    value.extend(new);
                    made.push(Made { value: value.into(), block: block_at });
                } else {
                    self.not_written(place, steps!["tool_calls", target]);
                }
                continue;
            }
            let own = part_of(self.table, role, &block.value);
            let Some(found) = (next..parts.len()).find(|at| equal(&parts[*at], &own)) else { continue };
            made.extend((next..found).filter_map(|at| self.fresh(place, at, &parts[at], role)));
            made.push(Made { value: block.value.clone(), block: block_at });
            next = found + 1;
        }
        made.extend((next..parts.len()).filter_map(|at| self.fresh(place, at, &parts[at], role)));
        for (at, call) in calls.iter().enumerate().filter(|(at, _)| !became[*at]) {
            let own = call["function"]["name"].as_str().and_then(|name| self.known.owns.get(name));
            match self.call_block(call, own) {
                Some(value) => {
                    self.not_said(place, at, call);
                    made.push(Made { value, block: None });
                }
                None => self.not_written(place, steps!["tool_calls", at]),
            }
        }
        made
    }

    fn fresh(&mut self, place: &Path, at: usize, part: &Value, role: &str) -> Option<Made> {
        let block = self.block_of(part, role);
        let lost = if block.is_none() { vec![Path::new()] } else { unsaid(part, Some(self.table)) };
        for inner in lost {
            self.not_written(place, steps!["content", at].into_iter().chain(inner).collect());
        }
        block.map(|value| Made { value, block: None })
    }

    /// The block for a part.
    pub(super) fn block_of(&self, part: &Value, role: &str) -> Option<Value> {
        let table = self.table;
        let is_assistant = role == "assistant";
        match part.get("type").and_then(Value::as_str)? {
            "text" if part["text"].is_string() => {
                let kind = table.name(if is_assistant { "/text/assistant" } else { "/text/user" });
                Some(json!({"type": kind, "text": part["text"]}))
            }
            "image_url" if !is_assistant => image(table, part.get("image_url")?),
            "file" => file(table, part.get("file")?),
            "refusal" if table.has_items() && part["refusal"].is_string() => Some(part.clone()),
            _ if is_assistant && table.is_own(part) => Some(part.clone()),
            _ => None,
        }
    }

    /// What a carried call has now: its type, and its name, which is another one only without a namespace.
    fn kept(&self, block: &Value, call: &Value) -> Object {
        let mut kept = self.table.own_of(block);
        if self.table.namespace_of(block).is_none() {
            kept.insert("name".to_owned(), call["function"]["name"].clone());
        }
        kept
    }

    /// The block for a call of a carried function, or of another.
    pub(super) fn call_block(&self, call: &Value, own: Option<&Object>) -> Option<Value> {
        let table = self.table;
        let text = call["function"]["arguments"].as_str()?;
        let mut block = Object::new();
        block.insert("type".into(), table.name("/call/type").into());
        block.insert(table.name("/call/id").to_owned(), call["id"].clone());
        match own {
            Some(own) => block.extend(own.clone()),
            None => block.extend([("name".to_owned(), call["function"]["name"].clone())]),
        }
        let (member, given) = if block["type"] == table.name("/call/type") {
            let arguments = if table.takes_object() { parse_object(text)? } else { text.into() };
            (table.name("/call/arguments"), arguments)
        } else {
            ("input", text_in(text).into())
        };
        block.insert(member.to_owned(), given);
        Some(block.into())
    }

    /// Whether what stands for a block in the contracts, written anew, is the block.
    pub(super) fn says_all(&self, unit: &Unit, block: &Value) -> bool {
        let table = self.table;
        let Some(members) = block.as_object() else { return true };
        if unit.is_result {
            let known = ["/result/type", "/result/id", "/result/content"].map(|each| table.name(each));
            return members.keys().all(|name| name == "type" || known[1..].contains(&name.as_str()));
        }
        let role = unit.message["role"].as_str().unwrap_or_default();
        let anew = if role == "assistant" && table.is_call(block) {
            self.call_block(&call_of(table, block), Some(&table.own_of(block)))
        } else {
            self.block_of(&part_of(table, role, block), role)
        };
        anew.is_some_and(|anew| equal(&anew, block))
    }
}

/// The text that a tool takes that takes one.
pub(super) fn text_in(arguments: &str) -> String {
    let text = parse_object(arguments).and_then(|read| read.get("input")?.as_str().map(str::to_owned));
    text.unwrap_or_else(|| arguments.to_owned())
}

fn image(table: Table, given: &Value) -> Option<Value> {
    let url = given.get("url")?.as_str()?;
    if table.has_items() {
        let mut block = given.as_object()?.clone();
        block.shift_remove("url");
        block.insert("type".into(), "input_image".into());
        block.insert("image_url".into(), url.into());
        block.entry("detail").or_insert_with(|| "auto".into());
        return Some(block.into());
    }
    let data = url.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,"));
    let source = match data {
        Some((media, data)) => json!({"type": "base64", "media_type": media, "data": data}),
        None => json!({"type": "url", "url": url}),
    };
    Some(json!({"type": "image", "source": source}))
}

fn file(table: Table, given: &Value) -> Option<Value> {
    if table.is_own(given) {
        return Some(given.clone());
    }
    let mut block =
        given.as_object().filter(|file| table.has_items() && file.get("file_data").is_some_and(Value::is_string))?.clone();
    block.insert("type".into(), "input_file".into());
    Some(block.into())
}
