// The operation turn.stream (TRN-061 to TRN-074), and the same as a class.

import {Extraction} from '../extraction/extract.mjs';
import {TURN_STREAM} from '../shared/form_data.mjs';
import {isBad} from '../shared/forms.mjs';
import {lacksOrigin} from '../payload/profile.mjs';
import {pick} from '../shared/json_object.mjs';
import {Common} from './growing.mjs';
import {Joined} from './joined.mjs';
import {receive} from './receive.mjs';
import {FOR_TEXT} from './receive_input.mjs';
import {RefusedError} from './refused.mjs';
import {fitsPlan, knownTools} from './sent.mjs';

const KINDS = ['reasoning', 'text'];

/** `{result}` or `{error}`: what the message of the chunks is, and what is shown meanwhile. */
export function stream(input, env = {}) {
  if (isBad(TURN_STREAM, input)) return {error: {code: 'invalid_input'}};
  const {chunks, ...options} = input;
  try {
    const turn = new Stream(options, env);
    const shown = chunks.map((chunk) => turn.feed(chunk));
    const received = turn.finish();
    return {result: {
      message: turn.message, received, shown: [...shown, turn.rest], findings: turn.findings,
    }};
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return {error: error.error};
  }
}

/**
 * Reads a message in chunks: `feed` each, then `finish`. No call may be run before. The options are
 * the input of turn.receive without its message.
 */
export class Stream {
  rest = []; // after `finish`, what is still to be shown
  message = null; // after `finish`
  #options;
  #env;
  #joined;
  #readings;
  #common = {reasoning: new Common(), text: new Common()};
  #half = ''; // of a surrogate pair, at the end of a refusal

  constructor(options, {ids} = {}) {
    if (lacksOrigin(options)) throw new RefusedError({code: 'origin_missing'});
    if (!fitsPlan(options)) throw new RefusedError({code: 'plan_mismatch'});
    this.#options = options;
    this.#env = {ids, isSent: true}; // the chunks were judged
    this.#joined = new Joined(options);
    this.#readings = readingsOf(options);
  }

  /** What can be shown when the next chunk has come (TRN-069). */
  feed(chunk) {
    const {content, refusal, hasEntry} = this.#joined.add(chunk);
    const texts = this.#read(content, hasEntry);
    const all = this.#half + refusal;
    this.#half = /[\ud800-\udbff]$/.test(all) ? all.at(-1) : '';
    return listed({...texts, refusal: all.slice(0, all.length - this.#half.length)});
  }

  /** What turn.receive gives for the message (TRN-068). */
  finish() {
    this.message = this.#joined.message();
    const events = this.#readings[0].end();
    const isOpen = this.#readings.length > 1;
    const texts = isOpen ? this.#decide(0, events) : textsOf(events);
    this.rest = listed({...texts, refusal: this.#half});
    const {error, result} = receive({...this.#options, message: this.message}, this.#env);
    if (error) throw new RefusedError(error);
    return result;
  }

  get findings() {
    return this.#joined.findings;
  }

  #read(content, hasEntry) {
    const [text, native] = this.#readings;
    if (native === undefined) return textsOf(content === '' ? [] : text.feed(content));
    this.#add(0, text.feed(content));
    if (hasEntry) return this.#decide(1, native.feed(content));
    this.#add(1, native.feed(content));
    return mapKinds((kind) => this.#common[kind].take());
  }

  #add(side, events) {
    const texts = textsOf(events);
    for (const kind of KINDS) this.#common[kind].add(side, texts[kind]);
  }

  /** One reading holds from here on; what it has and was not shown. */
  #decide(side, events) {
    this.#add(side, events);
    this.#readings = [this.#readings[side]];
    return mapKinds((kind) => this.#common[kind].rest(side));
  }
}

/** The text reading, and the native one where it can differ (turn: reading of a stream). */
function readingsOf(options) {
  const {plan} = options;
  const effective = plan.parse_text_calls ? plan.effective : [];
  const natives = plan.parse_native_calls && effective.length > 0 ? [false, true] : [false];
  return natives.map((isNative) => new Extraction({
    effective, native_calls: isNative, ...pick(options, FOR_TEXT), ...knownTools(options),
  }));
}

function mapKinds(value) {
  return Object.fromEntries(KINDS.map((kind) => [kind, value(kind)]));
}

/** What events have of each kind. */
function textsOf(events) {
  return mapKinds((kind) => events.map((event) => event[kind] ?? '').join(''));
}

function listed({reasoning, text, refusal}) {
  return Object.entries({reasoning, text, refusal})
    .filter(([, shown]) => shown !== '').map(([kind, shown]) => ({[kind]: shown}));
}
