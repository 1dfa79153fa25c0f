// Quotations: where an opener stands and begins no block (EXT-200; extraction: quotation,
// marked text).

import {isBlank, isDigit, isJsonSpace} from '../shared/characters.mjs';
import {Payload, SyntaxStop, isOpening} from './payload_scanner.mjs';
import {Source} from './source.mjs';

const PARTNERS = new Map([...'"\'“‘«「'].map((mark, i) => [mark, '"\'”’»」'[i]]));
const TAG = /^<([A-Za-z｜][A-Za-z0-9_.:｜-]{0,63})>$/; // can stand behind a mark, as part of it
const LONGEST = 66;
const INNER_BLANKS = [' ', '\u00a0', '\u202f']; // one can stand on the inner side of « and »

/** The partner `{tag, mark}` of the opening mark directly before a position, or undefined. */
export function partnerBehind(source, at, from = 0) {
  const {chars} = source;
  const name = tagBefore(source, at, from);
  const end = name === undefined ? at : at - name.length - '<>'.length;
  const isInside = INNER_BLANKS.includes(chars[end - 1]) && chars[end - 2] === '«';
  const place = isInside ? end - 2 : end - 1;
  const mark = place < from ? undefined : PARTNERS.get(chars[place]);
  return mark && {tag: name === undefined ? '' : `</${name}>`, mark};
}

/** The name of the tag with which the text before a position ends, or undefined. */
function tagBefore(source, at, from) {
  if (source.chars[at - 1] !== '>') return undefined;
  let start = at - 1;
  while (start > from && at - start < LONGEST && source.chars[start] !== '<') start--;
  return TAG.exec(source.slice(start, at))?.[1];
}

/** Whether a partner stands at a position. */
export function* isPartner(source, at, {tag, mark}) {
  if (tag !== '' && (yield* source.wordAt(at, [tag])) === null) return false;
  const place = at + tag.length;
  const char = yield* source.at(place);
  if (mark !== '»' || !INNER_BLANKS.includes(char)) return char === mark;
  return (yield* source.at(place + 1)) === mark;
}

/** The line that is being read: whether a `>` makes it one of a block quote. */
export class Lines {
  isQuoted = false;
  #inPrefix = true; // nothing but blanks and list markers so far
  #before = ''; // the character before

  /** Reads text that is of no marker. */
  read(text) {
    const start = text.lastIndexOf('\n') + 1;
    if (start > 0) {
      this.isQuoted = false;
      this.#inPrefix = true;
      this.#before = '';
    }
    for (let i = start; this.#inPrefix && i < text.length; i++) {
      this.#inPrefix = this.#isPrefix(text[i]);
      this.#before = text[i];
    }
  }

  /** Reads a character; whether the next one can quote the line. */
  #isPrefix(char) {
    const before = this.#before;
    if (isDigit(before)) return isDigit(char) || '.)'.includes(char);
    if (char === '>') this.isQuoted = before === '' || !'-*+.)'.includes(before);
    return isBlank(char) || isDigit(char) || '-*+'.includes(char);
  }

  /** Goes over what is no prose, or over a marker that is text and whose line feeds count. */
  skip(text = '') {
    if (text.includes('\n')) this.isQuoted = false;
    this.#inPrefix = false;
  }
}

const BEGIN = /<!--|\n<((?:tool|function)_(?:result|response|output)s?)>/i;
const LONGEST_SIGN = '</function_responses>'.length;
const COMMENT_END = /-->/;

/** The comments of a text, and the results of calls that a model wrote in it. */
export class Comments {
  isOpen = false;
  #tail = '\n'; // in which a sign can begin
  #end = COMMENT_END; // of what began last

  /** The place behind the next begin, or end of the open comment, in a text from a place on, or null. */
  sign(text, from) {
    const tail = this.#tail;
    const near = this.#find(tail + text.slice(from, from + LONGEST_SIGN)); // it can have begun before
    const found = near ?? this.#find(text.slice(from));
    if (found === null) {
      this.#tail = (tail + text.slice(Math.max(from, text.length - LONGEST_SIGN))).slice(-LONGEST_SIGN);
      return null;
    }
    const isComment = !this.isOpen && found.name === undefined;
    if (!this.isOpen) this.#end = isComment ? COMMENT_END : new RegExp(`</${found.name}>`, 'i');
    this.#tail = isComment ? '--' : ''; // an end can begin in a begin
    return from + found.end - (near === null ? 0 : tail.length);
  }

  /** The begin, or the end of what is open, that a text has first: `{end, name}`, or null. */
  #find(text) {
    const found = (this.isOpen ? this.#end : BEGIN).exec(text);
    return found && {end: found.index + found[0].length, name: found[1]};
  }

  /** Nothing is open, as in front of a block. */
  end() {
    this.isOpen = false;
    this.#tail = '';
  }

  /** Something was taken out of the text here. */
  skip() {
    this.#tail = '';
  }
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
