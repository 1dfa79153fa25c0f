// The form in which calls, the words beside them, and results are sent (PAY-067, PAY-074,
// PAY-077, PAY-083).

import {compactText} from '../shared/canonical_json.mjs';
import {isObject, own} from '../shared/json_text.mjs';
import {
  asText, asTextPart, isMediaPart, isParts, isTakenInResult, isTextPart, isTextParts, isWordless, moved, notShown, partsText,
  userPart,
} from './contents.mjs';
import {cleanCall, cleanFunction, withRequired} from './history_members.mjs';
import {isNothing} from '../shared/json_object.mjs';

export const INVALID_CALL_RESULT =
  'Error: this call was not run, because its name or its arguments are invalid.';
export const MISSING_RESULT = 'Error: there is no result for this call.';

/** The messages of an entry in their sent form, as `{message, at, isWaiting}`. */
export function sendEntry({message, at, calls, results}, context) {
  if (calls.length === 0 && !isListOfAssistant(message)) return [{message, at}];
  const words = sendWords(message, at, context);
  if (calls.length === 0) return [{message: words, at}];
  const [first, ...others] = calls.map((call) => sendCall(call, context));
  const completed = withRequired([first, ...others], 'call', first, calls[0].path, context);
  const sent = {...words, tool_calls: [completed, ...others]};
  return [
    {message: sent, at, isWaiting: !context.flattens && results.length < calls.length},
    ...results.map((result) => sendResult(result, context)),
  ];
}

/** A call that stays, in its sent form; changes are reported. */
function sendCall(call, {provider, findings}) {
  const {value, checked, sentId, sentName, path, isHere} = call;
  const given = isObject(value) ? value : {};
  const target = isObject(own(given, 'function')) ? given.function : {};
  if (isObject(value)) {
    if (own(given, 'id') !== sentId) findings.add('id_replaced', [...path, 'id']);
    if (own(given, 'type') !== 'function') { // PAY-077
      findings.add('type_coerced', [...path, 'type']);
    }
  }
  const below = [...path, 'function'];
  if (checked.valid && typeof own(target, 'arguments') !== 'string') {
    findings.add('arguments_coerced', [...below, 'arguments']);
  }
  if (checked.name !== null && checked.name !== sentName) {
    findings.add('name_coerced', [...below, 'name']);
  }
  return {
    ...cleanCall(given, path, isHere, provider, findings),
    id: sentId,
    type: 'function',
    function: {
      ...cleanFunction(target, below, isHere, provider, findings),
      name: sentName,
      arguments: checked.valid ? checked.arguments_json : '{}', // PAY-077, PAY-067
    },
  };
}

function isListOfAssistant(message) {
  return own(message, 'role') === 'assistant' && isTextParts(own(message, 'content'));
}

/** A message of the assistant with its words in their sent form (PAY-083). */
function sendWords(message, at, {provider, findings}) {
  const content = own(message, 'content');
  if (provider.flags.content_beside_calls !== 'string') return message;
  const text = wordsText(content);
  if (text === content) return message;
  if (at !== undefined) findings.add('content_coerced', ['messages', at, 'content']);
  return {...message, content: text};
}

function wordsText(content) {
  if (isWordless(content)) return '';
  return isTextParts(content) ? partsText(content) : asText(content);
}

/** A result as `{message, at}`: the fixed one where none was given, or of an invalid call. */
function sendResult({call, message, at}, context) {
  if (message === undefined) return {message: fixedResult(call, context)};
  return {message: sendGivenResult(message, call, ['messages', at], context), at};
}

/** The result of a valid call in its sent form; changes are reported. */
function sendGivenResult(message, {checked, sentId, sentName, moves}, path, {provider, findings}) {
  const {flags} = provider;
  const content = sendContent(own(message, 'content'), [...path, 'content'], {flags, moves, findings});
  const sent = {...message, tool_call_id: sentId, content};
  if (own(message, 'tool_call_id') !== sentId) { // PAY-077
    findings.add('id_replaced', [...path, 'tool_call_id']);
  }
  const isNamed = own(message, 'name') === checked.name;
  if (isNamed && checked.name !== sentName) findings.add('name_coerced', [...path, 'name']);
  return isNamed || flags.result_name === 'call' ? {...sent, name: sentName} : sent; // 079, 134
}

/** The content of a result in its sent form (PAY-083, PAY-190). */
function sendContent(content, path, {flags, moves, findings}) {
  if (typeof content === 'string') return content;
  const isList = isParts(content);
  const parts = isList ? withoutMedia(content, path, {flags, moves, findings}) : null;
  // Elements that are no parts become some (PAY-083).
  const isWhole = isList && content.every((part) => isTextPart(part) || isMediaPart(part));
  if (isWhole && flags.result_content !== 'string') return parts;
  findings.add('result_content_coerced', path);
  if (isList) return flags.result_content === 'string' ? partsText(parts) : parts;
  return isNothing(content) ? '' : compactText(content);
}

/** Parts with a fixed text in place of media that are not taken (PAY-083, PAY-190). */
function withoutMedia(parts, path, {flags, moves = false, findings}) {
  return parts.map((part, at) => {
    if (!isMediaPart(part)) return asTextPart(part);
    if (isTakenInResult(part, flags)) return part;
    const isMoved = moves && userPart(part) !== null;
    findings.add(isMoved ? 'media_moved' : 'media_removed', [...path, at]);
    return isMoved ? moved() : notShown();
  });
}

/** The result of an invalid call, or of a valid one that has none (PAY-074). */
function fixedResult({checked, sentId, sentName}, {provider}) {
  const content = checked.valid ? MISSING_RESULT : INVALID_CALL_RESULT;
  const result = {role: 'tool', tool_call_id: sentId, content};
  return provider.flags.result_name === 'call' ? {...result, name: sentName} : result; // PAY-077
}
