// Which messages are left of a history, and which of their members and parts, before anything is
// judged (PAY-061 to PAY-065, PAY-137 to PAY-142; their order: PAY-143).

import {isObject, own} from './json_text.mjs';
import {isTextPart} from './payload_contents.mjs';
import {without} from './payload_members.mjs';
import {hasKnownRole, hasRole, isEmptyMessage} from './payload_rounds.mjs';

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

/** The messages that are left, each in its place, and null in the place of the others. */
export function cleanMessages(messages, provider, findings) {
  return messages.map((element, at) => {
    const path = ['messages', at];
    const code = whyNoMessage(element);
    if (code !== null) { // PAY-061
      findings.add(code, path);
      return null;
    }
    const message = cleanMessage(element, path, provider, findings);
    if (!isEmptyMessage(message)) return message;
    findings.add('message_empty', path); // PAY-065
    return null;
  });
}

/** A call without the members that go, where `isHere` says whether its message is from here. */
export function cleanCall(call, path, isHere, provider, findings) {
  return cleanObject(call, path, {common: COMMON.call, isHere, provider, findings});
}

/** The same for the `function` of a call. */
export function cleanFunction(target, path, isHere, provider, findings) {
  return cleanObject(target, path, {common: COMMON.function, isHere, provider, findings});
}

function whyNoMessage(element) {
  if (!isObject(element)) return 'message_not_object';
  return hasKnownRole(element) ? null : 'role_unknown';
}

function cleanMessage(given, path, provider, findings) {
  const isHere = provider.isSource(given);
  const message = withoutForms(withoutMark(given, path, provider, findings), path, findings);
  const common = COMMON[message.role];
  const cleaned = cleanObject(message, path, {common, isHere, provider, findings});
  const content = own(cleaned, 'content');
  if (!hasRole(cleaned, 'assistant') || !Array.isArray(content)) return cleaned;
  const parts = cleanParts(content, [...path, 'content'], {isHere, provider, findings});
  if (parts.length === content.length) return cleaned;
  return {...cleaned, content: parts.length === 0 ? null : parts}; // PAY-139
}

/** A message without its mark (PAY-142). */
function withoutMark(message, path, provider, findings) {
  const marks = Object.keys(message).filter((name) => provider.isMark(name));
  for (const name of marks) findings.add('origin_removed', [...path, name]);
  return without(message, marks);
}

/** A message without what is no call of this form (PAY-062, PAY-063, PAY-064). */
function withoutForms(message, path, findings) {
  const gone = [];
  if (Object.hasOwn(message, 'function_call')) {
    gone.push('function_call');
    findings.add('function_call_removed', [...path, 'function_call']);
  }
  const code = whyNoCalls(message);
  if (code !== null) {
    gone.push('tool_calls');
    findings.add(code, [...path, 'tool_calls']);
  }
  return without(message, gone);
}

/** Why the `tool_calls` of a message go, or null. */
function whyNoCalls(message) {
  if (!Object.hasOwn(message, 'tool_calls')) return null;
  if (message.role !== 'assistant') return 'tool_calls_misplaced'; // PAY-063
  if (!Array.isArray(message.tool_calls)) return 'tool_calls_not_array'; // PAY-064
  return message.tool_calls.length === 0 ? 'tool_calls_empty' : null;
}

/** An object without unknown members and opaque ones of others (PAY-137, PAY-140, PAY-141). */
function cleanObject(object, path, {common, isHere, provider, findings}) {
  const isClosed = provider.flags.unknown_members === 'none';
  const gone = [];
  let isUnknown = false;
  for (const name of Object.keys(object)) {
    if (provider.isOpaqueMember(name)) {
      if (isHere) continue;
      findings.add('opaque_removed', [...path, name]);
    } else if (isClosed && !common.includes(name)) {
      isUnknown = true;
    } else {
      continue;
    }
    gone.push(name);
  }
  if (isUnknown) findings.add('members_unknown', path); // one for all: their names are not ours
  return gone.length === 0 ? object : without(object, gone);
}

/** The parts of an assistant's content that stay (PAY-138, PAY-140, PAY-141). */
function cleanParts(parts, path, {isHere, provider, findings}) {
  const isClosed = provider.flags.unknown_members === 'none';
  return parts.filter((part, at) => {
    if (provider.isOpaquePart(part)) {
      if (!isHere) findings.add('opaque_removed', [...path, at]);
      return isHere;
    }
    if (!isClosed || isTextPart(part)) return true;
    findings.add('part_unknown', [...path, at]);
    return false;
  });
}
