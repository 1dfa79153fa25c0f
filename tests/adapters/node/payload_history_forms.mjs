// The form in which calls and results of a history are sent (PAY-069, PAY-070, PAY-074, and from
// PAY-077 on).

import {isBlankText} from './characters.mjs';
import {isObject, own} from './json_text.mjs';
import {isNothing} from './payload_members.mjs';
import {isTextParts, INVALID_NAME} from './payload_rounds.mjs';
import {sentName} from './payload_sent_name.mjs';
import {compactText} from './payload_texts.mjs';

const INVALID_CALL_RESULT =
  'Error: this call was not run, because its name or its arguments are invalid.';
const MISSING_RESULT = 'Error: there is no result for this call.';

/** A call that stays, in its sent form; changes are reported. */
export function sendCall({value, checked, sentId, path}, findings) {
  const call = isObject(value) ? value : {};
  const given = own(call, 'function');
  const target = isObject(given) ? given : {};
  if (isObject(value)) {
    if (own(call, 'id') !== sentId) findings.add('id_replaced', [...path, 'id']);
    if (own(call, 'type') !== 'function') { // PAY-078
      findings.add('type_coerced', [...path, 'type']);
    }
  }
  if (checked.valid && typeof own(target, 'arguments') !== 'string') {
    findings.add('arguments_coerced', [...path, 'function', 'arguments']); // PAY-077
  }
  const name = own(target, 'name');
  let sent = INVALID_NAME; // PAY-069
  if (typeof name === 'string' && !isBlankText(name)) { // PAY-079
    sent = sentName(name, 'any');
    if (sent !== name) findings.add('name_coerced', [...path, 'function', 'name']);
  }
  const args = checked.valid ? checked.arguments_json : '{}'; // PAY-077, PAY-069
  return {
    ...call, id: sentId, type: 'function', function: {...target, name: sent, arguments: args},
  };
}

/** The result of a valid call in its sent form; changes are reported. */
export function sendResult(message, {checked, sentId}, path, findings) {
  const sent = {...message, tool_call_id: sentId, content: sendContent(own(message, 'content'))};
  if (own(message, 'tool_call_id') !== sentId) { // PAY-082
    findings.add('id_replaced', [...path, 'tool_call_id']);
  }
  if (own(message, 'content') !== sent.content) {
    findings.add('result_content_coerced', [...path, 'content']);
  }
  const name = sentName(checked.name, 'any');
  if (own(message, 'name') === checked.name && name !== checked.name) { // PAY-079
    sent.name = name;
    findings.add('name_coerced', [...path, 'name']);
  }
  return sent;
}

/** The content of a result (PAY-083). */
function sendContent(content) {
  if (isNothing(content)) return '';
  return typeof content === 'string' || isTextParts(content) ? content : compactText(content);
}

/** The result of an invalid call (PAY-070). */
export function replacedResult({sentId}) {
  return {role: 'tool', tool_call_id: sentId, content: INVALID_CALL_RESULT};
}

/** The result of a valid call that has none (PAY-074). */
export function missingResult({sentId}) {
  return {role: 'tool', tool_call_id: sentId, content: MISSING_RESULT};
}
