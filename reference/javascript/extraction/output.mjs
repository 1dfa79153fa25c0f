// What has been found so far, and what of it can be shown: the events of a stream, and the result.

import {visibleEnd, visibleStart} from '../shared/characters.mjs';
import {Pairs} from './pairs.mjs';

export class Output {
  pieces = []; // all that is more than text, in order
  calls = []; // whose ids are null until all are found
  texts = []; // what has been shown of the content
  reasonings = null; // what has been shown of the reasoning, or null where there is none
  events = []; // of the chunk that is being read, or null where nobody asks

  done = 0; // what stands before this position is shown or removed
  held = Infinity; // what stands behind this position is not shown yet
  inReasoning = false;
  blanks = ''; // blanks of the text that can still turn out to stand at an end
  seen = false; // whether the content has a visible character
  removed = false; // whether something was removed behind the last visible character
  unsure = null; // `{start, said, count}`: what was said since a position, where that may not hold, and the number of pieces before it

  muted = false; // in the text that is read no tag stands
  pairedCalls = []; // of the blocks in what can be a foreign pair

  constructor(source, taken) {
    this.source = source;
    this.pairs = new Pairs(source, taken);
  }

  /** Shows nothing from a position on, until it is known what stands there. */
  hold(at) {
    this.held = Math.min(at, this.unsure?.start ?? Infinity);
  }

  /** Shows nothing from a position on, and what is said there waits to be settled. */
  wait(start) {
    this.unsure = {start, said: [], count: this.pieces.length};
    this.hold(start);
  }

  /** Says whether what waited holds; where it does not, it is text. */
  settle(holds) {
    const {start, said} = this.unsure;
    this.unsure = null;
    if (!holds) this.dropPieces(start);
    for (const say of holds ? said : []) say();
    this.hold(Infinity);
  }

  /** What was found from a position on is none, as the tags of a pair before it never are. */
  dropPieces(start) {
    while (this.pieces.length > 0 && this.pieces.at(-1).start >= start) this.pieces.pop();
  }

  /** Takes a piece out of the text; what stands behind it can have been found before it. */
  remove(piece) {
    let place = this.pieces.length;
    while (place > 0 && this.pieces[place - 1].start > piece.start) place--;
    if (place === this.pieces.length) this.pieces.push(piece);
    else this.pieces.splice(place, 0, piece);
    this.#say(() => this.#take(piece));
  }

  /** A piece of which it is sure that it is one. */
  #take(piece) {
    this.#showTo(piece.start);
    if (this.pairs.takes(piece)) {
      if (this.pairs.isClosed) this.#closePair();
      return;
    }
    this.#dropPair(piece.start);
    this.#skipTo(piece.end);
  }

  #say(say) {
    if (this.unsure === null) say();
    else this.unsure.said.push(say);
  }

  /** Takes out a clean block (clean.mjs). */
  removeBlock(block) {
    this.pieces.push(block);
    this.#take(block);
    this.addCall(block.call);
  }

  /** A line feed that counts as text here (extraction: content). */
  addLine() {
    this.#say(() => {
      this.#dropPair(this.done);
      this.blanks += '\n';
    });
  }

  addCall(call) {
    this.#say(() => {
      if (this.pairs.pieces.length > 0) this.pairedCalls.push(call);
      else this.#giveCall(call);
    });
  }

  #giveCall(call) {
    this.events?.push({call: this.calls.length});
    this.calls.push(call);
  }

  /** Reasoning that begins behind its tag (EXT-020: texts joined by a line feed). */
  openReasoning(start, from) {
    this.#showTo(start);
    this.#dropPair(start);
    this.#skipTo(from);
    this.inReasoning = true;
    if (this.reasonings === null) this.reasonings = [];
    else this.#emit('reasoning', this.reasonings, '\n');
  }

  closeReasoning(piece, closerStart) {
    this.#showTo(closerStart);
    this.pieces.push(piece);
    this.#skipTo(piece.end);
    this.inReasoning = false;
  }

  /** The events since the last call, with all that can be shown (EXT-115). */
  takeEvents() {
    this.#showTo(Math.min(this.held, this.source.chars.length));
    const {events} = this;
    this.events = [];
    return events;
  }

  /** Shows no events, as nobody asks for them where a text comes at once. */
  beSilent() {
    this.events = null;
  }

  /** The last events: the blanks at the end stay if nothing was removed (extraction: content). */
  finish() {
    this.#showTo(this.source.chars.length);
    this.#dropPair(this.source.chars.length);
    if (!this.removed) this.#emit('text', this.texts, this.blanks);
    return this.takeEvents();
  }

  /** The content, or null when something was removed and nothing visible is left (EXT-086). */
  get content() {
    return this.removed && !this.seen ? null : this.#allTexts();
  }

  /** What has been shown; where nothing was removed, it is the text, which is whole already. */
  #allTexts() {
    const isAll = this.reasonings === null && this.pieces.every(({kind}) => kind === 'code');
    return isAll ? this.source.slice(0) : this.texts.join('');
  }

  get reasoning() {
    return this.reasonings?.join('') ?? null;
  }

  #skipTo(end) {
    this.done = end;
    this.removed = true;
    this.held = Infinity;
  }

  /** No tag stands in the text up to a position, whether it ends there or goes on. */
  mute(end, goesOn) {
    this.#dropPair(end);
    this.muted = goesOn;
  }

  /** Shows up to a position what is text, but for what can be the opening tag of a pair at its end, with what stands in it. */
  #showTo(end) {
    if (end <= this.done) return;
    const {pairs} = this;
    if (pairs.start !== null) {
      const found = pairs.read(end);
      if (found === 'waits') return;
      if (found === 'closed') this.#closePair();
      else this.#giveUp();
    }
    if (!this.inReasoning && !this.muted) pairs.begin(this.done, end);
    this.#show(pairs.start ?? end);
  }

  /** Whether what begins at a position can stand in a pair. */
  isInPair(at) {
    this.#showTo(Math.min(at, this.unsure?.start ?? at));
    const first = this.pieces[this.unsure?.count];
    return this.pairs.isOpen && (first === undefined || first.dialect !== undefined);
  }

  /** Says that there is no pair, and shows all up to a position. */
  #dropPair(end) {
    if (this.pairs.start !== null) this.#giveUp();
    this.#show(end);
  }

  /** What stands in it is said as it stands. */
  #giveUp() {
    const {pieces} = this.pairs;
    this.pairs.forget();
    this.#sayPieces(pieces);
  }

  #closePair() {
    const tags = this.pairs.tags();
    const at = this.pieces.lastIndexOf(this.pairs.pieces[0]);
    const all = [...this.pieces.splice(at), ...tags].sort((one, other) => one.start - other.start);
    for (const piece of all) this.pieces.push(piece);
    const pieces = [...this.pairs.pieces, ...tags].sort((one, other) => one.start - other.start);
    this.pairs.forget();
    this.#sayPieces(pieces);
  }

  #sayPieces(pieces) {
    const {held} = this; // of what is read by now
    for (const piece of pieces) {
      this.#show(piece.start);
      this.#skipTo(piece.end);
      const isCall = piece.kind === 'call' && piece.calls > 0;
      if (isCall) for (const call of this.pairedCalls.splice(0, piece.calls)) this.#giveCall(call);
    }
    this.held = held;
  }

  #show(end) {
    if (end <= this.done) return;
    const text = this.source.slice(this.done, end);
    this.done = end;
    if (this.inReasoning) this.#emit('reasoning', this.reasonings, text);
    else this.#showText(text);
  }

  /** Shows text up to its last visible character (EXT-086). */
  #showText(text) {
    const end = visibleEnd(text);
    if (end > 0) {
      const shown = this.blanks + text.slice(0, end);
      const isTrimmed = !this.seen && this.removed;
      this.#emit('text', this.texts, isTrimmed ? shown.slice(visibleStart(shown)) : shown);
      this.blanks = '';
      this.seen = true;
      this.removed = false;
    }
    this.blanks += text.slice(end);
  }

  /** Adds to the last event if that is of the same kind. */
  #emit(kind, all, text) {
    if (text === '') return;
    all.push(text);
    if (this.events === null) return;
    const last = this.events.at(-1);
    if (last !== undefined && Object.hasOwn(last, kind)) last[kind] += text;
    else this.events.push({[kind]: text});
  }
}
