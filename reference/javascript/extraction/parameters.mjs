// Reads a payload of parameters: names and texts between fixed texts (extraction: parameter).

import {isJsonSpace, isLetterOrDigit, isOfName} from '../shared/characters.mjs';
import {isEnd} from './bare.mjs';
import {parameterName} from './call_names.mjs';
import {isCloser} from './markers.mjs';
import {stopsAt} from './source.mjs';

const LONGEST_NAME = 128;
const MARKS = ['"', "'"];
const NAME_ENDS = stopsAt(['\n', '<', '{']);

/** Where a payload of parameters begins behind the opener and its white space, or null. */
export function* parametersBegin(source, markers, {form, end}, at) {
  const {name_in_first_line: isNamed, name_begin: nameBegin, json} = form.payload;
  if (!isNamed) {
    const words = ['{', nameBegin, ...(json ? [json.begin] : [])];
    const begins = (yield* source.wordAt(at, words)) ?? (yield* markers.closerAt(at, form));
    return begins === null && !(yield* isCutAt(source, markers, form, at)) ? null : at;
  }
  const char = yield* source.characterAt(at);
  if (char === '{') return at;
  if (at > end && !source.slice(end, at).includes('\n')) return null;
  return char === '_' || isLetterOrDigit(char) ? at : null;
}

/** Whether the text ends in an own closer, or in that of an open wrapper, where no parameter can begin so. */
function* isCutAt(source, markers, form, at, wrappers = []) {
  for (const one of [form, ...wrappers]) {
    if (one.closer === null || !(yield* markers.endsInCloser(at, one))) continue;
    return !form.payload.name_begin.startsWith(source.slice(at)) && (yield* markers.endsInAnyCloser(at));
  }
  return false;
}

/**
 * Reads a payload up to its own closer: `{closer, name, pairs}`, the name where it stands in the
 * first line; up to JSON in the place of parameters: `{valueAt, end, name}`, with the text that has to
 * stand behind that; or `{failedAt}`, where that can be the end of the text.
 */
export function* readParameters(source, markers, form, begin, wrappers = []) {
  const parameters = new Parameters(source, markers, form, wrappers);
  try {
    return yield* parameters.read(begin);
  } catch (error) {
    if (error instanceof FormStop) return {failedAt: error.at};
    throw error;
  }
}

/** The first character that the form does not allow. */
class FormStop {
  constructor(at) {
    this.at = at;
  }
}

class Parameters {
  constructor(source, markers, form, wrappers) {
    this.wrappers = wrappers; // the forms whose closers can stand in for the own one
    this.source = source;
    this.markers = markers;
    this.form = form;
    this.texts = form.payload;
    this.endWords = endWords(this.texts.value_end); // with which a misspelt end of a value begins
    this.repairs = new Map();
    this.stops = stopsAt([...markers.firsts, this.texts.value_end[0]]); // what may count in a value
  }

  *read(begin) {
    let at = begin;
    let name;
    if (this.texts.name_in_first_line) {
      at = yield* this.#nameEnd(begin);
      name = this.source.slice(begin, at);
    }
    const json = yield* this.#jsonBegin(yield* this.source.skip(at, isJsonSpace));
    if (json !== null) return {...json, name};
    const pairs = [];
    for (;;) {
      const end = at;
      at = yield* this.source.skip(at, isJsonSpace);
      const closer = yield* this.markers.closerAt(at, this.form);
      if (closer !== null) return {closer, name, pairs, repairs: this.repairs};
      if (pairs.length > 0 && (yield* this.#isOuterAt(at))) {
        return {closer: null, end, name, pairs, repairs: this.repairs};
      }
      const around = pairs.length > 0 ? this.wrappers : [];
      if (yield* isCutAt(this.source, this.markers, this.form, at, around)) {
        return {closer: null, end, name, pairs, repairs: this.repairs};
      }
      const stray = name !== undefined && pairs.length === 0 ? yield* this.#closerBehindStrayEnd(at) : null;
      if (stray !== null) {
        this.#count('parameter_end');
        return {closer: stray, name, pairs, repairs: this.repairs};
      }
      at = yield* this.#readPair(at, pairs);
    }
  }

  /** Where JSON begins in the place of parameters, and what has to stand behind it, or null. */
  *#jsonBegin(at) {
    if ((yield* this.source.at(at)) === '{') return {valueAt: at, end: ''};
    const {json} = this.texts;
    if (json === undefined || (yield* this.source.wordAt(at, [json.begin])) === null) return null;
    const valueAt = yield* this.source.skip(at + json.begin.length, isJsonSpace);
    const char = yield* this.source.at(valueAt);
    if (char !== '{' && char !== undefined) throw new FormStop(valueAt);
    return {valueAt, end: json.end};
  }

  /** The own closer behind the end of a value where no value is, or null. */
  *#closerBehindStrayEnd(at) {
    const {value_end: end} = this.texts;
    if ((yield* this.source.wordAt(at, [end])) === null) {
      yield* this.#stopIfCut(at, end);
      return null;
    }
    const behind = yield* this.source.skip(at + end.length, isJsonSpace);
    const closer = yield* this.markers.closerAt(behind, this.form);
    if (closer === null && (yield* this.markers.endsInCloser(behind, this.form))) this.#stopAtEnd();
    return closer;
  }

  /** One parameter; returns the position behind it. */
  *#readPair(at, pairs) {
    const {name_begin, name_end, value_begin, value_end, elements} = this.texts;
    const nameStart = yield* this.#pass(at, name_begin);
    if (elements && (yield* this.source.at(nameStart)) === '/') throw new FormStop(at);
    const nameEnd = yield* this.#nameEnd(nameStart, name_end);
    const behindName = yield* this.#pass(nameEnd, name_end);
    const [valueStart, kind, end = ''] = yield* this.#valueStart(behindName, value_begin);
    const {source} = this;
    const name = source.slice(nameStart, nameEnd);
    const endText = elements ? `${value_end}${name}${name_end}` : value_end;
    const {at: valueEnd, behind} = yield* this.#textEnd(valueStart, end, endText);
    const text = source.slice(valueStart, valueEnd - end.length);
    pairs.push({name: parameterName(name, text), text, kind});
    return behind;
  }

  /** Where a value begins behind its name, its kind, and the end of its text, if any. */
  *#valueStart(at, begins) {
    if (begins === '') return [at, 'typed'];
    if (typeof begins === 'string') {
      const space = yield* this.source.skip(at, isJsonSpace);
      const isThere = (yield* this.source.wordAt(space, [begins])) !== null;
      const isBare = this.texts.bare_value === true && !isThere;
      if (isBare && !['<', undefined].includes(yield* this.source.at(space))) return [space, 'typed'];
      return [yield* this.#pass(space, begins), 'typed'];
    }
    for (const {text, kind, end} of begins) {
      const isThere = text === '' || (yield* this.source.wordAt(at, [text])) !== null;
      if (isThere) return [at + text.length, kind, end];
    }
    for (const {text} of begins) yield* this.#stopIfCut(at, text);
    throw new FormStop(at);
  }

  /**
   * The end of a name: before its end text, `<` or a line feed, and after 128 characters. Before an
   * end text, white space with line feeds can stand around it, and none counts in its quotation marks.
   */
  *#nameEnd(from, end) {
    let begins = end !== undefined; // no character of the name has come
    let isOver = false;
    let mark = null;
    for (let [i, length] = [from, 0]; ; length++) {
      const char = yield* this.source.characterAt(i);
      if (char === undefined) this.#stopAtEnd();
      const isSpace = isJsonSpace(char);
      if (end === undefined ? char === '{' : mark === null && (yield* this.source.wordAt(i, [end])) !== null) return i;
      if (char === '<' || (isOver && !isSpace) || (char === '\n' && end === undefined)) return i;
      if (char === '\n' && !begins) isOver = true;
      if (mark !== null) mark = char === mark ? null : mark;
      else if (begins && MARKS.includes(char) && !MARKS.includes(end[0])) mark = char;
      begins &&= isSpace;
      if (length === LONGEST_NAME) throw new FormStop(i);
      i += char.length;
    }
  }

  /** The position behind a text that has to stand here. */
  *#pass(at, text) {
    if ((yield* this.source.wordAt(at, [text])) !== null) return at + text.length;
    yield* this.#stopIfCut(at, text);
    throw new FormStop(at);
  }

  *#stopIfCut(at, text) {
    if (yield* this.source.endsInside(at, text)) this.#stopAtEnd();
  }

  /**
   * Where the end of a value stands whose text begins at a position, and what is behind it: the
   * quoted blocks in it come to their ends first, and another text may have to stand before it
   * (extraction: parameter, quoted block).
   */
  *#textEnd(from, before, value_end) {
    let quoted = 0; // blocks that have begun and not ended
    let own = null; // where the first own closer stands that may end the value, too
    const begun = new Set(); // the names of the tags that begin in the value, as far as it is seen
    let seen = from;
    for (let i = from; ; i++) {
      i = yield* this.source.until(i, this.stops);
      if ((yield* this.source.at(i)) === undefined) {
        const isLast = own !== null && this.#isPlain(from, own, value_end) &&
          (yield* isEnd(this.source, this.markers, own, isCloser));
        if (!isLast) this.#stopAtEnd();
        this.#count('parameter_end');
        // Of all other values the line end goes with those at their ends.
        const hasEnd = this.form.payload.trim === 'none' ? this.source.slice(from, own).match(/\r?\n$/) : null;
        return {at: own - (hasEnd?.[0].length ?? 0), behind: own};
      }
      const inside = yield* this.#quotedAt(i);
      if (inside !== null) {
        quoted++;
        i = inside - 1; // no other opener begins in it
      } else if ((yield* this.source.wordAt(i, [value_end])) !== null) {
        const behind = yield* this.source.skip(i + value_end.length, isJsonSpace);
        const closer = yield* this.markers.closerAt(behind, this.form);
        const last = i - before.length;
        if (quoted > 0) quoted -= closer === null ? 0 : 1;
        else if (last < from || this.source.slice(last, i) !== before) continue;
        else if (closer !== null || (yield* this.#endsBefore(behind))) return {at: i, behind: i + value_end.length};
      } else if (quoted === 0 && before === '') {
        const behind = yield* this.#misspeltEnd(i);
        if (behind !== null) {
          for (const [, name] of this.source.slice(seen, i).matchAll(/<([A-Za-z0-9_.-]+)/g)) begun.add(name);
          seen = i;
          if (!begun.has(this.source.slice(i + '</'.length, behind - '>'.length))) {
            this.#count('parameter_end');
            return {at: i, behind};
          }
        }
        if (own === null && (yield* this.markers.closerAt(i, this.form)) !== null) own = i;
      }
    }
  }

  /** Whether a value ends before what stands at a position, which is no whole own closer. */
  *#endsBefore(at) {
    if ((yield* this.#isNameAt(at)) || (yield* this.#isOuterAt(at))) return true;
    return yield* isCutAt(this.source, this.markers, this.form, at, this.wrappers);
  }

  /** Whether a value holds no tag that says where it could end or go on. */
  #isPlain(from, to, end) {
    const text = this.source.slice(from, to);
    return !['</', '|>', this.texts.name_begin, end].some((tag) => text.includes(tag));
  }

  #count(repair) {
    this.repairs.set(repair, (this.repairs.get(repair) ?? 0) + 1);
  }

  /** Whether the closer of an open wrapper stands at a position. */
  *#isOuterAt(at) {
    if (this.wrappers.length === 0) return false;
    const marker = yield* this.markers.at(at);
    return marker?.kind === 'close' && this.wrappers.some((form) => marker.forms.includes(form));
  }

  /** The position behind a misspelt end of a value before the own closer, or null. */
  *#misspeltEnd(at) {
    const word = yield* this.source.wordAt(at, this.endWords);
    if (word === null) return null;
    let end = at + word.length;
    while (end - at - word.length < 32 && isOfName(yield* this.source.at(end))) end++;
    if ((yield* this.source.at(end)) !== '>') return null;
    const next = yield* this.source.skip(end + 1, isJsonSpace);
    return (yield* this.markers.closerAt(next, this.form)) === null ? null : end + 1;
  }

  *#isNameAt(at) {
    const {name_begin: begin, elements} = this.texts;
    if ((yield* this.source.wordAt(at, [begin])) === null) return false;
    return elements !== true || (yield* this.source.at(at + begin.length)) !== '/';
  }

  /** The position behind an own opener, behind which a first parameter begins, or null. */
  *#quotedAt(at) {
    const opener = yield* this.markers.at(at);
    if (opener?.kind !== 'open' || opener.form !== this.form) return null;
    let next = yield* this.source.skip(opener.end, isJsonSpace);
    if (this.texts.name_in_first_line) {
      if ((yield* parametersBegin(this.source, this.markers, opener, next)) === null) return null;
      const from = next;
      next = yield* this.source.until(from, NAME_ENDS);
      if ([...this.source.slice(from, next)].length > LONGEST_NAME) return null;
      next = yield* this.source.skip(next, isJsonSpace);
    }
    return (yield* this.#isNameAt(next)) ? opener.end : null;
  }

  /** Stops because the text ends where the payload could go on: it is truncated (EXT-116). */
  #stopAtEnd() {
    throw new FormStop(this.source.chars.length);
  }
}

/** What a misspelt end of a value begins with (extraction: parameter). */
function endWords(end) {
  const word = /^<\/([^<>]+)>$/.exec(end)?.[1];
  if (word === undefined) return [];
  return word.startsWith('param') ? ['</param'] : ['</param', `</${word}`];
}
