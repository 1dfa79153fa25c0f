// The operation extraction.extract: its input, and its result (EXT-001 to EXT-007).

import {takeIds} from './ids.mjs';
import {isObject, isTooDeep} from './json_text.mjs';
import {DIALECTS} from './markers.mjs';
import {toContent, toMatched, toRepairs, toSegments} from './pieces.mjs';
import {readText} from './read_text.mjs';

const isBoolean = (value) => typeof value === 'boolean';
const isFences = (value) => value === 'opaque' || value === 'extract';
const MEMBERS = new Map([
  ['text', (value) => typeof value === 'string'],
  ['effective', (value) => isListOf(value, (item) => typeof item === 'string')],
  ['native_calls', isBoolean],
  ['dialects', (value) => isListOf(value, (item) => DIALECTS.includes(item))],
  ['fences', isFences],
  ['starts_in_reasoning', isBoolean],
  ['tools', Array.isArray],
]);

/** `{result}` or `{error}` for one text; without `env.ids` the ids are random. */
export function extract(input, env = {}) {
  if (isBadInput(input)) return {error: {code: 'invalid_input'}};
  const {text} = input;
  const {pieces, calls, reasoning} = readText(text, {
    dialects: activeDialects(input),
    openFences: input.fences === 'extract',
    startsInReasoning: input.starts_in_reasoning === true && text !== '',
  });
  const ids = takeIds(calls.length, text, env.ids);
  if (ids === null) return {error: {code: 'env_exhausted'}}; // EXT-083
  const segments = toSegments(text, pieces);
  return {result: {
    content: toContent(segments),
    reasoning: reasoning.length > 0 ? reasoning.join('\n') : null, // EXT-023
    tool_calls: calls.map((call, i) => ({id: ids[i], ...call})), // EXT-080, EXT-081
    matched: toMatched(segments),
    repairs: toRepairs(pieces),
    segments,
  }};
}

/** Whether the caller's own part of the input is wrong (EXT-001). */
function isBadInput(input) {
  if (!isObject(input) || !Object.hasOwn(input, 'text')) return true;
  if (!Object.hasOwn(input, 'effective')) return true;
  const fits = (name) => MEMBERS.has(name) && MEMBERS.get(name)(input[name]);
  return !Object.keys(input).every(fits) || isTooDeep(input);
}

function isListOf(value, test) {
  return Array.isArray(value) && value.every(test);
}

/** The dialects to recognise: none without tools or beside native calls (EXT-003, EXT-004). */
function activeDialects(input) {
  if (input.effective.length === 0 || input.native_calls === true) return [];
  return input.dialects ?? DIALECTS;
}
