// SHA-256 and HMAC-SHA-256 (FIPS 180-4, RFC 2104), at once: browsers have them only as promises.

const primes = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);

/** The first 32 bits of the fraction of a root. */
const fraction = (root) => Math.floor((root % 1) * 2 ** 32) | 0;
const ROUNDS = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const START = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const BLOCK = 64; // bytes

/** The digest of bytes, 32 of them. */
export function sha256(bytes) {
  const padded = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK));
  new Uint8Array(padded.buffer).set(bytes);
  padded.setUint8(bytes.length, 0x80);
  padded.setBigUint64(padded.byteLength - 8, BigInt(bytes.length) * 8n);
  const state = START.slice();
  for (let at = 0; at < padded.byteLength; at += BLOCK) compress(state, padded, at);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => digest.setInt32(4 * i, word));
  return new Uint8Array(digest.buffer);
}

/** The HMAC-SHA-256 of bytes. */
export function hmacSha256(key, bytes) {
  const padded = new Uint8Array(BLOCK);
  padded.set(key.length > BLOCK ? sha256(key) : key);
  const inner = sha256(joined(padded.map((byte) => byte ^ 0x36), bytes));
  return sha256(joined(padded.map((byte) => byte ^ 0x5c), inner));
}

function joined(front, back) {
  const bytes = new Uint8Array(front.length + back.length);
  bytes.set(front);
  bytes.set(back, front.length);
  return bytes;
}

/** Bytes in lower-case hexadecimal. */
export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const words = new Int32Array(64);
const turned = (word, bits) => word >>> bits | word << 32 - bits;

function compress(state, view, at) {
  for (let i = 0; i < 16; i++) words[i] = view.getInt32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const [x, y] = [words[i - 15], words[i - 2]];
    const low = turned(x, 7) ^ turned(x, 18) ^ x >>> 3;
    const high = turned(y, 17) ^ turned(y, 19) ^ y >>> 10;
    words[i] = words[i - 16] + low + words[i - 7] + high;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const choice = (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + (e & f ^ ~e & g);
    const majority = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + (a & b ^ a & c ^ b & c);
    const sum = h + choice + ROUNDS[i] + words[i] | 0;
    h = g, g = f, f = e, e = d + sum | 0;
    d = c, c = b, b = a, a = sum + majority | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => { state[i] += word; });
}
