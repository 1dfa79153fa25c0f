// The ids of the calls of a message (TRN-021, TRN-025).

import {isBlankText} from '../shared/characters.mjs';
import {isObject, own} from '../shared/json_text.mjs';

const LENGTH = 9;

/** For each element of `tool_calls` its usable id, or null (turn: usable id). */
export function usableIds(elements) {
  const seen = new Set();
  return elements.map((element) => {
    const id = isObject(element) ? own(element, 'id') : undefined;
    if (typeof id !== 'string' || isBlankText(id) || seen.has(id)) return null;
    seen.add(id);
    return id;
  });
}

/** The ids with a fresh one for each null, none of the own ones; or null when a given list runs out. */
export function fillIds(ids, given, own) {
  const taken = new Set(own.filter((id) => id !== null));
  const source = given === undefined ? random() : given[Symbol.iterator]();
  const filled = [];
  for (const id of ids) {
    const next = id ?? freshId(source, taken);
    if (next === null) return null;
    filled.push(next);
  }
  return filled;
}

/** The next id that is not blank and not taken, or null. */
function freshId(source, taken) {
  for (;;) {
    const {value, done} = source.next();
    if (done) return null;
    if (isBlankText(value) || taken.has(value)) continue;
    taken.add(value);
    return value;
  }
}

function* random() {
  for (;;) yield shortId();
}

/** Nine letters and digits, the one form that every known provider takes. */
function shortId() {
  const digits = crypto.getRandomValues(new BigUint64Array(1))[0].toString(36);
  return digits.padStart(LENGTH, '0').slice(-LENGTH);
}
