// Which unit a message comes from, after somebody changed the history (interfaces: unit of a message).

import {canonicalText} from '../shared/canonical_json.mjs';
import {isObject, own} from '../shared/json_text.mjs';
import {asText} from './blocks.mjs';

/** For each message the unit that it comes from, null for one that was made. */
export function aligned(units, messages) {
  const waiting = new Map(); // the positions of the units with a key, the first first
  units.forEach((unit, at) => {
    for (const key of keysOf(unit.message, new Map())) {
      if (!waiting.has(key)) waiting.set(key, {places: [], next: 0});
      waiting.get(key).places.push(at);
    }
  });
  const taken = new Set();
  const renamed = new Map();
  let last = -1;
  return messages.map((message) => {
    const isResult = isObject(message) && own(message, 'role') === 'tool';
    const at = firstOf(keysOf(message, renamed), waiting, taken, isResult ? -1 : last);
    if (at === null) return null;
    taken.add(at);
    if (!isResult) last = at;
    renameIn(renamed, units[at].message, message);
    return units[at];
  });
}

function firstOf(keys, waiting, taken, last) {
  for (const key of keys) {
    const line = waiting.get(key);
    if (line === undefined) continue;
    const {places} = line;
    while (line.next < places.length && (places[line.next] <= last || taken.has(places[line.next]))) line.next++;
    if (line.next < places.length) return places[line.next];
  }
  return null;
}

/** What a message is known by, the surest first. */
function keysOf(message, renamed) {
  const [role, content, id] = ['role', 'content', 'tool_call_id'].map((name) => isObject(message) ? own(message, name) ?? null : null);
  const calls = callsIn(message);
  const keys = [];
  if (role === 'tool') {
    keys.push(['result', renamed.has(asText(id)) ? renamed.get(asText(id)) : asText(id)]);
  } else if (calls.length > 0) {
    const ids = calls.map((call) => asText(own(call, 'id'))).filter((each) => each !== null);
    keys.push(...ids.map((each) => ['call', each]), ['does', textOf(calls.map((call) => own(call, 'function') ?? null))]);
  }
  if (content !== null) keys.push(['says', textOf(content)]);
  else keys.push(['is', textOf(message)]);
  return keys.map((key) => JSON.stringify([textOf(role), ...key])); // with another role it is another one
}

/** Equal values as one text, whatever the order of their members. */
function textOf(value) {
  return canonicalText(value ?? null);
}

/** The calls of a message that are objects. */
export function callsIn(message) {
  const calls = isObject(message) ? own(message, 'tool_calls') : null;
  return Array.isArray(calls) ? calls.filter(isObject) : [];
}

function renameIn(renamed, before, message) {
  const [old, now] = [callsIn(before), callsIn(message)];
  if (old.length !== now.length) return;
  now.forEach((call, at) => renamed.set(asText(own(call, 'id')), asText(own(old[at], 'id'))));
}
