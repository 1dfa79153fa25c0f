// The operation capability.plan_turn.

import {CAPABILITY_PLAN_TURN} from '../shared/form_data.mjs';
import {narrow} from './effective.mjs';
import {isBad} from '../shared/forms.mjs';
import {isChoices, statedChoices, statedParallelCalls, supports} from './support.mjs';
import {isObject, own} from '../shared/json_text.mjs';

const AT_CAPABILITY = '/capability';

/** `{result}` or `{error}`: what is sent, described and parsed in one turn. */
export function planTurn(input) {
  if (isBad(CAPABILITY_PLAN_TURN, input)) return {error: {code: 'invalid_input'}};
  const {capability, strict_parsing: isStrict = false, messages = []} = input;
  const set = narrow(input.registered, input.layers);
  const protocol = protocolOf(set.effective, capability, input.text_protocol);
  const isNative = protocol === 'native';
  const isText = protocol === 'text';
  return {result: {
    protocol,
    effective: protocol === 'none' ? [] : set.effective, // CAP-035
    send_tools: isNative,
    send_tool_choice: isNative ? statedChoices(capability) : [],
    send_parallel_tool_calls: isNative ? statedParallelCalls(capability) : false,
    prompt_catalogue: isText,
    prompt_protocol: isText,
    parse_native_calls: isNative,
    parse_text_calls: isText || (isNative && !isStrict),
    strip_reasoning: true,
    history: !isNative && messages.some(isToolTurn) ? 'flatten' : 'keep',
    findings: [...capabilityFindings(capability), ...set.findings], // CAP-044
  }};
}

/** How calls travel (CAP-032). */
function protocolOf(effective, capability, hasText) {
  if (effective.length === 0) return 'none';
  if (supports(capability)) return 'native';
  return hasText ? 'text' : 'none';
}

/** Whether a message belongs to a call or a result (capability: tool turn). */
function isToolTurn(message) {
  if (!isObject(message)) return false;
  const role = own(message, 'role');
  if (role === 'tool') return true;
  const calls = own(message, 'tool_calls');
  return role === 'assistant' && Array.isArray(calls) && calls.length > 0;
}

/** What of the capability is read as not supported, in order of paths (CAP-044). */
function capabilityFindings(capability) {
  if (!isObject(capability)) return [malformed(AT_CAPABILITY)];
  const parallel = own(capability, 'parallel_tool_calls') ?? null;
  const choices = own(capability, 'tool_choice') ?? null;
  const findings = [];
  if (parallel !== null && typeof parallel !== 'boolean') {
    findings.push(malformed(`${AT_CAPABILITY}/parallel_tool_calls`));
  }
  if (typeof own(capability, 'tool_calls_supported') !== 'boolean') {
    findings.push(malformed(`${AT_CAPABILITY}/tool_calls_supported`));
  }
  if (choices !== null && !isChoices(choices)) {
    findings.push(malformed(`${AT_CAPABILITY}/tool_choice`));
  }
  return findings;
}

function malformed(path) {
  return {code: 'capability_malformed', path};
}
