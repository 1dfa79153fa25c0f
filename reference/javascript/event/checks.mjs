// One call is judged before it is run, and what of it may be shown (EVT-013, EVT-021).

import {hasMembers} from '../shared/envelope.mjs';
import {isBlankText} from '../shared/characters.mjs';
import {NOT_AVAILABLE, TOO_LARGE, UNREADABLE} from './errors.mjs';
import {readJson} from '../shared/canonical_json.mjs';
import {isObject, own} from '../shared/json_text.mjs';
import {byteLength} from '../shared/utf8.mjs';

const PAYLOAD_BYTES = 8192; // where the input has no limits
const UNKNOWN = 'unknown';

/**
 * The name and the label of a call, its read arguments or null, and the error type of its failed
 * check or null (event: name of a call, label, read arguments, failed check). `names` is the set of the names that may be shown;
 * where it is `closed`, no other tool is available.
 */
export function judgeCall(entry, {names, closed}, limit) {
  const {name, args, failed} = readCall(entry, limit);
  return {
    name,
    label: labelOf(name, names),
    args: failed === null ? args : null,
    failed: failed ?? judgeName(name) ?? (closed && !names.has(name) ? NOT_AVAILABLE : null),
  };
}

/** The id of a call, but not one that tells a name that may not be shown (EVT-013). */
export function shownId(id, {name, label}) {
  const tells = ['.', ':', name].some((part) => part && id.includes(part));
  return tells && label !== name ? UNKNOWN : id;
}

/** A call whose text nobody has read yet, or of which somebody else said why not (EVT-021). */
function readCall(entry, limit) {
  if (Object.hasOwn(entry, 'error_type')) return failure(entry.name, entry.error_type);
  return Object.hasOwn(entry, 'payload')
    ? readPayload(entry.payload, limit ?? PAYLOAD_BYTES)
    : readNative(entry.name, entry.arguments_json, limit ?? Infinity);
}

/** A payload; one that is too large is not read (EVT-021). */
function readPayload(text, limit) {
  if (isLonger(text, limit)) return failure(null, TOO_LARGE);
  const read = readJson(text);
  if (read === null || !isObject(read.value)) return failure(null, UNREADABLE);
  const tool = own(read.value, 'tool');
  const name = typeof tool === 'string' ? tool : null;
  const isShaped = hasMembers(read.value, ['arguments'], ['tool']);
  const args = own(read.value, 'arguments') ?? {}; // EVT-021
  if (!isShaped || !isObject(args)) return failure(name, UNREADABLE);
  return {name, args, failed: null};
}

/** A name and an arguments text, each of which can be null (EVT-021, EVT-033). */
function readNative(name, text, limit) {
  if (text === null) return failure(name, UNREADABLE);
  if (isLonger(text, limit)) return failure(name, TOO_LARGE);
  if (name !== null && !name.isWellFormed()) return failure(name, UNREADABLE);
  const read = readJson(text);
  if (read === null || !isObject(read.value)) return failure(name, UNREADABLE);
  return {name, args: read.value, failed: null};
}

function failure(name, failed) {
  return {name, args: null, failed};
}

/** Whether a text has more bytes in UTF-8. */
function isLonger(text, limit) {
  return byteLength(text) > limit;
}

/** What is wrong with the name of a call that was read, or null (EVT-021). */
function judgeName(name) {
  return name === null || isBlankText(name) ? UNREADABLE : null;
}

/** What events and metrics call the tool (event: label). */
function labelOf(name, names) {
  const isKnown = name !== null && names.has(name);
  return isKnown && !isBlankText(name) && name.isWellFormed() ? name : UNKNOWN;
}
