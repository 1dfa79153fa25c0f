// Texts as UTF-8. A lone surrogate has three bytes, as U+FFFD has, which stands for it.

const encoder = new TextEncoder();

/** The bytes of a text. */
export function utf8(text) {
  return encoder.encode(text);
}

/** How many bytes a text has. */
export function byteLength(text) {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    if (isFirstHalf(unit) && isSecondHalf(text.charCodeAt(i + 1))) i++; // 4 for both
  }
  return bytes;
}

/** Whether a UTF-16 unit is the first half of a surrogate pair. */
export function isFirstHalf(unit) {
  return unit >= 0xd800 && unit < 0xdc00;
}

/** Whether a UTF-16 unit is the second half of a surrogate pair. */
export function isSecondHalf(unit) {
  return unit >= 0xdc00 && unit < 0xe000;
}

/** A copy of a JSON value with U+FFFD for each surrogate outside a pair. */
export function encodable(value) {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(encodable);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value);
  return Object.fromEntries(members.map(([name, item]) => [name.toWellFormed(), encodable(item)]));
}

/** Whether no text of a JSON value holds a surrogate outside a pair. */
export function isEncodable(value) {
  if (typeof value === 'string') return value.isWellFormed();
  if (value === null || typeof value !== 'object') return true;
  return Object.keys(value).every((name) => name.isWellFormed()) &&
    Object.values(value).every(isEncodable);
}
