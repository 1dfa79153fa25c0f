// Digests of texts (event: digest).

import {hex, hmacSha256, sha256} from '../shared/sha256.mjs';
import {utf8} from '../shared/utf8.mjs';

/** The digest of a text, keyed where there is a key (event: digest). */
export function digest(text, key) {
  if (key === undefined) return hex(sha256(utf8(text)));
  const secret = key.secret_hex.match(/../g).map((digits) => Number.parseInt(digits, 16));
  return hex(hmacSha256(Uint8Array.from(secret), utf8(text)));
}
