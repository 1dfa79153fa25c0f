// Neighbours that are joined, and messages with several calls that are split (PAY-155, PAY-156).
// What an entry is: payload_history.mjs.

import {equalJson, isObject, own} from '../shared/json_text.mjs';
import {asText, isWordless, textPart} from './contents.mjs';
import {without} from '../shared/json_object.mjs';

const JOINED = ['content', 'tool_calls'];

/** The entries without two neighbours that can be joined (PAY-155). */
export function joinNeighbours(entries, provider, findings) {
  if (provider.flags.repeated_roles) return entries;
  const joined = [];
  for (const entry of entries) {
    const last = joined.at(-1);
    if (last === undefined || !canJoin(last, entry, provider)) {
      joined.push(entry);
      continue;
    }
    findings.add('messages_joined', ['messages', entry.at]);
    joined[joined.length - 1] = join(last, entry);
  }
  return joined;
}

/** The entries with one call each (PAY-156). */
export function splitCalls(entries, provider, findings) {
  if (provider.flags.calls_in_message === 'any') return entries;
  return entries.flatMap((entry) => {
    const {calls, results, at} = entry;
    const isWaiting = results.length < calls.length;
    if (calls.length < 2 || isWaiting || holdsOpaque(entry, provider)) return [entry];
    findings.add('calls_split', ['messages', at, 'tool_calls']);
    const made = {message: {role: 'assistant', content: null}};
    return calls.map((call, i) => ({
      ...(i === 0 ? entry : made),
      calls: [call],
      results: results.filter((result) => result.call === call),
    }));
  });
}

/** Whether entries that follow on each other are neighbours that can be joined. */
function canJoin(first, second, provider) {
  if (first.results.length > 0) return false; // these stand between them
  return equalJson(without(first.message, JOINED), without(second.message, JOINED)) &&
    !holdsOpaque(first, provider) && !holdsOpaque(second, provider);
}

/** Two neighbours as one; calls of the first would have results, or wait in the last round. */
function join(first, second) {
  const content = joinContents(own(first.message, 'content'), own(second.message, 'content'));
  return {...first, message: {...first.message, content}, calls: second.calls,
    results: second.results};
}

/** The joined content of two contents. */
function joinContents(first, second) {
  if (isWordless(second)) return first;
  if (isWordless(first)) return second;
  if (!Array.isArray(first) && !Array.isArray(second)) return `${asText(first)}\n${asText(second)}`;
  return [first, second].flatMap((content) =>
    Array.isArray(content) ? content : [textPart(asText(content))]);
}

/**
 * Whether something opaque stands in an entry and stays there. In messages of others nothing is
 * left of it but in their calls, and there it goes later (PAY-140): were it counted here, a second
 * pass would join or split what the first did not (PAY-085).
 */
function holdsOpaque({message, calls}, provider) {
  const content = own(message, 'content');
  const objects = calls.filter((call) => call.isHere).flatMap(({value}) =>
    isObject(value) ? [value, own(value, 'function')] : []);
  return [message, ...objects].some((object) => provider.hasOpaqueMember(object)) ||
    (message.role === 'assistant' && provider.hasOpaquePart(content));
}
