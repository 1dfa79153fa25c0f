// The arguments of a call while they arrive, and the common beginning of two texts that do.

import {isJsonSpace} from '../shared/characters.mjs';
import {MAX_DEPTH, isObject, nestingDepth, parseJsonText} from '../shared/json_text.mjs';

/** Arguments in pieces. Each character is looked at once, however often it is asked. */
export class Growing {
  text = '';
  isGiven = false;
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  #state = 'before'; // the object, 'in' or 'behind' it; 'object' or 'other' once that is known

  add(piece) {
    this.isGiven = true;
    this.text += piece;
    for (let i = 0; i < piece.length && this.#state !== 'other'; i++) this.#look(piece[i]);
  }

  /** Engines compare the lengths first, so a text is not put together for each piece. */
  equals(piece) {
    return this.text.length === piece.length && this.text === piece;
  }

  /** Whether this is the text of an object (turn: whole arguments). */
  isObject() {
    if (this.#state === 'behind') this.#state = holdsObject(this.text) ? 'object' : 'other';
    return this.#state === 'object';
  }

  #look(char) {
    if (this.#state === 'in') this.#lookInside(char);
    else if (!isJsonSpace(char)) {
      this.#state = this.#state === 'before' && char === '{' ? 'in' : 'other';
      this.#depth = 1;
    }
  }

  #lookInside(char) {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (char === '\\') this.#isEscaped = true;
    else if (char === '"') this.#inString = !this.#inString;
    else if (!this.#inString) this.#lookOutside(char);
  }

  #lookOutside(char) {
    if (char === '{' || char === '[') this.#depth++;
    if (char !== '}' && char !== ']') return;
    this.#depth--;
    if (this.#depth === 0) this.#state = 'behind';
  }
}

function holdsObject(text) {
  return nestingDepth(text) <= MAX_DEPTH && isObject(parseJsonText(text)?.value);
}

/** The common beginning of two texts; no character is compared twice. */
export class Common {
  #sides = [[], []]; // pieces behind what was taken
  #first = [0, 0]; // which of them is next, and how much of it was taken
  #at = [0, 0];
  #isParted = false;

  add(side, text) {
    if (text !== '') this.#sides[side].push(text);
  }

  /** What both have behind what was taken. */
  take() {
    let taken = '';
    while (!this.#isParted) {
      const [a, b] = [0, 1].map((side) => this.#sides[side][this.#first[side]]);
      if (a === undefined || b === undefined) break;
      const length = Math.min(a.length - this.#at[0], b.length - this.#at[1]);
      const alike = this.#alike(a, b, length);
      taken += a.slice(this.#at[0], this.#at[0] + alike);
      this.#isParted = alike < length;
      this.#advance(alike);
    }
    return taken;
  }

  #alike(a, b, length) {
    let alike = 0;
    while (alike < length && a[this.#at[0] + alike] === b[this.#at[1] + alike]) alike++;
    // Half a pair is no character.
    const isHalf = alike < length && /[\ud800-\udbff]$/.test(a[this.#at[0] + alike - 1] ?? '') &&
      /^[\udc00-\udfff]/.test(a[this.#at[0] + alike]);
    return isHalf ? alike - 1 : alike;
  }

  #advance(length) {
    for (const side of [0, 1]) {
      this.#at[side] += length;
      if (this.#at[side] < this.#sides[side][this.#first[side]].length) continue;
      this.#sides[side][this.#first[side]] = '';
      this.#first[side]++;
      this.#at[side] = 0;
    }
  }

  /** What one side has behind what was taken. */
  rest(side) {
    const [piece = '', ...others] = this.#sides[side].slice(this.#first[side]);
    return piece.slice(this.#at[side]) + others.join('');
  }
}
