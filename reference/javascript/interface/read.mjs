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
  const request = withFewMarks(fromHere(input.request, own(input, 'origin'), form, findings), form, findings);
  const {units} = unitsOf(request, form);
  const {read: tools, stood} = readTools(request, form);
  const said = units.length > 0 ? [form.messages, form.system] : [];
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
    const kept = isObject(plain) ? signed(plain, isForeign, ['request', form.messages, at], form, findings) : plain;
    if (kept !== null || native === null) sent.push(kept);
  });
  const clean = {...request, [form.messages]: sent};
  if (typeOf(own(request, 'thinking')) !== 'enabled' || !beginsWithoutThought(sent, form)) return clean;
  findings.add('thinking_disabled', ['request', 'thinking']);
  // Some endpoints think where nobody says that they do not.
  return {...clean, thinking: {type: 'disabled'}};
}

/** Whether the turn that goes on began with something else than a thought (ITF-009). */
function beginsWithoutThought(natives, form) {
  const isOfAssistant = (native) => isObject(native) && own(native, 'role') === 'assistant';
  const isOfSystem = (native) => isObject(native) && own(native, 'role') === 'system';
  const before = natives.findLastIndex((native) => !isOfAssistant(native) && !isOfSystem(native) && !answers(native, form));
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

/** An element without what its endpoint cannot read: what was signed elsewhere, and thoughts that nobody signed; or null. */
function signed(native, isForeign, place, form, findings) {
  const isSigned = (block) => form.signed.includes(typeOf(block));
  const signatureOf = (block) => (typeof typeOf(block) === 'string' ? own(form.signatures, typeOf(block)) : undefined);
  const goes = (block) => {
    const signature = signatureOf(block);
    return (isForeign && isSigned(block)) || (signature !== undefined && isNothing(own(block, signature)));
  };
  if (isForeign && isSigned(native)) {
    findings.add('opaque_removed', place);
    return null;
  }
  const kept = isForeign ? without(native, ['id']) : native;
  const content = own(kept, 'content');
  if (!Array.isArray(content)) return kept;
  content.forEach((block, at) => {
    const signature = signatureOf(block);
    if (goes(block)) findings.add('opaque_removed', [...place, 'content', at]);
    else if (signature !== undefined && own(block, signature) === '') {
      findings.add('signature_empty', [...place, 'content', at, signature]);
    }
  });
  return {...kept, content: content.filter((block) => !goes(block))};
}

const CACHE_MARK = 'cache_control';

/** A request with no more marks of the cache than are taken: the last ones (ITF-047). */
function withFewMarks(request, form, findings) {
  if (form.most_marks === null) return request;
  const names = [form.messages, form.system, 'tools'].filter((name) => Array.isArray(own(request, name)));
  // That of the request itself is one, too, and the last one.
  const others = isNothing(own(request, CACHE_MARK)) ? form.most_marks : form.most_marks - 1;
  let excess = names.reduce((count, name) => count + marksIn(request[name]), -others);
  const unmarked = (value, place) => {
    if (Array.isArray(value)) return value.map((one, at) => unmarked(one, [...place, at]));
    if (!isObject(value)) return value;
    let kept = value;
    if (excess > 0 && !isNothing(own(value, CACHE_MARK))) {
      excess -= 1;
      findings.add('annotation_removed', ['request', ...place, CACHE_MARK]);
      kept = without(value, [CACHE_MARK]);
    }
    const content = own(kept, 'content');
    return Array.isArray(content) ? {...kept, content: unmarked(content, [...place, 'content'])} : kept;
  };
  return {...request, ...Object.fromEntries(names.map((name) => [name, unmarked(request[name], [name])]))};
}

function marksIn(value) {
  if (Array.isArray(value)) return value.reduce((count, one) => count + marksIn(one), 0);
  if (!isObject(value)) return 0;
  const content = own(value, 'content');
  return (isNothing(own(value, CACHE_MARK)) ? 0 : 1) + (Array.isArray(content) ? marksIn(content) : 0);
}
