// Neighbours that are joined, and messages with several calls that are split (PAY-155, PAY-156).
// What an entry is: history.mjs.

import {equalJson, isObject, own} from '../shared/json_text.mjs';
import {asText, isWordless, textPart} from './contents.mjs';
import {without} from '../shared/json_object.mjs';

const JOINED = ['content', 'tool_calls'];

/** The entries without two neighbours that can be joined (PAY-155). */
export function joinNeighbours(entries, provider, findings) {
  if (provider.flags.repeated_roles) return entries;
  const groups = [];
  for (const entry of entries) {
    const last = groups.at(-1)?.at(-1);
    if (last === undefined || !canJoin(last, entry, provider)) {
      groups.push([entry]);
      continue;
    }
    findings.add('messages_joined', ['messages', entry.at]);
    groups.at(-1).push(entry);
  }
  return groups.map((group) => join(group, provider));
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
    const resultOf = new Map(results.map((result) => [result.call, result]));
    return calls.map((call, i) => ({
      ...(i === 0 ? entry : made),
      calls: [call],
      results: [resultOf.get(call)],
    }));
  });
}

/** Whether entries that follow on each other are neighbours that can be joined. */
function canJoin(first, second, provider) {
  if (first.results.length > 0) return false; // these stand between them
  const [one, other] = [first, second].map(({message}) =>
    without(message, [...JOINED, ...provider.readableNames(message)]));
  return equalJson(one, other) &&
    !holdsOpaque(first, provider) && !holdsOpaque(second, provider);
}

/**
 * Neighbours as one, all at once, so that none is copied for each other one; calls of those before
 * the last would have results, or wait in the last round.
 */
function join(entries, provider) {
  const [first] = entries;
  if (entries.length === 1) return first;
  const valuesOf = (name) => entries.map(({message}) => own(message, name));
  const names = entries.flatMap(({message}) => provider.readableNames(message))
    .filter((name) => !valuesOf(name).every(isWordless));
  const said = ['content', ...names].map((name) => [name, joinContents(valuesOf(name))]);
  const {calls, results} = entries.at(-1);
  return {...first, message: {...first.message, ...Object.fromEntries(said)}, calls, results};
}

/** Contents as one (payload: joined content, from the first pair on). */
export function joinContents(contents) {
  const said = contents.filter((content) => !isWordless(content));
  if (said.length < 2) return said.length === 1 ? said[0] : contents[0];
  const firstList = said.findIndex(Array.isArray);
  const texts = firstList < 0 ? said : said.slice(0, firstList);
  const begin = texts.map(asText).join('\n');
  if (firstList < 0) return begin;
  const behind = said.slice(firstList).flatMap((content) =>
    Array.isArray(content) ? content : [textPart(asText(content))]);
  return texts.length === 0 ? behind : [textPart(begin), ...behind];
}

/**
 * Whether something opaque stands in an entry and stays there. In messages of others nothing is
 * left of it but in their calls, and there it goes later (PAY-137): were it counted here, a second
 * pass would join or split what the first did not (PAY-085).
 */
function holdsOpaque({message, calls}, provider) {
  const objects = calls.filter((call) => call.isHere).flatMap(({value}) =>
    isObject(value) ? [value, own(value, 'function')] : []);
  return [message, ...objects].some((object) => provider.hasOpaqueMember(object));
}
