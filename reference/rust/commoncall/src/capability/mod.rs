//! Capability: may this model have tools at all, and which are effective this turn?

mod plan;
mod registry;
mod resolve;

use serde_json::{Value, json};

use crate::shared::findings::{Finding, listed, steps};
use crate::shared::outcome::Outcome;
use crate::shared::schema;

pub(crate) use plan::plan;
pub(crate) use resolve::resolve as resolve_targets;

use plan::Policy;

/// `capability.resolve`: says what registries know of the models that a request may reach.
///
/// ```
/// use commoncall::{capability, serde_json::json};
///
/// let models = json!({"large-2": {"tool_calls_supported": true}});
/// let registry = json!({"registry_version": "1.0", "revision": "a", "providers": {"acme": {"models": models}}});
/// let input = json!({"registries": [registry], "targets": [{"provider": "ACME", "model": "large-2"}]});
/// assert_eq!(capability::resolve(&input)?["reason"], "exact");
/// # Ok::<(), commoncall::Failure>(())
/// ```
///
/// # Errors
/// `invalid_input`.
pub fn resolve(input: &Value) -> Outcome {
    Ok(resolve::resolve(schema::input("capability:resolve", input)?))
}

/// `capability.effective_tools`: applies the layers of policy to the registered tools.
///
/// ```
/// use commoncall::{capability, serde_json::json};
///
/// let input = json!({"registered": ["read", "write"], "layers": [{"exclude": ["write"]}]});
/// assert_eq!(capability::effective_tools(&input)?["effective"], json!(["read"]));
/// # Ok::<(), commoncall::Failure>(())
/// ```
///
/// # Errors
/// `invalid_input`.
pub fn effective_tools(input: &Value) -> Outcome {
    let Policy { effective, findings } = Policy::of(schema::input("capability:effective_tools", input)?);
    Ok(json!({"effective": effective, "findings": listed(findings)}))
}

/// `capability.plan_turn`: decides what a turn sends, prompts and parses.
///
/// ```
/// use commoncall::{capability, serde_json::json};
///
/// let input = json!({"registered": [], "layers": [], "capability": {"tool_calls_supported": true}, "text_protocol": false});
/// assert_eq!(capability::plan_turn(&input)?["protocol"], "none");
/// # Ok::<(), commoncall::Failure>(())
/// ```
///
/// # Errors
/// `invalid_input`.
pub fn plan_turn(input: &Value) -> Outcome {
    let (mut plan, findings) = plan(schema::input("capability:plan_turn", input)?);
    plan.insert("findings".into(), listed(findings));
    Ok(plan.into())
}

/// `capability.filter_prompt`: keeps the sections of a prompt that the plan needs.
///
/// ```
/// use commoncall::{capability, serde_json::json};
///
/// let plan = json!({"effective": [], "prompt_catalogue": false, "prompt_protocol": false});
/// let input = json!({"sections": [{"id": "a", "needs": "tools", "text": "Call tools."}], "plan": plan});
/// assert_eq!(capability::filter_prompt(&input)?, json!({"sections": []}));
/// # Ok::<(), commoncall::Failure>(())
/// ```
///
/// # Errors
/// `invalid_input`.
pub fn filter_prompt(input: &Value) -> Outcome {
    let input = schema::input("capability:filter_prompt", input)?;
    let null = Value::Null;
    let member = |name: &str| input.get(name).unwrap_or(&null);
    Ok(json!({"sections": filtered_sections(member("sections"), member("plan"))}))
}

/// The sections of a prompt that a plan needs.
pub(crate) fn filtered_sections(sections: &Value, plan: &Value) -> Vec<Value> {
    let none = Vec::new();
    let sections = sections.as_array().unwrap_or(&none);
    let effective = plan["effective"].as_array().unwrap_or(&none);
    let has_tools = !effective.is_empty();
    let mut protocols = 0;
    let stays = |section: &&Value| match &section["needs"] {
        Value::Null => true,
        Value::String(need) if need == "tools" => has_tools,
        Value::String(need) if need == "catalogue" => has_tools && plan["prompt_catalogue"] == true,
        Value::String(_) => {
            protocols += 1;
            has_tools && plan["prompt_protocol"] == true && protocols == 1
        }
        need => effective.contains(&need["tool"]),
    };
    sections.iter().filter(stays).cloned().collect()
}

/// A finding at an element.
fn at_element(code: &'static str, name: &str, at: usize) -> Finding {
    Finding::new(code, steps![name, at])
}
