// The history of a request as it is sent (TRN-008, TRN-009).

import {isObject, own} from './json_text.mjs';
import {flattenHistory} from './payload_flatten.mjs';
import {sanitizeHistory} from './payload_history.mjs';
import {pick} from './turn_members.mjs';

/** The history of a request, or null. */
export function historyOf(request) {
  const messages = isObject(request) ? own(request, 'messages') : undefined;
  return Array.isArray(messages) ? messages : null;
}

/** `{messages, findings, isFlattened}` of a history under a plan. */
export function sendHistory(history, input, plan) {
  const options = pick(input, ['disposition', 'open_turn', 'profile']);
  const {messages, findings} = sanitizeHistory({messages: history, ...options}).result;
  if (plan.history !== 'flatten') return {messages, findings, isFlattened: false};
  const form = plan.protocol === 'text' ? 'blocks' : 'quoted';
  const flat = flattenHistory({messages, form}).result;
  return {messages: flat.messages, findings, isFlattened: flat.findings.length > 0};
}
