// Reads a payload with its repairs, character by character and without recursion.

import {isDigit, runEnd, skipJsonSpace} from './characters.mjs';

/** Where a payload begins, with the run that fences it, or null (extraction: payload). */
export function payloadBegin(text, at) {
  if (isOpening(text[at])) return {start: at, valueAt: at, fence: null};
  if (text[at] !== '`' && text[at] !== '~') return null;
  const behind = runEnd(text, at);
  if (behind - at < 3) return null;
  const word = text.startsWith('json', behind) ? behind + 4 : behind;
  const valueAt = skipJsonSpace(text, word);
  if (!isOpening(text[valueAt])) return null;
  return {start: at, valueAt, fence: {char: text[at], length: behind - at}};
}

/** Whether a character begins an object or an array. */
function isOpening(char) {
  return char === '{' || char === '[';
}

/**
 * Scans a payload to `{outcome, at, text, values, repairs}`: outcome is complete, truncated or
 * failed, `at` where that is known, `text` the payload after the repairs, `values` its call values.
 */
export function scanPayload(text, begin) {
  const repairs = new Map(); // code of a repair to its count
  const values = [];
  const copy = repairedCopy(text, begin.valueAt);
  const stack = []; // '{' and '[' that are open
  let need = 'value'; // what the grammar allows next
  let stop = null; // {outcome, at} of the first thing that is wrong
  let callValue = null; // the object that is being read as a call value
  let elements = 0; // of the outermost array
  let comma = 0; // the position of the last comma
  let wasContainer = false; // whether the value before that comma was an object or array

  const count = (code) => repairs.set(code, (repairs.get(code) ?? 0) + 1);
  const halt = (at) => {
    stop = at >= text.length ? {outcome: 'truncated', at: text.length} : {outcome: 'failed', at};
    return at;
  };

  /** Reads one outermost value and returns the position behind it. */
  function readOutermost(from) {
    let i = from;
    need = 'value';
    do {
      i = skipJsonSpace(text, i);
      i = i < text.length ? step(i) : halt(i);
    } while (stop === null && stack.length > 0);
    return i;
  }

  /** Reads what stands at a visible character. */
  function step(i) {
    const char = text[i];
    if (char === ',') return readComma(i);
    if (char === '}' || char === ']') return readCloser(i, char);
    if (need === 'colon') return char === ':' ? allow(i + 1, 'value') : halt(i);
    if (need === 'key' || need === 'first key') return readKey(i, char);
    if (need === 'comma') return halt(i);
    return readValue(i, char);
  }

  function allow(i, what) {
    need = what;
    return i;
  }

  /** A comma between two members or elements, or one that goes (EXT-052). */
  function readComma(i) {
    const next = text[skipJsonSpace(text, i + 1)];
    if (next === '}' || next === ']') {
      count('trailing_comma');
      copy.replace(i, '');
      return i + 1;
    }
    if (need !== 'comma') return halt(i);
    comma = i;
    return allow(i + 1, stack.at(-1) === '{' ? 'key' : 'element');
  }

  function readCloser(i, char) {
    const expected = stack.at(-1) === '{' ? '}' : ']';
    const open = need === 'comma' || need === 'first key' || need === 'first element';
    if (char !== expected || !open) return halt(i);
    closeContainer(copy.position(i + 1));
    return i + 1;
  }

  /** A key, or the `{` before which a `}` is missing (EXT-054). */
  function readKey(i, char) {
    if (char === '"') return readString(i, 'colon');
    const element = stack.length > 1 && stack.at(-2) === '[';
    if (char !== '{' || need !== 'key' || !element || !wasContainer) return halt(i);
    count('missing_object_close');
    copy.replace(comma, '},');
    closeContainer(copy.position(comma + 1) - 1);
    return allow(i, 'element');
  }

  function readValue(i, char) {
    noteValue(i, char);
    wasContainer = isOpening(char);
    if (wasContainer) return openContainer(i, char);
    if (char === '"') return readString(i, 'comma');
    if (char === '-' || isDigit(text.charCodeAt(i))) return readNumber(i);
    for (const word of ['true', 'false', 'null']) {
      if (char === word[0]) return readWord(i, word);
    }
    return halt(i);
  }

  /** Notes where a call value begins (extraction: call value). */
  function noteValue(i, char) {
    const inArray = stack.length === 1 && stack[0] === '[';
    if (inArray) elements++;
    if (stack.length > 0 && !inArray) return;
    if (char === '{') {
      callValue = {kind: 'object', base: stack.length, depth: 0, start: copy.position(i), end: 0};
    } else if (inArray) {
      values.push({kind: 'other'});
    }
  }

  function openContainer(i, char) {
    if (stack.length === 0) elements = 0;
    stack.push(char);
    if (callValue !== null) {
      callValue.depth = Math.max(callValue.depth, stack.length - callValue.base);
    }
    return allow(i + 1, char === '{' ? 'first key' : 'first element');
  }

  function closeContainer(end) {
    const char = stack.pop();
    need = 'comma';
    wasContainer = true;
    if (callValue !== null && callValue.base === stack.length) {
      callValue.end = end;
      values.push(callValue);
      callValue = null;
    }
    if (char === '[' && stack.length === 0 && elements === 0) values.push({kind: 'empty'});
  }

  /** A string; a control character in it is repaired, one in an escape is not (EXT-053). */
  function readString(at, then) {
    let i = at + 1;
    while (i < text.length) {
      const char = text[i];
      if (char === '"') return allow(i + 1, then);
      if (char === '\\') {
        i = readEscape(i + 1);
        if (stop !== null) return i;
      } else {
        if (text.charCodeAt(i) < 0x20) {
          count('control_chars');
          copy.replace(i, JSON.stringify(char).slice(1, -1));
        }
        i++;
      }
    }
    return halt(i);
  }

  function readEscape(i) {
    if (i >= text.length) return halt(i);
    if (text[i] !== 'u') return '"\\/bfnrt'.includes(text[i]) ? i + 1 : halt(i);
    for (let j = i + 1; j <= i + 4; j++) {
      if (!/^[0-9A-Fa-f]$/.test(text[j] ?? '')) return halt(j);
    }
    return i + 5;
  }

  function readNumber(at) {
    let i = text[at] === '-' ? at + 1 : at;
    i = text[i] === '0' ? i + 1 : readDigits(i);
    if (stop === null && text[i] === '.') i = readDigits(i + 1);
    if (stop === null && (text[i] === 'e' || text[i] === 'E')) {
      i = readDigits(text[i + 1] === '+' || text[i + 1] === '-' ? i + 2 : i + 1);
    }
    return stop === null ? allow(i, 'comma') : i;
  }

  function readDigits(at) {
    let i = at;
    while (isDigit(text.charCodeAt(i))) i++;
    return i > at ? i : halt(i);
  }

  function readWord(at, word) {
    for (let j = 0; j < word.length; j++) if (text[at + j] !== word[j]) return halt(at + j);
    return allow(at + word.length, 'comma');
  }

  let end = readOutermost(begin.valueAt);
  while (stop === null && isOpening(text[skipJsonSpace(text, end)])) {
    end = readOutermost(skipJsonSpace(text, end));
  }
  if (stop !== null) return stop;
  const repaired = copy.finish(end);
  if (begin.fence !== null) {
    count('code_fence');
    end = fenceEnd(text, end, begin.fence);
  }
  return {outcome: 'complete', at: end, text: repaired, values, repairs};
}

/** The end of a fenced payload: behind its closing run where there is one (EXT-051). */
function fenceEnd(text, at, fence) {
  const run = skipJsonSpace(text, at);
  if (text[run] !== fence.char) return at;
  const behind = runEnd(text, run);
  return behind - run >= fence.length ? behind : at;
}

/** A copy of a text from a position on, in which single characters are replaced in order. */
function repairedCopy(text, from) {
  const parts = [];
  let length = 0;
  let copied = from;
  const push = (part) => {
    parts.push(part);
    length += part.length;
  };
  return {
    /** The position in the copy of a position of the text. */
    position: (at) => length + at - copied,
    replace(at, by) {
      push(text.slice(copied, at));
      push(by);
      copied = at + 1;
    },
    finish(at) {
      push(text.slice(copied, at));
      return parts.join('');
    },
  };
}
