// Prose, its code and its quotations: finds the next marker that counts, and notes all code.

import {isBlank} from '../shared/characters.mjs';
import {Code} from './code.mjs';
import {Comments, Lines} from './quotations.mjs';

/** What ends the reading of prose, beside a marker outside code and the end of the text. */
export const TEXT = {blankLine: false, foreign: false};
export const BEHIND_PAYLOAD = {blankLine: true, foreign: false};
export const UNDECIDED = {blankLine: true, foreign: true};
export const NAMED = {blankLine: true, foreign: false};

export class Prose {
  at = 0; // what stands before has been passed
  lines = new Lines(); // these two get what the code gets
  comments = new Comments();

  constructor(source, markers, output, openFences) {
    this.source = source;
    this.markers = markers;
    this.output = output;
    this.code = new Code(source, openFences, (start, end) => output.pieces.push({kind: 'code', start, end}));
    this.stops = markers.stops;
  }

  /** Notes the code that the text ends in. */
  finish() {
    const end = this.source.chars.length;
    this.skipTo(end);
    this.#readTo(end);
    this.code.finish(end);
  }

  /** Whether the opener that was met last stands in a quoted line or a comment (EXT-200). */
  get quotes() {
    return this.lines.isQuoted || this.comments.isOpen;
  }

  /**
   * Reads to the first event: `{kind, at, marker}` of kind marker, foreign, blank or end.
   * What stands before `hold` is text, and shown at once. `isOwn` tells which closers end a block.
   */
  *read(from, watch, hold = Infinity, isOwn = () => false) {
    const {source, markers} = this;
    this.skipTo(from);
    this.output.hold(hold);
    for (let lineStart = null; ;) {
      this.at = source.find(this.at, this.stops);
      const char = source.chars[this.at] ?? (yield* source.at(this.at));
      if (char === undefined) return {kind: 'end', at: this.at};
      if (char === '\n') {
        const isBlankLine = watch.blankLine && lineStart !== null &&
          [...source.slice(lineStart, this.at)].every(isBlank);
        this.at++;
        if (isBlankLine) return {kind: 'blank', at: this.at};
        lineStart = this.at;
      } else if (markers.mayBegin(char)) {
        const event = yield* this.#readMarker(watch, hold, isOwn);
        if (event !== null) return event;
      }
    }
  }

  /** Goes to a position behind text. */
  pass(to) {
    this.at = Math.max(this.at, to);
  }

  /** Goes behind what is no prose; an opener, a block or reasoning is a whole. */
  skipTo(position, isWhole = true) {
    if (position <= this.at) return;
    this.#readTo(this.at);
    this.code.skip(this.at, position, isWhole);
    this.lines.skip();
    this.comments.skip();
    this.at = position;
  }

  /** Goes behind a marker that is text. */
  leave({kind, start, end}) {
    const text = this.source.slice(start, end);
    this.#readCode(text, kind === 'open');
    this.lines.skip(text);
    this.at = end;
  }

  /** What was read up to a position is of a block behind whose opener this was the code. */
  endPending(code, at) {
    this.code.restore(code, at);
    this.lines.isQuoted = false;
    this.comments.end();
  }

  /** Whether a marker that stands behind text stands in code. */
  hidesAt(position) {
    this.pass(position);
    this.#readTo(position);
    this.code.meet(position);
    return this.code.hides;
  }

  /** The same for a marker, where the rest of its block may have to say so (D12). */
  *#standsInCode(at) {
    const isHidden = this.hidesAt(at);
    if (!isHidden || !this.code.mayBeText) return isHidden;
    this.code.settle(yield* this.code.endsAhead(at));
    return this.code.hides;
  }

  /** Reads text that is of no marker. */
  #readTo(end) {
    if (end <= this.code.offset) return;
    const text = this.source.slice(this.code.offset, end);
    this.#readCode(text, false);
    this.lines.read(text);
  }

  /** Gives the next text to the code, but for the runs of backticks in an opener; notes its comments. */
  #readCode(text, isOpener) {
    const {code, comments} = this;
    const start = code.offset;
    for (let at = 0; at < text.length;) {
      const sign = comments.sign(text, at);
      at = sign ?? text.length;
      if (isOpener) code.passRuns(start + at);
      else code.readTo(start + at);
      if (sign === null) return;
      code.meet(start + at);
      if (!comments.isOpen) code.noteComment();
      comments.isOpen = !comments.isOpen && !code.hides;
    }
  }

  /** What can begin a marker: an event, or where it is none or code hides it null (EXT-030). */
  *#readMarker(watch, hold, isOwn) {
    const {at} = this;
    this.output.hold(Math.min(hold, at));
    const marker = (yield* this.markers.at(at)) ?? (watch === BEHIND_PAYLOAD ? null : yield* this.markers.strayOfProseAt(at));
    if (marker !== null && !((yield* this.#standsInCode(at)) && (this.code.hidesCloser || !isOwn(marker)))) {
      return {kind: 'marker', at, marker};
    }
    if (marker === null && watch.foreign && (yield* this.markers.isForeignAt(at)) && !(yield* this.#standsInCode(at))) {
      return {kind: 'foreign', at};
    }
    const lone = marker === null && watch === TEXT ? yield* this.markers.closerThatEndsLine(at) : null;
    if (lone !== null && !(yield* this.#standsInCode(at))) return {kind: 'marker', at, marker: lone};
    this.output.hold(hold);
    if (marker === null) {
      this.at++;
      return null;
    }
    this.code.noteMarker();
    this.leave(marker);
    return null;
  }
}
