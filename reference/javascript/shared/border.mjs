// The border of the package: what its functions take of a program. What is JSON is copied, so that a
// result shares nothing with what was given; anything else is refused with its place.

import {MAX_DEPTH} from './json_text.mjs';

/** Far beyond what a contract takes, and what no stack minds. */
const DEEPEST = 1000;

/** Arguments in a chunk begin at level 7, and whether they are deeper than 128 is still seen. */
const DEEPEST_SENT = MAX_DEPTH + 16;

/** Somewhere in what a model wrote or a provider signed, of which no text names a member (TRN-050). */
const INSIDE = '[…]';

/** Where such things stand, and what there has members that a text may name. */
const WRITTEN = /^input\.(request\.)?(messages?|received|tool_call)\b/;
const NAMED = /(^|\.)(messages?|received|tool_call|content|text|tool_calls|function|calls|planned|dispatch)(\[\d+\])?$/;

/**
 * JSON with the same meaning. A member that is `undefined` is absent, and what has a `toJSON` gives
 * what that returns, as for `JSON.stringify`; what that would drop or change in silence is a
 * `TypeError` that names the place.
 */
export function plain(value, place) {
  return copy(value, {name: place, outer: null}, 0, DEEPEST);
}

/**
 * The same of what a server sent, but whatever numbers it holds, with an object of a `NaN` for what is no
 * JSON in it, and with null for what nests so deep that the arguments around it are too deep: a reply is
 * judged, and not refused (TRN-078).
 */
export function sent(value, place) {
  return copy(value, {name: place, outer: null}, 0, DEEPEST_SENT);
}

/** An input as JSON, of which one member is what a server sent. */
export function withSent(input, name) {
  const {[name]: reply, ...rest} = input;
  return {...plain(rest, 'input'), [name]: sent(reply, `input.${name}`)};
}

function copy(value, place, depth, deepest) {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  const isSent = deepest < DEEPEST;
  if (Number.isFinite(value) || (isSent && typeof value === 'number')) return value;
  if (typeof value !== 'object') return noJson(value, place, isSent && depth > 0);
  if (depth > deepest && isSent) return null;
  if (depth > deepest) throw new TypeError(`${dotted(place)} nests too deep, or holds itself`);
  if (typeof value.toJSON === 'function') return copy(value.toJSON(), place, depth + 1, deepest);
  if (Array.isArray(value)) {
    return Array.from(value, (one, at) => copy(one, {name: at, outer: place}, depth + 1, deepest));
  }
  if (!isPlain(value)) return noJson(value, place, isSent && depth > 0);
  const copied = {};
  for (const [name, one] of Object.entries(value)) {
    if (one === undefined) continue;
    const member = copy(one, {name, outer: place}, depth + 1, deepest);
    Object.defineProperty(copied, name, // `__proto__` is a name like any other
      {value: member, writable: true, enumerable: true, configurable: true});
  }
  return copied;
}

function noJson(value, place, isJudged) {
  if (isJudged) return {'': NaN};
  throw new TypeError(`${dotted(place)} is ${described(value)}`);
}

/** Whether an object is one of JSON; a realm of its own, such as that of a test runner, has its own
 * `Object`. */
function isPlain(value) {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function dotted({name, outer}) {
  if (outer === null) return name;
  const around = dotted(outer);
  if (around.endsWith(INSIDE)) return around;
  if (WRITTEN.test(around) && !NAMED.test(around)) return `${around}${INSIDE}`;
  return typeof name === 'number' ? `${around}[${name}]` : `${around}.${name}`;
}

/** What a value is, for people; of a number only that it is none. */
function described(value) {
  const what = typeof value === 'object' ? value.constructor?.name ?? 'object' : typeof value;
  const name = typeof value === 'number' ? String(value) : what;
  return `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name}, which is no JSON`;
}
