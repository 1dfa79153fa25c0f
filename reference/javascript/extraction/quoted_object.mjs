// Reads a name and an object whose strings stand between quotes (extraction: quoted object).

import {isJsonSpace, isLetterOrDigit, isOfName, trimJsonSpace} from '../shared/characters.mjs';
import {compactText} from '../shared/canonical_json.mjs';
import {CLOSERS, JSON_WORDS, NUMBER, PYTHON_WORDS, Parts, isQuote, orFailed} from './parts.mjs';

const BRACKETS = {'{': '}', '(': ')'};
const LONGEST_NAME = 64; // that lacks what begins it
const NO_NAME = '\n,=(){}[]"\'';

/**
 * Where the name of a payload stands that begins at a position, or null. Behind an opener what begins
 * the name can be missing, but for its last character or with it.
 */
export function* quotedObjectBegins(source, {opener, payload: {name_begin: begin}}, at) {
  if ((yield* source.wordAt(at, [begin])) !== null) return at + begin.length;
  if (opener === null) return null;
  const name = (yield* source.wordAt(at, [begin.at(-1)])) === null ? at : at + 1;
  let end = name;
  while (end - name <= LONGEST_NAME && isOfName(yield* source.at(end))) end++;
  const isName = end > name && end - name <= LONGEST_NAME;
  return isName && (yield* source.at(end)) === '{' ? name : null;
}

/**
 * Reads a payload from its name on to `{end, name, pairs}`, the pairs as those of parameters, or to `{failedAt}`,
 * where that can be the end of the text.
 */
export function* readQuotedObject({source, effective}, {payload}, nameAt) {
  const members = new Members(source, payload, nameAt);
  const read = yield* orFailed(members.readNamed());
  return read.failedAt === undefined ? {...read, name: toolName(read.name, effective ?? [])} : read;
}

/** The name behind a path with colons, where only that is effective. */
function toolName(written, effective) {
  const behind = trimJsonSpace(written.slice(written.lastIndexOf(':') + 1));
  return effective.includes(behind) && !effective.includes(written) ? behind : written;
}

class Members extends Parts {
  constructor(source, {quote, python, typed}, at) {
    super(source, at);
    this.quote = quote;
    this.words = new Map(python === true ? [...JSON_WORDS, ...PYTHON_WORDS] : JSON_WORDS);
    this.stringKind = typed === true ? 'typed' : 'string';
  }

  /** The name, and the object behind it. */
  *readNamed() {
    if ((yield* this.peek()) === ':') this.stop(); // it stands behind something
    const name = yield* this.readBare(NO_NAME);
    const closer = BRACKETS[yield* this.peek()] ?? this.stop();
    this.at++;
    const pairs = yield* this.readPairs(closer);
    return {end: this.at, name, pairs};
  }

  /** The members of the outermost object, up to behind its bracket. */
  *readPairs(closer) {
    const pairs = [];
    while ((yield* this.peek()) !== closer) {
      if (pairs.length > 0) yield* this.pass(',');
      const name = yield* this.#readKey();
      yield* this.#passColon();
      pairs.push({name, ...(yield* this.#readOuterValue())});
    }
    this.at++;
    return pairs;
  }

  *#readOuterValue() {
    if (yield* this.#isString()) return {text: yield* this.#readString(), kind: this.stringKind};
    return {text: yield* this.#readJson(), kind: 'json'};
  }

  /** A value that is no string at its outside, of any depth, as JSON. */
  *#readJson() {
    const parts = [];
    const closers = [];
    do {
      if (closers.at(-1) === '}') {
        parts.push(`${compactText(yield* this.#readKey())}:`);
        yield* this.#passColon();
      }
      const char = yield* this.peek();
      if (yield* this.#isString()) {
        parts.push(compactText(yield* this.#readString()));
      } else if (Object.hasOwn(CLOSERS, char)) {
        parts.push(char);
        closers.push(CLOSERS[char]);
        this.at++;
        if ((yield* this.peek()) !== closers.at(-1)) continue;
      } else {
        parts.push(yield* this.#readWord());
      }
      while (closers.length > 0 && (yield* this.peek()) === closers.at(-1)) {
        parts.push(closers.pop());
        this.at++;
      }
      if (closers.length > 0) {
        yield* this.pass(',');
        parts.push(',');
      }
    } while (closers.length > 0);
    return parts.join('');
  }

  *#readKey() {
    return (yield* this.#isString()) ? yield* this.#readString() : yield* this.readBare(`:${NO_NAME}`);
  }

  *#passColon() {
    if ((yield* this.peek()) !== '=') yield* this.pass(':');
    else this.at++;
  }

  /** Whether a string begins with the next part. */
  *#isString() {
    if (isQuote(yield* this.peek())) return true;
    if ((yield* this.source.wordAt(this.at, [this.quote])) !== null) return true;
    if (yield* this.source.endsInside(this.at, this.quote)) this.stopAtEnd();
    return false;
  }

  /** What stands between the quotes. */
  *#readString() {
    const {source, quote} = this;
    if (isQuote(source.chars[this.at])) return yield* this.readLiteralString();
    const start = this.at + quote.length;
    for (let i = start; ; i++) {
      i = yield* source.skip(i, (char) => char !== quote[0]);
      if ((yield* source.at(i)) === undefined) this.stopAtEnd();
      if ((yield* source.wordAt(i, [quote])) === null) continue;
      this.at = i + quote.length;
      return source.slice(start, i);
    }
  }

  /** A bare text, without white space at its ends. */
  *readBare(excluded) {
    const isBare = (char) => !excluded.includes(char) && char !== this.quote[0];
    let end = yield* this.#runEnd(isBare);
    const behind = end;
    while (isJsonSpace(this.source.chars[end - 1])) end--;
    const text = this.source.slice(this.at, end);
    this.at = behind;
    return text;
  }

  *#readWord() {
    const start = this.at;
    const end = yield* this.#runEnd((char) => '_-+.'.includes(char) || isLetterOrDigit(char));
    const word = this.source.slice(start, end);
    if (!this.words.has(word) && !NUMBER.test(word)) this.stop();
    this.at = end;
    return this.words.get(word) ?? word;
  }

  /** The end of characters of a kind, at least one of them, that the text does not cut off. */
  *#runEnd(test) {
    const end = yield* this.source.skip(this.at, test);
    if (end === this.at) this.stop();
    if ((yield* this.source.at(end)) === undefined) this.stopAtEnd();
    return end;
  }
}
