// A turn in another interface: what leaves, comes back and is stored has its form. What the contract
// interface reads and writes, put around a turn in the form of the contracts.

import {partsIn, typeOf} from '../interface/blocks.mjs';
import {read} from '../interface/read.mjs';
import {readReply} from '../interface/reply.mjs';
import {FORMS} from '../interface/table_data.mjs';
import {write} from '../interface/write.mjs';
import {MARK} from '../shared/envelope.mjs';
import {resultOf} from '../shared/errors.mjs';
import {INTERFACE_READ, INTERFACE_READ_REPLY, TURN_PREPARE} from '../shared/form_data.mjs';
import {isEmptyArray, isFilledArray, without} from '../shared/json_object.mjs';
import {othersThan} from '../shared/near.mjs';

/** A request of an interface in the form of the contracts, and what is carried beside it. */
export function readIn(name, request) {
  if (!Object.hasOwn(FORMS, name)) {
    throw new RangeError(`there is no interface ${JSON.stringify(name)}; ${othersThan(name, Object.keys(FORMS))}`);
  }
  const input = {interface: name, request, origin: originOf(name, request)};
  return resultOf(read(input), INTERFACE_READ, input);
}

/** What was prepared as its interface has it, with what the way back needs to know. */
export function writtenIn(name, came, prepared) {
  const {request} = prepared;
  const {request: sent, findings} = write({interface: name, request, carried: came.carried}).result;
  if (isFilledArray(came.request.messages) && isEmptyArray(sent[FORMS[name].messages])) {
    resultOf({error: {code: 'history_emptied'}}, TURN_PREPARE);
  }
  return {
    prepared: {...prepared, request: sent, findings: [...came.findings, ...prepared.findings, ...findings]},
    native: {interface: name, origin: originOf(name, came.request), request, tools: came.carried.tools ?? null},
  };
}

/** Where a request of an interface goes, as marks of stores have it. */
function originOf(name, request) {
  return {provider: name, model: String(request?.model)};
}

/** A reply as `receive` takes it, and as the history of the interface has it. */
export function messageIn({interface: name}, reply) {
  const input = {interface: name, reply};
  return resultOf(readReply(input), INTERFACE_READ_REPLY, input);
}

/**
 * What is stored as the interface has it: the reply as it came, but for what changed. Thoughts and blocks of
 * the provider stand where they stood, and the result of a call that failed is an error.
 */
export function storedIn({interface: name, origin, tools}, settled, reply) {
  const {messages: key, is_flat: isFlat} = FORMS[name];
  const came = read({interface: name, request: {[key]: reply}}).result;
  const said = came.request.messages ?? [];
  const own = isFlat ? [] : said.flatMap((message) => partsIn(message.content));
  const messages = settled.history.map((message) => {
    const kept = without(message, [MARK]);
    if (kept.role !== 'assistant') return kept;
    return isFlat ? {...said[0], ...kept} : {...kept, content: contentOf(kept.content, own)};
  });
  const {request} = write({interface: name, request: {messages}, carried: {...came.carried, tools}}).result;
  const failed = new Set(settled.events.filter(({status}) => status !== 'ok').map((event) => event.tool_call_id));
  return {...settled, history: request[key].map((native) => stored(native, origin, failed))};
}

/** What is stored: with a mark of its origin, and an error where a call failed. */
function stored(native, origin, failed) {
  const {role, type, content} = native;
  if (role === 'tool' || type?.endsWith('_output')) return native;
  if (role !== 'user') return {...native, [MARK]: origin};
  if (!Array.isArray(content)) return native;
  return {...native, content: content.map((block) => (
    failed.has(block.tool_use_id) ? {...block, is_error: true} : block
  ))};
}

/**
 * The parts of a reply where its words are what they were; else those that are no words, and the words that
 * are left.
 */
function contentOf(words, own) {
  const isWord = (part) => typeOf(part) === 'text';
  const said = own.filter(isWord).map((part) => part.text).join('');
  const others = own.filter((part) => !isWord(part));
  const parts = said === (words ?? '') ? own : [...others, ...(words ? [{type: 'text', text: words}] : [])];
  return parts.length > 0 ? parts : null;
}
