// From the texts of parameters to the arguments of a call (EXT-122, EXT-124, EXT-126, EXT-194).

import {isUnbalanced} from './balance.mjs';
import {elementsAsJson, emptyElements, holdsElements} from './elements.mjs';
import {namedCall, readName} from './call_names.mjs';
import {trimJsonSpace} from '../shared/characters.mjs';
import {compactText} from '../shared/canonical_json.mjs';
import {referred} from '../shared/json_object.mjs';
import {literalAsJson} from './literals.mjs';
import {MAX_DEPTH, equalJson, isObject, memberPlaces, nestingDepth, own, parseJsonText} from '../shared/json_text.mjs';
import {PYTHON_WORDS} from './parts.mjs';

const TYPE_NAMES = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'];
const PYTHON = new Map(PYTHON_WORDS);
const DEEPEST = 8; // of $ref, anyOf, oneOf and allOf

/** The verdict of a block of parameters (calls: verdict). */
export function readParameterCall(rawName, written, tools, {payload, values: strict}) {
  const pairs = payload.elements === true ? withElements(rawName, written, tools, payload, strict) : written;
  const texts = [rawName, ...pairs.flatMap((pair) => [pair.name, pair.text])];
  const isBroken = ({kind, text}) => kind === 'json' && jsonOf(text, payload) === null;
  if (!texts.every((text) => text.isWellFormed()) || pairs.some(isBroken)) { // EXT-077
    return {code: 'invalid_json'};
  }
  const {name, code} = readName(rawName, strict);
  if (code !== undefined) return {code};
  const root = parametersOf(tools, name);
  const held = heldArguments(pairs, root, payload);
  if (held !== null) return namedCall(name, held);
  const members = new Map();
  let isBalanced = true;
  for (const pair of pairs) {
    const schema = member(member(root, 'properties'), pair.name);
    const typed = typedText(pair, {schema, root}, payload);
    if (typed === null && isUnbalanced(pair, payload)) isBalanced = false;
    const json = typed ?? compactText(trimmed(pair.text, payload.trim));
    const first = members.get(pair.name);
    if (first === undefined) {
      members.set(pair.name, {json});
    } else { // EXT-077
      if (!Object.hasOwn(first, 'value')) first.value = JSON.parse(first.json); // once, however often it repeats
      if (!equalJson(first.value, JSON.parse(json))) return {code: 'ambiguous_arguments', name};
    }
  }
  if (!isBalanced) return {code: 'parameter_unbalanced', name};
  const text = `{${[...members].map(([key, {json}]) => `${compactText(key)}:${json}`).join(',')}}`;
  return namedCall(name, {value: JSON.parse(text), text}); // EXT-126
}

/** The arguments that a lone parameter holds, or null (extraction: held arguments). */
function heldArguments(pairs, root, payload) {
  if (pairs.length !== 1 || payload.scanner !== 'parameters' || payload.elements === true) return null;
  const properties = member(root, 'properties');
  const [pair] = pairs;
  if (!['arguments', 'input'].includes(pair.name) || member(properties, pair.name) !== undefined) return null;
  const held = jsonOf(pair.text, payload);
  if (held?.text[0] !== '{') return null;
  const names = Object.keys(held.value);
  const isKnown = names.length > 0 && names.every((each) => member(properties, each) !== undefined);
  return isKnown ? held : null;
}

/** Parameters, those that are elements as JSON, or as no JSON where they are not balanced (EXT-221). */
function withElements(rawName, pairs, tools, payload, strict) {
  const root = parametersOf(tools, readName(rawName, strict).name);
  const properties = member(root, 'properties');
  const reads = {
    takes: (declared, value) => takes(declared, value, typesOf(value)),
    within: ({schema}, ...names) => ({schema: within(schema, root, names), root}),
    leaf: (text, declared) =>
      typedText({text, kind: 'typed'}, declared, payload) ?? compactText(trimmed(text, payload.trim)),
  };
  return pairs.map((pair) => {
    const declared = {schema: member(properties, pair.name), root};
    const json = holdsElements(pair.text, payload)
      ? elementsAsJson(pair.text, declared, payload, reads) ?? '' : emptyElements(pair.text, declared, reads);
    return json === null ? pair : {...pair, text: json, kind: 'json'};
  });
}

/** The schema at some names below one: its own, that of its `$ref`, or of the first that it joins. */
function within(schema, root, names, steps = 0) {
  if (!isObject(schema) || steps > DEEPEST) return undefined;
  const found = names.reduce((below, name) => member(below, name), schema);
  if (found !== undefined && found !== null) return found;
  const joined = ['anyOf', 'oneOf', 'allOf'].flatMap((name) => listOf(own(schema, name)));
  for (const one of [referred(own(schema, '$ref'), root), ...joined]) {
    const below = within(one, root, names, steps + 1);
    if (below !== undefined) return below;
  }
  return undefined;
}

/** The schema of the parameters of the first tool of a name, or nothing. */
function parametersOf(tools, name) {
  const functions = tools.map((tool) => member(tool, 'function'));
  const declared = functions.find((target) => member(target, 'name') === name);
  return member(declared, 'parameters');
}

/** Whether a schema takes a value of some types, null where it says nothing (extraction: declared type). */
function takes({schema, root}, value, types, steps = 0) {
  if (!isObject(schema) || steps > DEEPEST) return null;
  const each = (name) => listOf(own(schema, name))
    .map((one) => takes({schema: one, root}, value, types, steps + 1));
  const names = [own(schema, 'type')].flat().filter((name) => TYPE_NAMES.includes(name));
  const listed = listOf(own(schema, 'enum'));
  const taken = all([
    names.length > 0 ? types.some((type) => names.includes(type)) : null,
    listed.length > 0 ? listed.some((one) => equalJson(one, value)) : null,
    Object.hasOwn(schema, 'const') ? equalJson(schema.const, value) : null,
    takes({schema: referred(own(schema, '$ref'), root), root}, value, types, steps + 1),
    any(each('anyOf')),
    any(each('oneOf')),
    all(each('allOf')),
  ]);
  return taken === false && value === null && own(schema, 'nullable') === true ? true : taken;
}

/** Whether each answer that says something says yes, null where none does. */
function all(answers) {
  const said = answers.filter((one) => one !== null);
  return said.length > 0 ? said.every(Boolean) : null;
}

/** Whether an answer says yes, null where none says something. */
function any(answers) {
  const said = answers.filter((one) => one !== null);
  return said.length > 0 ? said.some(Boolean) : null;
}

function listOf(value) {
  return Array.isArray(value) ? value : [];
}

function member(value, name) {
  return isObject(value) ? own(value, name) : undefined;
}

/** The JSON text of a typed parameter, or null where it is none (EXT-124). */
function typedText({text, kind}, declared, payload) {
  if (kind === 'string') return null;
  if (kind === 'json') return jsonOf(text, payload)?.text ?? null;
  const asText = takes(declared, trimmed(text, payload.trim), ['string']);
  if (asText !== false) {
    const isNull = asText === true && payload.null_text === true && takes(declared, null, ['null']);
    return isNull && jsonOf(text, payload)?.value === null ? 'null' : null;
  }
  const literal = payload.python === true ? () => literalAsJson(text) : () => null;
  return taken(text, declared, payload) ?? taken(literal(), declared, payload);
}

/** The text of arguments with each encoded one decoded; itself where none is (turn: encoded argument). */
export function decodedArguments(text, name, tools) {
  const root = parametersOf(tools, name);
  const properties = member(root, 'properties');
  if (!isObject(properties)) return text;
  let [written, done] = ['', 0];
  for (const [key, [from, to]] of [...memberPlaces(text)].sort(([, [a]], [, [b]]) => a - b)) {
    if (text[from] !== '"' || !Object.hasOwn(properties, key)) continue;
    const value = JSON.parse(text.slice(from, to));
    const declared = {schema: properties[key], root};
    const json = takes(declared, value, ['string']) ? null : taken(value, declared, {});
    if (json === null) continue;
    written += text.slice(done, from) + json;
    done = to;
  }
  return written + text.slice(done);
}

/** The JSON text of a value that its schema takes, or null. */
function taken(text, declared, payload) {
  const json = text === null ? null : jsonOf(text, payload);
  if (json === null) return null;
  const {value} = json;
  const isWritten = !Number.isInteger(value) || /^-?[0-9]+$/.test(json.text);
  if (takes(declared, value, isWritten ? typesOf(value) : ['number']) === true) return json.text;
  if (isWritten || takes(declared, value, typesOf(value)) !== true) return null;
  return Number.isSafeInteger(value) ? String(value) : json.text;
}

/** The value text of a parameter with its value, or null where it is no JSON. */
function jsonOf(text, {python}) {
  const bare = trimJsonSpace(text);
  const json = (python === true ? PYTHON.get(bare) : undefined) ?? bare;
  if (nestingDepth(json) >= MAX_DEPTH) return null; // it stands in an object
  const parsed = parseJsonText(json);
  return parsed === null ? null : {text: json, value: parsed.value};
}

/** The text of a string, without what the descriptor takes off its ends (EXT-122). */
function trimmed(text, trim) {
  if (trim === 'none') return text;
  return text.replace(/^\r?\n/, '').replace(/\r?\n$/, '');
}

/** The types of a value; a whole number is an integer too. */
function typesOf(value) {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  return Number.isInteger(value) ? ['number', 'integer'] : [typeof value];
}
