// The error types of a call, a closed list, and their texts (codes: fixed texts).

export const TOO_LARGE = 'tool_payload_too_large';
export const UNREADABLE = 'tool_payload_parse_error';
export const CUT_OFF = 'tool_payload_truncated';
export const ECHOED = 'tool_echoed';
export const NOT_AVAILABLE = 'tool_not_available';
export const TOOL_ERROR = 'tool_error';

export const MESSAGES = new Map([
  [TOO_LARGE, 'The tool call was not run: its payload is too large.'],
  [UNREADABLE, 'The tool call was not run: its payload could not be read.'],
  [CUT_OFF, 'The tool call was not run: the output was cut off before its end.'],
  [ECHOED, 'The tool call was not run: it repeats a text that stood in a message or a result.'],
  [NOT_AVAILABLE, 'The tool call was not run: the tool is not available.'],
  ['tool_denied', 'The tool call was not run: it was denied.'],
  ['tool_timeout', 'The tool call took too long and was given up.'],
  ['tool_aborted', 'The tool call was aborted before it had a result.'],
  [TOOL_ERROR, 'The tool call failed.'],
]);
