// The operation event.hash_arguments (EVT-001 to EVT-009, without the feature unique-keys).

import {hasMembers} from '../shared/envelope.mjs';
import {canonicalText, isWritable, readJson} from '../shared/canonical_json.mjs';
import {digest, isKey} from './key.mjs';
import {isObject, isTooDeep} from '../shared/json_text.mjs';

const PREVIEW = 200; // code points

/** `{result}` or `{error}`: what may be known of the arguments of a call. */
export function hashArguments(input) {
  if (isBadInput(input)) return {error: {code: 'invalid_input'}};
  const {value, error} = Object.hasOwn(input, 'arguments')
    ? readValue(input.arguments)
    : readText(input.arguments_json);
  if (error !== undefined) return {error: {code: error}};
  const {full = false, key} = input;
  return {result: {
    args_preview_hash: previewHash(value, key),
    ...(full ? {args_hash: digest(canonicalText(value), key)} : {}), // EVT-008
    algorithm: key === undefined ? 'sha256' : 'hmac-sha256', // EVT-009
    ...(key === undefined ? {} : {key_id: key.id}),
  }};
}

/** The preview hash of arguments that were read (EVT-007, EVT-017). */
export function previewHash(args, key) {
  return digest(preview(canonicalText(args)), key);
}

/** Whether the input is none (EVT-001). */
function isBadInput(input) {
  if (!hasMembers(input, [], ['arguments', 'arguments_json', 'full', 'key'])) return true;
  const hasText = Object.hasOwn(input, 'arguments_json');
  if (Object.hasOwn(input, 'arguments') === hasText) return true;
  if (hasText && typeof input.arguments_json !== 'string') return true;
  const {full = false} = input;
  if (typeof full !== 'boolean') return true;
  return (Object.hasOwn(input, 'key') && !isKey(input.key)) || isTooDeep(input);
}

/** `{value}` or `{error}` of arguments as an object (EVT-002, EVT-004, EVT-006). */
function readValue(args) {
  if (args === null) return {value: {}};
  if (!isObject(args)) return {error: 'arguments_not_object'};
  return isWritable(args) ? {value: args} : {error: 'arguments_not_json'};
}

/** `{value}` or `{error}` of arguments as a text (EVT-003, EVT-006). */
function readText(text) {
  const read = readJson(text);
  if (read === null) return {error: 'arguments_not_json'};
  return isObject(read.value) ? read : {error: 'arguments_not_object'};
}

/** The first code points of a text, none of which has more than two units. */
function preview(text) {
  return [...text.slice(0, 2 * PREVIEW)].slice(0, PREVIEW).join('');
}
