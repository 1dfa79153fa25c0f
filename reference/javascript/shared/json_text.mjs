// JSON as the vocabulary defines it: stricter than JSON.parse, and without recursion on a text.

import {isJsonSpace} from './characters.mjs';

export const MAX_DEPTH = 128;

export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [ZERO, NINE, COLON] = [0x30, 0x39, 0x3a];
const [PLUS, MINUS, POINT, EXPONENT] = [0x2b, 0x2d, 0x2e, 0x65];
export const [OPENING, CLOSING, SMALL] = [0x7b, 0x7d, 0x20]; // with this bit `[` is `{`, and `]` `}`
const ESCAPED_HALF = /\\u[dD][89a-fA-F]/;

/** Whether a value is a JSON object. */
export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member that the object itself has, else undefined; `__proto__` is a name like any other. */
export function own(object, name) {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** How deep the brackets of any text nest (vocabulary: nesting depth). */
export function nestingDepth(text) {
  let open = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) i = stringEnd(text, i) - 1;
    else if ((unit | SMALL) === OPENING) deepest = Math.max(deepest, ++open);
    else if ((unit | SMALL) === CLOSING && open > 0) open--;
  }
  return deepest;
}

/** Whether a value nests deeper than the limit, which no recursion passes. */
export function isTooDeep(value, limit = MAX_DEPTH) {
  if (typeof value !== 'object' || value === null) return false;
  if (limit === 0) return true;
  const items = Array.isArray(value) ? value : Object.values(value);
  return items.some((item) => isTooDeep(item, limit - 1));
}

/**
 * `{value}` of a JSON text that nests no deeper than a limit, else null (vocabulary: JSON text).
 * `parsed` is what JSON.parse made of it, where that is known.
 */
export function parseJsonText(text, parsed, limit = Infinity) {
  let value = parsed;
  try {
    if (value === undefined) value = JSON.parse(text);
  } catch {
    return null;
  }
  return isStrict(text, limit) ? {value} : null;
}

/** Whether a text that JSON.parse took is flat, without infinite numbers and lone surrogates. */
function isStrict(text, limit) {
  if (!text.isWellFormed()) return false;
  const mayEscapeHalves = text.includes('\\u') && ESCAPED_HALF.test(text);
  let open = 0;
  for (let i = 0; i < text.length;) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) {
      const end = stringEnd(text, i);
      if (mayEscapeHalves && !JSON.parse(text.slice(i, end)).isWellFormed()) return false;
      i = end;
      continue;
    }
    if (unit >= ZERO && unit <= NINE) {
      const end = digitsEnd(text, i);
      if (!isFiniteNumber(text, i, end)) return false;
      i = end;
      continue;
    }
    if ((unit | SMALL) === OPENING) {
      if (++open > limit) return false;
    } else if ((unit | SMALL) === CLOSING) {
      open--;
    }
    i++;
  }
  return true;
}

/** Whether a number is finite that begins with some digits, perhaps behind a sign. */
function isFiniteNumber(text, from, digitsEnd) {
  const isPlain = digitsEnd - from < 300 && (text.charCodeAt(digitsEnd) | SMALL) !== EXPONENT;
  return isPlain || Number.isFinite(Number(text.slice(from, scalarEnd(text, digitsEnd))));
}

/** The position behind the digits and the point of a number. */
function digitsEnd(text, at) {
  for (let i = at + 1; ; i++) {
    const unit = text.charCodeAt(i);
    if (!(unit >= ZERO && unit <= NINE) && unit !== POINT) return i;
  }
}

/** Whether two values of a small depth are equal (vocabulary: equal values). */
export function equalJson(a, b) {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((x, i) => equalJson(x, b[i]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && equalJson(a[name], b[name]));
}

/** The characters of a member's value in the valid text of an object; of several the last. */
export function memberText(text, name) {
  let found = null;
  eachMember(text, (from, keyEnd, at, to) => {
    if (isString(text, from, keyEnd, name)) found = text.slice(at, to);
  });
  return found;
}

/** Where the value of each member stands in the valid text of an object: `[from, to]` by its name, of several the last. */
export function memberPlaces(text) {
  const places = new Map();
  eachMember(text, (from, keyEnd, at, to) => places.set(JSON.parse(text.slice(from, keyEnd)), [at, to]));
  return places;
}

/** Tells where the name of each member begins and ends, and where its value does. */
function eachMember(text, tell) {
  let i = spaceEnd(text, text.indexOf('{') + 1);
  while (text[i] === '"') {
    const keyEnd = stringEnd(text, i);
    const at = spaceEnd(text, spaceEnd(text, keyEnd) + 1);
    const to = valueEnd(text, at);
    tell(i, keyEnd, at, to);
    i = spaceEnd(text, spaceEnd(text, to) + 1);
  }
}

/** The texts of the elements of a valid array. */
export function elementTexts(text) {
  const texts = [];
  for (let i = spaceEnd(text, 1); text[i] !== ']' && i < text.length;) {
    const to = valueEnd(text, i);
    texts.push(text.slice(i, to));
    const next = spaceEnd(text, to);
    i = text[next] === ',' ? spaceEnd(text, next + 1) : next;
  }
  return texts;
}

/** Whether a string in a valid JSON text means a text. */
function isString(text, from, to, meant) {
  const written = text.slice(from + 1, to - 1);
  return written === meant || (written.includes('\\') && JSON.parse(`"${written}"`) === meant);
}

/** A valid JSON text without the white space outside its strings. */
export function withoutSpace(json) {
  let rest = '';
  for (let i = 0; i < json.length;) {
    const end = json[i] === '"' ? stringEnd(json, i) : i + 1;
    if (!isJsonSpace(json[i])) rest += json.slice(i, end);
    i = end;
  }
  return rest;
}

/** The position behind the value that begins at `at` in a valid JSON text. */
function valueEnd(text, at) {
  let open = 0;
  for (let i = at; ;) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) i = stringEnd(text, i);
    else if ((unit | SMALL) === OPENING) [open, i] = [open + 1, i + 1];
    else if ((unit | SMALL) === CLOSING) [open, i] = [open - 1, i + 1];
    else i = scalarEnd(text, i + 1);
    if (open === 0) return i;
  }
}

/** The position behind a number or a literal, of which the first character has been read. */
function scalarEnd(text, at) {
  let i = at;
  while (isOfScalar(text.charCodeAt(i))) i++;
  return i;
}

/** Whether a unit of a valid JSON text is of a number or a literal; one behind the end is none. */
function isOfScalar(unit) {
  return unit >= ZERO ? unit !== COLON && (unit | SMALL) !== OPENING && (unit | SMALL) !== CLOSING
    : unit === PLUS || unit === MINUS || unit === POINT;
}

/**
 * The position behind the string that begins at `at`, or the end of the text. A few characters are
 * looked at one by one, as most strings are short, and more are jumped over.
 */
export function stringEnd(text, at) {
  const {length} = text;
  for (let i = at + 1; i < length;) {
    for (const near = Math.min(i + 32, length); i < near; i++) {
      const unit = text.charCodeAt(i);
      if (unit === QUOTE) return i + 1;
      if (unit === BACKSLASH) i++;
    }
    const quote = text.indexOf('"', i);
    if (quote < 0) return length;
    let escapes = quote; // the backslashes before it escape one another
    while (escapes > i && text.charCodeAt(escapes - 1) === BACKSLASH) escapes--;
    if ((quote - escapes) % 2 === 0) return quote + 1;
    i = quote + 1;
  }
  return length;
}

/** The position behind the JSON white space from `at` on. */
function spaceEnd(text, at) {
  let i = at;
  while (isJsonSpace(text[i])) i++;
  return i;
}
