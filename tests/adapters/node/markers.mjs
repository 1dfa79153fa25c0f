// Markers: what begins and ends something (EXT-010, EXT-011, EXT-100, EXT-103).

import {foldCase, isBlank, trimBlanks} from './characters.mjs';

const TAGS = ['tool_call', 'tools', 'tool_calls', 'function_call', 'function'];
export const HARMONY = 'harmony-pseudo';
export const DIALECTS = [...TAGS, HARMONY];

const FOREIGN = ['<function=', '<parameter', '<invoke', '<arg_key', '<arg_value'];
const START = '<|start|>assistant';
const CHANNEL = '<|channel|>';
const CONSTRAIN = '<|constrain|>';
const MESSAGE = '<|message|>';
const END = '<|end|>';
const CALL = '<|call|>';
const RESERVING = ['recipient:', 'to:', 'to=', CONSTRAIN];
const LONGEST_HEADER = 128;

/** Finds markers in a source; each answer comes as soon as the characters allow it. */
export class Markers {
  constructor(source, dialects) {
    this.source = source;
    this.closers = TAGS.filter((name) => dialects.includes(name)); // EXT-007
    this.openers = [...this.closers, 'think'];
    this.harmony = dialects.includes(HARMONY);
  }

  /** The marker that stands at a position, or null: `{kind, dialect, start, end, reserved}`. */
  *at(start) {
    if ((yield* this.source.at(start)) !== '<') return null;
    const next = yield* this.source.at(start + 1);
    if (next === '|') return this.harmony ? yield* this.#controlToken(start) : null;
    if (next === '/') return yield* this.#tag('close', start, start + 2, this.closers);
    return yield* this.#tag('open', start, start + 1, this.openers);
  }

  /** The closing tag of reasoning that stands at a position, or null (extraction: reasoning). */
  *reasoningCloserAt(start) {
    if ((yield* this.source.wordAt(start, ['</'])) === null) return null;
    return yield* this.#tag('close', start, start + 2, ['think']);
  }

  /** The position behind the end of a reserved message, or of the text (EXT-103). */
  *reservedEnd(from) {
    for (let i = from; ; i++) {
      const char = yield* this.source.at(i);
      if (char === undefined) return i;
      const word = char === '<' ? yield* this.source.wordAt(i, [END, CALL]) : null;
      if (word !== null) return i + word.length;
    }
  }

  /** Whether a tag of another dialect begins at a position (extraction: undecided opener). */
  *isForeignAt(start) {
    return (yield* this.source.wordAt(start, FOREIGN, foldCase)) !== null;
  }

  /** A tag with one of some names, which begins at `from`, with blanks behind it at most. */
  *#tag(kind, start, from, names) {
    let name = '';
    let char = yield* this.source.at(from);
    while (char !== '>' && !isBlank(char)) {
      name += foldCase(char);
      if (!names.some((candidate) => candidate.startsWith(name))) return null;
      char = yield* this.source.at(from + name.length);
    }
    if (!names.includes(name)) return null;
    const end = yield* this.source.skip(from + name.length, isBlank);
    if ((yield* this.source.at(end)) !== '>') return null;
    if (name === 'think' && kind === 'open') return {kind: 'think', start, end: end + 1};
    return {kind, dialect: name, start, end: end + 1};
  }

  /** The closer or an opener of harmony-pseudo (extraction: message header). */
  *#controlToken(start) {
    const word = yield* this.source.wordAt(start, [START, END]);
    if (word === null) return null;
    if (word === END) return {kind: 'close', dialect: HARMONY, start, end: start + END.length};
    const end = yield* this.#headerEnd(start + START.length);
    if (end === null) return null;
    const header = this.source.slice(start + START.length, end);
    const reserved = channelOf(header) !== 'tool';
    if (reserved && !RESERVING.some((sign) => header.includes(sign))) return null; // EXT-104
    return {kind: 'open', dialect: HARMONY, start, end, reserved};
  }

  /** The position behind a message header of which the begin has been read, or null. */
  *#headerEnd(from) {
    for (let i = from; ;) {
      const char = yield* this.source.at(i);
      const left = from + LONGEST_HEADER - i; // how many characters may still stand here
      if (char === '<') {
        const inner = [CHANNEL, CONSTRAIN].filter((word) => word.length <= left);
        const word = yield* this.source.wordAt(i, [...inner, MESSAGE]);
        if (word === null) return null;
        i += word.length;
        if (word === MESSAGE) return i;
      } else {
        if (char === undefined || char === '\n' || left === 0) return null;
        i++;
      }
    }
  }
}

/** The channel of a message header, or null. */
function channelOf(header) {
  const at = header.lastIndexOf(CHANNEL);
  if (at < 0) return null;
  const from = at + CHANNEL.length;
  return trimBlanks(header.slice(from, header.indexOf('<|', from)));
}
