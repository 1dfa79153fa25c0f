// One block of an interface, and what stands for it in the form of the contracts.

import {compactText, isWritable, readJson} from '../shared/canonical_json.mjs';
import {isNothing, pick} from '../shared/json_object.mjs';
import {isObject, own} from '../shared/json_text.mjs';

export const DATA = /^data:([^;,]+);base64,(.*)$/s;

/** The type of an item that another agent says, to the one that the request is for. */
export const AGENT_MESSAGE = 'agent_message';

const isText = (value) => typeof value === 'string';

/** The type of a block; null where it has none. */
export function typeOf(block) {
  return (isObject(block) ? own(block, 'type') : null) ?? null;
}

/** A string as it is, other JSON as compact JSON; null for null. */
export function asText(value) {
  if (isNothing(value) || isText(value)) return value ?? null;
  return isWritable(value) ? compactText(value) : null;
}

/** What the text of a call is called, there and in the arguments that stand for it. */
export const INPUT = 'input';

/** The types of the blocks of calls, or of results: `what` is `call` or `result`. */
export function typesOf(form, what) {
  return form.text_tool === null ? [form[what].type] : [form[what].type, form.text_tool[what]];
}

/** Whether a block is the call of a tool that takes a text. */
function isOfText(block, form) {
  return form.text_tool !== null && form.text_tool.call === typeOf(block);
}

/** The name that a function, a call or a choice has in the contracts, with its namespace. */
export function flatName(value, namespace) {
  const name = own(value, 'name') ?? null;
  return isText(name) && isText(namespace) ? `${namespace}__${name}` : name;
}

/** The namespace of a call or a choice, or null. */
export function namespaceOf(value, form) {
  return form.namespace === null ? null : own(value, form.namespace) ?? null;
}

/** What a call has of its function: its type, its name and its namespace (interfaces: carried function). */
export function ownOf(block, form) {
  return pick(block, ['type', 'name', ...(form.namespace === null ? [] : [form.namespace])]);
}

/** What stands for a block that is no call and no result (interfaces: part of a block). */
export function partOf(block, form, isOfAssistant = false) {
  if (isText(block)) return {type: 'text', text: block};
  const url = imageOf(block);
  if (url !== null) {
    const detail = own(block, 'detail');
    return {type: 'image_url', image_url: {url, ...(typeOf(block) === 'input_image' && isText(detail) ? {detail} : {})}};
  }
  const type = typeOf(block);
  if (Object.values(form.text).includes(type) && isText(own(block, 'text'))) {
    return {type: 'text', text: block.text};
  }
  const texts = type === AGENT_MESSAGE ? textsIn(own(block, 'content')) : [];
  if (texts.length > 0) return {type: 'text', text: texts.join('\n')};
  return isOfAssistant && type !== null ? block : {type: 'file', file: block};
}

/** What a content says in words; what is encrypted in it nobody here can read. */
function textsIn(content) {
  return partsIn(content).map((one) => isObject(one) ? own(one, 'text') : null).filter(isText);
}

/** The address of an image, or null. */
function imageOf(block) {
  const type = typeOf(block);
  if (type === 'input_image' && isText(own(block, 'image_url'))) return block.image_url;
  const source = type === 'image' ? own(block, 'source') : null;
  const [kind, url] = [typeOf(source), isObject(source) ? own(source, 'url') : null];
  if (kind === 'url' && isText(url)) return url;
  if (kind !== 'base64' || !isText(own(source, 'media_type')) || !isText(own(source, 'data'))) return null;
  return `data:${source.media_type};base64,${source.data}`;
}

/** A block for a part of a message of a role, or null (interfaces: block of a part). */
export function blockOf(part, form, role) {
  const type = typeOf(part);
  if (type === 'text' && isText(own(part, 'text'))) {
    return {type: role === 'assistant' ? form.text.assistant : form.text.user, text: part.text};
  }
  const image = type === 'image_url' ? own(part, 'image_url') : null;
  if (isObject(image) && isText(own(image, 'url')) && role !== 'assistant') return imageBlock(image, form);
  const file = type === 'file' ? own(part, 'file') : null;
  if (isObject(file)) {
    if (isOwn(typeOf(file), form)) return file;
    if (form.has_items && isText(own(file, 'file_data'))) return {...file, type: 'input_file'};
  }
  if (form.has_items && type === 'refusal' && isText(own(part, 'refusal'))) return part;
  return role === 'assistant' && isOwn(type, form) ? part : null;
}

/** What an item for a part says itself, and not what the part holds. */
const SAID = new Map([['image_url', ['type', 'image_url']], ['file', ['type']]]);

/**
 * The places in a part of the members that the block for it has no place for; without a form, those that
 * a flat message has none for (ITF-019, ITF-043).
 */
export function unsaid(part, form = null) {
  const {type} = part;
  const more = ['text', 'image_url', 'file'].includes(type) ? othersIn(part, ['type', type]) : [];
  const held = part[type];
  if (type === 'image_url' && !form?.has_items) return [...more, ...othersIn(held, ['url'], [type])];
  if (form === null || !SAID.has(type) || (type === 'file' && isOwn(typeOf(held), form))) return more;
  return [...more, ...othersIn(pick(held, SAID.get(type)), [], [type])];
}

/** The places of an object's members with other names; a null counts as absent. */
export function othersIn(given, names, place = []) {
  return Object.keys(given).filter((name) => !names.includes(name) && !isNothing(given[name])).map((name) => [...place, name]);
}

/** Whether blocks of a type are the interface's own. */
function isOwn(type, form) {
  return form.own_parts.includes(type) || form.own_items.includes(type);
}

function imageBlock({url, ...more}, form) {
  if (form.has_items) return {detail: 'auto', ...more, type: 'input_image', image_url: url};
  const data = DATA.exec(url);
  const source = data === null ? {type: 'url', url} : {type: 'base64', media_type: data[1], data: data[2]};
  return {type: 'image', source};
}

/** The call that a block is. */
export function callOf(block, form) {
  const [id, name] = [own(block, form.call.id), flatName(block, namespaceOf(block, form))];
  const given = isOfText(block, form) ? {[INPUT]: own(block, INPUT) ?? null} : own(block, form.call.arguments);
  const isObjectThere = isOfText(block, form) || form.call.arguments_are === 'object';
  const args = isObjectThere ? asText(given) : given;
  return {
    ...(isNothing(id) ? {} : {id}),
    type: 'function',
    function: {...(isNothing(name) ? {} : {name}), ...(isNothing(args) ? {} : {arguments: args})},
  };
}

/** The block of a call of a carried function, or of another; null where its arguments have no place there. */
export function callBlock(call, form, carried = null) {
  const given = isObject(call) ? own(call, 'function') : null;
  const text = isObject(given) ? own(given, 'arguments') : null;
  if (!isText(text)) return null;
  const block = {[form.call.id]: own(call, 'id') ?? null, ...(carried ?? {type: form.call.type, name: own(given, 'name') ?? null})};
  if (block.type !== form.call.type) return {...block, [INPUT]: textIn(text)};
  const args = form.call.arguments_are === 'object' ? readJson(text)?.value : text;
  if (form.call.arguments_are === 'object' && !isObject(args)) return null;
  return {...block, [form.call.arguments]: args};
}

/** The text that a tool takes that takes one. */
export function textIn(text) {
  const value = readJson(text)?.value;
  return isObject(value) && isText(own(value, INPUT)) ? value[INPUT] : text;
}

/** Parts as a content: one text as a string (interfaces: message of a unit). */
export function contentOf(parts, nothing) {
  if (parts.length === 0) return nothing;
  const isOneText = parts.length === 1 && parts[0].type === 'text' && isText(parts[0].text);
  return isOneText ? parts[0].text : parts;
}

/** The parts of a content; a string is a text, and all else that is no array is none. */
export function partsIn(content) {
  if (isText(content)) return [{type: 'text', text: content}];
  return Array.isArray(content) ? content : [];
}

// Chat Completions has no other place for it.
export const FAILED = 'The tool failed.';

/** The content of the result that a block is; one of a failure begins with that. */
export function resultContent(block, form) {
  const given = own(block, form.result.content);
  const content = Array.isArray(given) ? contentOf(given.map((each) => partOf(each, form)), '') : given ?? '';
  if (own(block, 'is_error') !== true) return content;
  if (Array.isArray(content)) return [{type: 'text', text: FAILED}, ...content];
  return isText(content) ? `${FAILED}\n${content}` : content;
}
