// The repairs of a text that is nearly JSON, where it can mean one thing alone (payload: repairable
// text).

import {compareTexts, isJsonSpace} from '../shared/characters.mjs';
import {isObject, parseJsonText, stringEnd} from '../shared/json_text.mjs';

const CLOSING = [']', '}'];
const OPENING = ['[', '{'];

/** The repaired `text` of an object and its `repairs`; null where no repairs make it one. */
export function repairedObject(text) {
  const made = new Set();
  let repaired = '';
  let before = ''; // the last character outside strings that is no space
  for (let i = 0; i < text.length;) {
    if (text[i] === '"') {
      const end = stringEnd(text, i);
      repaired += repairedString(text.slice(i, end), made);
      [before, i] = ['"', end];
      continue;
    }
    const isTrailing = text[i] === ',' && !OPENING.includes(before) && isBeforeClosing(text, i + 1);
    if (isTrailing) made.add('trailing_comma');
    else repaired += text[i];
    if (!isJsonSpace(text[i])) before = text[i];
    i++;
  }
  const values = valuesOf(repaired);
  const last = values.pop();
  if (values.length > 0 && values.every((one) => one === last || /^\{[ \t\n\r]*\}$/.test(one))) {
    made.add('repeated_object');
    repaired = last;
  }
  if (!isObject(parseJsonText(repaired)?.value)) return null;
  return {text: repaired, repairs: [...made].sort(compareTexts)};
}

/** The parts of a text that end where the last bracket is closed, or with the text. */
function valuesOf(text) {
  const parts = [];
  let [depth, start] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '"') i = stringEnd(text, i) - 1;
    else if (OPENING.includes(text[i])) depth++;
    else if (CLOSING.includes(text[i])) {
      depth--;
      if (depth === 0) {
        parts.push(withoutSpace(text.slice(start, i + 1)));
        start = i + 1;
      }
    }
  }
  const rest = withoutSpace(text.slice(start));
  return rest === '' ? parts : [...parts, rest];
}

function withoutSpace(text) {
  return text.replace(/^[ \t\n\r]+|[ \t\n\r]+$/g, '');
}

function isBeforeClosing(text, at) {
  let i = at;
  while (isJsonSpace(text[i])) i++;
  return CLOSING.includes(text[i]);
}

/** A string without what may not stand in one. */
function repairedString(string, made) {
  return string.replace(/\\[^]|[\0-\x1f]/gu, (found) => {
    if (found === "\\'") made.add('escaped_apostrophe');
    else if (found.length === 1) made.add('control_chars');
    else return found;
    return found === "\\'" ? "'" : JSON.stringify(found).slice(1, -1);
  });
}
