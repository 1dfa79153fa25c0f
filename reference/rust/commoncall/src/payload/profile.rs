//! A profile: the flags that say what an endpoint takes, and which findings its endpoint refuses.

use serde_json::{Value, json};

use super::tools::COMBINATIONS;
use crate::shared::capabilities::choice_word;
use crate::shared::findings::{Finding, Path, Step, value_at};
use crate::shared::json::elements;
use crate::shared::outcome::Object;
use crate::shared::text::{is_blank, is_word};

/// The members of the interface itself, which are never opaque.
const WIRE: [&str; 10] =
    ["role", "content", "name", "tool_calls", "tool_call_id", "function_call", "id", "type", "function", "arguments"];

/// The flags of an operation, each with its value.
pub(crate) struct Flags {
    values: Value,
    /// Where the request goes, if the profile says so.
    pub(crate) origin: Option<Value>,
    /// Where messages without a mark came from, if the profile says so.
    pub(crate) unmarked: Option<Value>,
}

impl Flags {
    pub(crate) fn of(profile: Option<&Value>) -> Self {
        let open = profile.is_none_or(|profile| profile.get("base") == Some(&json!("open")));
        let mut values = if open { open_values() } else { strict_values() };
        for (name, value) in profile.and_then(Value::as_object).into_iter().flatten() {
            values[name] = value.clone();
        }
        let unmarked = profile.and_then(|profile| profile.get("unmarked")).cloned();
        Self { unmarked, origin: profile.and_then(|profile| profile.get("origin")).cloned(), values }
    }

    pub(crate) fn is(&self, name: &str, value: impl Into<Value>) -> bool {
        self.values[name] == value.into()
    }

    pub(crate) fn limit(&self, name: &str) -> Option<f64> {
        self.values[name].as_f64()
    }

    pub(crate) fn holds(&self, name: &str, word: &str) -> bool {
        self.values[name].as_array().is_some_and(|words| words.iter().any(|each| each == word))
    }

    pub(crate) fn members(&self, name: &str) -> Object {
        self.values[name].as_object().cloned().unwrap_or_default()
    }

    /// Whether members of this name are opaque. In a message the mark is none of them: it goes before anybody asks.
    pub(crate) fn is_opaque(&self, name: &str) -> bool {
        self.holds("opaque_members", name) && !WIRE.contains(&name)
    }

    /// Whether members of this name are readable in a message of the assistant, where they are not opaque.
    pub(crate) fn is_readable(&self, name: &str) -> bool {
        self.holds("readable_members", name) && !WIRE.contains(&name)
    }

    /// Whether the profile names what is opaque without saying where the request goes.
    pub(crate) fn lacks_origin(&self) -> bool {
        self.origin.is_none() && self.values["opaque_members"].as_array().is_some_and(|names| !names.is_empty())
    }
}

fn strict_values() -> Value {
    json!({
        "strict_field": "none", "parallel_field": false, "name_start": "letter", "max_tools": 128, "max_description": 1024,
        "ids": "alphanumeric_9", "content_beside_calls": "string", "result_content": "string", "result_media": "none",
        "result_name": "call", "developer_role": false, "system_anywhere": "one", "repeated_roles": false,
        "calls_in_message": "one", "user_after_tool": false, "assistant_last": true, "blank_texts": true, "unknown_members": "none",
        "opaque_members": [], "readable_members": [], "opaque_required": {}, "root_keywords": "none", "refused_in_schemas": [],
        "refused_choices": [], "refused_thinking": [], "thinks_unasked": false, "effort_beside_tools": "any", "refused_members": {}, "bridges": true, "refuses": [],
    })
}

fn open_values() -> Value {
    json!({
        "strict_field": "any", "parallel_field": true, "name_start": "any", "max_tools": null, "max_description": null,
        "ids": "any", "content_beside_calls": "any", "result_content": "any", "result_media": "none",
        "result_name": "any", "developer_role": true, "system_anywhere": true, "repeated_roles": true,
        "calls_in_message": "any", "user_after_tool": true, "assistant_last": true, "blank_texts": true, "unknown_members": "any",
        "opaque_members": [], "readable_members": [], "opaque_required": {}, "root_keywords": "none", "refused_in_schemas": [],
        "refused_choices": [], "refused_thinking": [], "thinks_unasked": false, "effort_beside_tools": "any", "refused_members": {}, "bridges": true, "refuses": [],
    })
}

/// Whether a string can be the id of a call (definition: usable id).
pub(crate) fn is_usable_id(id: &str, flags: &Flags) -> bool {
    let fits = match flags.values["ids"].as_str() {
        Some("word_64") => id.len() <= 64 && id.chars().all(is_word),
        Some("word_40") => id.len() <= 40 && id.chars().all(is_word),
        Some("alphanumeric_9") => id.len() == 9 && id.chars().all(|each| each.is_ascii_alphanumeric()),
        _ => true,
    };
    fits && !is_blank(id)
}

/// Marks the findings that the endpoint would have answered with an error (PAY-171).
pub(crate) fn mark_refused(findings: &mut [Finding], input: &Object, flags: &Flags) {
    let input = Value::Object(input.clone());
    for finding in findings {
        let place = Place { input: &input, path: &finding.path, flags };
        finding.refused = place.is_flagged(finding.code)
            || REFUSALS.iter().any(|(refusal, codes, place_of)| {
                codes.contains(&finding.code) && flags.holds("refuses", refusal) && place_of(&place)
            })
            || (PLAIN.contains(&finding.code) && flags.holds("refuses", finding.code));
    }
}

/// The refusals that have the name of their code, and are ones everywhere.
const PLAIN: &[&str] = &[
    "arguments_empty",
    "arguments_invalid_json",
    "arguments_not_object",
    "calls_split",
    "description_cut",
    "member_not_taken",
    "member_renamed",
    "members_unknown",
    "name_aliased",
    "name_blank",
    "name_coerced",
    "name_missing",
    "parallel_not_taken",
    "parameters_added",
    "result_missing",
    "role_coerced",
    "system_late",
    "tool_calls_empty",
];

const LIST: &[&str] = &["tools_absent", "tools_empty", "tools_not_array"];

type Row = (&'static str, &'static [&'static str], fn(&Place) -> bool);

/// The rows of the definition of a refusal.
const REFUSALS: &[Row] = &[
    ("arguments_invalid_json", &["arguments_repaired"], |_| true),
    ("result_orphaned", &["result_orphaned", "result_moved", "result_late"], |_| true),
    ("tools_empty", &["tools_empty"], |at| at.is_last("tools") && at.value().is_some_and(|value| value == &json!([]))),
    ("tools_not_array", &["tools_not_array"], |at| at.is_last("tools")),
    ("choice_without_tools", LIST, |at| {
        at.is_last("tool_choice") && at.value().and_then(choice_word) != Some("none") && at.has_no_tools()
    }),
    ("none_without_tools", LIST, |at| {
        at.is_last("tool_choice") && at.value().and_then(choice_word) == Some("none") && at.has_no_tools()
    }),
    ("parallel_without_tools", LIST, |at| at.is_last("parallel_tool_calls") && at.has_no_tools()),
    ("functions_empty", &["tools_empty"], |at| at.is_last("functions")),
    ("function_call_without_functions", LIST, |at| at.is_last("function_call")),
    ("choice_null", &["null_omitted"], |at| at.path.len() == 2 && at.is_last("tool_choice")),
    ("strict_null", &["null_omitted"], |at| at.path.len() == 5 && at.is_last("strict")),
    ("strict_true", &["strict_not_taken"], |at| at.value() == Some(&json!(true))),
    ("strict_false", &["strict_not_taken"], |at| at.value() == Some(&json!(false))),
    ("parameters_incomplete", &["parameters_completed"], |at| {
        at.member("type").is_none_or(Value::is_null) || !at.member("properties").is_some_and(Value::is_object)
    }),
    ("properties_array", &["parameters_completed"], |at| at.member("properties").is_some_and(Value::is_array)),
    ("root_not_object", &["schema_unsafe"], |at| {
        at.parameters().and_then(|each| each.get("type")).is_some_and(|each| !each.is_null() && each != "object")
    }),
    ("root_combined", &["schema_unsafe"], |at| {
        at.parameters()
            .is_some_and(|each| ["oneOf", "anyOf", "allOf"].iter().any(|name| each.get(*name).is_some_and(|each| !each.is_null())))
    }),
    ("root_combined", &["constraint_removed"], |at| {
        at.path.len() == 6
            && ["oneOf", "anyOf", "allOf"].iter().any(|name| at.is_last(name))
            && at.value().is_some_and(|each| !each.is_null())
    }),
    ("roles_not_alternating", &["messages_joined", "bridge_inserted"], |at| !at.is_behind_tool()),
    ("user_behind_tool", &["bridge_inserted"], |at| at.is_behind_tool()),
    ("assistants_last", &["messages_joined", "bridge_inserted"], |at| at.is_second_assistant_at_end()),
    ("message_without_words", &["message_empty"], |at| {
        at.member("content").is_none_or(Value::is_null)
            && at.member("tool_calls").and_then(Value::as_array).is_none_or(Vec::is_empty)
    }),
    ("arguments_absent", &["arguments_coerced"], |at| at.value().is_none()),
    ("arguments_not_string", &["arguments_coerced"], |at| at.value().is_some()),
    ("type_absent", &["type_coerced"], |at| at.value().is_none()),
    ("id_absent", &["id_replaced"], |at| at.is_last("id") && at.value().is_none()),
    ("id_form", &["id_replaced"], |at| at.id().is_some_and(|id| !is_blank(id) && !is_usable_id(id, at.flags))),
    ("id_long", &["id_replaced"], |at| at.id().is_some_and(|id| id.chars().count() > 40)),
    ("id_repeated", &["id_replaced"], |at| at.id().is_some() && at.is_earlier_id()),
    ("content_absent", &["content_coerced"], |at| at.is_content_of_assistant() && at.value().is_none()),
    ("content_null", &["content_coerced"], |at| at.is_content_of_assistant() && at.value() == Some(&Value::Null)),
    ("content_array_empty", &["content_coerced"], |at| at.is_content_of_assistant() && at.value() == Some(&json!([]))),
    ("result_content_array", &["result_content_coerced"], |at| at.value().is_some_and(Value::is_array)),
];

/// The place of a finding in the input.
struct Place<'a> {
    input: &'a Value,
    path: &'a Path,
    flags: &'a Flags,
}

impl<'a> Place<'a> {
    fn value(&self) -> Option<&'a Value> {
        value_at(self.input, self.path)
    }

    fn member(&self, name: &str) -> Option<&'a Value> {
        self.value()?.get(name)
    }

    fn is_last(&self, name: &str) -> bool {
        matches!(self.path.last(), Some(Step::Name(last)) if last == name)
    }

    fn id(&self) -> Option<&'a str> {
        self.value().filter(|_| self.is_last("id"))?.as_str()
    }

    fn parameters(&self) -> Option<&'a Object> {
        self.member("function")?.get("parameters")?.as_object()
    }

    fn has_no_tools(&self) -> bool {
        self.input["request"]["tools"].as_array().is_none_or(Vec::is_empty)
    }

    /// The position of the message in which the finding is, and the messages.
    fn message(&self) -> (usize, &'a [Value]) {
        let messages = self.input.get("messages").or_else(|| self.input.get("request")?.get("messages"));
        let at = self.path.iter().find_map(|step| if let Step::At(at) = step { Some(*at) } else { None });
        (at.unwrap_or(0), elements(messages))
    }

    fn role_at(&self, at: Option<usize>) -> Option<&'a str> {
        self.message().1.get(at?)?.get("role")?.as_str()
    }

    fn is_behind_tool(&self) -> bool {
        self.role_at(self.message().0.checked_sub(1)) == Some("tool")
    }

    fn is_second_assistant_at_end(&self) -> bool {
        let (at, messages) = self.message();
        at + 1 == messages.len()
            && self.role_at(Some(at)) == Some("assistant")
            && self.role_at(at.checked_sub(1)) == Some("assistant")
    }

    fn is_content_of_assistant(&self) -> bool {
        self.is_last("content") && self.role_at(Some(self.message().0)) == Some("assistant")
    }

    /// Whether an earlier call has the id at this place.
    fn is_earlier_id(&self) -> bool {
        let (at, messages) = self.message();
        let place = self.path.iter().rev().find_map(|step| if let Step::At(at) = step { Some(*at) } else { None }).unwrap_or(0);
        let calls = |message: &'a Value| elements(message.get("tool_calls"));
        let earlier = messages.iter().take(at).filter(|message| message["role"] == "assistant").flat_map(calls);
        let beside = messages.get(at).map_or(&[][..], calls).iter().take(place);
        earlier.chain(beside).any(|call| call.get("id").and_then(Value::as_str) == self.id())
    }

    /// Whether a keyword that went is refused: all are but combinations at the root, which go in any case (PAY-047).
    fn is_refused_keyword(&self) -> bool {
        const LENGTH_AT_ROOT: usize = 6; // request, tools, number, function, parameters, member
        let held = |row: &str| self.flags.holds("refused_in_schemas", row);
        let Some(name) = COMBINATIONS.into_iter().find(|name| self.path.len() == LENGTH_AT_ROOT && self.is_last(name)) else {
            return true;
        };
        held(name)
            || name == "anyOf" && held("type_beside_any_of")
            || name == "enum" && (held("enum_of_other_types") || held("enum_of_others"))
    }

    fn is_flagged(&self, code: &str) -> bool {
        match code {
            "annotation_removed" | "constraint_removed" => self.is_refused_keyword(),
            "opaque_added" => self.value().is_none_or(|value| value.is_null() || value == ""),
            "strict_not_taken" => {
                let holds = |name| self.flags.holds("refused_in_schemas", name);
                self.value() == Some(&json!(true)) && (holds("strict_open") || holds("strict_grammar"))
            }
            _ => FLAGGED.contains(&code),
        }
    }
}

const FLAGGED: &[&str] = &[
    "schema_not_taken",
    "type_moved",
    "schema_respelled",
    "choice_replaced",
    "thinking_disabled",
    "effort_not_taken",
    "assistant_last",
    "opaque_missing",
    "text_blank",
    "bridge_missing",
];
