// Messages with headers: what a header is, and where a message ends (extraction: message).

import {isBlank, isJsonSpace} from '../shared/characters.mjs';
import {own} from '../shared/json_text.mjs';

const LONGEST_HEADER = 128;
const LONGEST_NAME = 64;
const MOST_SPACE = 16; // between the end of a message and the next
const IN_NAME = /^[A-Za-z0-9_./:-]$/;

/** The form whose opener messages have: one that is active, else one of the format, or null. */
export function messagesOf(forms, framing, tokens) {
  const form = [...forms, ...framing].find(hasMessages);
  if (form === undefined) return null;
  const begins = tokens.filter((token) => form.opener.text.startsWith(token)); // of a header that is doubled
  const canBeAlone = tokens.includes(form.opener.messages.channel);
  return {form, isActive: forms.includes(form), begins, canBeAlone};
}

/** The channels of reasoning and of content. */
function shown(kinds) {
  return Object.keys(kinds).filter((name) => ['reasoning', 'content'].includes(kinds[name]));
}

/** A channel with a name that begins no header, as one: `{kind, header, end}`, or null (D41.6). */
export function* channelAlone(source, start, begin, {opener: {messages: {channel, kinds}}}) {
  if (begin !== channel) return null;
  const names = shown(kinds);
  const header = yield* source.wordAt(start, names.map((name) => channel + name));
  return header === null ? null : {kind: kinds[header.slice(channel.length)], header, end: start + header.length};
}

/** Whether the text is messages where a form is active. */
export function hasMessages({opener}) {
  return opener?.messages !== undefined;
}

/** What a header without its first text begins with. */
export function bareBegins({channel, recipient}) {
  return [channel, recipient].filter((text) => text !== undefined);
}

/** What stands behind an end where such a header follows it. */
function bareFollows({channel, recipient, prefix = '', kinds}) {
  const channels = channel === undefined ? [] : Object.keys(kinds).map((name) => channel + name);
  return recipient === undefined ? channels : [...channels, recipient + prefix];
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
export function* readMessageHeader(source, inner, from, {form: {opener}, isActive, canBeAlone}) {
  const {end, tokens, messages: {channel, ends}} = opener;
  const hasText = inner === from;
  const cut = (to) => {
    const text = source.slice(inner, to);
    // Without a token it is text that begins as a recipient does.
    if (to - from - pairs > LONGEST_HEADER || !(hasText || text.includes('<'))) return null;
    if (canBeAlone && holdsText(text, opener)) return null;
    const found = cutHeader(text, to, opener, isActive);
    const mayBegin = hasText || inner === 0 || (found.isCall && text.startsWith(channel));
    return mayBegin ? found : null;
  };
  /** The header without its end, if one stands at a position that cannot be in it (D41.5). */
  function* lacking(to) {
    const behind = yield* skipSpace(source, to);
    if ((yield* source.wordAt(behind, ['{', ...ends])) === null) {
      return (yield* endsInsideOne(source, behind, ends)) ? cut(source.chars.length) : null;
    }
    const header = source.slice(inner, to);
    const isLong = to - inner - pairs > LONGEST_HEADER;
    const isEmpty = (yield* source.at(behind)) !== '{'; // such a call is none
    if (isLong || !(hasText || header.includes('<')) || !mayLackEnd(header, opener, isEmpty && (hasText || inner === 0))) return null;
    const kind = kindOfHeader(header, opener, isActive);
    return {kind: kind === 'call' && isEmpty ? 'reserved' : kind, header, end: to};
  }
  let pairs = 0; // of surrogates, each of which is one character
  for (let i = from; ;) {
    const char = yield* source.characterAt(i);
    if (char === undefined) return cut(i);
    if (char === '<' || char === end[0]) {
      const word = yield* source.wordAt(i, [...tokens, end]);
      if (word === null) {
        if (yield* endsInsideOne(source, i, [...tokens, end])) return cut(source.chars.length);
        return yield* lacking(i);
      }
      if (word === end) {
        if (i - inner - pairs > LONGEST_HEADER) return null;
        const header = source.slice(inner, i);
        return {kind: kindOfHeader(header, opener, isActive), header, end: i + end.length};
      }
      i += word.length;
      if (i - from - pairs > LONGEST_HEADER) return null;
    } else {
      const to = char === '\n' ? yield* behindLineFeed(source, i, opener, channel) : i;
      if (to > i) {
        i = to;
        continue;
      }
      if (char === '\n' || char === '{') return yield* lacking(i);
      if (char === '`' || i - from - pairs >= LONGEST_HEADER) return null;
      i += char.length;
      pairs += char.length - 1;
    }
  }
}

/** The position behind the JSON white space that can stand for a token or before a message. */
export function* skipSpace(source, from) {
  let at = from;
  while (at < from + MOST_SPACE && isJsonSpace((yield* source.at(at)) ?? '')) at++;
  return at;
}

/** Where a header goes on behind a line feed: before its end, or a token that is no channel; or the line feed itself. */
export function* behindLineFeed(source, at, {tokens, end}, channel) {
  const words = [...tokens.filter((token) => token !== channel), end];
  const behind = yield* skipSpace(source, at);
  const goesOn = (yield* source.wordAt(behind, words)) !== null || (yield* endsInsideOne(source, behind, words));
  return goesOn ? behind : at;
}

/** Whether the text ends inside one of some words that begins at a position. */
export function* endsInsideOne(source, at, words) {
  for (const word of words) {
    if (yield* source.endsInside(at, word)) return true;
  }
  return false;
}

/** A header that the text cuts off: of a call, it is rejected, and else dropped. */
function cutHeader(header, end, opener, isActive) {
  const isCall = ['call', 'reserved'].includes(kindOfHeader(header, opener, true));
  return {kind: isCall && isActive ? 'reserved' : 'drop', header: '', end, isCall, isCut: true};
}

/** Whether a header that the text cuts off has words of a text, behind its channel. */
function holdsText(header, opener) {
  const {channel, recipients, types} = wordsOf(header, opener);
  const isText = [...types].some((word) => word[0] !== '<');
  return recipients.size === 0 && shown(opener.messages.kinds).includes(channel) && isText;
}

/** Whether the end of a header may be missing: it says what it is. */
function mayLackEnd(header, opener, canBeStrange) {
  const {channel, recipients, types} = wordsOf(header, opener);
  const {kinds} = opener.messages;
  const isStrange = channel !== '' && !shown(kinds).some((name) => channel.startsWith(name));
  return recipients.size > 0 || (own(kinds, channel) === undefined ? isStrange && canBeStrange : types.size === 0);
}

/** The header that stands at a position and begins with one of some texts, or null. */
function* headerAt(source, at, messages, begins) {
  const {opener} = messages.form;
  const begin = yield* source.wordAt(at, begins);
  if (begin === null || (yield* source.wordAt(at, opener.messages.ends)) !== null) return null;
  const from = at + begin.length;
  return yield* readMessageHeader(source, begin === opener.text ? from : at, from, messages);
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
function wordsOf(header, {tokens, messages: {channel: behind, recipient: sign, prefix = ''}}) {
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
    // Behind a channel that does not count only a recipient that names a tool does (D42.1).
    const counts = (word) => other === others.at(-1) || (sign !== undefined && word.startsWith(sign + prefix));
    words.push(...rest.filter(counts));
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

/** Where the bound end that stands at a position ends, before one of some texts; or undefined. */
function* boundEnd(source, at, {messages: {ends}}, follows) {
  const word = yield* source.wordAt(at, ends);
  if (word === null) return undefined;
  const behind = at + word.length;
  if ((yield* source.at(behind)) === undefined) return behind;
  const next = yield* skipSpace(source, behind);
  return (yield* source.wordAt(next, [...follows, ...ends])) === null ? undefined : behind;
}

/** Where a message ends that has its end at a position, or a header there; or undefined. */
export function* messageEndAt(source, at, messages, isBlock = false) {
  const {form: {opener}, begins: doubled} = messages;
  const begins = isBlock ? [] : bareBegins(opener.messages); // which it can quote
  const follows = isBlock ? [] : bareFollows(opener.messages);
  const end = yield* boundEnd(source, at, opener, [opener.text, ...doubled, ...follows]);
  if (end !== undefined) return end;
  const header = yield* headerAt(source, at, messages, [opener.text, ...begins]);
  const stands = header !== null && (!header.isCut || (header.kind === 'reserved' && !isBlock));
  return stands ? at : undefined;
}

/** The first end of a message from a position on, or where nothing more stands: `{start, end}`. */
export function* messageEnd(source, from, messages, isBlock) {
  for (let i = from; ; i++) {
    if ((yield* source.at(i)) === undefined) return {start: i, end: i};
    const end = yield* messageEndAt(source, i, messages, isBlock);
    if (end !== undefined) return {start: i, end};
  }
}
