// Calls and results as text (payload: call text, result text; PAY-094 to PAY-101).

import {isJsonSpace} from './characters.mjs';
import {own} from './json_text.mjs';
import {contentText} from './payload_contents.mjs';
import {INVALID_NAME} from './payload_rounds.mjs';
import {canonicalText, escaped, quotedString} from './payload_texts.mjs';

const UNKNOWN_NAME = 'unknown';
const LINE_END = /\r\n|[\r\n\x85\u2028\u2029]/g;

/** The call text of a call (PAY-094, PAY-095, PAY-096). */
export function callText({checked}, form) {
  const name = quotedString(checked.name ?? INVALID_NAME);
  if (form === 'quoted') return `Called ${name} with ${escaped(canonicalText(checked.arguments ?? {}))}`;
  const args = trimJsonSpace(checked.arguments_json ?? '{}');
  return `<tool_call>\n{"name": ${name}, "arguments": ${args}}\n</tool_call>`;
}

/** The result text of a message and of the call that it answers, if any (PAY-098 to PAY-101). */
export function resultText(message, call, form) {
  const name = quotedString(call === undefined ? UNKNOWN_NAME : call.checked.name ?? INVALID_NAME);
  const text = contentText(own(message, 'content'));
  if (form === 'quoted') return `Result of ${name}:\n> ${text.replace(LINE_END, '$&> ')}`;
  return `<tool_response>\n{"name": ${name}, "content": ${quotedString(text)}}\n</tool_response>`;
}

function trimJsonSpace(text) {
  let from = 0;
  let to = text.length;
  while (from < to && isJsonSpace(text[from])) from++;
  while (to > from && isJsonSpace(text[to - 1])) to--;
  return text.slice(from, to);
}
