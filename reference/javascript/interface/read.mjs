// The operation interface.read (ITF-001 to ITF-009; of flat messages ITF-040).

import {MARK} from '../shared/envelope.mjs';
import {Findings} from '../shared/findings.mjs';
import {INTERFACE_READ} from '../shared/form_data.mjs';
import {isBad} from '../shared/forms.mjs';
import {isNothing, without} from '../shared/json_object.mjs';
import {equalJson, isObject, own} from '../shared/json_text.mjs';
import {typeOf} from './blocks.mjs';
import {flatMessages, unmarked} from './flat.mjs';
import {FORMS} from './table_data.mjs';
import {readTools} from './tools.mjs';
import {unitsOf} from './units.mjs';


/** `{result}` or `{error}` for one request of an interface. */
export function read(input) {
  if (isBad(INTERFACE_READ, input)) return {error: {code: 'invalid_input'}};
  const form = FORMS[input.interface];
  if (form.is_flat) return {result: readFlat(input.request, form)};
  const findings = new Findings();
  const request = fromHere(input.request, own(input, 'origin'), form, findings);
  const {natives, units} = unitsOf(request, form);
  const {read: tools, stood} = readTools(request, form);
  const said = natives.length > 0 ? [form.messages, form.system] : [form.system];
  const taken = [...said, ...stood].filter((name) => !isNothing(own(request, name)));
  const isHistory = units.length > 0 || Array.isArray(own(request, form.messages));
  const messages = isHistory ? {messages: units.map((unit) => unit.message)} : {};
  return {
    result: {
      request: {...without(request, taken), ...messages, ...tools},
      carried: Object.fromEntries(taken.map((name) => [name, request[name]])),
      findings: findings.sorted(),
    },
  };
}

function readFlat(request, flat) {
  const natives = own(request, flat.messages);
  if (!Array.isArray(natives)) return {request, carried: {}, findings: []};
  const sent = natives.map(unmarked);
  return {
    request: {...request, messages: flatMessages(sent, flat)},
    carried: sent.length > 0 ? {[flat.messages]: sent} : {},
    findings: [],
  };
}

/** A request without marks, and without signed blocks that came from elsewhere (ITF-008, ITF-009). */
function fromHere(request, origin, form, findings) {
  const natives = own(request, form.messages);
  if (!Array.isArray(natives)) return request;
  const sent = [];
  natives.forEach((native, at) => {
    const plain = isMarked(native) ? without(native, [MARK]) : native;
    const isForeign = isMarked(native) && origin !== undefined && !equalJson(native[MARK], origin);
    const kept = isForeign ? unsigned(plain, ['request', form.messages, at], form, findings) : plain;
    if (kept !== null || native === null) sent.push(kept);
  });
  const clean = {...request, [form.messages]: sent};
  if (typeOf(own(request, 'thinking')) !== 'enabled' || !beginsWithoutThought(sent, form)) return clean;
  findings.add('thinking_disabled', ['request', 'thinking']);
  return without(clean, ['thinking']);
}

/** Whether the turn that goes on began with something else than a thought (ITF-009). */
function beginsWithoutThought(natives, form) {
  const isOfAssistant = (native) => isObject(native) && own(native, 'role') === 'assistant';
  const before = natives.findLastIndex((native) => !isOfAssistant(native) && !answers(native, form));
  const first = natives.slice(before + 1).find(isOfAssistant);
  if (first === undefined || form.has_items) return false;
  const content = own(first, 'content');
  return !Array.isArray(content) || !form.signed.includes(typeOf(content[0]));
}

function isMarked(native) {
  return isObject(native) && Object.hasOwn(native, MARK);
}

/** Whether a message goes on with the turn before it: it holds results alone. */
function answers(native, form) {
  const content = isObject(native) ? own(native, 'content') : null;
  return Array.isArray(content) && content.every((block) => typeOf(block) === form.result.type);
}

/** A message or an item from elsewhere without what is signed; null where all of it is. */
function unsigned(native, place, form, findings) {
  const isSigned = (block) => form.signed.includes(typeOf(block));
  if (isSigned(native)) {
    findings.add('opaque_removed', place);
    return null;
  }
  const kept = form.has_items ? without(native, ['id']) : native;
  const content = own(kept, 'content');
  if (!Array.isArray(content) || !content.some(isSigned)) return kept;
  content.forEach((block, at) => {
    if (isSigned(block)) findings.add('opaque_removed', [...place, 'content', at]);
  });
  return {...kept, content: content.filter((block) => !isSigned(block))};
}
