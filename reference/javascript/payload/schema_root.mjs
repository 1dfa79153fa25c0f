// The root of the parameters of a tool (payload: safe parameters; PAY-047, PAY-111).

import {isObject, own} from '../shared/json_text.mjs';
import {isEmptyArray, isNothing} from '../shared/json_object.mjs';

const COMBINATIONS = ['oneOf', 'anyOf', 'allOf', 'not', 'enum', '$ref'];
const NAMED = new Set(['type', 'properties', 'required', ...COMBINATIONS]);

/** Whether parameters are safe; what stands below their root is not looked at. */
export function isSafe(parameters) {
  if (isNothing(parameters) || isEmptyArray(parameters)) return true;
  if (!isObject(parameters)) return false;
  const [type, properties, required] = ['type', 'properties', 'required']
    .map((name) => own(parameters, name) ?? null);
  return (type === null || type === 'object') &&
    (properties === null || isObject(properties) || isEmptyArray(properties)) &&
    (required === null || isDistinctTexts(required)) &&
    COMBINATIONS.every((name) => isNothing(own(parameters, name)));
}

/** `{parameters, code}` of safe parameters in their sent form; the code of a change, or null. */
export function sendParameters(parameters) {
  if (!isObject(parameters)) { // PAY-047
    return {parameters: {type: 'object', properties: {}}, code: 'parameters_added'};
  }
  // PAY-111: null says nothing here, and what the form needs comes back below.
  const said = Object.entries(parameters).filter(([name, value]) =>
    !(NAMED.has(name) && value === null));
  const sent = Object.fromEntries(said);
  const isWhole = said.length === Object.keys(parameters).length &&
    Object.hasOwn(sent, 'type') && isObject(own(sent, 'properties'));
  if (isWhole) return {parameters, code: null};
  sent.type = 'object';
  if (!isObject(own(sent, 'properties'))) sent.properties = {};
  return {parameters: sent, code: 'parameters_completed'};
}

function isDistinctTexts(value) {
  return Array.isArray(value) && value.every((item) => typeof item === 'string') &&
    new Set(value).size === value.length;
}
