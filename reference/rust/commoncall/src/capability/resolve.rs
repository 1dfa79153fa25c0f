//! What the registries say of the models that a request can reach.

use serde_json::{Value, json};

use super::registry::{Hit, hit, provider_of, providers};
use crate::shared::capabilities::{KINDS, stated_choices, stated_parallel, supports};
use crate::shared::json::elements;
use crate::shared::outcome::Object;

/// A target that was looked up: its hit with the layer, if it has one, and its reason.
struct Found {
    hit: Option<(usize, Hit)>,
    reason: &'static str,
}

impl Found {
    fn is_open(&self) -> bool {
        self.hit.as_ref().is_some_and(|(_, hit)| hit.rank == self.reason && supports(&self.capability()))
    }

    fn capability(&self) -> Value {
        self.hit.as_ref().map_or(Value::Null, |(_, hit)| Value::Object(hit.entry.clone()))
    }
}

pub(crate) fn resolve(input: &Object) -> Value {
    let registries: Vec<Option<&Object>> = elements(input.get("registries")).iter().map(providers).collect();
    let found: Vec<Found> = elements(input.get("targets")).iter().map(|target| look_up(&registries, target)).collect();
    let closed = found.iter().find(|each| !each.is_open());
    let supported = closed.is_none() && !found.is_empty();
    let reason = closed.or(found.first()).map_or("no_target", |each| each.reason);
    let matched: Vec<Value> = found
        .iter()
        .map(|each| each.hit.as_ref().map_or(Value::Null, |(layer, hit)| json!({"layer": layer, "key": hit.key})))
        .collect();
    json!({
        "tool_calls_supported": supported,
        "tool_choice": if supported { choices(&found) } else { Some(Vec::new()) },
        "parallel_tool_calls": if supported { parallel(&found) } else { Some(false) },
        "reason": reason,
        "matched": matched,
    })
}

fn look_up(registries: &[Option<&Object>], target: &Value) -> Found {
    let name = |member: &str| target.as_object()?.get(member)?.as_str().filter(|name| !name.is_empty());
    let closed = |reason| Found { hit: None, reason };
    let Some(provider) = name("provider") else { return closed("unknown_provider") };
    let Some(model) = name("model") else { return closed("unknown_model") };
    let mut known = false;
    for (layer, registry) in registries.iter().enumerate() {
        let Some(providers) = registry else { return closed("registry_invalid") };
        let Some(provider) = provider_of(providers, provider) else { continue };
        known = true;
        if let Some(hit) = hit(provider, model) {
            let reason = if hit.malformed { "malformed_entry" } else { hit.rank };
            return Found { hit: Some((layer, hit)), reason };
        }
    }
    closed(if known { "unknown_model" } else { "unknown_provider" })
}

/// The choices that all targets take (CAP-005).
fn choices(found: &[Found]) -> Option<Vec<&'static str>> {
    let stated: Vec<_> = found.iter().filter_map(|each| stated_choices(&each.capability())).collect();
    let in_all = |kind: &&str| stated.iter().all(|kinds| kinds.contains(kind));
    (!stated.is_empty()).then(|| KINDS.into_iter().filter(in_all).collect())
}

/// Whether all targets make parallel calls (CAP-005).
fn parallel(found: &[Found]) -> Option<bool> {
    let stated: Vec<_> = found.iter().map(|each| stated_parallel(&each.capability())).collect();
    match () {
        () if stated.contains(&Some(false)) => Some(false),
        () if stated.iter().all(|each| *each == Some(true)) => Some(true),
        () => None,
    }
}
