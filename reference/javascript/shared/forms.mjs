// The forms of inputs, as the schemas have them: what keeps a value from one, for an error.

import {isObject, isTooDeep} from './json_text.mjs';

/** Each type in words, and whether a value is one. */
const TYPES = {
  object: ['an object', isObject],
  array: ['an array', Array.isArray],
  string: ['a string', (value) => typeof value === 'string'],
  integer: ['a whole number', Number.isInteger],
  number: ['a number', (value) => typeof value === 'number'],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
  null: ['null', (value) => value === null],
};

export function fits(value, form) {
  return trouble(value, form, '') === null;
}

/** Whether the input of an operation is none: not what its schema says, or too deep. */
export function isBad(form, input) {
  return !fits(input, form) || isTooDeep(input);
}

/** The first place where a value has not a form, and what is wrong there; null where it has it. */
export function trouble(value, form, place) {
  if (form === false) return `${place} is no member here`;
  const {$ref, type, enum: words} = form;
  const types = [type ?? []].flat();
  if (types.length > 0 && !types.some((each) => TYPES[each][1](value))) {
    return `${place} is not ${types.map((each) => TYPES[each][0]).join(' or ')}`;
  }
  if (words?.includes(value) === false) return `${place} is none of ${words.join(', ')}`;
  if ('const' in form && value !== form.const) return `${place} is not ${form.const}`;
  return ($ref === undefined ? null : trouble(value, $ref, place)) ??
    ofKind(value, form, place) ?? ofOthers(value, form, place);
}

function ofKind(value, form, place) {
  if (isObject(value)) return ofObject(value, form, place);
  if (Array.isArray(value)) return ofArray(value, form, place);
  const {pattern, minLength = 0, minimum = value, maximum = value, description} = form;
  if (typeof value === 'number' && value < minimum) return `${place} is less than ${minimum}`;
  if (typeof value === 'number' && value > maximum) return `${place} is more than ${maximum}`;
  if (typeof value !== 'string') return null;
  if (value.length < minLength) return `${place} is empty`;
  const isOther = pattern !== undefined && !new RegExp(pattern, 'u').test(value);
  return isOther ? `${place} is not what the schema says: ${description}` : null;
}

function ofObject(value, form, place) {
  const {required = [], properties = {}, additionalProperties: others = {}, propertyNames} = form;
  const lacking = required.find((name) => !Object.hasOwn(value, name));
  if (lacking !== undefined) return `${place}.${lacking} is missing`;
  for (const name of Object.keys(value)) {
    const isKnown = Object.hasOwn(properties, name);
    if ((!isKnown && others === false) || (propertyNames && !fits(name, propertyNames))) {
      return unknown(name, propertyNames?.enum ?? Object.keys(properties), place);
    }
    const form = isKnown ? properties[name] : others;
    const found = trouble(value[name], form, isKnown ? `${place}.${name}` : `${place}.[…]`);
    if (found !== null) return found;
  }
  return null;
}

/** A model can write the name of a member, so that only one of the input itself is said. */
function unknown(name, known, place) {
  const what = place.includes('.') ? `${place} has a member that` : `${place}.${name}`;
  return known.length > 0 ? `${what} is none of ${known.join(', ')}` : `${what} must not be there`;
}

function ofArray(value, {items, contains, uniqueItems: isUnique}, place) {
  for (let at = 0; items !== undefined && at < value.length; at++) {
    const found = trouble(value[at], items, `${place}[${at}]`);
    if (found !== null) return found;
  }
  if (contains && !value.some((item) => fits(item, contains))) return `${place} lacks an element`;
  return isUnique && new Set(value).size < value.length ? `${place} has a value twice` : null;
}

/** What forms of the same value are against: that is what holds them together here. */
function ofOthers(value, form, place) {
  const {allOf = [], if: condition, then, not, oneOf, anyOf} = form;
  for (const part of allOf) {
    const found = trouble(value, part, place);
    if (found !== null) return found;
  }
  const found = condition && fits(value, condition) ? trouble(value, then, place) : null;
  if (found !== null) return found;
  if (not && fits(value, not)) return `${place} ${together(value, not)}`;
  const ways = oneOf ?? anyOf;
  if (ways === undefined) return null;
  const against = ways.map((way) => trouble(value, way, place));
  if (!against.includes(null)) return [...new Set(against)].join(', or ');
  const fitting = ways.filter((_, n) => against[n] === null);
  return oneOf && fitting.length > 1 ? `${place} ${together(value, {allOf: fitting})}` : null;
}

/** What must not be, where a value has a form that it must not have. */
function together(value, form) {
  const fitting = form.anyOf?.find((each) => fits(value, each));
  if (fitting) return together(value, fitting);
  const parts = form.allOf ?? [form];
  const names = parts.flatMap(({required = [], contains}) => contains ? [contains.const] : required);
  const atOnce = names.length > 1 ? ' at once' : '';
  return names.length > 0 ? `must not have ${names.join(' and ')}${atOnce}` : 'must be another one';
}
