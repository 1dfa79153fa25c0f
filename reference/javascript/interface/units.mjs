// The messages and items of an interface as units: what one message of the contracts stands for.

import {isFilledArray, isNothing, pick} from '../shared/json_object.mjs';
import {isObject, own} from '../shared/json_text.mjs';
import {AGENT_MESSAGE, asText, callOf, contentOf, partOf, resultContent, typeOf, typesOf} from './blocks.mjs';

/** Where the system text stands that has a member of its own in the request. */
export const SYSTEM_MEMBER = -1;

/** The members that name what the provider itself holds of the history. */
export const PAST_MEMBERS = ['previous_response_id', 'conversation'];

/**
 * The messages of a request as it has them, and their units: `{role, pieces, message}`. A piece is
 * `{block, home, at}`: the position of its message or item, and its own there, null where it is all of it.
 */
export function unitsOf(request, form) {
  const given = own(request, form.messages);
  const natives = typeof given === 'string' ? [{role: 'user', content: given}] : Array.isArray(given) ? given : [];
  const units = [];
  const system = own(request, form.system);
  if (!isNothing(system)) addSaid({role: 'system', content: system}, SYSTEM_MEMBER, units, form);
  natives.forEach((native, home) => {
    if (!isObject(native)) units.push(asItIs(native, home));
    else if (form.has_items && ![null, 'message'].includes(typeOf(native))) {
      add({block: native, home, at: null}, roleOfItem(native, form), units, form);
    } else addSaid(native, home, units, form);
  });
  const isPastHeld = PAST_MEMBERS.some((name) => !isNothing(own(request, name)));
  const told = isPastHeld ? withoutHeld(units, form) : units;
  for (const unit of told) unit.message ??= unit.role === null ? null : messageOf(unit, form);
  return {natives, units: told};
}

/** A unit for an element that is no message of the interface. */
function asItIs(native, home) {
  return {role: null, pieces: [{block: native, home, at: null}], message: native};
}

function messageOf({role, pieces}, form) {
  if (role === 'tool') {
    const [{block}] = pieces;
    const id = own(block, form.result.id);
    return {role, content: resultContent(block, form), ...(isNothing(id) ? {} : {tool_call_id: id})};
  }
  const isOfAssistant = role === 'assistant';
  const blocks = pieces.map((piece) => piece.block);
  const calls = blocks.filter((block) => isCall(block, role, form)).map((block) => callOf(block, form));
  const parts = blocks.filter((block) => !isCall(block, role, form))
    .map((block) => partOf(block, form, isOfAssistant));
  const message = {role, content: contentOf(parts, null)};
  return calls.length > 0 ? {...message, tool_calls: calls} : message;
}

/** Whether a block of a unit is a call. */
export function isCall(block, role, form) {
  return role === 'assistant' && typesOf(form, 'call').includes(typeOf(block));
}

/** Adds a message with a role: a unit for each result in it, and for what is between them. */
function addSaid(native, home, units, form) {
  const [role, content] = [own(native, 'role'), own(native, 'content')];
  if (typeof role !== 'string' || role === 'tool') {
    units.push(asItIs(native, home));
  } else if (typeof content === 'string') {
    add({block: content, home, at: null}, role, units, form);
  } else if (!isFilledArray(content)) {
    const whole = content ?? null;
    units.push({role, pieces: [{block: whole, home, at: null, isContent: true}], message: pick(native, ['role', 'content'])});
  } else {
    content.forEach((block, at) => {
      const isResult = role === 'user' && typeOf(block) === form.result.type;
      add({block, home, at}, isResult ? 'tool' : role, units, form);
    });
  }
}

/** Adds a piece to the last unit, if that is a run which it goes on with, or to a new one. */
function add(piece, role, units, form) {
  const last = units.at(-1);
  const isNear = last !== undefined && last.message === undefined && last.role === role &&
    (last.pieces[0].home === piece.home || (form.has_items && role === 'assistant'));
  if (isNear && role !== 'tool') last.pieces.push(piece);
  else units.push({role, pieces: [piece], message: undefined});
}

/** Whose an item is that has no role. */
export function roleOfItem(item, form) {
  const type = typeOf(item);
  if (typesOf(form, 'result').includes(type)) return 'tool';
  return typeof type === 'string' && /_(?:output|response)$/.test(type) || type === AGENT_MESSAGE ? 'user' : 'assistant';
}

/** Results whose calls the provider holds are blocks of the user here (ITF-002). */
function withoutHeld(units, form) {
  const known = new Set(units.flatMap(({role, pieces}) => pieces
    .filter(({block}) => isCall(block, role, form))
    .map(({block}) => asText(own(block, form.call.id)))));
  known.delete(null);
  const kept = [];
  for (const unit of units) {
    if (unit.role === null || unit.message !== undefined) {
      kept.push(unit);
      continue;
    }
    for (const piece of unit.pieces) {
      const isHeld = unit.role === 'tool' && !known.has(asText(own(piece.block, form.result.id)));
      add(piece, isHeld ? 'user' : unit.role, kept, form);
    }
  }
  return kept;
}
