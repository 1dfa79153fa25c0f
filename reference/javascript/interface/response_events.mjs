// The events of Responses as chunks, and the response that they are together (definitions "item of an event", "rest").

import {compactText} from '../shared/canonical_json.mjs';
import {isBlankText} from '../shared/characters.mjs';
import {isNothing} from '../shared/json_object.mjs';
import {isObject, own} from '../shared/json_text.mjs';
import {asText, callOf} from './blocks.mjs';
import {called, chunk, ended, more, usageOf} from './chunks.mjs';
import {readReply} from './reply.mjs';
import {FORMS} from './table_data.mjs';
import {isCall} from './units.mjs';

const MESSAGE = {type: 'message', role: 'assistant'};
const REASONING = {type: 'reasoning', summary: []};

// By the event that brings pieces: the kind of its item, what they are pieces of, and an item of nothing else.
const PIECES = new Map([
  ['response.output_text', ['message', 'text', MESSAGE]],
  ['response.refusal', ['message', 'refusal', MESSAGE]],
  ['response.reasoning_text', ['reasoning', 'reasoning_text', REASONING]],
  ['response.reasoning_summary_text', ['reasoning', 'summary_text', REASONING]],
  ['response.function_call_arguments', ['call', 'arguments', {type: 'function_call'}]],
  ['response.custom_tool_call_input', ['call', 'input', {type: 'custom_tool_call'}]],
]);

// Where an item has what came of it: the member, the type of the part, and its own member.
const PARTS = {
  text: ['content', 'output_text', 'text'],
  refusal: ['content', 'refusal', 'refusal'],
  reasoning_text: ['content', 'reasoning_text', 'text'],
  summary_text: ['summary', 'summary_text', 'text'],
};

const DELTAS = {text: 'content', refusal: 'refusal'};

const ENDS = new Map([
  ['response.completed', 'stop'], ['response.incomplete', 'length'], ['response.failed', 'error'],
]);

const RESPONSES = FORMS['openai-responses'];

const isText = (value) => typeof value === 'string';
const isOfCall = (item) => isCall(item, 'assistant', RESPONSES);
const functionIn = (item) => callOf(item, RESPONSES).function;

/** Reads events one by one; `reply` is what they were together so far, null before there was one. */
export class ResponseEvents {
  reply = null;
  #hasEnded = false;
  #items = []; // in the order in which they began
  #done = []; // in the order in which they were done
  #known = new Map(); // by kind and place
  #last = new Map(); // of each kind
  #calls = new Map(); // that chunks have begun, by their ids
  #number = 0;
  #came = {text: [], refusal: []}; // of all items

  feed(type, event) {
    if (ENDS.has(type)) return this.#ended(type, own(event, 'response'));
    if (!isText(type)) return [];
    const [name, step] = [type.slice(0, type.lastIndexOf('.')), type.slice(type.lastIndexOf('.') + 1)];
    const [item, delta] = [own(event, 'item'), own(event, 'delta')];
    const isTold = ['added', 'done'].includes(step);
    if (name === 'response.output_item' && isTold && isObject(item)) return this.#told(event, item, step);
    if (!PIECES.has(name)) return [];
    const [kind, piece, begun] = PIECES.get(name);
    const whole = own(event, PARTS[piece]?.[2] ?? piece);
    if (step === 'delta' && isText(delta)) return this.#add(this.#item(kind, event, begun, 'piece'), piece, delta);
    if (step === 'done' && isText(whole)) return this.#settle(this.#item(kind, event, begun, 'piece'), piece, whole);
    return [];
  }

  /** The item of an event; one that begins with it where there is none. */
  #item(kind, event, value, step) {
    const isTold = step !== 'piece';
    const index = own(event, 'output_index');
    const ids = isTold ? [own(value, 'id'), own(value, 'call_id')] : [own(event, 'item_id')];
    const places = ids.filter((id) => !isNothing(id) && id !== '').map((id) => `${kind} id ${asText(id)}`);
    if (!isNothing(index)) places.unshift(`${kind} index ${asText(index)}`);
    const lookedUp = isNothing(index) ? places : places.slice(0, 1);
    let item = this.#known.get(lookedUp.find((place) => this.#known.has(place)));
    const last = this.#last.get(kind);
    if (last !== undefined && (!last.isPlaced || (isNothing(index) && step !== 'added'))) item ??= last;
    if (item === undefined || (isTold && isOther(item, value))) {
      item = {value: {...value}, pieces: [], arguments: [], number: null, isPlaced: false, isDone: false};
      this.#last.set(kind, item);
      this.#items.push(item);
    }
    item.isPlaced ||= places.length > 0 || isTold;
    for (const place of places) this.#known.set(place, item);
    return item;
  }

  #told(event, given, step) {
    const [isDone, ofCall] = [step === 'done', isOfCall(given)];
    const item = this.#item(kindOf(given), event, given, step);
    const value = isDone ? filled(item, given) : given;
    if (isDone && !item.isDone) this.#done.push(item);
    if (isDone || !item.isDone) item.value = {...value};
    item.isDone ||= isDone;
    const chunks = ofCall && (isDone || isKnown(value)) ? this.#begun(item) : [];
    if (!isDone) return chunks;
    for (const [name, whole] of Object.entries(saidIn(value))) chunks.push(...this.#settle(item, name, whole));
    if (!this.#hasEnded) this.reply = {status: 'incomplete', output: this.#done.map((each) => each.value)};
    return chunks;
  }

  /** A call that chunks have not begun, with the arguments that came before it. */
  #begun(item) {
    if (item.number !== null) return [];
    item.number = this.#number++;
    const id = own(item.value, 'call_id');
    this.#calls.set(asText(id), item);
    const waiting = item.arguments.join('');
    const {name} = functionIn(item.value);
    return [called(item.number, id, name), ...(waiting === '' ? [] : [more(item.number, waiting)])];
  }

  #add(item, name, piece) {
    if (name === 'arguments') {
      item.arguments.push(piece);
      return item.number === null ? [] : [more(item.number, piece)];
    }
    item.pieces.push([name, piece]);
    if (name === 'input') {
      // As it stands in the compact JSON of the object that the tool takes here.
      const start = item.arguments.length > 0 ? '' : '{"input":"';
      return this.#add(item, 'arguments', start + compactText(piece).slice(1, -1));
    }
    if (!Object.hasOwn(DELTAS, name)) return [];
    this.#came[name].push(piece);
    return [chunk({[DELTAS[name]]: piece})];
  }

  /** What an item is in the end: what is left of it. */
  #settle(item, name, whole) {
    const rest = restOf(whole, cameOf(item, name));
    if (name === 'input') {
      item.pieces.push([name, rest]);
      return this.#settle(item, 'arguments', compactText({input: whole}));
    }
    return rest === '' ? [] : this.#add(item, name, rest);
  }

  #ended(type, response) {
    const open = this.#items.filter(({isDone}) => !isDone);
    let output = [...this.#done.map((item) => [item, item.value]), ...open.map((item) => [item, filled(item, item.value)])];
    if (isObject(response)) {
      const given = own(response, 'output');
      const isEmpty = isNothing(given) || (Array.isArray(given) && given.length === 0);
      [this.#hasEnded, this.reply] = [true, response];
      if (!isEmpty) output = this.#whole(Array.isArray(given) ? given : []).map((value) => [null, value]);
      if (output.length > 0) this.reply = {...response, output: output.map(([, value]) => value)};
    }
    return [...(type === 'response.failed' ? [] : this.#rest(output)), ended(ENDS.get(type), usageIn(response))];
  }

  /** The items of a response, with the pieces that came of them. */
  #whole(output) {
    const given = new Set();
    return output.map((value) => {
      const ids = isObject(value) ? [own(value, 'id'), own(value, 'call_id')].filter((id) => !isNothing(id)) : [];
      const place = ids.map((id) => `${kindOf(value)} id ${asText(id)}`).find((each) => this.#known.has(each));
      const item = this.#known.get(place);
      if (item === undefined || given.has(item)) return value;
      given.add(item);
      return filled(item, value);
    });
  }

  /** What the end of a response holds and no event before it said. */
  #rest(output) {
    const begun = new Map(this.#calls);
    const said = output.map(([, value]) => saidIn(value));
    const left = {};
    for (const [name, pieces] of Object.entries(this.#came)) {
      const whole = said.map((each) => each[name] ?? '').join('');
      left[name] = whole.length - restOf(whole, pieces.join('')).length;
    }
    return output.flatMap(([item, value], at) => {
      const chunks = [];
      if (isOfCall(value)) {
        const call = item ?? begun.get(asText(own(value, 'call_id'))) ?? {value, pieces: [], arguments: [], number: null};
        chunks.push(...this.#begun(call), ...this.#settle(call, 'arguments', said[at].arguments ?? ''));
      }
      for (const [name, member] of Object.entries(DELTAS)) {
        const text = said[at][name] ?? '';
        if (text.length > left[name]) chunks.push(chunk({[member]: text.slice(left[name])}));
        left[name] = Math.max(0, left[name] - text.length);
      }
      return chunks;
    });
  }
}

/** Whether a call has what chunks can begin it with: an id, and a name. */
function isKnown(call) {
  return [own(call, 'call_id'), own(call, 'name')].every((each) => asText(each));
}

/** Of which kind an item is. */
function kindOf(item) {
  return isOfCall(item) ? 'call' : asText(own(item, 'type')) ?? 'message';
}

/** What a response used, or null where that is not told. */
function usageIn(response) {
  const usage = isObject(response) ? own(response, 'usage') : null;
  if (!isObject(usage)) return null;
  const [before, after] = ['input_tokens_details', 'output_tokens_details']
    .map((name) => (isObject(own(usage, name)) ? usage[name] : {}));
  const details = {
    cached_tokens: own(before, 'cached_tokens'), cache_write_tokens: own(before, 'cache_write_tokens'),
  };
  const reasoning = own(after, 'reasoning_tokens') ?? null;
  return usageOf([own(usage, 'input_tokens')], own(usage, 'output_tokens'), details, reasoning);
}

/** What a text has beyond what came of it. */
function restOf(whole, came) {
  if (isBlankText(came)) return whole;
  return whole.startsWith(came) ? whole.slice(came.length) : '';
}

function cameOf(item, name) {
  if (name === 'arguments') return item.arguments.join('');
  return item.pieces.filter(([of]) => of === name).map(([, piece]) => piece).join('');
}

/** An item as it was told, with its pieces where that says nothing. */
function filled(item, value) {
  return {...value, ...Object.fromEntries(Object.entries(piecesOf(item)).filter(([name]) => saysNothing(own(value, name))))};
}

/** The members that the pieces of an item make. */
function piecesOf(item) {
  if (item.pieces.some(([name]) => name === 'input')) return {input: cameOf(item, 'input')};
  const given = item.arguments.join('');
  if (!isBlankText(given)) return {arguments: given};
  const runs = [];
  for (const [name, piece] of item.pieces) {
    if (runs.at(-1)?.name !== name) runs.push({name, text: ''});
    runs.at(-1).text += piece;
  }
  const said = {};
  for (const {name, text} of runs.filter((run) => !isBlankText(run.text))) {
    const [member, type, whole] = PARTS[name];
    (said[member] ??= []).push({type, [whole]: text});
  }
  return said;
}

/** Whether a member of an item says nothing: a text, or parts. */
function saysNothing(given) {
  if (Array.isArray(given)) {
    return given.every((part) => isObject(part) && (own(part, 'text') === '' || own(part, 'refusal') === ''));
  }
  return isNothing(given) || (isText(given) && isBlankText(given));
}

/** Whether an item that is told is another than the one that began at its place. */
function isOther(item, value) {
  const name = isOfCall(value) ? 'call_id' : 'id';
  const [known, told] = [item.value, value].map((each) => asText(own(each, name)) || null);
  if (item.isDone) return told === null || told !== known;
  return isOfCall(value) && known !== null && told !== null && told !== known;
}

/** The arguments of a call, or the text and the refusal of any other item. */
function saidIn(item) {
  if (isOfCall(item)) {
    return {arguments: asText(functionIn(item).arguments) ?? ''};
  }
  const {text, refusal} = readReply({interface: 'openai-responses', reply: {output: [item]}}).result.message;
  return Object.fromEntries(Object.entries({text, refusal}).filter(([, said]) => isText(said)));
}
