// Which dialects there are, which of them are active, and the forms that each has.

import {DESCRIPTORS} from './descriptors.mjs';

const BY_ID = new Map(DESCRIPTORS.map((descriptor) => [descriptor.id, descriptor]));
const DEFAULTS = DESCRIPTORS.filter((descriptor) => descriptor.default); // EXT-118

/** Whether a value lists known dialects, none beside one that it excludes (EXT-117, EXT-119). */
export function isDialectList(value) {
  return Array.isArray(value) && value.every((id) =>
    BY_ID.has(id) && !BY_ID.get(id).excludes?.some((other) => value.includes(other)));
}

/** The forms to recognise: none without tools or beside native calls (EXT-003, EXT-004). */
export function activeForms({effective, native_calls: nativeCalls, dialects}) {
  if (effective.length === 0 || nativeCalls === true) return [];
  if (dialects === undefined) return DEFAULTS.flatMap(formsOf);
  return [...new Set(dialects)].flatMap((id) => formsOf(BY_ID.get(id))); // EXT-007
}

/** An opener with its closer and payload; a section is a form without payload (EXT-140). */
function formsOf({id, section, opener, closer, payload}) {
  const forms = [{dialect: id, opener, closer, payload}];
  if (section !== undefined) forms.push({dialect: id, ...section, payload: null});
  return forms;
}
