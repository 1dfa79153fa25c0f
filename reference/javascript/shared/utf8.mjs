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
    if (unit >= 0xd800 && unit < 0xdc00 && isSecondHalf(text.charCodeAt(i + 1))) i++; // 4 for both
  }
  return bytes;
}

function isSecondHalf(unit) {
  return unit >= 0xdc00 && unit < 0xe000;
}
