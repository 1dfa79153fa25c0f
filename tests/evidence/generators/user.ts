// A user of the npm package: every function, unions that narrow, and what the types refuse. It is
// compiled by `tsc --strict`, and not run.
import {
  CommonCallError, Extractor, TurnStream, checkToolCall, checkTrace, effectiveTools, extract, extractStream, filterPrompt,
  flattenHistory, hashArguments, loadProfile, messageOf, planTurn, prepare, profileIds, receive, receiveStream, recordCalls,
  resolve, sanitizeHistory, sanitizeRequest, settle, toCloudEvents, toOtel,
} from 'commoncall';
import type {ExtractSegment, PlanTurnResult, ReceiveResult, RecordCallsPlanned, SanitizeHistoryMessage} from 'commoncall';
import * as capability from 'commoncall/capability';
import * as event from 'commoncall/event';
import * as extraction from 'commoncall/extraction';
import * as payload from 'commoncall/payload';
import * as turn from 'commoncall/turn';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <T extends true>(): T | undefined => undefined;

// payload
const checked = checkToolCall({tool_call: {}, empty_arguments: 'reject'});
if (checked.valid) {
  is<Same<typeof checked.name, string>>();
  checked.arguments.path satisfies unknown;
} else {
  is<Same<typeof checked.name, string | null>>();
  // @ts-expect-error arguments may be null
  checked.arguments.path;
}
for (const finding of checked.findings) {
  switch (finding.code) {
    case 'arguments_empty':
      finding.bytes satisfies number;
      break;
    case 'call_not_object':
      is<Same<typeof finding.path, '/tool_call'>>();
      // @ts-expect-error it has no length
      finding.bytes;
  }
}
const vllm = loadProfile('vllm', {origin: {provider: 'p', model: 'm'}});
profileIds.includes('vllm') satisfies boolean;
const sent = sanitizeRequest({request: {model: 'm'}, capability: {tool_calls_supported: true}, profile: vllm});
sent.aliases.read satisfies string | undefined;
// @ts-expect-error the request is any JSON
sent.request.model;
// @ts-expect-error the input has no such member
sanitizeRequest({request: {}, capability: null, tols: 1});
// @ts-expect-error a disposition is skip or answer
sanitizeHistory({messages: [], disposition: 'answers'});
const {messages, skipped} = sanitizeHistory({messages: [], disposition: 'answer', profile: {max_tools: 4}});
skipped satisfies number | undefined;
const idOf = (message: SanitizeHistoryMessage) => (message.role === 'tool' ? message.tool_call_id : null);
idOf(messages[0]!) satisfies string | null;
flattenHistory({messages, form: 'quoted'}).findings.map(({path}) => path) satisfies string[];

// capability
const known = resolve({registries: [], targets: [{provider: 'p', model: 'm'}]});
if (known.tool_calls_supported) is<Same<typeof known.reason, 'exact' | 'alias' | 'prefix' | 'provider_default'>>();
const {effective} = effectiveTools({registered: ['read'], layers: []});
const plan: PlanTurnResult = planTurn({registered: effective, layers: [], capability: known, text_protocol: true});
if (plan.protocol === 'native') is<Same<typeof plan.send_tools, true>>();
// @ts-expect-error there is no such protocol
plan.protocol === 'xml';
filterPrompt({sections: [{id: 'a', needs: {tool: 'read'}, text: 'x'}], plan}).sections[0]?.text satisfies string | undefined;
// @ts-expect-error a need is one of three texts, or a tool
filterPrompt({sections: [{id: 'a', needs: 'tool', text: 'x'}], plan});

// event
const recorded = recordCalls(
  {request_id: 'r', effective, calls: [{name: 'read', arguments_json: '{}', outcome: {status: 'ok'}}]}, {clock: [0, 1]},
);
for (const each of recorded.events) {
  if (each.type === 'ToolCallPlanned') each.args_preview_hash satisfies string | null;
  else if (each.status === 'error') each.message satisfies string;
  // @ts-expect-error what was ok has no message
  else each.message;
}
recordCalls({request_id: 'r', observe: true, labels: ['read'], calls: [{payload: '{}'}]});
// @ts-expect-error who observes says which names may be shown
recordCalls({request_id: 'r', observe: true, calls: []});
// @ts-expect-error a call is a payload, or a name with arguments
recordCalls({request_id: 'r', effective, calls: [{name: 'read'}]});
checkTrace({events: recorded.events}).findings[0]?.code satisfies string | undefined;
const digest = hashArguments({arguments_json: '{}', key: {id: 'k', secret_hex: '00'}});
if (digest.algorithm === 'hmac-sha256') digest.key_id satisfies string;
// @ts-expect-error there is nothing to hash
hashArguments({full: true});
toCloudEvents({events: recorded.events, source: 'urn:x', type_prefix: 'x', times: []}).events[0]?.data.request_id;
toOtel({events: recorded.events}).spans[0]?.attributes['gen_ai.tool.name'] satisfies string | undefined;

// extraction
const found = extract({text: 'x', effective, dialects: ['tool_call']}, {ids: ['a']});
const codesOf = (segment: ExtractSegment) => (segment.kind === 'rejected' ? segment.codes : []);
codesOf(found.segments[0]!) satisfies string[];
// @ts-expect-error there is no such format
extract({text: 'x', effective, format: 'qwen'});
// @ts-expect-error a text needs the names that are effective, or somebody who observes
extract({text: 'x'});
const extractor = new Extractor({observe: true, labels: []}, {ids: []});
for (const each of [...extractor.feed('x'), ...extractor.rest]) if ('call' in each) each.call satisfies number;
extractor.finish().tool_calls[0]?.arguments.path satisfies unknown;
// @ts-expect-error the text comes in chunks
new Extractor({effective, text: 'x'});
// @ts-expect-error a chunk is text
extractor.feed(new Uint8Array());
extractStream({chunks: ['x'], effective}).emitted[0]?.length;

// turn: what one function gives, the next takes
const prepared = prepare({
  request: {}, registries: [], targets: [], registered: effective, layers: [], text_protocol: true, disposition: 'answer', profile: vllm,
});
const options = {plan: prepared.plan, request: prepared.request, aliases: prepared.aliases, request_id: 'r', disposition: 'answer'} as const;
interface Reply {
  role: 'assistant';
  content: string | null;
  refusal: string | null;
}
const reply: Reply = {role: 'assistant', content: 'x', refusal: null};
const received: ReceiveResult = receive({...options, message: messageOf({message: reply, finish_reason: 'stop'})}, {ids: ['a']});
received.planned[0]?.tool_call_id satisfies string | undefined;
received.planned satisfies RecordCallsPlanned[];
const settled = settle({received, outcomes: [{seq: 0, status: 'ok', content: 'x'}], profile: vllm});
for (const message of settled.history) {
  if (message.role === 'tool') message.tool_call_id satisfies string;
  else message.tool_calls?.[0]?.function.arguments satisfies string | undefined;
}
// @ts-expect-error what was received is missing
settle({outcomes: []});
const stream = new TurnStream(options);
for (const each of stream.feed({choices: []})) if ('text' in each) each.text satisfies string;
settle({received: stream.finish(), outcomes: []});
receive({...options, message: stream.message});
is<Same<(typeof stream.findings)[number]['code'], 'delta_not_read' | 'opaque_removed'>>();
receiveStream({...options, chunks: []}).received.removed satisfies number;
// @ts-expect-error the message comes in chunks
new TurnStream({...options, message: {text: null, tool_calls: null}});
// @ts-expect-error a message of another role is no choice
messageOf({message: {role: 'user'}});

// each contract alone
is<Same<typeof payload.checkToolCall, typeof checkToolCall>>();
is<Same<typeof capability.planTurn, typeof planTurn>>();
is<Same<typeof event.recordCalls, typeof recordCalls>>();
is<Same<typeof extraction.Extractor, typeof Extractor>>();
is<Same<typeof turn.prepare, typeof prepare>>();
// @ts-expect-error it is of another contract
payload.planTurn;

try {
  receive({...options, message: {text: null, tool_calls: null}});
} catch (error) {
  if (error instanceof CommonCallError) error.code satisfies string;
}
