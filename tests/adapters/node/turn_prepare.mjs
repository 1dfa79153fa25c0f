// The operation turn.prepare (TRN-001 to TRN-010).

import {filterPrompt} from './capability_prompt.mjs';
import {sanitizeRequest} from './payload_request.mjs';
import {historyOf, sendHistory} from './turn_history.mjs';
import {pick} from './turn_members.mjs';
import {finalPlan, firstPlan} from './turn_plan.mjs';
import {PrepareFindings, withPosition} from './turn_prepare_findings.mjs';
import {isBadPrepare} from './turn_prepare_input.mjs';
import {declaredNames, keepEffective} from './turn_tools.mjs';

/** `{result}` or `{error}`: what leaves for the model in one turn. */
export function prepare(input) {
  if (isBadPrepare(input)) return {error: {code: 'invalid_input'}};
  const history = historyOf(input.request);
  const first = firstPlan(input, declaredNames(input.request), history ?? []);
  const kept = keepEffective(input.request, first);
  const sent = sanitizeRequest({
    request: kept.request, capability: capabilityOf(first), ...pick(input, ['profile']),
  });
  if (sent.error !== undefined) return sent; // TRN-006
  const {request, aliases} = sent.result;
  const plan = finalPlan(input, first, sent.result, history ?? []);
  const findings = new PrepareFindings(input);
  findings.addAll(first.findings);
  for (const at of kept.removed) findings.add('tool_not_effective', ['request', 'tools', at]);
  findings.addAll(sent.result.findings, withPosition(kept.positions));
  return {result: {
    request: history === null ? request : withHistory(request, history, input, plan, findings),
    sections: filterPrompt({sections: input.sections ?? [], plan}).result.sections, // TRN-007
    plan,
    aliases,
    findings: findings.sorted(),
  }};
}

/** The capability for the sanitizer of the request (TRN-005). */
function capabilityOf({protocol, ...plan}) {
  if (protocol !== 'native') return {tool_calls_supported: false};
  return {
    tool_calls_supported: true,
    tool_choice: plan.send_tool_choice,
    parallel_tool_calls: plan.send_parallel_tool_calls,
  };
}

/** The request with its history as it is sent; the sanitizer of requests does not look at it. */
function withHistory(request, history, input, plan, findings) {
  const sent = sendHistory(history, input, plan);
  findings.addAll(sent.findings, (path) => `/request${path}`);
  if (sent.isFlattened) findings.add('history_flattened', ['request', 'messages']);
  return {...request, messages: sent.messages};
}
