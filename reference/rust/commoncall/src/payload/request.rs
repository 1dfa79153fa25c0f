//! The sanitizer of requests.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::check::is_nothing;
use super::profile::{Flags, mark_refused};
use super::spread::{lead, spread};
use super::tools::{COMBINATIONS, function_name, is_safe_root, kind_of, sent_name};
use super::{foreign, schemas};
use crate::shared::capabilities::{choice_word, stated_choices, stated_parallel, supports};
use crate::shared::findings::{Finding, Path, Step, below, listed, steps};
use crate::shared::outcome::{Failure, Object, Outcome};
use crate::shared::text::first;

/// What the sanitizer gives for a request.
pub(crate) struct Sanitized {
    pub(crate) request: Value,
    pub(crate) aliases: Object,
    pub(crate) findings: Vec<Finding>,
}

pub(super) fn sanitize(input: &Object) -> Outcome {
    let flags = Flags::of(input.get("profile"));
    let null = Value::Null;
    let (request, capability) = (input.get("request").unwrap_or(&null), input.get("capability").unwrap_or(&null));
    foreign::refuse_request(request, supports(capability))?;
    let mut done = sanitized(request, capability, &flags)?;
    mark_refused(&mut done.findings, input, &flags);
    Ok(json!({"request": done.request, "aliases": done.aliases, "findings": listed(done.findings)}))
}

/// The request that may be sent, for an endpoint with these flags.
pub(crate) fn sanitized(request: &Value, capability: &Value, flags: &Flags) -> Result<Sanitized, Failure> {
    let Some(members) = request.as_object() else {
        let findings = vec![Finding::new("payload_not_object", steps!["request"])];
        return Ok(Sanitized { request: request.clone(), aliases: Object::new(), findings });
    };
    let mut work = Work { request: members.clone(), findings: Vec::new(), flags, capability };
    work.omit_nulls();
    work.take_members();
    if !supports(capability) {
        work.remove(&["tools", "tool_choice", "parallel_tool_calls", "functions", "function_call"], "capability_unsupported");
    }
    let kept = work.kept_tools();
    work.remove_without_lists(&kept);
    let kept = if kept.is_empty() { kept } else { work.choose(kept)? };
    let kept = work.remove_not_offered(kept);
    let aliases = work.send(kept);
    Ok(Sanitized { request: work.request.into(), aliases, findings: work.findings })
}

/// An element of `tools` that is kept: its position, and the element.
struct Kept {
    at: usize,
    tool: Object,
}

impl Kept {
    fn name(&self) -> &str {
        self.tool.get("function").and_then(|each| each.get("name")).and_then(Value::as_str).unwrap_or_default()
    }
}

struct Work<'a> {
    request: Object,
    findings: Vec<Finding>,
    flags: &'a Flags,
    capability: &'a Value,
}

impl Work<'_> {
    fn report(&mut self, code: &'static str, path: Path) {
        self.findings.push(Finding::new(code, path));
    }

    fn remove(&mut self, names: &[&str], code: &'static str) {
        for name in names {
            if self.request.shift_remove(*name).is_some() {
                self.report(code, steps!["request", *name]);
            }
        }
    }

    fn omit_nulls(&mut self) {
        let findings = &mut self.findings;
        self.request.retain(|name, value| {
            let goes = value.is_null() && name != "messages";
            if goes {
                findings.push(Finding::new("null_omitted", steps!["request", name.as_str()]));
            }
            !goes
        });
    }

    /// The tools that are well-formed and have safe parameters, with the schemas in these as they are sent.
    fn kept_tools(&mut self) -> Vec<Kept> {
        let Some(Value::Array(tools)) = self.request.get("tools").cloned() else { return Vec::new() };
        tools.into_iter().enumerate().filter_map(|(at, tool)| self.kept_tool(at, tool)).collect()
    }

    fn kept_tool(&mut self, at: usize, tool: Value) -> Option<Kept> {
        let place = steps!["request", "tools", at];
        if function_name(&tool).is_none() {
            self.report("tool_malformed", place);
            return None;
        }
        let Value::Object(mut tool) = tool else { return None };
        let mut parameters = tool.get_mut("function")?.as_object_mut()?.get_mut("parameters");
        let mut is_led = false;
        if let Some(root) = parameters.as_deref_mut().and_then(Value::as_object_mut) {
            let given = root.clone();
            is_led = lead(root, self.flags);
            is_led |= plain_required(root);
            spread(root, &given, self.flags);
        }
        match parameters {
            Some(Value::Object(root)) if !is_safe_root(root, self.flags) => {
                self.report("schema_unsafe", place);
                return None;
            }
            Some(parameters @ Value::Object(_)) => {
                let place = below(&below(&place, "function"), "parameters");
                let mut changed = Vec::new();
                if let Some(root) = parameters.as_object_mut() {
                    complete_root(root, &mut changed);
                }
                let mut refused = Vec::new();
                for turn in 0..=schemas::TURNS {
                    // What a reference leads to can change behind it, and what is refused then.
                    let (before, given) = (changed.len(), parameters.clone());
                    changed.extend(schemas::change(parameters, self.flags));
                    refused = schemas::refused(parameters, &given, self.flags);
                    schemas::finish(parameters, &steps![], self.flags, &mut changed);
                    if changed.len() == before {
                        break;
                    }
                    if turn == schemas::TURNS {
                        let holds = self.flags.holds("refused_in_schemas", "ref_siblings");
                        refused = holds.then(Path::new).into_iter().collect();
                    }
                }
                if !refused.is_empty() {
                    for each in &refused {
                        self.report("schema_not_taken", [place.as_slice(), each].concat());
                    }
                    return None;
                }
                schemas::rename_definitions(parameters, self.flags, &mut changed);
                if is_led {
                    changed.push(Finding::new("parameters_completed", steps![]));
                }
                self.findings
                    .extend(changed.into_iter().map(|each| Finding { path: [place.as_slice(), &each.path].concat(), ..each }));
            }
            parameters if is_nothing(parameters.as_deref()) => {}
            _ => {
                self.report("schema_unsafe", place);
                return None;
            }
        }
        Some(Kept { at, tool })
    }

    /// What needs a list of tools or of functions goes without one (PAY-032).
    fn remove_without_lists(&mut self, kept: &[Kept]) {
        let code = |list: Option<&Value>| match list {
            None => "tools_absent",
            Some(Value::Array(_)) => "tools_empty",
            Some(_) => "tools_not_array",
        };
        if kept.is_empty() {
            let code = code(self.request.get("tools"));
            self.remove(&["tools", "tool_choice", "parallel_tool_calls"], code);
        }
        let functions = self.request.get("functions");
        if functions.and_then(Value::as_array).is_none_or(Vec::is_empty) {
            let code = code(functions);
            self.remove(&["functions", "function_call"], code);
        }
    }

    fn choice_kind(&self) -> Option<&'static str> {
        self.request.get("tool_choice").and_then(kind_of)
    }

    fn sent(&self, name: &str) -> String {
        sent_name(name, self.flags)
    }

    /// The tools that the choice leaves, or an error, in their order (PAY-041).
    fn choose(&mut self, kept: Vec<Kept>) -> Result<Vec<Kept>, Failure> {
        if self.request.contains_key("functions") {
            return Err(Failure::of("legacy_and_tools"));
        }
        #[expect(clippy::cast_precision_loss, reason = "no request has 2^53 tools")]
        if self.flags.limit("max_tools").is_some_and(|limit| kept.len() as f64 > limit) {
            return Err(Failure::of("too_many_tools"));
        }
        let mut names: Vec<String> = kept.iter().map(|each| self.sent(each.name())).collect();
        names.sort();
        if names.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(Failure::of("duplicate_tool"));
        }
        let Some(choice) = self.request.get("tool_choice") else { return Ok(kept) };
        let kind = kind_of(choice).ok_or_else(|| Failure::of("choice_malformed"))?;
        if function_name(choice).is_some_and(|name| names.binary_search(&self.sent(name)).is_err()) {
            return Err(Failure::of("choice_unknown_tool"));
        }
        if !matches!(kind, "required" | "named") || self.is_offered(kind) {
            return Ok(kept);
        }
        let name = function_name(choice).map(|name| self.sent(name));
        let other = if kind == "named" { "required" } else { "named" };
        if self.is_stated(kind) && self.is_offered(other) && (kind == "named" || kept.len() == 1) {
            return Ok(self.take_nearest(name.as_deref(), kept));
        }
        if !self.is_stated(kind) || self.flags.holds("refused_choices", kind) {
            return Err(Failure::of("choice_unsupported"));
        }
        let findings = &mut self.findings;
        silence(&mut self.request, &steps!["request"], findings);
        let mut said = Vec::new();
        collect_thinking(&self.request, &mut said);
        if said.is_empty() && self.flags.is("thinks_unasked", true) {
            // An SDK that takes this carrier raises for the member elsewhere.
            let off = json!({"type": "disabled"});
            if let Some(Value::Object(carrier)) = self.request.get_mut("extra_body") {
                carrier.insert("thinking".into(), off);
                self.report("thinking_disabled", steps!["request", "extra_body", "thinking"]);
            } else {
                self.request.insert("thinking".into(), off);
                self.report("thinking_disabled", steps!["request", "thinking"]);
            }
        }
        Ok(kept)
    }

    /// Takes the other choice, which says the same beside the one tool that stays (PAY-042). Without a name that is all.
    fn take_nearest(&mut self, name: Option<&str>, kept: Vec<Kept>) -> Vec<Kept> {
        let choice = match (name, kept.first()) {
            (None, Some(only)) => json!({"type": "function", "function": {"name": self.sent(only.name())}}),
            _ => "required".into(),
        };
        self.request.insert("tool_choice".into(), choice);
        self.report("choice_replaced", steps!["request", "tool_choice"]);
        let (kept, gone): (Vec<_>, Vec<_>) =
            kept.into_iter().partition(|each| name.is_none_or(|name| name == self.sent(each.name())));
        for Kept { at, .. } in gone {
            self.forget_changes_in(|path| path.len() > 3 && path[1] == Step::from("tools") && path[2] == Step::from(at));
            self.report("choice_replaced", steps!["request", "tools", at]);
        }
        kept
    }

    /// What changed in tools that go is not told.
    fn forget_changes_in(&mut self, is_inside: impl Fn(&Path) -> bool) {
        self.findings.retain(|each| !is_inside(&each.path));
    }

    fn is_stated(&self, kind: &str) -> bool {
        stated_choices(self.capability).is_none_or(|stated| stated.contains(&kind))
    }

    fn is_offered(&self, kind: &str) -> bool {
        let refused = self.flags.holds("refused_choices", kind)
            || self.flags.holds("refused_thinking", kind) && thinks(&self.request, self.flags);
        self.is_stated(kind) && !refused
    }

    /// What the model or the endpoint does not offer goes (PAY-042).
    fn remove_not_offered(&mut self, kept: Vec<Kept>) -> Vec<Kept> {
        let mut kept = kept;
        match self.choice_kind() {
            Some("auto") if !self.is_offered("auto") => self.remove(&["tool_choice"], "choice_not_offered"),
            Some("none") if !self.is_offered("none") => {
                self.remove(&["tools", "tool_choice", "parallel_tool_calls"], "choice_not_offered");
                self.forget_changes_in(|path| path.len() > 3 && path[1] == Step::from("tools"));
                kept.clear();
            }
            _ => {}
        }
        match self.request.get("parallel_tool_calls") {
            Some(value) if !value.is_boolean() => self.remove(&["parallel_tool_calls"], "parallel_not_boolean"),
            Some(Value::Bool(true)) if stated_parallel(self.capability) == Some(false) => {
                self.remove(&["parallel_tool_calls"], "parallel_not_offered");
            }
            Some(_) if self.flags.is("parallel_field", false) => self.remove(&["parallel_tool_calls"], "parallel_not_taken"),
            _ => {}
        }
        kept
    }

    /// Removes the members that the endpoint refuses, or gives them another name (PAY-245).
    fn take_members(&mut self) {
        let refused = self.flags.members("refused_members");
        let gone: Object = self
            .request
            .iter()
            .filter(|(name, _)| *name != "messages" && refused.contains_key(*name))
            .map(|(a, b)| (a.clone(), b.clone()))
            .collect();
        let taken: HashSet<String> = self.request.keys().chain(refused.keys()).cloned().collect();
        for (name, value) in &gone {
            self.request.shift_remove(name);
            let is_alone = |other: &str| gone.keys().all(|each| each == name || refused[each] != other);
            let other = refused[name].as_str().filter(|other| !taken.contains(*other) && is_alone(other));
            self.report(if other.is_some() { "member_renamed" } else { "member_not_taken" }, steps!["request", name.as_str()]);
            self.request.extend(other.map(|other| (other.to_owned(), value.clone())));
        }
    }

    /// Puts what is left into its sent form, and says which names changed.
    fn send(&mut self, mut kept: Vec<Kept>) -> Object {
        if kept.is_empty() {
            return Object::new();
        }
        for each in &mut kept {
            self.complete(each);
        }
        self.take_strict(&mut kept);
        let mut aliases = Object::new();
        for each in &mut kept {
            let (name, sent) = (each.name().to_owned(), self.sent(each.name()));
            if name != sent {
                self.report("name_aliased", steps!["request", "tools", each.at, "function", "name"]);
                each.tool["function"]["name"] = sent.clone().into();
                aliases.insert(sent, name.into());
            }
        }
        let tools = kept.into_iter().map(|each| Value::Object(each.tool)).collect();
        self.request.insert("tools".into(), tools);
        let choice = self.request.get("tool_choice").filter(|choice| choice.is_object());
        if let Some(word) = choice.and_then(choice_word).map(str::to_owned) {
            self.request.insert("tool_choice".into(), word.into());
            self.report("choice_coerced", steps!["request", "tool_choice"]);
        }
        if let Some(name) = self.request.get("tool_choice").and_then(function_name) {
            let sent = self.sent(name);
            if name != sent {
                self.report("name_aliased", steps!["request", "tool_choice", "function", "name"]);
                self.request["tool_choice"]["function"]["name"] = sent.into();
            }
        }
        if self.flags.is("effort_beside_tools", "none") && self.request.get("reasoning_effort") != Some(&json!("none")) {
            self.request.insert("reasoning_effort".into(), "none".into());
            self.report("effort_not_taken", steps!["request", "reasoning_effort"]);
        }
        let effort = self.request.get("reasoning_effort").filter(|effort| *effort != "none");
        if self.flags.is("effort_beside_tools", "some") && effort.is_some() {
            self.report("effort_in_doubt", steps!["request", "reasoning_effort"]);
        }
        aliases
    }

    /// Nulls, parameters, and descriptions of a tool (PAY-032, PAY-047).
    fn complete(&mut self, kept: &mut Kept) {
        let place = steps!["request", "tools", kept.at];
        let findings = &mut self.findings;
        omit_nulls(&mut kept.tool, &place, findings);
        let place = below(&place, "function");
        let Some(Value::Object(function)) = kept.tool.get_mut("function") else { return };
        let parameters = function.shift_remove("parameters");
        omit_nulls(function, &place, findings);
        let limit = self.flags.limit("max_description");
        match function.get("description") {
            Some(Value::String(text)) => {
                if let Some(short) = limit.map(|limit| shortened(text, limit)).filter(|short| short.len() < text.len()) {
                    findings.push(Finding::new("description_cut", below(&place, "description")));
                    function["description"] = short.into();
                }
            }
            Some(_) => {
                findings.push(Finding::new("description_not_string", below(&place, "description")));
                function.shift_remove("description");
            }
            None => {}
        }
        if function.get("strict").is_some_and(|each| !each.is_boolean()) {
            findings.push(Finding::new("strict_not_boolean", below(&place, "strict")));
            function.shift_remove("strict");
        }
        let parameters = parameters.filter(Value::is_object).unwrap_or_else(|| {
            findings.push(Finding::new("parameters_added", below(&place, "parameters")));
            json!({"type": "object", "properties": {}})
        });
        function.insert("parameters".into(), parameters);
    }

    /// A `strict` that the endpoint does not take so goes (PAY-047).
    fn take_strict(&mut self, kept: &mut [Kept]) {
        let strict_open = self.flags.holds("refused_in_schemas", "strict_open");
        let strict_grammar = self.flags.holds("refused_in_schemas", "strict_grammar");
        let none = self.flags.is("strict_field", "none");
        let mut spent = [0; 3];
        self.remove_strict(kept, |function| {
            if none || function.get("strict") != Some(&json!(true)) {
                return none;
            }
            let Some(parameters) = function.get("parameters").filter(|each| each.is_object()) else {
                return strict_open || strict_grammar;
            };
            if strict_open && schemas::are_open(parameters) {
                return true;
            }
            strict_grammar && !schemas::fit_grammar(parameters, &mut spent)
        });
        let all_true = kept.iter().all(|each| each.tool["function"].get("strict") == Some(&json!(true)));
        let uniform = self.flags.is("strict_field", "uniform");
        self.remove_strict(kept, |_| uniform && !all_true);
    }

    fn remove_strict(&mut self, kept: &mut [Kept], mut goes: impl FnMut(&Object) -> bool) {
        for each in kept {
            let Some(Value::Object(function)) = each.tool.get_mut("function") else { continue };
            if goes(function) && function.shift_remove("strict").is_some() {
                self.report("strict_not_taken", steps!["request", "tools", each.at, "function", "strict"]);
            }
        }
    }
}

fn omit_nulls(object: &mut Object, place: &Path, findings: &mut Vec<Finding>) {
    object.retain(|name, value| {
        if value.is_null() {
            findings.push(Finding::new("null_omitted", below(place, name.as_str())));
        }
        !value.is_null()
    });
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a limit is a whole number of at least 1")]
fn shortened(text: &str, limit: f64) -> &str {
    first(text, limit as usize)
}

/// Gives a root nothing in the place of an empty object as `required`, and each string of that once. Whether something
/// stood twice.
fn plain_required(root: &mut Object) -> bool {
    let Some(required) = root.get_mut("required") else { return false };
    if *required == json!({}) {
        *required = Value::Null;
    }
    schemas::each_once("required", required)
}

/// The root of parameters that are an object (PAY-047).
fn complete_root(root: &mut Object, findings: &mut Vec<Finding>) {
    let mut changed = false;
    if root.get("type").is_none_or(|each| each != "object") {
        root.insert("type".into(), "object".into());
        changed = true;
    }
    if is_nothing(root.get("properties")) {
        root.insert("properties".into(), json!({}));
        changed = true;
    }
    for name in ["required"].into_iter().chain(COMBINATIONS) {
        if root.get(name).is_some_and(Value::is_null) {
            root.shift_remove(name);
            changed = true;
        }
    }
    if changed {
        findings.push(Finding::new("parameters_completed", steps![]));
    }
}

/// Whether the model thinks in a request.
fn thinks(request: &Object, flags: &Flags) -> bool {
    let mut said = Vec::new();
    collect_thinking(request, &mut said);
    said.contains(&true) || said.is_empty() && flags.is("thinks_unasked", true)
}

fn collect_thinking(object: &Object, said: &mut Vec<bool>) {
    said.extend(THINKING.iter().filter_map(|name| saying(name, object.get(*name)?)));
    for name in ["extra_body", "chat_template_kwargs"] {
        if let Some(Value::Object(inner)) = object.get(name) {
            collect_thinking(inner, said);
        }
    }
}

const THINKING: [&str; 3] = ["thinking", "enable_thinking", "reasoning_effort"];

/// What a member with the name of a thinking member says, if it says something.
fn saying(name: &str, value: &Value) -> Option<bool> {
    match value {
        Value::Bool(value) => Some(*value),
        Value::Object(value) => value.get("type").and_then(Value::as_str).map(|each| !["disabled", "adaptive"].contains(&each)),
        Value::String(word) if name == "reasoning_effort" => Some(word != "none"),
        _ => None,
    }
}

/// Makes what asks for thinking say no (PAY-042); a text goes, since an endpoint may have no word for no effort.
fn silence(object: &mut Object, place: &Path, findings: &mut Vec<Finding>) {
    object.retain(|name, value| {
        let place = below(place, name.as_str());
        if ["extra_body", "chat_template_kwargs"].contains(&name.as_str()) {
            value.as_object_mut().into_iter().for_each(|inner| silence(inner, &place, findings));
        } else if THINKING.contains(&name.as_str()) && saying(name, value) == Some(true) {
            findings.push(Finding::new("thinking_disabled", place));
            match value {
                Value::String(_) => return false,
                Value::Bool(_) => *value = false.into(),
                _ => *value = json!({"type": "disabled"}),
            }
        }
        true
    });
}
