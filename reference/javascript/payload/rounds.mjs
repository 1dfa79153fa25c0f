// Which calls a history holds, and which message is the result of which call.

import {isBlankText} from '../shared/characters.mjs';
import {isObject, own} from '../shared/json_text.mjs';
import {isTextless, isTextPart, isWordless} from './contents.mjs';
import {isFilledArray, isNothing} from '../shared/json_object.mjs';
import {pairResults} from './pairing.mjs';
import {judgeRepaired} from './tool_call.mjs';

/** The name of a call that has none that can be used (PAY-067; payload: shown name). */
export const INVALID_NAME = 'invalid_tool_call';

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'];

/** Whether an element has one of the five roles. */
export function hasKnownRole(element) {
  return isObject(element) && ROLES.includes(own(element, 'role'));
}

/** Whether an element is a message with a role. */
export function hasRole(element, role) {
  return isObject(element) && own(element, 'role') === role;
}

/** Whether an element is an empty message (payload: empty message). */
export function isEmptyMessage(element) {
  const content = own(element, 'content');
  return hasRole(element, 'assistant') && !isFilledArray(own(element, 'tool_calls')) &&
    (Array.isArray(content) ? content.every((part) => isTextless(part) || isTextPart(part) && isBlankText(part.text)) : isSilent(content));
}

/** Whether a content of the assistant holds nothing to be seen. */
function isSilent(content) {
  return isWordless(content) || (typeof content === 'string' && isBlankText(content));
}

/** The refusal of a message without a content, which takes its place, or null (PAY-137). */
export function refusalOf(element) {
  const refusal = own(element, 'refusal');
  const isOne = hasRole(element, 'assistant') && typeof refusal === 'string' && refusal !== '';
  return isOne && isSilent(own(element, 'content')) ? refusal : null;
}

/** Whether a call is one of a custom tool (payload: skipped call). */
export function isCustom({value, checked}) {
  return !checked.valid && isObject(value) && own(value, 'type') === 'custom' &&
    isNothing(own(value, 'function'));
}

/**
 * The rounds of a history, with what stands before the first as a round without a message.
 *
 * A round has `at`, the position of its first message or null; `calls`, each with its `value`,
 * its position `at`, what the check of it gave as `checked`, and the position of its `result` or
 * null, and the positions of `later` ones; and `others`, the positions of the kept messages behind
 * the first. `given` are the messages as they stand in the input.
 */
export function readRounds(messages, given = messages) {
  const rounds = [{at: null, calls: [], others: []}];
  messages.forEach((message, at) => {
    if (!hasKnownRole(message)) return; // no kept message
    if (isEmptyMessage(message) && refusalOf(message) === null) return;
    if (message.role === 'assistant') rounds.push({at, calls: readCalls(message), others: []});
    else rounds.at(-1).others.push(at);
  });
  pairResults(rounds, given, (at) => messages[at].role === 'tool');
  return rounds;
}

function readCalls(message) {
  const calls = own(message, 'tool_calls');
  if (!Array.isArray(calls)) return [];
  return calls.map((value, at) => { // PAY-067
    const checked = judgeRepaired({tool_call: value}).result;
    const given = isObject(value) ? own(value, 'id') : undefined;
    const id = typeof given === 'string' && !isBlankText(given) ? given : null;
    return {value, at, id, checked, result: null, later: []};
  });
}
