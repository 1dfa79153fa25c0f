// Markers: the tags that begin and end something (EXT-010, EXT-011).

import {skipBlanks} from './characters.mjs';

export const DIALECTS = ['tool_call', 'tools', 'tool_calls', 'function_call', 'function'];
const LONGEST_NAME = 13;
const FOREIGN = ['<function=', '<parameter', '<invoke', '<arg_key', '<arg_value'];

/** A function that gives the marker that begins at a position, or null (extraction: marker). */
export function markerReader(text, dialects) {
  const names = new Set(dialects);
  return (at) => {
    const tag = tagAt(text, at);
    if (tag === null) return null;
    if (tag.name === 'think') return tag.closes ? null : {kind: 'think', start: at, end: tag.end};
    if (!names.has(tag.name)) return null; // EXT-007
    const kind = tag.closes ? 'close' : 'open';
    return {kind, dialect: tag.name, start: at, end: tag.end};
  };
}

/** `<name>` or `</name>` with blanks before the `>`, else null. */
function tagAt(text, at) {
  if (text[at] !== '<') return null;
  const closes = text[at + 1] === '/';
  const from = closes ? at + 2 : at + 1;
  let i = from;
  while (i - from <= LONGEST_NAME && /^[A-Za-z_]$/.test(text[i] ?? '')) i++;
  const name = text.slice(from, i).toLowerCase(); // ASCII only, so this is ASCII case
  if (name !== 'think' && !DIALECTS.includes(name)) return null;
  const end = skipBlanks(text, i);
  return text[end] === '>' ? {name, closes, end: end + 1} : null;
}

/** The first `</think>` at or behind a position, or null (extraction: reasoning). */
export function reasoningCloser(text, from) {
  for (let i = text.indexOf('<', from); i >= 0; i = text.indexOf('<', i + 1)) {
    const tag = tagAt(text, i);
    if (tag?.closes && tag.name === 'think') return {start: i, end: tag.end};
  }
  return null;
}

/** Whether a tag of another dialect begins at a position (extraction: undecided opener). */
export function isForeign(text, at) {
  const begin = text.slice(at, at + 10).toLowerCase();
  return FOREIGN.some((tag) => begin.startsWith(tag) && sameAsciiCase(text, at, tag));
}

/** Whether a tag stands at a position in any ASCII case; the Kelvin sign is no k. */
function sameAsciiCase(text, at, tag) {
  for (let i = 0; i < tag.length; i++) if (text.charCodeAt(at + i) > 0x7f) return false;
  return true;
}
