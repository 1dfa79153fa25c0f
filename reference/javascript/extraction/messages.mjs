// Messages with headers: what a header is, and where a message ends (extraction: message).

import {isBlank} from '../shared/characters.mjs';
import {own} from '../shared/json_text.mjs';

const LONGEST_HEADER = 128;
const LONGEST_NAME = 64;
const IN_NAME = /^[A-Za-z0-9_./:-]$/;

/** The form whose opener messages have: one that is active, else one of the format, or null. */
export function messagesOf(forms, framing) {
  const form = [...forms, ...framing].find(hasMessages);
  return form === undefined ? null : {form, isActive: forms.includes(form)};
}

/** Whether the text is messages where a form is active. */
export function hasMessages({opener}) {
  return opener?.messages !== undefined;
}

/** What a header begins with whose first text stands in the prompt. */
export function openedBegins({messages: {channel, recipient}}) {
  const addressed = recipient === undefined ? [] : [recipient, ` ${recipient}`];
  return channel === undefined ? addressed : [channel, ...addressed];
}

/** Where the name ends with which the text begins, and a header of a call with it; or null. */
export function* openedName(source, {end, messages: {channel, kinds}}) {
  const calls = Object.keys(kinds).filter((name) => kinds[name] === 'call');
  if (channel === undefined || calls.length === 0) return null;
  let at = 0;
  while (at < LONGEST_NAME && IN_NAME.test((yield* source.at(at)) ?? '')) at++;
  if (at === 0) return null;
  return (yield* source.wordAt(at, calls.map((name) => channel + name + end))) === null ? null : at;
}

/**
 * Reads a header whose words begin at `inner`, from behind what it begins with: `{kind, header,
 * end}`, or null as soon as none can stand there. Of one that the end of the text cuts off nothing is run.
 */
export function* readMessageHeader(source, inner, from, {form: {opener}, isActive}) {
  const {end, tokens} = opener;
  const cut = (to) => {
    const text = source.slice(inner, to);
    // Without a token it is text that begins as a recipient does.
    const isHeader = to - from - pairs <= LONGEST_HEADER && (inner === from || text.includes('<'));
    return isHeader ? cutHeader(text, to, opener, isActive) : null;
  };
  let pairs = 0; // of surrogates, each of which is one character
  for (let i = from; ;) {
    const char = yield* source.characterAt(i);
    if (char === undefined) return cut(i);
    if (char === '<' || char === end[0]) {
      const word = yield* source.wordAt(i, [...tokens, end]);
      if (word === null) {
        for (const begun of [...tokens, end]) {
          if (!(yield* source.endsInside(i, begun))) continue;
          return cut(source.chars.length);
        }
        return null;
      }
      if (word === end) {
        if (i - inner - pairs > LONGEST_HEADER) return null;
        const header = source.slice(inner, i);
        return {kind: kindOfHeader(header, opener, isActive), header, end: i + end.length};
      }
      i += word.length;
    } else {
      if (char === '\n' || char === '`' || i - from - pairs >= LONGEST_HEADER) return null;
      i += char.length;
      pairs += char.length - 1;
    }
  }
}

/** A header that the text cuts off: of a call, it is rejected, and else dropped. */
function cutHeader(header, end, opener, isActive) {
  const kind = kindOfHeader(header, opener, isActive);
  const isCall = kind === 'call' || kind === 'reserved';
  return {kind: isCall ? 'reserved' : 'drop', header: '', end, isCut: true};
}

/** Whether a whole header with its first text stands at a position. */
export function* headerStands(source, at, opener) {
  if ((yield* source.wordAt(at, [opener.text])) === null) return false;
  const from = at + opener.text.length;
  const found = yield* readMessageHeader(source, from, from, {form: {opener}, isActive: true});
  return found !== null && !found.isCut;
}

/** The kind of a header: call, reserved, reasoning, content or drop. */
function kindOfHeader(header, opener, isActive) {
  const {kinds, recipient: sign = '', prefix = '', types: known} = opener.messages;
  const {channel, recipients, types} = wordsOf(header, opener);
  const [recipient] = recipients;
  let kind = recipient === undefined ? own(kinds, channel) ?? 'drop' : own(kinds, recipient) ?? 'call';
  if (recipients.size > 1) kind = 'reserved';
  if (kind === 'call') {
    const isNamed = recipient === undefined || recipient.startsWith(sign + prefix);
    const isKnown = known === undefined || [...types].every((type) => known.includes(type));
    if (!isNamed || !isKnown) kind = 'reserved';
  }
  const isBlock = kind === 'call' || kind === 'reserved';
  return isBlock && !isActive ? 'drop' : kind;
}

/** The channel that counts, the recipients, and the types. */
function wordsOf(header, {tokens, messages: {channel: behind, recipient: sign}}) {
  const recipients = new Set();
  const types = new Set();
  let channel = '';
  const [first, ...others] = behind === undefined ? [header] : header.split(behind);
  const wordsIn = (part) => {
    const spaced = tokens.reduce((text, token) => text.replaceAll(token, ' '), part);
    const parts = [''];
    for (const char of spaced) {
      if (isBlank(char)) parts.push('');
      else parts[parts.length - 1] += char;
    }
    return parts.filter((word) => word !== '');
  };
  const words = wordsIn(first);
  for (const other of others) {
    const [named = '', ...rest] = wordsIn(other);
    channel = named;
    for (const word of rest) words.push(word);
  }
  for (const word of words) {
    const isRecipient = sign !== undefined && word.startsWith(sign);
    (isRecipient ? recipients : types).add(word);
  }
  return {channel, recipients, types};
}

/** The name of the call whose header this is. */
export function nameOfMessage(header, opener) {
  const {recipient = '', prefix = ''} = opener.messages;
  const [word = ''] = wordsOf(header, opener).recipients;
  return word.slice((recipient + prefix).length);
}

/** Where the bound end that stands at a position ends, or undefined. */
export function* boundEnd(source, at, {text, messages: {ends}}) {
  const word = yield* source.wordAt(at, ends);
  if (word === null) return undefined;
  const behind = at + word.length;
  if ((yield* source.at(behind)) === undefined) return behind;
  return (yield* source.wordAt(behind, [text, ...ends])) === null ? undefined : behind;
}

/** The first bound end from a position on, or where a header or nothing more stands: `{start, end}`. */
export function* messageEnd(source, from, opener) {
  for (let i = from; ; i++) {
    if ((yield* source.at(i)) === undefined) return {start: i, end: i};
    const end = yield* boundEnd(source, i, opener);
    if (end !== undefined) return {start: i, end};
    if (yield* headerStands(source, i, opener)) return {start: i, end: i};
  }
}
