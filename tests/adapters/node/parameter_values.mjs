// From the texts of parameters to the arguments of a call (EXT-122 to EXT-126).

import {namedCall, readName} from './call_names.mjs';
import {isJsonSpace} from './characters.mjs';
import {compactText} from './event_json.mjs';
import {MAX_DEPTH, isObject, nestingDepth, own, parseJsonText} from './json_text.mjs';

/** The verdict of a block of parameters (calls: verdict). */
export function readParameterCall(rawName, pairs, tools, strict) {
  const texts = [rawName, ...pairs.flatMap((pair) => [pair.name, pair.text])];
  if (!texts.every((text) => text.isWellFormed())) return {code: 'invalid_json'}; // EXT-076
  const {name, code} = readName(rawName, strict);
  if (code !== undefined) return {code};
  if (new Set(pairs.map((pair) => pair.name)).size < pairs.length) { // EXT-123
    return {code: 'ambiguous_arguments', name};
  }
  const properties = propertiesOf(tools, name);
  const members = pairs.map((pair) =>
    `${compactText(pair.name)}:${valueText(pair.text, declaredTypes(properties, pair.name))}`);
  const text = `{${members.join(',')}}`;
  return namedCall(name, {value: JSON.parse(text), text}); // EXT-126
}

/** The declared parameters of the first tool of a name, or nothing. */
function propertiesOf(tools, name) {
  const functions = tools.map((tool) => member(tool, 'function'));
  const declared = functions.find((target) => member(target, 'name') === name);
  return member(member(declared, 'parameters'), 'properties');
}

/** The types that a parameter is declared with (extraction: typed parameter). */
function declaredTypes(properties, name) {
  const type = member(member(properties, name), 'type');
  return type === undefined ? [] : [type].flat();
}

function member(value, name) {
  return isObject(value) ? own(value, name) : undefined;
}

/** The JSON text of a parameter: of a typed one its own, else a string (EXT-122, EXT-124). */
function valueText(text, types) {
  const json = trimJsonSpace(text);
  if (isTyped(json, types)) return json;
  return compactText(text.replace(/^\r?\n/, '').replace(/\r?\n$/, ''));
}

function isTyped(json, types) {
  if (types.includes('string') || nestingDepth(json) >= MAX_DEPTH) return false; // in an object
  const parsed = parseJsonText(json);
  return parsed !== null && typesOf(parsed.value).some((type) => types.includes(type));
}

/** The types of a value; a whole number is an integer too. */
function typesOf(value) {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  return Number.isInteger(value) ? ['number', 'integer'] : [typeof value];
}

function trimJsonSpace(text) {
  let start = 0;
  let end = text.length;
  while (isJsonSpace(text[start])) start++;
  while (end > start && isJsonSpace(text[end - 1])) end--;
  return text.slice(start, end);
}
