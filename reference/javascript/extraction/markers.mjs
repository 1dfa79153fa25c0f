// Markers: what begins and ends something (EXT-010, EXT-040).

import {foldCase, isBlank, isLetterOrDigit} from '../shared/characters.mjs';
import {CUT_OFF, CleanForms} from './clean.mjs';
import {headlessForms} from './headless.mjs';
import {readHeader} from './headers.mjs';
import {bareBegins, channelAlone, hasMessages, messageEndAt, messagesOf, openedName, readMessageHeader, skipSpace} from './messages.mjs';
import {stopsAt} from './source.mjs';
import {gapEnd, takenBy} from './tool_tags.mjs';

/** What can stand between a tag of reasoning and the end of its line, or the words behind it. */
export const isLineSpace = (char) => ' \t\r'.includes(char);
const STRAY_END = /^<\/?[^A-Za-z/]/; // no tag of XML is written so
const FOREIGN = ['<function=', '<parameter', '<invoke', '<arg_key', '<arg_value'];

/** The markers of the forms that are active and of a frame; many texts are read with one. */
export class Language {
  constructor(all, frame, isDraft = false) {
    const {reasoning, tokens, framing, control} = frame;
    const marked = all.filter(({opener}) => opener !== null);
    this.toolForm = marked.find(({opener}) => opener.text === '<NAME>');
    const forms = marked.filter((form) => form !== this.toolForm);
    this.taken = takenBy(forms, this.toolForm, frame); // what no tag of a tool is
    this.foreign = this.toolForm && this.taken; // what no tag of a foreign pair is, where there are such
    this.frame = frame;
    this.bare = all.filter(({opener}) => opener === null);
    this.headless = headlessForms(isDraft ? [] : forms);
    this.messages = messagesOf(forms, framing, tokens);
    const {form, isActive} = this.messages ?? {};
    this.holder = isActive && form.payload.scanner === 'blocks' ? form : null; // of the blocks of all others
    const others = forms.filter((form) => !hasMessages(form));
    const headed = this.messages === null ? forms : [...others, this.messages.form];
    this.closed = forms.filter(({closer}) => closer !== null);
    this.ends = new Set(this.messages?.form.opener.messages.ends);
    this.openingTags = groupBy(forms, ({opener}) => opener.tag);
    this.reasoningTags = groupBy(reasoning, ({open}) => open.tag);
    this.reasoningTexts = groupBy(reasoning, ({open}) => open.text);
    const closes = control ? reasoning.map(({close}) => close) : []; // alone they are no text
    this.tokens = new Set([...tokens, ...closes.flatMap(({text}) => text ?? [])]);
    this.tokenTags = closes.flatMap(({tag}) => tag ?? []);
    this.closingTags = groupBy(forms, ({closer}) => closer?.tag);
    this.openingTexts = groupBy(headed, ({opener}) => opener.text);
    for (const form of headed.filter(hasMessages)) {
      for (const begin of bareBegins(form.opener.messages)) this.openingTexts.set(begin, [form]);
    }
    this.closingTexts = groupBy(others, ({closer}) => closer?.text);
    const textsOf = (some) => some.flatMap(({opener, closer}) => [opener.text, closer?.text]);
    const controlTexts = new Set(textsOf(others.filter(({isControl}) => isControl)));
    this.plainTexts = new Set(textsOf(others).filter((text) => !controlTexts.has(text)));
    const {openingTexts, closingTexts, reasoningTexts, ends} = this;
    const groups = [openingTexts, closingTexts, reasoningTexts, this.tokens, ends];
    this.texts = [...new Set(groups.flatMap((group) => [...group.keys()]))];
    const longer = (text) => this.texts.filter((other) => other !== text && other.startsWith(text));
    this.longer = new Map(this.texts.map((text) => [text, longer(text)]));
    this.closings = reasoning.flatMap(({close}) => close.text ?? []); // with which a line can end
    this.firsts = new Set(['<', ...[...this.texts, ...this.closings].map((text) => text[0])]);
    const opening = control ? headed.filter(({isControl}) => isControl) : [];
    this.strays = new Map(opening.filter(isStray).map((form) => [form.payload.name_begin, form])); // EXT-204
    this.strayEnds = opening.filter(({payload}) => STRAY_END.test(payload?.value_end)).map(({payload}) => payload.value_end);
    this.stops = stopsAt(['\n', ...this.firsts]); // what can matter in prose
    this.clean = new CleanForms(this);
    const active = all.filter(({isGuided}) => !isGuided);
    const isDrafted = this.messages === null && active.length > 0 && reasoning.length > 0;
    this.drafted = isDrafted ? new Language(active, {...frame, reasoning: [], closes: [], framing: []}, true) : null; // in reasoning
  }
}

/** Finds markers in a source; each answer comes as soon as the characters allow it. */
export class Markers {
  constructor(source, language, toolTags) {
    this.source = source;
    this.toolTags = toolTags;
    Object.assign(this, language);
  }

  /** Whether a character can begin a marker. */
  mayBegin(char) {
    return this.firsts.has(char);
  }

  /**
   * The marker that stands at a position, or null: `{kind, start, end}`, an opener with its `form`
   * and perhaps `header` and `reserved`, a closer with all `forms` that it closes, an opener of
   * reasoning with the `close` that belongs to it, the end of a message with `isEnd`.
   */
  *at(start) {
    if (!this.mayBegin(yield* this.source.at(start))) return null;
    return (yield* this.toolTags.at(this.source, start)) ??
      (yield* this.#tagAt(start)) ?? (yield* this.#textAt(start)) ?? (yield* this.#cutAt(start));
  }

  /** An opener that is the stray begin of a parameter at a position, or null (EXT-204). */
  *strayAt(start) {
    const text = yield* this.source.wordAt(start, [...this.strays.keys()]);
    return text === null ? null : {kind: 'open', form: this.strays.get(text), isStray: true, start, end: start + text.length};
  }

  /** What stands in prose alone at a position: a stray begin of a parameter, or a stray end, which is a token; or null. */
  *strayOfProseAt(start) {
    const text = yield* this.source.wordAt(start, this.strayEnds);
    return text === null ? yield* this.strayAt(start) : {kind: 'token', start, end: start + text.length};
  }

  /** The header at the begin of the text whose first text the prompt wrote, or null. */
  *openedHeader() {
    if (this.messages === null) return null;
    if ((yield* this.source.wordAt(0, [...this.ends])) !== null) return null;
    const {opener} = this.messages.form;
    const {recipient} = opener.messages;
    const begins = recipient === undefined ? [] : [` ${recipient}`];
    const begin = yield* this.source.wordAt(0, [...begins, ...bareBegins(opener.messages)]);
    const from = begin?.length ?? (yield* openedName(this.source, opener));
    return from === null ? null : yield* this.#messageHeader(0, 0, from);
  }

  /** The own closer of a form that stands at a position, or null. */
  *closerAt(start, form) {
    if (hasMessages(form)) {
      const marker = yield* this.at(start);
      return marker?.isEnd ? marker : null;
    }
    const {tool} = form.opener;
    const end = tool === undefined ? yield* this.#closerEnd(start, form.closer) : yield* this.#endOfTag(start, `</${tool}`);
    return end === undefined ? null : {kind: 'close', forms: [form], start, end};
  }

  /** Whether the text ends inside an own closer of a form that begins at a position. */
  *endsInCloser(start, {opener: {messages, tool}, closer: {tag, text}}) {
    for (const end of messages?.ends ?? []) {
      if (yield* this.source.endsInside(start, end)) return true;
    }
    if (tool !== undefined) return yield* this.#endsInTag(start, tool);
    return yield* tag === undefined ? this.source.endsInside(start, text) : this.#endsInTag(start, tag, foldCase);
  }

  /** Whether the text ends inside a closing tag that begins at a position. */
  *#endsInTag(start, name, fold) {
    const word = `</${name}`;
    if (yield* this.source.endsInside(start, word, fold)) return true;
    if ((yield* this.source.wordAt(start, [word], fold)) === null) return false;
    const end = yield* gapEnd(this.source, start + word.length);
    return (yield* this.source.at(end)) === undefined;
  }

  /** Whether the text ends inside a closer or a token that begins at a position. */
  *endsInAnyCloser(start) {
    if (this.messages !== null || !this.mayBegin(yield* this.source.at(start))) return false;
    for (const form of this.closed) if (yield* this.endsInCloser(start, form)) return true;
    for (const token of this.tokens) if (yield* this.source.endsInside(start, token)) return true;
    for (const tag of this.tokenTags) if (yield* this.#endsInTag(start, tag, foldCase)) return true;
    return yield* this.toolTags.endsInCloser(this.source, start);
  }

  /** The end of a tag that begins with a text at a position, or undefined. */
  *#endOfTag(start, begin) {
    if ((yield* this.source.wordAt(start, [begin])) === null) return undefined;
    const end = yield* gapEnd(this.source, start + begin.length);
    return (yield* this.source.at(end)) === '>' ? end + 1 : undefined;
  }

  /** Where the closer of reasoning that stands at a position ends (extraction: reasoning). */
  *reasoningCloserEnd(start, close) {
    if (close.messages) return yield* messageEndAt(this.source, start, this.messages);
    return yield* this.#closerEnd(start, close);
  }

  /** The closer of reasoning at a position with which a line ends, as a token, or null (D9.10). */
  *closerThatEndsLine(start) {
    for (const {close} of this.frame.reasoning) {
      const end = yield* this.#closerEnd(start, close);
      if (end === undefined) continue;
      const behind = yield* this.source.skip(end, isLineSpace);
      return [undefined, '\n'].includes(this.source.chars[behind]) ? {kind: 'token', start, end} : null;
    }
    return null;
  }

  /** The same markers, and a closer of reasoning, which is a closer behind the last calls of that. */
  withReasoningCloser(close) {
    const markers = this;
    return {
      *at(start) {
        const end = yield* markers.reasoningCloserEnd(start, close);
        return end === undefined ? yield* markers.at(start) : {kind: 'close', isOfReasoning: true, start, end};
      },
    };
  }

  *#closerEnd(start, {tag, text}) {
    return tag === undefined
      ? yield* this.#textEnd(start, text) : (yield* this.#tag(start, '</', [tag]))?.end;
  }

  /** Where the closer of a reserved message stands, or the end of the text (EXT-040). */
  *reservedCloser({form, end}) {
    const {closers} = form.opener.reserved;
    for (let i = end; ; i++) {
      const char = yield* this.source.at(i);
      if (char === undefined) return {start: i, end: i};
      const word = yield* this.source.wordAt(i, closers);
      if (word !== null) return {start: i, end: i + word.length};
    }
  }

  /** Whether a tag of another dialect begins at a position (extraction: undecided opener). */
  *isForeignAt(start) {
    return (yield* this.source.wordAt(start, FOREIGN, foldCase)) !== null;
  }

  *#tagAt(start) {
    if ((yield* this.source.at(start)) !== '<') return null;
    const names = [...this.openingTags.keys(), ...this.reasoningTags.keys()];
    const closing = [...this.closingTags.keys(), ...this.tokenTags];
    if (names.length + closing.length === 0) return null; // waits for no character more
    if ((yield* this.source.at(start + 1)) === '/') {
      const tag = yield* this.#tag(start, '</', closing);
      if (tag === null) return null;
      if (!this.closingTags.has(tag.name)) return {kind: 'token', start, end: tag.end};
      const alike = this.closingTexts.get(this.source.slice(start, tag.end)) ?? [];
      const forms = [...this.closingTags.get(tag.name), ...alike];
      return {kind: 'close', forms, start, end: tag.end};
    }
    const tag = yield* this.#tag(start, '<', names);
    if (tag === null) return null;
    const [reasoning] = this.reasoningTags.get(tag.name) ?? [];
    if (reasoning) return {kind: 'think', ...reasoning, start, end: tag.end};
    return {kind: 'open', form: this.openingTags.get(tag.name)[0], start, end: tag.end};
  }

  /** A tag with one of some names: `{name, end}`, or null. */
  *#tag(start, begin, names) {
    if (names.length === 0) return null; // before a character more is waited for
    if ((yield* this.source.wordAt(start, [begin])) === null) return null;
    const from = start + begin.length;
    const written = this.#writtenName(from);
    if (written !== null) {
      return names.includes(written) ? {name: written, end: from + written.length + 1} : null;
    }
    let name = '';
    let char = yield* this.source.at(from);
    while (char !== '>' && !isBlank(char)) {
      name += foldCase(char);
      if (!names.some((candidate) => candidate.startsWith(name))) return null;
      char = yield* this.source.at(from + name.length);
    }
    if (!names.includes(name)) return null;
    const end = yield* gapEnd(this.source, from + name.length);
    return (yield* this.source.at(end)) === '>' ? {name, end: end + 1} : null;
  }

  /** The name before the `>` of a tag without blanks, where that is here; else null. */
  #writtenName(from) {
    const {chars} = this.source;
    let name = '';
    for (let i = from; isOfTagName(chars[i]); i++) name += foldCase(chars[i]);
    return chars[from + name.length] === '>' ? name : null;
  }

  *#textEnd(start, text) {
    return (yield* this.source.wordAt(start, [text])) === null ? undefined : start + text.length;
  }

  *#textAt(start) {
    // A channel can be the begin of an end.
    const end = yield* this.source.wordAt(start, [...this.ends]);
    const text = end ?? (yield* this.#longest(start, yield* this.source.wordAt(start, this.texts)));
    if (text === null) return null;
    const from = start + text.length;
    if (this.closingTexts.has(text)) {
      return {kind: 'close', forms: this.closingTexts.get(text), start, end: from};
    }
    if (this.ends.has(text)) {
      const {form, isActive} = this.messages;
      return {kind: isActive ? 'close' : 'token', forms: [form], isEnd: true, start, end: from};
    }
    const [form] = this.openingTexts.get(text) ?? [];
    if (form && hasMessages(form)) {
      const header = yield* this.#messageHeader(start, text === form.opener.text ? from : start, from);
      if (header !== null) return header;
      const channel = this.tokens.has(text) ? yield* channelAlone(this.source, start, text, form) : null;
      if (channel !== null) return this.#marker(channel, start);
    }
    if (this.tokens.has(text)) return {kind: 'token', start, end: from};
    const [reasoning] = this.reasoningTexts.get(text) ?? [];
    if (reasoning) return {kind: 'think', ...reasoning, start, end: from};
    if (hasMessages(form)) return null;
    if (form.opener.end === undefined) {
      return (yield* this.#fitsBefore(from, form)) ? {kind: 'open', form, start, end: from} : null;
    }
    return yield* this.#openerWithHeader(form, start, from);
  }

  /** The control token, no tag, that the end of the text cuts off, or null (EXT-204). */
  *#cutAt(start) {
    if (!this.frame.control || isLetterOrDigit(this.source.chars[start])) return null;
    const begun = [];
    for (const text of this.texts) {
      if (!this.plainTexts.has(text) && (yield* this.source.endsInside(start, text))) begun.push(text);
    }
    const end = this.source.chars.length;
    if (begun.length === 0 || end - start < CUT_OFF) return null;
    const forms = begun.flatMap((text) => this.openingTexts.get(text) ?? []);
    const [form] = forms.sort((one, other) => (one.dialect < other.dialect ? -1 : 1));
    return form === undefined ? {kind: 'token', start, end} : {kind: 'open', form, start, end, header: ''};
  }

  *#messageHeader(start, inner, from) {
    const found = yield* readMessageHeader(this.source, inner, from, this.messages);
    return found === null ? null : this.#marker(found, start);
  }

  /** The marker that a header is, or a channel alone. */
  #marker({kind, header, end}, start) {
    const {form} = this.messages;
    const marker = {isHeader: true, form, start, end, header};
    if (kind === 'content') return {...marker, kind: 'token'};
    if (kind === 'reasoning') return {...marker, kind: 'think', close: form.opener};
    if (kind === 'drop') return {...marker, kind: 'drop'};
    return {...marker, kind: 'open', reserved: kind === 'reserved'};
  }

  /** The longest text that stands at a position, of those that begin with one that does. */
  *#longest(start, text) {
    for (let longest = text; ;) {
      const longer = this.longer.get(longest) ?? [];
      const next = longer.length === 0 ? null : yield* this.source.wordAt(start, longer);
      if (next === null) return longest;
      longest = next;
    }
  }

  /** Whether what follows an opener lets it be one: behind the run of a fence JSON does (extraction: payload). */
  *#fitsBefore(end, {payload}) {
    if (payload?.fence !== 'open') return true;
    return (yield* this.source.wordAt(yield* skipSpace(this.source, end), ['{', '['])) !== null;
  }

  *#openerWithHeader(form, start, from) {
    const found = yield* readHeader(this.source, from, form);
    if (!found) { // EXT-204
      const isOpener = form.isControl && form.opener.name !== undefined;
      return isOpener ? {kind: 'open', form, start, end: from, header: ''} : null;
    }
    const {header, kind, end} = found;
    if (!(yield* this.#fitsBefore(end, form))) return null;
    return {kind: 'open', form, start, end, header, reserved: kind === 'reserved'};
  }
}

/** Whether parameters begin as no tag of XML does. */
function isStray({payload}) {
  return /^<[^A-Za-z]/.test(payload?.name_begin);
}

function isOfTagName(char) {
  return (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z') || char === '_';
}

/** The forms by a name or text of theirs; those that have none are left out. */
function groupBy(forms, keyOf) {
  const groups = new Map();
  for (const form of forms) {
    const key = keyOf(form);
    if (key === undefined) continue;
    groups.set(key, [...(groups.get(key) ?? []), form]);
  }
  return groups;
}

/** Whether a marker is a token where it closes no block. */
export function isToken(marker) {
  return marker?.kind === 'token' || marker?.isEnd === true;
}

/** Whether a marker closes something, or is a token. */
export function isCloser(marker) {
  return marker?.kind === 'close' || isToken(marker);
}
