// Ids for calls, none of which the text holds (EXT-081 to EXT-084).

import {randomUUID} from 'node:crypto';

const BASE = 0x01000193;

/** As many ids as calls, from the injected list or random, or null when the list runs out. */
export function takeIds(count, text, injected) {
  if (count === 0) return [];
  if (injected !== undefined) {
    const free = withoutHeld(injected, text);
    return free.length < count ? null : free.slice(0, count);
  }
  const ids = [];
  while (ids.length < count) {
    const fresh = Array.from({length: count - ids.length}, () => randomUUID());
    ids.push(...withoutHeld(fresh, text));
  }
  return ids;
}

/** The ids that are no part of the text; one pass over the text for each length of an id. */
function withoutHeld(ids, text) {
  const held = new Set(['']);
  for (const [length, group] of byLength(ids)) {
    if (length > 0 && length <= text.length) findHeld(group, length, text, held);
  }
  return ids.filter((id) => !held.has(id));
}

function byLength(ids) {
  const groups = new Map();
  for (const id of ids) {
    if (!groups.has(id.length)) groups.set(id.length, new Set());
    groups.get(id.length).add(id);
  }
  return groups;
}

/** Adds those ids of one length to `held` that the text holds, by a rolling hash. */
function findHeld(group, length, text, held) {
  const buckets = new Map();
  for (const id of group) {
    const hash = hashOf(id);
    buckets.set(hash, [...(buckets.get(hash) ?? []), id]);
  }
  let power = 1;
  for (let i = 1; i < length; i++) power = Math.imul(power, BASE);
  let hash = hashOf(text.slice(0, length));
  for (let i = 0; ; i++) {
    for (const id of buckets.get(hash) ?? []) if (text.startsWith(id, i)) held.add(id);
    if (i + length >= text.length) return;
    const rest = (hash - Math.imul(text.charCodeAt(i), power)) | 0;
    hash = (Math.imul(rest, BASE) + text.charCodeAt(i + length)) | 0;
  }
}

function hashOf(text) {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, BASE) + text.charCodeAt(i)) | 0;
  return hash;
}
