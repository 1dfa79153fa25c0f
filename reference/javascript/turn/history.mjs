// The history of a request as it is sent (TRN-008, TRN-009, TRN-077).

import {pick} from '../shared/json_object.mjs';
import {isObject, own} from '../shared/json_text.mjs';
import {flattenHistory} from '../payload/flatten.mjs';
import {sanitizeHistory} from '../payload/history.mjs';
import {flagsOf} from '../payload/profile.mjs';
import {sentName} from '../payload/sent_name.mjs';

/** The history of a request, or null. */
export function historyOf(request) {
  const messages = isObject(request) ? own(request, 'messages') : undefined;
  return Array.isArray(messages) ? messages : null;
}

/**
 * `{messages, findings, isFlattened}` of a history under a plan, and `skipped` where calls were
 * (TRN-002).
 */
export function sendHistory(history, input, plan) {
  const options = pick(input, ['disposition', 'open_turn', 'profile']);
  const flattens = plan.history === 'flatten';
  const clean = sanitizeHistory({messages: history, ...options}, {flattens}).result;
  if (!flattens) return {...clean, isFlattened: false};
  const {effective} = plan;
  const {messages} = clean;
  const joins = !flagsOf(input).repeated_roles;
  const flat = flattenHistory(plan.protocol === 'text'
    ? {messages: withPromptNames(messages, promptNames(input, plan)), form: 'blocks', effective}
    : {messages, form: 'quoted', ...(own(input, 'keep_names') === true ? {} : {effective})}, {joins}).result;
  return {...clean, messages: flat.messages, isFlattened: flat.findings.length > 0};
}

/** The one effective name by its sent name, null where several have it (turn: prompt name). */
function promptNames(input, {effective}) {
  const {name_start: nameStart} = flagsOf(input);
  const names = new Map();
  for (const name of new Set(effective)) {
    const sent = sentName(name, nameStart);
    names.set(sent, names.has(sent) ? null : name);
  }
  return names;
}

/** A history that has been sanitised, with the names in its calls that the prompt describes. */
function withPromptNames(messages, names) {
  const rename = (target) => ({...target, name: names.get(target.name) ?? target.name});
  return messages.map((message) => (Object.hasOwn(message, 'tool_calls') ? {
    ...message,
    tool_calls: message.tool_calls.map((call) => ({...call, function: rename(call.function)})),
  } : message));
}
