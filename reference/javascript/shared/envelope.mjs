// Parts of an input that several operations look at.

import {isObject} from './json_text.mjs';

/** Whether a value is an object of all the required and some of the optional members only. */
export function hasMembers(value, required, optional = []) {
  if (!isObject(value)) return false;
  return required.every((name) => Object.hasOwn(value, name)) &&
    Object.keys(value).every((name) => required.includes(name) || optional.includes(name));
}

/** Whether a value is a limit for payloads: a whole number of bytes, at least one. */
export function isLimits(value) {
  if (!hasMembers(value, ['payload_bytes'])) return false;
  return Number.isInteger(value.payload_bytes) && value.payload_bytes >= 1;
}

/** Whether an input has `effective` alone, or both `observe` and `labels` without it. */
export function namesItsTools(input) {
  const count = ['observe', 'labels'].filter((name) => Object.hasOwn(input, name)).length;
  return count === (Object.hasOwn(input, 'effective') ? 0 : 2);
}

/** Whether a value is an array of strings. */
export function isStrings(value) {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
