// Reading a payload part by part, with JSON white space before each, and the words in it.

import {isJsonSpace} from '../shared/characters.mjs';

export const CLOSERS = {'[': ']', '{': '}'};
export const NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;
export const JSON_WORDS = [['true', 'true'], ['false', 'false'], ['null', 'null']];
export const PYTHON_WORDS = [['True', 'true'], ['False', 'false'], ['None', 'null']];

const ESCAPES = new Map([
  ['\\', '\\'], ["'", "'"], ['"', '"'],
  ['b', '\b'], ['f', '\f'], ['n', '\n'], ['r', '\r'], ['t', '\t'],
]);
const HEX_DIGITS = new Map([['x', 2], ['u', 4]]);

/** The first character of what stands in place of a part. */
class PartStop {
  constructor(at) {
    this.at = at;
  }
}

/** What a generator function returns, or `{failedAt}`, where that can be the end of the text. */
export function* orFailed(reading) {
  try {
    return yield* reading;
  } catch (error) {
    if (error instanceof PartStop) return {failedAt: error.at};
    throw error;
  }
}

export class Parts {
  constructor(source, at) {
    this.source = source;
    this.at = at;
  }

  /** The character that the next part begins with. */
  *peek() {
    this.at = yield* this.source.skip(this.at, isJsonSpace);
    return (yield* this.source.at(this.at)) ?? this.stopAtEnd();
  }

  *pass(sign) {
    if ((yield* this.peek()) !== sign) this.stop();
    this.at++;
  }

  stop(at = this.at) {
    throw new PartStop(at);
  }

  /** The text ends before the payload does. */
  stopAtEnd() {
    throw new PartStop(this.source.chars.length);
  }

  /** Notes what is no part of a string. */
  noteBad(at) {
    this.stop(at);
  }

  /** What a string between two `'` or two `"` says. */
  *readLiteralString() {
    const {source} = this;
    const quote = source.chars[this.at++];
    const parts = [];
    for (;;) {
      const char = source.chars[this.at] ?? (yield* source.at(this.at)) ?? this.stopAtEnd();
      if (char === '\\') {
        parts.push(yield* this.#readEscape());
        continue;
      }
      this.at++;
      if (char === quote) return parts.join('');
      parts.push(char);
    }
  }

  /** The character of an escape, or the backslash where it is none. */
  *#readEscape() {
    const start = this.at;
    const kind = (yield* this.source.at(start + 1)) ?? this.stopAtEnd();
    const count = HEX_DIGITS.get(kind) ?? 0;
    if (count === 0 && !ESCAPES.has(kind)) return this.#passBackslash();
    for (let i = 1; i <= count; i++) {
      const char = (yield* this.source.at(start + 1 + i)) ?? this.stopAtEnd();
      if (!/^[0-9A-Fa-f]$/.test(char)) return this.#passBackslash();
    }
    this.at = start + 2 + count;
    const digits = this.source.slice(start + 2, this.at);
    return ESCAPES.get(kind) ?? String.fromCharCode(Number.parseInt(digits, 16));
  }

  #passBackslash() {
    this.noteBad(this.at++);
    return '\\';
  }
}

export function isQuote(char) {
  return char === "'" || char === '"';
}
