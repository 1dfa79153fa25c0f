// Where messages stand in a sanitised history, and what is put between them (PAY-154, PAY-155,
// PAY-157).

import {own} from '../shared/json_text.mjs';
import {INVALID_CALL_RESULT, MISSING_RESULT} from './history_forms.mjs';
import {joinContents} from './history_shape.mjs';

const RESULTS_RECEIVED = 'I have received the results.';
const MESSAGE_RECEIVED = 'I have received the message.';
const PLEASE_CONTINUE = 'Please continue.';

/** Entries with system messages at the front alone, and one of them (PAY-154). */
export function placeSystems(entries, flags, findings) {
  if (flags.system_anywhere === true) return entries;
  const front = [];
  const others = [];
  let isLate = false;
  for (const entry of entries) {
    const {message, at} = entry;
    if (!isSystem(message)) {
      others.push(entry);
      isLate ||= message.role !== 'tool'; // which answers nothing here, or moves to its call
    } else if (isLate) {
      findings.add('system_late', ['messages', at]);
      others.push({...entry, message: {...message, role: 'user'}});
    } else {
      front.push(entry);
    }
  }
  if (flags.system_anywhere === 'first' || front.length < 2) return [...front, ...others];
  for (const {at} of front.slice(1)) findings.add('messages_joined', ['messages', at]);
  const content = joinContents(front.map(({message}) => own(message, 'content')));
  return [{...front[0], message: {...front[0].message, content}}, ...others];
}

/**
 * The messages, as `{message, at}`, with the bridges that a provider wants between them; nothing is put behind calls
 * that wait for results, which `isWaiting` says of their message.
 */
export function withBridges(sent, flags, findings, flattens) {
  let before = null;
  let isWaiting = false;
  let isFront = true; // whether only system messages have been
  const written = sent.flatMap(({message, at, isWaiting: waits = false}) => {
    const bridge = isWaiting ? null : bridgeBetween(before, message, isFront, flags, flattens);
    [before, isWaiting, isFront] = [message, isWaiting || waits, isFront && isSystem(message)];
    if (bridge === null) return [{message, at}];
    findings.add(flags.bridges ? 'bridge_inserted' : 'bridge_missing', ['messages', at]);
    return [...(flags.bridges ? [{message: bridge}] : []), {message, at}];
  });
  if (!isFront || before === null || flags.repeated_roles === true) return written;
  findings.add(flags.bridges ? 'bridge_inserted' : 'bridge_missing', ['messages', written.at(-1).at]);
  return [...written, ...(flags.bridges ? [{message: {role: 'user', content: PLEASE_CONTINUE}}] : [])];
}

/** What has to stand between a message, or null, and the one behind it, or null. */
function bridgeBetween(before, message, isFront, flags, flattens) {
  const {role} = message;
  const isAlternating = !flags.repeated_roles;
  if (before?.role === 'tool' && (role === 'user' || isSystem(message))) { // PAY-157
    const isOne = flattens && isAlternating && role === 'user'; // as text, a result will stand in it (TRN-077)
    if (flags.user_after_tool || isOne) return null;
    const isGiven = ![MISSING_RESULT, INVALID_CALL_RESULT].includes(before.content);
    return {role: 'assistant', content: isGiven ? RESULTS_RECEIVED : MESSAGE_RECEIVED};
  }
  if (isAlternating && role === 'user' && before?.role === role) {
    return {role: 'assistant', content: MESSAGE_RECEIVED};
  }
  const isAlone = role === 'assistant' &&
    (isFront ? flags.repeated_roles !== true : isAlternating && before.role === role);
  return isAlone ? {role: 'user', content: PLEASE_CONTINUE} : null;
}

/** Whether a message is one that PAY-154 is about. */
function isSystem({role}) {
  return role === 'system' || role === 'developer';
}
