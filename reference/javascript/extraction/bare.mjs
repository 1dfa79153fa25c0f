// A message that is nothing but calls, without a marker (extraction: bare message).

import {readEachCall, readJsonCalls} from './calls.mjs';
import {isJsonSpace} from '../shared/characters.mjs';
import {readLiteralCalls} from './literals.mjs';
import {payloadBegin, readPayload} from './payload_scanner.mjs';

const BEGINS = {json_values: '{', json_object: '{', json_array: '[', json_arguments: '{', python_calls: '['};

/**
 * What the rest of the text is as a payload of one of some dialects, `{form, verdicts, end}`, or
 * null where it is none, or needs a repair.
 */
export function* readBare(source, markers, forms, at, name) {
  const char = yield* source.at(at);
  const form = forms.find(({payload: {fence, scanner}}) =>
    (fence === 'expected' ? '`~' : BEGINS[scanner]).includes(char));
  const begin = form && (yield* payloadBegin(source, markers, at));
  if (!begin) return null;
  if (form.isGuided) return yield* readGuided(source, markers, form, begin, name);
  const read = form.payload.scanner === 'python_calls' ? readList : readValues;
  const payload = yield* read(source, markers, form, begin);
  if (payload === null || !(yield* isEnd(source, markers, payload.end))) return null;
  return {form, verdicts: payload.verdicts, end: payload.end};
}

/** A guided payload, which may need repairs; of one that is cut off there is a `code`. */
function* readGuided(source, markers, form, begin, header) {
  const payload = yield* readPayload(source, markers, begin, {isSingle: false, isFenced: false});
  const {failedAt, end, repairs} = payload;
  if (failedAt !== undefined) {
    return failedAt < source.chars.length ? null : {form, end: failedAt, code: 'truncated'};
  }
  if (!(yield* isEnd(source, markers, end))) return null;
  return {form, end, repairs, verdicts: readJsonCalls(payload, {form, header})};
}

function* readValues(source, markers, form, begin) {
  const how = {isSingle: false, isFenced: true, separator: form.payload.separator};
  const payload = yield* readPayload(source, markers, begin, how);
  if (payload.failedAt !== undefined || payload.repairs.size > 0 || payload.isOpen) return null;
  return {end: payload.end, verdicts: readJsonCalls(payload, {form})};
}

function* readList(source, markers, form, {valueAt: at}) {
  const {failedAt, end, calls} = yield* readLiteralCalls(source, form, at);
  return failedAt === undefined ? {end, verdicts: readEachCall(calls, {form}, [])} : null;
}

/** Whether nothing but tokens and white space follows. */
function* isEnd(source, markers, from) {
  for (let i = from; ;) {
    i = yield* source.skip(i, isJsonSpace);
    if ((yield* source.at(i)) === undefined) return true;
    const marker = yield* markers.at(i);
    if (marker?.kind !== 'token' && marker?.isEnd !== true) return false;
    i = marker.end;
  }
}
