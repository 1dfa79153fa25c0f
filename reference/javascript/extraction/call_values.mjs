// Which values of a payload are calls, and why the others are none (EXT-060 to EXT-077).

import {namedCall, readName} from './call_names.mjs';
import {isBlankText} from '../shared/characters.mjs';
import {
  MAX_DEPTH, elementTexts, equalJson, isObject, memberText, nestingDepth, own, parseJsonText,
} from '../shared/json_text.mjs';

/** What the values of the payload are, where its scanner does not take each (EXT-077). */
const TAKEN = {json_object: 'object', json_array: 'array'};

/** The verdicts of a complete payload in order (calls: verdict). */
export function readCallValues({values, kind}, {payload, values: strict}) {
  if (kind !== (TAKEN[payload.scanner] ?? kind)) return [{code: 'not_a_call'}];
  if (values.length === 0) return [{code: 'empty'}]; // EXT-047: arrays without elements alone
  const shape = {...payload, strict};
  return values.flatMap((value) => heldCalls(value, shape) ?? [judgeValue(value, shape)]); // EXT-077: each alone
}

/** The verdicts of the calls, or of the one, in a member of an object that says nothing else, or null. */
function heldCalls({kind, text, value, depth}, shape) {
  if (shape.calls === undefined || kind === 'other') return null;
  const {code, object} = parseObject({depth, text, value});
  if (code !== undefined) return null;
  const {member, one, nested} = shape.calls;
  const isOne = isObject(own(object, one));
  const {[isOne ? one : member]: held, ...others} = object;
  const isAll = Object.values(others).every((other) => [null, '', 'assistant'].includes(other));
  if (!isAll || !(isOne || (Array.isArray(held) && held.length > 0))) return null;
  const texts = isOne ? [memberText(text, one)] : elementTexts(memberText(text, member));
  return [held].flat(1).map((each, i) => judgeValue({kind: isObject(each) ? 'object' : 'other', text: texts[i], value: each, depth: 0}, {...shape, nested}));
}

/** The verdict of an object or of an element of an array (EXT-077). */
function judgeValue(read, shape) {
  if (read.kind === 'other') return {code: 'not_a_call'}; // EXT-077
  const {code, object} = parseObject(read);
  const {text} = read;
  if (code !== undefined) return {code};
  const {names, nested} = shape;
  const inner = nested === null ? undefined : own(object, nested);
  const isNested = !Object.hasOwn(object, names[0]) && isObject(inner);
  if (isNested) return judgeObject(inner, memberText(text, nested), shape);
  if (shape.keyed) return judgeKeyed(object, text, shape);
  return judgeObject(object, text, shape);
}

/** An object of which the one member is named like the tool (extraction: call value). */
function judgeKeyed(object, text, shape) {
  const [name, ...others] = Object.keys(object);
  if (name === undefined || others.length > 0) return judgeObject({}, '{}', shape);
  const call = {name, arguments: object[name]};
  return judgeObject(call, `{"arguments":${memberText(text, name)}}`, shape);
}

/** An object that no port could read otherwise, or a code (EXT-077). */
function parseObject({depth, text, value}) {
  if (depth > MAX_DEPTH) return {code: 'too_deep'};
  const parsed = parseJsonText(text, value);
  return parsed === null ? {code: 'invalid_json'} : {object: parsed.value};
}

/** Judges the object that is read as the call value. */
function judgeObject(object, text, shape) {
  const {name, code} = readName(nameOf(object, shape), shape.strict); // EXT-060
  if (hasOtherMember(object, shape)) return {code: 'members_unknown', name}; // EXT-077
  if (isDeclaration(object)) return {code: 'declaration', name}; // EXT-077
  if (code !== undefined) return {code};
  const args = readArguments(object, text, shape);
  return args.code === undefined ? namedCall(name, args) : {code: args.code, name};
}

/** Whether an object has a member that its dialect does not have, where that matters. */
function hasOtherMember(object, {names, arguments: others, strict}) {
  if (strict.members !== 'exact') return false;
  return !Object.keys(object).every((name) => names.includes(name) || others.includes(name));
}

/** Whether an object declares a tool (extraction: declaration). */
function isDeclaration(object) {
  if (Object.hasOwn(object, 'arguments')) return false;
  if (Object.hasOwn(object, 'description')) return true;
  const parameters = own(object, 'parameters');
  return isObject(parameters) &&
    (own(parameters, 'type') === 'object' || isObject(own(parameters, 'properties')));
}

/** What stands in the place of the name, whatever it is; a nested name is a string (EXT-060). */
function nameOf(object, {names, nested}) {
  const holds = (name) =>
    Object.hasOwn(object, name) && (name !== nested || typeof object[name] === 'string');
  const name = names.find(holds);
  return name === undefined ? undefined : object[name];
}

/** The verdict of a payload that is the arguments alone (EXT-116, EXT-141). */
export function readArgumentsPayload({values, kind}, header, strict) {
  const isOne = kind === 'object' || kind === 'text';
  const {code, object} = isOne ? parseObject(values[0]) : {};
  if (code !== undefined) return {code};
  if (!header.isWellFormed()) return {code: 'invalid_json'}; // EXT-077
  const {name, code: nameless} = readName(header, strict);
  if (nameless !== undefined) return {code: nameless};
  if (!isOne) return {code: 'arguments_not_object', name};
  const args = kind === 'text' ? readArgumentsText(object) : {value: object, text: values[0].text};
  return args.code === undefined ? namedCall(name, args) : {code: args.code, name};
}

/** The arguments as value and text, or a code (EXT-072, EXT-077). */
function readArguments(object, text, shape) {
  const present = shape.arguments.filter((name) => Object.hasOwn(object, name));
  if (present.length === 0) return {code: 'arguments_missing'};
  const [value, ...others] = present.map((name) => object[name]);
  if (!others.every((other) => equalJson(value, other))) return {code: 'ambiguous_arguments'};
  if (value === null) return {value: {}, text: '{}'};
  const isText = typeof value === 'string' && shape.strict.arguments !== 'object'; // EXT-077
  if (isText) return readArgumentsText(value);
  if (!isObject(value)) return {code: 'arguments_not_object'};
  return {value, text: memberText(text, present[0])};
}

/** Arguments that are a string, decoded once and without repairs (EXT-072, EXT-077). */
function readArgumentsText(text) {
  if (isBlankText(text)) return {code: 'arguments_empty'};
  if (nestingDepth(text) > MAX_DEPTH) return {code: 'arguments_too_deep'};
  const parsed = parseJsonText(text);
  if (parsed === null) return {code: 'arguments_invalid_json'};
  return isObject(parsed.value) ? {value: parsed.value, text} : {code: 'arguments_not_object'};
}
