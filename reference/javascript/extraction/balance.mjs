// Values in which a tag of a parameter lacks its partner (extraction: unbalanced value).

import {trimJsonSpace} from '../shared/characters.mjs';
import {escaped} from './clean.mjs';

const SPACE = '[ \\t\\n\\r]*';
const CLOSING_AT_START = /^<\/([^<>]*)>/;
const CLOSING_AT_END = /<\/([^<>]*)>$/;
const known = new WeakMap(); // the tags of each payload

/** Whether the text of a parameter is an unbalanced value. */
export function isUnbalanced({name, text, kind: way}, payload) {
  if (payload.value_end === undefined) return false;
  if (!known.has(payload)) known.set(payload, tagsOf(payload));
  const {openers, others, end, words, each, next, ended} = known.get(payload);
  const value = trimJsonSpace(text);
  if (others.some((tag) => value.startsWith(tag) || value.endsWith(tag))) return true;
  const hasEnd = ended.includes(way); // it can quote closing tags at its ends
  if (!hasEnd && hasClosingTag(value, name, end, words)) return true;
  const opened = openers.map(() => 0); // of each kind; the last is the likeness
  for (const {0: tag, index} of value.matchAll(each)) {
    const kind = openers.indexOf(tag);
    if (kind >= 0) {
      opened[kind]++;
      continue;
    }
    const behind = index + end.length;
    next.lastIndex = behind;
    if (behind === value.length && opened.at(-1) === 0 && !hasEnd) return true;
    if (opened.every((count) => count === 0) && next.test(value)) return true;
    opened.forEach((count, i) => { opened[i] = Math.max(0, count - 1); });
  }
  return opened.slice(0, -1).some((count) => count > 0);
}

/** Whether a value begins or ends with a closing tag that has no partner in it. */
function hasClosingTag(value, name, end, words) {
  const lacks = (tag) => !value.includes(`<${tag}`);
  if (value.startsWith(end)) return true;
  const named = `</${name}>`;
  if ((value.startsWith(named) || value.endsWith(named)) && lacks(name)) return true;
  const closings = [CLOSING_AT_START.exec(value), closingAtEnd(value)];
  return closings.some((closing) => words.some((word) => closing?.[1].startsWith(word) && lacks(word)));
}

/** The tags of a parameter as its descriptor writes them. */
function tagsOf({name_begin, name_end, value_begin, value_end: end}) {
  const isText = typeof value_begin === 'string';
  const ways = isText ? [{text: value_begin}] : value_begin;
  const texts = ways.flatMap((way) => [way.text, way.end ?? '']).map(trimJsonSpace);
  const names = name_end.startsWith('<') ? [name_begin, name_end] : [name_begin];
  const isOwn = (text) => texts.filter((each) => each.endsWith(text)).length === 1; // of no other way
  const others = [...names, ...texts.filter((text) => text !== '' && isOwn(text))];
  const word = /^<\/([^<>]*)>$/.exec(end)?.[1];
  const values = isText && value_begin !== '' ? [value_begin] : [];
  const openers = [name_begin, ...values, word === undefined ? null : `<${word}`];
  const each = [...openers.filter((tag) => tag !== null), end].map(escaped).join('|');
  const words = ['parameter', ...(word === undefined ? [] : [word])];
  const begins = ways.map(({text}) => (values.length > 0 ? SPACE : '') + escaped(text)).join('|');
  const alike = ['param', ...words.slice(1)].map(inAnyCase).join('|');
  const next = `${SPACE}(?:<(?:${alike})|[A-Za-z0-9_.-]+["']?${escaped(name_end)}(?:${begins}))`;
  const ended = ways.filter((way) => way.end).map(({kind}) => kind);
  return {openers, others, end, words, each: new RegExp(each, 'g'), next: new RegExp(next, 'y'), ended};
}

/** A pattern of a text in any ASCII case. */
function inAnyCase(text) {
  const letters = (char) => `[${char.toLowerCase()}${char.toUpperCase()}]`;
  return text.replace(/[A-Za-z]|[^A-Za-z]+/g, (part) => (/^[A-Za-z]/.test(part) ? letters(part) : escaped(part)));
}

/** The closing tag with which a value ends; a pattern alone would look for one at each `<`. */
function closingAtEnd(value) {
  return CLOSING_AT_END.exec(value.slice(Math.max(0, value.lastIndexOf('<'))));
}
