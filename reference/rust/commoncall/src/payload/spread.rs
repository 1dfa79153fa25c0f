//! Parameters whose members stand in combinations that an endpoint refuses at their root (definition "spread parameters").

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::profile::Flags;
use super::tools::goes_at_root;
use crate::shared::json::{canonical, pointer_in};
use crate::shared::outcome::Object;

const FOLLOWED: usize = 10;

/// Puts the members of the objects that parameters refer to, one after the other, in the place of the reference; whether there
/// is one.
pub(super) fn lead(root: &mut Object, flags: &Flags) -> bool {
    if !goes_at_root("$ref", flags) {
        return false;
    }
    let document = root.clone();
    let mut seen = HashSet::new();
    let mut last = &document;
    while let Some(next) = target(last.get("$ref"), &document).filter(|next| seen.insert(std::ptr::from_ref(*next))) {
        last = next;
        root.shift_remove("$ref");
        for (name, value) in next {
            root.entry(name.as_str()).or_insert_with(|| value.clone());
        }
    }
    !seen.is_empty()
}

/// Gives parameters the members of the branches that go; `given` are those before they were led.
pub(super) fn spread(root: &mut Object, given: &Object, flags: &Flags) {
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
    // By their names, and then by what equal schemas have in common.
    let mut found: Vec<(String, Vec<Value>)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut known: HashSet<(usize, String)> = HashSet::new();
    let mut demanded: Vec<String> = Vec::new();
    for name in ["allOf", "anyOf", "oneOf"].into_iter().filter(|name| goes_at_root(name, flags)) {
        let listed = root.get(name).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let own = (name == "allOf" && goes_at_root("$ref", flags)).then(|| followed(Some(given), given));
        let branches: Vec<Vec<&Object>> = own.into_iter().chain(listed.iter().map(|one| followed(one.as_object(), root))).collect();
        let members = branches.iter().flatten().filter_map(|each| each.get("properties")?.as_object()).flatten();
        for (name, schema) in members {
            let at = *places.entry(name.clone()).or_insert(found.len());
            if at == found.len() {
                found.push((name.clone(), Vec::new()));
            }
            if known.insert((at, canonical(schema))) {
                found[at].1.push(schema.clone());
            }
        }
        let mut times: HashMap<&str, usize> = HashMap::new();
        for one in branches.iter().flat_map(|branch| required_of(branch).collect::<HashSet<_>>()) {
            *times.entry(one).or_default() += 1;
        }
        let most = if name == "allOf" { 1 } else { branches.len() };
        demanded.extend(branches.iter().flat_map(|branch| required_of(branch)).filter(|one| times[one] >= most).map(str::to_owned));
    }
    let (members, names) = (properties.len(), required.len());
    for (name, mut schemas) in found {
        let schema = if schemas.len() == 1 { schemas.remove(0) } else { json!({"anyOf": schemas}) };
        properties.entry(name).or_insert(schema);
    }
    let mut stated: HashSet<String> = required.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    for one in demanded {
        if properties.contains_key(&one) && stated.insert(one.clone()) {
            required.push(one.into());
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

/// A branch and the objects to which it leads, one after the other.
fn followed<'a>(branch: Option<&'a Object>, document: &'a Object) -> Vec<&'a Object> {
    std::iter::successors(branch, |last| target(last.get("$ref"), document)).take(FOLLOWED + 1).collect()
}

/// The names that a branch requires.
fn required_of<'a>(branch: &[&'a Object]) -> impl Iterator<Item = &'a str> {
    let names = branch.iter().filter_map(|each| each.get("required")?.as_array());
    names.flatten().filter_map(Value::as_str)
}
