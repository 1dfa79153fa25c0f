// Parts of an input that several operations look at.

import {isObject} from './json_text.mjs';

/** The member in which a store says where a message came from (payload: mark). */
export const MARK = '_from';

/** Whether a value is an object of all the required and some of the optional members only. */
export function hasMembers(value, required, optional = []) {
  if (!isObject(value)) return false;
  return required.every((name) => Object.hasOwn(value, name)) &&
    Object.keys(value).every((name) => required.includes(name) || optional.includes(name));
}

/** Whether a value is an array of strings. */
export function isStrings(value) {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
