//! A request in the form of the contracts, written for an interface.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::flat;
use super::made::{Known, Made, Maker, Matcher};
use super::read::units_of;
use super::table::{Table, has_type, others_in, present};
use super::tools::{Choice, Owns, choice_bare, choice_read, choice_written, function, functions_read, new_tool, owns_of, written};
use super::units::{FAILED, history_of, says_user};
use crate::shared::findings::{Finding, Path, listed, steps};
use crate::shared::json::{elements, equal};
use crate::shared::outcome::Object;
use crate::shared::text::is_blank;

pub(super) fn write(input: &Object) -> Value {
    let table = Table::of(input);
    let none = Object::new();
    let carried = input.get("carried").and_then(Value::as_object).unwrap_or(&none);
    let mut request = input.get("request").and_then(Value::as_object).cloned().unwrap_or_default();
    if table.is_flat() {
        return flat::write(table, request, carried);
    }
    let units = units_of(table, carried, &request);
    let mut owns = owns_of(table, carried, &units);
    let mut findings = Vec::new();
    let items = write_tools(table, &mut request, carried, &mut owns, &mut findings);
    let known = Known::new(table, owns, elements(request.get("messages")));
    let maker = Maker { table, units: &units, matcher: Matcher::new(&units), findings, known };
    let history = history_of(table, carried);
    let mut writer = Writer {
        maker,
        history: &history,
        items,
        is_kept: request.get("store") != Some(&Value::Bool(false)),
        sent: Vec::new(),
        system: Vec::new(),
        kept: HashSet::new(),
        homes: HashSet::new(),
    };
    if let Some(Value::Array(messages)) = request.get("messages").cloned() {
        request.shift_remove("messages");
        let mut said: Vec<Said> = messages.iter().enumerate().map(|(at, message)| writer.said(at, message)).collect();
        writer.drop_ends(&mut said);
        for each in said {
            writer.put_said(each);
        }
        writer.drop_thoughts();
        writer.add_summaries();
        writer.drop_ids();
        writer.put(&mut request, carried);
    }
    writer.find_gone();
    json!({"request": request, "findings": listed(writer.maker.findings)})
}

/// A message of the contracts, and the blocks of it that are sent.
struct Said<'a> {
    at: usize,
    message: &'a Value,
    role: Option<&'a str>,
    made: Vec<Made>,
    /// The unit that was carried for it.
    unit: Option<usize>,
}

/// A block in a message that is sent.
struct Inner {
    value: Value,
    /// Whether it was carried, and as an element of an array.
    carried: Option<bool>,
}

/// What is sent: an item, or what is no message, as it is; or a message.
enum Sent {
    Whole { value: Value, at: usize, block: Option<(usize, usize)> },
    Message(Message),
}

struct Message {
    role: String,
    /// The element of the history whose members it has.
    element: Option<usize>,
    members: Object,
    blocks: Vec<Inner>,
    /// The message of the contracts that it was made for last.
    at: usize,
    /// Whether it holds only results.
    results: bool,
}

struct Writer<'a> {
    maker: Maker<'a>,
    history: &'a [Value],
    /// The tools of carried items that bring some, by their elements.
    items: HashMap<usize, Vec<Value>>,
    /// Whether the provider keeps what it gives, and knows it again.
    is_kept: bool,
    sent: Vec<Sent>,
    system: Vec<Inner>,
    /// The carried blocks that stay.
    kept: HashSet<(usize, usize)>,
    /// The elements of the history of which a block is left.
    homes: HashSet<usize>,
}

impl Writer<'_> {
    fn table(&self) -> Table {
        self.maker.table
    }

    /// The blocks of a message, without blank texts.
    fn said<'m>(&mut self, at: usize, message: &'m Value) -> Said<'m> {
        if message["role"].as_str().is_none() {
            let unit = self.maker.matcher.unit_of(self.maker.units, message);
            let made = Made { value: message.clone(), block: unit.map(|unit| (unit, 0)) };
            return Said { at, message, role: None, made: vec![made], unit };
        }
        let (mut made, unit) = self.maker.blocks(at, message);
        self.drop_blank(at, &mut made);
        self.kept.extend(made.iter().filter_map(|each| each.block));
        let role = match message["role"].as_str().unwrap_or_default() {
            "tool" => "user",
            "developer" if !self.table().has_items() => "system",
            role => role,
        };
        Said { at, message, role: Some(role), made, unit }
    }

    fn put_said(&mut self, said: Said) {
        let Said { at, message, role, made, unit } = said;
        let Some(role) = role else {
            let whole = |each: Made| Sent::Whole { value: each.value, at, block: each.block };
            self.sent.extend(made.into_iter().map(whole));
            return;
        };
        let table = self.table();
        let homes: Vec<usize> = made.iter().filter_map(|each| self.element_of(each)).collect();
        self.homes.extend(homes);
        let is_system_text = unit.is_some_and(|unit| self.maker.units[unit].is_system);
        let is_made = made.iter().all(|each| each.block.is_none());
        if is_system_text || role == "system" && is_made && self.sent.is_empty() && !table.has_items() {
            let inner: Vec<Inner> = made.into_iter().map(|each| self.inner(each)).collect();
            self.system.extend(inner);
        } else if table.has_items() {
            for each in made {
                self.put_item(at, role, each);
            }
        } else {
            self.put_message(at, role, message["role"] == "tool", made);
        }
    }

    /// Results of the provider's tools go whose calls are gone, such calls whose results no turn brings any more, and
    /// thoughts at the end of a message (ITF-016).
    fn drop_ends(&mut self, said: &mut [Said]) {
        let table = self.table();
        let last_asked = said.iter().rposition(|each| each.message["role"] == "user").unwrap_or_default();
        let mut spoken: Vec<&mut Said> = said.iter_mut().filter(|each| each.role == Some("assistant")).collect();
        let mut ids = HashSet::new();
        for each in &mut spoken {
            let is_alone = |made: &Made| {
                let is_alone = made.value["tool_use_id"].as_str().is_some_and(|id| !ids.contains(id));
                ids.extend(made.value["id"].as_str().map(str::to_owned));
                is_alone
            };
            let goes: Vec<bool> = each.made.iter().map(is_alone).collect();
            self.drop(each, &goes);
        }
        if table.has_items() {
            return;
        }
        // By what stands behind.
        let mut answered = HashSet::new();
        for each in spoken.into_iter().rev() {
            let is_alone = |made: &Made| {
                answered.extend(made.value["tool_use_id"].as_str().map(str::to_owned));
                let is_call = made.value["type"].as_str().is_some_and(|kind| kind.ends_with("_tool_use"));
                is_call && each.at < last_asked && made.value["id"].as_str().is_some_and(|id| !answered.contains(id))
            };
            let mut goes: Vec<bool> = each.made.iter().rev().map(is_alone).collect();
            goes.reverse();
            self.drop(each, &goes);
            let end = each.made.iter().rposition(|made| !table.lists("signed", &made.value)).map_or(0, |last| last + 1);
            let goes: Vec<bool> = (0..each.made.len()).map(|at| at >= end).collect();
            self.drop(each, &goes);
        }
    }

    fn drop(&mut self, said: &mut Said, goes: &[bool]) {
        for (made, _) in said.made.iter().zip(goes).filter(|(_, goes)| **goes) {
            let path = self.path_of(said.at, made.block);
            self.maker.findings.push(Finding::new("opaque_removed", path));
        }
        let mut goes = goes.iter();
        said.made.retain(|_| goes.next() == Some(&false));
    }

    /// Blank texts go where the interface takes none (ITF-015).
    fn drop_blank(&mut self, at: usize, made: &mut Vec<Made>) {
        let table = self.table();
        let before = made.len();
        made.retain(|each| table.takes_blank_text() || !table.text_of(&each.value).is_some_and(is_blank));
        if made.len() < before {
            self.maker.findings.push(Finding::new("text_blank", steps!["request", "messages", at]));
        }
    }

    fn inner(&self, made: Made) -> Inner {
        let carried = made.block.map(|(unit, block)| self.maker.units[unit].blocks[block].place.is_some());
        Inner { value: made.value, carried }
    }

    fn element_of(&self, made: &Made) -> Option<usize> {
        made.block.and_then(|(unit, block)| self.maker.units[unit].blocks[block].element)
    }

    /// The other members of the message that a block was carried in.
    fn members_of(&self, element: Option<usize>, role: &str) -> Object {
        let mut members = element.and_then(|at| self.history[at].as_object()).cloned().unwrap_or_default();
        members.shift_remove("content");
        members.entry("role").or_insert_with(|| role.into());
        members
    }

    /// Responses: calls, results and what the provider alone knows are items.
    fn put_item(&mut self, at: usize, role: &str, made: Made) {
        let table = self.table();
        let was_item = made.block.is_some_and(|(unit, block)| self.maker.units[unit].blocks[block].is_item);
        let is_item =
            was_item || table.is_call(&made.value) || table.is_result(&made.value) || table.lists("own_items", &made.value);
        if is_item && !self.is_kept && is_elsewhere(table, &made.value) {
            let path = self.path_of(at, made.block);
            self.maker.findings.push(Finding::new("opaque_removed", path));
            return;
        }
        if is_item {
            let mut made = made;
            if let Some(tools) = self.element_of(&made).and_then(|element| self.items.get(&element)) {
                made.value["tools"] = tools.clone().into();
            }
            self.sent.push(Sent::Whole { value: made.value, at, block: made.block });
            return;
        }
        let element = self.element_of(&made);
        let fits = |last: &Message| match element {
            Some(element) => last.element == Some(element),
            None => last.at == at,
        };
        let inner = self.inner(made);
        match self.sent.last_mut() {
            Some(Sent::Message(last)) if fits(last) => {
                last.blocks.push(inner);
                last.at = at;
            }
            _ => self.begin(at, role, element, vec![inner]),
        }
    }

    fn begin(&mut self, at: usize, role: &str, element: Option<usize>, blocks: Vec<Inner>) {
        let members = self.members_of(element, role);
        let message = Message { role: role.to_owned(), element, members, blocks, at, results: false };
        self.sent.push(Sent::Message(message));
    }

    /// Anthropic: results stand together, with what was made behind them (ITF-014).
    fn put_message(&mut self, at: usize, role: &str, is_result: bool, made: Vec<Made>) {
        if made.is_empty() {
            return;
        }
        let element = made.iter().find_map(|each| self.element_of(each));
        let blocks: Vec<Inner> = made.into_iter().map(|each| self.inner(each)).collect();
        if let Some(Sent::Message(last)) = self.sent.last_mut() {
            let same = element.is_some() && last.element == element && last.role == role;
            let behind = !is_result && element.is_none() && role == "user" && last.results;
            if same || is_result && last.results || behind {
                last.results = last.results && is_result;
                last.blocks.extend(blocks);
                return;
            }
        }
        self.begin(at, role, element, blocks);
        if let Some(Sent::Message(last)) = self.sent.last_mut() {
            last.results = is_result;
        }
    }

    /// Thoughts that lead nowhere go (ITF-016).
    fn drop_thoughts(&mut self) {
        let table = self.table();
        if !table.has_items() {
            return;
        }
        let mut leads = false;
        let mut kept = Vec::new();
        for each in std::mem::take(&mut self.sent).into_iter().rev() {
            let is_thought = matches!(&each, Sent::Whole { value, .. } if table.lists("signed", value));
            match &each {
                Sent::Whole { at, block, .. } if is_thought && !leads => {
                    let path = self.path_of(*at, *block);
                    self.maker.findings.push(Finding::new("opaque_removed", path));
                    continue;
                }
                Sent::Whole { value, .. } => {
                    let is_item = present(value, "type").is_some_and(|kind| kind != "message");
                    leads = is_thought || is_item && !says_user(value) && !table.is_result(value);
                }
                Sent::Message(message) => leads = message.role == "assistant",
            }
            kept.push(each);
        }
        kept.reverse();
        self.sent = kept;
    }

    /// Where a block was carried, or the message that it was made for.
    fn path_of(&self, at: usize, block: Option<(usize, usize)>) -> Path {
        let carried = block.map(|(unit, block)| self.maker.units[unit].blocks[block].path("carried", self.table()));
        carried.unwrap_or_else(|| steps!["request", "messages", at])
    }

    /// Ids that the endpoint refuses go, and a status that is null (ITF-016).
    fn drop_ids(&mut self) {
        let table = self.table();
        let mut sent = std::mem::take(&mut self.sent);
        for each in &mut sent {
            let (members, path) = match each {
                Sent::Whole { value, at, block } => (value.as_object_mut(), self.path_of(*at, *block)),
                Sent::Message(message) => {
                    let element = message.element.unwrap_or_default();
                    (Some(&mut message.members), steps!["carried", table.history(), element])
                }
            };
            let Some(members) = members else { continue };
            if members.get("status") == Some(&Value::Null) {
                members.shift_remove("status");
            }
            if !table.refuses_id(members, self.is_kept) {
                continue;
            }
            let id = members.shift_remove("id");
            if self.is_kept && id != Some(Value::Null) {
                self.maker.findings.push(Finding::new("opaque_removed", path));
            }
        }
        self.sent = sent;
        self.drop_ids_without_thoughts();
    }

    /// Ids of items go that the endpoint keeps with reasoning which is not there (ITF-016).
    fn drop_ids_without_thoughts(&mut self) {
        let table = self.table();
        // Of the assistant, before what comes: whether it thought, and whether that has an id.
        let (mut has_thought, mut has_known_thought) = (false, false);
        for each in &mut self.sent {
            let (is_said, is_call, is_thought, members) = match each {
                Sent::Whole { value, .. } => {
                    let is_item = present(value, "type").is_some_and(|kind| kind != "message");
                    let is_thought = table.lists("signed", value) || has_type(value, "item_reference");
                    let is_said = is_item && !says_user(value) && !table.is_result(value);
                    (is_said, table.is_call(value), is_thought, value.as_object_mut())
                }
                Sent::Message(message) => (message.role == "assistant", false, false, Some(&mut message.members)),
            };
            let Some(members) = members.filter(|_| is_said) else {
                (has_thought, has_known_thought) = (false, false);
                continue;
            };
            if is_thought {
                has_thought = true;
                has_known_thought |= members.contains_key("id");
            } else if !has_known_thought && (has_thought || is_call) && table.begin_of_id(members).is_some() {
                members.shift_remove("id");
            }
        }
    }

    /// A thought has the summary without which its endpoint refuses it (ITF-048).
    fn add_summaries(&mut self) {
        let table = self.table();
        let mut sent = std::mem::take(&mut self.sent);
        for each in &mut sent {
            let Sent::Whole { value, at, block } = each else { continue };
            if !table.lists("signed", value) || !value["summary"].is_null() {
                continue;
            }
            value["summary"] = json!([]);
            let mut path = self.path_of(*at, *block);
            path.extend(steps!["summary"]);
            self.maker.findings.push(Finding::new("opaque_added", path));
        }
        self.sent = sent;
    }

    /// Reports what was carried and is gone, also messages of which no block is left that said more than these (ITF-019).
    fn find_gone(&mut self) {
        let table = self.table();
        let mut before = HashSet::new();
        for (number, unit) in self.maker.units.iter().enumerate() {
            // What is its own message says all of itself.
            if unit.is_own {
                continue;
            }
            for (at, block) in unit.blocks.iter().enumerate() {
                before.extend(block.element.filter(|_| !block.is_item));
                if !self.kept.contains(&(number, at)) && !self.maker.says_all(unit, &block.value) {
                    self.maker.findings.push(Finding::new("carried_removed", block.path("carried", table)));
                }
            }
        }
        for element in before.difference(&self.homes) {
            if !others_in(&self.history[*element], &["type", "role", "content"]).is_empty() {
                self.maker.findings.push(Finding::new("carried_removed", steps!["carried", table.history(), *element]));
            }
        }
    }

    fn put(&mut self, request: &mut Object, carried: &Object) {
        let table = self.table();
        if !self.system.is_empty() {
            let blocks = std::mem::take(&mut self.system);
            request.insert(table.system().to_owned(), content(table, "user", blocks));
        }
        let given = self.history;
        let element = |each: Sent| match each {
            Sent::Whole { value, .. } => value,
            Sent::Message(Message { role, element, mut members, blocks, .. }) => {
                let content = with_failures_of_text(table, content(table, &role, blocks));
                // What had no content has none again.
                if !content.is_null() || element.is_none_or(|at| given[at].get("content").is_some()) {
                    members.insert("content".into(), content);
                }
                members.into()
            }
        };
        let history: Vec<Value> = std::mem::take(&mut self.sent).into_iter().map(element).collect();
        let whole = carried.get(table.history()).filter(|_| equal(&json!(self.history), &json!(history)));
        if let Some(whole) = whole {
            request.insert(table.history().to_owned(), whole.clone());
        } else if !history.is_empty() || carried.contains_key(table.history()) || !carried.contains_key(table.system()) {
            request.insert(table.history().to_owned(), history.into());
        }
    }
}

/// Whether an item has nothing but the id of what the provider would have to keep (ITF-016).
fn is_elsewhere(table: Table, item: &Value) -> bool {
    if table.lists("signed", item) {
        let is_empty = |value: &Value| value.as_str() == Some("") || value.as_array().is_some_and(Vec::is_empty);
        return ["summary", "content", "encrypted_content"].iter().all(|name| present(item, name).is_none_or(is_empty));
    }
    let is_empty_image = has_type(item, "image_generation_call") && present(item, "result").is_none();
    is_empty_image || has_type(item, "item_reference")
}

/// The content that some blocks are: alone a new text, and what was no element of an array, is the content itself.
fn content(table: Table, role: &str, blocks: Vec<Inner>) -> Value {
    if let [Inner { value, carried }] = blocks.as_slice() {
        match (carried, table.text_of(value)) {
            (None, Some(text)) => return text.into(),
            (Some(false), _) => return value.clone(),
            _ => {}
        }
    }
    let kind = table.name(if role == "assistant" { "/text/assistant" } else { "/text/user" });
    let block = |inner: Inner| match inner.value {
        Value::String(text) if inner.carried != Some(true) => vec![json!({"type": kind, "text": text})],
        Value::Array(blocks) if inner.carried == Some(false) => blocks,
        value => vec![value],
    };
    blocks.into_iter().flat_map(block).collect()
}

/// A content in which results that failed are texts, what else they held behind the results (ITF-014).
fn with_failures_of_text(table: Table, content: Value) -> Value {
    let Value::Array(mut blocks) = content else { return content };
    let is_text = |block: &Value| has_type(block, table.name("/text/user"));
    let mut moved = Vec::new();
    for block in blocks.iter_mut().filter(|block| table.is_result(block) && block["is_error"] == true) {
        let held = &mut block[table.name("/result/content")];
        let blocks = match held.take() {
            Value::Array(blocks) => blocks,
            given if given.is_null() || is_blank_text(&given) => Vec::new(),
            given => {
                *held = given;
                continue;
            }
        };
        let (texts, others): (Vec<Value>, Vec<Value>) = blocks.into_iter().partition(is_text);
        let is_bare = texts.iter().all(|text| is_blank_text(&text["text"]));
        *held = if is_bare { json!([{"type": table.name("/text/user"), "text": FAILED}]) } else { texts.into() };
        moved.extend(others);
    }
    let behind = blocks.iter().rposition(|block| table.is_result(block)).map_or(0, |last| last + 1);
    blocks.splice(behind..behind, moved);
    blocks.into()
}

fn is_blank_text(value: &Value) -> bool {
    value.as_str().is_some_and(is_blank)
}

/// Whether a tool of the request is what a carried one was.
type Fit<'a> = &'a dyn Fn(&Value, &Value) -> bool;

/// A carried tool, or each in its namespace.
struct Old<'a> {
    tool: &'a Value,
    namespace: Option<&'a str>,
    /// Where it, or its namespace, stands in the list.
    at: usize,
    place: Path,
    /// It as a function of the contracts, if it is one.
    form: Option<Value>,
}

/// What the first carried function of a name was, and which tool of the request it is now.
type Mate = (Option<Value>, Option<usize>);

/// Carried lists of tools, and which tools of the request theirs are now.
struct Keeper<'a> {
    table: Table,
    sent: &'a [Value],
    /// By its number in all lists.
    mates: Vec<Mate>,
    owns: &'a mut Owns,
    findings: &'a mut Vec<Finding>,
    gone: bool,
}

impl<'a> Keeper<'a> {
    /// The tools of a list, those in a namespace one by one.
    fn spread(table: Table, tools: &'a [Value], place: &Path) -> Vec<Old<'a>> {
        let old = |at: usize, tool: &'a Value, namespace: Option<&'a str>, more: Path| Old {
            tool,
            namespace,
            at,
            place: place.iter().cloned().chain(more).collect(),
            form: table.is_function(tool).then(|| function(table, tool, namespace)),
        };
        let each = |(at, tool): (usize, &'a Value)| match table.members(tool).filter(|(_, members)| !members.is_empty()) {
            Some((name, members)) => {
                members.iter().enumerate().map(|(inner, each)| old(at, each, Some(name), steps![at, "tools", inner])).collect()
            }
            None => vec![old(at, tool, None, steps![at])],
        };
        tools.iter().enumerate().flat_map(each).collect()
    }

    /// A list as it is now, without what is gone; `first` is the number of its first tool.
    fn kept(&mut self, tools: &[Value], spread: &[Old], first: usize) -> Vec<Value> {
        let mut kept: Vec<Value> = Vec::new();
        let mut last = None;
        for (number, old) in spread.iter().enumerate() {
            let Some(one) = self.one(old, first + number) else { continue };
            match (old.namespace, kept.last_mut()) {
                (None, _) => kept.push(one),
                (Some(_), Some(namespace)) if last == Some(old.at) => {
                    namespace["tools"].as_array_mut().into_iter().for_each(|tools| tools.push(one.clone()));
                }
                (Some(_), _) => {
                    let mut namespace = tools[old.at].clone();
                    namespace["tools"] = json!([one]);
                    kept.push(namespace);
                    last = Some(old.at);
                }
            }
        }
        kept
    }

    fn one(&mut self, old: &Old, number: usize) -> Option<Value> {
        let Some(form) = &old.form else { return Some(old.tool.clone()) };
        let (was, now) = &self.mates[number];
        let Some(now) = now.map(|now| &self.sent[now]) else {
            self.gone = true;
            if !equal(&written(self.table, form, None), old.tool) {
                self.findings.push(Finding::new("carried_removed", old.place.clone()));
            }
            return None;
        };
        if let Some(name) = now["function"]["name"].as_str() {
            self.owns.entry(name.to_owned()).or_insert_with(|| self.table.own_of_tool(old.tool, old.namespace));
        }
        if was.as_ref().is_some_and(|was| equal(was, now)) {
            return Some(old.tool.clone());
        }
        let mut kept = written(self.table, now, Some(old.tool));
        if let Some(name) = present(old.tool, "name").filter(|_| old.namespace.is_some()) {
            kept["name"] = name.clone();
        }
        Some(kept)
    }
}

/// The mate of each carried function: of its name, or one that differs in that; and which tools of the request are one.
fn mates(sent: &[Value], lists: &[Vec<Old>], names: &HashSet<String>) -> (Vec<Mate>, Vec<bool>) {
    let name = |tool: &Value| tool["function"].get("name").cloned();
    let nameless = |tool: &Value| {
        let mut function = tool["function"].as_object().cloned().unwrap_or_default();
        function.shift_remove("name");
        Value::Object(function)
    };
    let is_stranger = |tool: &Value| !tool["function"]["name"].as_str().is_some_and(|name| names.contains(name));
    let mut used = vec![false; sent.len()];
    let mut became: HashMap<String, Mate> = HashMap::new();
    let mut found = Vec::new();
    for (list, old) in lists.iter().enumerate().flat_map(|(list, olds)| olds.iter().map(move |old| (list, old))) {
        let Some(form) = old.form.as_ref() else {
            found.push((None, None));
            continue;
        };
        if !form.is_object() {
            let now = (0..sent.len()).find(|at| !used[*at] && equal(form, &sent[*at]));
            if let Some(now) = now {
                used[now] = true;
            }
            found.push((None, now));
            continue;
        }
        let text = form["function"]["name"].as_str();
        if let Some(known) = text.filter(|_| list > 0).and_then(|text| became.get(text)) {
            found.push(known.clone());
            continue;
        }
        let find = |fits: Fit| (0..sent.len()).find(|at| !used[*at] && sent[*at].is_object() && fits(form, &sent[*at]));
        let now = find(&|one, other| name(one) == name(other))
            .or_else(|| find(&|one, other| is_stranger(other) && equal(&nameless(one), &nameless(other))));
        if let Some(now) = now {
            used[now] = true;
        }
        let mate = (Some(form.clone()), now);
        if let Some(text) = text {
            became.entry(text.to_owned()).or_insert_with(|| mate.clone());
        }
        found.push(mate);
    }
    (found, used)
}

/// Reports what the request says of tools and has no place (ITF-019).
fn report_unwritten(table: Table, request: &Object, has_tools: bool, findings: &mut Vec<Finding>) {
    let said = |name: &str| request.get(name).filter(|each| !each.is_null());
    let mut add = |path: Path| findings.push(Finding::new("not_written", path));
    if said("tools").is_some_and(|tools| !tools.is_array()) {
        add(steps!["request", "tools"]);
    }
    for (at, tool) in elements(said("tools")).iter().enumerate().filter(|(_, tool)| tool["function"].is_object()) {
        let function = others_in(&tool["function"], &["name", "description", "strict", "parameters"]);
        let function = function.into_iter().map(|name| steps!["function", name]);
        for inner in others_in(tool, &["type", "function"]).into_iter().map(|name| steps![name]).chain(function) {
            add(steps!["request", "tools", at].into_iter().chain(inner).collect());
        }
    }
    let is_written = |choice: &Value| {
        let said = Choice { choice: Some(choice.clone()), parallel: None };
        has_tools && choice_written(table, &said, &Owns::new()).is_some()
    };
    if said("tool_choice").is_some_and(|choice| choice != "auto" && !is_written(choice)) {
        add(steps!["request", "tool_choice"]);
    }
    let is_none = said("tool_choice").is_some_and(|choice| choice == "none");
    let has_word = |parallel: &Value| has_tools && (table.has_items() || (*parallel == false && !is_none));
    if said("parallel_tool_calls").is_some_and(|parallel| *parallel != true && !has_word(parallel)) {
        add(steps!["request", "parallel_tool_calls"]);
    }
}

/// Writes the tools and the choice among them (ITF-017, ITF-018). Returns the tools of carried items that bring some.
fn write_tools(
    table: Table,
    request: &mut Object,
    carried: &Object,
    owns: &mut Owns,
    findings: &mut Vec<Finding>,
) -> HashMap<usize, Vec<Value>> {
    let sent = elements(request.get("tools")).to_vec();
    let before = elements(carried.get("tools"));
    let functions = functions_read(table, carried);
    if sent.is_empty() && before.is_empty() && functions.is_empty() {
        return HashMap::new();
    }
    let names = functions.iter().filter_map(|tool| tool["function"]["name"].as_str().map(str::to_owned)).collect();
    let brought = table.tool_items(carried);
    let mut lists = vec![Keeper::spread(table, before, &steps!["carried", "tools"])];
    lists.extend(brought.iter().map(|(at, tools)| Keeper::spread(table, tools, &steps!["carried", table.history(), *at, "tools"])));
    let (mates, used) = mates(&sent, &lists, &names);
    let mut keeper = Keeper { table, sent: &sent, mates, owns, findings, gone: false };
    let mut tools = keeper.kept(before, &lists[0], 0);
    let mut first = lists[0].len();
    let mut items = HashMap::new();
    for ((at, listed), spread) in brought.iter().zip(&lists[1..]) {
        items.insert(*at, keeper.kept(listed, spread, first));
        first += spread.len();
    }
    let gone = keeper.gone;
    tools.extend(sent.iter().zip(&used).filter(|(_, used)| !**used).map(|(tool, _)| new_tool(table, tool)));
    let has_tools = !tools.is_empty() || items.values().any(|tools| !tools.is_empty());
    report_unwritten(table, request, has_tools, keeper.findings);
    let parallel = request.shift_remove("parallel_tool_calls");
    let said = Choice {
        choice: request.shift_remove("tool_choice").filter(|each| !each.is_null()),
        parallel: parallel.as_ref().filter(|_| !table.has_items()).and_then(Value::as_bool),
    };
    request.shift_remove("tools");
    let odd = carried.get("tools").filter(|_| before.is_empty() && tools.is_empty());
    let own = parallel.filter(|_| table.has_items());
    let parallel = own.as_ref().or_else(|| carried.get("parallel_tool_calls"));
    if let Some(parallel) = parallel.filter(|_| has_tools) {
        request.insert("parallel_tool_calls".into(), parallel.clone());
    }
    let choice = carried.get("tool_choice").filter(|each| !each.is_null());
    if let Some(odd) = odd {
        request.insert("tools".into(), odd.clone());
    } else if !tools.is_empty() {
        request.insert("tools".into(), tools.into());
    }
    let read =
        choice.map(|choice| if functions.is_empty() { Some(Choice::default()) } else { choice_read(table, choice, &functions) });
    let known = read.as_ref().and_then(Option::as_ref);
    let stays = known.is_some_and(|read| read.choice == said.choice && read.parallel == said.parallel);
    let unread = choice.filter(|_| !gone && (functions.is_empty() || matches!(read, Some(None))));
    let new = if stays { choice.cloned() } else { choice_written(table, &said, owns).or_else(|| unread.cloned()) };
    let new = new.filter(|_| has_tools).map(choice_bare);
    if let Some(new) = &new {
        request.insert("tool_choice".into(), new.clone());
    }
    let lost = choice.filter(|choice| new.as_ref().is_none_or(|new| !equal(new, choice)));
    let said_all = |choice: &Value| {
        let read = choice_read(table, choice, &functions).and_then(|read| choice_written(table, &read, owns));
        read.is_some_and(|anew| equal(&choice_bare(anew), choice))
    };
    if lost.is_some_and(|choice| !said_all(choice)) {
        findings.push(Finding::new("carried_removed", steps!["carried", "tool_choice"]));
    }
    items
}
