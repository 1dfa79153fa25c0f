// Tags that no dialect knows, around nothing but blocks (extraction: foreign pair).

import {isJsonSpace} from '../shared/characters.mjs';

const LONGEST = 66;
const TAG = /^<(?:([A-Za-z｜][A-Za-z0-9_.:｜-]{0,63})(?![A-Za-z0-9_.:｜-])(>)?)?/;

/** What a text begins with: an opening tag `{name, length}`, with no name where it is cut off, or null. */
function tagOf(text, taken) {
  const [all, name, end] = TAG.exec(text) ?? [];
  if (all === undefined || (end === undefined && all.length < text.length)) return null;
  if (end !== undefined && taken.has(`<${name}>`.toLowerCase())) return null;
  return {name: end && name, length: all.length};
}

/** The name and the end of the opening tag at a position, where it says that calls follow, or null (D40.1). */
export function* openingTag(source, at, taken) {
  const tag = yield* tagBehind(source, at + 1, taken);
  return /calls?$|^tool_code$/i.test(tag?.name) ? tag : null;
}

/** The closing tag of no dialect at a position, `{start, end, text}`, or null (D70.4). */
export function* strangeCloser(source, start, taken) {
  if (taken === undefined || (yield* source.wordAt(start, ['</'])) === null) return null;
  const tag = yield* tagBehind(source, start + 2, taken);
  return tag === null ? null : {start, end: tag.end, text: source.slice(start, tag.end)};
}

/** The name and the end of the tag whose name begins at a position, or null. */
function* tagBehind(source, from, taken) {
  for (let end = from; ; end++) {
    const char = yield* source.at(end);
    const tag = tagOf(`<${source.slice(from, end + 1)}`, taken);
    if (tag?.name) return {name: tag.name, end: from + tag.length - 1};
    if (tag === null || char === undefined) return null;
  }
}

/** What can be the opening tag of a pair, and the blocks behind it; positions are of a source. */
export class Pairs {
  start = null; // where the tag begins, or null where there is none
  pieces = []; // what stands behind it
  #end = 0; // behind the tag
  #name; // none where the tag is cut off
  #space = 0; // up to where white space stands behind what came last
  #last = 0; // where that white space begins

  constructor(source, taken) {
    this.source = source;
    this.taken = taken; // the tags of no pair, or undefined where there are no pairs
  }

  /** Looks for a tag at the end of the text between two positions. */
  begin(from, to) {
    if (this.taken === undefined) return;
    const {chars} = this.source;
    let at = to - 1;
    while (at >= from && isJsonSpace(chars[at])) at--;
    const last = at;
    while (at >= from && last - at < LONGEST && chars[at] !== '<') at--;
    if (at < from || chars[at] !== '<') return;
    const tag = tagOf(this.source.slice(at, last + 1), this.taken);
    if (tag === null || tag.length < last + 1 - at || (tag.name === undefined && to > last + 1)) return;
    [this.start, this.#end, this.#name] = [at, last + 1, tag.name];
    [this.#last, this.#space] = [last + 1, to];
  }

  forget() {
    this.start = null;
    this.pieces = [];
  }

  /** What text up to a position makes of it: it `waits`, it is `closed`, or it is none. */
  read(to) {
    const {source} = this;
    if (this.#name === undefined) return 'none';
    while (this.#space < to && isJsonSpace(source.chars[this.#space])) this.#space++;
    if (this.#space === to) return 'waits';
    const closer = `</${this.#name}>`;
    const here = source.slice(this.#space, Math.min(to, this.#space + closer.length));
    if (this.pieces.length === 0 || !closer.startsWith(here)) return 'none';
    return here === closer ? 'closed' : 'waits';
  }

  /** Whether its tag is whole. */
  get isOpen() {
    return this.start !== null && this.#name !== undefined;
  }

  /** Takes a piece that stands behind it, with only white space between, and tells whether it does. */
  takes(piece) {
    const isNext = this.start !== null && this.#space === piece.start && this.#name !== undefined;
    const isFit = this.pieces.length === 0 ? piece.dialect !== undefined : !['reasoning', 'message'].includes(piece.kind);
    if (!isNext || !isFit) return false;
    this.pieces.push(piece);
    [this.#last, this.#space] = [piece.end, piece.end];
    return true;
  }

  /** Whether the closing tag stands in its last block (D70.4). */
  get isClosed() {
    return this.pieces.at(-1)?.standIn === `</${this.#name}>`;
  }

  /** The pieces of a pair that is closed: its tags, and the white space in it. */
  tags() {
    const {start, pieces} = this;
    const [dialect, closer] = [pieces[0].dialect, this.#space];
    const end = closer + this.#name.length + 3;
    const isInBlock = this.isClosed;
    const tag = {kind: 'call', dialect, calls: 0};
    const found = [{...tag, start, end: this.#end}];
    let at = this.#end;
    for (const next of [...pieces, {start: closer}]) {
      if (next.start > at) found.push({kind: 'token', start: at, end: next.start});
      at = next.end;
    }
    return isInBlock ? found : [...found, {...tag, start: closer, end}];
  }
}
