// The turn contract: how do the four contracts meet, outbound and inbound?

import {Events} from '../interface/events.mjs';
import {Provider} from '../payload/provider.mjs';
import {hasBadProfile} from '../payload/profile.mjs';
import {profileIds} from '../payload/profiles.mjs';
import {plain, sent, withSent} from '../shared/border.mjs';
import {CommonCallError, resultOf} from '../shared/errors.mjs';
import {TURN_PREPARE, TURN_RECEIVE, TURN_SETTLE, TURN_STREAM} from '../shared/form_data.mjs';
import {pick, without} from '../shared/json_object.mjs';
import {MAX_DEPTH, isObject, isTooDeep} from '../shared/json_text.mjs';
import {published} from '../shared/public.mjs';
import {CUT_OFF} from './joined.mjs';
import {messageIn, readIn, storedIn, writtenIn} from './native.mjs';
import {knownNames} from './opaque.mjs';
import {prepare as prepareTurn} from './prepare.mjs';
import {receive as receiveTurn} from './receive.mjs';
import {inbound, outbound} from './sending.mjs';
import {RESULT_NOT_JSON, settle as settleTurn} from './settle.mjs';
import {warned} from './warned.mjs';
import {RefusedError} from './refused.mjs';
import {Stream, stream as streamTurn} from './stream.mjs';

export {CommonCallError};

const prepareJson = /* @__PURE__ */ published(TURN_PREPARE, prepareTurn);

/**
 * Makes a request ready to leave: which tools, which history, which prompt. With `capability`, what is the
 * same for nearly everybody need not be said, and `reading` of the result is what `receive`, `TurnStream`
 * and `settle` take from `sent`. With `interface` the request has the form of that, and what comes back, is
 * streamed and stored, too.
 */
export function prepare(input) {
  const copied = plain(input, 'input');
  if (isObject(copied) && !Object.hasOwn(copied, 'capability') && !Object.hasOwn(copied, 'registries')) {
    throw new CommonCallError({code: 'invalid_input'}, 'say capability: true or false, or give registries and targets');
  }
  if (!isObject(copied) || !Object.hasOwn(copied, 'capability')) return warned(prepareJson(copied), copied);
  const {interface: name, ...said} = copied;
  if (name === undefined) {
    const {input: given, reading} = outbound(said);
    return {...prepareJson(given), reading};
  }
  const came = readIn(name, said.request);
  if (typeof said.profile === 'string' && said.profile !== name && profileIds.includes(said.profile)) {
    throw new RangeError(`profile is ${JSON.stringify(said.profile)}, of another form than ${name}: leave it out`);
  }
  const {input: given, reading} = outbound({profile: name, ...said, request: came.request});
  const {prepared, native} = writtenIn(name, came, prepareJson(given));
  return {...prepared, reading: {...reading, native}};
}

/**
 * What `messageOf` gave. Its server may have members that nobody asked for, and they are not read; what
 * is no JSON in it, or too deep, is judged where it stands (TRN-078).
 */
const REPLIES = /* @__PURE__ */ new WeakSet();

/**
 * Reads the message that a model gave: `sent` is what `prepare` returned, `choice` one of Chat Completions,
 * or its `message` as `messageOf` gives it, `reply` one of the interface that `prepare` was given. Of that
 * the result has `reply`, as its history has it.
 */
export function receive(given, env = {}) {
  const native = given?.sent?.reading?.native;
  if (native !== undefined) {
    const {reply, ...rest} = given;
    const {message, history} = messageIn(native, sent(reply, 'reply'));
    return {...received(inbound({...rest, message}), env), reply: history};
  }
  const {choice, ...rest} = given ?? {};
  return received(inbound(choice === undefined ? rest : {...rest, message: messageOf(choice)}), env);
}

function received(input, env) {
  const isSent = REPLIES.has(input?.message);
  const read = isSent ? withSent(input, 'message') : plain(input, 'input');
  if (isSent && !hasBadProfile(read)) {
    read.message = pick(read.message, knownNames(read.message, new Provider(read)));
  }
  return resultOf(receiveTurn(read, {...env, isSent}), TURN_RECEIVE, read);
}

const settleJson = /* @__PURE__ */ published(TURN_SETTLE, settleTurn);

/** How deep a content may nest: `turn.settle` takes 128 levels, and three of them stand around it. */
const DEEPEST_CONTENT = MAX_DEPTH - 3;

/**
 * Makes of a received turn and the outcomes of its calls the events and the messages to store. The
 * calls have been run, so a content that is no JSON, or nests too deep, is settled, too: as an error
 * that says so (TRN-076). What else is said of a call and is no JSON is as good as `null`.
 */
export function settle(given) {
  const {sent: way, ...rest} = given ?? {};
  const native = way?.reading?.native;
  if (native !== undefined) {
    const {reply, ...came} = rest.received ?? {};
    if (!Array.isArray(reply)) throw new TypeError('received is not what receive returned for this interface');
    const {native: _, ...reading} = way.reading;
    return storedIn(native, settle({...rest, received: came, sent: {reading}}), plain(reply, 'received.reply'));
  }
  const input = way?.reading?.profile === undefined ? rest : {profile: way.reading.profile, ...rest};
  if (!Array.isArray(input?.outcomes)) return settleJson(input);
  const lost = input.outcomes.map(lostNames);
  const settled = settleJson({...input, outcomes: input.outcomes.map((outcome, at) => (
    lost[at].length === 0 ? outcome : {...outcome, ...Object.assign({}, ...lost[at].map(instead))}
  ))});
  const found = lost.flatMap((names, at) =>
    names.includes('content') ? [{code: 'media_removed', path: `/outcomes/${at}/content`}] : []);
  if (found.length === 0) return settled;
  // Of an outcome whose content is lost there is no other finding.
  const findings = [...settled.findings ?? [], ...found]
    .toSorted((one, other) => outcomeOf(one) - outcomeOf(other));
  return {...settled, findings};
}

function outcomeOf({path}) {
  return Number(path.split('/')[2]);
}

const NOT_JSON = {
  status: 'error',
  error_type: 'tool_error',
  content: RESULT_NOT_JSON,
};

function isJson(value) {
  try {
    return value === undefined || !isTooDeep(plain(value, 'content'), DEEPEST_CONTENT);
  } catch {
    return false;
  }
}

/** The names of what is no JSON in an outcome. */
function lostNames(outcome) {
  return isObject(outcome) ? Object.keys(outcome).filter((name) => !isJson(outcome[name])) : [];
}

/** What stands for it. */
function instead(name) {
  return name === 'content' ? NOT_JSON : {[name]: null};
}

/** Reads a message in chunks at once. */
export const receiveStream = /* @__PURE__ */ published(TURN_STREAM, streamTurn);

/**
 * The message for `receive` of a choice of Chat Completions, `{message, finish_reason}`. A call, or a
 * part, that stands in the place of a list is the one element of it.
 */
export function messageOf(choice) {
  const read = sent(choice, 'choice');
  const {message, finish_reason: reason} = read ?? {};
  if (message?.role !== 'assistant') throw new TypeError('choice.message is of another role than assistant');
  const {role: _, content, text, tool_calls: calls, refusal, truncated, ...more} = message;
  const said = content ?? text ?? spoken(more.audio);
  if (isNothing(calls) && !isNothing(more.toolCalls)) throw new TypeError('choice.message has toolCalls, which Chat Completions calls tool_calls');
  const reply = {
    ...more,
    text: said === null || typeof said === 'string' ? said : listed(said),
    tool_calls: isNothing(calls) ? null : listed(calls),
    ...(typeof refusal === 'string' || refusal === null ? {refusal} : {}),
    ...(CUT_OFF.includes(reason) || truncated === true || truncated === 1 ? {truncated: true} : {}),
  };
  REPLIES.add(reply);
  return reply;
}

/** The words of a message that is audio. */
function spoken(audio) {
  return typeof audio?.transcript === 'string' ? audio.transcript : null;
}

/** Whether a field for calls says that there are none; some servers send `{}`. */
function isNothing(calls) {
  return !calls || (typeof calls === 'object' && Object.keys(calls).length === 0);
}

/**
 * A received message as a client of Chat Completions reads it: `tool_calls` are those that can be run, those that
 * stood in the text among them, and `notes` what the model would read of the others, each once. The reason of
 * the server why a message ended stays where it was cut off.
 */
export function clientMessage(received, finishReason = null) {
  const {outputs} = settle({received: without(received, ['reply']), outcomes: []});
  const told = new Map(outputs.map(({seq, content}) => [seq, content]));
  return {
    content: received.content,
    tool_calls: received.dispatch.map(({id, name, arguments_json: text}) => (
      {id, type: 'function', function: {name, arguments: text}}
    )),
    finish_reason: reasonOf(received, finishReason),
    notes: [...new Set(received.answers.map(({seq}) => told.get(seq)))],
  };
}

function reasonOf({dispatch, truncated = false}, ended) {
  if (dispatch.length > 0 && !(truncated && ended)) return 'tool_calls';
  return ['tool_calls', 'function_call'].includes(ended) ? 'stop' : ended;
}

function listed(value) {
  return Array.isArray(value) ? value : [value];
}

/** Reads a message that arrives in chunks: `feed` each, then `finish`. No call may be run before. */
export class TurnStream {
  #stream;
  #isFinished = false;
  #native;
  #events = null;

  /** `options` is the input of `receive` without its message. */
  constructor(options, {ids} = {}) {
    this.#native = options?.sent?.reading?.native;
    if (this.#native !== undefined) this.#events = new Events(this.#native.interface);
    const given = {...plain(inbound(options), 'input'), chunks: []};
    resultOf(streamTurn(given, {ids}), TURN_STREAM, given);
    const {chunks: _, ...rest} = given;
    this.#stream = new Stream(rest, {ids});
  }

  /**
   * Takes a chunk of Chat Completions, or an event of the interface; returns what can be shown now. One without choices says nothing, as
   * of usage; what stands in a choice is a `TypeError`, and so is a text but `[DONE]`.
   */
  feed(chunk) {
    const read = sent(chunk, 'chunk');
    if (this.#events !== null) return this.#events.feed(read).flatMap((each) => thrown(() => this.#stream.feed(each)));
    if (read !== '[DONE]' && !isChunk(read)) throw new TypeError('chunk is no chunk with choices');
    if (this.#isFinished) throw new Error('the stream is finished');
    return thrown(() => this.#stream.feed(read));
  }

  /** Takes the end; returns what `receive` gives for the whole message. */
  finish() {
    if (this.#isFinished) throw new Error('the stream is finished');
    this.#isFinished = true;
    const received = thrown(() => this.#stream.finish());
    if (this.#events === null) return received;
    return {...received, reply: messageIn(this.#native, this.#events.reply ?? {}).history};
  }

  /** What is still to be shown, after `finish`. */
  get rest() {
    return this.#stream.rest;
  }

  /** The message, after `finish`. */
  get message() {
    return this.#stream.message;
  }

  /** What was wrong with the chunks. */
  get findings() {
    return this.#stream.findings;
  }
}

function isChunk(read) {
  if (!isObject(read)) return false;
  // A message that is a text is that of an error.
  if (Object.hasOwn(read, 'choices') || read.error || typeof read.message === 'string') return true;
  return ['delta', 'message', 'content', 'tool_calls'].every((name) => (read[name] ?? null) === null);
}

function thrown(work) {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return resultOf({error: error.error}, TURN_STREAM);
  }
}
