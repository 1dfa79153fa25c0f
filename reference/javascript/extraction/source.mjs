// The text as it arrives. Whatever reads it is a generator function, which yields where it needs
// more of the text and goes on where it stopped. A position counts code points.

import {byteLength} from '../shared/utf8.mjs';

const SURROGATE = /[\ud800-\udfff]/;

export class Source {
  /** The characters: a text, where all came at once and each has one unit; else an array. */
  chars = '';
  #ended = false;
  #half = ''; // the first half of a surrogate pair, where the last chunk ended in it

  /** Takes in a chunk; two halves of a pair that meet are one character (EXT-110). */
  add(chunk) {
    const text = this.#half + chunk;
    const end = isFirstHalf(text.at(-1)) ? text.length - 1 : text.length;
    this.#take(text.slice(0, end));
    this.#half = text.slice(end);
  }

  /** Nothing more comes. */
  end() {
    this.#take(this.#half);
    this.#ended = true;
  }

  #take(text) {
    if (text === '') return;
    if (this.chars === '' && !SURROGATE.test(text)) {
      this.chars = text;
      return;
    }
    if (typeof this.chars === 'string') this.chars = [...this.chars];
    for (const char of text) this.chars.push(char);
  }

  slice(start, end) {
    const chars = this.chars.slice(start, end);
    return typeof chars === 'string' ? chars : chars.join('');
  }

  /** Whether a piece of the text is longer in UTF-8. */
  isLonger(start, end, limit) {
    let bytes = 0;
    for (let i = start; i < end && bytes <= limit; i++) {
      bytes += byteLength(this.chars[i]);
    }
    return bytes > limit;
  }

  /** The character at a position, or undefined at the end of the text. */
  *at(position) {
    while (position >= this.chars.length && !this.#ended) yield;
    return this.chars[position];
  }

  /** The position of the first character from `from` on that a test refuses, or the end. */
  *skip(from, test) {
    for (let i = from; ; i++) {
      const char = this.chars[i] ?? (yield* this.at(i));
      if (char === undefined || !test(char)) return i;
    }
  }

  /** The position behind a run of one character. */
  *runEnd(from) {
    const char = yield* this.at(from);
    return yield* this.skip(from, (other) => other === char);
  }

  /** Which of some words stands at a position, or null; no word is the begin of another. */
  *wordAt(from, words, fold = (char) => char) {
    let left = words;
    for (let i = 0; left.length > 0; i++) {
      const char = yield* this.at(from + i);
      left = left.filter((word) => word[i] === fold(char));
      const whole = left.find((word) => word.length === i + 1);
      if (whole !== undefined) return whole;
    }
    return null;
  }

  /** Whether the text ends inside a word that begins at a position, or there. */
  *endsInside(from, word, fold = (char) => char) {
    for (let i = 0; i < word.length; i++) {
      const char = yield* this.at(from + i);
      if (char === undefined) return true;
      if (fold(char) !== word[i]) return false;
    }
    return false;
  }
}

function isFirstHalf(unit) {
  return unit >= '\ud800' && unit <= '\udbff';
}
