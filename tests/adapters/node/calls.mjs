// From the payload of a block to its calls: `{calls, codes}`, the calls still without ids.

import {readArgumentsPayload, readCallValues} from './call_values.mjs';
import {nameOfHeader} from './headers.mjs';
import {readParameterCall} from './parameter_values.mjs';

/** The calls of a JSON payload and the codes of the rest, in order. */
export function readJsonCalls(payload, {form, header}) {
  const {payload: texts, opener} = form;
  if (texts.scanner !== 'json_arguments') return readCallValues(payload, texts);
  return one(readArgumentsPayload(payload, nameOfHeader(header, opener.name)));
}

/** The call of a payload of parameters, or why there is none (EXT-141, EXT-150). */
export function readParameterCalls({name, pairs}, {form, header}, tools) {
  return one(readParameterCall(name ?? nameOfHeader(header, form.opener.name), pairs, tools));
}

function one({call, code}) {
  return {calls: call ? [call] : [], codes: code ? [code] : []};
}
