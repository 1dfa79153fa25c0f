// The operation payload.sanitize_history (PAY-060 to PAY-088, PAY-130 to PAY-143,
// PAY-149).

import {isObject, isTooDeep, own} from './json_text.mjs';
import {hasNoWords} from './payload_contents.mjs';
import {Findings} from './payload_findings.mjs';
import {
  missingResult, replacedResult, sendCall, sendResult, sendWords,
} from './payload_history_forms.mjs';
import {assignIds} from './payload_history_ids.mjs';
import {cleanMessages} from './payload_history_members.mjs';
import {isSystem, reportMoves, systemFirst, withBridges} from './payload_history_order.mjs';
import {without} from './payload_members.mjs';
import {hasBadProfile} from './payload_profile.mjs';
import {Provider} from './payload_provider.mjs';
import {INVALID_NAME, readRounds} from './payload_rounds.mjs';
import {sentName} from './payload_sent_name.mjs';

const MEMBERS = ['messages', 'disposition', 'open_turn', 'profile'];
const DISPOSITIONS = ['skip', 'answer'];

/** `{result}` or `{error}` for one history; the steps are those of PAY-143. */
export function sanitizeHistory(input) {
  if (isBadInput(input)) return {error: {code: 'invalid_input'}};
  const {messages: given, disposition} = input;
  const findings = new Findings();
  const provider = new Provider(input);
  const {system_anywhere: isAnywhere, user_after_tool: isUserNext} = provider.flags;
  const messages = cleanMessages(given, provider, findings);
  if (!isAnywhere) reportMoves(messages, findings);
  const rounds = readRounds(messages);
  for (const round of rounds) judgeCalls(round, disposition, findings);
  giveIdsAndNames(rounds, provider.flags);
  const open = own(input, 'open_turn') === true ? rounds.at(-1) : null; // PAY-075
  const context = {given, messages, provider, findings, open};
  const entries = rounds.flatMap((round) => sendRound(round, context));
  const ordered = isAnywhere ? entries : systemFirst(entries);
  const output = isUserNext ? ordered : withBridges(ordered, findings);
  const skipped = rounds.flatMap(({calls}) => calls.filter((call) => !call.stays)).length;
  return {result: {
    messages: output.map(({message}) => message),
    ...(skipped > 0 ? {skipped} : {}), // PAY-149
    findings: findings.sorted(),
  }};
}

/** Whether the caller's own part of the input is wrong (PAY-060). */
function isBadInput(input) {
  if (!isObject(input) || !Array.isArray(own(input, 'messages'))) return true;
  if (!DISPOSITIONS.includes(own(input, 'disposition'))) return true;
  if (Object.hasOwn(input, 'open_turn') && typeof input.open_turn !== 'boolean') return true;
  if (Object.keys(input).some((name) => !MEMBERS.includes(name))) return true;
  return hasBadProfile(input) || isTooDeep(input);
}

/** Reports what is wrong with calls; each gets `stays` (PAY-066, PAY-067, PAY-069). */
function judgeCalls({at, calls}, disposition, findings) {
  for (const call of calls) {
    call.path = ['messages', at, 'tool_calls', call.at];
    call.stays = call.checked.valid || disposition === 'answer';
    findings.addChecked(call.path, call.checked.findings);
  }
}

/** Each call that stays gets its `sentId` and its `sentName`. */
function giveIdsAndNames(rounds, flags) {
  const calls = rounds.flatMap((round) => round.calls.filter((call) => call.stays)
    .map((call) => ({call, id: call.id, round})));
  const ids = assignIds(calls, flags.ids);
  calls.forEach(({call}, i) => {
    const {name} = call.checked;
    call.sentId = ids[i];
    call.sentName = name === null ? INVALID_NAME : sentName(name, flags.name_start); // PAY-079
  });
}

/** The messages of a round in the output, as entries (PAY-071, PAY-072, PAY-076). */
function sendRound(round, context) {
  const {messages} = context;
  return [
    ...sendCaller(round, context),
    ...sendResults(round, context).map((message) => ({message})),
    ...round.others.filter((at) => messages[at].role !== 'tool')
      .map((at) => ({message: messages[at], at})),
  ];
}

/** The first message of a round with the calls that stay, or none (PAY-064, PAY-065). */
function sendCaller(round, context) {
  const {at, calls} = round;
  const {given, messages, provider, findings} = context;
  if (at === null) return [];
  const path = ['messages', at];
  const staying = calls.filter((call) => call.stays);
  if (staying.length > 0) {
    const isHere = provider.isSource(given[at]); // the message has no mark any more
    const message = sendWords(messages[at], path, context);
    const sent = staying.map((call) => sendCall(call, isHere, context));
    const isWaiting = calls.some((call) => waits(call, round, context));
    return [{message: {...message, tool_calls: sent}, at, isWaiting}];
  }
  const message = without(messages[at], ['tool_calls']);
  if (!hasNoWords(message)) return [{message, at}];
  findings.add('message_empty', path);
  return [];
}

/** Whether a call waits for its result (PAY-075). */
function waits(call, round, {open}) {
  return call.result === null && call.checked.valid && round === open;
}

/** The results of a round: those that stand there in their order, then those that are added. */
function sendResults(round, context) {
  return [...sendGivenResults(round, context), ...addResults(round, context)];
}

function sendGivenResults(round, context) {
  const {messages, provider, findings} = context;
  const callOf = new Map(round.calls.map((call) => [call.result, call]));
  const results = [];
  let isBehindOthers = false;
  for (const at of round.others) {
    const message = messages[at];
    if (message.role !== 'tool') {
      const goesToFront = isSystem(message) && !provider.flags.system_anywhere;
      if (!goesToFront) isBehindOthers = true;
      continue;
    }
    const call = callOf.get(at);
    const path = ['messages', at];
    if (call === undefined) { // PAY-073
      findings.add('result_orphaned', path);
    } else if (call.checked.valid) {
      if (isBehindOthers) findings.add('result_moved', path);
      results.push(sendResult(message, call, path, context));
    } else if (call.stays) { // PAY-070
      findings.add('result_replaced', path);
      results.push(replacedResult(call, context));
    } else { // PAY-068
      findings.add('result_of_skipped_call', path);
    }
  }
  return results;
}

/** Results where none stand, in the order of their calls (PAY-076). */
function addResults(round, context) {
  return round.calls.flatMap((call) => {
    if (call.result !== null || !call.stays || waits(call, round, context)) return [];
    if (!call.checked.valid) return [replacedResult(call, context)]; // PAY-070
    context.findings.add('result_missing', call.path); // PAY-074
    return [missingResult(call, context)];
  });
}
