// The operation payload.sanitize_history (PAY-060 to PAY-088).

import {isObject, isTooDeep, own} from './json_text.mjs';
import {Findings} from './payload_findings.mjs';
import {assignIds} from './payload_history_ids.mjs';
import {missingResult, replacedResult, sendCall, sendResult} from './payload_history_forms.mjs';
import {without} from './payload_members.mjs';
import {hasKnownRole, hasNoWords, isEmptyMessage, readRounds} from './payload_rounds.mjs';

const MEMBERS = ['messages', 'disposition', 'open_turn', 'profile'];
const DISPOSITIONS = ['skip', 'answer'];

/** `{result}` or `{error}` for one history. */
export function sanitizeHistory(input) {
  if (isBadInput(input)) return {error: {code: 'invalid_input'}};
  const {messages, disposition} = input;
  const findings = new Findings();
  messages.forEach((message, at) => reportMembers(message, ['messages', at], findings));
  const rounds = readRounds(messages);
  for (const round of rounds) judgeCalls(round, disposition, findings);
  giveIds(rounds);
  const open = own(input, 'open_turn') === true ? rounds.at(-1) : null; // PAY-075
  const context = {messages, findings, open};
  const output = rounds.flatMap((round) => sendRound(round, context));
  return {result: {messages: output, findings: findings.sorted()}};
}

/** Whether the caller's own part of the input is wrong (PAY-060). */
function isBadInput(input) {
  if (!isObject(input) || !Array.isArray(own(input, 'messages'))) return true;
  if (!DISPOSITIONS.includes(own(input, 'disposition'))) return true;
  if (Object.hasOwn(input, 'open_turn') && typeof input.open_turn !== 'boolean') return true;
  if (Object.hasOwn(input, 'profile') && !isObject(input.profile)) return true;
  return Object.keys(input).some((name) => !MEMBERS.includes(name)) || isTooDeep(input);
}

/** Reports what is no message, is empty, or has members that go (PAY-061 to PAY-065). */
function reportMembers(message, path, findings) {
  if (!isObject(message)) findings.add('message_not_object', path);
  else if (!hasKnownRole(message)) findings.add('role_unknown', path);
  else {
    if (isEmptyMessage(message)) findings.add('message_empty', path);
    if (Object.hasOwn(message, 'function_call')) {
      findings.add('function_call_removed', [...path, 'function_call']);
    }
    const code = whyNoCalls(message);
    if (code !== null) findings.add(code, [...path, 'tool_calls']);
  }
}

/** Why the `tool_calls` of a message go, or null. */
function whyNoCalls(message) {
  if (!Object.hasOwn(message, 'tool_calls')) return null;
  if (message.role !== 'assistant') return 'tool_calls_misplaced'; // PAY-063
  if (!Array.isArray(message.tool_calls)) return 'tool_calls_not_array'; // PAY-064
  return message.tool_calls.length === 0 ? 'tool_calls_empty' : null;
}

/** Reports what is wrong with calls; each gets `stays` (PAY-066, PAY-067, PAY-069). */
function judgeCalls({at, calls}, disposition, findings) {
  for (const call of calls) {
    call.path = ['messages', at, 'tool_calls', call.at];
    call.stays = call.checked.valid || disposition === 'answer';
    findings.addChecked(call.path, call.checked.findings);
  }
}

/** Each call that stays gets its `sentId`. */
function giveIds(rounds) {
  const calls = rounds.flatMap((round) => round.calls).filter((call) => call.stays);
  const ids = assignIds(calls.map((call) => call.id));
  calls.forEach((call, i) => {
    call.sentId = ids[i];
  });
}

/** The messages of a round in the output (PAY-071, PAY-072, PAY-076). */
function sendRound(round, context) {
  const {messages} = context;
  const results = sendResults(round, context);
  const others = round.others.filter((at) => messages[at].role !== 'tool');
  return [
    ...sendCaller(round, context), ...results, ...others.map((at) => sendOther(messages[at])),
  ];
}

/** The first message of a round with the calls that stay, or none (PAY-064, PAY-065). */
function sendCaller({at, calls}, {messages, findings}) {
  if (at === null) return [];
  const message = without(messages[at], ['function_call']);
  const staying = calls.filter((call) => call.stays);
  if (staying.length > 0) {
    message.tool_calls = staying.map((call) => sendCall(call, findings));
    return [message];
  }
  if (!hasNoWords(message)) return [without(message, ['tool_calls'])];
  findings.add('message_empty', ['messages', at]);
  return [];
}

/** A message that is neither a caller nor a result (PAY-062, PAY-063). */
function sendOther(message) {
  return without(message, ['function_call', 'tool_calls']);
}

/** The results of a round: those that stand there in their order, then those that are added. */
function sendResults(round, {messages, findings, open}) {
  const callOf = new Map(round.calls.map((call) => [call.result, call]));
  const results = [];
  let isBehindOthers = false;
  for (const at of round.others) {
    if (messages[at].role !== 'tool') {
      isBehindOthers = true;
      continue;
    }
    const call = callOf.get(at);
    const path = ['messages', at];
    if (call === undefined) { // PAY-073
      findings.add('result_orphaned', path);
    } else if (call.checked.valid) {
      if (isBehindOthers) findings.add('result_moved', path);
      results.push(sendResult(sendOther(messages[at]), call, path, findings));
    } else if (call.stays) { // PAY-070
      findings.add('result_replaced', path);
      results.push(replacedResult(call));
    } else { // PAY-068
      findings.add('result_of_skipped_call', path);
    }
  }
  for (const call of round.calls) {
    if (call.result !== null) continue;
    if (call.checked.valid && round !== open) { // PAY-074, PAY-075
      findings.add('result_missing', call.path);
      results.push(missingResult(call));
    } else if (!call.checked.valid && call.stays) { // PAY-070
      results.push(replacedResult(call));
    }
  }
  return results;
}
