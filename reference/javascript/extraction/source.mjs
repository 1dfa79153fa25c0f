// The text as it arrives. Whatever reads it is a generator function, which yields where it needs
// more of the text and goes on where it stopped. A position counts UTF-16 units.

import {byteLength, isFirstHalf, isSecondHalf} from '../shared/utf8.mjs';

export class Source {
  /** The units: a text, where all came at once; else an array, which grows without being copied. */
  chars = '';
  skimmed = 0; // before this position nothing more is looked for at once (strict_value.mjs)
  isWhole = false; // whether all of it came at once
  #ended = false;
  #half = ''; // the first half of a surrogate pair, where the last chunk ended in it

  /** Takes in a chunk; two halves of a pair that meet are one character (EXT-110). */
  add(chunk) {
    const text = this.#half + chunk;
    const end = isFirstHalf(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length;
    this.#take(text.slice(0, end));
    this.#half = text.slice(end);
  }

  /** Takes in all of the text. */
  addWhole(text) {
    this.chars = text;
    this.isWhole = true;
    this.#ended = true;
  }

  /** Whether nothing more comes. */
  get isOver() {
    return this.#ended;
  }

  /** Nothing more comes. */
  end() {
    this.#take(this.#half);
    this.#ended = true;
  }

  #take(text) {
    if (this.chars === '') {
      this.chars = text;
    } else if (text !== '') {
      if (typeof this.chars === 'string') this.chars = this.chars.split('');
      for (let i = 0; i < text.length; i++) this.chars.push(text[i]);
    }
  }

  slice(start, end) {
    const chars = this.chars.slice(start, end);
    return typeof chars === 'string' ? chars : chars.join('');
  }

  /** Whether a piece of the text is longer in UTF-8. */
  isLonger(start, end, limit) {
    return end - start > limit || byteLength(this.slice(start, end)) > limit;
  }

  /** The unit at a position, or undefined at the end of the text. */
  *at(position) {
    while (position >= this.chars.length && !this.#ended) yield;
    return this.chars[position];
  }

  /** The character at a position, of two units perhaps, or undefined at the end of the text. */
  *characterAt(position) {
    return this.#wholeAt(position, this.chars[position] ?? (yield* this.at(position)));
  }

  #wholeAt(position, unit) {
    if (!isFirstHalf(unit?.charCodeAt(0))) return unit;
    const next = this.chars[position + 1]; // it came with the first half, or never comes
    return isSecondHalf(next?.charCodeAt(0)) ? unit + next : unit;
  }

  /** The position of the first character from `from` on that a test refuses, or the end. */
  *skip(from, test) {
    for (let i = from; ;) {
      const char = this.#wholeAt(i, this.chars[i] ?? (yield* this.at(i)));
      if (char === undefined || !test(char)) return i;
      i += char.length;
    }
  }

  /** The position of the first of some stops from `from` on, or the end. */
  *until(from, stops) {
    let i = this.find(from, stops);
    while (this.chars[i] === undefined && (yield* this.at(i)) !== undefined) i = this.find(i, stops);
    return i;
  }

  /** The position of the first of some stops in what has come, from `from` on, or its end. */
  find(from, {units, pattern}) {
    const {chars} = this;
    if (typeof chars === 'string') {
      pattern.lastIndex = from;
      return pattern.test(chars) ? pattern.lastIndex - 1 : chars.length;
    }
    let i = from;
    while (i < chars.length && !units.has(chars[i])) i++;
    return i;
  }

  /** The position behind a run of one character. */
  *runEnd(from) {
    const char = yield* this.at(from);
    let end = from + 1;
    while ((this.chars[end] ?? (yield* this.at(end))) === char) end++;
    return end;
  }

  /** Which of some words stands at a position, or null; no word is the begin of another. */
  *wordAt(from, words, fold = (char) => char) {
    const first = this.chars[from];
    let left = first === undefined ? words : words.filter((word) => word[0] === fold(first));
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

/** Some units as stops of `until`. */
export function stopsAt(units) {
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return {
    units: new Set(units),
    pattern: new RegExp(`[${[...units].map(escaped).join('')}]`, 'g'),
  };
}
