//! The check: may one call be run and stored?

use std::collections::HashSet;

use serde_json::{Value, json};

use super::repair::repaired;
use crate::shared::findings::{Finding, Path, listed, steps};
use crate::shared::json::{Read, compact, elements, read};
use crate::shared::outcome::Object;
use crate::shared::text::is_blank;

/// What the check says of a call. Paths of findings begin at the call.
#[derive(Clone)]
pub(crate) struct Checked {
    pub(crate) name: Option<String>,
    pub(crate) arguments: Option<(Object, String)>,
    pub(crate) findings: Vec<Finding>,
    /// What was repaired, which does not count for what is valid.
    repaired: Option<Finding>,
}

impl Checked {
    pub(crate) fn is_valid(&self) -> bool {
        self.findings.is_empty()
    }

    pub(crate) fn arguments_json(&self) -> Option<&str> {
        self.arguments.as_ref().map(|(_, text)| text.as_str())
    }

    /// The findings, with the call at this place.
    pub(crate) fn findings_at(&self, place: &Path) -> impl Iterator<Item = Finding> {
        self.findings
            .iter()
            .chain(&self.repaired)
            .map(|each| Finding { path: [place.as_slice(), &each.path].concat(), ..each.clone() })
    }

    pub(super) fn result(self) -> Value {
        let (valid, findings) = (self.is_valid(), listed(self.findings_at(&steps!["tool_call"]).collect()));
        let (arguments, text) = self.arguments.map_or((Value::Null, Value::Null), |(object, text)| (object.into(), text.into()));
        json!({"valid": valid, "name": self.name, "arguments": arguments, "arguments_json": text, "findings": findings})
    }
}

/// Judges a call of a tool with these demands.
pub(crate) fn check(call: &Value, truncated: bool, demands: &Demands) -> Checked {
    let nothing = |code, path| Checked { name: None, arguments: None, findings: vec![Finding::new(code, path)], repaired: None };
    let Some(members) = call.as_object() else { return nothing("call_not_object", steps![]) };
    let function = match members.get("function") {
        None | Some(Value::Null) => return nothing("function_missing", steps!["function"]),
        Some(Value::Object(function)) => function,
        Some(_) => return nothing("function_not_object", steps!["function"]),
    };
    let mut findings = Vec::new();
    let name = name(function).map_err(|code| findings.push(Finding::new(code, steps!["function", "name"]))).ok();
    let given = function.get("arguments").unwrap_or(&Value::Null);
    let arguments = arguments(given, truncated, demands.nothing)
        .and_then(|read| if truncated && demands.lack(&read.0) { Err("arguments_truncated") } else { Ok(read) })
        .map_err(|code| {
            let bytes = given.as_str().map(str::len);
            let repairable = code == "arguments_invalid_json" && given.as_str().and_then(repaired).is_some();
            findings.push(Finding { bytes, repairable, ..Finding::new(code, steps!["function", "arguments"]) });
        })
        .ok();
    Checked { name, arguments, findings, repaired: None }
}

/// The judgement of a call: the check of it, with repaired arguments where they can be repaired.
pub(crate) fn judge(call: &Value, truncated: bool, demands: &Demands) -> Checked {
    let mut checked = check(call, truncated, demands);
    let Some(at) = checked.findings.iter().position(|each| each.repairable) else { return checked };
    let text = call.get("function").and_then(|each| each.get("arguments")).and_then(Value::as_str);
    if let Some(done) = text.and_then(repaired) {
        let path = checked.findings.remove(at).path;
        checked.arguments = Some((done.arguments, done.text));
        checked.repaired = Some(Finding { repairs: done.repairs, ..Finding::new("arguments_repaired", path) });
    }
    checked
}

fn name(function: &Object) -> Result<String, &'static str> {
    match function.get("name") {
        None | Some(Value::Null) => Err("name_missing"),
        Some(Value::String(name)) if is_blank(name) => Err("name_blank"),
        Some(Value::String(name)) => Ok(name.clone()),
        Some(_) => Err("name_not_string"),
    }
}

fn arguments(given: &Value, truncated: bool, blank_is_empty: bool) -> Result<(Object, String), &'static str> {
    let empty = || Ok((Object::new(), "{}".to_owned()));
    match given {
        Value::Null if truncated => Err("arguments_truncated"),
        Value::Null => empty(),
        Value::Object(object) => Ok((object.clone(), compact(given))),
        Value::String(text) if is_blank(text) => match (truncated, blank_is_empty) {
            (true, _) => Err("arguments_truncated"),
            (false, true) => empty(),
            (false, false) => Err("arguments_empty"),
        },
        Value::String(text) => match read(text) {
            Read::TooDeep => Err("arguments_too_deep"),
            Read::No if truncated => Err("arguments_truncated"),
            Read::No => Err("arguments_invalid_json"),
            Read::Yes(Value::Object(object)) => Ok((object, text.clone())),
            Read::Yes(_) => Err("arguments_not_object"),
        },
        _ => Err("arguments_not_object"),
    }
}

/// What a tool requires.
#[derive(Default)]
pub(crate) struct Demands {
    nothing: bool,
    names: HashSet<String>,
}

impl Demands {
    pub(crate) fn of(tool: &Value) -> Self {
        let Some(Value::Object(function)) = tool.get("function") else { return Self::default() };
        let Some(Value::Object(parameters)) = function.get("parameters") else {
            return Self { nothing: is_nothing(function.get("parameters")), ..Self::default() };
        };
        let required = parameters.get("required");
        let names = elements(required).iter().filter_map(Value::as_str).map(str::to_owned).collect();
        Self { nothing: is_nothing(required), names }
    }

    /// Whether a required name is none of these arguments.
    fn lack(&self, arguments: &Object) -> bool {
        self.names.iter().any(|name| !arguments.contains_key(name))
    }
}

/// Whether a member is absent, null or an empty array.
pub(super) fn is_nothing(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => true,
        Some(Value::Array(items)) => items.is_empty(),
        _ => false,
    }
}
