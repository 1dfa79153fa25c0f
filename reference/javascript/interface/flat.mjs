// Messages that are those of the contracts, but for a few members: those of Ollama (interfaces: flat message,
// flat element; ITF-040, ITF-041, ITF-043).

import {readJson} from '../shared/canonical_json.mjs';
import {MARK} from '../shared/envelope.mjs';
import {isFilledArray, isNothing, pick, without, withoutNull} from '../shared/json_object.mjs';
import {equalJson, isObject, own} from '../shared/json_text.mjs';
import {aligned, callsIn} from './aligned.mjs';
import {DATA, asText, unsaid} from './blocks.mjs';

const NOT_SHOWN = 'This part of the result is no text, and is not shown.';

const isText = (value) => typeof value === 'string';
const isResult = (message) => isObject(message) && own(message, 'role') === 'tool';

/** An element without the mark of a store. */
export function unmarked(native) {
  return isObject(native) ? without(native, [MARK]) : native;
}

/** The messages of a history; with ids, each call has one, and so has its result. */
export function flatMessages(natives, flat, {hasIds = true} = {}) {
  let waiting = new Waiting([]);
  return natives.map((native, at) => {
    const message = messageOf(native, hasIds ? at : null, flat);
    if (isResult(message)) {
      const given = own(message, 'tool_call_id') ?? null;
      const isOpen = given === null || waiting.isStray(given);
      const id = isOpen ? waiting.first(own(message, 'name')) : given;
      if (isNothing(id)) return message;
      waiting.answered.add(asText(id));
      return {...message, tool_call_id: id};
    }
    const known = callsIn(message).filter((call) => !isNothing(own(call, 'id')));
    if (known.length > 0) waiting = new Waiting(known, callsOf(native).some((call) => !isObject(call) || isNothing(own(call, 'id'))));
    return message;
  });
}

/** The calls of a message, and which of them have results. */
class Waiting {
  answered = new Set();
  #lines = new Map();
  #hasMade;
  #known;

  constructor(calls, hasMade = false) {
    this.#hasMade = hasMade;
    this.#known = new Set(calls.map(({id}) => asText(id)));
    for (const {id, function: target} of calls) {
      for (const name of [null, asText(isObject(target) ? own(target, 'name') : null)]) {
        if (!this.#lines.has(name)) this.#lines.set(name, {ids: [], next: 0});
        this.#lines.get(name).ids.push(id);
      }
    }
  }

  /** Whether an id is that of no call, where some came without one. */
  isStray(id) {
    return this.#hasMade && !this.#known.has(asText(id));
  }

  /** The id of the first call of a name, or of any, that has no result. */
  first(name) {
    const line = this.#lines.get(asText(name));
    if (line === undefined) return null;
    while (line.next < line.ids.length && this.answered.has(asText(line.ids[line.next]))) line.next++;
    return line.ids[line.next] ?? null;
  }
}

/** Messages as the interface has them: those that did not change as they were. */
export function writtenMessages(messages, natives, flat, findings) {
  const units = flatMessages(natives, flat).map((message, at) => ({message, native: natives[at], at}));
  const made = new Set(natives.flatMap((native, at) => (
    callsOf(native).flatMap((call, n) => (isObject(call) && isNothing(own(call, 'id')) ? [madeId(at, n)] : []))
  )));
  const names = new Map();
  const sources = aligned(units, messages);
  return messages.map((message, at) => {
    for (const call of callsIn(message)) names.set(asText(own(call, 'id')), own(functionOf(call), 'name') ?? null);
    names.delete(null);
    const unit = sources[at];
    if (unit !== null && stays(unit, message, flat, findings)) return unit.native;
    return isObject(message) ? element(message, {place: ['request', 'messages', at], flat, made, names, findings}) : message;
  });
}

/** Whether the element of a unit goes back as it was; says why the endpoint refuses it. */
function stays({message: before, native, at}, message, flat, findings) {
  const faults = [
    ...(isObject(native) && Array.isArray(own(native, 'content')) ? ['content_coerced'] : []),
    ...(callsOf(native).some((call) => isText(own(functionOf(call), 'arguments'))) ? ['arguments_coerced'] : []),
    ...(isResult(native) && !isNothing(own(native, 'tool_call_id')) &&
      !equalJson(native.tool_call_id, before.tool_call_id) ? ['id_replaced'] : []),
  ];
  for (const code of faults) findings.add(code, ['carried', flat.messages, at]);
  return faults.length === 0 && equalJson(before, message);
}

/** What stands in the array of the calls of a message. */
export function callsOf(message) {
  const calls = isObject(message) ? own(message, 'tool_calls') : null;
  return Array.isArray(calls) ? calls : [];
}

/** A call as the contracts have it, with an id where it has none. */
export function readCall(call, id) {
  if (!isObject(call) || !isObject(own(call, 'function'))) return call;
  const target = call.function;
  const args = own(target, 'arguments');
  const given = withoutNull(call);
  return {
    ...(id === null ? {} : {id}), type: 'function', ...given,
    function: isNothing(args) ? target : {...target, arguments: asText(args)},
  };
}

/** What a call is of; nothing where it is of none. */
export function functionOf(call) {
  const target = isObject(call) ? own(call, 'function') : null;
  return isObject(target) ? target : {};
}

function messageOf(native, at, flat) {
  let message = unmarked(native);
  if (!isObject(message)) return message;
  const [role, content, images] = ['role', 'content', flat.images].map((name) => own(message, name));
  if (isFilledArray(images) && images.every(isText) && (isNothing(content) || isText(content))) {
    const text = content ? [{type: 'text', text: content}] : [];
    const parts = images.map((image) => ({type: 'image_url', image_url: {url: urlOf(image, flat)}}));
    message = {...without(message, [flat.images]), content: [...text, ...parts]};
  }
  const calls = callsOf(message);
  if (role === 'assistant' && calls.length > 0) {
    message.tool_calls = calls.map((call, n) => readCall(call, at === null ? null : madeId(at, n)));
  }
  const name = own(message, flat.result_name);
  if (role === 'tool' && !isNothing(name)) message = {...without(message, [flat.result_name]), name};
  return message;
}

function urlOf(image, flat) {
  const known = Object.entries(flat.media).find(([begin]) => image.startsWith(begin));
  return `data:${known?.[1] ?? 'image/png'};base64,${image}`;
}

function madeId(at, number) {
  return `call_${at}_${number}`;
}

/** A message that is new, or has changed, as the interface has it. */
function element(message, around) {
  const {place, flat, made, names, findings} = around;
  const sent = {...message, ...content(own(message, 'content') ?? '', isResult(message), around)};
  if (Array.isArray(own(message, 'tool_calls'))) {
    sent.tool_calls = message.tool_calls.flatMap((call, at) => {
      const written = writtenCall(call, made);
      if (written === null) findings.add('not_written', [...place, 'tool_calls', at]);
      return written ?? [];
    });
  }
  if (!isResult(message)) return sent;
  const id = asText(own(message, 'tool_call_id'));
  const name = names.has(id) ? names.get(id) : own(message, 'name');
  const gone = made.has(id) ? ['name', 'tool_call_id'] : ['name'];
  return {...without(sent, gone), ...(isNothing(name) ? {} : {[flat.result_name]: name})};
}

/** The members that a content is: its text, and its images. A model is told what it cannot see of a result. */
function content(given, isOfResult, {place, flat, findings}) {
  if (!Array.isArray(given)) return {content: given};
  const [texts, images] = [[], []];
  given.forEach((part, at) => {
    const {type, text, image_url: image} = isObject(part) ? pick(part, ['type', 'text', 'image_url']) : {};
    const url = isObject(image) ? own(image, 'url') : null;
    const data = type === 'image_url' && isText(url) ? DATA.exec(url) : null;
    const isOfText = type === 'text' && isText(text);
    if (isOfText) texts.push(text);
    else if (data !== null) images.push(data[2]);
    else if (isOfResult) texts.push(NOT_SHOWN);
    const lost = isOfText || data !== null ? unsaid(part) : [[]];
    for (const inner of lost) findings.add('not_written', [...place, 'content', at, ...inner]);
  });
  const text = isOfResult ? texts.filter((one) => one !== '').join('\n') : texts.join('');
  return {content: text, ...(images.length > 0 ? {[flat.images]: images} : {})};
}

function writtenCall(call, made) {
  const target = functionOf(call);
  const text = own(target, 'arguments');
  const args = isText(text) ? readJson(text)?.value : null;
  if (!isObject(args)) return null;
  const gone = made.has(own(call, 'id')) ? ['type', 'id'] : ['type'];
  return {...without(call, gone), function: {...target, arguments: args}};
}
