// Prose and its code: finds the next marker that counts, and notes all code.

import {isBlank} from '../shared/characters.mjs';
import {Code} from './code.mjs';

/** What ends the reading of prose, beside a marker outside code and the end of the text. */
export const TEXT = {blankLine: false, foreign: false};
export const BEHIND_PAYLOAD = {blankLine: true, foreign: false};
export const UNDECIDED = {blankLine: true, foreign: true};

export class Prose {
  at = 0; // what stands before has been passed

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
    this.code.finish(end);
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
    this.code.skip(this.at, position, isWhole);
    this.at = position;
  }

  /** Whether a marker that stands behind text stands in code. */
  hidesAt(position) {
    this.pass(position);
    this.code.meet(position);
    return this.code.hides;
  }

  /** What can begin a marker: an event, or where it is none or code hides it null (EXT-030). */
  *#readMarker(watch, hold, isOwn) {
    const {at} = this;
    this.output.hold(Math.min(hold, at));
    const marker = yield* this.markers.at(at);
    if (marker !== null && !(this.hidesAt(at) && (this.code.hidesCloser || !isOwn(marker)))) {
      return {kind: 'marker', at, marker};
    }
    if (marker === null && watch.foreign && (yield* this.markers.isForeignAt(at)) && !this.hidesAt(at)) {
      return {kind: 'foreign', at};
    }
    this.output.hold(hold);
    if (marker === null) {
      this.at++;
      return null;
    }
    this.code.noteMarker();
    if (marker.kind === 'open') this.code.passOpener(marker.end);
    this.at = marker.end;
    return null;
  }
}
