// What a user of the types writes: every function, results that are narrowed, and what is refused.
// The session `generators` compiles it against the packed package; nothing here is run.

import {
  CommonCallError, Extractor, TurnStream, checkToolCall, clientMessage, effectiveTools, extract, extractStream, filterPrompt,
  flattenHistory, formatFor, formatIds, hashArguments, loadProfile, messageOf, planTurn, prepare, profileIds, readEvents, readReply, readRequest, receive, receiveStream,
  recordCalls,
  resolve, sanitizeHistory, sanitizeRequest, settle, toOtel, writeEvents,
  writeReply, writeRequest,
} from 'commoncall';
import type {
  CheckToolCallFinding, ErrorCode, ExtractInput, ExtractSegment, PrepareInput, ProfileInput, ReceiveInput, ReceiveResult,
  RecordCallsPlanned, SettleOutcome,
} from 'commoncall';
import {extract as extractAlone} from 'commoncall/extraction';
import {checkToolCall as checkAlone} from 'commoncall/payload';
import {planTurn as planAlone} from 'commoncall/capability';
import {recordCalls as recordAlone} from 'commoncall/event';
import {TurnStream as StreamAlone} from 'commoncall/turn';

/** Compiles where a value has just this type. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <_ extends true>(): void => {};

is<Same<typeof extractAlone, typeof extract>>();
is<Same<typeof checkAlone, typeof checkToolCall>>();
is<Same<typeof planAlone, typeof planTurn>>();
is<Same<typeof recordAlone, typeof recordCalls>>();
is<Same<typeof StreamAlone, typeof TurnStream>>();

// payload

const checked = checkToolCall({tool_call: {id: 'a'}, truncated: false});
if (checked.valid) {
  const {name, arguments_json: text, arguments: given} = checked;
  is<Same<typeof name, string>>();
  is<Same<typeof text, string>>();
  is<Same<typeof given, {[k: string]: unknown}>>();
} else {
  is<Same<typeof checked.name, string | null>>();
}

function place(finding: CheckToolCallFinding): string {
  if (finding.code === 'arguments_empty') return `${finding.path}: ${finding.bytes.toFixed()}`;
  if (finding.code === 'call_not_object') {
    is<Same<typeof finding.path, '/tool_call'>>();
    // @ts-expect-error only what is a text has a length
    finding.bytes;
  }
  // @ts-expect-error no finding has this code
  return finding.code === 'arguments_missing' ? '' : finding.path;
}
checked.findings.map(place);
// @ts-expect-error what is judged is required
checkToolCall({});
// @ts-expect-error a member that nobody knows
checkToolCall({tool_call: null, arguments: {}});

const profile: ProfileInput = loadProfile('openai', {origin: {provider: 'openai', model: 'm'}});
const names: string = profileIds.join();
// @ts-expect-error the list is not to be changed
profileIds.push(names);
// @ts-expect-error no profile has this name
loadProfile('vlm');
// @ts-expect-error an origin has a model, too
loadProfile('openai', {origin: {provider: 'openai'}});
// @ts-expect-error no such form of ids
const wrongProfile: ProfileInput = {ids: 'uuid'};

const cleaned = sanitizeRequest({request: {messages: []}, capability: null, profile});
is<Same<typeof cleaned.aliases, {[k: string]: string}>>();
is<Same<typeof cleaned.request, {messages: never[]}>>(); // what leaves is of the type of what was given
// @ts-expect-error what was given has no tools
cleaned.request.tools;
is<Same<ReturnType<typeof sanitizeRequest>['request'], unknown>>();

const mended = sanitizeHistory({messages: [{role: 'user', content: 'a'}], disposition: 'skip', profile});
for (const message of mended.messages) {
  if (message.role === 'tool') is<Same<typeof message.tool_call_id, string>>();
}
for (const finding of mended.findings) finding.code satisfies string;
// @ts-expect-error nothing else becomes of an invalid call
sanitizeHistory({messages: [], disposition: 'drop'});

const flat = flattenHistory({messages: [], form: 'quoted', effective: ['f']});
flat.messages.length + flat.findings.filter(({code}) => code === 'call_flattened').length;

// capability

const found = resolve({registries: [], targets: []});
const tools = effectiveTools({registered: ['f'], layers: [{allow: ['f']}]});
const plan = planTurn({capability: found, registered: tools.effective, layers: [], text_protocol: true, messages: []});
if (plan.protocol === 'native') {
  is<Same<typeof plan.send_tools, true>>();
} else if (plan.protocol === 'none') {
  is<Same<typeof plan.parse_text_calls, false>>();
  // @ts-expect-error without tools none are sent
  const sends: true = plan.send_tools;
}
filterPrompt({sections: [], plan}).sections.map(({text}) => text.trim());

// extraction

const read = extract({text: 'a', effective: ['f'], format: 'hermes'}, {ids: ['a']});
const told = (segment: ExtractSegment): number | string[] => {
  switch (segment.kind) {
    case 'call': return segment.calls;
    case 'rejected': return segment.codes;
    case 'reasoning': return segment.codes ?? [];
    default: {
      // @ts-expect-error prose has no dialect
      return [segment.text, segment.dialect];
    }
  }
};
read.segments.map(told);
for (const {id, name, arguments_json: text} of read.tool_calls) [id, name, text].join();
extract({text: 'a', effective: 'any'});
// @ts-expect-error no such format
extract({text: 'a', effective: [], format: 'hermes-9'});
// @ts-expect-error a text is required
const noText: ExtractInput = {effective: []};

const {result, emitted} = extractStream({chunks: ['a'], effective: []});
is<Same<typeof result, typeof read>>();
for (const event of emitted.flat()) if ('call' in event) event.call.toFixed();

const extractor = new Extractor({effective: ['f'], dialects: ['tool_call']}, {ids: ['a']});
extractor.feed('a').push(...extractor.rest);
is<Same<ReturnType<typeof extractor.finish>, typeof read>>();
new Extractor({effective: 'any'});
// @ts-expect-error the text is fed
new Extractor({effective: [], text: 'a'});
// @ts-expect-error a chunk is a text
extractor.feed(new Uint8Array());

// event

const digest = hashArguments({arguments_json: '{}'});
if (digest.algorithm === 'hmac-sha256') digest.key_id.trim();
// @ts-expect-error there are arguments, or a text of them
hashArguments({});

const recorded = recordCalls(
  {request_id: 'r', effective: ['f'], calls: [{name: 'f', arguments_json: '{}', outcome: {status: 'ok'}}]},
  {clock: [1, 2]},
);
for (const event of recorded.events) {
  if (event.type === 'ToolCallPlanned') event satisfies RecordCallsPlanned;
  else if (event.status === 'error') event.message satisfies string;
  // @ts-expect-error what went well has no message
  else event.message;
}
toOtel({events: recorded.events}).spans.map(({status}) => status);

// turn, as the loop of a program

interface Choice { // as the packages of providers declare it
  index: number;
  finish_reason: 'stop' | 'length' | 'tool_calls';
  message: {role: 'assistant'; content: string | null; tool_calls?: {id: string}[]};
}
const sending: PrepareInput = {
  request: {messages: []}, registries: [], targets: [], registered: ['f'], layers: [], text_protocol: true,
  disposition: 'answer', profile,
};

export function turn(choice: Choice, chunks: Iterable<{choices: Choice[]}>): ReceiveResult {
  const sent = prepare(sending);
  const known = {plan: sent.plan, request: sent.request, aliases: sent.aliases, request_id: 'r'};
  const reading = {...known, disposition: 'answer', format: 'qwen3-coder', profile} as const;
  const message: ReceiveInput['message'] = messageOf(choice);
  const received = receive({...reading, message}, {ids: ['a']});
  const outcomes: SettleOutcome[] = received.dispatch.map(({seq, arguments_json: text}) =>
    ({seq, status: 'ok', content: text, latency_ms: 1}));
  const {history, outputs} = settle({received, outcomes, profile});
  for (const stored of history) {
    if (stored.role === 'assistant') is<Same<typeof stored._from, {provider: string; model: string} | undefined>>();
    else stored.tool_call_id.concat(...outputs.map(({content}) => content));
  }
  const stream = new TurnStream(reading, {ids: ['a']});
  for (const chunk of chunks) {
    for (const shown of stream.feed(chunk)) {
      if ('text' in shown) shown.text.trim();
      // @ts-expect-error what is no text can still be reasoning or a refusal
      else shown.refusal.trim();
    }
  }
  const whole = stream.finish();
  is<Same<typeof whole, typeof received>>();
  stream.message?.text?.concat(...stream.findings.map(({code}) => code), `${stream.rest.length}`);
  const at_once = receiveStream({...reading, chunks: [...chunks]});
  is<Same<typeof at_once.received, typeof received>>();
  return whole;
}
// @ts-expect-error there is no message before the end
new TurnStream({plan: planTurn, request_id: 'r', disposition: 'answer'});
// @ts-expect-error a delta is no chunk
(stream: TurnStream) => stream.feed({content: 'a'});
// @ts-expect-error a message of the user
messageOf({message: {role: 'user', content: 'a'}});
// @ts-expect-error a plan, a message and an id are required
receive({disposition: 'answer'});

// errors

export function reason(work: () => void): ErrorCode | null {
  try {
    work();
  } catch (error) {
    if (!(error instanceof CommonCallError)) throw error;
    if (error.code === 'form_not_chat_completions') return error.form === undefined ? null : error.code;
    // @ts-expect-error no error has this code
    if (error.code === 'invalid') return null;
    return error.code;
  }
  return null;
}

// what one function gives, the next takes, also where its type is an interface
interface OwnMessage {
  text: string | null;
  tool_calls: null;
  thinking: string;
}
export function own(message: OwnMessage, plan: ReturnType<typeof planTurn>): SettleOutcome[] {
  const received = receive({plan, message, request_id: 'r', disposition: 'skip'});
  received.planned[0]?.tool_call_id satisfies string | undefined;
  settle({received, outcomes: []}).history satisfies object[];
  recordCalls({request_id: 'r', observe: true, labels: ['f'], calls: [{payload: '{}'}]});
  // @ts-expect-error a call is a payload, or a name with arguments
  recordCalls({request_id: 'r', effective: [], calls: [{name: 'f'}]});
  // @ts-expect-error ids are a list: their number is asked for
  receive({plan, message, request_id: 'r', disposition: 'skip'}, {ids: new Set(['a'])});
  return [];
}

// a turn in five lines

const short = prepare({request: {model: formatIds[0]}, capability: true, profile: 'vllm', format: formatFor('m')});
const got: ReceiveResult = receive({sent: short, choice: {message: {role: 'assistant'}}});
settle({received: got, outcomes: [], sent: short});
// @ts-expect-error no format has this name
prepare({request: {}, capability: true, format: 'herms'});
// @ts-expect-error nothing says whether the model takes tools
prepare({request: {}});

// another interface

const came = readRequest({interface: 'anthropic-messages', request: {messages: []}});
writeRequest({interface: 'anthropic-messages', request: came.request, carried: came.carried}).findings satisfies {code: string; path: string}[];
readReply({interface: 'openai-responses', reply: {output: []}}).message.text satisfies string | null;
readEvents({interface: 'openai-responses', events: []}).chunks satisfies object[];
const answer = {choices: [{message: {content: 'noon'}}]};
writeReply({interface: 'anthropic-messages', reply: answer}).reply satisfies object;
writeEvents({interface: 'openai-responses', chunks: [answer]}).events satisfies object[];
const nativeSent = prepare({request: {model: 'm'}, capability: true, interface: 'anthropic-messages'});
const nativeGot = receive({sent: nativeSent, reply: {content: []}});
nativeGot.reply satisfies unknown[];
settle({received: nativeGot, outcomes: [], sent: nativeSent}).history satisfies object[];
new TurnStream({sent: nativeSent}).feed({type: 'message_stop'}) satisfies object[];
new TurnStream({sent: nativeSent}).feed({message: {content: 'a'}, done: false}) satisfies object[];
clientMessage(nativeGot, 'stop').tool_calls.map((call) => call.function.arguments) satisfies string[];
// @ts-expect-error no table has this name
prepare({request: {}, capability: true, interface: 'gemini'});
// @ts-expect-error no table has this name
readRequest({interface: 'gemini', request: {}});
