// Random UUIDs of version 4, many at once: those of a host can be chains of short strings, which are
// dear to keep.

const HEX = new TextEncoder().encode('0123456789abcdef');
const decoder = new TextDecoder();
const HYPHEN = 0x2d;
const LENGTH = 36;
const BATCH = 4096; // getRandomValues gives no more than 65,536 bytes
const FEW = 16;

/** As many UUIDs. */
export function randomUuids(count) {
  const uuids = [];
  if (count < FEW) {
    while (uuids.length < count) uuids.push(crypto.randomUUID());
    return uuids;
  }
  while (uuids.length < count) {
    const bytes = crypto.getRandomValues(new Uint8Array(16 * Math.min(BATCH, count - uuids.length)));
    const text = written(bytes);
    for (let at = 0; at < text.length; at += LENGTH) uuids.push(text.slice(at, at + LENGTH));
  }
  return uuids;
}

/** The UUIDs of random bytes, one behind the other. */
function written(bytes) {
  const units = new Uint8Array((bytes.length / 16) * LENGTH);
  let at = 0;
  for (let i = 0; i < bytes.length; i++) {
    const place = i % 16;
    let byte = bytes[i];
    if (place === 6) byte = (byte & 0x0f) | 0x40; // the version
    if (place === 8) byte = (byte & 0x3f) | 0x80; // the variant
    if (place === 4 || place === 6 || place === 8 || place === 10) units[at++] = HYPHEN;
    units[at++] = HEX[byte >> 4];
    units[at++] = HEX[byte & 0x0f];
  }
  return decoder.decode(units);
}
