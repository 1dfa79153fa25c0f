// The operation interface.read_events (ITF-027 to ITF-029), and its reader of one event after another.

import {readJson} from '../shared/canonical_json.mjs';
import {isBlankText} from '../shared/characters.mjs';
import {INTERFACE_READ_EVENTS} from '../shared/form_data.mjs';
import {isBad} from '../shared/forms.mjs';
import {isNothing} from '../shared/json_object.mjs';
import {isObject, own} from '../shared/json_text.mjs';
import {asText, callOf, typeOf} from './blocks.mjs';
import {FORMS} from './table_data.mjs';
import {isCall} from './units.mjs';

const REASONS = new Map([
  ['tool_use', 'tool_calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content_filter'],
]);

const ENDS = new Map([
  ['response.completed', 'stop'], ['response.incomplete', 'length'], ['response.failed', 'error'],
]);

const isText = (value) => typeof value === 'string';

/** `{result}` or `{error}` for the events of one reply. */
export function readEvents(input) {
  if (isBad(INTERFACE_READ_EVENTS, input)) return {error: {code: 'invalid_input'}};
  const events = new Events(input.interface);
  const chunks = input.events.flatMap((event) => events.feed(event));
  return {result: {chunks, reply: events.reply}};
}

/** Reads events one by one; `reply` is what they were together so far, null before there was one. */
export class Events {
  reply = null;
  #parts = [];
  #blocks = new Map();
  #begunCalls = 0;
  #calls = new Map();
  #arguments = new Map();
  #read;

  constructor(name) {
    this.#read = name === 'anthropic-messages' ? this.#message : this.#response;
  }

  /** Takes the next event, any JSON; returns the chunks that it is. */
  feed(event) {
    if (!isObject(event)) return [];
    const type = own(event, 'type');
    if (type === 'error') return [{error: own(event, 'error') || {}, choices: []}];
    return this.#read.call(this, type, event);
  }

  #message(type, event) {
    const at = asText(own(event, 'index'));
    const [message, block, delta] = [own(event, 'message'), own(event, 'content_block'), own(event, 'delta')];
    if (type === 'message_start' && isObject(message)) {
      this.reply = {...message, content: []};
    } else if (type === 'content_block_start' && isObject(block)) {
      return this.#begun(at, {...block});
    } else if (type === 'content_block_delta' && isObject(delta) && this.#blocks.has(at)) {
      return this.#grown(at, this.#blocks.get(at), delta);
    } else if (type === 'content_block_stop' && this.#blocks.has(at)) {
      return this.#ended(at, this.#blocks.get(at));
    } else if (type === 'message_delta' && isObject(delta)) {
      this.reply = {...this.reply, ...delta};
      const reason = own(delta, 'stop_reason');
      return isNothing(reason) ? [] : [chunk({}, REASONS.get(reason) ?? 'stop')];
    }
    return [];
  }

  #begun(at, block) {
    this.#blocks.set(at, block);
    this.#parts.push(block);
    this.#calls.delete(at);
    this.#arguments.delete(at);
    this.reply = {...this.reply, content: [...this.#parts]};
    if (typeOf(block) === 'tool_use') return [this.#called(at, own(block, 'id'), own(block, 'name'))];
    const text = typeOf(block) === 'text' ? own(block, 'text') : '';
    return text ? [chunk({content: text})] : [];
  }

  #grown(at, block, delta) {
    const type = typeOf(delta);
    if (type === 'citations_delta' && Object.hasOwn(delta, 'citation')) {
      block.citations = [...(Array.isArray(block.citations) ? block.citations : []), delta.citation];
    } else if (type === 'input_json_delta' && isText(own(delta, 'partial_json'))) {
      const {partial_json: piece} = delta;
      this.#arguments.set(at, (this.#arguments.get(at) ?? '') + piece);
      return piece !== '' && this.#calls.has(at) ? [this.#more(at, piece)] : [];
    } else if (type === 'text_delta' && isText(own(delta, 'text'))) {
      block.text = (block.text ?? '') + delta.text;
      return [chunk({content: delta.text})];
    } else if (type === 'thinking_delta' && isText(own(delta, 'thinking'))) {
      block.thinking = (block.thinking ?? '') + delta.thinking;
    } else if (type === 'signature_delta' && isText(own(delta, 'signature'))) {
      block.signature = delta.signature;
    }
    return [];
  }

  /** A call without arguments has those that it began with. */
  #ended(at, block) {
    const text = this.#arguments.get(at) ?? '';
    if (isBlankText(text)) return this.#calls.has(at) ? [this.#more(at, asText(own(block, 'input')) ?? '')] : [];
    const value = readJson(text)?.value;
    block.input = isObject(value) ? value : text;
    return [];
  }

  #response(type, event) {
    const at = asText(own(event, 'output_index'));
    const [response, item, delta] = [own(event, 'response'), own(event, 'item'), own(event, 'delta')];
    if (ENDS.has(type)) {
      if (isObject(response)) this.reply = response;
      return [chunk({}, ENDS.get(type))];
    }
    if (type === 'response.output_text.delta' && isText(delta)) return [chunk({content: delta})];
    if (type === 'response.refusal.delta' && isText(delta)) return [chunk({refusal: delta})];
    if (type === 'response.function_call_arguments.delta' && isText(delta)) {
      this.#arguments.set(at, (this.#arguments.get(at) ?? '') + delta);
      return this.#calls.has(at) ? [this.#more(at, delta)] : [];
    }
    const isDone = type === 'response.output_item.done';
    return (isDone || type === 'response.output_item.added') && isObject(item) ? this.#item(isDone, at, item) : [];
  }

  #item(isDone, at, item) {
    const chunks = [];
    const form = FORMS['openai-responses'];
    if (isCall(item, 'assistant', form)) {
      if (!this.#calls.has(at)) chunks.push(this.#called(at, own(item, 'call_id'), own(item, 'name')));
      const isSilent = (this.#arguments.get(at) ?? '') === '';
      if (isDone && isSilent) chunks.push(this.#more(at, String(callOf(item, form).function.arguments || '')));
    }
    if (isDone) {
      this.#parts.push(item);
      this.reply = {status: 'incomplete', output: [...this.#parts]};
    }
    return chunks;
  }

  #called(at, id = null, name = null) {
    const index = this.#begunCalls++;
    this.#calls.set(at, index);
    return chunk({tool_calls: [{index, id, type: 'function', function: {name, arguments: ''}}]});
  }

  #more(at, text) {
    return chunk({tool_calls: [{index: this.#calls.get(at), function: {arguments: text}}]});
  }
}

function chunk(delta, reason = null) {
  return {choices: [{index: 0, delta, finish_reason: reason}]};
}
