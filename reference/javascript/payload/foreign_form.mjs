// The form of another interface (payload: foreign sign; PAY-167).

import {isObject, own} from '../shared/json_text.mjs';
import {isFilledArray, isNothing} from '../shared/json_object.mjs';

const ITEMS = ['function_call', 'function_call_output'];
const BLOCKS = ['tool_use', 'tool_result'];
const CONVERSE = ['toolUse', 'toolResult'];
const FLAT = ['function', 'custom'];
const DATED = /_[0-9]{8}$/; // the types of tools that a server has
const GEMINI = ['functionCall', 'function_call', 'functionResponse', 'function_response'];
const DECLARATIONS = ['functionDeclarations', 'function_declarations'];

const has = (object, name) => !isNothing(own(object, name)); // a null counts as absent
const holdsObject = (part, names) =>
  !has(part, 'type') && names.some((name) => isObject(own(part, name)));
const isDated = (type) => typeof type === 'string' && DATED.test(type);
const isNamed = (tool) => typeof own(tool, 'name') === 'string';

/** The rows of flat tools, of contents and of parts: a form and what an object of it looks like. */
const TOOLS = [
  ['gemini-generate-content', (tool) => DECLARATIONS.some((name) => has(tool, name))],
  ['anthropic-messages', (tool) => isNamed(tool) &&
    (has(tool, 'input_schema') || isDated(own(tool, 'type')))],
  ['openai-responses', (tool) => isNamed(tool) &&
    (has(tool, 'parameters') || FLAT.includes(own(tool, 'type')))],
];
const SPOKEN = ['input_text', 'input_image', 'input_file', 'output_text'];
const CONTENT = [
  ['anthropic-messages', (part) => BLOCKS.includes(own(part, 'type'))],
  ['bedrock-converse', (part) => holdsObject(part, CONVERSE)],
];
const CALLS = [['ollama-chat', isOllamaCall]];
const SAID = CONTENT.toSpliced(1, 0, ['openai-responses', (part) => SPOKEN.includes(own(part, 'type'))]);
const PARTS = [['gemini-generate-content', (part) => holdsObject(part, GEMINI)]];
const CAMEL = [['camel-case', isCamel]];
const PARTS_ALONE = [
  ...PARTS,
  ['gemini-generate-content', (part) =>
    !has(part, 'type') && typeof own(part, 'text') === 'string'],
];

/** The error of a request, which tools count in where the model takes some, or null (PAY-167). */
export function foreignRequest(request, takesTools) {
  if (!isObject(request)) return null;
  const sign = signOfRequest(request, takesTools) ?? signOfMessages(own(request, 'messages'));
  return sign === null ? null : errorOf(sign, '/request');
}

/** The error of a history, or null (PAY-167). */
export function foreignHistory(messages) {
  const sign = signOfMessages(messages);
  return sign === null ? null : errorOf(sign, '');
}

/** PAY-167. No name in a path has a character that a pointer escapes. */
function errorOf({form, path}, start) {
  return {
    code: 'form_not_chat_completions', form,
    path: start + path.map((step) => `/${step}`).join(''),
  };
}

function signOfRequest(request, takesTools) {
  const input = own(request, 'input');
  const config = own(request, 'toolConfig');
  const tools = own(request, 'tools');
  if (!has(request, 'messages')) {
    if (has(request, 'contents')) return {form: 'gemini-generate-content', path: ['contents']};
    const isItems = Array.isArray(input) && input.some(isItem);
    if (isItems || (has(request, 'input') && has(request, 'tools'))) {
      return {form: 'openai-responses', path: ['input']};
    }
  }
  if (isObject(config) && Array.isArray(own(config, 'tools'))) {
    return {form: 'bedrock-converse', path: ['toolConfig']};
  }
  if (!takesTools || !Array.isArray(tools)) return null;
  if (tools.some((tool) => isObject(tool) && has(tool, 'function'))) return null;
  return signOfElements(tools, TOOLS, ['tools']);
}

function isItem(item) {
  return isObject(item) && (has(item, 'role') || ITEMS.includes(own(item, 'type')));
}

function signOfMessages(messages) {
  if (!Array.isArray(messages)) return null;
  for (const [at, message] of messages.entries()) {
    const sign = isObject(message) ? signOfMessage(message) : null;
    if (sign !== null) return {form: sign.form, path: ['messages', at, ...sign.path]};
  }
  return null;
}

function signOfMessage(message) {
  const content = own(message, 'content');
  const role = own(message, 'role');
  const speaks = ['system', 'developer', 'user', 'assistant'].includes(role); // a result is data
  const rows = isNothing(content) ? PARTS_ALONE : PARTS;
  return (speaks ? signOfElements(content, SAID, ['content']) : null) ??
    signOfElements(own(message, 'parts'), rows, ['parts']) ??
    (!has(message, 'role') && ITEMS.includes(own(message, 'type'))
      ? {form: 'openai-responses', path: []} : null) ??
    (role === 'assistant' ? signOfElements(own(message, 'tool_calls'), CALLS, ['tool_calls']) ??
      signOfElements(content, CAMEL, ['content']) ?? camelCalls(message) : null) ??
    (role === 'tool' && !has(message, 'tool_call_id') && isCamel(message)
      ? {form: 'camel-case', path: ['toolCallId']} : null);
}

/** The sign of calls under the name that they have in camelCase, or null. */
export function camelCalls(message) {
  const isSign = !has(message, 'tool_calls') && isFilledArray(own(message, 'toolCalls'));
  return isSign ? {form: 'camel-case', path: ['toolCalls']} : null;
}

function isCamel(part) {
  return typeof own(part, 'toolCallId') === 'string';
}

function isOllamaCall(call) {
  const target = own(call, 'function');
  return !has(call, 'id') && !has(call, 'type') && isObject(target) &&
    isObject(own(target, 'arguments'));
}

/** The first element of the first row that has one. */
function signOfElements(elements, rows, path) {
  if (!Array.isArray(elements)) return null;
  for (const [form, describes] of rows) {
    const at = elements.findIndex((element) => isObject(element) && describes(element));
    if (at >= 0) return {form, path: [...path, at]};
  }
  return null;
}
