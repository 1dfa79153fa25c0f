// The fast path of a whole text: prose in which nothing counts, and blocks that are one usual call.
//
// A block is clean where the grammar leaves it one reading: behind the opener stands an object, it
// is JSON up to its own closer, and its members are a name that can be sent and arguments, in this
// order. What is found is what the careful reader finds; all else is left to it.

import {MAX_DEPTH, isObject, parseJsonText} from '../shared/json_text.mjs';
import {isJsonSpace} from '../shared/characters.mjs';

/** So many characters of a control token show what the end of the text cuts off. */
export const CUT_OFF = 7;

const SCANNERS = ['json_values', 'json_object'];
const SPACE = '[ \\t\\n\\r]*';

/** What a language has of clean blocks, and where anything of it may begin. */
export class CleanForms {
  constructor(language) {
    const tags = ['openingTags', 'reasoningTags', 'closingTags'];
    const names = tags.flatMap((kind) => [...language[kind].keys()]);
    const {texts, closings, strays, strayEnds, toolForm, frame: {control, reasoning}} = language;
    names.push(...reasoning.flatMap(({close}) => close.tag ?? []));
    const begins = [...texts, ...closings, ...strays.keys(), ...strayEnds].map((text) => escaped(control ? text.slice(0, CUT_OFF) : text));
    if (names.length > 0) begins.push(`</?(?:${names.map(escaped).join('|')})(?![A-Za-z0-9_-])`);
    if (toolForm) begins.push('</?([A-Za-z0-9_-]{1,64})(?![A-Za-z0-9_-])');
    this.search = begins.length === 0 ? null : new RegExp(begins.join('|'), 'gi');
    this.forms = language.firsts.has('{') ? [] : [...formsOf(language)];
  }

  /** Where the first marker can stand from a position on, or the end of the text. */
  next(text, from, toolTags) {
    if (this.search === null) return text.length;
    this.search.lastIndex = from;
    for (let found; (found = this.search.exec(text)) !== null;) {
      if (found[1] === undefined || toolTags.has(found[1])) return found.index;
      this.search.lastIndex = found.index + 1; // in what is no tag of a tool another can begin
    }
    return text.length;
  }
}

/** The forms whose opener and closer are known texts, with the closers as models write them. */
function* formsOf({openingTags, openingTexts, reasoningTags, reasoningTexts, closingTexts, tokens, ends}) {
  const isOther = (text) => [reasoningTexts, closingTexts, tokens, ends].some((set) => set.has(text));
  for (const [tag, [form]] of openingTags) {
    if (!reasoningTags.has(tag)) yield* cleanForm(form, `<${tag}>`);
  }
  for (const [text, [form]] of openingTexts) {
    if (form.opener.end === undefined && !isOther(text)) yield* cleanForm(form, text);
  }
}

function* cleanForm(form, opener) {
  const {payload, closer, limit, dialect} = form;
  if (closer === null || limit < Infinity || !SCANNERS.includes(payload?.scanner)) return;
  // Before a member `parameters` a declaration has to be told from a call.
  const members = payload.arguments.filter((name) => name !== 'parameters');
  if (payload.keyed || members.length === 0) return;
  const end = closer.tag === undefined ? closer.text : `</${closer.tag}>`;
  if (end[0] !== '<') return;
  yield {form, dialect, opener, closer: end, ...headOf(opener, payload.names, members)};
}

/** What stands before the name in the usual call, and from there on before the arguments. */
function headOf(opener, names, members) {
  const [name, args] = [names, members].map((texts) => `"(?:${texts.map(escaped).join('|')})"`);
  const sticky = (...parts) => new RegExp(parts.join(SPACE), 'y');
  return {
    toName: sticky(escaped(opener), '\\{', name, ':', '"'),
    toArguments: sticky('[A-Za-z0-9_-]{1,64}"', ',', args, ':', '(?=\\{)'),
  };
}

/** A text as a pattern that finds it. */
export function escaped(text) {
  return text.replace(/[^A-Za-z0-9]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A clean block, as a piece of the output. */
class CleanBlock {
  constructor(dialect, start, end, call) {
    this.dialect = dialect;
    this.start = start;
    this.end = end;
    this.call = call;
  }
}

// What they have in common is kept once, since there can be many.
Object.assign(CleanBlock.prototype, {kind: 'call', calls: 1, codes: [], repairs: [], losses: []});

/** Reads the clean blocks of one text. */
export class CleanBlocks {
  tried = 0; // before this position no payload is decoded again
  last = 0; // which form the last block had: most texts have one

  constructor(text, forms) {
    this.text = text;
    this.forms = forms;
    this.closers = forms.map(() => -1); // where the closer of a form was found last
  }

  /** The block that begins at a position, or null. */
  at(start) {
    const {text, forms} = this;
    if (forms.length === 0) return null;
    let nameAt = endOf(forms[this.last].toName, text, start);
    if (nameAt === 0) {
      const other = forms.findIndex(({opener}) => text.startsWith(opener, start));
      if (other < 0 || other === this.last) return null;
      nameAt = endOf(forms[other].toName, text, start);
      this.last = other;
    }
    const {closer, toArguments, dialect} = forms[this.last];
    const from = nameAt === 0 ? 0 : endOf(toArguments, text, nameAt);
    if (from === 0) return null;
    const behind = this.#closerFrom(closer, from);
    if (behind === text.length || from < this.tried) return null;
    const args = this.#arguments(from, behind);
    if (args === null) {
      this.tried = behind;
      return null;
    }
    const name = text.slice(nameAt, text.indexOf('"', nameAt));
    const call = {id: null, name, arguments: args.value, arguments_json: args.text};
    return new CleanBlock(dialect, start, behind + closer.length, call);
  }

  #closerFrom(closer, from) {
    if (this.closers[this.last] < from) {
      const at = this.text.indexOf(closer, from);
      this.closers[this.last] = at < 0 ? this.text.length : at;
    }
    return this.closers[this.last];
  }

  /** The arguments as `{value, text}`, where they and a bracket stand before a closer. */
  #arguments(from, closer) {
    const bracket = spaceStart(this.text, closer) - 1;
    const json = this.text.slice(from, spaceStart(this.text, bracket));
    if (this.text[bracket] !== '}') return null;
    const parsed = parseJsonText(json, undefined, MAX_DEPTH - 1); // they stand in an object
    return isObject(parsed?.value) ? {value: parsed.value, text: json} : null;
  }
}

/** Where a match ends that begins at a position, or 0. */
function endOf(pattern, text, from) {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : 0;
}

function spaceStart(text, end) {
  let start = end;
  while (isJsonSpace(text[start - 1])) start--;
  return start;
}
