// A message that is nothing but calls, without a marker (extraction: bare message).

import {readEachCall, readJsonCalls, readLiteralJson, readParameterCalls} from './calls.mjs';
import {isJsonSpace, isLetterOrDigit} from '../shared/characters.mjs';
import {beginsCall, membersOf} from './headless.mjs';
import {readLiteralCalls, readLiteralValues} from './literals.mjs';
import {isToken} from './markers.mjs';
import {payloadBegin, readPayload} from './payload_scanner.mjs';
import {quotedObjectBegins, readQuotedObject} from './quoted_object.mjs';

const BEGINS = {json_values: '{', json_object: '{', json_array: '[', json_arguments: '{', python_calls: '[', python_values: '['};

/** The dialects of which a message can be that begins with a character. */
export function bareForms(forms, char) {
  return forms.filter(({payload: {fence, scanner, name_begin: nameBegin}}) =>
    (fence === 'expected' ? '`~' : BEGINS[scanner] ?? nameBegin[0]).includes(char));
}

/**
 * What the rest of the text is as a payload of the first of some dialects that is meant, `{form,
 * verdicts, end}`, or null where it is none. A `closer` has to stand behind it, where one is given.
 */
export function* readBare(reader, at, closer, isMeant) {
  for (const form of bareForms(reader.bare, yield* reader.source.at(at))) {
    const found = yield* readAs(reader, form, at, closer);
    if (found?.form.isGuided || isMeant(found)) return found;
  }
  return null;
}

function* readAs(reader, form, at, closer) {
  const {source, markers, guidedName} = reader;
  if (form.isGuided) return yield* readGuided(source, markers, form, at, guidedName, closer);
  if (form.isCommon) {
    const from = form.payload.fence ? (yield* payloadBegin(source, markers, at))?.valueAt : at;
    if (from === undefined || !(yield* beginsCall(source, membersOf(form), from))) return null;
  }
  const payload = form.payload.scanner === 'quoted_object'
    ? yield* readNamed(reader, form, at)
    : yield* readBracketed(source, markers, form, at);
  const hasWords = form.payload.words_behind === true;
  if (payload === null) return null;
  const behind = yield* behindPair(source, payload.end, closer);
  if (behind === null) return null;
  if (!(yield* isEnd(source, markers, behind, isNoText, hasWords))) return null;
  return {form, verdicts: payload.verdicts, repairs: payload.repairs, end: payload.end};
}

/** Whether a marker is a token, or a closer that is a control token. */
function isNoText(marker) {
  return isToken(marker) || (marker?.kind === 'close' && marker.forms.some(({isControl}) => isControl));
}

/** Behind the closing tag of a pair that has to stand at a position, or null. */
function* behindPair(source, end, closer) {
  if (closer === '') return end;
  const at = yield* source.skip(end, isJsonSpace);
  return (yield* source.wordAt(at, [closer])) === null ? null : at + closer.length;
}

function* readNamed(reader, form, at) {
  const nameAt = yield* quotedObjectBegins(reader.source, form, at);
  if (nameAt === null) return null;
  const payload = yield* readQuotedObject(reader, form, nameAt);
  if (payload.failedAt !== undefined) return null;
  return {end: payload.end, verdicts: readParameterCalls(payload, {form}, reader.tools)};
}

function* readBracketed(source, markers, form, at) {
  const begin = yield* payloadBegin(source, markers, at);
  if (!begin) return null;
  const read = READS[form.payload.scanner] ?? readValues;
  const payload = yield* read(source, markers, form, begin);
  if (payload === null || form.payload.fence !== 'expected') return payload;
  const next = yield* source.skip(payload.end, isJsonSpace);
  if (!'`~'.includes((yield* source.at(next)) ?? ' ')) return payload;
  const further = yield* readBracketed(source, markers, form, next);
  if (further === null) return null;
  const repairs = new Map(payload.repairs);
  for (const [code, count] of further.repairs) repairs.set(code, (repairs.get(code) ?? 0) + count);
  return {end: further.end, repairs, verdicts: [...payload.verdicts, ...further.verdicts]};
}

/** A guided payload, which may need repairs; of one that is cut off there is a `code`. */
function* readGuided(source, markers, form, at, header, closer) {
  const begin = yield* payloadBegin(source, markers, at);
  if (!begin) return null;
  const payload = yield* readPayload(source, markers, begin, {isSingle: false, isFenced: false});
  const {failedAt, end, repairs} = payload;
  if (failedAt !== undefined) {
    return failedAt < source.chars.length ? null : {form, end: failedAt, code: 'truncated'};
  }
  const behind = yield* behindPair(source, end, closer);
  if (behind === null) return null;
  if (!(yield* isEnd(source, markers, behind, isNoText))) return null;
  return {form, end, repairs, verdicts: readJsonCalls(payload, {form, header})};
}

function* readValues(source, markers, form, begin) {
  const how = {isSingle: false, isFenced: true, separator: form.payload.separator};
  const payload = yield* readPayload(source, markers, begin, how);
  if (payload.failedAt !== undefined || payload.isOpen) return null;
  return {end: payload.end, repairs: payload.repairs, verdicts: readJsonCalls(payload, {form})};
}

function* readList(source, markers, form, {valueAt: at}) {
  const {failedAt, end, calls} = yield* readLiteralCalls(source, form, at);
  return failedAt === undefined ? {end, verdicts: readEachCall(calls, {form}, [])} : null;
}

function* readLiterals(source, markers, form, {valueAt: at}) {
  const {failedAt, end, json} = yield* readLiteralValues(source, at);
  return failedAt === undefined ? {end, verdicts: readLiteralJson(json, {form})} : null;
}

const READS = {python_calls: readList, python_values: readLiterals};

/** Whether nothing but white space and markers that pass follows, or behind them a text, where it may. */
export function* isEnd(source, markers, from, passes, hasWords = false) {
  const {at, marker} = yield* behindMarkers(source, markers, from, passes);
  const char = yield* source.characterAt(at);
  return char === undefined || (hasWords && marker === null && isLetterOrDigit(char));
}

/** The position behind white space and markers that pass, and the marker that stands there, or null. */
export function* behindMarkers(source, markers, from, passes) {
  for (let at = from; ;) {
    at = yield* source.skip(at, isJsonSpace);
    const marker = (yield* source.at(at)) === undefined ? null : yield* markers.at(at);
    if (!passes(marker)) return {at, marker};
    at = marker.end;
  }
}
