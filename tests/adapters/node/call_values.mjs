// Which values of a payload are calls, and why the others are none (EXT-060 to EXT-078).

import {namedCall, readName} from './call_names.mjs';
import {isBlankText} from './characters.mjs';
import {
  MAX_DEPTH, equalJson, isObject, memberText, nestingDepth, own, parseJsonText,
} from './json_text.mjs';
import {HARMONY} from './markers.mjs';

/** The calls of a complete payload, still without ids, and the codes of the rest in order. */
export function readCallValues({values, isOneObject}, dialect) {
  if (dialect === HARMONY && !isOneObject) return {calls: [], codes: ['not_a_call']}; // EXT-101
  const calls = [];
  const codes = [];
  for (const value of values) {
    const {code, call} = judgeValue(value, dialect); // EXT-077: each alone
    if (call !== undefined) calls.push(call);
    if (code !== undefined) codes.push(code);
  }
  return {calls, codes};
}

/** `{call}`, `{code}`, or both for a name that cannot be sent (EXT-064, EXT-078). */
function judgeValue({kind, depth, text}, dialect) {
  if (kind === 'empty') return {code: 'empty'}; // EXT-047
  if (kind === 'other') return {code: 'not_a_call'}; // EXT-075
  if (depth > MAX_DEPTH) return {code: 'too_deep'}; // EXT-076
  const object = parseJsonText(text)?.value;
  if (object === undefined) return {code: 'invalid_json'};
  const inner = own(object, 'function');
  const isNested = !Object.hasOwn(object, 'name') && isObject(inner) && dialect !== HARMONY;
  if (isNested) return judgeObject(inner, memberText(text, 'function'), dialect); // EXT-061
  return judgeObject(object, text, dialect);
}

/** Judges the object that is read as the call value. */
function judgeObject(object, text, dialect) {
  if (isDeclaration(object)) return {code: 'declaration'}; // EXT-073
  const name = readName(dialect === HARMONY ? own(object, 'tool') : nameOf(object)); // EXT-102
  if (name.code !== undefined) return name;
  const args = readArguments(object, text, dialect);
  if (args.code !== undefined) return args;
  return namedCall(name.name, args);
}

/** Whether an object declares a tool (extraction: declaration). */
function isDeclaration(object) {
  if (Object.hasOwn(object, 'arguments')) return false;
  if (Object.hasOwn(object, 'description')) return true;
  const parameters = own(object, 'parameters');
  return isObject(parameters) &&
    (own(parameters, 'type') === 'object' || isObject(own(parameters, 'properties')));
}

/** What stands in the place of the name, whatever it is (EXT-060). */
function nameOf(object) {
  if (Object.hasOwn(object, 'name')) return object.name;
  const target = own(object, 'function');
  return typeof target === 'string' ? target : own(object, 'tool');
}

/** The arguments as value and text, or a code (EXT-065 to EXT-072, EXT-102). */
function readArguments(object, text, dialect) {
  const members = dialect === HARMONY ? ['arguments'] : ['arguments', 'parameters'];
  const present = members.filter((name) => Object.hasOwn(object, name));
  if (present.length === 0) return {code: 'arguments_missing'};
  const [value, other = value] = present.map((name) => object[name]);
  if (!equalJson(value, other)) return {code: 'ambiguous_arguments'};
  if (value === null) return {value: {}, text: '{}'};
  if (typeof value === 'string') return readArgumentsText(value);
  if (!isObject(value)) return {code: 'arguments_not_object'};
  return {value, text: memberText(text, present[0])};
}

/** Arguments that are a string, decoded once and without repairs (EXT-069, EXT-070). */
function readArgumentsText(text) {
  if (isBlankText(text)) return {code: 'arguments_empty'};
  if (nestingDepth(text) > MAX_DEPTH) return {code: 'arguments_too_deep'};
  const parsed = parseJsonText(text);
  if (parsed === null) return {code: 'arguments_invalid_json'};
  return isObject(parsed.value) ? {value: parsed.value, text} : {code: 'arguments_not_object'};
}
