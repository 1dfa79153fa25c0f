// From the payload of a block to its verdicts. A verdict is `{call}`, a call without an id;
// `{code, name}` of what is none, with a name where that could be read; or `{call, code}` for a
// name that cannot be sent (EXT-064).

import {readArgumentsPayload, readCallValues} from './call_values.mjs';
import {DESCRIPTORS} from './dialect_data.mjs';
import {nameOfHeader} from './headers.mjs';
import {nameOfMessage} from './messages.mjs';
import {readParameterCall} from './parameter_values.mjs';
import {readPayload} from './payload_scanner.mjs';
import {Source} from './source.mjs';

const {payload, values = {}} = DESCRIPTORS.find(({id}) => id === 'tool_call');
const TOOL_CALL = {payload, values};

/** The verdicts of a JSON payload. */
export function readJsonCalls(payload, {form, header}, effective) {
  if (form.payload.scanner !== 'json_arguments') return readCallValues(payload, form);
  return readNamedArguments(payload, {form}, nameInHeader(header, form.opener, effective ?? []));
}

/** The verdict of a JSON payload that is arguments, whose name stands before them or in the header. */
export function readNamedArguments(payload, {form, header}, name = nameInHeader(header, form.opener, [])) {
  if (name === '' && form.payload.name_in_first_line) return readCallValues(payload, TOOL_CALL); // the object has it
  return [readArgumentsPayload(payload, name, form.values)];
}

/** The verdict of a payload of parameters (EXT-116, EXT-141). */
export function readParameterCalls({name, pairs}, {form, header}, tools) {
  const rawName = name ?? nameInHeader(header, form.opener, [], pairs.length === 0);
  return [readParameterCall(rawName, pairs, tools, form)];
}

/** The name in the header of an opener that has one there. */
function nameInHeader(header, opener, effective, isAlone = false) {
  if (opener === null) return header; // guided output has no opener, and its name is said
  if (opener.tool !== undefined) return header;
  return opener.messages ? nameOfMessage(header, opener) : nameOfHeader(header, opener.name, effective, isAlone);
}

/** The verdicts of an object or array of literals, by its JSON (EXT-116); in the place of calls it is that of `tool_call`. */
export function readLiteralJson(json, {form}) {
  const source = new Source();
  source.addWhole(json);
  const {value} = readPayload(source, null, {valueAt: 0, fence: null}, {isSingle: true}).next();
  return readCallValues(value, form.payload.scanner === 'python_values' ? form : TOOL_CALL);
}

/** The verdicts of literal calls (EXT-116, EXT-047). */
export function readEachCall(calls, {form}, tools) {
  if (calls.length === 0) return [{code: 'empty'}];
  return calls.map(({isBad, name, pairs}) =>
    (isBad ? {code: 'invalid_json'} : readParameterCall(name, pairs, tools, form)));
}
