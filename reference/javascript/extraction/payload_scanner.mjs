// Reads a payload with its repairs, character by character and without recursion.

import {isDigit, isJsonSpace} from '../shared/characters.mjs';
import {stopsAt} from './source.mjs';
import {strictValue} from './strict_value.mjs';

/** What a fence around a payload can be named; of two words that begin alike the longer comes first. */
const FENCE_WORDS = ['json', 'tool_call', 'tool_code', 'tool', 'invoke'];

const KINDS = {'{': 'object', '[': 'array', '"': 'text'};

/** What is not simply a character of a string. */
const IN_STRING = stopsAt(['"', '\\', ...Array.from({length: 32}, (_, unit) => String.fromCharCode(unit))]);

/**
 * Where the first value of a payload begins, which can be a text where that is said, and the run
 * that fences it, or null.
 */
export function* payloadBegin(source, markers, at, takesText = false) {
  const char = yield* source.at(at);
  if (yield* valueBegins(source, markers, at, takesText)) return {valueAt: at, fence: null};
  if (char !== '`' && char !== '~') return null;
  const behind = yield* source.runEnd(at);
  if (behind - at < 3) return null;
  let word = null;
  for (const each of FENCE_WORDS) word ??= yield* source.wordAt(behind, [each]);
  const valueAt = yield* source.skip(behind + (word?.length ?? 0), isJsonSpace);
  if (!(yield* valueBegins(source, markers, valueAt, takesText))) return null;
  return {valueAt, fence: {char, length: behind - at}};
}

export function isOpening(char) {
  return char === '{' || char === '[';
}

/** Whether an object or array begins at a position, or a text, and no marker stands there. */
function* valueBegins(source, markers, at, takesText = false) {
  const char = yield* source.at(at);
  if (!isOpening(char) && !(takesText && char === '"')) return false;
  const kind = (yield* markers.at(at))?.kind;
  return !['open', 'token', 'close'].includes(kind);
}

/**
 * Reads a payload to `{failedAt}`, where that can be the end of the text, or to
 * `{end, values, kind, repairs}` (extraction: payload), with the kind of one value or some arrays.
 * It is the first value alone where it `isSingle`, and a fence where `isFenced` no repair.
 */
export function* readPayload(source, markers, begin, {isSingle, isFenced, separator}) {
  const payload = new Payload(source, separator);
  try {
    const end = yield* payload.readValues(markers, begin.valueAt, isSingle);
    if (begin.fence === null) return {end, ...payload.result()};
    if (!isFenced) payload.count('code_fence'); // EXT-051
    const behind = yield* fenceEnd(source, end, begin.fence);
    return {end: behind, isOpen: behind === end, ...payload.result()};
  } catch (error) {
    if (error instanceof SyntaxStop) return {failedAt: error.at, brokenAt: payload.brokenAt(error.at)};
    throw error;
  }
}

/** The end of a fenced payload: behind its closing run where there is one. */
function* fenceEnd(source, end, fence) {
  const run = yield* source.skip(end, isJsonSpace);
  if ((yield* source.at(run)) !== fence.char) return end;
  const behind = yield* source.runEnd(run);
  return behind - run >= fence.length ? behind : end;
}

/** The first character that the grammar does not allow and no repair admits. */
export class SyntaxStop {
  constructor(at) {
    this.at = at;
  }
}

export class Payload {
  repairs = new Map(); // the code of a repair to its count
  edits = new Map(); // what stands in place of a character after the repairs
  values = []; // the objects, and the elements of the outermost arrays
  outermost = ''; // how each outermost value begins
  stack = []; // the '{' and '[' that are open
  need = 'value'; // what the grammar allows next
  comma = 0; // the position of the last comma
  lastIsContainer = false; // whether the last whole value is an object or array
  callValue = null; // the object that is being read as a call value
  inString = false;
  stringAt = -1; // where the last string begins
  stringEnd = -1; // the position behind it

  constructor(source, separator) {
    this.source = source;
    this.separator = separator;
  }

  /** The outermost values, or the first alone; returns the position behind the last. */
  *readValues(markers, from, isSingle) {
    for (let i = from; ;) {
      const end = yield* this.#readOutermost(i);
      if (isSingle && this.separator === undefined) return end;
      i = yield* this.source.skip(end, isJsonSpace);
      if (this.separator !== undefined && (yield* this.source.at(i)) === this.separator) {
        i = yield* this.source.skip(i + 1, isJsonSpace);
      } else if (isSingle) {
        return end;
      }
      if (!(yield* valueBegins(this.source, markers, i))) return end;
    }
  }

  /** What was read; a call value has its text after the repairs. */
  result() {
    const values = this.values.map((value) =>
      value.kind !== 'other' ? {...value, text: this.#textOf(value)} : value);
    return {values, kind: KINDS[this.outermost.replace(/^\[+$/, '[')], repairs: this.repairs};
  }

  #textOf({start, end}) {
    if (this.edits.size === 0) return this.source.slice(start, end);
    const parts = [];
    for (let i = start; i < end; i++) parts.push(this.edits.get(i) ?? this.source.chars[i]);
    return parts.join('');
  }

  /** An error, or the string that is open at the end of the text or ends directly before the error (D45). */
  brokenAt(at) {
    const isOpen = at < this.source.chars.length ? at === this.stringEnd : this.inString;
    return isOpen ? this.stringAt : at;
  }

  count(repair) {
    this.repairs.set(repair, (this.repairs.get(repair) ?? 0) + 1);
  }

  #stop(at) {
    throw new SyntaxStop(at);
  }

  *#readOutermost(from) {
    this.outermost += this.source.chars[from];
    if (this.source.chars[from] === '"') {
      const end = yield* this.#readString(from, 'comma');
      this.values.push({kind: 'text', start: from, end, depth: 0});
      return end;
    }
    const strict = strictValue(this.source, from);
    if (strict !== null) {
      for (const value of strict.values) this.values.push(value);
      return strict.end;
    }
    this.need = 'value';
    let i = from;
    do {
      i = yield* this.source.skip(i, isJsonSpace);
      i = yield* this.#readToken(i);
    } while (this.stack.length > 0);
    return i;
  }

  /** One token; returns the position behind it. */
  *#readToken(i) {
    const char = yield* this.source.at(i);
    if (char === undefined) this.#stop(i);
    if (char === '}' || char === ']') return this.#readCloser(i, char);
    if (this.need === 'comma') return this.#readComma(i, char);
    if (this.need === 'colon') return char === ':' ? this.#expect('value', i + 1) : this.#stop(i);
    if (this.need === 'first key' || this.need === 'key') return yield* this.#readKey(i, char);
    return yield* this.#readValue(i, char);
  }

  #expect(need, i) {
    this.need = need;
    return i;
  }

  #readComma(i, char) {
    if (char !== ',') this.#stop(i);
    this.comma = i;
    return this.#expect(this.stack.at(-1) === '{' ? 'key' : 'element', i + 1);
  }

  /** A closing bracket, also behind a comma, which then goes (EXT-051). */
  #readCloser(i, char) {
    const fits = char === (this.stack.at(-1) === '{' ? '}' : ']');
    if (!fits || this.need === 'value' || this.need === 'colon') this.#stop(i);
    if (this.need === 'key' || this.need === 'element') {
      this.count('trailing_comma');
      this.edits.set(this.comma, '');
    }
    this.#closeContainer(i + 1);
    return i + 1;
  }

  /** A key, or the `{` before which a `}` is missing (EXT-051). */
  *#readKey(i, char) {
    if (char === '"') return yield* this.#readString(i, 'colon');
    const isElement = this.stack.at(-2) === '[';
    const fits = char === '{' && this.need === 'key' && isElement && this.lastIsContainer;
    if (!fits) this.#stop(i);
    this.count('missing_object_close');
    const last = this.comma - 1;
    this.edits.set(last, `${this.edits.get(last) ?? this.source.chars[last]}}`);
    this.#closeContainer(this.comma);
    return this.#expect('element', i);
  }

  *#readValue(i, char) {
    this.#noteValue(i, char);
    this.lastIsContainer = false;
    if (isOpening(char)) return this.#openContainer(i, char);
    if (char === '"') return yield* this.#readString(i, 'comma');
    if (char === '-' || isDigit(char)) return yield* this.#readNumber(i);
    for (const word of ['true', 'false', 'null']) {
      if (char === word[0]) return yield* this.#readWord(i, word);
    }
    return this.#stop(i);
  }

  /** Notes where a call value begins (extraction: call value). */
  #noteValue(i, char) {
    const {stack} = this;
    const isElement = stack.length === 1 && stack[0] === '[';
    if (stack.length > 0 && !isElement) return;
    if (char === '{') {
      this.callValue = {kind: 'object', level: stack.length, depth: 0, start: i, end: i};
    } else if (isElement) {
      this.values.push({kind: 'other'});
    }
  }

  #openContainer(i, char) {
    const {stack, callValue} = this;
    stack.push(char);
    if (callValue !== null) {
      callValue.depth = Math.max(callValue.depth, stack.length - callValue.level);
    }
    return this.#expect(char === '{' ? 'first key' : 'first element', i + 1);
  }

  #closeContainer(end) {
    const {stack, callValue} = this;
    stack.pop();
    this.need = 'comma';
    this.lastIsContainer = true;
    if (callValue?.level === stack.length) {
      this.values.push({...callValue, end});
      this.callValue = null;
    }
  }

  /** A string; a control character in it is repaired, one in an escape is not (EXT-051). */
  *#readString(at, need) {
    const {source} = this;
    this.inString = true;
    this.stringAt = at;
    for (let i = at + 1; ;) {
      i = yield* source.until(i, IN_STRING);
      const char = source.chars[i];
      if (char === undefined) this.#stop(i);
      if (char === '"') {
        this.inString = false;
        this.stringEnd = i + 1;
        return this.#expect(need, i + 1);
      }
      if (char === '\\') {
        i = yield* this.#readEscape(i + 1);
        continue;
      }
      if (char < ' ') {
        this.count('control_chars');
        this.edits.set(i, JSON.stringify(char).slice(1, -1));
      }
      i++;
    }
  }

  *#readEscape(i) {
    const char = yield* this.source.at(i);
    if (char === "'") { // EXT-051
      this.count('escaped_apostrophe');
      this.edits.set(i - 1, '');
      return i + 1;
    }
    if (char === undefined || !'"\\/bfnrtu'.includes(char)) this.#stop(i);
    if (char !== 'u') return i + 1;
    for (let j = i + 1; j <= i + 4; j++) {
      if (!/^[0-9A-Fa-f]$/.test(yield* this.source.at(j))) this.#stop(j);
    }
    return i + 5;
  }

  *#readNumber(at) {
    const {source} = this;
    let i = (yield* source.at(at)) === '-' ? at + 1 : at;
    i = (yield* source.at(i)) === '0' ? i + 1 : yield* this.#readDigits(i);
    if ((yield* source.at(i)) === '.') i = yield* this.#readDigits(i + 1);
    if (/^[eE]$/.test(yield* source.at(i))) {
      const isSigned = /^[+-]$/.test(yield* source.at(i + 1));
      i = yield* this.#readDigits(isSigned ? i + 2 : i + 1);
    }
    return this.#expect('comma', i);
  }

  *#readDigits(at) {
    const end = yield* this.source.skip(at, isDigit);
    return end > at ? end : this.#stop(end);
  }

  *#readWord(at, word) {
    for (let k = 0; k < word.length; k++) {
      if ((yield* this.source.at(at + k)) !== word[k]) this.#stop(at + k);
    }
    return this.#expect('comma', at + word.length);
  }
}
