// Long calls of which a stream shows that they are coming (extraction: candidate).

import {nameInHeader} from './calls.mjs';
import {escaped} from './clean.mjs';

const LONG = 1024;
const NAME = '([A-Za-z0-9_-]{1,64})';
const SPACE = '[ \\t\\n\\r]*';

export class Candidates {
  #source;
  #block = null; // the last block that was read
  #length = 0; // how many of its characters have come
  #at = 0; // up to where they are counted
  #due = LONG;

  constructor(source) {
    this.#source = source;
  }

  /** The candidate to show now of a block whose end is not decided, or null (EXT-193). */
  next(block) {
    if (block === null) return null;
    if (block !== this.#block) {
      this.#block = block;
      this.#length = 0;
      this.#at = block.start;
      this.#due = LONG;
    }
    const end = this.#source.chars.length;
    this.#length += [...this.#source.slice(this.#at, end)].length; // no pair is cut there
    this.#at = end;
    if (this.#length < this.#due) return null;
    this.#due = 2 * this.#length;
    return {dialect: block.form.dialect, name: this.#name(block), length: this.#length};
  }

  #name({form, header, start, end}) {
    const {opener} = form;
    const own = opener.messages || opener.name ? nameInHeader(header, opener) : header ?? '';
    if (new RegExp(`^${NAME}$`).test(own)) return own;
    const head = [...this.#source.slice(start, start + 2 * LONG)].slice(0, LONG).join('');
    return pattern(form.payload)?.exec(head.slice(end - start))?.[1] ?? null;
  }
}

/** How a block begins that has its name behind the opener, or null where it has none. */
function pattern(payload) {
  const {scanner, names, name_begin: begin, name_in_first_line: isInFirstLine} = payload;
  if (isInFirstLine) return new RegExp(`^${SPACE}${NAME}(?=[\\n<])`);
  if (scanner === 'quoted_object') return spaced([escaped(begin), NAME, '[{(]']);
  if (names === undefined) return null;
  return spaced(['\\[?', '\\{', `"(?:${names.map(escaped).join('|')})"`, ':', `"${NAME}"`]);
}

function spaced(parts) {
  return new RegExp(`^${parts.map((part) => SPACE + part).join('')}`);
}
