// The operations interface.write_reply and interface.write_events (ITF-031, ITF-035 to ITF-037), and
// their writer of one chunk after another.

import {canonicalText} from '../shared/canonical_json.mjs';
import {isBlankText} from '../shared/characters.mjs';
import {Findings} from '../shared/findings.mjs';
import {INTERFACE_WRITE_EVENTS, INTERFACE_WRITE_REPLY} from '../shared/form_data.mjs';
import {isBad} from '../shared/forms.mjs';
import {Growing} from '../shared/growing.mjs';
import {isNothing} from '../shared/json_object.mjs';
import {isObject, own} from '../shared/json_text.mjs';
import {asText, typeOf} from './blocks.mjs';
import {CUT, FlatShape, MessageShape, ResponseShape} from './shapes.mjs';
import {FORMS} from './table_data.mjs';
import {ownsOf} from './tools.mjs';
import {unitsOf} from './units.mjs';

const SHAPES = {'anthropic-messages': MessageShape, 'openai-responses': ResponseShape, 'ollama-chat': FlatShape};

const BROKE_OFF = 'the reply broke off';

/** By the reason of a provider that of Chat Completions (interfaces: end of a reply). */
const ENDS = new Map([
  ...['stop', 'tool_calls', 'function_call'].map((reason) => [reason, 'stop']),
  ...['length', 'model_length', 'repetition'].map((reason) => [reason, 'length']),
  ['content_filter', 'content_filter'],
  ...['error', 'abort', 'insufficient_system_resource'].map((reason) => [reason, 'error']),
  ...['malformed_function_call', 'MALFORMED_FUNCTION_CALL'].map((reason) => [reason, 'error']),
  ...['unexpected_tool_call', 'UNEXPECTED_TOOL_CALL'].map((reason) => [reason, 'error']),
  ['function_call_filter: MALFORMED_FUNCTION_CALL', 'error'],
]);

const isText = (value) => typeof value === 'string';
const textOf = (value) => (isText(value) ? value : '');

/** The members of a message that make pieces, and what they have to be. */
const READ = new Map([
  ['role', () => true],
  ['reasoning_content', isText],
  ['reasoning', isText],
  ['content', (value) => isText(value) || Array.isArray(value)],
  ['refusal', isText],
  ['tool_calls', Array.isArray],
]);

/** `{result}` or `{error}` for one reply of Chat Completions. */
export function writeReply(input) {
  if (isBad(INTERFACE_WRITE_REPLY, input)) return {error: {code: 'invalid_input'}};
  const written = new WrittenEvents(input.interface, own(input, 'carried'), ['reply']);
  written.feed(input.reply);
  written.finish({isWhole: true});
  return {result: {reply: written.reply, findings: written.findings}};
}

/** `{result}` or `{error}` for the chunks of one reply. */
export function writeEvents(input) {
  if (isBad(INTERFACE_WRITE_EVENTS, input)) return {error: {code: 'invalid_input'}};
  const written = new WrittenEvents(input.interface, own(input, 'carried'));
  const events = input.chunks.flatMap((chunk) => written.feed(chunk));
  return {result: {events: [...events, ...written.finish()], findings: written.findings}};
}

/** Writes chunks one by one: `feed` each, then `finish`. */
export class WrittenEvents {
  #name;
  #owns;
  #shape = null;
  #place;
  #fed = 0;
  #kind = null;
  #texts = [];
  #calls = []; // in the order of their first pieces
  #lastOf = new Map(); // the last call of an index, and of an id or none
  #reason = null;
  #stop = null; // the stop sequence that matched
  #usage = null;
  #isOver = false;
  #found = new Findings();

  constructor(name, carried = {}, place = null) {
    const form = FORMS[name];
    this.#name = name;
    this.#owns = form.is_flat ? new Map() : ownsOf(carried, unitsOf(carried, form).units, form);
    this.#place = place;
  }

  /** What the events were together, after `finish`. */
  get reply() {
    return this.#shape?.reply ?? {};
  }

  /** What has no place in the interface, in the order of places. */
  get findings() {
    return this.#found.sorted();
  }

  /** Takes the next chunk, any JSON; returns the events that can be given now. */
  feed(chunk) {
    const place = this.#place ?? ['chunks', this.#fed];
    this.#fed += 1;
    if (chunk === '[DONE]') this.#reason ??= 'stop';
    if (this.#isOver || !isObject(chunk)) return [];
    const error = own(chunk, 'error');
    if (isObject(error) || (isText(error) && error !== '')) return this.#failed(error);
    const choices = own(chunk, 'choices');
    const events = (Array.isArray(choices) ? choices : []).flatMap((choice, at) => (
      this.#chosen(choice, at, chunk, [...place, 'choices', at])
    ));
    this.#used(chunk);
    return events;
  }

  /** Takes the usage that a chunk or a choice tells. */
  #used(told) {
    if (isObject(own(told, 'usage'))) this.#usage = told.usage;
  }

  /** Ends the reply; `isWhole`: it was no stream, and needs no reason. */
  finish({isWhole = false} = {}) {
    if (this.#isOver) return [];
    const hasReason = isWhole || this.#reason !== null;
    if (this.#shape === null || !hasReason || this.#reason === 'error') return this.#failed(BROKE_OFF);
    this.#isOver = true;
    const named = this.#calls.filter((call) => call.name !== '');
    const last = CUT.has(this.#reason) ? 'incomplete' : 'completed';
    const events = this.#closed(named.length > 0 ? 'completed' : last);
    for (const call of this.#calls) {
      const status = call === named.at(-1) ? last : 'completed';
      const whole = {...call, arguments: call.arguments.text, has: this.#owns.get(call.name) ?? {name: call.name}};
      const written = call.name === '' ? null : this.#shape.called(whole, status);
      if (written === null) this.#found.add('not_written', call.place);
      events.push(...written ?? []);
    }
    return [...events, ...this.#shape.ended(this.#reason, this.#usage, this.#stop)];
  }

  #begun(head) {
    this.#shape = new SHAPES[this.#name](head);
    return this.#shape.begun();
  }

  #failed(error) {
    this.#isOver = true;
    const events = this.#shape === null ? this.#begun({id: 'reply', model: '', created: 0}) : [];
    const told = isText(error) ? {message: error} : error;
    const message = own(told, 'message');
    const code = textOf(own(told, 'code')) || 'server_error';
    return [...events, ...this.#shape.failed(code, isText(message) ? message : BROKE_OFF)];
  }

  /** The events of a choice, where it is the one that is written. */
  #chosen(choice, at, chunk, place) {
    if (!isObject(choice) || (own(choice, 'index') ?? at) !== 0) {
      this.#found.add('not_written', place);
      return [];
    }
    const events = this.#shape === null ? this.#begun(headOf(chunk)) : [];
    this.#used(choice);
    const reason = own(choice, 'finish_reason');
    if (isText(reason) && !isBlankText(reason)) {
      this.#reason = ENDS.get(reason) ?? 'stop';
      if (!ENDS.has(reason)) this.#found.add('not_written', [...place, 'finish_reason']);
    }
    this.#stop = textOf(own(choice, 'stop_reason')) || textOf(own(choice, 'matched_stop')) || this.#stop;
    const name = isObject(own(choice, 'delta')) ? 'delta' : 'message';
    const said = own(choice, name);
    return isObject(said) ? [...events, ...this.#said(said, [...place, name])] : events;
  }

  /** The events for what a message or a delta says. */
  #said(said, place) {
    for (const [name, value] of Object.entries(said)) {
      if (!isEmpty(value) && !READ.get(name)?.(value)) this.#found.add('not_written', [...place, name]);
    }
    const content = own(said, 'content');
    const parts = Array.isArray(content) ? content : [];
    const calls = own(said, 'tool_calls');
    const events = [
      ...this.#grown('reasoning', textOf(own(said, 'reasoning_content')) || textOf(own(said, 'reasoning'))),
      ...this.#grown('text', textOf(content)),
      ...parts.flatMap((part, at) => this.#part(part, [...place, 'content', at])),
      ...this.#grown('refusal', textOf(own(said, 'refusal'))),
    ];
    if (Array.isArray(calls)) calls.forEach((call, at) => this.#call(call, at, [...place, 'tool_calls', at]));
    return events;
  }

  #part(part, place) {
    const type = typeOf(part);
    if (isText(part)) return this.#grown('text', part);
    if (['text', 'refusal'].includes(type) && isText(own(part, type))) return this.#grown(type, part[type]);
    this.#found.add('not_written', place);
    return [];
  }

  /** Joins a piece to its call. */
  #call(piece, at, place) {
    if (!isObject(piece)) {
      this.#found.add('not_written', place);
      return;
    }
    const given = own(piece, 'function');
    const said = isObject(given) ? given : {};
    const key = canonicalText(own(piece, 'index') ?? at);
    const [id, name, text] = [textOf(own(piece, 'id')), textOf(own(said, 'name')), asText(own(said, 'arguments')) ?? ''];
    const placeOf = (ownId) => JSON.stringify([key, ownId]);
    let call = this.#lastOf.get(placeOf(id)) ?? this.#lastOf.get(placeOf(''));
    // Only a name begins a further call: servers send pieces of one under other ids.
    if (call === undefined || (name !== '' && isEndedBy(call, id, text))) {
      call = {id: '', name: '', arguments: new Growing(), place};
      this.#calls.push(call);
      this.#lastOf.set(placeOf(''), call);
    }
    if (call.id === '') {
      call.id = id;
      this.#lastOf.set(placeOf(id), call);
    }
    call.name ||= name;
    call.arguments.add(text);
  }

  #grown(kind, text) {
    if (text === '') return [];
    const begun = kind === this.#kind ? [] : [...this.#closed(), ...this.#shape.opened(kind)];
    this.#kind = kind;
    this.#texts.push(text);
    return [...begun, ...this.#shape.grown(kind, text)];
  }

  /** Ends the block that was begun, if one was. */
  #closed(status = 'completed') {
    if (this.#kind === null) return [];
    const events = this.#shape.closed(this.#kind, this.#texts.join(''), status);
    [this.#kind, this.#texts] = [null, []];
    return events;
  }
}

/** Whether a piece with a name is of another call. */
function isEndedBy(call, id, text) {
  if (id !== '' && call.id !== '' && id !== call.id) return true;
  return !call.arguments.goesOnWith(text);
}

function headOf(chunk) {
  const created = own(chunk, 'created');
  return {
    id: textOf(own(chunk, 'id')) || 'reply',
    model: textOf(own(chunk, 'model')),
    created: typeof created === 'number' ? created : 0,
  };
}

/** Whether a member says nothing: null, or an empty text, array or object. */
function isEmpty(value) {
  return isNothing(value) || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}
