//! Interface: requests, replies and events of another interface in the form of the contracts, and back.

mod events;
mod flat;
mod made;
mod read;
mod reply;
mod response;
mod table;
mod tools;
mod units;
mod write;
mod written;

use serde_json::Value;

use crate::shared::outcome::Outcome;
use crate::shared::schema;

/// `interface.read`: reads a request of an interface.
///
/// ```
/// use commoncall::{interface, serde_json::json};
///
/// let request = json!({"max_tokens": 8, "messages": [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}]});
/// let read = interface::read(&json!({"interface": "anthropic-messages", "request": request}))?;
/// assert_eq!(read["request"], json!({"max_tokens": 8, "messages": [{"role": "user", "content": "Hi"}]}));
/// # Ok::<(), commoncall::Failure>(())
/// ```
///
/// # Errors
/// `invalid_input`.
pub fn read(input: &Value) -> Outcome {
    Ok(read::read(schema::input("interface:read", input)?))
}

/// `interface.read_reply`: reads the reply of a model.
///
/// # Errors
/// `invalid_input`.
pub fn read_reply(input: &Value) -> Outcome {
    Ok(reply::read(schema::input("interface:read_reply", input)?))
}

/// `interface.read_events`: reads the events of a streamed reply.
///
/// # Errors
/// `invalid_input`.
pub fn read_events(input: &Value) -> Outcome {
    Ok(events::read(schema::input("interface:read_events", input)?))
}

/// `interface.write`: writes a request in the form of the contracts for an interface.
///
/// # Errors
/// `invalid_input`.
pub fn write(input: &Value) -> Outcome {
    Ok(write::write(schema::input("interface:write", input)?))
}

/// `interface.write_reply`: writes a reply of Chat Completions for an interface.
///
/// # Errors
/// `invalid_input`.
pub fn write_reply(input: &Value) -> Outcome {
    Ok(written::write_reply(schema::input("interface:write_reply", input)?))
}

/// `interface.write_events`: writes the chunks of a streamed reply as the events of an interface.
///
/// # Errors
/// `invalid_input`.
pub fn write_events(input: &Value) -> Outcome {
    Ok(written::write_events(schema::input("interface:write_events", input)?))
}
