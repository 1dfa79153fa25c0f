// Which values of a payload are calls, and why the others are none (EXT-060 to EXT-078).

import {isBlank, skipBlanks, visibleEnd} from './characters.mjs';
import {
  MAX_DEPTH, equalJson, isObject, memberText, nestingDepth, own, parseJsonText,
} from './json_text.mjs';

/** The calls of a complete payload, still without ids, and the codes of the rest in order. */
export function readCallValues(payload) {
  const calls = [];
  const codes = [];
  for (const value of payload.values) {
    const {code, call} = judgeValue(value, payload.text); // EXT-077: each alone
    if (call !== undefined) calls.push(call);
    if (code !== undefined) codes.push(code);
  }
  return {calls, codes};
}

/** `{call}`, `{code}`, or both for a name that cannot be sent (EXT-064, EXT-078). */
function judgeValue(value, payloadText) {
  if (value.kind === 'empty') return {code: 'empty'}; // EXT-047
  if (value.kind === 'other') return {code: 'not_a_call'}; // EXT-075
  if (value.depth > MAX_DEPTH) return {code: 'too_deep'}; // EXT-076
  let text = payloadText.slice(value.start, value.end);
  const parsed = parseJsonText(text);
  if (parsed === null) return {code: 'invalid_json'};
  let object = parsed.value;
  if (!Object.hasOwn(object, 'name') && isObject(own(object, 'function'))) { // EXT-061
    text = memberText(text, 'function');
    object = object.function;
  }
  return judgeObject(object, text);
}

/** Judges the object that is read as the call value. */
function judgeObject(object, text) {
  if (isDeclaration(object)) return {code: 'declaration'}; // EXT-073
  const name = readName(object);
  if (name.code !== undefined) return name;
  const args = readArguments(object, text);
  if (args.code !== undefined) return args;
  const call = {name: name.name, arguments: args.value, arguments_json: args.text};
  return /^[A-Za-z0-9_-]{1,64}$/.test(call.name) ? {call} : {call, code: 'name_not_sendable'};
}

/** Whether an object declares a tool (extraction: declaration). */
function isDeclaration(object) {
  if (Object.hasOwn(object, 'arguments')) return false;
  if (Object.hasOwn(object, 'description')) return true;
  const parameters = own(object, 'parameters');
  return isObject(parameters) &&
    (own(parameters, 'type') === 'object' || isObject(own(parameters, 'properties')));
}

/** The cleaned name or the code that says why there is none (EXT-060, EXT-062, EXT-063). */
function readName(object) {
  let name = own(object, 'tool');
  if (typeof own(object, 'function') === 'string') name = object.function;
  if (Object.hasOwn(object, 'name')) name = object.name;
  if (name === undefined || name === null) return {code: 'name_missing'};
  if (typeof name !== 'string') return {code: 'name_not_string'};
  const cleaned = cleanName(name);
  return cleaned === '' ? {code: 'name_blank'} : {name: cleaned};
}

/** A name without blanks and control tokens at both ends (extraction: cleaned name). */
function cleanName(name) {
  let start = skipBlanks(name, 0);
  for (let next = tokenEnd(name, start); next > start; next = tokenEnd(name, start)) {
    start = skipBlanks(name, next);
  }
  let end = visibleEnd(name, name.length);
  for (let next = tokenStart(name, end); next < end; next = tokenStart(name, end)) {
    end = visibleEnd(name, next);
  }
  return name.slice(start, Math.max(start, end));
}

/** The end of the control token that begins at a position, or that position. */
function tokenEnd(name, at) {
  if (!name.startsWith('<|', at)) return at;
  let i = at + 2;
  while (i < name.length && !'<>|'.includes(name[i])) i++;
  return i > at + 2 && name.startsWith('|>', i) ? i + 2 : at;
}

/** The begin of the control token that ends at a position, or that position. */
function tokenStart(name, end) {
  if (end < 5 || !name.startsWith('|>', end - 2)) return end;
  let i = end - 3;
  while (i >= 0 && !'<>|'.includes(name[i])) i--;
  return i < end - 3 && i > 0 && name.startsWith('<|', i - 1) ? i - 1 : end;
}

/** The arguments as value and text, or a code (EXT-065 to EXT-072). */
function readArguments(object, text) {
  const both = Object.hasOwn(object, 'arguments') && Object.hasOwn(object, 'parameters');
  const member = Object.hasOwn(object, 'arguments') ? 'arguments' : 'parameters';
  if (!Object.hasOwn(object, member)) return {code: 'arguments_missing'};
  if (both && !equalJson(object.arguments, object.parameters)) return {code: 'ambiguous_arguments'};
  const value = object[member];
  if (value === null) return {value: {}, text: '{}'};
  if (typeof value === 'string') return readArgumentsText(value);
  if (!isObject(value)) return {code: 'arguments_not_object'};
  return {value, text: memberText(text, member)};
}

/** Arguments that are a string, decoded once and without repairs (EXT-069, EXT-070). */
function readArgumentsText(text) {
  if (isBlank(text)) return {code: 'arguments_empty'};
  if (nestingDepth(text) > MAX_DEPTH) return {code: 'arguments_too_deep'};
  const parsed = parseJsonText(text);
  if (parsed === null) return {code: 'arguments_invalid_json'};
  return isObject(parsed.value) ? {value: parsed.value, text} : {code: 'arguments_not_object'};
}
