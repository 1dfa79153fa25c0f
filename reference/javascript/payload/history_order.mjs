// Where messages stand in a sanitised history, and what is put between them (PAY-135, PAY-136,
// PAY-157).

const RESULTS_RECEIVED = 'I have received the results.';
const MESSAGE_RECEIVED = 'I have received the message.';
const PLEASE_CONTINUE = 'Please continue.';

/** Entries with those of system messages in front, where they may not stand anywhere (PAY-135). */
export function systemFirst(entries, flags) {
  if (flags.system_anywhere) return entries;
  return [
    ...entries.filter(({message}) => isSystem(message)),
    ...entries.filter(({message}) => !isSystem(message)),
  ];
}

/**
 * The messages with the bridges that a provider wants between them; nothing is put behind calls
 * that wait for results, which `isWaiting` says of their message.
 */
export function withBridges(sent, flags, findings) {
  let before = null;
  let isWaiting = false;
  let isFront = true; // whether only system messages have been
  return sent.flatMap(({message, at, isWaiting: waits = false}) => {
    const bridge = isWaiting ? null : bridgeBetween(before, message, isFront, flags);
    [before, isWaiting, isFront] = [message, isWaiting || waits, isFront && isSystem(message)];
    if (bridge === null) return [message];
    findings.add('bridge_inserted', ['messages', at]);
    return [bridge, message];
  });
}

/** What has to stand between a message, or null, and the one behind it, or null. */
function bridgeBetween(before, message, isFront, flags) {
  const {role} = message;
  const isAlternating = !flags.repeated_roles;
  if (before?.role === 'tool' && (role === 'user' || isSystem(message))) { // PAY-136
    const isWanted = isAlternating || !flags.user_after_tool;
    return isWanted ? {role: 'assistant', content: RESULTS_RECEIVED} : null;
  }
  if (!isAlternating) return null;
  if (role === 'user' && before?.role === role) { // PAY-157
    return {role: 'assistant', content: MESSAGE_RECEIVED};
  }
  const isAlone = role === 'assistant' && (isFront || before.role === role);
  return isAlone ? {role: 'user', content: PLEASE_CONTINUE} : null;
}

/** Whether a message is one that PAY-135 is about. */
function isSystem({role}) {
  return role === 'system' || role === 'developer';
}
