//! Registries: when one loads, and which entry it holds for a model.

use std::collections::HashSet;

use serde_json::Value;

use crate::shared::outcome::Object;

/// An entry, and where it stands.
pub(super) struct Hit {
    pub(super) entry: Object,
    pub(super) malformed: bool,
    pub(super) rank: &'static str,
    /// The key as the registry writes it.
    pub(super) key: String,
}

/// The providers of a registry that loads.
pub(super) fn providers(registry: &Value) -> Option<&Object> {
    let members = registry.as_object().filter(|members| members.len() == 3)?;
    let providers = members.get("providers")?.as_object()?;
    (members.get("registry_version")? == "1.0"
        && members.get("revision")?.is_string()
        && providers.values().all(loads)
        && are_different(providers.keys().map(String::as_str)))
    .then_some(providers)
}

/// Whether a provider loads.
fn loads(provider: &Value) -> bool {
    let Some(members) = provider.as_object() else { return false };
    let Some(models) = members.get("models").and_then(Value::as_object) else { return false };
    let fits = members.iter().all(|(name, value)| match name.as_str() {
        "models" | "default" => true,
        "prefixes" => {
            value.as_array().is_some_and(|each| each.iter().all(|each| prefix_of(each).is_some_and(|each| !each.is_empty())))
        }
        _ => false,
    });
    let prefixes = members.get("prefixes").and_then(Value::as_array).into_iter().flatten();
    fits && are_different(models.keys().map(String::as_str)) && are_different(prefixes.filter_map(prefix_of))
}

fn prefix_of(entry: &Value) -> Option<&str> {
    entry.as_object()?.get("prefix")?.as_str()
}

fn are_different<'a>(mut names: impl Iterator<Item = &'a str>) -> bool {
    let mut seen = HashSet::new();
    names.all(|name| seen.insert(name.to_ascii_lowercase()))
}

/// The provider of a target among those of a registry.
pub(super) fn provider_of<'a>(providers: &'a Object, name: &str) -> Option<&'a Value> {
    providers.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, provider)| provider)
}

/// The entry that a provider holds for a model, at the first rank where it holds one.
pub(super) fn hit(provider: &Value, model: &str) -> Option<Hit> {
    let models = provider.get("models")?.as_object()?;
    if let Some((key, entry)) = models.iter().find(|(own, _)| own.eq_ignore_ascii_case(model)) {
        return Some(hit_of(entry, "exact", key));
    }
    let begins = |prefix: &str| model.get(..prefix.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(prefix));
    let prefixes = provider.get("prefixes").and_then(Value::as_array).into_iter().flatten();
    let fitting = prefixes.filter(|entry| prefix_of(entry).is_some_and(begins));
    if let Some(entry) = fitting.max_by_key(|entry| prefix_of(entry).map(str::len)) {
        let mut hit = hit_of(entry, "prefix", prefix_of(entry).unwrap_or_default());
        hit.entry.shift_remove("prefix");
        hit.malformed = is_malformed(&hit.entry);
        return Some(hit);
    }
    provider.get("default").map(|entry| hit_of(entry, "provider_default", "default"))
}

fn hit_of(entry: &Value, rank: &'static str, key: &str) -> Hit {
    let members = entry.as_object().cloned().unwrap_or_default();
    Hit { malformed: is_malformed(&members), entry: members, rank, key: key.to_owned() }
}

fn is_malformed(entry: &Object) -> bool {
    let known = ["tool_calls_supported", "tool_choice", "parallel_tool_calls", "source"];
    !entry.get("tool_calls_supported").is_some_and(Value::is_boolean) || !entry.keys().all(|name| known.contains(&name.as_str()))
}
