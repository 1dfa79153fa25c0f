// Prose and its code: finds the next marker that counts, and notes all code.

import {isBlank} from '../shared/characters.mjs';
import {Line, SETTLED} from './line.mjs';
import {partnerBehind} from './quotations.mjs';

const LINE_FEED = 0x0a;

/** What ends the reading of prose, beside a marker outside code and the end of the text. */
export const TEXT = {blankLine: false, foreign: false};
export const BEHIND_PAYLOAD = {blankLine: true, foreign: false};
export const UNDECIDED = {blankLine: true, foreign: true};

export class Prose {
  at = 0; // what stands before has been passed
  line = new Line(0);
  code = null; // the fence, inline code or indented line that is open
  comment = null; // where the comment begins that is open
  openerEnd = 0; // the end of the last opener that code hides
  markerEnd = 0; // the end of the last marker that was met
  nextTick = -1; // where the fast path has found one
  nextTildes = -1;
  nextComment = -1;

  constructor(source, markers, output, openFences) {
    this.source = source;
    this.markers = markers;
    this.output = output;
    this.openFences = openFences;
    this.stops = markers.stops;
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
      if (this.line.isSettled && this.comment === null) this.at = this.source.find(this.at, this.stops);
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
        else if (!this.markers.mayBegin(char)) {
          if (char === '>' && this.#endsComment()) this.comment = null;
          this.#pass();
        } else {
          const event = yield* this.#readMarker(char, watch, hold);
          if (event !== null) return event;
        }
      }
    }
  }

  /** Whether an opener that is met here stands in a quoted line or a comment (EXT-200). */
  get quotes() {
    return this.line.isQuoted || this.comment !== null;
  }

  /** Whether the `>` here ends a comment, whose begin can share its dashes with it. */
  #endsComment() {
    const {at, comment, source: {chars}} = this;
    if (comment === null || at - 2 < comment + 2) return false;
    return chars[at - 1] === '-' && chars[at - 2] === '-';
  }

  /**
   * Whether it is plain that no code is open at a position of a whole text, where the next that can
   * be a marker stands, and that this begins in no quotation. Code that ends before it is no segment,
   * since it holds no marker.
   */
  isPlainTo(to) {
    const {at, line} = this;
    if (this.code !== null || this.comment !== null || this.openerEnd > at || !this.#isEvenTo(to)) return false;
    const {chars} = this.source;
    if (partnerBehind(this.source, to) !== undefined) return false;
    const lineStart = this.#lineStart(to);
    if (lineStart > at) return isPlainBegin(chars[lineStart]);
    if (line.visible) return line.prefix === 'closed' && !line.isQuoted;
    return line.indent === 0 && isPlainBegin(chars[at]);
  }

  /** Goes to a position to which the text is plain. */
  passPlain(to) {
    const lineStart = this.#lineStart(to);
    if (lineStart > this.at) {
      this.at = lineStart;
      this.line = new Line(lineStart);
    }
    this.#skipTo(to);
  }

  /** Where the line of a position begins, or where this is if that is in the same line. */
  #lineStart(position) {
    const {chars} = this.source;
    let start = position;
    while (start > this.at && chars.charCodeAt(start - 1) !== LINE_FEED) start--;
    return start;
  }

  /** Whether no fence begins before a position, and each inline code ends in its own line. */
  #isEvenTo(to) {
    const {chars} = this.source;
    if (this.nextTildes < this.at) this.nextTildes = indexIn(chars, '~~~', this.at);
    if (this.nextTick < this.at) this.nextTick = indexIn(chars, '`', this.at);
    if (this.nextComment < this.at) this.nextComment = indexIn(chars, '<!--', this.at);
    if (this.nextTildes < to || this.nextComment < to) return false;
    for (let i = this.nextTick; i < to;) {
      const end = this.#inlineEnd(i, to);
      if (end === null) return false;
      i = indexIn(chars, '`', end);
    }
    return true;
  }

  /** Where inline code ends that begins with a run at a position, in its line; null elsewhere. */
  #inlineEnd(start, to) {
    const {chars} = this.source;
    const run = ticksEnd(chars, start) - start;
    const lineEnd = Math.min(indexIn(chars, '\n', start), to);
    if (run > 2) return null; // a fence, perhaps
    for (let i = indexIn(chars, '`', start + run); i < lineEnd;) {
      const end = ticksEnd(chars, i);
      if (end - i === run) return end;
      i = indexIn(chars, '`', end);
    }
    return null;
  }

  /** Goes behind the closer of a block to which the text is plain. */
  passBlock(end) {
    this.at = end;
    this.line = SETTLED;
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
  *#readMarker(char, watch, hold) {
    const {at, code} = this;
    const isHidden = code !== null && code.openFrom === undefined;
    this.output.hold(Math.min(hold, at));
    const marker = yield* this.markers.at(at);
    this.markerEnd = Math.max(this.markerEnd, marker?.end ?? 0);
    if (marker !== null && !isHidden) return {kind: 'marker', at, marker};
    if (!isHidden && watch.foreign && (yield* this.markers.isForeignAt(at))) {
      return {kind: 'foreign', at};
    }
    if (marker !== null) code.holdsMarker = true;
    if (marker?.kind === 'open') this.openerEnd = Math.max(this.openerEnd, marker.end);
    this.output.hold(hold);
    if (char === '<' && !isHidden && this.comment === null &&
        (yield* this.source.wordAt(at, ['<!--'])) !== null) this.comment = at;
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
    if (this.comment !== null) return;
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

  #pass(isOfMarker = false) {
    const char = this.source.chars[this.at];
    this.at++;
    if (char === '\n') this.line = new Line(this.at, this.line);
    else this.line.pass(char, isOfMarker || this.at <= this.markerEnd);
  }

  /** What was read belongs to a block behind whose opener this code was open. */
  endPending(code) {
    this.code = code;
    this.comment = null;
    this.line.isQuoted &&= false;
  }

  /** Goes behind an opener that is text. */
  leave({start, end}) {
    this.#skipTo(end);
    if (this.line.start > start) this.line.isQuoted = false;
  }

  /** Goes to a position where a whole text is read on. */
  skipTo(position) {
    this.#skipTo(position);
  }

  /** Passes what is not read as prose; of all its lines the last two count. */
  #skipTo(end) {
    if (end <= this.at) return;
    const start = this.at;
    const {isQuoted} = this.line; // what is passed ends no quoted line and begins none
    const text = this.source.slice(start, end);
    const last = text.lastIndexOf('\n');
    const before = last > 0 ? text.lastIndexOf('\n', last - 1) : -1;
    if (before >= 0) {
      this.at = start + before + 1;
      this.line = new Line(this.at);
    }
    while (this.at < end) {
      if (this.line.isSettled) this.at = start + indexIn(text, '\n', this.at - start);
      if (this.at < end) this.#pass(true);
    }
    if (this.line.isQuoted !== isQuoted) this.line.isQuoted = isQuoted;
  }
}

/** Whether a line that begins so is neither indented nor quoted. */
function isPlainBegin(char) {
  return !isBlank(char) && !'>-*+0123456789'.includes(char);
}

/** The next position of some characters in a text, or its end. */
function indexIn(text, part, from) {
  const at = text.indexOf(part, from);
  return at < 0 ? text.length : at;
}

/** The position behind a run of backticks. */
function ticksEnd(text, from) {
  let end = from;
  while (text[end] === '`') end++;
  return end;
}
