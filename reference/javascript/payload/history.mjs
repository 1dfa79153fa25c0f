// The operation payload.sanitize_history (PAY-060 to PAY-087, PAY-131 to PAY-143, PAY-149 to
// PAY-158, PAY-168, PAY-171).

import {isObject, isTooDeep, own} from '../shared/json_text.mjs';
import {isMediaPart, isParts, isTakenInResult, isWordless, textPart, userPart} from './contents.mjs';
import {Findings} from '../shared/findings.mjs';
import {foreignHistory} from './foreign_form.mjs';
import {sendEntry} from './history_forms.mjs';
import {assignIds} from './history_ids.mjs';
import {cleanMessages} from './history_members.mjs';
import {systemFirst, withBridges} from './history_order.mjs';
import {joinNeighbours, splitCalls} from './history_shape.mjs';
import {without} from '../shared/json_object.mjs';
import {hasBadProfile, lacksOrigin} from './profile.mjs';
import {refusedIn} from './refusals.mjs';
import {Provider} from './provider.mjs';
import {INVALID_NAME, isCustom, readRounds} from './rounds.mjs';
import {sentName} from './sent_name.mjs';

const PARTS_OF_RESULTS = 'These parts are of the results of tools, in their order.';
const MEMBERS = ['messages', 'disposition', 'open_turn', 'profile'];
const DISPOSITIONS = ['skip', 'answer'];

/**
 * `{result}` or `{error}` for one history; the steps are those of PAY-143.
 *
 * Between the steps a message is an entry: its `message`, its position `at` in the input, unless
 * it was made, whether it `isHere`, a message from here, its `calls`, and their `results`, which
 * stand behind it: each has its `call`, and where it was given its `message` and position `at`.
 * `flattens` says that what is left becomes text, so that no call in it waits (TRN-077).
 */
export function sanitizeHistory(input, {flattens = false} = {}) {
  if (isBadInput(input)) return {error: {code: 'invalid_input'}};
  const foreign = foreignHistory(input.messages);
  if (foreign !== null) return {error: foreign};
  if (lacksOrigin(input)) return {error: {code: 'origin_missing'}}; // PAY-158
  const findings = new Findings();
  const provider = new Provider(input);
  const {flags} = provider;
  const context = {provider, findings, flattens, disposition: input.disposition};
  const kept = systemFirst(cleanMessages(input.messages, provider, findings), flags);
  const rounds = readRounds(kept.map(({message}) => message));
  const open = own(input, 'open_turn') === true ? rounds.at(-1) : null; // PAY-075
  for (const round of rounds) judgeCalls(round, kept, context);
  const paired = rounds.flatMap((round) => keepRound(round, kept, round === open, context));
  const entries = splitCalls(joinNeighbours(paired, provider, findings), provider, findings);
  giveIdsAndNames(entries, flags);
  const sent = entries.flatMap((entry) => sendEntry(entry, context));
  const skipped = rounds.flatMap(({calls}) => calls.filter((call) => !call.stays)).length;
  return {result: {
    messages: withBridges(sent, flags, findings),
    ...(skipped > 0 ? {skipped} : {}), // PAY-149
    findings: findings.sorted(refusedIn({messages: input.messages}, flags)), // PAY-171
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
function judgeCalls(round, kept, {disposition, findings}) {
  for (const call of round.calls) {
    const {at, isHere} = kept[round.at];
    call.path = ['messages', at, 'tool_calls', call.at];
    call.isHere = isHere;
    call.stays = call.checked.valid || (disposition === 'answer' && !isCustom(call));
    findings.addChecked(call.path, call.checked.findings);
  }
}

/** The entries of a round (PAY-071, PAY-072). */
function keepRound(round, kept, isOpen, context) {
  const results = keepResults(round, kept, isOpen, context);
  const others = round.others.map((position) => kept[position])
    .filter(({message}) => message.role !== 'tool');
  const isWaiting = isOpen && round.calls.some(({checked, result}) =>
    checked.valid && result === null);
  const media = isWaiting ? [] : mediaBehind(results, context.provider.flags);
  return [...keepCaller(round, kept, results, context), ...media, ...others];
}

/** The message with the media of the results of a round, if there are any (PAY-190). */
function mediaBehind(results, flags) {
  if (flags.result_media !== 'user') return [];
  const given = results.filter(({message}) => message !== undefined);
  const moving = given.map((result) => ({...result, media: movedParts(result.message, flags)}))
    .filter(({media}) => media.length > 0);
  if (moving.length === 0) return [];
  for (const {call} of moving) call.moves = true;
  const content = [textPart(PARTS_OF_RESULTS), ...moving.flatMap(({media}) => media)];
  return [{message: {role: 'user', content}, at: moving.at(-1).at, isHere: false, calls: [], results: []}];
}

function movedParts(message, flags) {
  const content = own(message, 'content');
  if (!isParts(content)) return [];
  return content.filter((part) => isMediaPart(part) && !isTakenInResult(part, flags))
    .map(userPart).filter((part) => part !== null);
}

/** The first message of a round with the calls that stay, or none (PAY-064, PAY-065). */
function keepCaller({at, calls}, kept, results, {findings}) {
  if (at === null) return [];
  const entry = kept[at];
  const staying = calls.filter((call) => call.stays);
  if (staying.length > 0) return [{...entry, calls: staying, results}];
  const message = without(entry.message, ['tool_calls']);
  if (!isWordless(own(message, 'content'))) return [{...entry, message}];
  findings.add('message_empty', ['messages', entry.at]);
  return [];
}

/** The results of a round: those that stand there in their order, then those that are added. */
function keepResults(round, kept, isOpen, context) {
  return [...keepGivenResults(round, kept, context), ...addResults(round, isOpen, context)];
}

function keepGivenResults({calls, others}, kept, {findings}) {
  const callOf = new Map(calls.map((call) => [call.result, call]));
  return others.flatMap((position) => {
    const {message, at} = kept[position];
    if (message.role !== 'tool') return [];
    const call = callOf.get(position);
    if (call?.checked.valid) return [{call, message, at}];
    let code = 'result_orphaned'; // PAY-073
    if (call !== undefined) code = call.stays ? 'result_replaced' : 'result_of_skipped_call';
    findings.add(code, ['messages', at]);
    return call?.stays ? [{call}] : []; // PAY-070, PAY-068
  });
}

/** Results where none stand, in the order of their calls (PAY-070, PAY-074, PAY-076). */
function addResults({calls}, isOpen, {findings}) {
  return calls.flatMap((call) => {
    if (call.result !== null || !call.stays) return [];
    const isValid = call.checked.valid;
    if (isValid && isOpen) return []; // PAY-075
    if (isValid) findings.add('result_missing', call.path);
    return [{call}];
  });
}

/** Each call gets its `sentId` and its `sentName`. */
function giveIdsAndNames(entries, flags) {
  const calls = entries.flatMap((entry) => entry.calls.map((call) =>
    ({call, id: call.id, message: entry})));
  const ids = assignIds(calls, flags.ids);
  calls.forEach(({call}, i) => {
    const {name} = call.checked;
    call.sentId = ids[i];
    call.sentName = name === null ? INVALID_NAME : sentName(name, flags.name_start); // PAY-079
  });
}
