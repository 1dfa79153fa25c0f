// Parameters whose members stand in combinations that an endpoint refuses at their root (payload: spread parameters).

import {canonicalText} from '../shared/canonical_json.mjs';
import {isObject, own} from '../shared/json_text.mjs';
import {referred, without} from '../shared/json_object.mjs';

const FOLLOWED = 10;

/** Parameters with the members of the objects that they refer to, one after the other; else the given ones. */
export function led(given, gone) {
  const row = new Set([given]);
  let last = given;
  for (let target = targetOf(last, given); gone.includes('$ref') && !row.has(target); target = targetOf(last, given)) {
    row.add(target);
    last = target;
  }
  if (last === given) return given;
  return Object.assign({}, ...[...row].reverse().map((one) => (one === last ? one : without(one, ['$ref']))));
}

/**
 * Parameters, with safe `properties` and `required`, that have the members of the branches that go; else the given ones;
 * `stated` are those before they were `led`.
 */
export function spread(given, gone, stated) {
  const [properties, required] = [own(given, 'properties'), own(given, 'required')];
  const found = new Map();
  const demanded = new Set();
  for (const name of ['allOf', 'anyOf', 'oneOf']) {
    const listed = gone.includes(name) ? own(given, name) : null;
    const branches = Array.isArray(listed) ? listed.map((one) => followed(one, given)) : [];
    if (name === 'allOf' && gone.includes('$ref')) branches.unshift(followed(stated, stated));
    for (const one of branches.flat()) collectMembers(one, found);
    const times = new Map();
    for (const one of branches.flatMap(requiredOf)) times.set(one, (times.get(one) ?? 0) + 1);
    const most = name === 'allOf' ? 1 : branches.length;
    for (const [one, count] of times) if (count >= most) demanded.add(one);
  }
  const mine = isObject(properties) ? properties : {};
  const merged = [...found].filter(([name]) => !Object.hasOwn(mine, name))
    .map(([name, schemas]) => [name, schemas.size === 1 ? schemas.values().next().value : {anyOf: [...schemas.values()]}]);
  const all = Object.fromEntries([...Object.entries(mine), ...merged]);
  const before = required ?? [];
  const named = new Set(before);
  const more = [...demanded].filter((one) => Object.hasOwn(all, one) && !named.has(one));
  return {
    ...given,
    ...(merged.length > 0 ? {properties: all} : {}),
    ...(more.length > 0 ? {required: [...before, ...more]} : {}),
  };
}

/** A branch and the objects to which it leads, one after the other. */
function followed(branch, document) {
  const row = [branch];
  for (let target = targetOf(branch, document); row.length <= FOLLOWED && target !== row.at(-1); target = targetOf(target, document)) {
    row.push(target);
  }
  return row;
}

/** The object to which the reference of a schema leads; the schema where there is none. */
export function targetOf(schema, document) {
  const ref = isObject(schema) ? own(schema, '$ref') : null;
  const target = typeof ref === 'string' && ref.startsWith('#/') ? referred(ref, document) : null;
  return isObject(target) ? target : schema;
}

/** Adds the properties of a schema to the schemas that their names have, each once. */
function collectMembers(schema, found) {
  const properties = isObject(schema) ? own(schema, 'properties') : null;
  for (const [name, one] of isObject(properties) ? Object.entries(properties) : []) {
    if (!found.has(name)) found.set(name, new Map());
    const [schemas, key] = [found.get(name), canonicalText(one)];
    if (!schemas.has(key)) schemas.set(key, one);
  }
}

/** The names that a branch requires, each once. */
function requiredOf(branch) {
  const names = branch.flatMap((one) => {
    const listed = isObject(one) ? own(one, 'required') : null;
    return Array.isArray(listed) ? listed : [];
  });
  return [...new Set(names.filter((one) => typeof one === 'string'))];
}
