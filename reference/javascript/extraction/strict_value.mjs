// The fast path: a value of strict JSON, as nearly all payloads are, read at the speed of the host.
//
// Where the brackets of a text balance and JSON.parse takes it up to there, the grammar of RFC 8259
// has one reading of it, which the careful scanner would find character by character, without a
// repair. Where this is not so, nothing is found here, and nothing is looked at a second time.

import {CLOSING, MAX_DEPTH, OPENING, QUOTE, SMALL, isObject, stringEnd} from '../shared/json_text.mjs';

const ANGLE = 0x3c;

/** The switch of the fast path; without it every character is read with care. */
export const fastPath = {isOn: true};

/**
 * The object or array that begins at a position: `{end, values}`, with the values as the scanner
 * has them, and `value`, what each object is for JSON.parse. Else null.
 */
export function strictValue(source, from) {
  const {chars} = source;
  if (!fastPath.isOn || typeof chars !== 'string' || from < source.skimmed) return null;
  const {end, depth, objects} = skim(chars, from);
  source.skimmed = end;
  if (depth === null || depth > MAX_DEPTH) return null;
  let value;
  try {
    value = JSON.parse(chars.slice(from, end));
  } catch {
    return null;
  }
  if (isObject(value)) return {end, values: [{kind: 'object', start: from, end, depth, value}]};
  const spans = objects.values();
  const read = (one) => (
    isObject(one) ? {kind: 'object', ...spans.next().value, value: one} : {kind: 'other'});
  return {end, values: value.map(read)};
}

/**
 * Where the bracket at a position is closed, if the text is JSON: `{end, depth, objects}`, with the
 * objects one level below. The depth is null where none is, or no JSON can be there.
 */
function skim(text, from) {
  const objects = [];
  let start = 0;
  let [open, deepest, depth] = [0, 0, 0];
  let i = from;
  for (; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) {
      i = stringEnd(text, i) - 1;
    } else if ((unit | SMALL) === OPENING) {
      open++;
      if (open === 2) [start, depth] = [i, 0];
      if (open > deepest) deepest = open;
      if (open - 1 > depth) depth = open - 1;
    } else if ((unit | SMALL) === CLOSING) {
      open--;
      if (open === 1 && unit === CLOSING) objects.push({start, end: i + 1, depth});
      if (open === 0) return {end: i + 1, depth: deepest, objects};
    } else if (unit === ANGLE) {
      break;
    }
  }
  return {end: i, depth: null, objects};
}
