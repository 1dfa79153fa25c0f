//! The schemas in the parameters of a tool: what an endpoint refuses in them, and what is changed for it.

use std::collections::HashSet;
use std::sync::OnceLock;

use regex_lite::Regex;
use serde_json::{Value, json};

use super::profile::Flags;
use super::spread::target;
use super::tools::{COMBINATIONS, are_different_strings, goes_at_root, named_type};
use crate::shared::findings::{Finding, Path, below, steps};
use crate::shared::json::{canonical, pointer_in};
use crate::shared::outcome::Object;
use crate::shared::schema::has_type;

const IN_OBJECTS: [&str; 5] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
const IN_ARRAYS: [&str; 4] = ["anyOf", "oneOf", "allOf", "prefixItems"];
const ALONE: [&str; 10] = [
    "items",
    "additionalProperties",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// So often what a reference leads to can change, and so many values are copied for one.
pub(super) const TURNS: usize = 10;
const COPIED: usize = 500;

const MAY_BE_BOOLEAN: [&str; 3] = ["additionalProperties", "unevaluatedItems", "unevaluatedProperties"];

const TYPES: [&str; 7] = ["object", "array", "string", "number", "integer", "boolean", "null"];

const ANNOTATIONS: [&str; 17] = [
    "$schema",
    "$id",
    "$comment",
    "$anchor",
    "title",
    "description",
    "default",
    "examples",
    "example",
    "deprecated",
    "readOnly",
    "writeOnly",
    "format",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "enumDescriptions",
];

/// Visits a schema and then those in it. Inputs nest 128 deep at most, so this can recurse.
fn visit(schema: &mut Value, place: &Path, seen: &mut dyn FnMut(&mut Value, &Path)) {
    seen(schema, place);
    let Some(members) = schema.as_object_mut() else { return };
    for (name, value) in members {
        let place = below(place, name.as_str());
        match value {
            Value::Object(inner) if IN_OBJECTS.contains(&name.as_str()) => {
                for (name, schema) in inner {
                    visit(schema, &below(&place, name.as_str()), seen);
                }
            }
            Value::Array(inner) if IN_ARRAYS.contains(&name.as_str()) => {
                for (at, schema) in inner.iter_mut().enumerate() {
                    visit(schema, &below(&place, at), seen);
                }
            }
            Value::Bool(_) if MAY_BE_BOOLEAN.contains(&name.as_str()) => {}
            _ if ALONE.contains(&name.as_str()) => visit(value, &place, seen),
            _ => {}
        }
    }
}

/// Changes the schemas in parameters: combinations go from the root (PAY-047), then PAY-191 and the first
/// row of PAY-201. Paths begin at the parameters.
pub(super) fn change(parameters: &mut Value, flags: &Flags) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(root) = parameters.as_object_mut() {
        for name in COMBINATIONS.into_iter().filter(|name| goes_at_root(name, flags)) {
            if root.get(name).is_some_and(|each| !each.is_null()) {
                root.shift_remove(name);
                findings.push(Finding::new("constraint_removed", steps![name]));
            }
        }
    }
    // References lead into the schema as it came.
    let root = flags.holds("refused_in_schemas", "ref_siblings").then(|| parameters.clone());
    visit(parameters, &steps![], &mut |schema, place| {
        if flags.holds("refused_in_schemas", "malformed") {
            spell_as_meant(schema, place, &mut findings);
            remove_no_schemas(schema, place, &mut findings);
            require_what_says_so(schema, place, &mut findings);
        }
        let types = listed_types(schema, flags).filter(|types| types.len() == 1);
        if let (Some(types), Some(members)) = (types, schema.as_object_mut()) {
            type_as(members, &types[0]);
            findings.push(Finding::new("type_moved", below(place, "type")));
        }
        if !place.is_empty() {
            if let Some(Value::Object(root)) = &root {
                bare_ref(schema, place, root, flags, &mut findings);
            }
            state_type(schema, place, flags, &mut findings);
        }
        limit(schema, place, flags, &mut findings);
        if !place.is_empty() && enumerate(schema, flags) {
            findings.push(Finding::new("schema_respelled", below(place, "const")));
        } else if !place.is_empty() && type_values(schema, flags) {
            findings.push(Finding::new("schema_respelled", below(place, "type")));
        }
        remove_keywords(schema, place, flags, &mut findings);
        if flags.holds("refused_in_schemas", "type_beside_any_of") && move_type(schema) {
            findings.push(Finding::new("type_moved", below(place, "type")));
        }
    });
    if flags.holds("refused_in_schemas", "boolean") {
        visit(parameters, &steps![], &mut |schema, place| {
            if let Value::Bool(all) = *schema {
                *schema = if all { json!({}) } else { json!({"not": {}}) };
                findings.push(Finding::new("schema_respelled", place.clone()));
            }
        });
    }
    visit(parameters, &steps![], &mut |schema, place| remove_misplaced(schema, place, flags, &mut findings));
    findings
}

/// Takes out properties that are no schemas: a keyword can have slipped in among them (PAY-191).
/// Takes out what some languages write for nothing: null, and `[]` and `{}` each in the place of the other; and a
/// `required` of an older JSON Schema (PAY-191).
fn spell_as_meant(schema: &mut Value, place: &Path, findings: &mut Vec<Finding>) {
    let Some(members) = schema.as_object_mut() else { return };
    members.retain(|name, value| {
        let is_flag = name == "required" && (value.is_boolean() || *value == json!({}));
        let goes = is_flag || value.is_null() && !["const", "default", "example"].contains(&name.as_str());
        let is_map = IN_OBJECTS.contains(&name.as_str()) && *value == json!([]);
        if is_map {
            *value = json!({});
        }
        let is_other = name == "type" && name_types(value) || each_once(name, value);
        if is_map || is_other || goes {
            findings.push(Finding::new("schema_respelled", below(place, name.as_str())));
        }
        !goes
    });
    let is_tuple = members.get("items").and_then(Value::as_array).is_some_and(|items| !items.is_empty());
    if is_tuple && !members.contains_key("prefixItems") {
        findings.push(Finding::new("schema_respelled", below(place, "items")));
        let items = members.shift_remove("items").unwrap_or_default();
        members.insert("prefixItems".into(), items);
        if let Some(others) = members.shift_remove("additionalItems") {
            members.insert("items".into(), others);
        }
    }
}

/// Takes out of a `required` or an `enum` what stood in it before. Whether there was something.
pub(super) fn each_once(name: &str, values: &mut Value) -> bool {
    let Value::Array(values) = values else { return false };
    if name != "enum" && (name != "required" || !values.iter().all(Value::is_string)) {
        return false;
    }
    let all = values.len();
    let mut known = HashSet::new();
    values.retain(|one| known.insert(canonical(one)));
    values.len() < all
}

/// Gives a `type` the types that it names. Whether it was not them.
fn name_types(types: &mut Value) -> bool {
    let kinds = match types {
        Value::Array(kinds) => kinds.as_mut_slice(),
        kind => std::slice::from_mut(kind),
    };
    let mut changed = false;
    for kind in kinds {
        if let Some(named) = named_type(kind).filter(|named| *kind != **named) {
            *kind = named.into();
            changed = true;
        }
    }
    changed
}

/// Adds to a `required` the properties that say so themselves, as an older JSON Schema has it (PAY-191).
fn require_what_says_so(schema: &mut Value, place: &Path, findings: &mut Vec<Finding>) {
    let Some(members) = schema.as_object_mut() else { return };
    let Some(Value::Object(properties)) = members.get("properties") else { return };
    let says_so = |one: &Value| one.get("required") == Some(&Value::Bool(true));
    let flagged: Vec<Value> = properties.iter().filter(|(_, one)| says_so(one)).map(|(name, _)| name.as_str().into()).collect();
    let required = members.get("required").cloned().unwrap_or_else(|| json!([]));
    let Value::Array(mut names) = required else { return };
    let more: Vec<Value> = flagged.into_iter().filter(|name| !names.contains(name)).collect();
    if more.is_empty() || !are_different_strings(&Value::Array(names.clone())) {
        return;
    }
    names.extend(more);
    members.insert("required".into(), names.into());
    findings.push(Finding::new("schema_respelled", below(place, "required")));
}

fn remove_no_schemas(schema: &mut Value, place: &Path, findings: &mut Vec<Finding>) {
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    let place = below(place, "properties");
    properties.retain(|name, one| {
        let is_schema = one.is_object() || one.is_boolean();
        if !is_schema {
            findings.push(Finding::new("schema_respelled", below(&place, name.as_str())));
        }
        is_schema
    });
}

/// Parts schemas of several types (PAY-201), and gives arrays the items that they need (PAY-191). This is the last change:
/// what stands in a schema that is parted is done before it, under the place that it has in the input.
pub(super) fn finish(schema: &mut Value, place: &Path, flags: &Flags, findings: &mut Vec<Finding>) {
    let Some(members) = schema.as_object_mut() else { return };
    for (name, value) in members.iter_mut() {
        let place = below(place, name.as_str());
        match value {
            Value::Object(inner) if IN_OBJECTS.contains(&name.as_str()) => {
                inner.iter_mut().for_each(|(name, schema)| finish(schema, &below(&place, name.as_str()), flags, findings));
            }
            Value::Array(inner) if IN_ARRAYS.contains(&name.as_str()) => {
                inner.iter_mut().enumerate().for_each(|(at, schema)| finish(schema, &below(&place, at), flags, findings));
            }
            _ if ALONE.contains(&name.as_str()) => finish(value, &place, flags, findings),
            _ => {}
        }
    }
    let Some(types) = listed_types(schema, flags).filter(|_| is_splittable(schema)) else {
        add_items(schema, place, flags, findings);
        return;
    };
    findings.push(Finding::new("type_moved", below(place, "type")));
    let branches = types.iter().map(|kind| {
        let mut branch = schema.clone();
        let members = branch.as_object_mut().into_iter();
        members.for_each(|members| {
            members.retain(|name, _| !is_idle(name, kind));
            type_as(members, kind);
        });
        add_items(&mut branch, place, flags, findings);
        branch
    });
    let branches: Vec<Value> = branches.collect();
    *schema = json!({"anyOf": branches});
}

/// The types of a list that the endpoint refuses, but for null beside another.
fn listed_types(schema: &Value, flags: &Flags) -> Option<Vec<String>> {
    if !flags.holds("refused_in_schemas", "type_list") {
        return None;
    }
    let listed = schema.get("type").filter(|each| are_different_strings(each))?.as_array()?;
    let types: Vec<String> = listed.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    let others: Vec<String> = types.iter().filter(|each| *each != "null").cloned().collect();
    Some(if others.is_empty() { types } else { others }).filter(|types| !types.is_empty())
}

/// Gives a schema one of its types, and says that it may be null where that was another.
fn type_as(members: &mut Object, kind: &str) {
    let null = kind != "null" && members.get("type").and_then(Value::as_array).is_some_and(|types| types.contains(&json!("null")));
    members.insert("type".into(), kind.into());
    if null {
        members.insert("nullable".into(), true.into());
    }
}

/// Whether no schema below this one would stand in two places when it is parted by its types.
fn is_splittable(schema: &Value) -> bool {
    let kept = |name: &str| matches!(name, "properties" | "items");
    let is_place = |name: &str| IN_OBJECTS.contains(&name) || IN_ARRAYS.contains(&name) || ALONE.contains(&name);
    schema.as_object().is_some_and(|members| members.keys().all(|name| kept(name) || !is_place(name)))
}

/// Whether a keyword says nothing of a type.
fn is_idle(keyword: &str, kind: &str) -> bool {
    match keyword {
        "properties" | "required" => kind != "object",
        "items" | "minItems" | "maxItems" => kind != "array",
        _ => false,
    }
}

fn add_items(schema: &mut Value, place: &Path, flags: &Flags, findings: &mut Vec<Finding>) {
    let is_array = |kind: &Value| kind == "array" || kind.as_array().is_some_and(|kinds| kinds.contains(&json!("array")));
    let holds = |row| flags.holds("refused_in_schemas", row);
    let bare = schema.get("type").is_some_and(is_array) && schema.get("items").is_none();
    if let (true, Some(members)) = (bare && holds("array_without_items"), schema.as_object_mut()) {
        // An empty object would be untyped, and an array in it would need items again.
        let kinds = ANY.iter().filter(|kind| **kind != "array").map(|kind| json!({"type": kind}));
        let items = if holds("untyped") { json!({"anyOf": kinds.collect::<Vec<_>>()}) } else { json!({}) };
        members.insert("items".into(), items);
        findings.push(Finding::new("schema_respelled", below(place, "items")));
    }
}

/// Removes keywords that stand out of place (PAY-191).
fn remove_misplaced(schema: &mut Value, place: &Path, flags: &Flags, findings: &mut Vec<Finding>) {
    let Some(members) = schema.as_object_mut() else { return };
    let kept = if flags.holds("refused_in_schemas", "enum_of_other_types") { own_values(members) } else { None };
    if let Some(kept) = kept {
        let code = if kept.is_empty() { "constraint_removed" } else { "schema_respelled" };
        findings.push(Finding::new(code, below(place, "enum")));
        if kept.is_empty() {
            members.shift_remove("enum");
        } else {
            members.insert("enum".into(), kept.into());
        }
    }
    let mut remove = |members: &mut Object, name: &str, code| {
        if members.shift_remove(name).is_some() {
            findings.push(Finding::new(code, below(place, name)));
        }
    };
    let kind = members.get("type").and_then(Value::as_str).map(str::to_owned);
    let required = members.get("required").and_then(Value::as_array).map(Vec::is_empty);
    let nothing = [None, Some(&Value::Null), Some(&json!({})), Some(&json!([]))].contains(&members.get("properties"));
    for (row, names) in
        [("members_of_no_object", &["properties", "required"][..]), ("items_of_no_array", &["items", "minItems", "maxItems"])]
    {
        for name in names {
            if flags.holds("refused_in_schemas", row) && kind.as_deref().is_some_and(|kind| is_idle(name, kind)) {
                remove(members, name, "annotation_removed");
            }
        }
    }
    if let (true, Some(empty)) = (nothing && flags.holds("refused_in_schemas", "required_of_nothing"), required) {
        remove(members, "required", if empty { "annotation_removed" } else { "constraint_removed" });
    }
    if flags.holds("refused_in_schemas", "enum_of_others") && members.get("enum").is_some_and(holds_others) {
        remove(members, "enum", "constraint_removed");
    }
    let is_free = |format: &Value| format != "enum" && format != "date-time";
    let is_text = kind.as_deref() == Some("string");
    if flags.holds("refused_in_schemas", "formats_of_texts") && is_text && members.get("format").is_some_and(is_free) {
        remove(members, "format", "annotation_removed");
    }
    if flags.holds("refused_in_schemas", "pattern_of_parts") && members.get("pattern").is_some_and(is_of_parts) {
        remove(members, "pattern", "constraint_removed");
    }
    if flags.holds("refused_in_schemas", "required_undefined") && demand_what_is_defined(members) {
        findings.push(Finding::new("constraint_removed", below(place, "required")));
    }
}

/// The values of an `enum` that are of the types beside it, where others are among them.
fn own_values(members: &Object) -> Option<Vec<Value>> {
    let kind = members.get("type").filter(|kind| is_type(kind))?;
    let values = members.get("enum")?.as_array()?;
    let kept: Vec<Value> = values.iter().filter(|value| has_type(value, kind)).cloned().collect();
    (kept.len() < values.len()).then_some(kept)
}

/// Whether an `enum` holds anything but strings, or the empty one.
fn holds_others(values: &Value) -> bool {
    values.as_array().is_some_and(|values| !values.iter().all(|each| each.as_str().is_some_and(|each| !each.is_empty())))
}

/// Whether a pattern is none of a whole text. Of one that is, a grammar can be made: a `?` stands behind no `(`, but in `(?:`.
fn is_of_parts(pattern: &Value) -> bool {
    static WHOLE: OnceLock<Option<Regex>> = OnceLock::new();
    let written = r#"^\^\?*(?:(?:\\[\]\[\\"trnxu^$.(){}|*+?]|\[(?:\\[\]\[\\"trnxu]|[^\]\\])*\]|[^\\\[(?])\?*|\((?:\?:\?*)?)*\$$"#;
    let whole = WHOLE.get_or_init(|| Regex::new(written).ok());
    let is_whole = |text: &str| whole.as_ref().is_some_and(|whole| whole.is_match(text));
    !pattern.as_str().is_some_and(is_whole)
}

/// Takes what no property is out of a `required`; whether there was anything.
fn demand_what_is_defined(members: &mut Object) -> bool {
    let nothing = Object::new();
    let defined = match members.get("properties") {
        None => &nothing,
        Some(Value::Object(properties)) => properties,
        Some(_) => return false,
    };
    let Some(Value::Array(names)) = members.get("required").filter(|each| are_different_strings(each)) else { return false };
    let is_defined = |name: &&Value| name.as_str().is_some_and(|name| defined.contains_key(name));
    let kept: Vec<Value> = names.iter().filter(is_defined).cloned().collect();
    if kept.len() == names.len() {
        return false;
    }
    if kept.is_empty() {
        members.shift_remove("required");
    } else {
        members.insert("required".into(), kept.into());
    }
    true
}

/// Leaves a reference alone, or puts there what it leads to, where nothing is taken beside a reference, and none that leads
/// elsewhere than to a definition (PAY-191).
fn bare_ref(schema: &mut Value, place: &Path, root: &Object, flags: &Flags, findings: &mut Vec<Finding>) {
    let target = target(schema.get("$ref"), root);
    let (Some(target), Some(members)) = (target, schema.as_object_mut()) else { return };
    let is_plain = members.len() == 1 && members.values().all(|each| is_defined(each, renames(root, flags)));
    if !is_plain && is_closed(target) {
        members.shift_remove("$ref");
        for (name, value) in target {
            members.entry(name.as_str()).or_insert_with(|| value.clone());
        }
        findings.push(Finding::new("schema_respelled", below(place, "$ref")));
        return;
    }
    members.retain(|name, _| {
        let kept = name == "$ref" || ["description", "title"].contains(&name.as_str()) && !target.contains_key(name);
        if !kept {
            findings.push(Finding::new(code_of_removed(name), below(place, name.as_str())));
        }
        kept
    });
}

/// Whether definitions get the newer of their names (PAY-191).
fn renames(root: &Object, flags: &Flags) -> bool {
    let is_old = root.get("definitions").is_some_and(Value::is_object) && !root.contains_key("$defs");
    is_old && flags.holds("refused_in_schemas", "ref_siblings") && !flags.holds("refused_in_schemas", "definitions")
}

/// Whether this is a reference to a definition.
fn is_defined(reference: &Value, renames: bool) -> bool {
    reference.as_str().is_some_and(|each| each.starts_with("#/$defs/") || renames && each.starts_with("#/definitions/"))
}

/// Gives definitions the newer of their names, and says so in references to them (PAY-191).
pub(super) fn rename_definitions(parameters: &mut Value, flags: &Flags, findings: &mut Vec<Finding>) {
    let Some(root) = parameters.as_object_mut().filter(|root| renames(root, flags)) else { return };
    if let Some(definitions) = root.shift_remove("definitions") {
        root.insert("$defs".into(), definitions);
    }
    rename(parameters);
    findings.push(Finding::new("schema_respelled", steps!["definitions"]));
}

fn rename(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, one) in members {
                match one.as_str().and_then(|each| each.strip_prefix("#/definitions/")) {
                    Some(rest) if name == "$ref" => *one = format!("#/$defs/{rest}").into(),
                    _ => rename(one),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(rename),
        _ => {}
    }
}

/// Whether an object is short, and no reference stands in it, at any depth. No more is looked at than what is copied.
fn is_closed(target: &Object) -> bool {
    let mut due: Vec<&Value> = target.values().take(COPIED + 1).collect();
    let mut seen = 0;
    while let Some(&value) = due.get(seen) {
        seen += 1;
        if seen > COPIED || value.get("$ref").is_some() {
            return false;
        }
        match value {
            Value::Object(members) => due.extend(members.values().take(COPIED + 1)),
            Value::Array(items) => due.extend(items.iter().take(COPIED + 1)),
            _ => {}
        }
    }
    !target.contains_key("$ref")
}

/// Whether a part of an `allOf` leads to itself (definition "refused schema"). A chain of references can be as long as the
/// parameters, so nothing here calls itself; `path` holds what leads to the value at hand.
fn is_endless(parameters: &Value) -> bool {
    let (mut seen, mut path) = (HashSet::new(), HashSet::new());
    let mut due = vec![(parameters, false, false)];
    while let Some((value, part, done)) = due.pop() {
        let key = (std::ptr::from_ref(value), part);
        if done {
            path.remove(&key);
            continue;
        }
        if path.contains(&key) {
            return true;
        }
        if !seen.insert(key) {
            continue;
        }
        path.insert(key);
        due.push((value, part, true));
        match value {
            Value::Object(members) => {
                for (name, one) in members {
                    match one {
                        Value::Array(items) if name == "allOf" || part && name == "anyOf" => {
                            due.extend(items.iter().filter(|each| each.is_object()).map(|each| (each, true, false)));
                        }
                        _ => due.push((one, false, false)),
                    }
                }
                let found = members.get("$ref").and_then(Value::as_str).filter(|each| part && each.starts_with("#/"));
                let target = found.and_then(pointer_in).and_then(|pointer| parameters.pointer(&pointer));
                due.extend(target.filter(|each| each.is_object()).map(|each| (each, true, false)));
            }
            Value::Array(items) => due.extend(items.iter().map(|each| (each, false, false))),
            _ => {}
        }
    }
    false
}

const ANY: [&str; 6] = ["string", "number", "boolean", "object", "array", "null"];

const TYPED: [(&str, &[&str]); 4] = [
    (
        "object",
        &["properties", "required", "additionalProperties", "patternProperties", "propertyNames", "minProperties", "maxProperties"],
    ),
    ("array", &["items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems"]),
    ("string", &["pattern", "minLength", "maxLength"]),
    ("number", &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
];

/// Makes a schema say its types, where it has to (PAY-191).
fn state_type(schema: &mut Value, place: &Path, flags: &Flags, findings: &mut Vec<Finding>) {
    if !flags.holds("refused_in_schemas", "untyped") || !is_untyped(schema) {
        return;
    }
    let Some(members) = schema.as_object_mut() else { return };
    let said = |names: &[&str]| names.iter().any(|name| members.contains_key(*name));
    let types: Vec<&str> = TYPED.iter().filter(|(_, names)| said(names)).map(|(kind, _)| *kind).collect();
    let any = ANY.map(|kind| json!({"type": kind}));
    let (name, value) = match types[..] {
        [] => ("anyOf", json!(any)),
        [kind] => ("type", kind.into()),
        _ => return,
    };
    members.insert(name.into(), value);
    findings.push(Finding::new("schema_respelled", below(place, name)));
}

/// Makes a schema of one text a list of it, where only that is taken (PAY-191).
fn enumerate(schema: &mut Value, flags: &Flags) -> bool {
    let Some(members) = schema.as_object_mut() else { return false };
    let is_taken = members.get("type").is_none_or(|kind| kind == "string") && !members.contains_key("enum");
    let is_wanted = flags.holds("refused_in_schemas", "const") && !flags.holds("refused_in_schemas", "enum");
    let is_respelled = is_taken && is_wanted && members.get("const").is_some_and(Value::is_string);
    if let (true, Some(text)) = (is_respelled, members.get("const").cloned()) {
        members.shift_remove("const");
        members.insert("type".into(), "string".into());
        members.insert("enum".into(), json!([text]));
    }
    is_respelled
}

/// Gives values of one type this type, where that is wanted (PAY-191).
fn type_values(schema: &mut Value, flags: &Flags) -> bool {
    let Some(members) = schema.as_object_mut() else { return false };
    let values = match members.get("enum") {
        Some(values) => values.as_array().map_or(&[][..], Vec::as_slice),
        None => members.get("const").map_or(&[][..], std::slice::from_ref),
    };
    let are = |fits: fn(&Value) -> bool| !values.is_empty() && values.iter().all(fits);
    let kind = if are(Value::is_string) {
        "string"
    } else if are(Value::is_number) {
        "number"
    } else if are(Value::is_boolean) {
        "boolean"
    } else {
        return false;
    };
    if members.contains_key("type") || !flags.holds("refused_in_schemas", "enum_untyped") {
        return false;
    }
    members.insert("type".into(), kind.into());
    true
}

/// Gives a schema of integers limits that belong to it, where no other are taken (PAY-191).
fn limit(schema: &mut Value, place: &Path, flags: &Flags, findings: &mut Vec<Finding>) {
    if let (true, Some(members)) = (flags.holds("refused_in_schemas", "malformed"), schema.as_object_mut()) {
        date(members, place, flags, findings);
    }
    let Some(members) = schema.as_object_mut().filter(|members| members.get("type").is_some_and(|kind| kind == "integer")) else {
        return;
    };
    for (name, other, step) in [("exclusiveMinimum", "minimum", 1.0), ("exclusiveMaximum", "maximum", -1.0)] {
        let refused = |name: &str| flags.holds("refused_in_schemas", name);
        let is_open = refused(name) && !refused(other) && !members.contains_key(other);
        // From there on a number that is 1 more can be the same number elsewhere.
        let limit =
            members.get(name).and_then(Value::as_f64).filter(|each| each.fract() == 0.0 && each.abs() < 9_007_199_254_740_991.0);
        if let (true, Some(limit)) = (is_open, limit) {
            members.shift_remove(name);
            #[expect(clippy::cast_possible_truncation, reason = "its magnitude is below 2^53")]
            members.insert(other.into(), ((limit + step) as i64).into());
            findings.push(Finding::new("schema_respelled", below(place, name)));
        }
    }
}

/// Takes out the open limits of an older JSON Schema, which were booleans (PAY-191).
fn date(members: &mut Object, place: &Path, flags: &Flags, findings: &mut Vec<Finding>) {
    let taken = |(name, _): &(&str, &str)| !flags.holds("refused_in_schemas", name);
    for (name, other) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")].into_iter().filter(taken) {
        let Some(is_open) = members.get(name).and_then(Value::as_bool) else { continue };
        members.shift_remove(name);
        if let Some(limit) = members.get(other).filter(|limit| is_open && limit.is_number()).cloned() {
            members.shift_remove(other);
            members.insert(name.into(), limit);
        }
        findings.push(Finding::new("schema_respelled", below(place, name)));
    }
}

fn remove_keywords(schema: &mut Value, place: &Path, flags: &Flags, findings: &mut Vec<Finding>) {
    let Some(members) = schema.as_object_mut() else { return };
    members.retain(|name, _| {
        let stays = place.is_empty() && ["type", "properties"].contains(&name.as_str());
        let refused = !stays && flags.holds("refused_in_schemas", name);
        if refused {
            findings.push(Finding::new(code_of_removed(name), below(place, name.as_str())));
        }
        !refused
    });
}

fn code_of_removed(name: &str) -> &'static str {
    let annotates = ANNOTATIONS.contains(&name) || name.starts_with("x-");
    if annotates { "annotation_removed" } else { "constraint_removed" }
}

/// Moves the type of a schema into the branches of its `anyOf`, where they allow the same values then.
fn move_type(schema: &mut Value) -> bool {
    let Some(members) = schema.as_object_mut() else { return false };
    let Some(own) = members.get("type").cloned() else { return false };
    let Some(Value::Array(branches)) = members.get_mut("anyOf") else { return false };
    let types = |value: &Value| value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
    let fits = |branch: &Value| {
        branch
            .as_object()
            .is_some_and(|branch| branch.get("type").is_none_or(|each| types(each).iter().all(|each| types(&own).contains(each))))
    };
    if !branches.iter().all(fits) {
        return false;
    }
    for branch in branches {
        if branch.get("type").is_none() {
            branch["type"] = own.clone();
        }
    }
    members.shift_remove("type");
    true
}

/// The places of the refused schemas in parameters that were changed before; references lead into these as they came.
pub(super) fn refused(parameters: &Value, given: &Value, flags: &Flags) -> Vec<Path> {
    let mut found = Vec::new();
    visit(&mut parameters.clone(), &steps![], &mut |schema, place| {
        let is_refused = |row: &str| match row {
            "malformed" => is_malformed(schema),
            "all_of_endless" => place.is_empty() && is_endless(parameters),
            "ref_undefined" => is_ref_undefined(schema, given),
            "ref_siblings" => {
                let renames = parameters.as_object().is_some_and(|root| renames(root, flags));
                !place.is_empty() && schema.get("$ref").is_some_and(|each| !is_defined(each, renames))
            }
            "property_names" => place.is_empty() && has_bad_name(schema),
            "type_beside_any_of" => schema.get("type").is_some() && schema.get("anyOf").is_some_and(|each| !each.is_null()),
            "type_list" => {
                schema.get("type").is_some_and(Value::is_array) && !(listed_types(schema, flags).is_some() && is_splittable(schema))
            }
            _ => is_untyped(schema),
        };
        if [
            "all_of_endless",
            "malformed",
            "property_names",
            "ref_siblings",
            "ref_undefined",
            "type_beside_any_of",
            "type_list",
            "untyped",
        ]
        .iter()
        .any(|row| flags.holds("refused_in_schemas", row) && is_refused(row))
        {
            found.push(place.clone());
        }
    });
    found
}

fn is_malformed(schema: &Value) -> bool {
    let Some(members) = schema.as_object() else { return !schema.is_boolean() };
    let bad = |name: &str, fits: fn(&Value) -> bool| members.get(name).is_some_and(|value| !fits(value));
    let is_filled: fn(&Value) -> bool = |each| each.as_array().is_some_and(|each| !each.is_empty());
    bad("type", is_type)
        || bad("enum", is_filled)
        || bad("required", are_different_strings)
        || IN_OBJECTS.iter().any(|name| bad(name, Value::is_object))
        || IN_ARRAYS.iter().any(|name| bad(name, is_filled))
}

fn is_type(kind: &Value) -> bool {
    let known = |name: &Value| name.as_str().is_some_and(|name| TYPES.contains(&name));
    match kind {
        Value::Array(kinds) => !kinds.is_empty() && are_different_strings(kind) && kinds.iter().all(known),
        _ => known(kind),
    }
}

/// Whether a reference into the parameters leads to nothing, percent signs as they stand.
fn is_ref_undefined(schema: &Value, parameters: &Value) -> bool {
    let pointer = schema.get("$ref").and_then(Value::as_str).and_then(|each| each.strip_prefix('#'));
    pointer.is_some_and(|pointer| pointer.starts_with('/') && parameters.pointer(pointer).is_none())
}

/// Whether a property of parameters has a name that is no word of letters, digits, `_`, `.` and `-`.
fn has_bad_name(schema: &Value) -> bool {
    let is_good = |name: &String| {
        (1..=64).contains(&name.len()) && name.bytes().all(|each| each.is_ascii_alphanumeric() || b"_.-".contains(&each))
    };
    schema.get("properties").and_then(Value::as_object).is_some_and(|properties| !properties.keys().all(is_good))
}

fn is_untyped(schema: &Value) -> bool {
    let names = ["type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"];
    schema.as_object().is_some_and(|members| names.iter().all(|name| !members.contains_key(*name)))
}

/// Whether parameters hold an open schema.
pub(super) fn are_open(parameters: &Value) -> bool {
    let mut open = false;
    visit(&mut parameters.clone(), &steps![], &mut |schema, _| {
        open = open || is_open(schema) || is_untyped(schema);
    });
    open
}

/// The formats of texts that strict mode knows.
const FORMATS: [&str; 9] = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

const LOOSE: [&str; 8] = ["oneOf", "allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"];

fn is_open(schema: &Value) -> bool {
    let Some(members) = schema.as_object() else { return false };
    LOOSE.iter().any(|name| members.contains_key(*name))
        || members.get("format").is_some_and(|each| !each.as_str().is_some_and(|each| FORMATS.contains(&each)))
        || looks_around(members)
        || takes_others(members)
        || optional_in(members) > 0
}

/// How many strict tools, members that are not required, and choices of types one request has.
const GRAMMAR: [usize; 3] = [20, 24, 16];

/// The keywords for which a grammar has no rule.
const UNRULED: [&str; 9] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "maxItems",
    "uniqueItems",
];

/// Whether a grammar has rules for all schemas of parameters, and place for them beside what is spent, which grows by them.
pub(super) fn fit_grammar(parameters: &Value, spent: &mut [usize; 3]) -> bool {
    let (mut is_loose, mut total) = (false, *spent);
    total[0] += 1;
    visit(&mut parameters.clone(), &steps![], &mut |schema, _| {
        let Some(members) = schema.as_object() else { return };
        is_loose = is_loose || self::is_loose(members);
        total[1] += optional_in(members);
        total[2] += usize::from(members.contains_key("anyOf") || members.get("type").is_some_and(Value::is_array));
    });
    let fits = !is_loose && total.iter().zip(GRAMMAR).all(|(each, most)| *each <= most);
    if fits {
        *spent = total;
    }
    fits
}

fn is_loose(members: &Object) -> bool {
    let is_known = |fewest: &Value| [0.0, 1.0].map(Some).contains(&fewest.as_f64());
    UNRULED.iter().any(|name| members.contains_key(*name))
        || members.get("minItems").is_some_and(|fewest| !is_known(fewest))
        || looks_around(members)
        || takes_others(members)
}

fn looks_around(members: &Object) -> bool {
    let pattern = members.get("pattern").and_then(Value::as_str);
    pattern.is_some_and(|text| ["(?=", "(?!", "(?<=", "(?<!"].iter().any(|mark| text.contains(mark)))
}

/// Whether a schema of objects takes members that it does not name.
fn takes_others(members: &Object) -> bool {
    let is_of_objects =
        members.get("type").is_some_and(|each| each == "object") || members.get("properties").is_some_and(Value::is_object);
    is_of_objects && members.get("additionalProperties") != Some(&Value::Bool(false))
}

/// How many members a schema names and does not require.
fn optional_in(members: &Object) -> usize {
    let required = members.get("required").and_then(Value::as_array);
    let named = |name: &&String| required.is_some_and(|names| names.iter().any(|each| each == *name));
    let properties = members.get("properties").and_then(Value::as_object);
    properties.map_or(0, |properties| properties.keys().filter(|name| !named(name)).count())
}
