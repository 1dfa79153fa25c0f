// Calls and results as text (payload: call text, result text; PAY-092, PAY-097).

import {trimJsonSpace} from '../shared/characters.mjs';
import {own, withoutSpace} from '../shared/json_text.mjs';
import {asText, asTextPart, isMediaPart, isParts, notShown, partsText} from './contents.mjs';
import {isNothing} from '../shared/json_object.mjs';
import {escaped, quotedString} from './texts.mjs';

const CALL_NOT_SHOWN = 'A tool was called here, and the call is not shown.';
const NAMELESS = 'a tool';
const LINE_END = /\r\n|[\r\n\x85\u2028\u2029]/g;

/** The call text of a call with its shown name, or null. */
export function callText({checked}, name, form) {
  if (form === 'quoted') {
    const args = escaped(withoutSpace(checked.arguments_json ?? '{}'));
    return `Called ${quotedName(name)} with ${args}`;
  }
  if (name === null) return CALL_NOT_SHOWN;
  const args = trimJsonSpace(checked.arguments_json); // a call with a name is valid here
  return `<tool_call>\n{"name": ${quotedString(name)}, "arguments": ${args}}\n</tool_call>`;
}

/** The result text of a message with its shown name, or null. */
export function resultText(message, name, form) {
  const text = toolText(own(message, 'content'));
  if (form === 'quoted' || name === null) {
    return `Result of ${quotedName(name)}:\n> ${text.replace(LINE_END, '$&> ')}`;
  }
  const members = `"name": ${quotedString(name)}, "content": ${quotedString(text)}`;
  return `<tool_response>\n{${members}}\n</tool_response>`;
}

/** What a tool returned as a text. */
function toolText(content) {
  if (isNothing(content)) return '';
  if (!isParts(content)) return asText(content);
  return partsText(content.map((part) => (isMediaPart(part) ? notShown() : asTextPart(part))));
}

function quotedName(name) {
  return name === null ? NAMELESS : quotedString(name);
}
