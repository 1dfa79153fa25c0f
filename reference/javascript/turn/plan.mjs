// The plan of a turn, which is made from what is sent (TRN-002, TRN-002).

import {planTurn} from '../capability/plan.mjs';
import {resolve} from '../capability/resolve.mjs';
import {supports} from '../capability/support.mjs';
import {pick} from '../shared/json_object.mjs';
import {own} from '../shared/json_text.mjs';
import {callsNone} from './sent.mjs';

/** What the registries know of the targets: the capability. */
export function resolveTargets(input) {
  return resolve(pick(input, ['registries', 'targets'])).result;
}

/** The first plan, with its findings, for the names of the declared tools. */
export function firstPlan(input, capability, declared, history) {
  const isSupported = supports(capability); // turn: plan of the turn
  const isNarrowed = isSupported || callsNone(input.request);
  const layers = isNarrowed ? [...input.layers, {allow: isSupported ? declared : []}] : input.layers;
  return planFor(input, layers, capability, history);
}

/** The plan of the turn for the request that is sent (turn: plan of the turn). */
export function finalPlan(input, capability, {first, sent: {request, aliases}, history}) {
  if (first.protocol !== 'native') return {...first, findings: []};
  const layers = [...input.layers, {allow: namesInInput(request, aliases)}];
  return planFor(input, layers, capability, history);
}

/** The names that the tools of the request that is sent have in the input. */
function namesInInput(request, aliases) {
  return (own(request, 'tools') ?? []).map(({function: {name}}) => own(aliases, name) ?? name);
}

function planFor(input, layers, capability, messages) {
  return planTurn({
    ...pick(input, ['registered', 'text_protocol', 'strict_parsing']), layers, capability, messages,
  }).result;
}
