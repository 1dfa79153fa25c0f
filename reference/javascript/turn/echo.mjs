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
  const texts = blocks.length === 0 ? [] : heard(request).map(bare);
  return blocks.flatMap(({text, calls}) => {
    const form = bare(text);
    return Array(calls).fill(texts.some((one) => one.includes(form)));
  });
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
