// The operation event.hash_arguments.

import {canonicalText, isWritable, readJson} from '../shared/canonical_json.mjs';
import {EVENT_HASH_ARGUMENTS} from '../shared/form_data.mjs';
import {digest} from './key.mjs';
import {isBad} from '../shared/forms.mjs';
import {isObject} from '../shared/json_text.mjs';

const PREVIEW = 200; // code points

/** `{result}` or `{error}`: what may be known of the arguments of a call. */
export function hashArguments(input) {
  if (isBad(EVENT_HASH_ARGUMENTS, input)) return {error: {code: 'invalid_input'}};
  const {value, error} = Object.hasOwn(input, 'arguments')
    ? readValue(input.arguments)
    : readText(input.arguments_json);
  if (error !== undefined) return {error: {code: error}};
  const {key} = input;
  return {result: {
    args_preview_hash: previewHash(value, key),
    algorithm: key === undefined ? 'sha256' : 'hmac-sha256',
    ...(key === undefined ? {} : {key_id: key.id}),
  }};
}

/** The preview hash of arguments that were read (EVT-007, EVT-013). */
export function previewHash(args, key) {
  return digest(preview(canonicalText(args)), key);
}

/** `{value}` or `{error}` of arguments as an object (EVT-007, EVT-004, EVT-003). */
function readValue(args) {
  if (args === null) return {value: {}};
  if (!isObject(args)) return {error: 'arguments_not_object'};
  return isWritable(args) ? {value: args} : {error: 'arguments_not_json'};
}

/** `{value}` or `{error}` of arguments as a text (EVT-003). */
function readText(text) {
  const read = readJson(text);
  if (read === null) return {error: 'arguments_not_json'};
  return isObject(read.value) ? read : {error: 'arguments_not_object'};
}

/** The first code points of a text, none of which has more than two units. */
function preview(text) {
  return [...text.slice(0, 2 * PREVIEW)].slice(0, PREVIEW).join('');
}
