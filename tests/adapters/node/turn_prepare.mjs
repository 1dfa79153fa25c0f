// The operation turn.prepare (TRN-001 to TRN-013).

import {filterPrompt} from './capability_prompt.mjs';
import {supports} from './capability_support.mjs';
import {lacksOrigin} from './payload_profile.mjs';
import {sanitizeRequest} from './payload_request.mjs';
import {historyOf, sendHistory} from './turn_history.mjs';
import {pick} from './turn_members.mjs';
import {finalPlan, firstPlan, resolveTargets} from './turn_plan.mjs';
import {PrepareFindings} from './turn_prepare_findings.mjs';
import {isBadPrepare} from './turn_prepare_input.mjs';
import {declaredNames, keepEffective} from './turn_tools.mjs';

/** `{result}` or `{error}`: what leaves for the model in one turn. */
export function prepare(input) {
  if (isBadPrepare(input)) return {error: {code: 'invalid_input'}};
  if (lacksOrigin(input)) return {error: {code: 'origin_missing'}}; // TRN-034
  const history = historyOf(input.request);
  const capability = resolveTargets(input);
  const first = firstPlan(input, capability, declaredNames(input.request), history ?? []);
  const kept = keepEffective(input.request, capability, first);
  const sent = sanitizeRequest({
    request: kept.request,
    capability: sentCapability(capability, first),
    ...pick(input, ['profile']),
  });
  if (sent.error !== undefined) return sent; // TRN-006
  const plan = finalPlan(input, capability, {first, sent: sent.result, history: history ?? []});
  const findings = new PrepareFindings(input);
  findings.addAll(first.findings);
  for (const path of kept.removed) findings.add('tool_not_effective', ['request', ...path]);
  findings.addSent(sent.result.findings, kept.positions, plan);
  const {request, skipped} = withHistory(sent.result.request, history, input, plan, findings);
  return {result: {
    request,
    sections: filterPrompt({sections: input.sections ?? [], plan}).result.sections, // TRN-007
    plan,
    aliases: sent.result.aliases,
    reason: capability.reason, // TRN-011
    matched: capability.matched, // TRN-012
    ...(skipped === undefined ? {} : {skipped}), // TRN-013
    findings: findings.sorted(),
  }};
}

/** The capability for the sanitizer of the request (TRN-005). */
function sentCapability(capability, plan) {
  if (!supports(capability)) return {tool_calls_supported: false};
  return {
    tool_calls_supported: true,
    tool_choice: plan.send_tool_choice,
    parallel_tool_calls: plan.send_parallel_tool_calls,
  };
}

/** `{request, skipped}` with the history as it is sent; no sanitizer of requests looks at it. */
function withHistory(request, history, input, plan, findings) {
  if (history === null) return {request};
  const {messages, skipped, ...sent} = sendHistory(history, input, plan);
  findings.addAll(sent.findings, (path) => `/request${path}`);
  if (sent.isFlattened) findings.add('history_flattened', ['request', 'messages']);
  return {request: {...request, messages}, skipped};
}
