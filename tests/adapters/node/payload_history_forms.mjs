// The form in which calls, the words beside them, and results are sent (PAY-069, PAY-070, PAY-074,
// from PAY-077 on, PAY-132 to PAY-134).

import {isObject, own} from './json_text.mjs';
import {contentText, hasNoWords, isTextParts} from './payload_contents.mjs';
import {cleanCall, cleanFunction} from './payload_history_members.mjs';

const INVALID_CALL_RESULT =
  'Error: this call was not run, because its name or its arguments are invalid.';
const MISSING_RESULT = 'Error: there is no result for this call.';

/** A call that stays, in its sent form; changes are reported. */
export function sendCall(call, isHere, {provider, findings}) {
  const {value, checked, sentId, sentName, path} = call;
  const given = isObject(value) ? value : {};
  const target = isObject(own(given, 'function')) ? given.function : {};
  if (isObject(value)) {
    if (own(given, 'id') !== sentId) findings.add('id_replaced', [...path, 'id']);
    if (own(given, 'type') !== 'function') { // PAY-078
      findings.add('type_coerced', [...path, 'type']);
    }
  }
  const below = [...path, 'function'];
  if (checked.valid && typeof own(target, 'arguments') !== 'string') {
    findings.add('arguments_coerced', [...below, 'arguments']); // PAY-077
  }
  if (checked.name !== null && checked.name !== sentName) { // PAY-079
    findings.add('name_coerced', [...below, 'name']);
  }
  return {
    ...cleanCall(given, path, isHere, provider, findings),
    id: sentId,
    type: 'function',
    function: {
      ...cleanFunction(target, below, isHere, provider, findings),
      name: sentName,
      arguments: checked.valid ? checked.arguments_json : '{}', // PAY-077, PAY-069
    },
  };
}

/** The message of calls with its words in their sent form (PAY-132). */
export function sendWords(message, path, {provider, findings}) {
  const content = own(message, 'content');
  if (provider.flags.content_beside_calls !== 'string') return message;
  if (Array.isArray(content) && content.some((part) => provider.isOpaquePart(part))) return message;
  const text = hasNoWords(message) ? '' : contentText(content);
  if (text === content) return message;
  findings.add('content_coerced', [...path, 'content']);
  return {...message, content: text};
}

/** The result of a valid call in its sent form; changes are reported. */
export function sendResult(message, call, path, {provider, findings}) {
  const {checked, sentId, sentName} = call;
  const content = sendContent(own(message, 'content'), provider.flags);
  const sent = {...message, tool_call_id: sentId, content};
  if (own(message, 'tool_call_id') !== sentId) { // PAY-082
    findings.add('id_replaced', [...path, 'tool_call_id']);
  }
  if (own(message, 'content') !== content) {
    findings.add('result_content_coerced', [...path, 'content']);
  }
  const name = own(message, 'name');
  if (name === sentName) return sent;
  if (name === checked.name) findings.add('name_coerced', [...path, 'name']); // PAY-079
  else if (provider.flags.result_name !== 'call') return sent;
  else findings.add('result_named', [...path, 'name']); // PAY-134
  return {...sent, name: sentName};
}

/** The content of a result (PAY-083, PAY-133). */
function sendContent(content, flags) {
  const isLeft = isTextParts(content) && flags.result_content !== 'string';
  return isLeft ? content : contentText(content);
}

/** The result of an invalid call (PAY-070). */
export function replacedResult(call, {provider}) {
  return fixedResult(call, INVALID_CALL_RESULT, provider.flags);
}

/** The result of a valid call that has none (PAY-074). */
export function missingResult(call, {provider}) {
  return fixedResult(call, MISSING_RESULT, provider.flags);
}

function fixedResult({sentId, sentName}, content, flags) {
  const result = {role: 'tool', tool_call_id: sentId, content};
  return flags.result_name === 'call' ? {...result, name: sentName} : result; // PAY-134
}
