// The operation payload.flatten_history.

import {PAYLOAD_FLATTEN_HISTORY} from '../shared/form_data.mjs';
import {isBad} from '../shared/forms.mjs';
import {isObject, own} from '../shared/json_text.mjs';
import {asText, isWordless, textPart} from './contents.mjs';
import {Findings} from '../shared/findings.mjs';
import {Names} from './flatten_names.mjs';
import {callText, resultText} from './flatten_texts.mjs';
import {foreignHistory} from './foreign_form.mjs';
import {joinContents} from './history_shape.mjs';
import {isFilledArray, without} from '../shared/json_object.mjs';
import {hasRole, readRounds} from './rounds.mjs';

/** `{result}` or `{error}` for one history; `joins`: the text of results stands in the message of the user behind them (TRN-077). */
export function flattenHistory(input, {joins = false} = {}) {
  if (isBad(PAYLOAD_FLATTEN_HISTORY, input)) return {error: {code: 'invalid_input'}};
  const {messages, form} = input;
  const foreign = foreignHistory(messages);
  if (foreign !== null) return {error: foreign};
  const findings = new Findings();
  const names = new Names(input);
  const rounds = readRounds(messages);
  const callsAt = new Map(rounds.map(({at, calls}) => [at, calls]));
  const callOf = new Map(rounds.flatMap(({calls}) => calls.flatMap((call) =>
    [call.result, ...call.later].map((at) => [at, call]))));
  const output = [];
  let run = null; // the message of the results that stand together (PAY-097)
  messages.forEach((message, at) => {
    reportMessage(message, at, callsAt.get(at), findings);
    if (hasRole(message, 'tool')) {
      const call = callOf.get(at);
      reportResult(call, at, findings);
      const text = resultText(message, names.ofResult(call), form);
      if (run !== null) run.content += `\n${text}`;
      else output.push(run = {role: 'user', content: text});
    } else {
      const flat = flattenMessage(message, callsAt.get(at), names, form);
      const isBehind = joins && run !== null && message.role === 'user';
      if (isBehind) output[output.length - 1] = {...flat, content: joinContents([run.content, own(flat, 'content')])};
      else output.push(flat);
      run = null;
    }
  });
  return {result: {messages: output, findings: findings.sorted()}};
}

/** An element that is no result (PAY-102, PAY-092). */
function flattenMessage(message, calls, names, form) {
  if (!isObject(message) || !Object.hasOwn(message, 'tool_calls')) return message;
  const rest = without(message, ['tool_calls']);
  if (calls === undefined || calls.length === 0) return rest;
  const text = calls.map((call) => callText(call, names.ofCall(call), form)).join('\n');
  const content = own(message, 'content');
  if (isWordless(content)) return {...rest, content: text};
  if (Array.isArray(content)) return {...rest, content: [...content, textPart(text)]};
  return {...rest, content: `${asText(content)}\n${text}`};
}

/** Reports the calls of an element (payload: flattening finding). */
function reportMessage(message, at, calls, findings) {
  const path = ['messages', at, 'tool_calls'];
  if (!isObject(message) || !Object.hasOwn(message, 'tool_calls')) return;
  if (!hasRole(message, 'assistant')) findings.add('tool_calls_misplaced', path);
  else if (!Array.isArray(message.tool_calls)) findings.add('tool_calls_not_array', path);
  else if (!isFilledArray(message.tool_calls)) findings.add('tool_calls_empty', path);
  for (const call of calls ?? []) {
    findings.add('call_flattened', [...path, call.at]);
    findings.addChecked([...path, call.at], call.checked.findings);
  }
}

function reportResult(call, at, findings) {
  findings.add('result_flattened', ['messages', at]);
  if (call === undefined) findings.add('result_orphaned', ['messages', at]);
}
