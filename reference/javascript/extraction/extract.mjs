// The operations extraction.extract and extraction.stream (EXT-001 to EXT-007, EXT-110,
// EXT-111, EXT-114, EXT-115, EXT-165, EXT-166).

import {EXTRACTION_EXTRACT, EXTRACTION_STREAM} from '../shared/form_data.mjs';
import {isBad} from '../shared/forms.mjs';
import {activeForms, frameOf} from './dialects.mjs';
import {countRemoved, toUnreadable} from './losses.mjs';
import {Language} from './markers.mjs';
import {Output} from './output.mjs';
import {Reader} from './reader.mjs';
import {toMatched, toParts, toRepairs, toSegments} from './segments.mjs';
import {Source} from './source.mjs';
import {randomUuids} from '../shared/uuid.mjs';

const MOST_LANGUAGES = 64;

/** `{result}` or `{error}` for one text; without `env.ids` the ids are random. */
export function extract(input, env = {}) {
  if (isBad(EXTRACTION_EXTRACT, input)) return {error: {code: 'invalid_input'}};
  const extraction = new Extraction(input);
  extraction.readWhole(input.text);
  return extraction.outcome(env.ids);
}

/** The same for a text in chunks, with the events of each. */
export function stream(input, env = {}) {
  if (isBad(EXTRACTION_STREAM, input)) return {error: {code: 'invalid_input'}};
  const extraction = new Extraction(input);
  const emitted = input.chunks.map((chunk) => extraction.feed(chunk));
  emitted.push(extraction.end());
  const {error, result} = extraction.outcome(env.ids);
  return error ? {error} : {result: {result, emitted}};
}

const languages = new Map();

/** The language of an input; some are kept, since one program asks for few. */
function languageOf(input) {
  const {effective, format, dialects, guided, limits, reasoning, fences} = input;
  const bytes = limits?.payload_bytes;
  const output = guided === undefined ? '' : guided === 'required';
  const isAsked = effective.length > 0;
  const key = `${isAsked} ${output} ${reasoning === 'none'} ${fences === 'extract'} ${format} ${dialects} ${bytes}`;
  if (!languages.has(key)) {
    if (languages.size === MOST_LANGUAGES) languages.clear();
    languages.set(key, new Language(activeForms(input), frameOf(input)));
  }
  return languages.get(key);
}

/** The extraction from one text as it arrives. */
export class Extraction {
  #source = new Source();
  #output;
  #reading;
  #events = null; // all of them, where the caller wants parts

  constructor(input) {
    const language = languageOf(input);
    this.#output = new Output(this.#source, language.foreign);
    const reader = new Reader(this.#source, this.#output, {
      language,
      tools: input.tools ?? [],
      effective: input.effective === 'any' ? null : input.effective,
      isNative: input.native_calls === true,
      openFences: input.fences === 'extract',
      guidedName: input.guided?.named,
      startsInReasoning: input.reasoning === 'open',
    });
    this.#reading = reader.read();
    if (input.parts === true) this.#events = [];
  }

  /** Reads a text that came at once. */
  readWhole(text) {
    this.#source.addWhole(text);
    if (this.#events === null) this.#output.beSilent();
    this.#reading.next();
    this.#keep(this.#output.finish());
  }

  /** Reads a chunk as far as it can, and returns its events. */
  feed(chunk) {
    this.#source.add(chunk);
    this.#reading.next();
    const events = this.#output.takeEvents();
    this.#keep(events);
    return events;
  }

  /** Reads what is left, and returns the last events. */
  end() {
    this.#source.end();
    this.#reading.next();
    const events = this.#output.finish();
    this.#keep(events);
    return events;
  }

  #keep(events) {
    this.#events?.push(...events);
  }

  /** `{result}`, or `{error}` where the ids run out. */
  outcome(injected) {
    const {content, reasoning, calls, pieces} = this.#output;
    const ids = injected ?? randomUuids(calls.length); // EXT-084
    if (ids.length < calls.length) return {error: {code: 'env_exhausted'}}; // EXT-083
    calls.forEach((call, i) => { call.id = ids[i]; }); // EXT-081
    const unreadable = toUnreadable(pieces);
    const removed = countRemoved(pieces);
    return {result: {
      content,
      reasoning,
      tool_calls: calls, // EXT-005
      ...(unreadable.length > 0 ? {unreadable} : {}), // EXT-165
      ...(removed > 0 ? {removed} : {}), // EXT-166
      matched: toMatched(pieces),
      repairs: toRepairs(pieces),
      segments: toSegments(this.#source, pieces),
      ...(this.#events === null ? {} : {parts: toParts(this.#events)}),
    }};
  }
}
