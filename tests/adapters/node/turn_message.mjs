// What a message holds: text, reasoning, and calls that are still without ids (TRN-022, TRN-023).

import {extract} from './extract.mjs';
import {checkToolCall} from './tool_call.mjs';
import {pick} from './turn_members.mjs';

// What stands in segments and rejects nothing (TRN-030).
const HARMLESS = ['name_not_sendable', 'unclosed'];
const NO_TEXT = {content: null, reasoning: null, tool_calls: [], segments: []};

/**
 * `{content, reasoning, calls, isUnsolicited, isRejected}`; a call has `name` and `text`, each of
 * which can be null, and a native one its `element` and `findings` (turn: call of the message).
 */
export function readMessage(input) {
  const {plan, message} = input;
  const isNative = message.tool_calls !== null && message.tool_calls.length > 0;
  const {content, reasoning, tool_calls: found, segments} = readText(input, isNative);
  const isParsed = plan.parse_native_calls && plan.effective.length > 0;
  return {
    content,
    reasoning,
    calls: isNative ? (isParsed ? readNative(message) : []) : found.map(fromText),
    isUnsolicited: isNative && !isParsed,
    isRejected: segments.some(({codes = []}) => codes.some((code) => !HARMLESS.includes(code))),
  };
}

/** What the extractor gives; its ids are not used (TRN-022). */
function readText(input, isNative) {
  const {plan, message} = input;
  if (message.text === null) return NO_TEXT;
  return extract({
    text: message.text,
    effective: plan.parse_text_calls ? plan.effective : [],
    native_calls: isNative,
    ...pick(input, ['tools', 'dialects', 'starts_in_reasoning']),
  }).result;
}

function fromText({name, arguments_json: text}) {
  return {name, text};
}

function readNative(message) {
  const option = pick(message, ['truncated']);
  return message.tool_calls.map((element) => {
    const {name, arguments_json: text, findings} =
      checkToolCall({tool_call: element, ...option}).result;
    return {name, text, element, findings};
  });
}
