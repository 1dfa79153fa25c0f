// The operation interface.read_events (ITF-027, ITF-028), and its reader of one event after another.

import {readJson} from '../shared/canonical_json.mjs';
import {isBlankText} from '../shared/characters.mjs';
import {INTERFACE_READ_EVENTS} from '../shared/form_data.mjs';
import {isBad} from '../shared/forms.mjs';
import {isNothing, pick, withoutNull} from '../shared/json_object.mjs';
import {isObject, own} from '../shared/json_text.mjs';
import {asText, typeOf} from './blocks.mjs';
import {called, chunk, ended, more, usageOf} from './chunks.mjs';
import {callsOf, functionOf, readCall} from './flat.mjs';
import {CUT_DONE} from './reply.mjs';
import {ResponseEvents} from './response_events.mjs';

const REASONS = new Map([
  ['tool_use', 'tool_calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content_filter'],
]);

// By the type of a delta its member, and the block that it begins where no block takes it.
const DELTAS = new Map([
  ['text_delta', ['text', {type: 'text', text: ''}]],
  ['thinking_delta', ['thinking', {type: 'thinking', thinking: ''}]],
  ['signature_delta', ['signature', {type: 'thinking', thinking: ''}]],
  ['input_json_delta', ['partial_json', {type: 'tool_use'}]],
]);

const isText = (value) => typeof value === 'string';

const textOf = (block, name) => (isText(own(block, name)) ? block[name] : '');

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
  #head = null;
  #parts = [];
  #blocks = new Map();
  #last = null;
  #begunCalls = 0;
  #items = new ResponseEvents();
  #read;

  constructor(name) {
    this.#read = {
      'anthropic-messages': this.#message, 'openai-responses': this.#response, 'ollama-chat': this.#line,
    }[name];
  }

  /** Takes the next event, any JSON; returns the chunks that it is. */
  feed(event) {
    if (!isObject(event)) return [];
    const type = own(event, 'type');
    if (type === 'error') return [{error: own(event, 'error') ?? {}, choices: []}];
    return this.#read.call(this, type, event);
  }

  #response(type, event) {
    const chunks = this.#items.feed(type, event);
    this.reply = this.#items.reply;
    return chunks;
  }

  #message(type, event) {
    const at = asText(own(event, 'index'));
    const [message, block, delta] = [own(event, 'message'), own(event, 'content_block'), own(event, 'delta')];
    const known = at === null ? this.#last : this.#blocks.get(at) ?? this.#last;
    if (type === 'message_start') {
      this.#toldOfMessage(isObject(message) ? message : {});
    } else if (type === 'content_block_start' && isObject(block)) {
      return this.#begun(at, {...block});
    } else if (type === 'content_block_delta' && isObject(delta)) {
      return this.#added(at, known, delta);
    } else if (type === 'content_block_stop' && known !== null) {
      return this.#ended(known);
    } else if (type === 'message_delta') {
      return this.#closing(isObject(delta) ? delta : {}, own(event, 'usage'));
    }
    return [];
  }

  /** What the end of a message says. */
  #closing(told, usage) {
    const head = {...this.#head, ...told};
    let used = own(head, 'usage');
    used = isObject(used) ? used : {};
    if (isObject(usage)) head.usage = used = {...used, ...withoutNull(usage)};
    this.#toldOfMessage(head);
    const reason = own(told, 'stop_reason');
    if (isNothing(reason)) return [];
    const [input, output, cached_tokens, cache_write_tokens] = [
      'input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens',
    ].map((name) => own(used, name));
    const counted = usageOf([input, cached_tokens, cache_write_tokens], output, {cached_tokens, cache_write_tokens});
    const stop = reason === 'stop_sequence' ? own(told, 'stop_sequence') : null;
    return [ended(REASONS.get(reason) ?? 'stop', counted, stop)];
  }

  #toldOfMessage(head) {
    this.#head = head;
    this.reply = this.#parts.length > 0 ? {...head, content: [...this.#parts]} : head;
  }

  #begun(at, block) {
    const isCall = typeOf(block) === 'tool_use';
    this.#last = {value: block, number: isCall ? this.#begunCalls++ : null, json: []};
    this.#blocks.set(at, this.#last);
    this.#parts.push(block);
    this.#toldOfMessage(this.#head ?? {});
    if (isCall) return [called(this.#last.number, own(block, 'id'), own(block, 'name'))];
    const text = typeOf(block) === 'text' ? textOf(block, 'text') : '';
    return text === '' ? [] : [chunk({content: text})];
  }

  /** A delta is of its block, of the last one, or of one that it begins: the first that takes it. */
  #added(at, known, delta) {
    const type = typeOf(delta);
    if (Object.hasOwn(delta, 'citation') && known !== null) {
      const citations = own(known.value, 'citations');
      known.value.citations = [...(Array.isArray(citations) ? citations : []), delta.citation];
    }
    const [name, begun] = DELTAS.get(type) ?? [];
    const piece = name === undefined ? null : own(delta, name);
    if (!isText(piece)) return [];
    const taking = [known, this.#last].find((block) => block !== null && takes(block.value, begun));
    if (taking !== undefined) return grown(taking, type, name, piece);
    if (piece === '') return [];
    return [...this.#begun(at, {...begun}), ...grown(this.#last, type, name, piece)];
  }

  /** A call without arguments has those that it began with. */
  #ended({value, number, json}) {
    const text = json.join('');
    if (isBlankText(text)) {
      if (number === null) return [];
      json.push(asText(own(value, 'input')) ?? '{}');
      return [more(number, json.at(-1))];
    }
    const read = readJson(text)?.value;
    if (number !== null || own(value, 'input') !== undefined) value.input = isObject(read) ? read : text;
    return [];
  }

  /** A line of Ollama, which can hold words, calls and the end. */
  #line(_, event) {
    const [error, message, reason] = ['error', 'message', 'done_reason'].map((name) => own(event, name));
    if (!isNothing(error)) return [{error, choices: []}];
    const chunks = [];
    if (isObject(message)) {
      this.reply = {...this.reply, ...withoutNull(event), message: joined(this.reply?.message ?? {}, message)};
      const text = own(message, 'content');
      if (isText(text) && text !== '') chunks.push(chunk({content: text}));
      chunks.push(...callsOf(message).map((call) => this.#whole(readCall(call, null))));
    }
    if (own(event, 'done') === true) {
      const usage = usageOf([own(event, 'prompt_eval_count')], own(event, 'eval_count'), {});
      chunks.push(ended(CUT_DONE.includes(reason) ? reason : 'stop', usage));
    }
    return chunks;
  }

  #whole(call) {
    const id = isObject(call) ? own(call, 'id') : null;
    return chunk({tool_calls: [{
      index: this.#begunCalls++, ...(isNothing(id) ? {} : {id}), type: 'function',
      function: pick(functionOf(call), ['name', 'arguments']),
    }]});
  }
}

function takes(block, begun) {
  const isOther = begun.type === 'tool_use';
  return isOther ? !['text', 'thinking'].includes(typeOf(block)) : typeOf(block) === begun.type;
}

function grown({value, number, json}, type, name, piece) {
  if (type === 'input_json_delta') {
    json.push(piece);
    return piece !== '' && number !== null ? [more(number, piece)] : [];
  }
  value[name] = type === 'signature_delta' ? piece : textOf(value, name) + piece;
  return type === 'text_delta' ? [chunk({content: piece})] : [];
}

/** The message of a reply and what one more says, as one. */
function joined(known, message) {
  const said = withoutNull(message);
  const [calls, more] = [own(known, 'tool_calls'), own(said, 'tool_calls')];
  for (const name of ['content', 'thinking']) {
    if (isText(own(known, name)) && isText(own(said, name))) said[name] = known[name] + said[name];
  }
  if (Array.isArray(calls) && Array.isArray(more)) said.tool_calls = [...calls, ...more];
  return {...known, ...said};
}
