//! Tools and choices of an interface, as the contracts have them.

use serde_json::{Value, json};

use super::table::{Table, has_type};
use crate::shared::json::equal;
use crate::shared::outcome::Object;

/// A function as the contracts have it.
pub(super) fn function(table: Table, tool: &Value) -> Value {
    if !tool.is_object() {
        return tool.clone();
    }
    let names = ["name", "description", table.name("/parameters"), "strict"];
    let members = names.into_iter().zip(["name", "description", "parameters", "strict"]);
    let mut function: Object = members.filter_map(|(from, to)| Some((to.to_owned(), tool.get(from)?.clone()))).collect();
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

/// A function as the interface has it, with the members of a carried one.
pub(super) fn written(table: Table, tool: &Value, carried: Option<&Value>) -> Value {
    let Some(function) = tool.get("function") else { return tool.clone() };
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
    if let Some(members) = bare.as_object_mut().filter(|_| !table.has_items()) {
        if let Some(alone) = members.get("disable_parallel_tool_use").and_then(Value::as_bool) {
            parallel = Some(!alone);
            members.shift_remove("disable_parallel_tool_use");
        }
    }
    if let Some((kind, _)) = table.choices().find(|(_, own)| equal(own, &bare)) {
        return Some(Choice { choice: Some(kind.as_str().into()), parallel });
    }
    let name = bare.get("name").filter(|_| has_type(&bare, table.name("/named")) || table.is_text_tool(&bare))?;
    let is_known = name.is_string() && functions.iter().any(|tool| tool["function"].get("name") == Some(name));
    is_known.then(|| Choice { choice: Some(json!({"type": "function", "function": {"name": name}})), parallel })
}

/// What the request says, in the words of the interface.
pub(super) fn choice_written(table: Table, said: &Choice) -> Option<Value> {
    let alone = !table.has_items() && said.parallel == Some(false);
    let auto = Value::from("auto");
    let choice = said.choice.as_ref().or_else(|| alone.then_some(&auto))?;
    let mut written = match choice {
        Value::String(kind) => table.choices().find(|(own, _)| *own == kind).map_or_else(|| choice.clone(), |(_, own)| own.clone()),
        _ => json!({"type": table.name("/named"), "name": choice["function"]["name"].as_str()?}),
    };
    if let Some(members) = written.as_object_mut().filter(|_| alone) {
        members.insert("disable_parallel_tool_use".into(), true.into());
    }
    Some(written)
}
