// What the npm package `canonicalize` and Node make of JSON texts: a second opinion on the hashes.
// A line of stdin is {"text", "secret_hex"?}; its answer is {"canonical", "preview"}, or
// {"refused": true}.

import { createHash, createHmac } from 'node:crypto'
import { createInterface } from 'node:readline'
import canonicalize from 'canonicalize'

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(answer(JSON.parse(line))) + '\n')
}

function answer ({ text, secret_hex: secret }) {
  let canonical
  try {
    canonical = canonicalize(JSON.parse(text))
  } catch {
    return { refused: true }
  }
  const preview = Array.from(canonical).slice(0, 200).join('')
  return { canonical, preview: digest(preview, secret) }
}

function digest (text, secret) {
  const hash = secret ? createHmac('sha256', Buffer.from(secret, 'hex')) : createHash('sha256')
  return hash.update(text, 'utf8').digest('hex')
}
