// The parameters of a tool: which are sent, and in which form (payload: safe parameters; PAY-047,
// PAY-191, PAY-201). The root is always judged; what stands below it only where a profile says what
// its endpoint refuses there.

import {canonicalText} from '../shared/canonical_json.mjs';
import {fits} from '../shared/forms.mjs';
import {equalJson, isObject, own} from '../shared/json_text.mjs';
import {foundAt, isEmptyArray, isFilledArray, isNothing, referred, without} from '../shared/json_object.mjs';
import {led, spread, targetOf} from './spread.mjs';

const COMBINED = ['oneOf', 'anyOf', 'allOf', 'not', 'enum', '$ref'];
const NAMED = new Set(['type', 'properties', 'required', ...COMBINED]);
/** The keywords that allow and forbid nothing; so does every name that begins with `x-`. */
const ANNOTATIONS = new Set([
  '$schema', '$id', '$comment', '$anchor', 'title', 'description', 'default', 'examples', 'example',
  'deprecated', 'readOnly', 'writeOnly', 'format', 'contentEncoding', 'contentMediaType',
  'contentSchema', 'enumDescriptions',
]);
/** Where the schemas below a schema stand: in an object, in a list, alone. */
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const ONES = [
  'items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames',
  'unevaluatedItems', 'unevaluatedProperties',
];
const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];
/** The names of types in Python. */
const NAMED_TYPES = new Map([
  ['dict', 'object'], ['list', 'array'], ['str', 'string'], ['float', 'number'], ['int', 'integer'], ['bool', 'boolean'],
]);
const MAY_BE_NULL = ['const', 'default', 'example'];
const MAY_BE_BOOLEAN = ['additionalProperties', 'unevaluatedItems', 'unevaluatedProperties'];
const PLACES = [...MAPS, ...LISTS, ...ONES];
const OF_OBJECTS = ['properties', 'required'];
const OF_ARRAYS = ['items', 'minItems', 'maxItems'];
const LIMITS = [['exclusiveMinimum', 'minimum', 1], ['exclusiveMaximum', 'maximum', -1]];
// The formats of texts that strict mode knows.
const FORMATS = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];
const LOOSE = ['oneOf', 'allOf', 'not', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas'];
// The keywords for which a grammar has no rule.
const UNRULED = [
  'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength', 'maxItems',
  'uniqueItems',
];
const ANY = ['string', 'number', 'boolean', 'object', 'array', 'null'];
/** The names of typed members, by the type that they say something of. */
const TYPED = {
  object: [
    'properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames',
    'minProperties', 'maxProperties',
  ],
  array: ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems'],
  string: ['pattern', 'minLength', 'maxLength'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
};
const TURNS = 10;
const COPIED = 500;
const PROPERTY_NAME = /^[A-Za-z0-9_.-]{1,64}$/;
const SAY_TYPE = ['type', 'enum', 'const', '$ref', 'anyOf', 'oneOf', 'allOf'];

/**
 * `{parameters, changes, faults, isOpen}`: the parameters as they are sent, and as `{code, path}`
 * what changes in them and why they cannot be sent, which is nothing where they can; `isOpen` says
 * that strict mode refuses them (PAY-047).
 */
export function judgeParameters(stated, flags) {
  const changes = [];
  const faults = [];
  const refusesOpen = ['strict_open', 'strict_grammar'].some((name) => flags.refused_in_schemas.includes(name));
  if (isNothing(stated) || isEmptyArray(stated)) { // PAY-047
    changes.push({code: 'parameters_added', path: []});
    return {parameters: {type: 'object', properties: {}}, changes, faults, isOpen: refusesOpen};
  }
  // A root has the type of an object, so no `anyOf` where none may stand beside a type.
  const noAnyOf = flags.refused_in_schemas.includes('type_beside_any_of') ? ['anyOf'] : [];
  const refusedThere = flags.root_keywords === 'any' ? noAnyOf : COMBINED;
  const reached = isObject(stated) ? led(stated, refusedThere) : stated;
  const target = isObject(reached) ? withPlainRequired(reached) : reached;
  if (!isSafe(target)) return {changes, faults: [{code: 'schema_unsafe', path: []}]};
  const given = spread(target, refusedThere, stated);
  const gone = refusedThere.filter((name) => !isNothing(own(given, name)));
  const properties = own(given, 'properties');
  if (gone.length > 0 && !(isObject(properties) && Object.keys(properties).length > 0)) {
    return {changes, faults: [{code: 'schema_unsafe', path: []}]};
  }
  for (const name of gone) changes.push({code: 'constraint_removed', path: [name]});
  const {root, code} = completed(given, gone, target !== stated);
  if (code !== null) changes.push({code, path: []});
  const refused = flags.refused_in_schemas;
  if (refused.length === 0) return {parameters: root, changes, faults, isOpen: false};
  const isOld = isObject(own(root, 'definitions')) && !Object.hasOwn(root, '$defs');
  const renames = isOld && refused.includes('ref_siblings') && !refused.includes('definitions');
  let parameters = root;
  let run = null;
  for (let turn = 0, before = -1; turn <= TURNS && before < changes.length; turn++) {
    before = changes.length; // what a reference leads to can change behind it, and what is refused then
    faults.length = 0;
    run = {root: parameters, refused, changes, faults, renames, isOpen: false, isLoose: false, grammar: [1, 0, 0]};
    parameters = sendSchema(parameters, [], run, true);
    if (turn < TURNS || before === changes.length) continue;
    faults.length = 0;
    if (refused.includes('ref_siblings')) faults.push({code: 'schema_not_taken', path: []});
  }
  if (renames) {
    changes.push({code: 'schema_respelled', path: ['definitions']});
    const {definitions, ...rest} = parameters;
    parameters = renamed({...rest, $defs: definitions});
  }
  const isOpen = (refused.includes('strict_open') && run.isOpen) || (refused.includes('strict_grammar') && run.isLoose);
  return {parameters, changes, faults, isOpen, grammar: run.grammar};
}

/** A root without an empty object as `required`, and with each string of that once (PAY-047). */
function withPlainRequired(root) {
  const required = own(root, 'required');
  if (isEmptyObject(required)) return {...root, required: null};
  const once = eachOnce('required', required);
  return once === null ? root : {...root, required: once};
}

/** A `required` or an `enum` in which each value stands once; null where it does. */
function eachOnce(name, values) {
  if (!['required', 'enum'].includes(name) || !Array.isArray(values)) return null;
  if (name === 'required' && values.some((one) => typeof one !== 'string')) return null;
  const once = new Map();
  for (const one of values) {
    const key = canonicalText(one);
    if (!once.has(key)) once.set(key, one);
  }
  return once.size < values.length ? [...once.values()] : null;
}

/** Whether the root is that of an object, whatever is combined with it. */
function isSafe(parameters) {
  if (!isObject(parameters)) return false;
  const [type, properties, required] = ['type', 'properties', 'required']
    .map((name) => own(parameters, name) ?? null);
  return (type === null || namedType(type) === 'object') &&
    (properties === null || isObject(properties) || isEmptyArray(properties)) &&
    (required === null || isDistinctTexts(required));
}

/** A root without some members, and with what PAY-047 asks for; the code of that, or null. */
function completed(given, gone, isLed) {
  // Null says nothing here, and what the form needs comes back below.
  const said = Object.entries(given).filter(([name, value]) =>
    !gone.includes(name) && !(NAMED.has(name) && value === null));
  const root = Object.fromEntries(said);
  const isWhole = !isLed && said.length + gone.length === Object.keys(given).length &&
    own(root, 'type') === 'object' && isObject(own(root, 'properties'));
  if (isWhole) return {root, code: null};
  root.type = 'object';
  if (!isObject(own(root, 'properties'))) root.properties = {};
  return {root, code: 'parameters_completed'};
}

/** A schema as it is sent, with all below it (PAY-032). */
function sendSchema(stated, path, run, isRoot = false) {
  const fault = (form, at) => {
    if (run.refused.includes(form)) run.faults.push({code: 'schema_not_taken', path: at});
  };
  let given = stated;
  if (typeof stated === 'boolean' && run.refused.includes('boolean')) { // PAY-191
    run.changes.push({code: 'schema_respelled', path});
    given = stated ? {} : {not: {}};
  }
  if (!isObject(given)) {
    if (typeof given !== 'boolean') fault('malformed', path);
    return given;
  }
  const single = withOneType(withSchemas(asMeant(given, path, run), path, run), path, run);
  const speaking = isRoot ? single : withStatedType(withBareRef(single, path, run), path, run);
  const limited = withOwnLimits(speaking, path, run);
  const kept = withoutRefused(isRoot ? limited : enumerated(limited, path, run), path, run, isRoot);
  const sent = withTypeInBranches(kept, path, run);
  if (!SAY_TYPE.some((name) => Object.hasOwn(sent, name))) {
    run.isOpen = true;
    fault('untyped', path);
  }
  if (isRoot && isEndless(sent)) fault('all_of_endless', path);
  if (!leads(own(sent, '$ref'), run.root)) fault('ref_undefined', path);
  if (!isRoot && Object.hasOwn(sent, '$ref') && !isDefined(sent.$ref, run)) fault('ref_siblings', path);
  const {type = 'object', required = [], enum: values = [null]} = sent;
  if (!isType(type) || !isFilledArray(values)) fault('malformed', path);
  if (!isDistinctTexts(required)) fault('malformed', path);
  if (isRoot && !Object.keys(sent.properties).every((name) => PROPERTY_NAME.test(name))) {
    fault('property_names', path);
  }
  const done = Object.fromEntries(Object.entries(sent).map(([name, value]) => {
    const at = [...path, name];
    if (MAPS.includes(name) && isObject(value)) {
      return [name, Object.fromEntries(Object.entries(value).map(([key, one]) =>
        [key, sendSchema(one, [...at, key], run)]))];
    }
    if (LISTS.includes(name) && isFilledArray(value)) {
      return [name, value.map((one, number) => sendSchema(one, [...at, number], run))];
    }
    if (ONES.includes(name)) {
      const isTaken = typeof value === 'boolean' && MAY_BE_BOOLEAN.includes(name);
      return [name, isTaken ? value : sendSchema(value, at, run)];
    }
    if (MAPS.includes(name) || LISTS.includes(name)) fault('malformed', path);
    return [name, value];
  }));
  const types = listedTypes(done, run.refused);
  if (types === null || !isSplittable(done)) {
    if (Array.isArray(own(done, 'type'))) fault('type_list', path);
    return withItems(done, path, run);
  }
  run.changes.push({code: 'type_moved', path: [...path, 'type']});
  return {anyOf: types.map((type) => withItems(ofType(type, done), path, run))};
}

/** Whether a `type` names types of JSON. */
function isType(type) {
  const listed = typeof type === 'string' ? [type] : type;
  return isFilledArray(listed) && isDistinctTexts(listed) && listed.every((one) => TYPES.includes(one));
}

/**
 * Whether a reference into the parameters leads to something; others are not judged. Servers that refuse the
 * others do not know of percent-encoding.
 */
function leads(ref, root) {
  return typeof ref !== 'string' || !ref.startsWith('#/') || foundAt(ref, root) !== undefined;
}

/** The types of a list that the endpoint refuses, but for null beside another; null for none. */
function listedTypes(schema, refused) {
  const types = own(schema, 'type');
  if (!refused.includes('type_list') || !isDistinctTexts(types) || types.length === 0) return null;
  const others = types.filter((type) => type !== 'null');
  return others.length > 0 ? others : types;
}

/** A schema with a reference alone, or without one, where nothing is taken beside a reference, and none that leads elsewhere than to a definition (PAY-191). */
function withBareRef(given, path, run) {
  const {refused, root, changes} = run;
  if (!refused.includes('ref_siblings') || !Object.hasOwn(given, '$ref')) return given;
  const reference = {$ref: given.$ref};
  const target = targetOf(reference, root);
  if (target === reference) return given;
  const isPlain = Object.keys(given).length === 1 && isDefined(given.$ref, run);
  if (!isPlain && isClosed(target)) {
    changes.push({code: 'schema_respelled', path: [...path, '$ref']});
    return {...target, ...without(given, ['$ref'])};
  }
  const isKept = (name) =>
    name === '$ref' || (['description', 'title'].includes(name) && !Object.hasOwn(target, name));
  return Object.fromEntries(Object.entries(given).filter(([name]) => {
    if (isKept(name)) return true;
    changes.push({code: codeOfRefused(name), path: [...path, name]});
    return false;
  }));
}

/** Whether this is a reference to a definition. */
function isDefined(ref, {renames}) {
  return typeof ref === 'string' && (ref.startsWith('#/$defs/') || renames && ref.startsWith('#/definitions/'));
}

/** A value in which references to definitions have the newer name of these. */
function renamed(value) {
  if (Array.isArray(value)) return value.map(renamed);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => {
    const isOld = name === '$ref' && typeof one === 'string' && one.startsWith('#/definitions/');
    return [name, isOld ? one.replace('definitions', () => '$defs') : renamed(one)];
  }));
}

/** Whether an object is short, and no reference stands in it, at any depth. No more is looked at than what is copied. */
function isClosed(target) {
  const due = [target];
  for (let seen = 0; seen < due.length; seen++) {
    const value = due[seen];
    if (seen > COPIED || isObject(value) && Object.hasOwn(value, '$ref')) return false;
    if (typeof value === 'object' && value !== null) {
      for (const one of Object.values(value).slice(0, COPIED + 1)) due.push(one);
    }
  }
  return true;
}

/**
 * Whether a part of an `allOf` leads to itself (payload: refused schema). A chain of references can be as
 * long as the parameters, so nothing here calls itself; `path` holds what leads to the value at hand.
 */
function isEndless(root) {
  const states = {part: {seen: new Set(), path: new Set()}, other: {seen: new Set(), path: new Set()}};
  const due = [{value: root, state: states.other, isDone: false}];
  while (due.length > 0) {
    const {value, state, isDone} = due.pop();
    if (isDone) {
      state.path.delete(value);
      continue;
    }
    if (state.path.has(value)) return true;
    if (state.seen.has(value)) continue;
    state.seen.add(value);
    state.path.add(value);
    due.push({value, state, isDone: true});
    for (const [one, isPart] of nextIn(value, root, state === states.part)) {
      due.push({value: one, state: isPart ? states.part : states.other, isDone: false});
    }
  }
  return false;
}

/** What a value leads to, and whether that is a part of an `allOf`. */
function nextIn(value, root, isPart) {
  const isNested = (one) => typeof one === 'object' && one !== null;
  if (Array.isArray(value)) return value.filter(isNested).map((one) => [one, false]);
  const ref = isPart ? own(value, '$ref') : null;
  const target = typeof ref === 'string' && ref.startsWith('#/') ? referred(ref, root) : null;
  const found = Object.entries(value).flatMap(([name, one]) => {
    const holdsParts = Array.isArray(one) && (name === 'allOf' || isPart && name === 'anyOf');
    if (holdsParts) return one.filter(isObject).map((each) => [each, true]);
    return isNested(one) ? [[one, false]] : [];
  });
  return isObject(target) ? [...found, [target, true]] : found;
}

/** A schema that says its types, where it has to (PAY-191). */
function withStatedType(given, path, {refused, changes}) {
  const has = (name) => Object.hasOwn(given, name);
  if (!refused.includes('untyped') || SAY_TYPE.some(has)) return given;
  const types = Object.keys(TYPED).filter((type) => TYPED[type].some(has));
  if (types.length > 1) return given;
  const name = types.length === 1 ? 'type' : 'anyOf';
  changes.push({code: 'schema_respelled', path: [...path, name]});
  return {...given, [name]: types[0] ?? ANY.map((type) => ({type}))};
}

/** A schema of one text as a list of it, where only that is taken, and of values of one type with this type, where that is wanted (PAY-191). */
function enumerated(given, path, {refused, changes}) {
  const text = own(given, 'const');
  const isText = typeof text === 'string' && [undefined, 'string'].includes(own(given, 'type'));
  if (isText && !Object.hasOwn(given, 'enum') && refused.includes('const') && !refused.includes('enum')) {
    changes.push({code: 'schema_respelled', path: [...path, 'const']});
    return {...without(given, ['const']), type: 'string', enum: [text]};
  }
  const kind = kindOf(Object.hasOwn(given, 'enum') ? given.enum : [text]);
  if (kind === null || Object.hasOwn(given, 'type') || !refused.includes('enum_untyped')) return given;
  changes.push({code: 'schema_respelled', path: [...path, 'type']});
  return {...given, type: kind};
}

/** The type of values that are all texts, all numbers or all booleans; else null. */
function kindOf(values) {
  const kinds = new Set(Array.isArray(values) ? values.map((one) => typeof one) : []);
  const [kind] = kinds;
  return kinds.size === 1 && ['string', 'number', 'boolean'].includes(kind) ? kind : null;
}

/** A schema of integers with limits that belong to it, where no other are taken (PAY-191). */
function withOwnLimits(stated, path, {refused, changes}) {
  const given = refused.includes('malformed') ? withDatedLimits(stated, path, {refused, changes}) : stated;
  if (own(given, 'type') !== 'integer') return given;
  let sent = given;
  for (const [name, other, step] of LIMITS) {
    const limit = own(given, name);
    const isOpen = refused.includes(name) && !refused.includes(other) && !Object.hasOwn(given, other);
    // From there on a number that is 1 more can be the same number elsewhere.
    if (isOpen && Number.isInteger(limit) && Math.abs(limit) < Number.MAX_SAFE_INTEGER) {
      changes.push({code: 'schema_respelled', path: [...path, name]});
      sent = {...without(sent, [name]), [other]: limit + step};
    }
  }
  return sent;
}

/** A schema without the open limits of an older JSON Schema, which were booleans (PAY-191). */
function withDatedLimits(given, path, {refused, changes}) {
  let sent = given;
  for (const [name, other] of LIMITS) {
    const isOpen = own(given, name);
    if (typeof isOpen !== 'boolean' || refused.includes(name)) continue;
    changes.push({code: 'schema_respelled', path: [...path, name]});
    const limit = own(given, other);
    const isMeant = isOpen && typeof limit === 'number';
    sent = isMeant ? {...without(sent, [name, other]), [name]: limit} : without(sent, [name]);
  }
  return sent;
}

/**
 * A schema without what some languages write for nothing: null, and `[]` and `{}` each in the place of the other;
 * and without a `required` of an older JSON Schema (PAY-191).
 */
function asMeant(given, path, {refused, changes}) {
  if (!refused.includes('malformed')) return given;
  const meant = {};
  for (const [name, value] of Object.entries(given)) {
    const isFlag = name === 'required' && (typeof value === 'boolean' || isEmptyObject(value));
    const goes = isFlag || (value === null && !MAY_BE_NULL.includes(name));
    let sent = MAPS.includes(name) && isEmptyArray(value) ? {} : value;
    if (name === 'type') sent = Array.isArray(value) ? value.map(namedType) : namedType(value);
    sent = eachOnce(name, value) ?? sent;
    if (goes || !equalJson(sent, value)) changes.push({code: 'schema_respelled', path: [...path, name]});
    if (!goes) meant[name] = sent;
  }
  return asTuple(meant, path, changes);
}

/** A schema with a tuple as JSON Schema describes one since 2020 (PAY-191). */
function asTuple(given, path, changes) {
  const items = own(given, 'items');
  if (!isFilledArray(items) || Object.hasOwn(given, 'prefixItems')) return given;
  changes.push({code: 'schema_respelled', path: [...path, 'items']});
  const sent = {...without(given, ['items', 'additionalItems']), prefixItems: items};
  return Object.hasOwn(given, 'additionalItems') ? {...sent, items: given.additionalItems} : sent;
}

/** The type that a string names, else what is given. */
function namedType(kind) {
  const spelled = typeof kind === 'string' ? kind.toLowerCase() : kind;
  return NAMED_TYPES.get(spelled) ?? (TYPES.includes(spelled) ? spelled : kind);
}

function isEmptyObject(value) {
  return isObject(value) && Object.keys(value).length === 0;
}

/**
 * A schema without properties that are no schemas, since a keyword can have slipped in among them, and with those as
 * required that say so themselves (PAY-191).
 */
function withSchemas(stated, path, {refused, changes}) {
  const properties = own(stated, 'properties');
  if (!refused.includes('malformed') || !isObject(properties)) return stated;
  const required = own(stated, 'required') ?? [];
  const flagged = Object.keys(properties).filter((name) => own(properties[name] ?? {}, 'required') === true);
  const isMore = isDistinctTexts(required) && flagged.some((name) => !required.includes(name));
  const given = isMore ? {...stated, required: [...new Set([...required, ...flagged])]} : stated;
  if (isMore) changes.push({code: 'schema_respelled', path: [...path, 'required']});
  const gone = Object.keys(properties).filter((name) => typeof properties[name] !== 'boolean' && !isObject(properties[name]));
  for (const name of gone) changes.push({code: 'schema_respelled', path: [...path, 'properties', name]});
  return gone.length > 0 ? {...given, properties: without(properties, gone)} : given;
}

/** A schema whose list of types names one, without the list (PAY-201). */
function withOneType(given, path, {refused, changes}) {
  const types = listedTypes(given, refused);
  if (types?.length !== 1) return given;
  changes.push({code: 'type_moved', path: [...path, 'type']});
  return {...given, ...typedAs(types[0], given)};
}

/** Whether a schema can be parted by its types: no other schema in it would stand in two places. */
function isSplittable(schema) {
  return Object.keys(schema).every((name) =>
    !PLACES.includes(name) || ['properties', 'items'].includes(name));
}

/** The part of a schema that is about one of its types (PAY-201). */
function ofType(type, schema) {
  const idle = [...(type === 'object' ? [] : OF_OBJECTS), ...(type === 'array' ? [] : OF_ARRAYS)];
  const members = Object.entries(schema).filter(([name]) => name !== 'type' && !idle.includes(name));
  return {...typedAs(type, schema), ...Object.fromEntries(members)};
}

function typedAs(type, {type: types}) {
  return types.includes('null') && type !== 'null' ? {type, nullable: true} : {type};
}

/** A schema with the items that it needs (PAY-191). */
function withItems(schema, path, run) {
  const {refused, changes} = run;
  run.isOpen ||= isOpenSchema(schema);
  run.isLoose ||= isLooseSchema(schema);
  run.grammar[1] += optionalIn(schema).length;
  if (Object.hasOwn(schema, 'anyOf') || Array.isArray(own(schema, 'type'))) run.grammar[2]++;
  const isBare = [own(schema, 'type')].flat().includes('array') && !Object.hasOwn(schema, 'items');
  if (!isBare || !refused.includes('array_without_items')) return schema;
  changes.push({code: 'schema_respelled', path: [...path, 'items']});
  // An empty object would be untyped, and an array in it would need items again.
  const kinds = ANY.filter((type) => type !== 'array').map((type) => ({type}));
  return {...schema, items: refused.includes('untyped') ? {anyOf: kinds} : {}};
}

/** A schema without the keywords that the endpoint refuses (PAY-191). */
function withoutRefused(stated, path, {refused, changes}, isRoot) {
  const given = withOwnValues(stated, path, {refused, changes});
  const codes = unfitIn(given, refused);
  const kept = Object.fromEntries(Object.entries(given).filter(([name]) => {
    if (isRoot && ['type', 'properties'].includes(name)) return true;
    const code = refused.includes(name) ? codeOfRefused(name) : codes.get(name);
    if (code === undefined) return true;
    changes.push({code, path: [...path, name]});
    return false;
  }));
  return refused.includes('required_undefined') ? withDefinedNames(kept, path, changes) : kept;
}

/** A schema whose values are all of its types, where no others are taken (PAY-191). */
function withOwnValues(given, path, {refused, changes}) {
  const [type, values] = [own(given, 'type'), own(given, 'enum')];
  const isJudged = refused.includes('enum_of_other_types') && !refused.includes('enum');
  if (!isJudged || !Array.isArray(values) || !isType(type)) return given;
  const kept = values.filter((value) => fits(value, {type}));
  if (kept.length === values.length) return given;
  const code = kept.length > 0 ? 'schema_respelled' : 'constraint_removed';
  changes.push({code, path: [...path, 'enum']});
  return kept.length > 0 ? {...given, enum: kept} : without(given, ['enum']);
}

/** A schema that demands what it describes (PAY-191). */
function withDefinedNames(given, path, changes) {
  const {required, properties = {}} = given;
  if (!isDistinctTexts(required) || !isObject(properties)) return given;
  const names = required.filter((name) => Object.hasOwn(properties, name));
  if (names.length === required.length) return given;
  changes.push({code: 'constraint_removed', path: [...path, 'required']});
  return names.length > 0 ? {...given, required: names} : without(given, ['required']);
}

function codeOfRefused(name) {
  return ANNOTATIONS.has(name) || name.startsWith('x-') ? 'annotation_removed' : 'constraint_removed';
}

/** By name the codes of keywords that the endpoint refuses in such a schema (PAY-191). */
function unfitIn(given, refused) {
  const [type, values, required] = ['type', 'enum', 'required'].map((name) => own(given, name));
  const isNot = (name) => typeof type === 'string' && type !== name;
  const isOfOthers = Array.isArray(values) && !values.every((value) => typeof value === 'string' && value !== '');
  const properties = own(given, 'properties') ?? {};
  const isOfNothing = Array.isArray(required) && typeof properties === 'object' &&
    Object.keys(properties).length === 0;
  const [note, constraint] = ['annotation_removed', 'constraint_removed'];
  const codes = [];
  if (refused.includes('enum_of_others') && isOfOthers) codes.push(['enum', constraint]);
  if (refused.includes('pattern_of_parts') && isOfParts(own(given, 'pattern'))) codes.push(['pattern', constraint]);
  if (refused.includes('required_of_nothing') && isOfNothing) {
    codes.push(['required', required.length === 0 ? note : constraint]);
  }
  if (refused.includes('members_of_no_object') && isNot('object')) {
    codes.push(...OF_OBJECTS.map((name) => [name, note]));
  }
  if (refused.includes('formats_of_texts') && type === 'string' && !['enum', 'date-time'].includes(own(given, 'format'))) {
    codes.push(['format', note]);
  }
  if (refused.includes('items_of_no_array') && isNot('array')) {
    codes.push(...OF_ARRAYS.map((name) => [name, note]));
  }
  return new Map(codes);
}

/** A pattern of which a grammar can be made: a `?` stands behind no `(`, but in `(?:`. */
const WHOLE = /^\^\?*(?:(?:\\[[\]\\"trnxu^$.(){}|*+?]|\[(?:\\[[\]\\"trnxu]|[^\]\\])*\]|[^\\[(?])\?*|\((?:\?:\?*)?)*\$$/;

/** Whether a pattern is none of a whole text. */
function isOfParts(pattern) {
  return typeof pattern === 'string' ? !WHOLE.test(pattern) : pattern !== undefined;
}

/** A schema whose type stands in the branches of its `anyOf` (PAY-191). */
function withTypeInBranches(given, path, {refused, changes, faults}) {
  const branches = own(given, 'anyOf');
  const {type, ...rest} = given;
  if (!refused.includes('type_beside_any_of') || type === undefined || isNothing(branches)) {
    return given;
  }
  if (!Array.isArray(branches) || !branches.every((branch) => isNarrower(branch, type))) {
    faults.push({code: 'schema_not_taken', path});
    return given;
  }
  changes.push({code: 'type_moved', path: [...path, 'type']});
  return {...rest, anyOf: branches.map((branch) => ({type, ...branch}))};
}

/** Whether a branch of an `anyOf` loses nothing when the type beside that goes. */
function isNarrower(branch, type) {
  if (!isObject(branch)) return false;
  const listed = (value) => (Array.isArray(value) ? value : [value]).map((one) => JSON.stringify(one));
  const allowed = listed(type);
  return listed(Object.hasOwn(branch, 'type') ? branch.type : type)
    .every((one) => allowed.includes(one));
}

/** Whether a schema leaves members free, or has what strict mode does not know (payload: open schema). */
function isOpenSchema(schema) {
  const format = own(schema, 'format');
  if (LOOSE.some((name) => Object.hasOwn(schema, name)) || looksAround(schema)) return true;
  if (format !== undefined && !FORMATS.includes(format)) return true;
  return takesOthers(schema) || optionalIn(schema).length > 0;
}

/** Whether a grammar has no rule for a schema (payload: loose schema). */
function isLooseSchema(schema) {
  const hasLimit = UNRULED.some((name) => Object.hasOwn(schema, name)) || ![undefined, 0, 1].includes(own(schema, 'minItems'));
  return hasLimit || looksAround(schema) || takesOthers(schema);
}

/** Whether a schema of objects takes members that it does not name. */
function takesOthers(schema) {
  const isOfObjects = isObject(own(schema, 'properties')) || own(schema, 'type') === 'object';
  return isOfObjects && own(schema, 'additionalProperties') !== false;
}

/** The names of the members that a schema does not require. */
function optionalIn(schema) {
  const [properties, required] = [own(schema, 'properties'), own(schema, 'required')];
  const names = new Set(Array.isArray(required) ? required : []);
  return isObject(properties) ? Object.keys(properties).filter((name) => !names.has(name)) : [];
}

function looksAround(schema) {
  const pattern = own(schema, 'pattern');
  return typeof pattern === 'string' && /\(\?<?[=!]/.test(pattern);
}

function isDistinctTexts(value) {
  return Array.isArray(value) && value.every((item) => typeof item === 'string') &&
    new Set(value).size === value.length;
}
