// The blocks of one message: those that it came with, and those that are made (ITF-012, ITF-019).

import {isNothing} from '../shared/json_object.mjs';
import {equalJson, isObject, own} from '../shared/json_text.mjs';
import {callsIn} from './aligned.mjs';
import {asText, blockOf, callBlock, callOf, namespaceOf, othersIn, ownOf, partOf, partsIn, typeOf, typesOf, unsaid} from './blocks.mjs';
import {callsOf} from './flat.mjs';
import {isCall} from './units.mjs';

const WRITTEN_OF_RESULT = ['role', 'content', 'tool_call_id', 'name']; // the name is that of its call

/**
 * `{block, piece}` for each block of a message at a place; a piece is what it was, or null. `known` has
 * what a call of each carried function has, `owns`, and the ids of calls whose tools take a text, `textIds`.
 */
export function blocksOf(message, given, {place, form, findings, known}) {
  const unit = given?.role === null ? null : given; // an element that is no message here
  if (unit !== null && equalJson(unit.message, message)) {
    return unit.pieces.map((piece) => ({block: piece.block, piece}));
  }
  const role = own(message, 'role');
  for (const [name, value] of Object.entries(message)) {
    if (!hasPlace(name, value, role === 'tool') && !isNothing(value)) findings.add('not_written', [...place, name]);
  }
  const writer = {role, place, form, findings, known};
  if (role === 'tool') return [result(message, unit, writer)];
  return said(message, unit, writer);
}

/** Whether a member of a message has a place in the interface. */
function hasPlace(name, value, isResult) {
  if (isResult) return WRITTEN_OF_RESULT.includes(name);
  return name === 'role' || (name === 'content' && typeof value === 'string') ||
    (['content', 'tool_calls'].includes(name) && Array.isArray(value));
}

function said(message, unit, writer) {
  const {role, form, findings} = writer;
  const [parts, calls] = [partsIn(own(message, 'content')), callsOf(message)];
  const mates = matesOf(unit === null ? [] : callsIn(unit.message), calls);
  const written = [];
  let [done, number] = [0, 0];
  for (const piece of unit?.pieces ?? []) {
    const before = written.length;
    if (isCall(piece.block, role, form)) {
      const at = mates[number++];
      if (at !== null) written.push(...callWritten(calls[at], at, piece, writer));
    } else {
      const part = partOf(piece.block, form, role === 'assistant');
      const at = parts.findIndex((each, n) => n >= done && equalJson(each, part));
      if (at >= 0) {
        written.push(...made(parts, done, at, writer), {block: piece.block, piece});
        done = at + 1;
      }
    }
    if (written.length === before) reportGone(piece, role, form, findings);
  }
  written.push(...made(parts, done, parts.length, writer));
  calls.forEach((call, at) => {
    if (!mates.includes(at)) written.push(...callWritten(call, at, null, writer));
  });
  return written;
}

/** Says of a piece that is gone whether it held what the contracts have no place for. */
export function reportGone(piece, role, form, findings) {
  const {block} = piece;
  if (!isObject(block)) return;
  let again;
  if (isCall(block, role, form)) again = callBlock(callOf(block, form), form, ownOf(block, form));
  else if (role === 'tool') {
    const plain = ['type', ...Object.values(form.result)];
    again = Object.fromEntries(Object.entries(block).filter(([name]) => plain.includes(name)));
  } else again = blockOf(partOf(block, form, role === 'assistant'), form, role);
  if (!equalJson(again, block)) findings.add('carried_removed', placeOf(piece, form));
}

/** Where a piece stands in what is carried. */
export function placeOf({home, at, isContent}, form) {
  const inside = at === null ? [] : [at];
  if (home < 0) return ['carried', form.system, ...inside];
  return ['carried', form.messages, home, ...(at !== null || isContent ? ['content'] : []), ...inside];
}

/** For each old call the position of the one that it became, or null. */
function matesOf(before, calls) {
  if (before.length === calls.length) return [...calls.keys()];
  const free = new Map();
  calls.forEach((call, at) => {
    const id = isObject(call) ? asText(own(call, 'id')) : null;
    free.set(id, [...free.get(id) ?? [], at]);
  });
  return before.map((call) => free.get(asText(own(call, 'id')))?.shift() ?? null);
}

/** The blocks of parts that were made. */
function made(parts, begin, end, {role, place, form, findings}) {
  const blocks = [];
  for (let at = begin; at < end; at++) {
    const block = blockOf(parts[at], form, role);
    for (const inner of block === null ? [[]] : unsaid(parts[at], form)) {
      findings.add('not_written', [...place, 'content', at, ...inner]);
    }
    if (block !== null) blocks.push({block, piece: null});
  }
  return blocks;
}

/** The block of a call: the old one where nothing changed, else with its other members. */
function callWritten(call, at, piece, {place, form, findings, known}) {
  if (piece !== null && equalJson(callOf(piece.block, form), call)) return [{block: piece.block, piece}];
  const block = callBlock(call, form, piece === null ? known.owns.get(nameOf(call)) : keptOf(piece.block, call, form));
  const lost = block === null ? [[]]
    : [...othersIn(call, ['id', 'type', 'function']), ...othersIn(call.function, ['name', 'arguments'], ['function'])];
  for (const inner of lost) findings.add('not_written', [...place, 'tool_calls', at, ...inner]);
  return block === null ? [] : [{block: {...piece?.block, ...block}, piece}];
}

/** What a carried call has now: its type, and its name, which is another one only without a namespace. */
function keptOf(block, call, form) {
  const kept = ownOf(block, form);
  if (typeof namespaceOf(block, form) === 'string') return kept;
  return {...kept, name: isObject(call) && isObject(own(call, 'function')) ? own(call.function, 'name') ?? null : null};
}

/** The name of the function of a call, or null. */
export function nameOf(call) {
  const target = isObject(call) ? own(call, 'function') : null;
  const name = isObject(target) ? own(target, 'name') : null;
  return typeof name === 'string' ? name : null;
}

/** The block of a result; what stands beside its content stays. */
function result(message, unit, writer) {
  const names = writer.form.result;
  const piece = unit === null ? null : unit.pieces[0];
  const id = own(message, 'tool_call_id') ?? null;
  const [plain, ofText] = typesOf(writer.form, 'result');
  const type = writer.known.textIds.has(id) ? ofText : plain;
  const block = {...piece?.block, type, [names.id]: id};
  const content = own(message, 'content') ?? null;
  if (typeOf(piece?.block) !== type || !equalJson(unit.message.content, content)) {
    block[names.content] = Array.isArray(content)
      ? made(content, 0, content.length, writer).map((each) => each.block) : content;
  }
  return {block, piece};
}
