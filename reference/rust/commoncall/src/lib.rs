#![doc = include_str!("../README.md")]

mod shared;

// The page for users, whose code the doc tests run.
#[cfg(all(doctest, in_repository))]
#[doc = include_str!("../../../../spec/use/rust.md")]
struct Page;

pub mod capability;
pub mod event;
pub mod extraction;
pub mod interface;
pub mod payload;
pub mod turn;

use serde_json::Value;

pub use serde_json;
pub use shared::json::{nesting_depth, parse};
pub use shared::outcome::{Environment, Failure, Object, Outcome};

/// The operations that this crate has, by the names of the specification.
pub const OPERATIONS: &[&str] = &[
    "payload.check_tool_call",
    "payload.sanitize_request",
    "payload.sanitize_history",
    "payload.flatten_history",
    "capability.resolve",
    "capability.effective_tools",
    "capability.plan_turn",
    "capability.filter_prompt",
    "event.hash_arguments",
    "event.record_calls",
    "event.to_otel",
    "extraction.extract",
    "extraction.stream",
    "turn.prepare",
    "turn.receive",
    "turn.stream",
    "turn.settle",
    "interface.read",
    "interface.write",
    "interface.read_reply",
    "interface.read_events",
    "interface.write_reply",
    "interface.write_events",
];

/// Runs an operation by its name. `None` where the crate does not have it.
#[must_use]
pub fn run(operation: &str, input: &Value, environment: Environment) -> Option<Outcome> {
    Some(match operation {
        "payload.check_tool_call" => payload::check_tool_call(input),
        "payload.sanitize_request" => payload::sanitize_request(input),
        "payload.sanitize_history" => payload::sanitize_history(input),
        "payload.flatten_history" => payload::flatten_history(input),
        "capability.resolve" => capability::resolve(input),
        "capability.effective_tools" => capability::effective_tools(input),
        "capability.plan_turn" => capability::plan_turn(input),
        "capability.filter_prompt" => capability::filter_prompt(input),
        "event.hash_arguments" => event::hash_arguments(input),
        "event.record_calls" => event::record_calls(input, environment),
        "event.to_otel" => event::to_otel(input),
        "extraction.extract" => extraction::extract(input, environment),
        "extraction.stream" => extraction::stream(input, environment),
        "turn.prepare" => turn::prepare(input),
        "turn.receive" => turn::receive(input, environment),
        "turn.stream" => turn::stream(input, environment),
        "turn.settle" => turn::settle(input),
        "interface.read" => interface::read(input),
        "interface.write" => interface::write(input),
        "interface.read_reply" => interface::read_reply(input),
        "interface.read_events" => interface::read_events(input),
        "interface.write_reply" => interface::write_reply(input),
        "interface.write_events" => interface::write_events(input),
        _ => return None,
    })
}
