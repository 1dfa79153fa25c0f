// Prose and its code: finds the next marker that counts, and notes all code.

import {isBlank} from '../shared/characters.mjs';
import {Line} from './line.mjs';
import {stopsAt} from './source.mjs';

/** What ends the reading of prose, beside a marker outside code and the end of the text. */
export const TEXT = {blankLine: false, foreign: false};
export const BEHIND_PAYLOAD = {blankLine: true, foreign: false};
export const UNDECIDED = {blankLine: true, foreign: true};

export class Prose {
  at = 0; // what stands before has been passed
  line = new Line(0);
  code = null; // the fence, inline code or indented line that is open
  openerEnd = 0; // the end of the last opener that code hides

  constructor(source, markers, output, openFences) {
    this.source = source;
    this.markers = markers;
    this.output = output;
    this.openFences = openFences;
    this.stops = stopsAt(['\n', '`', '~', ...markers.firsts]);
  }

  /** Notes the code that the text ends in. */
  finish() {
    this.#skipTo(this.source.chars.length);
    if (this.code !== null) this.#endCode(this.line.closing ?? this.at);
  }

  /**
   * Reads to the first event: `{kind, at, marker}` of kind marker, foreign, blank or end.
   * What stands before `hold` is text, and shown at once.
   */
  *read(from, watch, hold = Infinity) {
    this.#skipTo(from);
    this.output.hold(hold);
    for (;;) {
      if (this.line.isSettled) this.at = this.source.find(this.at, this.stops);
      const char = this.source.chars[this.at] ?? (yield* this.source.at(this.at));
      if (char === undefined) return {kind: 'end', at: this.at};
      if (char === '\n') {
        const {visible} = this.line;
        this.#endLine();
        this.#pass();
        if (!visible && watch.blankLine) return {kind: 'blank', at: this.at};
      } else if (isBlank(char)) {
        this.#pass();
      } else {
        if (this.#isIndented()) {
          this.line.indented = true;
          this.code = {kind: 'indented'};
        }
        if (char === '`' || char === '~') yield* this.#readRun(char);
        else if (!this.markers.mayBegin(char)) this.#pass();
        else {
          const event = yield* this.#readMarker(watch, hold);
          if (event !== null) return event;
        }
      }
    }
  }

  /** Whether the visible character at a position, behind white space, begins an indented line. */
  isIndentedAt(position) {
    this.#skipTo(position);
    return this.#isIndented();
  }

  #isIndented() {
    const {line} = this;
    return this.code === null && !line.visible && line.mayBeIndented && line.indent >= 4;
  }

  /** What can begin a marker: an event, or where it is none or code hides it null (EXT-030). */
  *#readMarker(watch, hold) {
    const {at, code} = this;
    const isHidden = code !== null && code.openFrom === undefined;
    this.output.hold(Math.min(hold, at));
    const marker = yield* this.markers.at(at);
    if (marker !== null && !isHidden) return {kind: 'marker', at, marker};
    if (!isHidden && watch.foreign && (yield* this.markers.isForeignAt(at))) {
      return {kind: 'foreign', at};
    }
    if (marker !== null) code.holdsMarker = true;
    if (marker?.kind === 'open') this.openerEnd = Math.max(this.openerEnd, marker.end);
    this.output.hold(hold);
    this.#pass();
    return null;
  }

  /** A run of backticks or tildes, and what it begins or ends: in an opener nothing. */
  *#readRun(char) {
    const {at: start, line} = this;
    const first = line.prefix === 'open';
    const end = yield* this.source.runEnd(start);
    const length = end - start;
    this.#skipTo(end);
    if (char === '`' && this.code?.unsure) {
      this.code = {...this.code.otherwise, holdsMarker: this.code.holdsMarker};
    }
    if (start < this.openerEnd) return;
    const {code} = this;
    if (code?.kind === 'fence') {
      if (first && char === code.char && length >= code.length) line.closing = end;
    } else if (code?.kind === 'inline') {
      if (char === '`' && length === code.length) this.#endCode(end);
    } else if (first && length >= 3) {
      this.code = this.#newFence(char, start, length);
    } else if (char === '`' && code === null) {
      this.code = {kind: 'inline', start, length};
    }
  }

  /** A fence; one of backticks is unsure to the end of its line, and may be other code. */
  #newFence(char, start, length) {
    const otherwise = this.code ?? {kind: 'inline', start, length};
    const unsure = char === '`';
    return {kind: 'fence', char, start, length, unsure, otherwise};
  }

  /** What a line feed means for the code that is open. */
  #endLine() {
    const {at, line, code} = this;
    if (code?.kind === 'indented') {
      this.#endCode(at);
    } else if (code?.kind === 'inline') {
      if (!line.visible) this.#endCode(line.start - 1);
    } else if (code?.kind === 'fence') {
      code.unsure = false;
      if (line.closing !== null) this.#endCode(line.closing);
      else if (this.openFences) code.openFrom ??= at + 1; // behind it markers count (EXT-030)
    }
  }

  /** Ends the code, and notes it where it is a segment (EXT-030; extraction: segment). */
  #endCode(end) {
    const {kind, start, holdsMarker} = this.code;
    this.code = null;
    if (!holdsMarker || kind === 'indented' || (kind === 'fence' && this.openFences)) return;
    this.output.pieces.push({kind: 'code', start, end});
  }

  #pass() {
    const char = this.source.chars[this.at];
    this.at++;
    if (char === '\n') this.line = new Line(this.at, this.line);
    else this.line.pass(char);
  }

  /** Passes what is not read as prose; of all its lines the last two count. */
  #skipTo(end) {
    if (end <= this.at) return;
    const start = this.at;
    const text = this.source.slice(start, end);
    const last = text.lastIndexOf('\n');
    const before = last > 0 ? text.lastIndexOf('\n', last - 1) : -1;
    if (before >= 0) {
      this.at = start + before + 1;
      this.line = new Line(this.at);
    }
    while (this.at < end) {
      if (this.line.isSettled) this.at = start + feedIn(text, this.at - start);
      if (this.at < end) this.#pass();
    }
  }
}

/** The position of the next line feed of a text, or its end. */
function feedIn(text, from) {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at;
}
