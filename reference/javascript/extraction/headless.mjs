// Blocks with which a message begins and whose opener is missing (extraction: headless block; EXT-222).

import {readJsonCalls, readParameterCalls} from './calls.mjs';
import {isJsonSpace, isOfName} from '../shared/characters.mjs';
import {readParameters} from './parameters.mjs';
import {readPayload} from './payload_scanner.mjs';

const JSON_READERS = ['json_values', 'json_object', 'json_array'];
const LONGEST_NAME = 64;

/** The forms whose opener can be missing, and the members with which a call of JSON can begin. */
export function headlessForms(forms) {
  const able = forms.filter(({opener, closer, payload, repairs}) =>
    payload && opener?.end === undefined && closer && !payload.fence && repairs === undefined);
  const json = able.filter(({payload}) => JSON_READERS.includes(payload.scanner));
  const lines = able.filter(({payload}) => payload.name_in_first_line === true);
  return {json, lines, members: [...new Set(json.flatMap(membersOf))]};
}

/** The members with which a call value of a form can begin, as they are written. */
export function membersOf({opener, payload: {names, arguments: others, nested, calls}}) {
  const every = [...names, ...others, nested, calls?.member, calls?.one, ...(opener === null ? ['type', 'id'] : [])];
  return every.filter((name) => typeof name === 'string').map((name) => `"${name}"`);
}

/** Whether a message can begin with such a block. */
export function canBeHeadless({json, lines}) {
  return json.length + lines.length > 0;
}

/** A block without its opener, `{form, closer, verdicts, repairs}`, or null where none begins at a position. */
export function* readHeadless({source, markers, headless, tools}, at) {
  for (const form of headless.lines) {
    const found = yield* readLine(source, markers, form, at, tools);
    if (found !== null) return found;
  }
  if (headless.json.length === 0 || !(yield* beginsCall(source, headless.members, at))) return null;
  return yield* readJson(source, markers, headless.json, at);
}

function* readLine(source, markers, form, at, tools) {
  let end = at;
  while (end - at <= LONGEST_NAME && isOfName(yield* source.at(end))) end++;
  if (end === at || end - at > LONGEST_NAME) return null;
  const next = yield* source.skip(end, isJsonSpace);
  if ((yield* source.wordAt(next, [form.payload.name_begin])) === null) return null;
  const payload = yield* readParameters(source, markers, form, at);
  if (payload.failedAt !== undefined || payload.closer === null) return null;
  return {form, closer: payload.closer, verdicts: readParameterCalls(payload, {form}, tools), repairs: payload.repairs};
}

/** Whether an object, or an array of one, begins with a member of a call: all else is shown at once. */
export function* beginsCall(source, members, from) {
  const isList = (yield* source.at(from)) === '[';
  const at = isList ? yield* source.skip(from + 1, isJsonSpace) : from;
  if ((yield* source.at(at)) !== '{') return false;
  return (yield* source.wordAt(yield* source.skip(at + 1, isJsonSpace), members)) !== null;
}

function* readJson(source, markers, forms, at) {
  const begin = {valueAt: at, fence: null};
  const payload = yield* readPayload(source, markers, begin, {isSingle: false, isFenced: false});
  if (payload.failedAt !== undefined) return null;
  const closer = yield* markers.at(yield* source.skip(payload.end, isJsonSpace));
  const form = closer?.kind === 'close' ? forms.find((one) => closer.forms.includes(one)) : undefined;
  if (form === undefined) return null;
  return {form, closer, verdicts: readJsonCalls(payload, {form}), repairs: payload.repairs};
}
