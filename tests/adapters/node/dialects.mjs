// Which dialects there are, which of them are active, and the forms that each has.

import {DESCRIPTORS} from './descriptors.mjs';

const BY_ID = new Map(DESCRIPTORS.map((descriptor) => [descriptor.id, descriptor]));
const DEFAULTS = DESCRIPTORS.filter((descriptor) => descriptor.default); // extraction: dialect

/** Whether a value lists known dialects, none beside one that it excludes (EXT-119). */
export function isDialectList(value) {
  return Array.isArray(value) && value.every((id) =>
    BY_ID.has(id) && !BY_ID.get(id).excludes?.some((other) => value.includes(other)));
}

/**
 * The forms to recognise: none beside native calls, or without tools unless the caller only
 * watches (EXT-003, EXT-004, EXT-167).
 */
export function activeForms({effective, observe, native_calls: nativeCalls, dialects, limits}) {
  const isAsked = observe === true || effective.length > 0;
  if (!isAsked || nativeCalls === true) return [];
  const active = dialects === undefined
    ? DEFAULTS : [...new Set(dialects)].map((id) => BY_ID.get(id)); // EXT-007
  return active.flatMap((descriptor) => formsOf(descriptor, limits));
}

/**
 * An opener with its closer and payload, and what is narrower there than elsewhere; a section is a
 * form without payload (EXT-116). Without a limit of its own a dialect has none (EXT-164).
 */
function formsOf({id, section, opener, closer, payload, ...narrower}, limits) {
  const {repairs, limit_bytes: own, values = {}} = narrower;
  const limit = own === undefined ? Infinity : limits?.payload_bytes ?? own;
  const common = {dialect: id, repairs, limit, values};
  const forms = [{...common, opener, closer, payload}];
  if (section !== undefined) forms.push({...common, ...section, payload: null});
  return forms;
}

/** Whether a form is a message to a tool, which has no other use than a call. */
export function isMessage({opener}) {
  return opener.select !== undefined;
}
