// Characters as the vocabulary names them. All tests take one character, or undefined for none.

const BLANKS = new Set('\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007' +
  '\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000');

const ASCII_LETTER_OR_DIGIT = /^[A-Za-z0-9]$/;

/** What above U+007F is neither a blank nor a letter or digit. */
const SIGN = new RegExp('[\xab\xbb\u200b-\u206f\u2190-\u245f\u2500-\u2775\u2794-\u2bff' +
  '\u3001-\u3003\u3008-\u301f\ud800-\udfff\ufeff\uff01-\uff0f\uff1a-\uff20\u{1f300}-\u{1faff}]', 'u');

/** Whether a character is a blank (vocabulary: blank). */
export function isBlank(char) {
  return !(char > ' ' && char < '\x7f') && BLANKS.has(char);
}

/** Whether a character is JSON white space (vocabulary: JSON white space). */
export function isJsonSpace(char) {
  return char === ' ' || char === '\n' || char === '\r' || char === '\t';
}

/** A text without the JSON white space at its ends. */
export function trimJsonSpace(text) {
  let start = 0;
  let end = text.length;
  while (isJsonSpace(text[start])) start++;
  while (end > start && isJsonSpace(text[end - 1])) end--;
  return text.slice(start, end);
}

/** Whether a character is a letter or digit (vocabulary: letter or digit). */
export function isLetterOrDigit(char) {
  if (char > '\x7f') return !isBlank(char) && !SIGN.test(char);
  return ASCII_LETTER_OR_DIGIT.test(char);
}

/** Whether a character is an ASCII digit. */
export function isDigit(char) {
  return char >= '0' && char <= '9';
}

/** Whether a character can stand in a name of a tag, of a header, or of a first line. */
export function isOfName(char) {
  return char !== undefined && /[A-Za-z0-9_.-]/.test(char);
}

/** A character with `A` to `Z` made small (vocabulary: ASCII case). */
export function foldCase(char) {
  return char >= 'A' && char <= 'Z' ? char.toLowerCase() : char;
}

/** The position of the first visible character of a text, or its length. */
export function visibleStart(text, from = 0) {
  let i = from;
  while (isBlank(text[i])) i++;
  return i;
}

/** The position behind the last visible character before a position, or 0. */
export function visibleEnd(text, from = text.length) {
  let end = from;
  while (end > 0 && isBlank(text[end - 1])) end--;
  return end;
}

/** Whether a text is blank; the empty text is. */
export function isBlankText(text) {
  return visibleStart(text) === text.length;
}

/** A text without the blanks at its ends. */
export function trimBlanks(text) {
  return text.slice(visibleStart(text), visibleEnd(text));
}

/** The order of texts by code points; `<` would compare UTF-16 units. */
export function compareTexts(a, b) {
  if (a === b) return 0;
  const left = [...a];
  const right = [...b];
  const shared = Math.min(left.length, right.length);
  for (let i = 0; i < shared; i++) {
    const order = left[i].codePointAt(0) - right[i].codePointAt(0);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
