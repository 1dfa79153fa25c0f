// Quotations: where an opener stands and begins no block (EXT-200, EXT-201; extraction: quotation,
// marked text).

import {isJsonSpace} from '../shared/characters.mjs';
import {Payload, SyntaxStop, isOpening} from './payload_scanner.mjs';
import {Source} from './source.mjs';

const PARTNERS = new Map([...'"\'“‘«「'].map((mark, i) => [mark, '"\'”’»」'[i]]));
const INNER_BLANKS = [' ', '\u00a0', '\u202f']; // one can stand on the inner side of « and »

/** The partner of the opening mark directly before a position, or undefined. */
export function partnerBehind({chars}, at) {
  const isInside = INNER_BLANKS.includes(chars[at - 1]) && chars[at - 2] === '«';
  return PARTNERS.get(chars[isInside ? at - 2 : at - 1]);
}

/** Whether a partner stands at a position. */
export function* isPartner(source, at, partner) {
  const char = yield* source.at(at);
  if (partner !== '»' || !INNER_BLANKS.includes(char)) return char === partner;
  return (yield* source.at(at + 1)) === partner;
}

/** The strings of the JSON with which a text begins. */
export class Strings {
  #source; // of the text
  #from = 0; // what stands before this position was read
  #read = new Source(); // what was read of the JSON
  #payload = new Payload(this.#read);
  #reading = null;
  isOver = false; // whether no string is known any more

  constructor(source) {
    this.#source = source;
  }

  /** Whether a position in prose stands in one of them. */
  holds(position) {
    return this.goesOn(position) && this.#payload.inString;
  }

  /** Something is taken out of the text at a position. */
  interrupt(position) {
    this.#readTo(position);
    this.isOver ||= this.#reading !== null;
  }

  /** What stands between two positions is taken out; the JSON can begin behind it. */
  skip(start, end) {
    this.#readTo(start);
    this.#from = end;
  }

  /** Whether the JSON goes on at a position in prose. */
  goesOn(position) {
    this.#readTo(position);
    return !this.isOver && this.#reading !== null;
  }

  #readTo(end) {
    if (this.isOver) return;
    const {chars} = this.#source;
    if (this.#reading === null) {
      while (this.#from < end && isJsonSpace(chars[this.#from])) this.#from++;
      if (this.#from >= end) return;
      this.isOver = !isOpening(chars[this.#from]);
      if (this.isOver) return;
      this.#reading = this.#payload.readValues(null, 0, true);
    }
    this.#read.add(this.#source.slice(this.#from, end));
    this.#from = end;
    try {
      this.isOver = this.#reading.next().done;
    } catch (error) {
      if (!(error instanceof SyntaxStop)) throw error;
      this.isOver = true;
    }
  }
}
