// Reading a payload part by part, with JSON white space before each, and the words in it.

import {isJsonSpace} from '../shared/characters.mjs';

export const CLOSERS = {'[': ']', '{': '}'};
export const NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;
export const JSON_WORDS = [['true', 'true'], ['false', 'false'], ['null', 'null']];
export const PYTHON_WORDS = [['True', 'true'], ['False', 'false'], ['None', 'null']];

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
}
