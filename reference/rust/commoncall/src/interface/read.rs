//! A request of an interface in the form of the contracts.

use serde_json::{Value, json};

use super::flat;
use super::table::{Table, has_type, present};
use super::tools::{choice_read, functions_read};
use super::units::{Unit, history_of, units};
use crate::shared::findings::{Finding, Path, listed, steps};
use crate::shared::json::{elements, equal};
use crate::shared::outcome::Object;

pub(super) fn read(input: &Object) -> Value {
    let table = Table::of(input);
    let mut request = input.get("request").and_then(Value::as_object).cloned().unwrap_or_default();
    if table.is_flat() {
        return flat::read(table, request);
    }
    let mut findings = Vec::new();
    leave_behind(table, &mut request, input.get("origin"), &mut findings);
    drop_marks(table, &mut request, &mut findings);

    let given = &request.clone();
    let read = units_of(table, given, given);
    let mut carried = Object::new();
    let mut carry = |request: &mut Object, name: &str| {
        if let Some(value) = request.shift_remove(name) {
            carried.insert(name.to_owned(), value);
        }
    };
    if present(&Value::Object(request.clone()), table.system()).is_some() {
        carry(&mut request, table.system());
    }
    let has_array = request.get(table.history()).is_some_and(Value::is_array);
    if !read.is_empty() && given.get(table.history()).is_some_and(|history| !history.is_null()) {
        carry(&mut request, table.history());
    }
    let functions = functions_read(table, given);
    let has_tools = !elements(given.get("tools")).is_empty();
    if has_tools || !functions.is_empty() {
        let mut carry_said = |name: &str| {
            if given.get(name).is_some_and(|value| !value.is_null()) {
                carry(&mut request, name);
            }
        };
        carry_said("tools");
        carry_said("tool_choice");
        if functions.is_empty() {
            carry_said("parallel_tool_calls");
        } else {
            let choice = given.get("tool_choice").filter(|each| !each.is_null());
            let said = choice.and_then(|choice| choice_read(table, choice, &functions)).unwrap_or_default();
            request.insert("tools".into(), functions.into());
            request.extend(said.choice.map(|choice| ("tool_choice".to_owned(), choice)));
            request.extend(said.parallel.map(|parallel| ("parallel_tool_calls".to_owned(), parallel.into())));
        }
    }
    if has_array || !read.is_empty() {
        request.insert("messages".into(), read.into_iter().map(|unit| unit.message).collect());
    }
    json!({"request": request, "carried": carried, "findings": listed(findings)})
}

/// The units of a request, whose history can be carried apart.
pub(super) fn units_of(table: Table, carried: &Object, request: &Object) -> Vec<Unit> {
    let holds = ["previous_response_id", "conversation"];
    let holds_past = holds.iter().any(|name| request.get(*name).is_some_and(|each| !each.is_null()));
    units(table, carried.get(table.system()), &history_of(table, carried), holds_past)
}

/// What another model has signed stays behind, and what nobody has (ITF-008), and a turn that lost its thought goes on without one (ITF-009).
fn leave_behind(table: Table, request: &mut Object, origin: Option<&Value>, findings: &mut Vec<Finding>) {
    let Some(Value::Array(history)) = request.get_mut(table.history()) else { return };
    let mut kept = Vec::new();
    for (at, mut element) in std::mem::take(history).into_iter().enumerate() {
        let mark = element.as_object_mut().and_then(|members| members.shift_remove("_from"));
        let is_elsewhere = mark.is_some_and(|mark| origin.is_some_and(|origin| !equal(&mark, origin)));
        let place = steps!["request", table.history(), at];
        if is_elsewhere && table.lists("signed", &element) {
            findings.push(Finding::new("opaque_removed", place));
            continue;
        }
        if let Some(Value::Array(blocks)) = element.get_mut("content") {
            for (inner, block) in std::mem::take(blocks).into_iter().enumerate() {
                if is_elsewhere && table.lists("signed", &block) || table.is_unsigned(&block) {
                    let path = place.iter().cloned().chain(steps!["content", inner]).collect();
                    findings.push(Finding::new("opaque_removed", path));
                } else {
                    if let Some(signature) = table.signature_of(&block).filter(|name| block[*name] == "") {
                        let path = place.iter().cloned().chain(steps!["content", inner, signature]).collect();
                        findings.push(Finding::new("signature_empty", path));
                    }
                    blocks.push(block);
                }
            }
        }
        if is_elsewhere {
            element.as_object_mut().into_iter().for_each(|members| _ = members.shift_remove("id"));
        }
        kept.push(element);
    }
    let is_without = !table.has_items() && begins_without_thought(table, &kept);
    *history = kept;
    if is_without && request.get("thinking").is_some_and(|thinking| has_type(thinking, "enabled")) {
        // Some endpoints think where nobody says that they do not.
        request["thinking"] = json!({"type": "disabled"});
        findings.push(Finding::new("thinking_disabled", steps!["request", "thinking"]));
    }
}

const CACHE_MARK: &str = "cache_control";

/// No more marks of the cache stay than are taken: the last ones (ITF-047).
fn drop_marks(table: Table, request: &mut Object, findings: &mut Vec<Finding>) {
    let Some(most) = table.most_marks() else { return };
    let names = [table.history(), table.system(), "tools"];
    let count: usize = names.iter().filter_map(|name| request.get(*name).filter(|each| each.is_array())).map(marks_in).sum();
    // That of the request itself is one, too, and the last one.
    let own = usize::from(request.get(CACHE_MARK).is_some_and(|mark| !mark.is_null()));
    let mut excess = (count + own).saturating_sub(most);
    for name in names {
        if let Some(value) = request.get_mut(name).filter(|each| each.is_array()) {
            unmark(value, &steps!["request", name], &mut excess, findings);
        }
    }
}

fn marks_in(value: &Value) -> usize {
    match value {
        Value::Array(elements) => elements.iter().map(marks_in).sum(),
        _ => {
            let inner = value.get("content").filter(|each| each.is_array()).map_or(0, marks_in);
            inner + usize::from(present(value, CACHE_MARK).is_some())
        }
    }
}

fn unmark(value: &mut Value, place: &Path, excess: &mut usize, findings: &mut Vec<Finding>) {
    let below = |steps: Path| place.iter().cloned().chain(steps).collect();
    if let Value::Array(elements) = value {
        for (at, element) in elements.iter_mut().enumerate() {
            unmark(element, &below(steps![at]), excess, findings);
        }
        return;
    }
    if *excess > 0 && present(value, CACHE_MARK).is_some() {
        *excess -= 1;
        value.as_object_mut().into_iter().for_each(|members| _ = members.shift_remove(CACHE_MARK));
        findings.push(Finding::new("annotation_removed", below(steps![CACHE_MARK])));
    }
    if let Some(content) = value.get_mut("content").filter(|each| each.is_array()) {
        unmark(content, &below(steps!["content"]), excess, findings);
    }
}

/// Whether the turn that goes on began with something else than a thought (ITF-009).
fn begins_without_thought(table: Table, history: &[Value]) -> bool {
    let is_assistant = |element: &&Value| element.is_object() && element["role"] == "assistant";
    let answers =
        |element: &Value| element["content"].as_array().is_some_and(|blocks| blocks.iter().all(|each| table.is_result(each)));
    let is_system = |element: &Value| element.is_object() && element["role"] == "system";
    let turn = history.iter().rev().take_while(|element| is_assistant(element) || is_system(element) || answers(element));
    let first = turn.filter(is_assistant).last();
    first.is_some_and(|message| !elements(message.get("content")).first().is_some_and(|block| table.lists("signed", block)))
}
