// From the texts of parameters to the arguments of a call (EXT-122 to EXT-126, EXT-194).

import {isUnbalanced} from './balance.mjs';
import {namedCall, readName} from './call_names.mjs';
import {trimJsonSpace} from '../shared/characters.mjs';
import {compactText} from '../shared/canonical_json.mjs';
import {MAX_DEPTH, isObject, nestingDepth, own, parseJsonText} from '../shared/json_text.mjs';
import {PYTHON_WORDS} from './parts.mjs';

const TYPE_NAMES = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'];
const PYTHON = new Map(PYTHON_WORDS);
const DEEPEST = 8; // of $ref, anyOf and oneOf

/** The verdict of a block of parameters (calls: verdict). */
export function readParameterCall(rawName, pairs, tools, {payload, values: strict}) {
  const texts = [rawName, ...pairs.flatMap((pair) => [pair.name, pair.text])];
  const isBroken = ({kind, text}) => kind === 'json' && jsonOf(text, payload) === null;
  if (!texts.every((text) => text.isWellFormed()) || pairs.some(isBroken)) { // EXT-077
    return {code: 'invalid_json'};
  }
  const {name, code} = readName(rawName, strict);
  if (code !== undefined) return {code};
  if (new Set(pairs.map((pair) => pair.name)).size < pairs.length) { // EXT-077
    return {code: 'ambiguous_arguments', name};
  }
  const root = parametersOf(tools, name);
  const members = [];
  for (const pair of pairs) {
    const types = [...typesOfSchema(member(member(root, 'properties'), pair.name), root)];
    const typed = typedText(pair, types, payload);
    if (typed === null && isUnbalanced(pair, payload)) return {code: 'parameter_unbalanced', name};
    members.push(`${compactText(pair.name)}:${typed ?? compactText(trimmed(pair.text, payload.trim))}`);
  }
  const text = `{${members.join(',')}}`;
  return namedCall(name, {value: JSON.parse(text), text}); // EXT-126
}

/** The schema of the parameters of the first tool of a name, or nothing. */
function parametersOf(tools, name) {
  const functions = tools.map((tool) => member(tool, 'function'));
  const declared = functions.find((target) => member(target, 'name') === name);
  return member(declared, 'parameters');
}

/** The types of a schema (extraction: declared type). */
function typesOfSchema(schema, root, steps = 0) {
  if (!isObject(schema) || steps > DEEPEST) return new Set();
  const types = new Set(typesBeforeNull(schema, root, steps + 1));
  if (types.size > 0 && own(schema, 'nullable') === true) types.add('null');
  return types;
}

function typesBeforeNull(schema, root, steps) {
  const type = own(schema, 'type');
  if (type !== undefined) return [type].flat().filter((name) => TYPE_NAMES.includes(name));
  const all = (schemas) => schemas.flatMap((each) => [...typesOfSchema(each, root, steps)]);
  const ways = [
    () => all([referred(own(schema, '$ref'), root)]),
    () => all(listOf(own(schema, 'anyOf'))),
    () => all(listOf(own(schema, 'oneOf'))),
    () => listOf(own(schema, 'enum')).flatMap(typesOf),
    () => (Object.hasOwn(schema, 'const') ? typesOf(schema.const) : []),
  ];
  for (const way of ways) {
    const types = way();
    if (types.length > 0) return types;
  }
  return [];
}

/** The schema that a local reference names, or nothing. */
function referred(reference, root) {
  const found = typeof reference === 'string'
    ? /^#\/(\$defs|definitions)\/([^/~%]+)$/s.exec(reference) : null;
  return found === null ? undefined : member(member(root, found[1]), found[2]);
}

function listOf(value) {
  return Array.isArray(value) ? value : [];
}

function member(value, name) {
  return isObject(value) ? own(value, name) : undefined;
}

/** The JSON text of a typed parameter, or null where it is none (EXT-124). */
function typedText({text, kind}, types, payload) {
  const json = kind === 'string' ? null : jsonOf(text, payload);
  return json !== null && (kind === 'json' || isOf(json.value, text, types, payload)) ? json.text : null;
}

/** The value text of a parameter with its value, or null where it is no JSON. */
function jsonOf(text, {python}) {
  const bare = trimJsonSpace(text);
  const json = (python === true ? PYTHON.get(bare) : undefined) ?? bare;
  if (nestingDepth(json) >= MAX_DEPTH) return null; // it stands in an object
  const parsed = parseJsonText(json);
  return parsed === null ? null : {text: json, value: parsed.value};
}

/** Whether a value is of the declared types; beside string a text stays a text. */
function isOf(value, text, types, {null_text: isNullText}) {
  if (!types.includes('string')) return typesOf(value).some((type) => types.includes(type));
  return isNullText === true && types.includes('null') && trimJsonSpace(text) === 'null';
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
