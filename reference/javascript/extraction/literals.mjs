// Reads calls whose arguments are literals (extraction: payload of literal calls, literal).

import {isJsonSpace, isLetterOrDigit} from '../shared/characters.mjs';
import {compactText} from '../shared/canonical_json.mjs';
import {CLOSERS, JSON_WORDS, NUMBER, PYTHON_WORDS, Parts, isQuote, orFailed} from './parts.mjs';
import {Source} from './source.mjs';

const WORDS = new Map([...JSON_WORDS, ...PYTHON_WORDS]);
const BRACKETS = {...CLOSERS, '(': ')'};

/** Whether an object stands in the place of a list of calls or of its first one. */
export function* objectBegins(source, {form}, begin) {
  if (!form.payload.list) return false;
  const isList = (yield* source.at(begin)) === '[';
  const at = isList ? yield* source.skip(begin + 1, isJsonSpace) : begin;
  return (yield* source.at(at)) === '{';
}

/** Whether a payload of calls begins behind an opener and its white space. */
export function* literalCallsBegin(source, {form, end}, at) {
  if (form.payload.list) return (yield* source.at(at)) === '[';
  if (at > end && !source.slice(end, at).includes('\n')) return false;
  return yield* lineBegins(source, at);
}

function* lineBegins(source, at) {
  const char = yield* source.characterAt(at);
  return char === '_' || (char !== undefined && isLetterOrDigit(char));
}

/**
 * Reads a payload to `{end, calls}`, each call a name and its pairs as those of parameters, or to
 * `{failedAt}`, where that can be the end of the text.
 */
export function* readLiteralCalls(source, {payload: {list: isList}}, begin) {
  const literals = new Literals(source, begin);
  return yield* orFailed(isList ? literals.readList() : literals.readLines());
}

/** Reads an object or array of literals to `{end, json}`, or to `{failedAt}`. */
export function* readLiteralValues(source, begin) {
  return yield* orFailed(new Literals(source, begin).readValues());
}

/** A text that is one literal, as JSON, or null where it is none. */
export function literalAsJson(text) {
  const source = new Source();
  source.addWhole(`${text})`);
  const {value: read} = orFailed(new Literals(source, 0).readWhole()).next();
  return read.failedAt === undefined ? read : null;
}

class Literals extends Parts {
  #badAt; // where the first stands that is no literal
  #isOne = false; // whether no call is read, which alone could be bad
  #isBad = false; // whether the call that is read holds one

  *readWhole() {
    const json = yield* this.#readLiteral();
    yield* this.pass(')');
    return this.#badAt === undefined && this.at === this.source.chars.length ? json : {failedAt: this.at};
  }

  *readValues() {
    this.#isOne = true;
    const json = yield* this.#readLiteral();
    return {end: this.at, json};
  }

  *readList() {
    yield* this.pass('[');
    const calls = yield* this.#readUntil(']', () => this.#readCall());
    return {end: this.at, calls};
  }

  *readLines() {
    const calls = [];
    for (;;) {
      calls.push(yield* this.#readCall());
      const end = this.at;
      const next = yield* this.source.skip(end, isJsonSpace);
      const isOnLine = this.source.slice(end, next).includes('\n');
      if (!isOnLine || !(yield* lineBegins(this.source, next))) return {end, calls};
      this.at = next;
    }
  }

  /** Parts with commas between them, and perhaps one behind them, up to behind what closes them. */
  *#readUntil(closer, readPart) {
    const parts = [];
    while ((yield* this.peek()) !== closer) {
      parts.push(yield* readPart());
      if ((yield* this.peek()) !== closer) yield* this.pass(',');
    }
    this.at++;
    return parts;
  }

  *#readCall() {
    const name = yield* this.#readWord();
    yield* this.pass('(');
    this.#isBad = false;
    const pairs = yield* this.#readUntil(')', () => this.#readArgument());
    return this.#isBad ? {isBad: true} : {name, pairs};
  }

  /** Notes what is no literal, for which only its call is rejected. */
  noteBad(at) {
    this.#isBad = true;
    this.#badAt ??= at;
    if (this.#isOne) this.stop();
  }

  /** The payload goes on in no way, since the first that was no literal. */
  stop(at = this.at) {
    super.stop(this.#badAt ?? at);
  }

  *#readArgument() {
    const name = yield* this.#readWord();
    yield* this.pass('=');
    return {name, text: yield* this.#readLiteral(), kind: 'json'};
  }

  *#readWord() {
    yield* this.peek();
    const end = yield* this.source.skip(this.at, isOfWord);
    if (end === this.at) this.stop();
    if ((yield* this.source.at(end)) === undefined) this.stopAtEnd();
    const word = this.source.slice(this.at, end);
    this.at = end;
    return word;
  }

  /** A literal of any depth, as JSON. */
  *#readLiteral() {
    const closers = [];
    const parts = [];
    const commas = []; // for each open bracket how many stand in it
    let isFirst = true; // no value stands between the last bracket or comma and here
    do {
      const char = yield* this.peek();
      const closer = closers.at(-1);
      if (closers.length > 0 && char === closer) {
        if (closer === ')' && commas.at(-1) === 0 && !isFirst) this.noteBad(this.at); // "(1)"
        if (parts.at(-1) === ',') parts.pop();
        parts.push(closer === ')' ? ']' : closer);
        closers.pop();
        commas.pop();
        this.at++;
        isFirst = false;
      } else if (!isFirst) {
        yield* this.pass(',');
        parts.push(',');
        commas.push(commas.pop() + 1);
        isFirst = true;
      } else {
        if (closer === '}') parts.push(yield* this.#readKey());
        isFirst = yield* this.#readValue(parts, closers);
        if (isFirst) commas.push(0);
      }
    } while (closers.length > 0);
    return parts.join('');
  }

  *#readKey() {
    if (!isQuote(yield* this.peek())) this.stop();
    const key = compactText(yield* this.readLiteralString());
    yield* this.pass(':');
    return `${key}:`;
  }

  /** A value, or the bracket that it begins with; whether it was a bracket. */
  *#readValue(parts, closers) {
    const char = yield* this.peek();
    if (Object.hasOwn(BRACKETS, char)) {
      closers.push(BRACKETS[char]);
      parts.push(char === '(' ? '[' : char);
      this.at++;
      return true;
    }
    parts.push(isQuote(char) ? compactText(yield* this.readLiteralString()) : yield* this.#readWordValue());
    return false;
  }

  *#readWordValue() {
    const start = this.at;
    const word = yield* this.#readWord();
    const number = word.replace(/^\+/, '');
    if (!WORDS.has(word) && !NUMBER.test(number)) this.noteBad(start);
    return WORDS.get(word) ?? number;
  }
}

function isOfWord(char) {
  return '_-+.'.includes(char) || isLetterOrDigit(char);
}
