// The operation interface.read_reply (ITF-022, ITF-023).

import {INTERFACE_READ_REPLY} from '../shared/form_data.mjs';
import {isBad} from '../shared/forms.mjs';
import {isNothing, withoutNull} from '../shared/json_object.mjs';
import {isObject, own} from '../shared/json_text.mjs';
import {partsIn, typeOf} from './blocks.mjs';
import {callsOf, flatMessages} from './flat.mjs';
import {FORMS} from './table_data.mjs';
import {unitsOf} from './units.mjs';

export const CUT_DONE = ['length', 'content_filter'];
/** Why a reply ended that the model had not ended, by the member that says it (ITF-023). */
const CUT_OFF = {
  stop_reason: ['max_tokens', 'model_context_window_exceeded', 'refusal'],
  status: ['incomplete', 'failed'],
  done_reason: CUT_DONE,
};

/** `{result}` or `{error}` for one reply of an interface. */
export function readReply(input) {
  if (isBad(INTERFACE_READ_REPLY, input)) return {error: {code: 'invalid_input'}};
  const {reply} = input;
  const form = FORMS[input.interface];
  const history = historyOf(reply, form);
  const messages = form.is_flat ? flatMessages(history, form, {hasIds: false})
    : unitsOf({[form.messages]: history}, form).units.map((unit) => unit.message);
  const said = messages.filter((message) => isObject(message) && own(message, 'role') === 'assistant');
  const parts = said.flatMap((message) => partsIn(own(message, 'content')));
  const calls = said.flatMap(callsOf);
  const refusal = joinedOf(parts, 'refusal');
  const isCut = Object.entries(CUT_OFF).some(([name, whys]) => whys.includes(own(reply, name)));
  const message = {
    text: joinedOf(parts, 'text'),
    tool_calls: calls.length > 0 ? calls : null,
    ...(refusal === null ? {} : {refusal}),
    ...(isCut ? {truncated: true} : {}),
  };
  return {result: {message, history}};
}

/** The messages or the items of a reply, without members that are null. */
function historyOf(reply, form) {
  if (form.is_flat) {
    const message = own(reply, 'message');
    return isObject(message) ? [saidOf(message)] : [];
  }
  if (form.has_items) {
    const output = own(reply, 'output');
    return Array.isArray(output) ? output.map(saidOf) : [];
  }
  const content = own(reply, 'content');
  const isEmpty = isNothing(content) || content.length === 0;
  return isEmpty ? [] : [{role: 'assistant', content: Array.isArray(content) ? content.map(saidOf) : content}];
}

/** An element without null, which SDKs write for what is absent, and endpoints refuse. */
function saidOf(block) {
  if (!isObject(block)) return block;
  const said = withoutNull(block);
  const content = own(said, 'content');
  return Array.isArray(content) ? {...said, content: content.map(saidOf)} : said;
}

/** What parts of a type say together, or null. */
function joinedOf(parts, type) {
  const said = parts.filter((part) => typeOf(part) === type).map((part) => own(part, type));
  const texts = said.filter((text) => typeof text === 'string' && (type === 'text' || text !== ''));
  return texts.length > 0 ? texts.join('') : null;
}
