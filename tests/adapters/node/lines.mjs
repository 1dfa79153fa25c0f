// What a line is by itself: blank, indented, or one that can open or close a fence.

import {isBlankCode, isDigit, runEnd} from './characters.mjs';

const BACKTICK = 0x60;
const TILDE = 0x7e;

/** A table of the lines of a text, with a pointer that finds the line of a position. */
export function readLines(text) {
  const lines = [];
  for (let start = 0; start <= text.length;) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 ? text.length : feed;
    lines.push(readLine(text, start, end, feed >= 0));
    start = end + 1;
  }
  return {at: (k) => lines[k], count: lines.length, ...finders(lines)};
}

/** One line (vocabulary: line; extraction: fence, indented line). */
function readLine(text, start, end, ended) {
  const {visible, indent} = readIndent(text, start, end);
  const empty = visible === end;
  return {
    start, end,
    blank: ended && empty,
    indented: !empty && indent >= 4,
    run: empty ? null : readRun(text, start, end),
  };
}

/** Where a line becomes visible, and how much its leading blanks count. */
function readIndent(text, start, end) {
  let i = start;
  let indent = 0;
  for (; i < end && isBlankCode(text.charCodeAt(i)); i++) {
    indent += text.charCodeAt(i) === 0x09 ? 4 : 1;
  }
  return {visible: i, indent};
}

/** The run of 3 or more that stands behind blanks, `>` and list markers only, or null. */
function readRun(text, start, end) {
  const at = prefixEnd(text, start, end);
  const code = text.charCodeAt(at);
  if (at >= end || (code !== BACKTICK && code !== TILDE)) return null;
  const behind = runEnd(text, at);
  if (behind - at < 3) return null;
  let onlyBlanks = true;
  let backtick = false;
  for (let i = behind; i < end; i++) {
    if (!isBlankCode(text.charCodeAt(i))) onlyBlanks = false;
    if (text.charCodeAt(i) === BACKTICK) backtick = true;
  }
  return {
    at, code, length: behind - at, end: behind,
    opens: code === TILDE || !backtick,
    closes: onlyBlanks,
  };
}

/** The end of what may stand before a fence on its line. */
function prefixEnd(text, start, end) {
  let i = start;
  while (i < end) {
    const code = text.charCodeAt(i);
    let next = i + 1;
    if (isDigit(code)) {
      while (isDigit(text.charCodeAt(next))) next++;
      if (text[next] !== '.' && text[next] !== ')') return i;
      next++;
    } else if (!isBlankCode(code) && !'>-*+'.includes(text[i])) {
      return i;
    }
    i = next;
  }
  return i;
}

/** Functions that find a line: by position, and the first blank one at or behind a line. */
function finders(lines) {
  const nextBlank = new Array(lines.length + 1).fill(lines.length);
  for (let k = lines.length - 1; k >= 0; k--) {
    nextBlank[k] = lines[k].blank ? k : nextBlank[k + 1];
  }
  let k = 0; // positions are asked for in order, but for short steps back
  const find = (position) => {
    while (k + 1 < lines.length && lines[k + 1].start <= position) k++;
    while (lines[k].start > position) k--;
    return k;
  };
  return {find, nextBlank: (from) => nextBlank[from]};
}
