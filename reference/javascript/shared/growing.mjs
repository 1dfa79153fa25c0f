// The arguments of a call while they arrive.

import {isBlankText, isJsonSpace} from './characters.mjs';
import {MAX_DEPTH, isObject, nestingDepth, parseJsonText} from './json_text.mjs';

/** Arguments in pieces. Each character is looked at once, however often it is asked. */
export class Growing {
  text = '';
  isGiven = false;
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  #state = 'before'; // the object, 'in' or 'behind' it; 'object' or 'other' once that is known

  append(piece) {
    this.isGiven = true;
    this.text += piece;
    for (let i = 0; i < piece.length && this.#state !== 'other'; i++) this.#look(piece[i]);
  }

  /** Adds a piece, unless it repeats whole arguments (turn: pieces of arguments). */
  add(piece) {
    if (!this.equals(piece) || !this.isObject()) this.append(piece);
  }

  /** Whether a piece that comes with a name can be of this call (turn: slot). */
  goesOnWith(piece) {
    return isBlankText(piece) || this.equals(piece) || !this.isObject();
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
