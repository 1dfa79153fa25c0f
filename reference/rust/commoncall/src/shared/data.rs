//! The data of the specification, compiled in.

include!(concat!(env!("OUT_DIR"), "/data.rs"));

/// The fixed texts of `spec/v1/codes.md`.
pub(crate) fn fixed_text(name: &str) -> Option<&'static str> {
    Some(match name {
        "tool_payload_too_large" => "The tool call was not run: its payload is too large.",
        "tool_payload_parse_error" => "The tool call was not run: its payload could not be read.",
        "tool_payload_truncated" => "The tool call was not run: the output was cut off before its end.",
        "tool_echoed" => "The tool call was not run: it repeats a text that stood in a message or a result.",
        "tool_not_available" => "The tool call was not run: the tool is not available.",
        "tool_denied" => "The tool call was not run: it was denied.",
        "tool_timeout" => "The tool call took too long and was given up.",
        "tool_aborted" => "The tool call was aborted before it had a result.",
        "tool_error" => "The tool call failed.",
        _ => return None,
    })
}

pub(crate) const INVALID_CALL_RESULT: &str = "Error: this call was not run, because its name or its arguments are invalid.";
pub(crate) const MISSING_RESULT: &str = "Error: there is no result for this call.";
pub(crate) const PART_NOT_SHOWN: &str = "This part of the result is no text, and is not shown.";
pub(crate) const RESULT_NOT_JSON: &str = "The tool was run, and its result cannot be written as JSON.";
pub(crate) const PART_MOVED: &str = "This part of the result is no text, and stands in the message behind the results.";
pub(crate) const PARTS_OF_RESULTS: &str = "These parts are of the results of tools, in their order.";
pub(crate) const RESULTS_RECEIVED: &str = "I have received the results.";
pub(crate) const MESSAGE_RECEIVED: &str = "I have received the message.";
pub(crate) const PLEASE_CONTINUE: &str = "Please continue.";
pub(crate) const CALL_NOT_SHOWN: &str = "A tool was called here, and the call is not shown.";
