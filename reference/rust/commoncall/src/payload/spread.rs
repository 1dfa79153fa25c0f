//! Parameters whose members stand in combinations that an endpoint refuses at their root (definition "spread parameters").

use serde_json::{Value, json};

use super::profile::Flags;
use super::tools::goes_at_root;
use crate::shared::json::{equal, pointer_in};
use crate::shared::outcome::Object;

/// Puts the members of the object that parameters refer to in the place of the reference; whether there is one.
pub(super) fn lead(root: &mut Object, flags: &Flags) -> bool {
    if !goes_at_root("$ref", flags) {
        return false;
    }
    let Some(target) = target(root.get("$ref"), root).cloned() else { return false };
    root.shift_remove("$ref");
    for (name, value) in target {
        root.entry(name).or_insert(value);
    }
    true
}

/// Gives parameters the members of the branches that go.
pub(super) fn spread(root: &mut Object, flags: &Flags) {
    let stated = |name: &str| root.get(name).filter(|each| !each.is_null());
    let mut properties = match stated("properties") {
        None => Object::new(),
        Some(Value::Array(each)) if each.is_empty() => Object::new(),
        Some(Value::Object(properties)) => properties.clone(),
        Some(_) => return,
    };
    let mut required = match stated("required") {
        None => Vec::new(),
        Some(Value::Array(required)) => required.clone(),
        Some(_) => return,
    };
    let mut found: Vec<(String, Vec<Value>)> = Vec::new();
    let mut demanded: Vec<Value> = Vec::new();
    for name in ["allOf", "anyOf", "oneOf"].into_iter().filter(|name| goes_at_root(name, flags)) {
        let Some(Value::Array(listed)) = root.get(name) else { continue };
        let branch = |one: &Value| target(one.get("$ref"), root).or(one.as_object()).cloned().unwrap_or_default();
        let branches: Vec<Object> = listed.iter().map(branch).collect();
        for branch in &branches {
            collect_members(branch, &mut found);
        }
        let wanted: Vec<Vec<Value>> = branches.iter().map(required_of).collect();
        let all = wanted.iter().flatten().filter(|one| name == "allOf" || wanted.iter().all(|names| names.contains(one)));
        demanded.extend(all.cloned());
    }
    let (members, names) = (properties.len(), required.len());
    for (name, mut schemas) in found {
        let schema = if schemas.len() == 1 { schemas.remove(0) } else { json!({"anyOf": schemas}) };
        properties.entry(name).or_insert(schema);
    }
    for one in demanded {
        if one.as_str().is_some_and(|one| properties.contains_key(one)) && !required.contains(&one) {
            required.push(one);
        }
    }
    if required.len() > names {
        root.insert("required".into(), required.into());
    }
    if properties.len() > members {
        root.insert("properties".into(), properties.into());
    }
}

/// The object to which a reference leads, if there is one.
pub(super) fn target<'a>(reference: Option<&Value>, document: &'a Object) -> Option<&'a Object> {
    let pointer = pointer_in(reference?.as_str()?)?;
    let pointer = pointer.strip_prefix('/')?;
    let (first, rest) = pointer.split_once('/').map_or((pointer, String::new()), |(first, rest)| (first, format!("/{rest}")));
    document.get(&first.replace("~1", "/").replace("~0", "~"))?.pointer(&rest)?.as_object()
}

/// Adds the members of a branch to the schemas that their names have, each once.
fn collect_members(branch: &Object, found: &mut Vec<(String, Vec<Value>)>) {
    for (name, schema) in branch.get("properties").and_then(Value::as_object).into_iter().flatten() {
        match found.iter_mut().find(|(known, _)| known == name) {
            None => found.push((name.clone(), vec![schema.clone()])),
            Some((_, schemas)) if schemas.iter().any(|one| equal(one, schema)) => {}
            Some((_, schemas)) => schemas.push(schema.clone()),
        }
    }
}

fn required_of(branch: &Object) -> Vec<Value> {
    let names = branch.get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter(|one| one.is_string()).cloned().collect()
}
