// Whether the input of turn.receive is one (TRN-020).

import {hasMembers, isStrings} from '../shared/envelope.mjs';
import {isBadRecord} from '../event/input.mjs';
import {extract} from '../extraction/extract.mjs';
import {isObject, isTooDeep, own} from '../shared/json_text.mjs';
import {hasBadProfile} from '../payload/profile.mjs';
import {pick} from './members.mjs';
import {hasMessageMembers} from './opaque.mjs';

const REQUIRED = ['plan', 'message', 'request_id', 'disposition'];
/** The members that go on to the extractor as they are (TRN-022). */
export const FOR_TEXT = [
  'tools', 'dialects', 'format', 'fences', 'reasoning', 'guided', 'starts_in_reasoning', 'limits',
];
// Undefined is absent.
const EMPTY = [undefined, 'reject', 'allow_if_none_required'];
const OPTIONAL = ['request', 'aliases', ...FOR_TEXT, 'empty_arguments', 'key', 'profile'];

/** `isSent` says that the message may nest as deep as a server sent it (TRN-078). */
export function isBadReceive(input, isSent) {
  if (!hasMembers(input, REQUIRED, OPTIONAL)) return true;
  const {plan, disposition, aliases = {}} = input;
  if (!isPlan(plan) || hasBadProfile(input) || !isMessage(input)) return true;
  if (disposition !== 'skip' && disposition !== 'answer') return true;
  if (!isObject(aliases) || !isStrings(Object.values(aliases))) return true;
  if (!EMPTY.includes(input.empty_arguments)) return true;
  if (isTooDeep(isSent ? {...input, message: null} : input)) return true;
  // The rest is judged as the operations that take it do.
  const record = pick(input, ['request_id', 'key']);
  if (isBadRecord({...record, effective: plan.effective, calls: []})) return true;
  const options = pick(input, FOR_TEXT);
  return extract({text: '', effective: [], ...options}).error !== undefined;
}

/** Whether a value has what is read of a plan. */
function isPlan(plan) {
  return isObject(plan) && isStrings(own(plan, 'effective')) &&
    typeof own(plan, 'parse_native_calls') === 'boolean' &&
    typeof own(plan, 'parse_text_calls') === 'boolean';
}

function isMessage(input) {
  const {message} = input;
  if (!hasMessageMembers(message, input)) return false;
  const {text, tool_calls: calls, truncated = false, refusal = null} = message;
  return (isText(text) || Array.isArray(text)) && (calls === null || Array.isArray(calls)) &&
    typeof truncated === 'boolean' && isText(refusal);
}

function isText(value) {
  return value === null || typeof value === 'string';
}
