// The reply of another interface, told by what no Chat Completions has (TRN-080, TRN-081; turn: reply sign).

import {CALLS, CAMEL, CONTENT, PARTS, camelCalls, errorOf, has, signOfElements} from '../payload/foreign_form.mjs';
import {isFilledArray} from '../shared/json_object.mjs';
import {isObject, own} from '../shared/json_text.mjs';

const WORDS = [['openai-responses', (part) => own(part, 'type') === 'output_text']];

/** The rows of whole replies and of events: a form, a member, and whether it and its object are a sign. */
const WHOLE = [
  ['ollama-chat', 'message', (message, reply) => isObject(message) && typeof own(reply, 'done') === 'boolean'],
  ['gemini-generate-content', 'candidates', Array.isArray],
  ['openai-responses', 'output', Array.isArray],
  ['bedrock-converse', 'output', (output) => isObject(output) && isObject(own(output, 'message'))],
  ['bedrock-converse', 'messageStart', isObject],
  ['bedrock-converse', 'contentBlockStart', isObject],
  ['bedrock-converse', 'contentBlockDelta', isObject],
];

/** The error of a message or a chunk, which stands under a path, or null. */
export function foreignReply(reply, start) {
  if (!isObject(reply)) return null;
  if (has(reply, 'choices')) return foreignDelta(own(reply, 'choices'), start);
  const isBare = !['role', 'text', 'tool_calls'].some((name) => has(reply, name));
  const sign = camelCalls(reply) ?? signOfMessage(reply) ?? (isBare ? signOfWhole(reply) : null);
  return sign === null ? null : errorOf(sign, start);
}

function foreignDelta(choices, start) {
  const first = Array.isArray(choices) ? choices[0] : null;
  const delta = isObject(first) ? own(first, 'delta') : null;
  const sign = isObject(delta) ? camelCalls(delta) : null;
  return sign === null ? null : errorOf(sign, `${start}/choices/0/delta`);
}

function signOfMessage(message) {
  const calls = own(message, 'tool_calls');
  if (isFilledArray(calls)) return signOfElements(calls, CALLS, ['tool_calls']);
  const name = ['text', 'content', 'parts'].find((each) => Array.isArray(own(message, each)));
  const parts = name === undefined ? [] : own(message, name);
  const sign = signOfElements(parts, [...CONTENT, ...PARTS, ...CAMEL], [name]);
  if (sign !== null || own(message, 'type') !== 'message') return sign;
  if (has(message, 'stop_reason')) return {form: 'anthropic-messages', path: []};
  const words = signOfElements(parts, WORDS, []);
  return words === null ? null : {...words, path: []};
}

function signOfWhole(reply) {
  const row = WHOLE.find(([, name, fits]) => fits(own(reply, name), reply));
  if (row !== undefined) return {form: row[0], path: [row[1]]};
  const type = own(reply, 'type');
  if (typeof type !== 'string') return null;
  if (type === 'function_call' || type.startsWith('response.')) {
    return {form: 'openai-responses', path: []};
  }
  const isEvent = type.startsWith('message_') || type.startsWith('content_block_');
  return isEvent ? {form: 'anthropic-messages', path: []} : null;
}
