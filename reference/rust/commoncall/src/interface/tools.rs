//! Tools and choices of an interface, as the contracts have them.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::table::{Table, flat_name, has_type};
use super::units::Unit;
use crate::shared::json::equal;
use crate::shared::outcome::Object;

/// What a call of each carried function has, by its name in the contracts.
pub(super) type Owns = HashMap<String, Object>;

/// By the tools and the calls that are carried.
pub(super) fn owns_of(table: Table, carried: &Object, units: &[Unit]) -> Owns {
    let mut owns = Owns::new();
    let mut add = |name: Option<Value>, own: Object| {
        if let Some(Value::String(name)) = name {
            owns.entry(name).or_insert(own);
        }
    };
    for (tool, namespace) in table.functions_of(carried) {
        add(flat_name(tool, namespace), table.own_of_tool(tool, namespace));
    }
    let blocks = units.iter().flat_map(|unit| &unit.blocks).map(|block| &block.value);
    for call in blocks.filter(|block| table.is_call(block)) {
        add(flat_name(call, table.namespace_of(call)), table.own_of(call));
    }
    owns
}

/// The functions of a request, or of what was carried, as the contracts have them.
pub(super) fn functions_read(table: Table, request: &Object) -> Vec<Value> {
    table.functions_of(request).into_iter().map(|(tool, namespace)| function(table, tool, namespace)).collect()
}

/// A function as the contracts have it.
pub(super) fn function(table: Table, tool: &Value, namespace: Option<&str>) -> Value {
    if !tool.is_object() {
        return tool.clone();
    }
    let names = ["name", "description", table.name("/parameters"), "strict"];
    let members = names.into_iter().zip(["name", "description", "parameters", "strict"]);
    let mut function: Object = members.filter_map(|(from, to)| Some((to.to_owned(), tool.get(from)?.clone()))).collect();
    function.extend(flat_name(tool, namespace).map(|name| ("name".to_owned(), name)));
    if table.is_text_tool(tool) {
        let mut taken = json!({"type": "string"});
        if let Some(grammar) = tool.get("format").and_then(|format| format.get("definition")).filter(|each| each.is_string()) {
            taken["description"] = grammar.clone();
        }
        let parameters = json!({"type": "object", "properties": {"input": taken}, "required": ["input"]});
        function.insert("parameters".into(), parameters);
    }
    json!({"type": "function", "function": function})
}

/// A tool that was not carried, as the interface has it; Responses takes a `strict` that is absent for true.
pub(super) fn new_tool(table: Table, tool: &Value) -> Value {
    let mut found = written(table, tool, None);
    if table.has_items() && tool.get("function").is_some_and(Value::is_object) && found["strict"].is_null() {
        found["strict"] = false.into();
    }
    found
}

/// A function as the interface has it, with the members of a carried one.
pub(super) fn written(table: Table, tool: &Value, carried: Option<&Value>) -> Value {
    let Some(function) = tool.get("function").filter(|each| each.is_object()) else { return tool.clone() };
    let mut found = carried.and_then(Value::as_object).cloned().unwrap_or_default();
    if let (None, Some(kind)) = (carried, table.function_type()) {
        found.insert("type".into(), kind.clone());
    }
    let is_text = carried.is_some_and(|tool| table.is_text_tool(tool));
    for (from, to) in
        [("name", "name"), ("description", "description"), ("parameters", table.name("/parameters")), ("strict", "strict")]
    {
        if is_text && from == "parameters" {
            continue;
        }
        match function.get(from) {
            Some(value) => _ = found.insert(to.to_owned(), value.clone()),
            None => _ = found.shift_remove(to),
        }
    }
    found.into()
}

/// A choice as the contracts have it, and whether it says that calls stand beside each other.
#[derive(Default)]
pub(super) struct Choice {
    pub(super) choice: Option<Value>,
    pub(super) parallel: Option<bool>,
}

/// What a choice is read as. `None` where it cannot be read.
pub(super) fn choice_read(table: Table, given: &Value, functions: &[Value]) -> Option<Choice> {
    let mut bare = given.clone();
    let mut parallel = None;
    if let Some(members) = bare.as_object_mut() {
        if let Some(alone) = members.get("disable_parallel_tool_use").and_then(Value::as_bool) {
            parallel = Some(!alone);
            members.shift_remove("disable_parallel_tool_use");
        }
    }
    if let Some((kind, _)) = table.choices().find(|(_, own)| equal(own, &bare)) {
        return Some(Choice { choice: Some(kind.as_str().into()), parallel });
    }
    let is_named = has_type(&bare, table.name("/named")) || table.is_text_tool(&bare);
    let name = flat_name(&bare, table.namespace_of(&bare)).filter(|_| is_named)?;
    let is_known = name.is_string() && functions.iter().any(|tool| tool["function"].get("name") == Some(&name));
    is_known.then(|| Choice { choice: Some(json!({"type": "function", "function": {"name": name}})), parallel })
}

/// What the request says, in the words of the interface.
pub(super) fn choice_written(table: Table, said: &Choice, owns: &Owns) -> Option<Value> {
    let alone = said.parallel == Some(false);
    let kind_of = |kind: &str| table.choices().find(|(own, _)| *own == kind).map(|(_, own)| own.clone());
    let named = |choice: &Value| {
        let name = choice.get("function")?.get("name")?;
        let own = name.as_str().and_then(|name| owns.get(name)).cloned();
        let mut own = own.map_or_else(|| json!({"name": name}), Value::Object);
        own["type"] = table.name(if table.is_text_call(&own) { "/text_tool/tool" } else { "/named" }).into();
        Some(own)
    };
    let choice = said.choice.as_ref();
    let written = choice.and_then(|choice| choice.as_str().map_or_else(|| named(choice), kind_of));
    let mut written = written.or_else(|| kind_of("auto").filter(|_| alone))?;
    if let Some(members) = written.as_object_mut().filter(|_| alone) {
        members.insert("disable_parallel_tool_use".into(), true.into());
    }
    Some(written)
}

/// A choice as the endpoint takes it: where there are no calls, none come one by one.
pub(super) fn choice_bare(mut choice: Value) -> Value {
    let is_none = has_type(&choice, "none");
    if let Some(members) = choice.as_object_mut().filter(|_| is_none) {
        members.shift_remove("disable_parallel_tool_use");
    }
    choice
}
