// One message out of chunks of Chat Completions (TRN-061 to TRN-067, TRN-072, TRN-074).

import {isBlankText} from '../shared/characters.mjs';
import {compactText, hasNumbers} from '../shared/canonical_json.mjs';
import {Growing} from '../shared/growing.mjs';
import {isObject, own} from '../shared/json_text.mjs';
import {Findings} from '../shared/findings.mjs';
import {isTextPart} from '../payload/contents.mjs';
import {camelCalls} from '../payload/foreign_form.mjs';
import {Provider} from '../payload/provider.mjs';
import {joinedNames, namesIn} from './opaque.mjs';
import {RefusedError} from './refused.mjs';
import {joinElements, Values} from './values.mjs';

/** The reasons of a choice that was cut off (TRN-067). */
export const CUT_OFF = [
  'length', 'model_length', 'content_filter', 'insufficient_system_resource', 'repetition', 'error',
  'abort', 'malformed_function_call', 'MALFORMED_FUNCTION_CALL', 'unexpected_tool_call',
  'UNEXPECTED_TOOL_CALL', 'function_call_filter: MALFORMED_FUNCTION_CALL',
];

/** What a chunk has; one without is of another interface (TRN-072). */
const OF_CHUNKS = ['choices', 'error', 'usage'];

/** Takes chunks, and has the message at the end. */
export class Joined {
  #findings = new Findings();
  #texts = {content: [], refusal: []};
  #parts = []; // of contents that are arrays, but for their texts
  #provider;
  #values = new Values();
  #slots = [];
  #known = new Map(); // the last slot of an index, of an id, and of both
  #lastAt = new Map(); // the last slot of a place in an array of several entries
  #isRow = false;
  #isByPlace = false;
  #said = new Set(); // the members that deltas had
  #isFinished = false;
  #isCut = false;
  #count = 0;

  constructor(options) {
    this.#provider = new Provider(options);
  }

  /** `{content, refusal, hasEntry}` of the next chunk, which can be anything. */
  add(chunk) {
    const number = this.#count++;
    const nothing = {content: '', refusal: '', hasEntry: false};
    if (chunk === '[DONE]') this.#isFinished = true;
    if (!isObject(chunk)) return nothing;
    if (!OF_CHUNKS.some((name) => Object.hasOwn(chunk, name))) this.#notRead(['chunks', number]);
    if (!isNone(own(chunk, 'error'))) this.#isCut = true;
    const choice = choiceOf(chunk);
    if (choice === null) return nothing;
    const reason = visible(own(choice, 'finish_reason'));
    if (reason !== null) this.#isFinished = true;
    if (CUT_OFF.includes(reason)) this.#isCut = true;
    const [delta, message] = [own(choice, 'delta'), own(choice, 'message')];
    const path = ['chunks', number, 'choices', 0];
    const said = isObject(delta) ? this.#sayDelta(delta, [...path, 'delta']) : nothing;
    if (!isObject(message)) return said;
    const below = [...path, 'message'];
    const more = this.#read(this.#unsaid(message, delta, below), below);
    return {
      content: said.content + more.content,
      refusal: said.refusal + more.refusal,
      hasEntry: said.hasEntry || more.hasEntry,
    };
  }

  #sayDelta(delta, path) {
    for (const [name, value] of Object.entries(delta)) {
      if (saysSomething(value)) this.#said.add(name);
    }
    return this.#read(delta, path);
  }

  /** What of a whole message no delta has said (turn: delta). */
  #unsaid(message, delta, path) {
    for (const name of ['content', 'refusal', 'tool_calls']) {
      const value = own(message, name);
      if (!this.#said.has(name) || !saysSomething(value)) continue;
      const isList = name === 'tool_calls' && Array.isArray(value);
      if (isList && value.length <= this.#slots.length) continue;
      const isBeside = isObject(delta) && typeof value === 'string' && value === own(delta, name);
      if (!isBeside && value !== this.#texts[name]?.join('')) this.#notRead([...path, name]);
    }
    return Object.fromEntries(Object.entries(message).filter(([name]) => !this.#said.has(name)));
  }

  #read(delta, path) {
    const content = this.#content(delta, path);
    const refusal = this.#text(delta, 'refusal', path);
    this.#carry(this.#values, delta, joinedNames(delta, this.#provider), path);
    if (!isNone(own(delta, 'function_call'))) this.#notRead([...path, 'function_call']);
    if (camelCalls(delta) !== null) this.#notRead([...path, 'toolCalls']);
    const calls = own(delta, 'tool_calls');
    const hasEntry = Array.isArray(calls) && calls.some(isObject);
    if (Array.isArray(calls)) this.#enterAll(calls, [...path, 'tool_calls']);
    else if (!isNone(calls)) this.#notRead([...path, 'tool_calls']);
    return {content, refusal, hasEntry};
  }

  /** What of the content of a delta is spoken (turn: spoken pieces). */
  #content(delta, path) {
    const parts = own(delta, 'content');
    if (!Array.isArray(parts)) return this.#text(delta, 'content', path);
    const texts = parts.filter(isTextPart).map(({text}) => text);
    this.#texts.content.push(...texts);
    joinElements(this.#parts, parts.filter((part) => !isTextPart(part)));
    return texts.join('');
  }

  #text(delta, name, path) {
    const text = own(delta, name);
    if (typeof text === 'string') this.#texts[name].push(text);
    else if (!isNone(text)) this.#notRead([...path, name]);
    return typeof text === 'string' ? text : '';
  }

  /** Carries what is opaque in an object (TRN-074). */
  #carry(values, object, names, path) {
    for (const name of values.add(object, names)) {
      this.#findings.add('opaque_removed', [...path, name]);
    }
  }

  #notRead(path) {
    this.#findings.add('delta_not_read', path);
  }

  #enterAll(calls, path) {
    const entries = calls.filter(isObject);
    this.#isRow = entries.length > 1;
    this.#isByPlace = this.#isRow && !entries.some(saysWhose);
    for (const [at, entry] of calls.entries()) {
      if (isObject(entry)) this.#enter(entry, [...path, at], calls);
      else if (entry !== null) this.#notRead([...path, at]);
    }
  }

  /** Puts an entry into its slot (turn: slot). */
  #enter(entry, path, array) {
    const given = own(entry, 'function');
    if (!isNone(given) && !isObject(given)) this.#notRead([...path, 'function']);
    const target = isObject(given) ? given : {};
    const [index, id] = [indexOf(entry), visible(own(entry, 'id'))];
    const [name, piece] = [own(target, 'name'), pieceOf(own(target, 'arguments'))];
    const slot = this.#slotOf(index, id, visible(name), piece, array, path.at(-1));
    if (this.#isRow) this.#lastAt.set(path.at(-1), slot);
    slot.path ??= path;
    slot.array = array;
    slot.index ??= index;
    slot.id ??= id;
    slot.type ??= visible(own(entry, 'type'));
    this.#carry(slot.values, entry, namesIn(entry, this.#provider), path);
    this.#carry(slot.ofFunction, target, namesIn(target, this.#provider), [...path, 'function']);
    for (const key of keysOf(slot.index, slot.id)) {
      const before = this.#known.get(key);
      if (before === undefined || before.at < slot.at) this.#known.set(key, slot);
    }
    if (typeof name === 'string' && name !== slot.kept) slot.kept = (slot.kept ?? '') + name; // TRN-065
    if (piece !== null) slot.arguments.add(piece);
  }

  #slotOf(index, id, name, piece, array, place) {
    const isMore = id === null && name === null && piece !== null && !isBlankText(piece);
    const beside = this.#isByPlace ? this.#lastAt.get(place) : undefined; // at the same place before
    const open = beside ?? this.#openSlot(index, id) ?? (isMore ? this.#unendedSlot() : undefined);
    const isOther = open !== undefined && name !== null && id !== null && open.id !== null &&
      id !== open.id;
    const isNext = open?.array === array && name !== null && (index === null || open.index === null);
    if (open !== undefined && !isOther && !isNext && !begins(open, name, piece)) return open;
    const slot = {
      at: this.#slots.length, index: null, id: null, type: null,
      kept: null, arguments: new Growing(),
      values: new Values(), ofFunction: new Values(),
    };
    this.#slots.push(slot);
    return slot;
  }

  #openSlot(index, id) {
    const last = this.#slots.at(-1);
    const find = (...key) => this.#known.get(JSON.stringify(key));
    const named = id === null ? undefined : find(null, id);
    if (index === null) return named ?? last;
    return (id === null ? undefined : find(index, id)) ?? find(index, null) ??
      (named?.index === null ? named : undefined) ?? (last?.index === null ? last : undefined);
  }

  /** The last slot, if its arguments can go on: some servers count pieces, not calls. */
  #unendedSlot() {
    const last = this.#slots.at(-1);
    return last?.arguments.isObject() ? undefined : last;
  }

  /** The findings in their order (TRN-072). */
  get findings() {
    return this.#findings.sorted();
  }

  /** What all chunks are together. */
  message() {
    const seen = new Set();
    const calls = this.#slots.filter((slot) => !this.#isRepeated(slot, seen))
      .map((slot) => this.#call(slot));
    const {content, refusal} = this.#texts;
    const text = content.length > 0 ? content.join('') : null;
    const spoken = text === null ? [] : [{type: 'text', text}];
    return {
      text: this.#parts.length > 0 ? [...this.#parts, ...spoken] : text,
      tool_calls: calls.length > 0 ? calls : null,
      truncated: this.#isCut || !this.#isFinished,
      ...(refusal.length > 0 ? {refusal: refusal.join('')} : {}),
      ...this.#values.members,
    };
  }

  /** Whether a slot repeats an earlier one (turn: repeated call); it is named then. */
  #isRepeated({index, id, kept, arguments: given, path}, seen) {
    const keys = [index, id].filter((key) => key !== null).map((key) => JSON.stringify([key, kept, given.text]));
    const isRepeated = index !== null && given.isObject() && keys.some((key) => seen.has(key));
    if (isRepeated) this.#notRead(path);
    keys.forEach((key) => seen.add(key));
    return isRepeated;
  }

  #call({id, type, kept, arguments: {isGiven, text}, values, ofFunction}) {
    return {
      ...(id === null ? {} : {id}),
      ...(type === null ? {} : {type}),
      function: {
        ...(kept === null ? {} : {name: kept}),
        ...(isGiven ? {arguments: text} : {}),
        ...ofFunction.members,
      },
      ...values.members,
    };
  }

}

/** The choice of a chunk, or null (turn: delta). */
function choiceOf(chunk) {
  const choices = own(chunk, 'choices');
  if (!Array.isArray(choices) || choices.length === 0) return null;
  const [choice] = choices;
  const index = isObject(choice) ? own(choice, 'index') : undefined;
  if (choices.length > 1 || !(isNone(index) || index === 0)) throw new RefusedError({code: 'choice_not_single'});
  return isObject(choice) ? choice : null;
}

/** Whether an entry begins another call although its slot is open. */
function begins(slot, name, piece) {
  return name !== null && piece !== null && !slot.arguments.goesOnWith(piece);
}

function keysOf(index, id) {
  return [[index, null], [null, id], [index, id]].map((key) => JSON.stringify(key));
}

function saysWhose(entry) {
  return indexOf(entry) !== null || visible(own(entry, 'id')) !== null;
}

function indexOf(entry) {
  const index = own(entry, 'index');
  return Number.isInteger(index) ? index : null;
}

function pieceOf(value) {
  if (isNone(value)) return null;
  if (typeof value === 'string') return value;
  return hasNumbers(value) ? compactText(value) : 'NaN'; // which cannot be read
}

/** A text that is not blank, or null. */
function visible(value) {
  return typeof value === 'string' && !isBlankText(value) ? value : null;
}

/** Whether a value of a delta is one. */
function saysSomething(value) {
  return !isNone(value) && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function isNone(value) {
  return value === undefined || value === null;
}
