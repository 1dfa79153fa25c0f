// Code in Markdown: where a marker is quoted, not meant (extraction: code). It reads the text when
// it is asked, and answers from what stands before.

import {NO_BLOCKS, beginLine, endsHtml, htmlTagLine, mayHoldRun} from './markdown.mjs';
import {stopsAt} from './source.mjs';

const LINE = /([^\r\n]*)(\r\n|\r|\n|$)/y;
const LABEL_END = /(?:[^[\]\\]|\\.|\\$)*(\]:|.)?/sy;
const LINE_ENDS = stopsAt(['\n']);
const PIECE_ENDS = stopsAt(['`', '\n']);
const MUCH = 1 << 12;
const ENOUGH = 1 << 10;
const LONGEST_STRAY = 2; // a longer run may be meant as a fence, and begins code whether or not a run ends it
const LETTER = 'x'; // what stands for a block or reasoning, which are no Markdown
const UNSURE = '<!-- ';

const NO_LINE = {line: null, text: '', hasText: false, isRest: false, endsHtml: false};

export class Code {
  offset = 0; // behind what was read
  blocks = NO_BLOCKS; // before the line
  lineStart = 0;
  line = {...NO_LINE}; // `line`: what it is, once something visible stands on it
  open = null; // the fence or inline code that is, by the run that opened it: '' where none ends it
  before = null; // what was open before a fence opened on the line
  text = ''; // of a paragraph or its like, as much as can be read as HTML or a link
  mayBeLabel = false; // that is the begin of a label of a definition
  isDefinition = false; // it begins as a definition does
  hasTextRun = false; // a run in it was found to begin no code

  /** Calls `note` with the start and the end of the code in which a marker was ignored. */
  constructor(source, openFences, note) {
    this.source = source;
    this.openFences = openFences; // markers in a fence count
    this.note = note;
  }

  /** Whether the marker that was met last stands in code (EXT-030). */
  get hides() {
    const {kind} = this.line.line;
    if (this.open === null) return kind === 'indented';
    return !this.open.isFence || kind === 'opening' || !this.openFences;
  }

  /** Whether that is inline code only if a run ends it, and nobody has asked for that. */
  get mayBeText() {
    const {open} = this;
    if (open === null || open.isFence || open.run === '' || open.run.length > LONGEST_STRAY) return false;
    return !open.holdsSign && !open.isClosed;
  }

  /** Whether a run ends the inline code in which a marker stands, by what follows in its block. */
  *endsAhead(at) {
    const {source} = this;
    const code = new Code(source, false, () => {});
    code.restore(this.state(), at);
    const {open} = code;
    while (open.run !== '' && (code.open === open || code.before === open)) {
      // Where it is not known what a line is, all of it says so.
      const stops = code.line.line === null ? LINE_ENDS : PIECE_ENDS;
      let end = yield* source.until(code.offset, stops);
      const stop = source.chars[end];
      if (stop === undefined) {
        code.finish(end);
        break;
      }
      end = stop === '`' ? yield* source.runEnd(end) : end + 1;
      code.readTo(end);
    }
    return open.isClosed || open.run === '';
  }

  /** Says whether a run ends the inline code; otherwise that which opened it is text. */
  settle(isClosed) {
    this.open.isClosed = isClosed;
    if (isClosed) return;
    this.open = null;
    this.hasTextRun = true;
  }

  /** Says that a comment may begin, in code or not. */
  noteComment() {
    if (this.open !== null) this.open.holdsSign = true;
  }

  /** Whether a marker in code is hidden: not where what ends a fence stands before it. */
  get hidesCloser() {
    return beginLine(this.blocks, this.line.text).kind !== 'closing';
  }

  /** What `restore` goes back to. */
  state() {
    const {blocks, lineStart, line, open, before, text, mayBeLabel, isDefinition, hasTextRun} = this;
    return {
      blocks, lineStart, line: {...line}, open: open && {...open}, before, text, mayBeLabel, isDefinition, hasTextRun,
    };
  }

  /** Forgets what began and ended since then up to a position, all of which is a block. */
  restore(state, at) {
    this.offset = at;
    Object.assign(this, state);
  }

  /** Reads to a marker. */
  meet(at) {
    this.readTo(at);
    if (this.line.line === null) this.#readHead(LETTER);
  }

  /** Says that the marker that was met last is ignored. */
  noteMarker() {
    if (this.open !== null) this.open.holdsMarker = true;
  }

  /** Reads text. */
  readTo(end) {
    if (end > this.offset) this.#read(this.source.slice(this.offset, end));
  }

  /** Moves over an opener that is ignored, or text of a comment: no run of backticks counts in it. */
  passRuns(end) {
    const text = this.source.slice(this.offset, end);
    if (text.includes('`')) this.#meetBacktick(this.line.text);
    this.#read(text.replaceAll('`', LETTER));
  }

  /**
   * Moves over an opener, a block or reasoning; what follows it as a whole is a line of its own
   * where only blanks stand before it.
   */
  skip(start, end, isWhole) {
    if (end <= this.offset) return;
    this.meet(start);
    this.offset = end;
    if (this.open === null) this.#keep(LETTER);
    if (this.line.hasText || !isWhole) {
      this.line.text += LETTER;
      this.line.hasText = true;
    } else {
      this.#endLine(end);
      this.line.isRest = true;
    }
  }

  /** Ends the text, and with it the code that is still open. */
  finish(end) {
    this.readTo(end);
    if (this.line.line !== null || this.line.hasText) this.#readLine();
    this.#endCode(end);
  }

  #read(text) {
    for (let at = 0; at < text.length;) {
      LINE.lastIndex = at;
      const [all, part, end] = LINE.exec(text);
      at += all.length;
      this.offset += part.length;
      if (part !== '') this.#readPart(part);
      if (end === '') continue;
      this.#readLine();
      this.offset += end.length;
      this.#endLine(this.offset);
    }
  }

  /** Reads more of the line. */
  #readPart(part) {
    const {line} = this;
    line.hasText ||= /[^ \t]/.test(part);
    const {text} = line;
    if (line.line === null || text.length < MUCH) line.text += part;
    if (line.line === null) return;
    if (part.includes('`')) this.#meetBacktick(text);
    if (isText(line.line)) this.#readInline(line.line, part, this.offset - part.length);
  }

  /** Reads what the line is, and what came of it. */
  #readHead(next) {
    const {text} = this.line;
    const line = beginLine(this.blocks, text + next);
    this.line.line = line;
    const start = this.lineStart + line.at;
    if (line.kind === 'opening') {
      this.before = this.open;
      this.open = {isFence: true, run: line.blocks.fence, start, holdsMarker: false};
    } else if (line.kind === 'doubtful') {
      this.open ??= {isFence: false, run: '', start, holdsMarker: false};
      this.open.run = '';
    } else if (!['text', 'fenced', 'closing'].includes(line.kind)) {
      this.#endCode(this.lineStart - 1);
    }
    if (line.kind === 'begin') {
      this.text = '';
      this.isDefinition = false;
      this.hasTextRun = false;
      this.mayBeLabel = (text + next)[line.at] === '[';
    }
    if (isText(line)) this.#readInline(line, text.slice(line.at), start);
    return line;
  }

  /** Reads a further backtick on a line: a run of backticks opened no fence there. */
  #meetBacktick(text) {
    const {open: fence, line} = this;
    if (line.line?.kind !== 'opening' || fence.run[0] !== '`') return;
    const behind = line.line.at + fence.run.length;
    this.open = this.before;
    this.before = null;
    const all = line.text;
    line.text = text.slice(0, behind);
    const head = this.#readHead('x`');
    line.text = all;
    this.#readInline(head, text.slice(behind), this.lineStart);
    if (this.open !== null) this.open.holdsMarker ||= fence.holdsMarker;
  }

  /** Reads text of a line in which inline code can begin and end. */
  #readInline(line, text, start) {
    const known = this.#readLabel(text);
    let behindCode = 0;
    for (let at = 0; ;) {
      const pattern = this.open === null ? /\\.|`+/g : /`+/g;
      pattern.lastIndex = at;
      const found = pattern.exec(text);
      if (found === null) break;
      const [run] = found;
      at = found.index + run.length;
      if (run[0] === '\\') continue;
      if (this.open === null) {
        const isSure = at <= known && !this.hasTextRun && !mayHoldRun(this.text + text.slice(behindCode, found.index));
        this.text = '';
        this.open =
          {isFence: false, run: isSure ? run : '', start: start + found.index, holdsMarker: false};
      } else if (at > known) {
        this.open.run = '';
      } else if (run === this.open.run) {
        this.open.isClosed = true;
        this.#endCode(start + at);
        behindCode = at;
      } else {
        this.open.holdsSign = true;
      }
    }
    if (this.open === null) this.#keep(text.slice(behindCode));
    if (line.blocks.leaf === 'html') {
      const tail = text === '' ? '' : this.line.text.slice(0, -text.length).slice(line.at).slice(-ENOUGH);
      this.line.endsHtml ||= endsHtml(line.blocks, tail + text);
    }
  }

  /** Keeps text that can be the begin of HTML or a link, if that is not too much. */
  #keep(more) {
    const text = this.text + more;
    if (text.length <= MUCH) this.text = text;
    else this.text = mayHoldRun(text) ? UNSURE : text.slice(-ENOUGH);
  }

  /** Behind what of a text it is known that it is of a definition. */
  #readLabel(text) {
    if (this.isDefinition) return 0;
    if (this.mayBeLabel && text !== '') {
      LABEL_END.lastIndex = this.text === '' && text[0] === '[' ? 1 : 0;
      const [, end] = LABEL_END.exec(text);
      this.mayBeLabel = end === undefined;
      this.isDefinition = end === ']:';
      if (this.isDefinition) return LABEL_END.lastIndex;
    }
    return text.length;
  }

  /** Reads the end of the line. */
  #readLine() {
    const {isRest, hasText} = this.line;
    if (isRest && !hasText) this.line.line ??= {kind: 'text', at: 0, blocks: this.blocks};
    const line = this.line.line ?? this.#readHead('');
    if (line.kind === 'closing') {
      this.#endCode(this.lineStart + line.at);
    } else if (line.kind === 'opening') {
      const {open} = this;
      this.open = this.before;
      this.#endCode(this.lineStart - 1);
      this.open = open;
      this.before = null;
    }
  }

  /** Goes to the next line. */
  #endLine(start) {
    const {line, text, endsHtml: hasEnded} = this.line;
    let {blocks} = line;
    if (line.kind === 'begin' && text.length < MUCH) blocks = htmlTagLine(this.blocks, text) ?? blocks;
    if (hasEnded) blocks = {...blocks, leaf: 'none'};
    else if (this.isDefinition && blocks.leaf === 'paragraph') blocks = {...blocks, leaf: 'definition'};
    this.blocks = blocks;
    this.lineStart = start;
    this.line = {...NO_LINE};
    this.#keep('\n');
  }

  /** Ends what is open; where markers in fences count, not all of a fence is code. */
  #endCode(end) {
    const {open: code} = this;
    this.open = null;
    if (code?.holdsMarker && !(code.isFence && this.openFences)) this.note(code.start, end);
  }
}

function isText({kind}) {
  return kind === 'text' || kind === 'doubtful' || kind === 'begin';
}
