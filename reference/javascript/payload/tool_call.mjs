// The operation payload.check_tool_call.

import {isBlankText} from '../shared/characters.mjs';
import {compactText, hasNumbers} from '../shared/canonical_json.mjs';
import {PAYLOAD_CHECK_TOOL_CALL} from '../shared/form_data.mjs';
import {isBad} from '../shared/forms.mjs';
import {MAX_DEPTH, isObject, isTooDeep, nestingDepth, own, parseJsonText} from '../shared/json_text.mjs';
import {isEmptyArray, isNothing} from '../shared/json_object.mjs';
import {repairedObject} from './repaired_json.mjs';
import {byteLength} from '../shared/utf8.mjs';

const AT_CALL = '/tool_call';
const AT_FUNCTION = '/tool_call/function';
const AT_NAME = '/tool_call/function/name';
const AT_ARGUMENTS = '/tool_call/function/arguments';
const NO_DEMANDS = {requiresNothing: false, names: new Set()};

/** `{result}` or `{error}` for one tool call. */
export function checkToolCall(input) {
  if (isBad(PAYLOAD_CHECK_TOOL_CALL, input)) return {error: {code: 'invalid_input'}};
  return judgeToolCall({...input, demands: demandsOf(own(input, 'tool'))});
}

/** The same for an input in form, whose call can nest as deep as it will, with the `demands` of its tool. */
function judgeToolCall(input) {
  const call = input.tool_call;
  if (!isObject(call)) return nothing('call_not_object', AT_CALL);
  const target = own(call, 'function');
  if (target === undefined || target === null) return nothing('function_missing', AT_FUNCTION);
  if (!isObject(target)) return nothing('function_not_object', AT_FUNCTION);
  const args = withAllRequired(readArguments(own(target, 'arguments'), input), target, input);
  const name = readName(own(target, 'name'));
  const findings = [args.finding, name.finding].filter(Boolean); // PAY-022: in order of paths
  return {result: {
    valid: findings.length === 0, // PAY-003
    name: name.name ?? null,
    arguments: args.value ?? null,
    arguments_json: args.text ?? null,
    findings,
  }};
}

/** The same with arguments repaired where that leaves one meaning (payload: judgement). */
export function judgeRepaired(input) {
  const judged = judgeToolCall(input);
  if (!judged.result.findings.some(({repairable}) => repairable)) return judged;
  const {function: target, ...call} = input.tool_call;
  const {text, repairs} = repairedObject(target.arguments);
  const {result} = judgeToolCall({tool_call: {...call, function: {...target, arguments: text}}});
  const made = {code: 'arguments_repaired', path: AT_ARGUMENTS, repairs};
  return {result: {...result, findings: [made, ...result.findings]}};
}

/** The result for a call of which nothing can be had (PAY-003, PAY-004). */
function nothing(code, path) {
  const findings = [{code, path}];
  return {result: {valid: false, name: null, arguments: null, arguments_json: null, findings}};
}

/** The name, or a finding (PAY-004, PAY-003). */
function readName(name) {
  if (name === undefined || name === null) return {finding: {code: 'name_missing', path: AT_NAME}};
  if (typeof name !== 'string') return {finding: {code: 'name_not_string', path: AT_NAME}};
  if (isBlankText(name)) return {finding: {code: 'name_blank', path: AT_NAME}};
  return {name};
}

/** The arguments as value and text, or a finding (PAY-003, PAY-004, PAY-020). */
function readArguments(args, input) {
  if (args === undefined || args === null) {
    if (isCut(input)) return {finding: {code: 'arguments_truncated', path: AT_ARGUMENTS}};
    return {value: {}, text: '{}'};
  }
  if (typeof args === 'string') return readArgumentsText(args, input);
  if (!isObject(args)) return {finding: {code: 'arguments_not_object', path: AT_ARGUMENTS}};
  if (isTooDeep(args)) return {finding: {code: 'arguments_too_deep', path: AT_ARGUMENTS}};
  const text = compactText(args); // half a surrogate pair stays in it as it is
  if (text.isWellFormed() && hasNumbers(args)) return {value: args, text};
  return {finding: {code: 'arguments_invalid_json', path: AT_ARGUMENTS}};
}

/** Arguments that were read, unless what was cut off lacks something that its tool requires (PAY-004). */
function withAllRequired(args, target, input) {
  if (args.value === undefined || !isCut(input) || !lacks(args.value, demandsIn(input).names)) return args;
  if (typeof target.arguments === 'string') return bad(target.arguments, 'arguments_truncated');
  return {finding: {code: 'arguments_truncated', path: AT_ARGUMENTS}};
}

/** Whether an object lacks a name, which the first that is missing says. */
function lacks(value, names) {
  for (const name of names) if (!Object.hasOwn(value, name)) return true;
  return false;
}

/** An arguments text (PAY-003, PAY-004). */
function readArgumentsText(text, input) {
  if (isBlankText(text)) {
    if (isCut(input)) return bad(text, 'arguments_truncated'); // PAY-004, whatever the tool requires
    return demandsIn(input).requiresNothing ? {value: {}, text: '{}'} : bad(text, 'arguments_empty');
  }
  if (nestingDepth(text) > MAX_DEPTH) return bad(text, 'arguments_too_deep');
  const parsed = parseJsonText(text);
  if (parsed === null) {
    return bad(text, isCut(input) ? 'arguments_truncated' : 'arguments_invalid_json');
  }
  return isObject(parsed.value) ? {value: parsed.value, text} : bad(text, 'arguments_not_object');
}

/** Whether the output ended before its end, so that what is missing may have been cut off. */
function isCut(input) {
  return own(input, 'truncated') === true;
}

/** A finding with the size in UTF-8 (PAY-023). */
function bad(text, code) {
  const isRepairable = code === 'arguments_invalid_json' && repairedObject(text) !== null; // PAY-023
  const more = isRepairable ? {repairable: true} : {};
  return {finding: {code, path: AT_ARGUMENTS, bytes: byteLength(text), ...more}};
}

/** What a tool requires: whether that is nothing, and its required names (payload: tool that requires nothing). */
export function demandsOf(tool) {
  const target = isObject(tool) ? own(tool, 'function') : undefined;
  if (!isObject(target)) return NO_DEMANDS;
  const parameters = own(target, 'parameters');
  const required = isObject(parameters) ? own(parameters, 'required') : parameters;
  const names = isObject(parameters) && Array.isArray(required) ? required : [];
  return {
    requiresNothing: isNothing(required) || isEmptyArray(required),
    names: new Set(names.filter((name) => typeof name === 'string')),
  };
}

function demandsIn({demands = NO_DEMANDS}) {
  return demands;
}
