// Copies of objects with other members, and what is found in them; `__proto__` is a name like any other.

import {isObject, own} from './json_text.mjs';

/** A copy without the named members. */
export function without(object, names) {
  const gone = new Set(names); // a caller can name very many
  return Object.fromEntries(Object.entries(object).filter(([name]) => !gone.has(name)));
}

/** A copy without the members that are null. */
export function withoutNull(object) {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}

/** The named members that an object has. */
export function pick(object, names) {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(object, name))
    .map((name) => [name, object[name]]));
}

/** What a local reference names, `#` and, percent-encoded, a JSON Pointer; undefined for nothing. */
export function referred(reference, root) {
  if (typeof reference !== 'string' || !/^#(\/.*)?$/s.test(reference)) return undefined;
  const pointer = decoded(reference);
  return pointer === null ? undefined : foundAt(pointer, root);
}

/** What a JSON Pointer names, behind a `#` or not; undefined for nothing. */
export function foundAt(pointer, root) {
  return pointer.split('/').slice(1).reduce((found, token) => {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(found)) return /^(0|[1-9][0-9]{0,9})$/.test(key) ? found[key] : undefined;
    return isObject(found) ? own(found, key) : undefined;
  }, root);
}

/** A text without its percent-encoding, or null where that is malformed. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Whether a value is an array with an element. */
export function isFilledArray(value) {
  return Array.isArray(value) && value.length > 0;
}

/** Whether a value is an array without an element. */
export function isEmptyArray(value) {
  return Array.isArray(value) && value.length === 0;
}

/** Whether a member is absent or null. */
export function isNothing(value) {
  return value === undefined || value === null;
}
