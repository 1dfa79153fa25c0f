// Which messages are left of a history, and which of their members and parts, before anything is
// judged (PAY-061, PAY-137, PAY-065, PAY-154; their order: PAY-143), and which are put in last
// (PAY-175).

import {isBlankText} from '../shared/characters.mjs';
import {isObject, own} from '../shared/json_text.mjs';
import {asText, isTextless, isTextPart, isTextParts, isWordless, partsText, refusalIn, textPart} from './contents.mjs';
import {without} from '../shared/json_object.mjs';
import {MARK} from '../shared/envelope.mjs';
import {hasKnownRole, isEmptyMessage, refusalOf} from './rounds.mjs';

const SAID = ['role', 'content'];

/** The common members of messages by role, of calls, and of the `function` of calls. */
const COMMON = {
  system: SAID,
  developer: SAID,
  user: SAID,
  assistant: [...SAID, 'tool_calls'],
  tool: [...SAID, 'tool_call_id', 'name'],
  call: ['id', 'type', 'function'],
  function: ['name', 'arguments'],
};

/** The kept messages as entries (payload: kept message), in their first form. */
export function cleanMessages(messages, provider, findings) {
  return messages.flatMap((element, at) => {
    const path = ['messages', at];
    const code = whyNoMessage(element);
    if (code !== null) { // PAY-061
      findings.add(code, path);
      return [];
    }
    const isHere = provider.isSource(element);
    const cleaned = cleanMessage(element, path, {isHere, provider, findings});
    const message = provider.flags.blank_texts ? cleaned : withoutBlank(cleaned, path, provider, findings);
    if (message === null) return [];
    if (isEmptyMessage(message)) { // PAY-065
      findings.add('message_empty', path);
      return [];
    }
    const said = withText(message, path, {flags: provider.flags, findings});
    return [{message: said, at, isHere, calls: [], results: []}];
  });
}

/** A message without blank texts, or null for one of a system or a user that is blank (PAY-240). */
function withoutBlank(message, path, {flags}, findings) {
  const content = own(message, 'content');
  if (message.role === 'tool') return message;
  const isBlankPart = (part) => isTextPart(part) && isBlankText(part.text);
  let left = content;
  if (Array.isArray(content)) {
    content.forEach((part, at) => isBlankPart(part) && findings.add('text_blank', [...path, 'content', at]));
    left = content.filter((part) => !isBlankPart(part));
  }
  const takesNull = content !== '' || flags.content_beside_calls === 'any';
  if (typeof content === 'string' && takesNull && isBlankText(content) && own(message, 'tool_calls')?.length > 0) {
    findings.add('text_blank', path);
    return {...message, content: null};
  }
  const isLeft = !isWordless(left) && !(typeof left === 'string' && isBlankText(left));
  if (message.role !== 'assistant' && !isLeft) {
    findings.add('text_blank', path);
    return null;
  }
  if (!Array.isArray(content) || left.length === content.length) return message;
  return {...message, content: left.length === 0 ? null : left};
}

/** A call without the members that go, where `isHere` says whether its message is from here. */
export function cleanCall(call, path, isHere, provider, findings) {
  return cleanObject(call, path, 'call', {isHere, provider, findings});
}

/** The same for the `function` of a call. */
export function cleanFunction(target, path, isHere, provider, findings) {
  return cleanObject(target, path, 'function', {isHere, provider, findings});
}

/**
 * The first of some objects with what is missing in all of them (PAY-175). `call` is the first call
 * there; `path` is null for what was made, which has no findings.
 */
export function withRequired(alike, kind, call, path, {provider, findings}) {
  const missing = Object.entries(provider.flags.opaque_required).filter(([name, required]) =>
    required.in === kind && provider.isOpaqueMember(name) && !(name === '_from' && kind === 'message') &&
    alike.every((one) => lacks(one, name, required)) &&
    (call !== undefined || ![required.value].flat().some(hasPlaceForId)));
  const known = missing.filter(([, required]) => Object.hasOwn(required, 'value'));
  for (const [name, required] of path === null ? [] : missing) {
    const code = Object.hasOwn(required, 'value') ? 'opaque_added' : 'opaque_missing';
    findings.add(code, [...path, name]);
  }
  if (known.length === 0) return alike[0];
  const withId = (value) => hasPlaceForId(value) ? {...value, id: call.id} : value;
  const added = known.map(([name, {value}]) => [name, Array.isArray(value) ? value.map(withId) : withId(value)]);
  return {...alike[0], ...Object.fromEntries(added)};
}

/** Whether an object lacks a member: an endpoint that wants a text takes neither null nor an empty one. */
function lacks(given, name, required) {
  if (!Object.hasOwn(given, name)) return true;
  const value = given[name];
  return (value === null || value === '') && Object.hasOwn(required, 'value') && required.value !== value;
}

function hasPlaceForId(value) {
  return isObject(value) && own(value, 'id') === null;
}

function whyNoMessage(element) {
  if (!isObject(element)) return 'message_not_object';
  return hasKnownRole(element) ? null : 'role_unknown';
}

function cleanMessage(given, path, context) {
  const {provider, findings} = context;
  const message = withRole(withoutForms(given, path, findings), path, provider.flags, findings);
  const unmarked = Object.hasOwn(message, MARK) ? without(message, [MARK]) : message; // PAY-137
  // A refusal beside parts that go is the content, and no unknown member.
  const spoken = withRefusal(withoutParts(unmarked, path, context), path, context);
  return cleanObject(spoken, path, message.role, context);
}

/** A message without the parts that go. */
function withoutParts(message, path, context) {
  const content = own(message, 'content');
  if (message.role === 'tool' || !Array.isArray(content)) return message;
  const parts = cleanParts(content, message.role, [...path, 'content'], context);
  if (parts.length === content.length && parts.every((part, at) => part === content[at])) return message;
  return {...message, content: parts.length === 0 ? null : parts}; // PAY-137
}

/** A message with its refusal as content, where it has no other (PAY-137). */
function withRefusal(message, path, {provider, findings}) {
  const content = refusalOf(message);
  if (content === null || provider.isOpaqueMember('refusal')) return message;
  findings.add('content_coerced', [...path, 'content']);
  return {...without(message, ['refusal']), content};
}

/** A message without what has no place in it (PAY-061). */
function withoutForms(message, path, findings) {
  const gone = [
    ['function_call', Object.hasOwn(message, 'function_call') ? 'function_call_removed' : null],
    ['tool_calls', whyNoCalls(message)],
    ['name', whyNoName(own(message, 'name'))],
  ].filter(([, code]) => code !== null);
  for (const [name, code] of gone) findings.add(code, [...path, name]);
  return without(message, gone.map(([name]) => name));
}

/** Why the `tool_calls` of a message go, or null. */
function whyNoCalls(message) {
  if (!Object.hasOwn(message, 'tool_calls')) return null;
  if (message.role !== 'assistant') return 'tool_calls_misplaced'; // PAY-061
  if (!Array.isArray(message.tool_calls)) return 'tool_calls_not_array';
  return message.tool_calls.length === 0 ? 'tool_calls_empty' : null;
}

/** Why the `name` of a message goes, or null (PAY-061). */
function whyNoName(name) {
  if (name === undefined || typeof name === 'string') return null;
  return name === null ? 'null_omitted' : 'name_not_string';
}

/** A message in a role that the provider knows (PAY-061). */
function withRole(message, path, flags, findings) {
  if (message.role !== 'developer' || flags.developer_role) return message;
  findings.add('role_coerced', [...path, 'role']);
  return {...message, role: 'system'};
}

/** An object without unknown members and opaque ones of others (PAY-137). */
function cleanObject(object, path, kind, {isHere, provider, findings}) {
  const gone = [];
  const signed = {};
  let isUnknown = false;
  const readable = kind === 'assistant' ? provider.readableNames(object) : [];
  for (const name of Object.keys(object)) {
    if (provider.isOpaqueMember(name)) {
      const kept = isHere ? withSigned(object[name]) : [];
      if (kept === object[name]) continue;
      findings.add('opaque_removed', [...path, name]);
      if (kept.length > 0) {
        signed[name] = kept;
        continue;
      }
    } else if (!isTaken(name, kind, provider.flags) && !readable.includes(name)) {
      isUnknown = true;
    } else {
      continue;
    }
    gone.push(name);
  }
  if (isUnknown) findings.add('members_unknown', path); // one for all: their names are not ours
  const kept = gone.length === 0 ? object : without(object, gone);
  return Object.keys(signed).length === 0 ? kept : {...kept, ...signed};
}

/** What is opaque, without the thoughts that nobody signed (PAY-137). */
function withSigned(value) {
  const isUnsigned = (one) => isObject(one) && own(one, 'type') === 'thinking' &&
    (typeof own(one, 'signature') !== 'string' || one.signature === '');
  return Array.isArray(value) && value.some(isUnsigned) ? value.filter((one) => !isUnsigned(one)) : value;
}

/** Whether a provider takes a member that is not opaque (PAY-137). */
function isTaken(name, kind, flags) {
  if (kind === 'tool' && name === 'name' && flags.result_name === 'none') return false;
  return flags.unknown_members === 'any' || COMMON[kind].includes(name);
}

/** The parts of a content that stay (PAY-137). */
function cleanParts(parts, role, path, {provider, findings}) {
  const takesAll = role !== 'assistant' || provider.flags.unknown_members === 'any';
  return parts.flatMap((part, at) => {
    if (isTextPart(part) || takesAll && !isTextless(part)) return [part];
    const words = refusalIn(part); // PAY-137
    findings.add(words === '' ? 'part_unknown' : 'content_coerced', [...path, at]);
    return words === '' ? [] : [textPart(words)];
  });
}

/** A message of a system or a user with a content that everybody takes (PAY-154). */
function withText(message, path, {flags, findings}) {
  if (message.role === 'assistant' || message.role === 'tool') return message;
  const content = own(message, 'content');
  const isText = message.role !== 'user' && flags.content_beside_calls === 'string' && isTextParts(content);
  const sent = isText ? partsText(content) : saidForm(content);
  if (sent === content) return message;
  findings.add('content_coerced', [...path, 'content']);
  return {...message, content: sent};
}

function saidForm(content) {
  if (isWordless(content)) return '';
  return Array.isArray(content) ? content : asText(content);
}
