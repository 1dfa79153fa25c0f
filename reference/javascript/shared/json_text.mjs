// JSON as the vocabulary defines it: stricter than JSON.parse, and without recursion on a text.

import {isDigit, isJsonSpace} from './characters.mjs';

export const MAX_DEPTH = 128;

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
    if (text[i] === '"') i = stringEnd(text, i) - 1;
    else if (text[i] === '[' || text[i] === '{') deepest = Math.max(deepest, ++open);
    else if ((text[i] === ']' || text[i] === '}') && open > 0) open--;
  }
  return deepest;
}

/** Whether a value nests deeper than the limit; it goes level by level, not by recursion. */
export function isTooDeep(value, limit = MAX_DEPTH) {
  let level = [value];
  for (let depth = 0; depth <= limit; depth++) {
    const containers = level.filter((item) => typeof item === 'object' && item !== null);
    if (containers.length === 0) return false;
    level = containers.flatMap((item) => Object.values(item));
  }
  return true;
}

/**
 * `{value}` of a JSON text whose depth is known to be small, else null (vocabulary: JSON text).
 * `parsed` is what JSON.parse made of it, where that is known.
 */
export function parseJsonText(text, parsed) {
  let value = parsed;
  try {
    if (value === undefined) value = JSON.parse(text);
  } catch {
    return null;
  }
  return isStrict(text) ? {value} : null;
}

/** Whether a text that JSON.parse took holds no infinite number and no lone surrogate. */
function isStrict(text) {
  if (!text.isWellFormed()) return false;
  for (let i = 0; i < text.length;) {
    let end = i + 1;
    if (text[i] === '"') {
      end = stringEnd(text, i);
      const token = text.slice(i, end);
      if (token.includes('\\u') && !JSON.parse(token).isWellFormed()) return false;
    } else if (text[i] === '-' || isDigit(text[i])) {
      end = scalarEnd(text, i);
      if (!Number.isFinite(Number(text.slice(i, end)))) return false;
    }
    i = end;
  }
  return true;
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
  let i = spaceEnd(text, text.indexOf('{') + 1);
  while (text[i] === '"') {
    const keyEnd = stringEnd(text, i);
    const from = spaceEnd(text, spaceEnd(text, keyEnd) + 1);
    const to = valueEnd(text, from);
    if (JSON.parse(text.slice(i, keyEnd)) === name) found = text.slice(from, to);
    i = spaceEnd(text, spaceEnd(text, to) + 1);
  }
  return found;
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
    if (text[i] === '"') i = stringEnd(text, i);
    else if (text[i] === '[' || text[i] === '{') [open, i] = [open + 1, i + 1];
    else if (text[i] === ']' || text[i] === '}') [open, i] = [open - 1, i + 1];
    else i = scalarEnd(text, i + 1);
    if (open === 0) return i;
  }
}

/** The position behind a number or a literal, of which the first character has been read. */
function scalarEnd(text, at) {
  let i = at;
  while (i < text.length && !'"[{,]}'.includes(text[i]) && !isJsonSpace(text[i])) i++;
  return i;
}

/** The position behind the string that begins at `at`, or the end of the text. */
export function stringEnd(text, at) {
  for (let quote = text.indexOf('"', at + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let i = quote;
    while (i > at + 1 && text[i - 1] === '\\') i--;
    if ((quote - i) % 2 === 0) return quote + 1; // the backslashes before it escape one another
  }
  return text.length;
}

/** The position behind the JSON white space from `at` on. */
function spaceEnd(text, at) {
  let i = at;
  while (isJsonSpace(text[i])) i++;
  return i;
}
