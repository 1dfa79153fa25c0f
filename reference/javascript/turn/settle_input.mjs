// Whether the input of turn.settle is one (TRN-040).

import {hasMembers} from '../shared/envelope.mjs';
import {MESSAGES} from '../event/errors.mjs';
import {isObject, isTooDeep, own} from '../shared/json_text.mjs';
import {hasBadProfile, isOrigin} from '../payload/profile.mjs';
import {isWireName, MARK} from '../payload/provider.mjs';

const OF_EVENT = ['request_id', 'tool', 'tool_call_id'];
const OF_CALL = ['id', 'name', 'arguments_json'];
const OF_OUTCOME = ['content', 'latency_ms', 'error_type'];

export function isBadSettle(input) {
  if (!hasMembers(input, ['received', 'outcomes'], ['profile']) || hasBadProfile(input)) return true;
  if (!isReceived(input.received)) return true;
  const {received: {dispatch}, outcomes} = input;
  const isList = Array.isArray(outcomes) &&
    outcomes.every((outcome) => hasMembers(outcome, ['seq', 'status'], OF_OUTCOME));
  if (!isList || !areOnce(outcomes, new Set(dispatch.map(({seq}) => seq)))) return true;
  return isTooDeep(withoutOpaque(input));
}

/** The input without what is opaque, whose depth was judged before. */
function withoutOpaque({received, outcomes}) {
  const close = (object) => ({...object, opaque: null});
  return {outcomes, received: {...close(received), calls: received.calls.map(close)}};
}

/** Whether a value has what is read of a turn (turn: received turn). */
function isReceived(value) {
  if (!isObject(value)) return false;
  const content = own(value, 'content');
  if (content !== null && typeof content !== 'string') return false;
  if (!may(value, 'refusal', isText) || !may(value, 'origin', isOrigin)) return false;
  if (!may(value, 'opaque', isOpaqueOfMessage)) return false;
  const lists = ['planned', 'dispatch', 'answers', 'calls'].map((name) => own(value, name));
  if (!lists.every((list) => Array.isArray(list) && list.every(isObject))) return false;
  const [planned, dispatch, answers, calls] = lists;
  if (!planned.every(isEventOf(planned[0])) || !answers.every(hasErrorType)) return false;
  const all = new Set(planned.keys());
  return areOnce([...dispatch, ...answers], all) &&
    dispatch.length + answers.length === planned.length &&
    areOnce(calls, all) && calls.every((call) => hasStrings(call, OF_CALL)) &&
    calls.every((call) => may(call, 'opaque', isOpaqueOfCall));
}

/** Whether an object lacks a member, or has one of a form. */
function may(object, name, isForm) {
  return !Object.hasOwn(object, name) || isForm(object[name]);
}

function isText(value) {
  return typeof value === 'string';
}

function isOpaqueOfMessage(value) {
  const isParts = (parts) => Array.isArray(parts) && parts.every(isObject);
  const isMembers = (members) => areOpaque(members) && !Object.hasOwn(members, MARK);
  return isObject(value) && may(value, 'members', isMembers) && may(value, 'parts', isParts);
}

function isOpaqueOfCall(value) {
  return isObject(value) && may(value, 'call', areOpaque) && may(value, 'function', areOpaque);
}

function areOpaque(value) {
  return isObject(value) && !Object.keys(value).some(isWireName);
}

/** A test for the Planned at each position of the request that the first one has. */
function isEventOf(first) {
  return (event, at) => hasStrings(event, OF_EVENT) && own(event, 'seq') === at &&
    event.request_id === first.request_id;
}

function hasErrorType(answer) {
  return MESSAGES.has(own(answer, 'error_type')); // all begin with `tool_`
}

function hasStrings(object, names) {
  return names.every((name) => typeof own(object, name) === 'string');
}

/** Whether each object has a `seq` of a set that no other has. */
function areOnce(objects, allowed) {
  const seqs = new Set(objects.map((object) => own(object, 'seq')));
  return seqs.size === objects.length && [...seqs].every((seq) => allowed.has(seq));
}
