// Characters as the vocabulary names them: blank, letter or digit, JSON white space.

/** Whether a UTF-16 unit is a blank; every blank stands below U+10000 (vocabulary: blank). */
export function isBlankCode(code) {
  if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) return true;
  if (code < 0x85) return false;
  return code === 0x85 || code === 0xa0 || code === 0x1680 || (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 || code === 0x2029 || code === 0x202f || code === 0x205f || code === 0x3000;
}

/** Whether a text holds blanks only; the empty text does (vocabulary: blank). */
export function isBlank(text) {
  return skipBlanks(text, 0) === text.length;
}

/** The position of the first character at or behind `at` that is no blank. */
export function skipBlanks(text, at) {
  let i = at;
  while (i < text.length && isBlankCode(text.charCodeAt(i))) i++;
  return i;
}

/** The position behind the last visible character before `from`. */
export function visibleEnd(text, from) {
  let end = from;
  while (end > 0 && isBlankCode(text.charCodeAt(end - 1))) end--;
  return end;
}

/** The position of the first character at or behind `at` that is no JSON white space. */
export function skipJsonSpace(text, at) {
  let i = at;
  while (i < text.length && isJsonSpace(text.charCodeAt(i))) i++;
  return i;
}

/** Whether a UTF-16 unit is JSON white space (vocabulary: JSON white space). */
export function isJsonSpace(code) {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Whether the code point at a position is a letter or digit (vocabulary: letter or digit). */
export function isLetterOrDigit(text, at) {
  const point = text.codePointAt(at);
  return point !== undefined && /^[\p{L}\p{N}]$/u.test(String.fromCodePoint(point));
}

/** Whether a UTF-16 unit is an ASCII digit. */
export function isDigit(code) {
  return code >= 0x30 && code <= 0x39;
}

/** The position behind the run of one character that begins at `at`. */
export function runEnd(text, at) {
  const code = text.charCodeAt(at);
  let i = at + 1;
  while (i < text.length && text.charCodeAt(i) === code) i++;
  return i;
}
