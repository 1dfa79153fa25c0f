// Blocks in reasoning: drafts, or the calls that it ends with (extraction: last calls).

import {isJsonSpace} from '../shared/characters.mjs';
import {Output} from './output.mjs';
import {Source} from './source.mjs';

/** Reads reasoning a second time, for the blocks in it. */
export class Drafts {
  others = 0; // blocks that meant a call, and are none of the last calls
  last = []; // the pieces behind which only white space came: blocks with a call, and tags
  end = null; // behind the last piece that was seen
  #seen = 0; // how many pieces were
  #reading;

  /** `from` is where the reasoning begins in its source; `read` reads a source into an output, with pairs of no `taken` tag. */
  constructor(from, taken, read) {
    this.from = from;
    this.source = new Source();
    this.output = new Output(this.source, taken);
    this.#reading = read(this.source, this.output);
    this.fed = from;
  }

  /** Takes in the reasoning up to a position; returns up to where it can be shown. */
  feed(source, to) {
    if (to > this.fed) this.source.add(source.slice(this.fed, to));
    this.fed = Math.max(this.fed, to);
    this.#reading.next();
    return this.#shown();
  }

  /** The reasoning has ended: returns up to where it is reasoning if it ends with calls, else null. */
  finish() {
    this.source.end();
    this.#reading.next();
    this.output.finish();
    const to = this.#shown();
    return this.last.some(({calls}) => calls > 0) ? to : null;
  }

  #shown() {
    this.output.takeEvents();
    const {pieces, done} = this.output;
    for (; this.#seen < pieces.length && pieces[this.#seen].end <= done; this.#seen++) {
      this.#note(pieces[this.#seen]);
    }
    this.#passText(done);
    return this.from + (this.last[0]?.start ?? done);
  }

  #note(piece) {
    if (piece.kind === 'code') return;
    this.#passText(piece.start);
    this.end = piece.end;
    if (piece.kind !== 'rejected') {
      if (piece.kind === 'call' || this.last.length > 0) this.last.push(piece);
    } else {
      this.#pass();
      this.others += piece.losses.length > 0;
    }
  }

  /** Text up to a position, behind what was seen last. */
  #passText(to) {
    if (this.end === null || to <= this.end) return;
    if (![...this.source.slice(this.end, to)].every(isJsonSpace)) this.#pass();
    this.end = to;
  }

  #pass() {
    this.others += this.last.filter(({calls}) => calls > 0).length;
    this.last = [];
  }

  /** Says that the last calls are drafts, too; returns how many blocks meant a call. */
  leave() {
    this.#pass();
    return this.others;
  }

  /** The last pieces in the whole text, and their calls. */
  pieces() {
    const {from, output} = this;
    let place = output.calls.length - this.last.reduce((sum, {calls = 0}) => sum + calls, 0);
    return this.last.map((piece) => {
      const calls = output.calls.slice(place, place += piece.calls ?? 0);
      return {piece: {...piece, start: from + piece.start, end: from + piece.end}, calls};
    });
  }
}
