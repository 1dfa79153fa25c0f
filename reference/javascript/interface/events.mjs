// The operation interface.read_events (ITF-027, ITF-028), and its reader of one event after another.

import {readJson} from '../shared/canonical_json.mjs';
import {isBlankText} from '../shared/characters.mjs';
import {INTERFACE_READ_EVENTS} from '../shared/form_data.mjs';
import {isBad} from '../shared/forms.mjs';
import {isNothing, pick, withoutNull} from '../shared/json_object.mjs';
import {isObject, own} from '../shared/json_text.mjs';
import {asText, callOf, typeOf} from './blocks.mjs';
import {callsOf, functionOf, readCall} from './flat.mjs';
import {CUT_DONE, readReply} from './reply.mjs';
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

const RESPONSES = FORMS['openai-responses'];

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
  #final = null;
  #parts = [];
  #open = new Map();
  #blocks = new Map();
  #last = null;
  #begunCalls = 0;
  #calls = new Map();
  #arguments = new Map();
  #ids = new Set();
  #said = new Set();
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

  #message(type, event) {
    const isOfLast = isNothing(own(event, 'index')) && type !== 'content_block_start';
    const at = isOfLast ? this.#last : asText(own(event, 'index'));
    const [message, block, delta] = [own(event, 'message'), own(event, 'content_block'), own(event, 'delta')];
    if (type === 'message_start') {
      this.#toldOfMessage(isObject(message) ? message : {});
    } else if (type === 'content_block_start' && isObject(block)) {
      return this.#begun(at, {...block});
    } else if (type === 'content_block_delta' && isObject(delta) && this.#blocks.has(at)) {
      return this.#grown(at, this.#blocks.get(at), delta);
    } else if (type === 'content_block_stop' && this.#blocks.has(at)) {
      return this.#ended(at, this.#blocks.get(at));
    } else if (type === 'message_delta') {
      const told = isObject(delta) ? delta : {};
      this.#toldOfMessage({...this.#head, ...told});
      const reason = own(told, 'stop_reason');
      return isNothing(reason) ? [] : [chunk({}, REASONS.get(reason) ?? 'stop')];
    }
    return [];
  }

  #toldOfMessage(head) {
    this.#head = head;
    this.reply = this.#parts.length > 0 ? {...head, content: [...this.#parts]} : head;
  }

  #begun(at, block) {
    this.#blocks.set(at, block);
    this.#last = at;
    this.#parts.push(block);
    this.#calls.delete(at);
    this.#arguments.delete(at);
    this.#toldOfMessage(this.#head ?? {});
    if (typeOf(block) === 'tool_use') return [this.#called(at, own(block, 'id'), own(block, 'name'))];
    const text = typeOf(block) === 'text' ? own(block, 'text') : '';
    return isText(text) && text !== '' ? [chunk({content: text})] : [];
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
      block.text = textOf(block, 'text') + delta.text;
      return [chunk({content: delta.text})];
    } else if (type === 'thinking_delta' && isText(own(delta, 'thinking'))) {
      block.thinking = textOf(block, 'thinking') + delta.thinking;
    } else if (type === 'signature_delta' && isText(own(delta, 'signature'))) {
      block.signature = delta.signature;
    }
    return [];
  }

  /** A call without arguments has those that it began with. */
  #ended(at, block) {
    const text = this.#arguments.get(at) ?? '';
    if (isBlankText(text)) {
      const input = own(block, 'input');
      return this.#calls.has(at) ? [this.#more(at, isNothing(input) ? '{}' : asText(input) ?? '')] : [];
    }
    const value = readJson(text)?.value;
    block.input = isObject(value) ? value : text;
    return [];
  }

  #response(type, event) {
    const at = asText(own(event, 'output_index'));
    const [response, item, delta] = [own(event, 'response'), own(event, 'item'), own(event, 'delta')];
    if (ENDS.has(type)) {
      if (isObject(response)) [this.#final, this.reply] = [response, this.#withItems(response)];
      return [...(type === 'response.failed' ? [] : this.#unsaid()), chunk({}, ENDS.get(type))];
    }
    if (['response.output_text.delta', 'response.refusal.delta'].includes(type) && isText(delta)) {
      this.#said.add(at);
      if (this.#open.has(at)) addText(this.#open.get(at), type.includes('refusal') ? 'refusal' : 'text', delta);
      return [chunk({[type.includes('refusal') ? 'refusal' : 'content']: delta})];
    }
    if (type === 'response.function_call_arguments.delta' && isText(delta)) return this.#argued(at, delta);
    if (type === 'response.function_call_arguments.done') return this.#settled(at, own(event, 'arguments'));
    const isDone = type === 'response.output_item.done';
    return (isDone || type === 'response.output_item.added') && isObject(item) ? this.#item(isDone, at, item) : [];
  }

  /** Arguments that come before their call wait for it. */
  #argued(at, text) {
    this.#arguments.set(at, (this.#arguments.get(at) ?? '') + text);
    return this.#calls.has(at) ? [this.#more(at, text)] : [];
  }

  /** The arguments of the end, where none came before. */
  #settled(at, text) {
    return isText(text) && isBlankText(this.#arguments.get(at) ?? '') ? this.#argued(at, text) : [];
  }

  #item(isDone, at, item) {
    const chunks = isCall(item, 'assistant', RESPONSES)
      ? this.#call(isDone, at, item)
      : isDone ? this.#texts(at, item) : [];
    if (!isDone) this.#open.set(at, {...item});
    else {
      this.#open.delete(at);
      this.#parts.push(item);
      if (this.#final === null) this.reply = {status: 'incomplete', output: [...this.#parts]};
    }
    return chunks;
  }

  /** A response; where it has no item, with those that came before it. */
  #withItems(response) {
    for (const [at, item] of this.#open) {
      const text = this.#arguments.get(at) ?? '';
      if (!isBlankText(text)) item.arguments = text;
    }
    const came = [...this.#parts, ...this.#open.values()];
    const output = own(response, 'output');
    const isEmpty = isNothing(output) || (Array.isArray(output) && output.length === 0);
    return came.length > 0 && isEmpty ? {...response, output: came} : response;
  }

  #call(isDone, at, item) {
    const chunks = [];
    const {name, arguments: given} = callOf(item, RESPONSES).function;
    if (!this.#calls.has(at)) {
      chunks.push(this.#called(at, own(item, 'call_id'), name));
      if (this.#arguments.get(at)) chunks.push(this.#more(at, this.#arguments.get(at)));
    }
    return isDone ? [...chunks, ...this.#settled(at, given)] : chunks;
  }

  /** The texts of an item of which none came. One without a place can be of any. */
  #texts(at, item) {
    if (this.#said.has(at) || this.#said.has(null)) return [];
    const {text, refusal} = readReply({interface: 'openai-responses', reply: {output: [item]}}).result.message;
    const chunks = Object.entries({content: text, refusal}).filter(([, said]) => said);
    if (chunks.length > 0) this.#said.add(at);
    return chunks.map(([name, said]) => chunk({[name]: said}));
  }

  /** What the end of a response holds and no event before it said. */
  #unsaid() {
    const output = this.#final === null ? null : own(this.#final, 'output');
    const begun = new Set(this.#ids);
    const isSilent = this.#said.size === 0;
    return (Array.isArray(output) ? output : []).flatMap((item, number) => {
      if (!isCall(item, 'assistant', RESPONSES)) return isSilent ? this.#texts(`end ${number}`, item) : [];
      return begun.has(asText(own(item, 'call_id'))) ? [] : this.#call(true, `end ${number}`, item);
    });
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
    if (own(event, 'done') === true) chunks.push(chunk({}, CUT_DONE.includes(reason) ? reason : 'stop'));
    return chunks;
  }

  #whole(call) {
    const id = isObject(call) ? own(call, 'id') : null;
    return chunk({tool_calls: [{
      index: this.#begunCalls++, ...(isNothing(id) ? {} : {id}), type: 'function',
      function: pick(functionOf(call), ['name', 'arguments']),
    }]});
  }

  #called(at, id = null, name = null) {
    const index = this.#begunCalls++;
    this.#calls.set(at, index);
    this.#ids.add(asText(id));
    return chunk({tool_calls: [{index, id, type: 'function', function: {name, arguments: ''}}]});
  }

  #more(at, text) {
    return chunk({tool_calls: [{index: this.#calls.get(at), function: {arguments: text}}]});
  }
}

/** Adds a text or a refusal to the content of an item, to its last part if that is of the kind. */
function addText(item, kind, text) {
  const type = kind === 'refusal' ? kind : 'output_text';
  const content = Array.isArray(own(item, 'content')) ? [...item.content] : [];
  const last = typeOf(content.at(-1)) === type ? content.pop() : {type};
  item.content = [...content, {...last, [kind]: textOf(last, kind) + text}];
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

function chunk(delta, reason = null) {
  return {choices: [{index: 0, delta, finish_reason: reason}]};
}
