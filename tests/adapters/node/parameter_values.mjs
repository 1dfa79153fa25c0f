// From the texts of parameters to the arguments of a call (EXT-120 to EXT-126).

import {namedCall, readName} from './call_names.mjs';
import {compactText} from './payload_texts.mjs';

/** `{call}`, `{code}`, or both, of a block of parameters. */
export function readParameterCall(rawName, pairs) {
  const {name, code} = readName(rawName);
  if (code !== undefined) return {code};
  if (new Set(pairs.map((pair) => pair.name)).size < pairs.length) { // EXT-123
    return {code: 'ambiguous_arguments'};
  }
  const members = pairs.map((pair) => `${compactText(pair.name)}:${valueText(pair.text)}`);
  const text = `{${members.join(',')}}`;
  return namedCall(name, {value: JSON.parse(text), text}); // EXT-126
}

/** The text of a parameter as a JSON string (EXT-122, EXT-125). */
function valueText(text) {
  return compactText(text.replace(/^\r?\n/, '').replace(/\r?\n$/, ''));
}
