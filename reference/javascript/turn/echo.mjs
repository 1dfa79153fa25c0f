// Calls that the model only repeats (TRN-024; turn: heard text, bare form, echo).

import {isObject, own} from '../shared/json_text.mjs';

// Whose words are not the model's own, nor those of who runs it.
const HEARD = ['user', 'tool', 'function'];
const ESCAPED_UNIT = /\\u([0-9A-Fa-f]{4})/g;
const NOTHING =
  /\\[bfnrt]?|[\b\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/g;

/** For each call of a text whether it is an echo of a request that was sent. */
export function echoes(segments, request) {
  const blocks = segments.filter(({calls}) => calls > 0);
  const forms = blocks.map(({text}) => bare(text));
  const found = forms.length === 0 ? new Set() : contained(heard(request).map(bare), forms);
  return blocks.flatMap(({calls}, at) => Array(calls).fill(found.has(forms[at])));
}

function heard(request) {
  const messages = isObject(request) ? own(request, 'messages') : null;
  if (!Array.isArray(messages)) return [];
  return messages.filter((message) => isObject(message) && HEARD.includes(own(message, 'role')))
    .map((message) => stringsOf(own(message, 'content')).join(''));
}

/** The strings of a content. */
function stringsOf(value) {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsOf);
  if (!isObject(value)) return [];
  return Object.entries(value).filter(([name]) => name !== 'type')
    .flatMap(([, one]) => stringsOf(one));
}

/** A text without what depends on how it was laid out or escaped. */
function bare(text) {
  return text.replace(ESCAPED_UNIT, (_, digits) => String.fromCharCode(parseInt(digits, 16)))
    .replace(NOTHING, '');
}

/**
 * The words that are part of a text. In one pass for all of them, as Aho and Corasick have it: a
 * message can have as many calls as a request has lines.
 */
function contained(texts, words) {
  const edges = [new Map()]; // from each beginning of a word to longer ones
  const whole = new Map();
  for (const word of words) {
    let at = 0;
    for (const char of word) at = edgeFrom(edges, at, char);
    whole.set(word, at);
  }
  const ends = edges.map(() => 0); // of each beginning, the longest end that is a beginning as well
  const follow = (from, char) => {
    let at = from;
    while (at > 0 && !edges[at].has(char)) at = ends[at];
    return edges[at].get(char) ?? 0;
  };
  const order = [0]; // the shorter before the longer
  for (const at of order) {
    for (const [char, below] of edges[at]) {
      order.push(below);
      ends[below] = at === 0 ? 0 : follow(ends[at], char);
    }
  }
  const seen = new Set();
  for (const text of texts) {
    let at = 0;
    for (const char of text) {
      at = follow(at, char);
      seen.add(at);
    }
  }
  for (const at of order.toReversed()) if (seen.has(at)) seen.add(ends[at]);
  return new Set(words.filter((word) => seen.has(whole.get(word))));
}

/** Where a character leads, perhaps to a beginning that is new. */
function edgeFrom(edges, at, char) {
  if (!edges[at].has(char)) {
    edges[at].set(char, edges.length);
    edges.push(new Map());
  }
  return edges[at].get(char);
}
