// What the members of an event can be (event: members of an event).

import {isBlankText} from '../shared/characters.mjs';
import {MESSAGES} from './errors.mjs';
import {own} from '../shared/json_text.mjs';

const MAX = Number.MAX_SAFE_INTEGER; // of a seq and of a latency

const isString = (value) => typeof value === 'string';

/** For each member that the definition names, whether a value is right, beside its event. */
const RIGHT = new Map([
  ['request_id', isString],
  ['args_hash_key_id', isString],
  ['args_schema_version', isString],
  ['tool_call_id', isString],
  ['seq', (value) => Number.isInteger(value) && value >= 0 && value <= MAX],
  ['tool', (value) => isString(value) && !isBlankText(value) && value.isWellFormed()],
  ['args_preview_hash', (value) => value === null || isDigest(value)],
  ['args_hash_algorithm', (value) => value === 'hmac-sha256'],
  ['status', (value) => value === 'ok' || value === 'error'],
  ['latency_ms', (value) => typeof value === 'number' && value >= 0 && value <= MAX],
  ['error_type', (value) => MESSAGES.has(value)],
  ['message', (value, event) => isMessage(value, own(event, 'error_type'))],
]);

/** Whether an event has the member, with its right value. */
export function hasRight(event, name) {
  return Object.hasOwn(event, name) && RIGHT.get(name)(event[name], event);
}

/** The members of an event that have another than their right value. */
export function wrongMembers(event) {
  return [...RIGHT.keys()].filter((name) => Object.hasOwn(event, name) && !hasRight(event, name));
}

/** Whether a value is the text of an error type, which has one. */
function isMessage(value, type) {
  return MESSAGES.has(type) && value === MESSAGES.get(type);
}

function isDigest(value) {
  return isString(value) && /^[0-9a-f]{64}$/.test(value);
}
