// What a message holds: text, reasoning, and calls that are still without ids (TRN-022, TRN-024,
// TRN-037).

import {CUT_OFF, ECHOED, UNREADABLE} from '../event/errors.mjs';
import {extract} from '../extraction/extract.mjs';
import {decodedArguments} from '../extraction/parameter_values.mjs';
import {demandsOf, judgeRepaired} from '../payload/tool_call.mjs';
import {pick} from '../shared/json_object.mjs';
import {echoes} from './echo.mjs';
import {hiddenName, openCall, openMessage} from './opaque.mjs';
import {FOR_TEXT} from './receive_input.mjs';
import {functionName, knownTools, meaning, runtimeName} from './sent.mjs';

// What stands in segments and rejects nothing (TRN-030).
const HARMLESS = ['name_not_sendable', 'unclosed'];
const NAMED = {code: 'name_repaired', path: '/tool_call/function/name'};
const DECODED = {code: 'arguments_decoded', path: '/tool_call/function/arguments'};
const NO_TEXT = {content: null, reasoning: null, tool_calls: [], segments: []};

/**
 * `{content, reasoning, refusal, calls, removed, isUnsolicited, rejectedIn, opaque, lost}`; a call has
 * `name` and `text`, each of which can be null, a native one its `element`, `findings` and what is
 * `opaque`, and one of the text that could not be read, or is an echo, its `unread`, an error type
 * (turn: call of the message). `opaque` is what the message carries, `lost` what else goes, as codes with paths.
 */
export function readMessage(input) {
  const {plan, message} = input;
  const isFilled = message.tool_calls !== null && message.tool_calls.length > 0;
  const isNative = isFilled && plan.parse_native_calls;
  const {text, refusal, opaque, lost, provider} = openMessage(input);
  const shown = readText(input, text, isNative);
  const hidden = hiddenName(message, {text, refusal});
  const found = hidden === undefined ? shown : readHidden(input, message[hidden]);
  const hasTools = plan.effective.length > 0;
  return {
    content: shown.content,
    reasoning: shown.reasoning,
    refusal,
    calls: isNative ? (hasTools ? readNative(input, provider, lost) : []) : ofText(input, found),
    removed: found.removed ?? 0, // TRN-024
    isUnsolicited: isFilled && !(isNative && hasTools),
    rejectedIn: found.segments.some(({codes = []}) => codes.some(rejects)) ? hidden ?? 'text' : null,
    opaque,
    lost,
  };
}

function rejects(code) {
  return !HARMLESS.includes(code);
}

/** What the extractor gives; its ids are not used (TRN-022). */
function readText(input, text, isNative) {
  const {plan} = input;
  if (text === null) return NO_TEXT;
  return extract({
    text,
    effective: plan.parse_text_calls ? plan.effective : [],
    native_calls: isNative,
    ...pick(input, FOR_TEXT),
    ...knownTools(input),
  }).result;
}

/** What the extractor gives for a hidden text: nothing in it is content, and calls run where they end it. */
function readHidden(input, text) {
  return readText({...input, reasoning: 'open'}, text, false);
}

/** The calls of a text; none of one that was cut off is run, since native calls may have followed. */
function ofText(input, found) {
  const {plan, message, request, aliases} = input;
  const {tools = []} = knownTools(input);
  const decode = decoder(tools, aliases);
  const calls = callsOfText(found, echoes(found.segments, request)).map(decode);
  if (message.truncated !== true) return calls;
  return calls.map((call) => {
    const {name, unread = UNREADABLE} = call;
    if (call.unread === undefined && !plan.parse_native_calls) return call;
    return {name, text: null, unread: unread === UNREADABLE ? CUT_OFF : unread};
  });
}

/** The calls of a text, and between them those that could not be read. */
function callsOfText({tool_calls: found, unreadable = []}, echoed) {
  const calls = found.map(({name, arguments_json: text}, at) =>
    (echoed[at] ? {name, text: null, unread: ECHOED} : {name, text}));
  let done = 0;
  const between = unreadable.map(({before, name, error_type: unread}) => {
    const readable = calls.slice(done, before);
    done = before;
    return [...readable, {name, text: null, unread}];
  });
  return [...between.flat(), ...calls.slice(done)];
}

function readNative(input, provider, lost) {
  const {message, aliases} = input;
  const cut = pick(message, ['truncated']);
  const {tools = []} = knownTools(input);
  const meaningOf = meaning(input);
  const demands = demandsByName(tools);
  const decode = decoder(tools, aliases);
  return message.tool_calls.map((element, at) => {
    const written = functionName(element);
    const meant = typeof written === 'string' ? meaningOf(written) : null;
    const {name: said, arguments_json: text, findings: judged} =
      judgeRepaired({tool_call: element, demands: demands.get(runtimeName(meant, aliases)), ...cut}).result;
    const opaque = openCall(element, ['message', 'tool_calls', at], provider, lost);
    const name = said === null ? null : meant;
    const findings = name === said ? judged : [...judged, NAMED];
    const isCut = findings.some(({code}) => code === 'arguments_truncated');
    const call = {name, text, element, findings, opaque, ...(isCut ? {unread: CUT_OFF} : {})};
    const read = decode(call);
    return read.text === text ? call : {...read, findings: [...findings, DECODED]};
  });
}

/** Gives a call with its encoded arguments decoded (TRN-038). */
function decoder(tools, aliases) {
  return (call) => {
    const {name, text} = call;
    if (name === null || text === null) return call;
    return {...call, text: decodedArguments(text, runtimeName(name, aliases), tools)};
  };
}

/** What the first tool of each name, as the runtime knows it, requires (TRN-037). */
function demandsByName(tools) {
  const named = tools.filter((tool) => typeof functionName(tool) === 'string');
  return new Map(named.reverse().map((tool) => [functionName(tool), demandsOf(tool)]));
}
