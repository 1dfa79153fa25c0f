// Parameters whose members stand in combinations that an endpoint refuses at their root (payload: spread parameters).

import {equalJson, isObject, own} from '../shared/json_text.mjs';
import {isNothing, referred, without} from '../shared/json_object.mjs';

/** Parameters with the members of the object that they refer to; else the given ones. */
export function led(given, gone) {
  const target = gone.includes('$ref') ? targetOf(given, given) : given;
  return target === given ? given : {...target, ...without(given, ['$ref'])};
}

/** Parameters that have the members of the branches that go; else the given ones. */
export function spread(given, gone) {
  const [properties, required] = [own(given, 'properties'), own(given, 'required')];
  const isTaken = (isNothing(properties) || isObject(properties) || Array.isArray(properties) && properties.length === 0) &&
    (isNothing(required) || Array.isArray(required));
  if (!isTaken) return given;
  const found = new Map();
  const demanded = [];
  for (const name of ['allOf', 'anyOf', 'oneOf']) {
    const listed = gone.includes(name) ? own(given, name) : null;
    const branches = Array.isArray(listed) ? listed.map((one) => targetOf(one, given)) : [];
    for (const branch of branches) collectMembers(branch, found);
    const wanted = branches.map(requiredOf);
    const isDemanded = (one) => name === 'allOf' || wanted.every((names) => names.includes(one));
    demanded.push(...wanted.flat().filter(isDemanded));
  }
  const mine = isObject(properties) ? properties : {};
  const merged = [...found].filter(([name]) => !Object.hasOwn(mine, name))
    .map(([name, schemas]) => [name, schemas.length === 1 ? schemas[0] : {anyOf: schemas}]);
  const all = Object.fromEntries([...Object.entries(mine), ...merged]);
  const before = required ?? [];
  const more = [...new Set(demanded)].filter((one) => Object.hasOwn(all, one) && !before.includes(one));
  return {
    ...given,
    ...(merged.length > 0 ? {properties: all} : {}),
    ...(more.length > 0 ? {required: [...before, ...more]} : {}),
  };
}

/** The object to which the reference of a schema leads; the schema where there is none. */
export function targetOf(schema, document) {
  const ref = isObject(schema) ? own(schema, '$ref') : null;
  const target = typeof ref === 'string' && ref.startsWith('#/') ? referred(ref, document) : null;
  return isObject(target) ? target : schema;
}

/** Adds the members of a branch to the schemas that their names have, each once. */
function collectMembers(branch, found) {
  const properties = isObject(branch) ? own(branch, 'properties') : null;
  for (const [name, schema] of isObject(properties) ? Object.entries(properties) : []) {
    const schemas = found.get(name) ?? [];
    if (!schemas.some((one) => equalJson(one, schema))) found.set(name, [...schemas, schema]);
  }
}

function requiredOf(branch) {
  const names = isObject(branch) ? own(branch, 'required') : null;
  return Array.isArray(names) ? names.filter((one) => typeof one === 'string') : [];
}
