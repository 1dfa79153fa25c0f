// Keys of hashes, and digests (event: key, digest).

import {hasMembers} from '../shared/envelope.mjs';
import {hex, hmacSha256, sha256} from '../shared/sha256.mjs';
import {utf8} from '../shared/utf8.mjs';

/** Whether a value is a key (event: key). */
export function isKey(value) {
  if (!hasMembers(value, ['id', 'secret_hex'])) return false;
  const {id, secret_hex: secret} = value;
  if (typeof id !== 'string' || typeof secret !== 'string') return false;
  return secret.length % 2 === 0 && /^[0-9A-Fa-f]+$/.test(secret);
}

/** The digest of a text, keyed where there is a key (event: digest). */
export function digest(text, key) {
  if (key === undefined) return hex(sha256(utf8(text)));
  const secret = key.secret_hex.match(/../g).map((digits) => Number.parseInt(digits, 16));
  return hex(hmacSha256(Uint8Array.from(secret), utf8(text)));
}
