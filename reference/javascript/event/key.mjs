// Keys of hashes, and digests (event: key, digest).

import {createHash, createHmac} from 'node:crypto';

import {hasMembers} from '../shared/envelope.mjs';

/** Whether a value is a key (event: key). */
export function isKey(value) {
  if (!hasMembers(value, ['id', 'secret_hex'])) return false;
  const {id, secret_hex: hex} = value;
  if (typeof id !== 'string' || typeof hex !== 'string') return false;
  return hex.length % 2 === 0 && /^[0-9A-Fa-f]+$/.test(hex);
}

/** The digest of a text, keyed where there is a key (event: digest). */
export function digest(text, key) {
  const hash = key === undefined
    ? createHash('sha256')
    : createHmac('sha256', Buffer.from(key.secret_hex, 'hex'));
  return hash.update(text, 'utf8').digest('hex');
}
