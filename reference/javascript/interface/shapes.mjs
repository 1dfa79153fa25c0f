// The events of a reply in each interface, and the reply that they are together (interfaces: written block;
// ITF-034 to ITF-036). What is said, and in which order, is decided in writing.mjs.

import {readJson} from '../shared/canonical_json.mjs';
import {isBlankText} from '../shared/characters.mjs';
import {isNothing} from '../shared/json_object.mjs';
import {isObject, own} from '../shared/json_text.mjs';
import {textIn} from './blocks.mjs';
import {countOf} from './chunks.mjs';

/** Why a model did not end a reply itself, in the words of either interface. */
export const CUT = new Map([
  ['length', ['max_tokens', 'max_output_tokens']],
  ['content_filter', ['refusal', 'content_filter']],
]);

/** A message of Anthropic Messages; `reply` is what the events were together so far. */
export class MessageShape {
  #id;
  #content = [];
  #isRefused = false;

  constructor({id, model}) {
    this.#id = id;
    this.reply = {
      id, type: 'message', role: 'assistant', model, content: this.#content,
      stop_reason: null, stop_sequence: null, usage: messageUsage({}),
    };
  }

  begun() {
    return [{type: 'message_start', message: {...this.reply, content: []}}];
  }

  /** Begins a block. */
  opened(kind) {
    return this.#started(blockOf(kind, ''));
  }

  grown(kind, text) {
    const name = blockName(kind);
    return [this.#delta({type: `${name}_delta`, [name]: text})];
  }

  /** Ends the block, which has this text. */
  closed(kind, text) {
    this.#content[this.#content.length - 1] = blockOf(kind, text);
    this.#isRefused ||= kind === 'refusal';
    return [this.#stopped()];
  }

  /** Takes a call; null where its arguments are no object. */
  called(call) {
    const isEmpty = isBlankText(call.arguments);
    const input = isEmpty ? {} : readJson(call.arguments)?.value;
    if (!isObject(input)) return null;
    const made = `call_${this.#id}_${this.#content.length}`.replace(/[^A-Za-z0-9_-]/gu, '_');
    const id = /^[A-Za-z0-9_-]+$/u.test(call.id) ? call.id : made;
    const block = {type: 'tool_use', id, name: call.name, input: {}};
    const begun = this.#started(block);
    const given = isEmpty ? [] : [this.#delta({type: 'input_json_delta', partial_json: call.arguments})];
    this.#content[this.#content.length - 1] = {...block, input};
    return [...begun, ...given, this.#stopped()];
  }

  ended(reason, usage, stop) {
    const isCalling = this.#content.some((block) => block.type === 'tool_use');
    const said = this.#isRefused ? 'refusal' : stop === null ? 'end_turn' : 'stop_sequence';
    const natural = isCalling ? 'tool_use' : said;
    const ended = CUT.get(reason)?.[0] ?? natural;
    const why = {stop_reason: ended, stop_sequence: ended === 'stop_sequence' ? stop : null};
    const counted = messageUsage(usage ?? {});
    Object.assign(this.reply, why, {usage: counted});
    return [{type: 'message_delta', delta: why, usage: counted}, {type: 'message_stop'}];
  }

  /** Ends with an error in the place of the message. */
  failed(code, message) {
    this.reply = {type: 'error', error: {type: 'api_error', message}};
    return [this.reply];
  }

  #started(block) {
    this.#content.push(block);
    return [{type: 'content_block_start', index: this.#content.length - 1, content_block: block}];
  }

  #delta(delta) {
    return {type: 'content_block_delta', index: this.#content.length - 1, delta};
  }

  #stopped() {
    return {type: 'content_block_stop', index: this.#content.length - 1};
  }
}

/** A response of Responses, with the members of `MessageShape`. */
export class ResponseShape {
  #id;
  #number = 0;
  #output = [];

  constructor({id, model, created}) {
    this.#id = id;
    this.reply = {
      id, object: 'response', created_at: created, status: 'in_progress', error: null, incomplete_details: null,
      model, output: this.#output, parallel_tool_calls: true, tool_choice: 'auto', tools: [], usage: null,
    };
  }

  begun() {
    return ['response.created', 'response.in_progress'].map((type) => (
      this.#event(type, {response: {...this.reply, output: []}})
    ));
  }

  /** Begins an item, and its part. */
  opened(kind) {
    return [
      this.#event('response.output_item.added', {item: this.#said(kind, [], 'in_progress'), ...this.#at()}),
      this.#event('response.content_part.added', {part: partOf(kind, ''), ...this.#partAt(kind)}),
    ];
  }

  grown(kind, text) {
    const more = kind === 'text' ? {logprobs: []} : {};
    return [this.#event(`response.${PARTS[kind]}.delta`, {delta: text, ...more, ...this.#partAt(kind)})];
  }

  /** Ends the item, which has this text. */
  closed(kind, text, status) {
    const {type: _, annotations, ...said} = partOf(kind, text);
    return [
      this.#event(`response.${PARTS[kind]}.done`, {...said, ...this.#partAt(kind)}),
      this.#event('response.content_part.done', {part: partOf(kind, text), ...this.#partAt(kind)}),
      this.#done(this.#said(kind, [partOf(kind, text)], status)),
    ];
  }

  /** Takes a call; `has`: what it has of a function that was carried. */
  called({id, has, arguments: text}, status) {
    const isText = has.type === 'custom_tool_call';
    const [prefix, member] = isText ? ['ctc', 'input'] : ['fc', 'arguments'];
    const item = {
      type: 'function_call', id: this.#idOf(prefix), call_id: id || this.#idOf('call'), ...has, [member]: '',
      status: 'in_progress',
    };
    const given = isText ? textIn(text) : text;
    const at = {...this.#at(), item_id: item.id};
    const kind = `response.${item.type}_${member}`;
    return [
      this.#event('response.output_item.added', {item, ...this.#at()}),
      this.#event(`${kind}.delta`, {delta: given, ...at}),
      this.#event(`${kind}.done`, {...(isText ? {} : {name: has.name}), [member]: given, ...at}),
      this.#done({...item, [member]: given, status}),
    ];
  }

  ended(reason, usage) {
    const cut = CUT.get(reason);
    if (cut !== undefined) this.reply.incomplete_details = {reason: cut[1]};
    this.reply.usage = usage === null ? null : responseUsage(usage);
    return this.#over(cut === undefined ? 'completed' : 'incomplete');
  }

  failed(code, message) {
    this.reply.error = {code, message};
    return this.#over('failed');
  }

  #over(status) {
    this.reply.status = status;
    return [this.#event(`response.${status}`, {response: this.reply})];
  }

  #said(kind, content, status) {
    if (kind === 'reasoning') return {type: 'reasoning', id: this.#idOf('rs'), summary: [], content, status};
    return {type: 'message', id: this.#idOf('msg'), role: 'assistant', content, status};
  }

  #done(item) {
    const event = this.#event('response.output_item.done', {item, ...this.#at()});
    this.#output.push(item);
    return event;
  }

  #event(type, members) {
    return {type, sequence_number: this.#number++, ...members};
  }

  #at() {
    return {output_index: this.#output.length};
  }

  #partAt(kind) {
    return {...this.#at(), item_id: this.#idOf(kind === 'reasoning' ? 'rs' : 'msg'), content_index: 0};
  }

  #idOf(prefix) {
    return `${prefix}_${this.#id}_${this.#output.length}`;
  }
}

/** The second behind the last that a time of four digits for the year has. */
const END_OF_TIME = 253402300800;

/** A reply of Ollama, with the members of `MessageShape`. */
export class FlatShape {
  #head;
  #message = {role: 'assistant', content: ''};

  constructor({model, created}) {
    const second = created >= 0 && created < END_OF_TIME ? Math.floor(created) : 0;
    this.#head = {model, created_at: new Date(second * 1000).toISOString().replace('.000Z', 'Z')};
    this.reply = {...this.#head, message: this.#message, done: true};
  }

  begun() {
    return [];
  }

  opened() {
    return [];
  }

  grown(kind, text) {
    return [this.#line({[memberOf(kind)]: text})];
  }

  closed(kind, text) {
    const name = memberOf(kind);
    this.#message[name] = (this.#message[name] ?? '') + text;
    return [];
  }

  /** Takes a call; null where its arguments are no object. */
  called({id, name, arguments: text}) {
    const args = isBlankText(text) ? {} : readJson(text)?.value;
    if (!isObject(args)) return null;
    const call = {...(id === '' ? {} : {id}), function: {name, arguments: args}};
    (this.#message.tool_calls ??= []).push(call);
    return [this.#line({tool_calls: [call]})];
  }

  ended(reason, usage) {
    const counted = usage ?? {};
    const end = {
      done: true, done_reason: reason ?? 'stop',
      prompt_eval_count: countIn(counted, 'prompt_tokens'), eval_count: countIn(counted, 'completion_tokens'),
    };
    Object.assign(this.reply, end);
    return [{...this.#line({}), ...end}];
  }

  failed(code, message) {
    this.reply = {error: message};
    return [this.reply];
  }

  #line(said) {
    return {...this.#head, message: {role: 'assistant', content: '', ...said}, done: false};
  }
}

const PARTS = {reasoning: 'reasoning_text', text: 'output_text', refusal: 'refusal'};

/** The part of an item of Responses. */
function partOf(kind, text) {
  if (kind === 'text') return {type: 'output_text', text, annotations: [], logprobs: []};
  return {type: PARTS[kind], [kind === 'refusal' ? 'refusal' : 'text']: text};
}

function memberOf(kind) {
  return kind === 'reasoning' ? 'thinking' : 'content';
}

function blockName(kind) {
  return kind === 'reasoning' ? 'thinking' : 'text';
}

/** The block of Anthropic Messages; it has none for a refusal but a text. */
function blockOf(kind, text) {
  return kind === 'reasoning' ? {type: 'thinking', thinking: text, signature: ''} : {type: 'text', text};
}

function messageUsage(usage) {
  const [cached, stored] = [cachedIn(usage), storedIn(usage)];
  return {
    input_tokens: Math.max(countIn(usage, 'prompt_tokens') - (cached ?? 0) - (stored ?? 0), 0),
    ...(stored === null ? {} : {cache_creation_input_tokens: stored}),
    ...(cached === null ? {} : {cache_read_input_tokens: cached}),
    output_tokens: countIn(usage, 'completion_tokens'),
  };
}

/** The tokens that came from the cache; null where they are not told. */
function cachedIn(usage) {
  const beside = ['prompt_cache_hit_tokens', 'cached_tokens'].map((name) => own(usage, name));
  return firstOf(own(detailsOf(usage, 'prompt'), 'cached_tokens'), ...beside);
}

/** The tokens that went into the cache; null where they are not told. */
function storedIn(usage) {
  return firstOf(own(detailsOf(usage, 'prompt'), 'cache_write_tokens'), own(usage, 'cache_creation_input_tokens'));
}

/** The first number of tokens that is told. */
function firstOf(...told) {
  const count = told.find((each) => !isNothing(each));
  return count === undefined ? null : countOf(count);
}

function responseUsage(usage) {
  const [prompt, completion] = [countIn(usage, 'prompt_tokens'), countIn(usage, 'completion_tokens')];
  return {
    input_tokens: prompt,
    input_tokens_details: {
      cached_tokens: cachedIn(usage) ?? 0,
      cache_write_tokens: storedIn(usage) ?? 0,
    },
    output_tokens: completion,
    output_tokens_details: {reasoning_tokens: countIn(detailsOf(usage, 'completion'), 'reasoning_tokens')},
    total_tokens: prompt + completion,
  };
}

function detailsOf(usage, side) {
  const details = own(usage, `${side}_tokens_details`);
  return isObject(details) ? details : {};
}

function countIn(counted, name) {
  return countOf(own(counted, name));
}
