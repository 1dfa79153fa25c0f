//! The tables of the interfaces: what their blocks, choices and tools are called.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use serde_json::Value;

use crate::shared::data::INTERFACES;
use crate::shared::findings::{Path, steps};
use crate::shared::json::{compact, elements};
use crate::shared::outcome::Object;
use crate::shared::text::is_sendable;

/// The form of an interface.
#[derive(Clone, Copy)]
pub(super) struct Table {
    form: &'static Value,
}

impl Table {
    /// The table of the interface that an input names.
    pub(super) fn of(input: &Object) -> Self {
        static ALL: OnceLock<HashMap<String, Value>> = OnceLock::new();
        let all = ALL.get_or_init(|| {
            let parsed = INTERFACES.iter().filter_map(|text| serde_json::from_str::<Value>(text).ok());
            parsed.map(|each| (each["interface"].as_str().unwrap_or_default().to_owned(), each["form"].clone())).collect()
        });
        let name = input.get("interface").and_then(Value::as_str).unwrap_or_default();
        Self { form: all.get(name).unwrap_or(&Value::Null) }
    }

    /// A text of the table, by its path.
    pub(super) fn name(self, pointer: &str) -> &'static str {
        self.form.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
    }

    /// The name of the history.
    pub(super) fn history(self) -> &'static str {
        self.name("/messages")
    }

    /// The name of the system text.
    pub(super) fn system(self) -> &'static str {
        self.name("/system")
    }

    /// Whether its messages are almost those of the contracts.
    pub(super) fn is_flat(self) -> bool {
        self.form["is_flat"] == true
    }

    /// The media types of images by how their base64 begins.
    pub(super) fn media(self) -> impl Iterator<Item = (&'static String, &'static Value)> {
        self.form["media"].as_object().into_iter().flatten()
    }

    pub(super) fn has_items(self) -> bool {
        self.form["has_items"] == true
    }

    pub(super) fn takes_blank_text(self) -> bool {
        self.form["takes_blank_text"] == true
    }

    /// Whether the arguments of a call are an object.
    pub(super) fn takes_object(self) -> bool {
        self.form["call"]["arguments_are"] == "object"
    }

    /// Whether a list of the table holds the type of a value.
    pub(super) fn lists(self, list: &str, value: &Value) -> bool {
        value.get("type").is_some_and(|kind| elements(self.form.get(list)).contains(kind))
    }

    /// Whether a block lacks the member without which it is refused.
    pub(super) fn is_unsigned(self, block: &Value) -> bool {
        self.signature_of(block).is_some_and(|signature| present(block, signature).is_none())
    }

    /// The member in which a block has to be signed, if there is one.
    pub(super) fn signature_of(self, block: &Value) -> Option<&'static str> {
        self.form["signatures"][block.get("type").and_then(Value::as_str).unwrap_or_default()].as_str()
    }

    /// How many marks of the cache are taken.
    pub(super) fn most_marks(self) -> Option<usize> {
        self.form["most_marks"].as_u64().and_then(|most| usize::try_from(most).ok())
    }

    /// Whether a value has a type of what the provider alone knows.
    pub(super) fn is_own(self, value: &Value) -> bool {
        self.lists("own_parts", value) || self.lists("own_items", value)
    }

    pub(super) fn is_call(self, block: &Value) -> bool {
        has_type(block, self.name("/call/type")) || self.is_text_call(block)
    }

    /// Whether a block is the call of a tool that takes a text.
    pub(super) fn is_text_call(self, block: &Value) -> bool {
        self.has_text_type(block, "/text_tool/call")
    }

    /// Whether a tool takes a text.
    pub(super) fn is_text_tool(self, tool: &Value) -> bool {
        self.has_text_type(tool, "/text_tool/tool")
    }

    fn has_text_type(self, value: &Value, pointer: &str) -> bool {
        let kind = self.name(pointer);
        !kind.is_empty() && has_type(value, kind)
    }

    pub(super) fn is_result(self, block: &Value) -> bool {
        has_type(block, self.name("/result/type")) || self.is_text_result(block)
    }

    /// Whether a block is the result of a tool that takes a text.
    pub(super) fn is_text_result(self, block: &Value) -> bool {
        self.has_text_type(block, "/text_tool/result")
    }

    /// The text of a block that is one.
    pub(super) fn text_of(self, block: &Value) -> Option<&str> {
        let kind = block.get("type").and_then(Value::as_str);
        match block {
            Value::String(text) => Some(text),
            _ if ["/text/user", "/text/assistant"].iter().any(|each| kind == Some(self.name(each))) => block.get("text")?.as_str(),
            _ => None,
        }
    }

    /// The namespace of a call or a choice.
    pub(super) fn namespace_of(self, value: &Value) -> Option<&str> {
        value.get(self.form["namespace"].as_str()?)?.as_str()
    }

    /// The tools in a namespace, and its name; none for what is none.
    pub(super) fn members(self, tool: &Value) -> Option<(&str, &[Value])> {
        let name = tool["name"].as_str().filter(|_| self.form["namespace"].as_str().is_some_and(|kind| has_type(tool, kind)))?;
        Some((name, tool["tools"].as_array()?))
    }

    /// The tools that the caller runs, each with its namespace.
    pub(super) fn functions(self, tools: &[Value]) -> impl Iterator<Item = (&Value, Option<&str>)> {
        let one = move |tool| match self.members(tool) {
            Some((name, members)) => members.iter().map(|each| (each, Some(name))).collect(),
            None => vec![(tool, None)],
        };
        tools.iter().flat_map(one).filter(move |(tool, _)| self.is_function(tool))
    }

    /// The functions of a request: of its tools, and what items of the history bring that no function before is called.
    pub(super) fn functions_of(self, request: &Object) -> Vec<(&Value, Option<&str>)> {
        let mut names = HashSet::new();
        let brought = self.tool_items(request).into_iter().map(|(_, tools)| tools);
        let lists = [elements(request.get("tools"))].into_iter().chain(brought).enumerate();
        let mut found = Vec::new();
        for (at, tools) in lists {
            for (tool, namespace) in self.functions(tools) {
                let name = flat_name(tool, namespace).and_then(|name| name.as_str().map(str::to_owned));
                let is_new = name.is_none_or(|name| names.insert(name));
                if at == 0 || is_new {
                    found.push((tool, namespace));
                }
            }
        }
        found
    }

    /// The tools that items of the history bring, each with the position of the item.
    pub(super) fn tool_items(self, request: &Object) -> Vec<(usize, &[Value])> {
        let items = elements(request.get(self.history())).iter().enumerate().filter(|(_, item)| self.lists("tool_items", item));
        items.filter_map(|(at, item)| Some((at, item.get("tools")?.as_array()?.as_slice()))).collect()
    }

    /// What a call has of its function: its type, its name and its namespace.
    pub(super) fn own_of(self, block: &Value) -> Object {
        let namespace = self.form["namespace"].as_str();
        let names = ["type", "name"].into_iter().chain(namespace);
        names.filter_map(|name| Some((name.to_owned(), block.get(name)?.clone()))).collect()
    }

    /// What a call of a function has.
    pub(super) fn own_of_tool(self, tool: &Value, namespace: Option<&str>) -> Object {
        let kind = self.name(if self.is_text_tool(tool) { "/text_tool/call" } else { "/call/type" });
        let mut own = Object::new();
        own.insert("type".into(), kind.into());
        own.insert("name".into(), tool["name"].clone());
        own.extend(namespace.map(|namespace| (self.name("/namespace").to_owned(), namespace.into())));
        own
    }

    /// Whether a tool is a function.
    pub(super) fn is_function(self, tool: &Value) -> bool {
        let kind = tool.get("type").unwrap_or(&Value::Null);
        !tool.is_object() || elements(self.form.get("function_types")).contains(kind)
    }

    /// The type of a function that has one.
    pub(super) fn function_type(self) -> Option<&'static Value> {
        let types = elements(self.form.get("function_types"));
        types.first().filter(|first| !first.is_null())
    }

    /// Whether the endpoint refuses the id of an item, which it keeps or not (ITF-016).
    pub(super) fn refuses_id(self, item: &Object, is_kept: bool) -> bool {
        let is_known = |id: &str, begin: &str| id.starts_with(begin) && is_sendable(id);
        match (self.begin_of_id(item), item.get("id")) {
            (Some(begin), Some(id)) => !(is_kept && id.as_str().is_some_and(|id| is_known(id, begin))),
            _ => false,
        }
    }

    /// What the id of an item begins with, where that is told; such an item can stand without it.
    pub(super) fn begin_of_id(self, item: &Object) -> Option<&'static str> {
        let kind = item.get("type").filter(|kind| !kind.is_null()).map_or(Some("message"), Value::as_str);
        kind.and_then(|kind| self.form["ids"][kind].as_str())
    }

    /// The choices by their kinds.
    pub(super) fn choices(self) -> impl Iterator<Item = (&'static String, &'static Value)> {
        self.form["choices"].as_object().into_iter().flatten()
    }
}

/// The name that a function, a call or a choice has in the contracts.
pub(super) fn flat_name(value: &Value, namespace: Option<&str>) -> Option<Value> {
    match (value.get("name")?, namespace) {
        (Value::String(name), Some(namespace)) => Some(format!("{namespace}__{name}").into()),
        (name, _) => Some(name.clone()),
    }
}

/// What a value is known by as an id: a text as it is, and other JSON as compact JSON.
pub(super) fn as_text(value: &Value) -> String {
    value.as_str().map_or_else(|| compact(value), str::to_owned)
}

pub(super) fn has_type(value: &Value, kind: &str) -> bool {
    value.get("type").and_then(Value::as_str) == Some(kind)
}

/// The names of the other members of an object that are not null.
pub(super) fn others_in<'a>(given: &'a Value, names: &[&str]) -> Vec<&'a str> {
    let members =
        given.as_object().into_iter().flatten().filter(|(name, value)| !value.is_null() && !names.contains(&name.as_str()));
    members.map(|(name, _)| name.as_str()).collect()
}

/// The places in a part of the members that what is written for it has no place for.
pub(super) fn unsaid(part: &Value, table: Option<Table>) -> Vec<Path> {
    let kind = part["type"].as_str().unwrap_or_default();
    let more = if ["text", "image_url", "file"].contains(&kind) { others_in(part, &["type", kind]) } else { Vec::new() };
    let held = &part[kind];
    // What an item says itself, and not what the part holds.
    let said: &[&str] = match (kind, table) {
        ("image_url", Some(table)) if table.has_items() => &["type", "image_url"],
        ("image_url", _) => &others_in(held, &["url"]),
        ("file", Some(table)) if !table.is_own(held) => &["type"],
        _ => &[],
    };
    let lost = said.iter().filter(|name| present(held, name).is_some());
    more.into_iter().map(|name| steps![name]).chain(lost.map(|name| steps![kind, *name])).collect()
}

/// A member of an object, if it is there and not null.
pub(super) fn present<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    value.get(name).filter(|each| !each.is_null())
}
