// Two ways to write a value of a small depth as a text: canonical, and compact.

import {MAX_DEPTH, isObject, nestingDepth, parseJsonText} from './json_text.mjs';

/** `{value}` of a text from a model that is a JSON text and not too deep, else null. */
export function readJson(text) {
  return nestingDepth(text) > MAX_DEPTH ? null : parseJsonText(text);
}

/** The text of RFC 8785; names sort by UTF-16 units, as `sort` does (event: canonical text). */
export function canonicalText(value) {
  return write(value, (object) => Object.keys(object).sort());
}

/** The text with the members in the order of the value, as far as the host has kept it. */
export function compactText(value) {
  return write(value, (object) => Object.keys(object));
}

/** A JSON text without white space, with the names of each object in a given order. */
function write(value, namesOf) {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return spell(value);
  if (Array.isArray(value)) return `[${value.map((item) => write(item, namesOf)).join(',')}]`;
  if (!isObject(value)) return String(value);
  const members = namesOf(value).map((name) => `${quote(name)}:${write(value[name], namesOf)}`);
  return `{${members.join(',')}}`;
}

/** A string as JSON; JSON.stringify would escape half a surrogate pair, too. */
function quote(text) {
  if (text.isWellFormed()) return JSON.stringify(text);
  const parts = text.split(/([\ud800-\udfff])/); // every second part is a surrogate
  return `"${parts.map((part, n) => n % 2 === 1 ? part : inside(part)).join('')}"`;
}

/** What stands between the quotation marks of a well-formed text. */
function inside(text) {
  return JSON.stringify(text).slice(1, -1);
}

/** A number as JSON; JSON.stringify would write null for one beyond binary64. */
function spell(number) {
  if (Number.isFinite(number)) return JSON.stringify(number);
  return number > 0 ? '1e400' : '-1e400';
}

/** Whether the numbers in a value are finite. */
export function hasNumbers(value) {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(hasNumbers);
}

/** Whether a value has a UTF-8 form, names included, and finite numbers only (EVT-004). */
export function isWritable(value) {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isWritable);
  if (!isObject(value)) return true;
  return Object.entries(value).every(([name, item]) => name.isWellFormed() && isWritable(item));
}
