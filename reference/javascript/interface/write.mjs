// The operation interface.write (ITF-011 to ITF-019; of flat messages ITF-041 to ITF-043).

import {isBlankText} from '../shared/characters.mjs';
import {Findings} from '../shared/findings.mjs';
import {INTERFACE_WRITE} from '../shared/form_data.mjs';
import {isBad} from '../shared/forms.mjs';
import {pick, without} from '../shared/json_object.mjs';
import {equalJson, isObject, own} from '../shared/json_text.mjs';
import {aligned, callsIn} from './aligned.mjs';
import {othersIn, typeOf} from './blocks.mjs';
import {writtenMessages} from './flat.mjs';
import {joined} from './joined.mjs';
import {FORMS} from './table_data.mjs';
import {BESIDE_TOOLS, ownsOf, writtenTools} from './tools.mjs';
import {PAST_MEMBERS, unitsOf} from './units.mjs';
import {blocksOf, nameOf, placeOf, reportGone} from './written.mjs';

/** `{result}` or `{error}` for one request in the form of the contracts. */
export function write(input) {
  if (isBad(INTERFACE_WRITE, input)) return {error: {code: 'invalid_input'}};
  const {request, carried = {}} = input;
  const form = FORMS[input.interface];
  const findings = new Findings();
  if (form.is_flat) return {result: {request: flatRequest(request, carried, form, findings), findings: findings.sorted()}};
  const messages = own(request, 'messages');
  const past = PAST_MEMBERS.filter((name) => Object.hasOwn(request, name)).map((name) => [name, request[name]]);
  const read = unitsOf({...carried, ...Object.fromEntries(past)}, form);
  const owns = ownsOf(carried, read.units, form);
  const {tools, items} = writtenTools(request, carried, {owns, form, findings});
  const history = Array.isArray(messages) ? writtenHistory(messages, carried, read, {owns, items, isKept: own(request, 'store') !== false, form, findings})
    : pick(request, ['messages']);
  if (!Array.isArray(messages)) reportLost(read, {sources: [], said: []}, form, findings);
  const written = {...without(request, ['messages', ...BESIDE_TOOLS]), ...history, ...tools};
  return {result: {request: written, findings: findings.sorted()}};
}

/** What says of tools what Ollama has no place for, and what a model does anyway (ITF-042, ITF-043). */
const BESIDE_FLAT = {tool_choice: 'auto', parallel_tool_calls: true};

function flatRequest(request, carried, flat, findings) {
  for (const [name, natural] of Object.entries(BESIDE_FLAT)) {
    if (![null, natural].includes(own(request, name) ?? null)) findings.add('not_written', ['request', name]);
  }
  const written = without(request, Object.keys(BESIDE_FLAT));
  const [messages, natives] = [own(request, 'messages'), own(carried, flat.messages)];
  if (!Array.isArray(messages)) return written;
  const before = Array.isArray(natives) ? natives : [];
  return {...written, [flat.messages]: writtenMessages(messages, before, flat, findings)};
}

/** The history, and the system text where it has a member of its own. */
function writtenHistory(messages, carried, {natives, units}, {owns, items, isKept, form, findings}) {
  const sources = aligned(units, messages);
  const known = {owns, textIds: textIdsOf(messages, owns, form)};
  const said = messages.map((message, at) => ({
    role: roleOf(message, form),
    blocks: blocks(message, sources[at], {place: ['request', 'messages', at], form, findings, known})
      .map(({block, piece}) => ({block: items.get(piece?.home) ?? block, piece})),
  }));
  dropEnds(said, messages, form, findings);
  reportLost({natives, units}, {sources, said}, form, findings);
  const {sent, top} = joined(said, natives, form, findings, isKept);
  const isSame = Object.hasOwn(carried, form.messages) && equalJson(sent, natives);
  const isThere = sent.length > 0 || Object.hasOwn(carried, form.messages) || !Object.hasOwn(carried, form.system);
  return {
    ...(top.length > 0 ? {[form.system]: top.length === 1 ? top[0] : top.flatMap(asBlocks)} : {}),
    ...(isSame ? {[form.messages]: carried[form.messages]} : isThere ? {[form.messages]: sent} : {}),
  };
}

function hasRole(message) {
  return isObject(message) && typeof own(message, 'role') === 'string';
}

/** The role of a message in the interface. */
function roleOf(message, form) {
  const role = hasRole(message) ? message.role : null;
  if (role === 'tool') return 'user';
  return role === 'developer' && !form.has_items ? 'system' : role;
}

/** The blocks of a message, without blank texts where these are refused (ITF-015). */
function blocks(message, source, around) {
  if (!hasRole(message)) return [{block: message, piece: source?.pieces[0] ?? null}];
  const {place, form, findings} = around;
  return blocksOf(message, source, around).filter(({block, piece}) => {
    const text = typeOf(block) === form.text.user ? own(block, 'text') : block;
    if (form.takes_blank_text || typeof text !== 'string' || !isBlankText(text)) return true;
    findings.add('text_blank', place);
    if (piece !== null) reportGone(piece, own(message, 'role'), form, findings);
    return false;
  });
}

/**
 * Drops results of the provider's tools whose calls are gone, such calls whose results no turn brings any more, and
 * thoughts at the end of a message (ITF-016).
 */
function dropEnds(said, messages, form, findings) {
  const spoken = [...said.entries()].filter(([, {role}]) => role === 'assistant');
  const drop = ([at, message], gone) => {
    for (const {piece} of gone) {
      findings.add('opaque_removed', piece === null ? ['request', 'messages', at] : placeOf(piece, form));
    }
    const dropped = new Set(gone);
    message.blocks = message.blocks.filter((one) => !dropped.has(one));
  };
  const member = (block, name) => isObject(block) && typeof own(block, name) === 'string' ? block[name] : null;
  const ids = new Set();
  for (const one of spoken) {
    drop(one, one[1].blocks.filter(({block}) => {
      const [use, id] = [member(block, 'tool_use_id'), member(block, 'id')];
      const isAlone = use !== null && !ids.has(use);
      ids.add(id);
      return isAlone;
    }));
  }
  if (form.has_items) return;
  const lastAsked = messages.findLastIndex((message) => isObject(message) && own(message, 'role') === 'user');
  const answered = new Set(); // by what stands behind
  for (const one of spoken.toReversed()) {
    drop(one, one[1].blocks.toReversed().filter(({block}) => {
      answered.add(member(block, 'tool_use_id'));
      const isCall = member(block, 'type')?.endsWith('_tool_use') && member(block, 'id') !== null;
      return isCall && !answered.has(block.id) && one[0] < lastAsked;
    }));
    const end = one[1].blocks.findLastIndex(({block}) => !form.signed.includes(typeOf(block)));
    drop(one, one[1].blocks.slice(end + 1));
  }
}

/** The ids of the calls whose tools take a text. */
function textIdsOf(messages, owns, form) {
  if (form.text_tool === null) return new Set();
  const calls = messages.flatMap((message) => callsIn(message))
    .filter((call) => owns.get(nameOf(call))?.type === form.text_tool.call);
  return new Set(calls.map((call) => own(call, 'id')).filter((id) => typeof id === 'string'));
}

/** Reports what was carried for a message that is gone, and messages of which no block is left that said more than these (ITF-019). */
function reportLost({natives, units}, {sources, said}, form, findings) {
  const [there, known] = [new Set(sources), units.filter(({role}) => role !== null)];
  for (const unit of known.filter((each) => !there.has(each))) {
    for (const piece of unit.pieces) reportGone(piece, unit.role, form, findings);
  }
  const homes = new Set(said.flatMap(({blocks: left}) => left.map(({piece}) => piece?.home)));
  const inMessages = known.flatMap(({pieces}) => pieces.filter(({block, home}) => natives[home] !== block));
  for (const home of new Set(inMessages.map((piece) => piece.home))) {
    if (home < 0 || homes.has(home)) continue;
    if (othersIn(natives[home], ['type', 'role', 'content']).length > 0) findings.add('carried_removed', ['carried', form.messages, home]);
  }
}

function asBlocks(content) {
  return typeof content === 'string' ? [{type: 'text', text: content}] : content;
}
