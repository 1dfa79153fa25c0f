// What the endpoint of a provider takes (payload: profile, flag).

import {isObject, own} from '../shared/json_text.mjs';
import {REFUSALS} from './refusals.mjs';

const isBoolean = (value) => typeof value === 'boolean';
const isFilledText = (value) => typeof value === 'string' && value !== '';
const isLimit = (value) => value === null || (Number.isInteger(value) && value >= 1);
const isNames = (value) => Array.isArray(value) && value.every(isFilledText) &&
  new Set(value).size === value.length;
const isRefusals = (value) => isNames(value) && value.every((name) => REFUSALS.includes(name));
/** The kinds of choice that an endpoint can refuse: nobody refuses `auto`. */
const REFUSABLE = ['none', 'required', 'named'];
const isChoices = (value) => isNames(value) && value.every((name) => REFUSABLE.includes(name));
const isRequired = (value) => isObject(value) && Object.values(value).every((one) =>
  isObject(one) && ['message', 'call'].includes(own(one, 'in')) &&
  Object.keys(one).every((name) => name === 'in' || name === 'value'));
const oneOf = (...words) => (value) => words.includes(value);

/** Each flag with its test of values, its strict value and its open one. */
const FLAGS = Object.entries({
  strict_field: [oneOf('any', 'uniform', 'none'), 'none', 'any'],
  parallel_field: [isBoolean, false, true],
  name_start: [oneOf('any', 'letter'), 'letter', 'any'],
  max_tools: [isLimit, 128, null],
  max_description: [isLimit, 1024, null],
  ids: [oneOf('any', 'verbatim', 'word_64', 'word_40', 'alphanumeric_9'), 'alphanumeric_9', 'any'],
  content_beside_calls: [oneOf('any', 'string'), 'string', 'any'],
  result_content: [oneOf('any', 'parts', 'string'), 'string', 'any'],
  result_media: [oneOf('none', 'user'), 'none', 'none'],
  result_name: [oneOf('any', 'call', 'none'), 'call', 'any'],
  developer_role: [isBoolean, false, true],
  system_anywhere: [oneOf(true, 'first', 'one'), 'one', true],
  repeated_roles: [isBoolean, false, true],
  calls_in_message: [oneOf('any', 'one'), 'one', 'any'],
  user_after_tool: [isBoolean, false, true],
  assistant_last: [isBoolean, true, true],
  unknown_members: [oneOf('any', 'none'), 'none', 'any'],
  opaque_members: [isNames, [], []],
  opaque_parts: [isNames, [], []],
  opaque_required: [isRequired, {}, {}],
  root_keywords: [oneOf('any', 'none'), 'none', 'none'],
  refused_in_schemas: [isNames, [], []],
  refused_choices: [isChoices, [], []],
  refused_thinking: [isChoices, [], []],
  thinks_unasked: [isBoolean, false, false],
  effort_beside_tools: [oneOf('any', 'none'), 'any', 'any'],
  refuses: [isRefusals, [], []],
});

/** The test of each member that a profile may have. */
const MEMBERS = new Map([
  ...FLAGS.map(([name, [isValue]]) => [name, isValue]),
  ['base', oneOf('strict', 'open')],
  ['origin', isOrigin],
]);

/** Whether a value is a profile. */
export function isProfile(value) {
  return isObject(value) &&
    Object.entries(value).every(([name, member]) => MEMBERS.get(name)?.(member) ?? false);
}

/** Whether an input of an operation has a member `profile` that is none. */
export function hasBadProfile(input) {
  return Object.hasOwn(input, 'profile') && !isProfile(input.profile);
}

/** Whether a profile names what is opaque, and not where it goes (PAY-158, TRN-034). */
export function lacksOrigin(input) {
  const profile = own(input, 'profile') ?? {};
  const names = ['opaque_members', 'opaque_parts'].flatMap((flag) => own(profile, flag) ?? []);
  return names.length > 0 && !Object.hasOwn(profile, 'origin');
}

/** The value of every flag for the input of an operation; null is the value of a limit. */
export function flagsOf(input) {
  const profile = own(input, 'profile');
  return Object.fromEntries(FLAGS.map(([name, [, strict, open]]) => {
    if (profile !== undefined && Object.hasOwn(profile, name)) return [name, profile[name]];
    const isOpen = profile === undefined || own(profile, 'base') === 'open';
    return [name, isOpen ? open : strict];
  }));
}

/** Whether a value says where a request goes, or a message comes from. */
export function isOrigin(value) {
  return isObject(value) && Object.keys(value).length === 2 &&
    typeof own(value, 'provider') === 'string' && typeof own(value, 'model') === 'string';
}
