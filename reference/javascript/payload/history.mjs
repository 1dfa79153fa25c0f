// The operation payload.sanitize_history; the order of its steps is that of PAY-143.

import {PAYLOAD_SANITIZE_HISTORY} from '../shared/form_data.mjs';
import {isBad} from '../shared/forms.mjs';
import {own} from '../shared/json_text.mjs';
import {isMediaPart, isParts, isTakenInResult, textPart, userPart} from './contents.mjs';
import {Findings} from '../shared/findings.mjs';
import {resultText} from './flatten_texts.mjs';
import {foreignHistory} from './foreign_form.mjs';
import {sendEntry} from './history_forms.mjs';
import {assignIds} from './history_ids.mjs';
import {cleanMessages, withRequired} from './history_members.mjs';
import {placeSystems, withBridges} from './history_order.mjs';
import {joinNeighbours, splitCalls} from './history_shape.mjs';
import {without} from '../shared/json_object.mjs';
import {lacksOrigin} from './profile.mjs';
import {refusedIn} from './refusals.mjs';
import {Provider} from './provider.mjs';
import {INVALID_NAME, isCustom, isEmptyMessage, readRounds} from './rounds.mjs';
import {sentName} from './sent_name.mjs';

const PARTS_OF_RESULTS = 'These parts are of the results of tools, in their order.';

/**
 * `{result}` or `{error}` for one history; the steps are those of PAY-143.
 *
 * Between the steps a message is an entry: its `message`, its position `at` in the input, unless
 * it was made, whether it `isHere`, a message from here, its `calls`, and their `results`, which
 * stand behind it: each has its `call`, and where it was given its `message` and position `at`.
 * `flattens` says that what is left becomes text, so that no call in it waits (TRN-077).
 */
export function sanitizeHistory(input, {flattens = false} = {}) {
  if (isBad(PAYLOAD_SANITIZE_HISTORY, input)) return {error: {code: 'invalid_input'}};
  const foreign = foreignHistory(input.messages);
  if (foreign !== null) return {error: foreign};
  if (lacksOrigin(input)) return {error: {code: 'origin_missing'}}; // PAY-158
  const findings = new Findings();
  const provider = new Provider(input);
  const {flags} = provider;
  if (flattens && flags.result_content === 'parts') flags.result_content = 'any'; // TRN-090
  const context = {provider, findings, flattens, disposition: input.disposition};
  const kept = placeSystems(cleanMessages(input.messages, provider, findings), flags, findings);
  const rounds = readRounds(kept.map(({message}) => message),
    kept.map(({at}) => input.messages[at]));
  const open = own(input, 'open_turn') === true ? rounds.at(-1) : null; // PAY-074
  for (const round of rounds) judgeCalls(round, kept, context);
  const callOf = reportResults(rounds, kept, findings);
  giveNames(rounds, flags);
  const paired = rounds.flatMap((round) =>
    keepRound(round, kept, {...context, callOf, isOpen: round === open}));
  const entries = splitCalls(joinNeighbours(paired, provider, findings), provider, findings);
  giveIds(entries, flags);
  const sent = entries.flatMap((entry) => sendEntry(entry, context));
  const skipped = rounds.flatMap(({calls}) => calls.filter((call) => !call.stays)).length;
  const written = withBridges(sent, flags, findings, flattens)
    .map((one) => withRequiredOf(one, context));
  const last = written.at(-1);
  if (!flags.assistant_last && own(input, 'open_turn') !== true && last?.message.role === 'assistant') {
    // What is made here, a bridge or one of several calls, always has something behind it.
    findings.add('assistant_last', ['messages', last.at]);
  }
  return {result: {
    messages: written.map(({message}) => message),
    ...(skipped > 0 ? {skipped} : {}), // PAY-067
    ...(own(input, 'positions') === true ? {positions: written.map(({at}) => at ?? null)} : {}), // PAY-198
    findings: findings.sorted(refusedIn({messages: input.messages}, flags)), // PAY-171
  }};
}

/** A message with what the endpoint requires of the assistant's (PAY-175). */
function withRequiredOf({message, at}, context) {
  if (message.role !== 'assistant') return {message, at};
  const path = at === undefined ? null : ['messages', at];
  const call = own(message, 'tool_calls')?.[0];
  return {message: withRequired([message], 'message', call, path, context), at};
}

/** Reports what is wrong with calls; each gets `stays` (PAY-067). */
function judgeCalls(round, kept, {disposition, findings}) {
  for (const call of round.calls) {
    const {at, isHere} = kept[round.at];
    call.path = ['messages', at, 'tool_calls', call.at];
    call.isHere = isHere;
    call.stays = call.checked.valid || (disposition === 'answer' && !isCustom(call));
    findings.addChecked(call.path, call.checked.findings);
  }
}

/** Reports what moves or goes; gives the call of each tool message that answers one. */
function reportResults(rounds, kept, findings) {
  const callOf = new Map();
  const roundOf = new Map(rounds.flatMap(({others}, number) => others.map((at) => [at, number])));
  const report = (code, at) => findings.add(code, ['messages', kept[at].at]);
  rounds.forEach(({calls, others}, number) => {
    const between = others.find((at) => kept[at].message.role !== 'tool') ?? Infinity;
    for (const call of calls) {
      const {result, later, stays} = call;
      for (const at of later) report(stays ? 'result_late' : 'result_of_skipped_call', at);
      for (const at of later) callOf.set(at, call);
      if (result === null) continue;
      callOf.set(result, call);
      if (!stays) report('result_of_skipped_call', result);
      else if (roundOf.get(result) !== number || between < result) report('result_moved', result);
    }
  });
  kept.forEach(({message}, at) => { // PAY-071
    if (message.role === 'tool' && !callOf.has(at)) report('result_orphaned', at);
  });
  return callOf;
}

/** The entries of a round (PAY-071). */
function keepRound(round, kept, context) {
  const results = keepResults(round, kept, context);
  const others = round.others.flatMap((position) => keepOther(position, kept, context));
  const isWaiting = context.isOpen && round.calls.some(({checked, result}) =>
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

/** What is no result of a round; a later result is the user's (PAY-071). */
function keepOther(position, kept, {callOf, findings, flattens}) {
  const entry = kept[position];
  const {message, at} = entry;
  if (message.role !== 'tool') return [entry];
  const call = callOf.get(position);
  if (!call?.stays || call.result === position) return [];
  const content = own(message, 'content');
  if (isParts(content)) {
    content.forEach((part, number) => {
      if (isMediaPart(part)) findings.add('media_removed', ['messages', at, 'content', number]);
    });
  }
  const text = resultText(message, flattens ? null : call.sentName, 'quoted');
  return [{...entry, message: {role: 'user', content: text}}];
}

/** The first message of a round with the calls that stay, or none (PAY-061, PAY-065). */
function keepCaller({at, calls}, kept, results, {findings}) {
  if (at === null) return [];
  const entry = kept[at];
  const staying = calls.filter((call) => call.stays);
  if (staying.length > 0) return [{...entry, calls: staying, results}];
  const message = without(entry.message, ['tool_calls']);
  if (!isEmptyMessage(message)) return [{...entry, message}];
  findings.add('message_empty', ['messages', entry.at]);
  return [];
}

/** The results of a round, in the order of its calls (PAY-071); one is added where none stands (PAY-074). */
function keepResults({calls}, kept, {isOpen, findings}) {
  return calls.filter(({stays}) => stays).flatMap((call) => {
    if (call.result !== null) return [{call, message: kept[call.result].message, at: kept[call.result].at}];
    const isValid = call.checked.valid;
    if (isValid && isOpen) return []; // It waits.
    if (isValid) findings.add('result_missing', call.path);
    return [{call}];
  });
}

/** Each call gets its `sentId`. */
function giveIds(entries, flags) {
  const calls = entries.flatMap((entry) => entry.calls.map((call) =>
    ({call, id: call.id, message: entry})));
  const ids = assignIds(calls, flags.ids);
  calls.forEach(({call}, i) => { call.sentId = ids[i]; });
}

/** Each call gets its `sentName`. */
function giveNames(rounds, flags) {
  for (const call of rounds.flatMap(({calls}) => calls)) {
    const {name} = call.checked;
    call.sentName = name === null ? INVALID_NAME : sentName(name, flags.name_start); // PAY-077
  }
}
