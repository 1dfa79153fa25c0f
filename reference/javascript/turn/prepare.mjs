// The operation turn.prepare (TRN-001 to TRN-015).

import {filterPrompt} from '../capability/prompt.mjs';
import {TURN_PREPARE} from '../shared/form_data.mjs';
import {isBad} from '../shared/forms.mjs';
import {supports} from '../capability/support.mjs';
import {foreignRequest} from '../payload/foreign_form.mjs';
import {flagsOf, lacksOrigin} from '../payload/profile.mjs';
import {refusedIn} from '../payload/refusals.mjs';
import {cleanRequest, encoded} from '../payload/request.mjs';
import {pick} from '../shared/json_object.mjs';
import {historyOf, sendHistory} from './history.mjs';
import {finalPlan, firstPlan, resolveTargets} from './plan.mjs';
import {PrepareFindings} from './prepare_findings.mjs';
import {declaredNames, keepEffective} from './tools.mjs';

/** `{result}` or `{error}`: what leaves for the model in one turn. */
export function prepare(input) {
  if (isBad(TURN_PREPARE, input)) return {error: {code: 'invalid_input'}};
  const history = historyOf(input.request);
  const capability = resolveTargets(input);
  const foreign = foreignRequest(input.request, supports(capability)); // TRN-014
  if (foreign !== null) return {error: foreign};
  if (lacksOrigin(input)) return {error: {code: 'origin_missing'}}; // TRN-034
  const first = firstPlan(input, capability, declaredNames(input.request), history ?? []);
  const kept = keepEffective(input.request, capability, first, flagsOf(input));
  const sent = cleanRequest({
    request: kept.request,
    capability: sentCapability(capability, first),
    ...pick(input, ['profile']),
  });
  if (sent.error !== undefined) return sent; // TRN-005
  const plan = finalPlan(input, capability, {first, sent: sent.result, history: history ?? []});
  const findings = new PrepareFindings(input);
  findings.addAll(first.findings);
  for (const path of kept.removed) findings.add('tool_not_effective', ['request', ...path]);
  findings.addSent(sent.result.findings.sorted(), kept.positions, plan);
  const {request, skipped} = withHistory(sent.result.request, history, input, plan, findings);
  if (history?.length && !request.messages.length) return {error: {code: 'history_emptied'}}; // TRN-015
  return {result: {
    request: encoded(request, findings),
    sections: filterPrompt({sections: input.sections ?? [], plan}).result.sections, // TRN-002
    plan,
    aliases: sent.result.aliases,
    reason: capability.reason, // TRN-002
    matched: capability.matched, // TRN-010
    ...(skipped === undefined ? {} : {skipped}), // TRN-002
    findings: findings.sorted(refusedIn(input.request, flagsOf(input))), // PAY-171
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
