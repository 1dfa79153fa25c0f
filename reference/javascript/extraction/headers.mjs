// The header between the begin of an opener and its end (extraction: descriptor, message header).

import {unquotedName} from './call_names.mjs';
import {isDigit, isJsonSpace, isOfName, trimBlanks} from '../shared/characters.mjs';
import {behindLineFeed, endsInsideOne, skipSpace} from './messages.mjs';

const LONGEST_HEADER = 128;
const LONGEST_BARE = 64;
const NUMBERED = /^[.:_]?(.*?)[.:_]?[0-9]+$/s; // a name behind the word of its descriptor

/**
 * Reads a header up to the end of its opener: `{header, kind, end}`, or null as soon as what is
 * there can begin no opener (EXT-115); undefined where the end of the text cuts it off.
 */
export function* readHeader(source, from, {opener, closer, payload}) {
  const ends = ['{', ...(closer?.text ? [closer.text] : []), ...(payload.fence === 'expected' ? ['```'] : [])];
  const bare = opener.bare_end === true ? yield* bareEnd(source, from, opener.name, ends) : null;
  if (bare !== null) return {header: source.slice(from, bare), kind: 'call', end: bare};
  const {end, name, select, tokens = [name?.behind, name?.id].filter((token) => token)} = opener;
  let left = LONGEST_HEADER; // how many characters may still stand here
  let begins = name !== undefined; // no character of the name has come
  let isOver = false; // white space with a line feed stands behind it
  for (let i = from; ;) {
    const char = yield* source.characterAt(i);
    if (char === '<' || char === end[0]) {
      const header = source.slice(from, i);
      const kind = kindOfHeader(header, opener);
      const inner = tokens.filter((word) => word.length <= left);
      const words = isOver ? [] : inner;
      const word = yield* source.wordAt(i, kind === null ? words : [...words, end]);
      if (word === null) return (yield* endsInsideOne(source, i, [...words, end])) ? undefined : null;
      if (word === end) return {header, kind, end: i + end.length};
      i += word.length;
      left -= word.length;
      begins = false;
    } else {
      if (char === undefined) return undefined;
      if (left === 0) return null;
      const isSpace = isJsonSpace(char);
      if (isOver && !isSpace) return null;
      if (char === '\n' && !begins) {
        if (name === undefined) {
          const to = select === undefined ? i : yield* behindLineFeed(source, i, opener, select.behind);
          if (to === i || to - i > left) return null;
          left -= to - i;
          i = to;
          continue;
        }
        isOver = true;
      }
      begins &&= isSpace;
      i += char.length;
      left--;
    }
  }
}

/** Where a header ends that is a name before a brace or the closer, or null (extraction: descriptor). */
function* bareEnd(source, begin, {id, counter, behind}, ends) {
  let at = yield* wordEnd(source, yield* skipSpace(source, begin));
  if (at !== null && behind !== undefined && (yield* source.wordAt(at, [behind])) !== null) {
    at = yield* wordEnd(source, at + behind.length);
  }
  if (at === null) return null;
  if (id !== undefined && (yield* source.wordAt(at, [id])) !== null) at += id.length;
  if (counter) at = yield* counterEnd(source, at);
  return (yield* source.wordAt(yield* skipSpace(source, at), ends)) === null ? null : at;
}

/** Where the name ends that stands at a position, or null. */
function* wordEnd(source, from) {
  let at = from;
  while (at - from <= LONGEST_BARE && isOfName(yield* source.at(at))) at++;
  return at === from || at - from > LONGEST_BARE ? null : at;
}

/** Where a colon and digits end that stand at a position, or the position. */
function* counterEnd(source, from) {
  if ((yield* source.at(from)) !== ':') return from;
  const end = yield* source.skip(from + 1, isDigit);
  return end > from + 1 ? end : from;
}

/** What a header makes of its opener: `call`, `reserved`, or null for no opener (EXT-010). */
function kindOfHeader(header, {select, reserved}) {
  if (select === undefined || channelOf(header, select.behind) === select.is) return 'call';
  return reserved.signs.some((sign) => header.includes(sign)) ? 'reserved' : null;
}

/** The channel of a message header, or null. */
function channelOf(header, token) {
  const at = header.lastIndexOf(token);
  return at < 0 ? null : trimBlanks(header.slice(at + token.length).split('<|')[0]);
}

/** The name that a header is, of a call with arguments or without (EXT-141). */
export function nameOfHeader(header, {prefix, counter, behind, id, word}, effective, isAlone) {
  const at = behind === undefined ? -1 : header.indexOf(behind);
  const text = at < 0 ? header : header.slice(at + behind.length);
  const whole = unquotedName(id === undefined ? text : text.split(id)[0], isAlone);
  const rest = whole.startsWith(prefix) ? whole.slice(prefix.length) : whole;
  const name = counter ? withoutCounter(rest) : rest;
  if (word === undefined || effective.includes(name) || !whole.startsWith(word)) return name;
  const [, inner] = NUMBERED.exec(whole.slice(word.length)) ?? [];
  return effective.includes(inner) ? inner : name;
}

function withoutCounter(name) {
  let end = name.length;
  while (isDigit(name[end - 1])) end--;
  return end < name.length && name[end - 1] === ':' ? name.slice(0, end - 1) : name;
}
