// The operation payload.sanitize_request.

import {PAYLOAD_SANITIZE_REQUEST} from '../shared/form_data.mjs';
import {isBad} from '../shared/forms.mjs';
import {isObject, own} from '../shared/json_text.mjs';
import {offersChoice, refusesParallelCalls, supportsTools} from '../shared/stated_capability.mjs';
import {Findings} from '../shared/findings.mjs';
import {foreignRequest} from './foreign_form.mjs';
import {isFilledArray, without} from '../shared/json_object.mjs';
import {encodable, isEncodable} from '../shared/utf8.mjs';
import {flagsOf} from './profile.mjs';
import {refusedIn} from './refusals.mjs';
import {requestError} from './request_errors.mjs';
import {judgeParameters} from './schemas.mjs';
import {isForcedInVain, isOffered, nearestChoice} from './choices.mjs';
import {withoutThinking} from './thinking.mjs';
import {isWellFormedTool, kindOfChoice, sendChoice, sendTools} from './request_tools.mjs';

const OF_TOOLS = ['tools', 'tool_choice', 'parallel_tool_calls'];
const OF_FUNCTIONS = ['functions', 'function_call'];

/** `{result}` or `{error}` for one request. */
export function sanitizeRequest(input) {
  if (isBad(PAYLOAD_SANITIZE_REQUEST, input)) return {error: {code: 'invalid_input'}};
  const foreign = foreignRequest(input.request, supportsTools(input.capability));
  if (foreign !== null) return {error: foreign};
  const {error, result} = cleanRequest(input);
  if (error !== undefined) return {error};
  const request = encoded(result.request, result.findings);
  const findings = result.findings.sorted(refusedIn(input.request, flagsOf(input))); // PAY-171
  return {result: {...result, request, findings}};
}

/** `{result}` or `{error}` for one request whose form has been judged, and that is not `encoded`. */
export function cleanRequest(input) {
  const {capability} = input;
  let {request} = input;
  const flags = flagsOf(input);
  const findings = new Findings();
  if (!isObject(request)) { // PAY-032
    findings.add('payload_not_object', ['request']);
    return done(request, [], findings);
  }
  const nulls = Object.keys(request).filter((name) => request[name] === null && name !== 'messages');
  for (const name of nulls) findings.add('null_omitted', ['request', name]); // PAY-032
  request = withTakenMembers(without(request, nulls), flags, findings);
  const all = keptTools(request, capability, flags, findings);
  const nearest = nearestChoice(request, capability, all, flags);
  const kept = nearest === null ? all : [nearest.only];
  if (nearest !== null) {
    request = {...request, tool_choice: nearest.choice};
    findings.add('choice_replaced', ['request', 'tool_choice']);
    for (const {at} of all.filter((tool) => tool !== nearest.only)) {
      findings.add('choice_replaced', ['request', 'tools', at]);
    }
  }
  if (all.length > 0 && isForcedInVain(request, flags)) { // where it still is, that is an error
    const quiet = withoutThinking(request, flags.thinks_unasked);
    request = quiet.request;
    for (const path of quiet.paths) findings.add('thinking_disabled', ['request', ...path]);
  }
  const error = requestError(request, capability, all, flags);
  if (error !== null) return {error};
  const removed = removals(request, capability, kept, flags);
  for (const [name, code] of removed) findings.add(code, ['request', name]);
  const sent = without(request, removed.keys());
  if (!Object.hasOwn(sent, 'tools')) return done(sent, [], findings);
  const {tools, aliases} = sendTools(kept, flags, findings);
  sent.tools = tools;
  if (Object.hasOwn(sent, 'tool_choice')) {
    sent.tool_choice = sendChoice(sent.tool_choice, flags, findings);
  }
  if (flags.effort_beside_tools === 'none' && own(sent, 'reasoning_effort') !== 'none') { // PAY-047
    sent.reasoning_effort = 'none';
    findings.add('effort_not_taken', ['request', 'reasoning_effort']);
  }
  if (flags.effort_beside_tools === 'some' && (own(sent, 'reasoning_effort') ?? 'none') !== 'none') {
    findings.add('effort_in_doubt', ['request', 'reasoning_effort']);
  }
  return done(sent, aliases, findings);
}

function done(request, aliases, findings) {
  return {result: {request, aliases: Object.fromEntries(aliases), findings}};
}

/** A request without the members that the endpoint refuses (PAY-245). */
function withTakenMembers(request, {refused_members: refused}, findings) {
  const gone = Object.keys(request).filter((name) => name !== 'messages' && Object.hasOwn(refused, name));
  const sent = without(request, gone);
  for (const name of gone) {
    const other = refused[name];
    const isFree = other !== null && !Object.hasOwn(request, other) && !Object.hasOwn(refused, other) &&
      gone.every((each) => each === name || refused[each] !== other);
    findings.add(isFree ? 'member_renamed' : 'member_not_taken', ['request', name]);
    if (isFree) sent[other] = request[name];
  }
  return sent;
}

/** The request in which every text has UTF-8 (PAY-159). */
export function encoded(request, findings) {
  if (!isObject(request)) return request;
  const names = Object.keys(request);
  if (!names.every((name) => name.isWellFormed())) findings.add('surrogate_replaced', ['request']);
  for (const name of names.filter((each) => each.isWellFormed())) {
    if (!isEncodable(request[name])) findings.add('surrogate_replaced', ['request', name]);
  }
  return encodable(request);
}

/**
 * The kept tools as `{tool, at, judged}`, with their parameters as `judgeParameters` has them; the
 * others are reported (PAY-032).
 */
function keptTools(request, capability, flags, findings) {
  const tools = own(request, 'tools');
  if (!supportsTools(capability) || !Array.isArray(tools)) return [];
  return tools.flatMap((tool, at) => {
    const {faults, judged} = judgeTool(tool, flags);
    for (const {code, path} of faults) findings.add(code, ['request', 'tools', at, ...path]);
    return faults.length === 0 ? [{tool, at, judged}] : [];
  });
}

/** Whether a tool is a kept one (payload: kept tools). */
export function isKeptTool(tool, flags) {
  return judgeTool(tool, flags).faults.length === 0;
}

/** Why a tool is not kept, as `{code, path}` below it, nothing where it is; its parameters as judged. */
function judgeTool(tool, flags) {
  if (!isWellFormedTool(tool)) return {faults: [{code: 'tool_malformed', path: []}]};
  const judged = judgeParameters(own(tool.function, 'parameters'), flags);
  const faults = judged.faults.map(({code, path}) =>
    ({code, path: code === 'schema_unsafe' ? [] : ['function', 'parameters', ...path]}));
  return {faults, judged};
}

/** By name the code of each member of the request that goes: of several the first (PAY-022). */
function removals(request, capability, kept, flags) {
  const codes = new Map();
  const remove = (name, code) => {
    if (Object.hasOwn(request, name) && !codes.has(name)) codes.set(name, code);
  };
  if (!supportsTools(capability)) {
    for (const name of [...OF_TOOLS, ...OF_FUNCTIONS]) remove(name, 'capability_unsupported');
  }
  if (kept.length === 0) {
    for (const name of OF_TOOLS) remove(name, whyNone(own(request, 'tools')));
  }
  const functions = own(request, 'functions');
  if (!isFilledArray(functions)) {
    for (const name of OF_FUNCTIONS) remove(name, whyNone(functions));
  }
  const kind = kindOfChoice(own(request, 'tool_choice'));
  if (kind === 'auto' && !offersChoice(capability, kind)) { // PAY-042
    remove('tool_choice', 'choice_not_offered');
  }
  if (kind === 'none' && !isOffered(kind, request, capability, flags)) {
    for (const name of OF_TOOLS) remove(name, 'choice_not_offered');
  }
  const parallel = own(request, 'parallel_tool_calls');
  if (typeof parallel !== 'boolean') {
    remove('parallel_tool_calls', 'parallel_not_boolean');
  }
  if (parallel === true && refusesParallelCalls(capability)) {
    remove('parallel_tool_calls', 'parallel_not_offered');
  }
  if (!flags.parallel_field) remove('parallel_tool_calls', 'parallel_not_taken');
  return codes;
}

/** Why a list of tools or of functions has no element that stays. */
function whyNone(list) {
  if (list === undefined) return 'tools_absent';
  return Array.isArray(list) ? 'tools_empty' : 'tools_not_array';
}
