// The plan of a turn, which is made from what is sent (TRN-002, TRN-003).

import {planTurn} from './capability_plan.mjs';
import {resolve} from './capability_resolve.mjs';
import {supports} from './capability_support.mjs';
import {pick} from './turn_members.mjs';

/** The first plan, with its findings, for the names of the declared tools. */
export function firstPlan(input, declared, history) {
  const capability = capabilityOf(input);
  const isNarrowed = supports(capability); // turn: narrowed policy
  const layers = isNarrowed ? [...input.layers, {allow: declared}] : input.layers;
  return planFor(input, layers, capability, history);
}

/** The plan of the turn for what is sent (turn: plan of the turn). */
export function finalPlan(input, first, request, history) {
  const isLost = first.protocol === 'native' && !Object.hasOwn(request, 'tools');
  const plan = isLost
    ? planFor(input, [...input.layers, {allow: []}], capabilityOf(input), history)
    : first;
  return {...plan, findings: []};
}

function capabilityOf(input) {
  return resolve(pick(input, ['registries', 'targets', 'allow_inferred'])).result;
}

function planFor(input, layers, capability, messages) {
  return planTurn({
    ...pick(input, ['registered', 'text_protocol', 'strict_parsing']), layers, capability, messages,
  }).result;
}
