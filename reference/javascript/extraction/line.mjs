// What the characters of a line so far say about it: blank, indented, able to hold a fence.

import {isBlank, isDigit} from '../shared/characters.mjs';

export class Line {
  visible = false; // whether it has a visible character
  indent = 0; // what its leading blanks count
  prefix = 'open'; // what came: 'open' allows a fence, 'digits' can still, 'closed' does not
  isQuoted = false; // whether a mark of a block quote came (extraction: quotation)
  mayQuote = true; // whether a mark that comes can be one
  inListMarker = false; // whether the last character is one of a list marker
  closing = null; // the end of a run that ends a fence if only blanks follow
  indented = false; // whether it is an indented line; the reader of prose says so

  /** A line behind another, or the first of a text. */
  constructor(start, before) {
    this.start = start;
    this.mayBeIndented = before !== undefined && (!before.visible || before.indented);
  }

  /** Whether no further character of the line says anything about it. */
  get isSettled() {
    return this.visible && this.prefix === 'closed' && this.closing === null;
  }

  /** Takes in the next character, which is no line feed, and can be one of a marker. */
  pass(char, isOfMarker = false) {
    if (isBlank(char)) {
      if (!this.visible) this.indent += char === '\t' ? 4 : 1;
      if (this.prefix === 'digits') this.prefix = 'closed';
      this.inListMarker = false;
    } else {
      this.visible = true;
      this.closing = null;
      if (this.prefix !== 'closed') this.#passInPrefix(char, isOfMarker);
    }
  }

  #passInPrefix(char, isOfMarker) {
    this.prefix = prefixBehind(this.prefix, char);
    if (isOfMarker) this.mayQuote = false;
    const isQuote = char === '>' && this.mayQuote && !this.inListMarker;
    if (isQuote && this.prefix === 'open') this.isQuoted = true;
    this.inListMarker = char !== '>';
  }
}

/** Any line behind something visible that allows no fence: nothing more changes it. */
export const SETTLED = new Line(0);
SETTLED.visible = true;
SETTLED.prefix = 'closed';

/** What a line may hold before a fence: blanks, `>` and list markers (extraction: fence). */
function prefixBehind(prefix, char) {
  if (isDigit(char)) return 'digits';
  if (prefix === 'digits') return char === '.' || char === ')' ? 'open' : 'closed';
  return '>-*+'.includes(char) ? 'open' : 'closed';
}
