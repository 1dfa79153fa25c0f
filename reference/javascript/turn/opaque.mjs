// What only the provider of a message understands: what of it a turn carries (turn: opaque value).

import {isBlankText} from '../shared/characters.mjs';
import {hasNumbers} from '../shared/canonical_json.mjs';
import {pick} from '../shared/json_object.mjs';
import {isObject, isTooDeep, own} from '../shared/json_text.mjs';
import {isTextPart, refusalIn} from '../payload/contents.mjs';
import {Provider} from '../payload/provider.mjs';
import {MARK} from '../shared/envelope.mjs';

const CARRIED_DEPTH = 32;
const OWN = ['text', 'tool_calls', 'truncated', 'refusal', 'function_call'];

// The members in which a server puts what it takes for reasoning.
const REASONING = ['reasoning_content', 'reasoning', 'thinking'];

/** The names of what is read of a message. */
export function knownNames(message, provider) {
  return [...OWN, ...REASONING, ...opaqueNames(message, provider)];
}

/** The names of what is joined of the deltas of a message (TRN-074). */
export function joinedNames(delta, provider) {
  const reasoning = REASONING.filter((name) => typeof own(delta, name) === 'string');
  return [...new Set([...opaqueNames(delta, provider), ...reasoning])];
}

/** The name of the member that is the hidden text of a message, or undefined (turn: hidden text). */
export function hiddenName(message, {text, refusal}) {
  if (refusal !== '' || message.tool_calls?.length > 0 || !(text === null || isBlankText(text))) return undefined;
  return REASONING.find((name) => typeof own(message, name) === 'string' && !isBlankText(message[name]));
}

/**
 * `{text, refusal, opaque, lost}` of a message: its one text (TRN-036), what the model said in its place,
 * or '', what is carried, and findings.
 */
export function openMessage(input) {
  const {message} = input;
  const provider = new Provider(input);
  const lost = [];
  const members = carry(message, opaqueNames(message, provider), ['message'], lost);
  if (own(message, 'function_call') != null) {
    lost.push(['function_call_removed', ['message', 'function_call']]);
  }
  if (!Array.isArray(message.text)) {
    const refusal = [message.refusal].filter(isWords).join('');
    return {text: message.text, refusal, opaque: filled({members}), lost, provider};
  }
  const texts = message.text.filter(isTextPart).map(({text}) => text);
  const refusals = new Set([message.refusal].filter(isWords));
  for (const [at, part] of message.text.entries()) {
    if (isTextPart(part)) continue;
    const words = refusalIn(part);
    if (words === '') lost.push(['part_unknown', ['message', 'text', at]]);
    else refusals.add(words);
  }
  const text = texts.length === 0 ? null : texts.join('\n');
  return {text, refusal: [...refusals].join('\n'), opaque: filled({members}), lost, provider};
}

function isWords(value) {
  return typeof value === 'string' && value !== '';
}

/** What of a native call is carried (TRN-035); what is not goes to `lost`. */
export function openCall(call, path, provider, lost) {
  if (!isObject(call)) return {};
  const {function: target} = call;
  const at = [...path, 'function'];
  return filled({
    call: carry(call, namesIn(call, provider), path, lost),
    function: isObject(target) ? carry(target, namesIn(target, provider), at, lost) : {},
  });
}

/** The names of what the provider of a message, or any other, wants back of it. */
export function opaqueNames(message, provider) {
  const own = [...OWN, MARK];
  const readable = provider.readableNames({...message, role: 'assistant'});
  return [...namesIn(message, provider), ...readable].filter((name) => !own.includes(name));
}

/** The names of what is opaque in a call, or in its function. */
export function namesIn(object, provider) {
  return Object.keys(object).filter((name) => provider.isOpaqueMember(name));
}

function carry(object, names, path, lost) {
  return pick(object, names.filter((name) => {
    const isLost = isLostValue(object[name]);
    if (isLost) lost.push(['opaque_removed', [...path, name]]);
    return !isLost;
  }));
}

/** Whether a value nests too deep, or has a number that no JSON has, so that no store could hold it. */
function isLostValue(value) {
  return isTooDeep(value, CARRIED_DEPTH) || !hasNumbers(value);
}

/** The members of an object that are not empty themselves. */
function filled(object) {
  return Object.fromEntries(Object.entries(object)
    .filter(([, value]) => Object.keys(value).length > 0));
}
