// Where messages stand in a sanitised history (PAY-135, PAY-136). An entry has its `message`, the
// position `at` that this has in the input, if it has one, and for the message of calls that wait
// for results `isWaiting`.

import {hasRole} from './payload_rounds.mjs';

const RESULTS_RECEIVED = 'I have received the results.';

/** Whether a message is one that PAY-135 is about. */
export function isSystem(message) {
  return hasRole(message, 'system') || hasRole(message, 'developer');
}

/** The entries with those of system messages in front (PAY-135). */
export function systemFirst(entries) {
  return [
    ...entries.filter(({message}) => isSystem(message)),
    ...entries.filter(({message}) => !isSystem(message)),
  ];
}

/** Reports the system messages that go to the front; null stands for what is no message. */
export function reportMoves(messages, findings) {
  let isBehindOthers = false;
  messages.forEach((message, at) => {
    if (message === null) return;
    if (!isSystem(message)) isBehindOthers = true;
    else if (isBehindOthers) findings.add('system_moved', ['messages', at]);
  });
}

/** The entries with a bridge between a result and who speaks behind it (PAY-136). */
export function withBridges(entries, findings) {
  let isWaiting = false;
  return entries.flatMap((entry, i) => {
    isWaiting ||= entry.isWaiting === true;
    const isBehindResult = i > 0 && hasRole(entries[i - 1].message, 'tool');
    const isSpeaking = !hasRole(entry.message, 'tool') && !hasRole(entry.message, 'assistant');
    if (!isBehindResult || !isSpeaking || isWaiting) return [entry];
    findings.add('bridge_inserted', ['messages', entry.at]);
    return [{message: {role: 'assistant', content: RESULTS_RECEIVED}}, entry];
  });
}
