// What the package adds to the operations: its border, its errors, its streams, its digest.
import {createHash, createHmac, randomBytes} from 'node:crypto';

import {
  CommonCallError, Extractor, TurnStream, clientMessage, extract, formatFor, loadProfile, messageOf, prepare, profileIds, receive,
  sanitizeHistory, settle,
} from 'commoncall';
import {describe, expect, test, vi} from 'vitest';

import {joinNeighbours, splitCalls} from './node_modules/commoncall/payload/history_shape.mjs';
import {spread} from './node_modules/commoncall/payload/spread.mjs';
import {hex, hmacSha256, sha256} from './node_modules/commoncall/shared/sha256.mjs';
import {operations} from './node_modules/commoncall/turn/operations.mjs';

class HumanMessage {
  content = 'hello';
}
const NEVER = {disposition: 'answer'};
const CALL = '<tool_call>{"name": "f", "arguments": {}}</tool_call>';
const PLAN = {effective: ['f'], parse_text_calls: true, parse_native_calls: true};
const loop = {};
loop.loop = loop;

describe('a model that no registry knows', () => {
  const registry = {registry_version: '1.0', revision: '1', providers: {ollama: {models: {'qwen3-coder': {tool_calls_supported: true}}}}};
  const said = (registries, ...models) => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const targets = models.map((model) => ({provider: 'Ollama', model}));
    const rest = {layers: [], text_protocol: false, disposition: 'answer', registered: []};
    prepare({request: {model: 'm', messages: [{role: 'user', content: 'q'}]}, registries, targets, ...rest});
    const texts = warn.mock.calls.map(([text]) => text);
    warn.mockRestore();
    return texts;
  };

  test('is named once, with what comes near', () => {
    const text = 'no registry knows the model "qwen3-coder:30b" of "Ollama", so it gets no tools; near it: qwen3-coder';
    expect(said([registry], 'qwen3-coder:30b', 'qwen3-coder')).toEqual([text]);
    expect(said([registry], 'qwen3-coder:30b')).toEqual([]);
  });

  test('is not said of one that is known, and a registry that does not load is', () => {
    expect(said([registry], 'qwen3-coder')).toEqual([]);
    expect(said([{}], 'qwen3-coder')).toEqual(['a registry does not load, so no tool is sent']);
  });
});

describe('what is no JSON', () => {
  test.each([
    [[new HumanMessage()], 'input.messages[0] is a HumanMessage'],
    [[{role: 'user', at: new Map()}], 'input.messages[0].at is a Map'],
    [[{role: 'user', content: () => ''}], 'input.messages[0].content is a function'],
    [[{role: 'user', content: 1n}], 'input.messages[0].content is a bigint'],
    [[{role: 'user', content: NaN}], 'input.messages[0].content is a NaN'],
    [[undefined], 'input.messages[0] is an undefined'],
    [[loop], 'nests too deep, or holds itself'],
    [[{role: 'user', arguments: {private: [1n]}}], 'input.messages[0].arguments[…] is a bigint'],
    [[{role: 'user', content: [{input: {private: 1n}}]}], 'input.messages[0].content[0].input[…] is a bigint'],
  ])('%o is refused with its place', (messages, words) => {
    const ask = () => sanitizeHistory({messages, ...NEVER});
    expect(ask).toThrow(TypeError);
    expect(ask).toThrow(words);
  });

  test('a member that is undefined is absent, and what has a toJSON says what it is', () => {
    const messages = [{role: 'user', content: 'a', name: undefined}, {toJSON: () => ({role: 'user', content: 'b'})}];
    expect(sanitizeHistory({messages, ...NEVER}).messages).toEqual([
      {role: 'user', content: 'a'}, {role: 'user', content: 'b'},
    ]);
  });
});

test('a result shares nothing with what was given', () => {
  const messages = [{role: 'user', content: [{type: 'text', text: 'a'}]}];
  const {messages: sent} = sanitizeHistory({messages, ...NEVER});
  sent[0].role = 'x';
  expect(messages[0].role).toBe('user');
});

describe('an input that has no result', () => {
  test.each([
    [{}, 'input.messages is missing'],
    [{messages: [], ...NEVER, tols: 1}, 'input.tols is none of messages, disposition'],
    [{messages: [], disposition: 'answers'}, 'input.disposition is none of skip, answer'],
    [{messages: 1, ...NEVER}, 'input.messages is not an array'],
    [null, 'input is not an object'],
  ])('%o has a code, and names the place', (input, words) => {
    const ask = () => sanitizeHistory(input);
    expect(ask).toThrow(CommonCallError);
    expect(ask).toThrow(words);
    expect(ask).toThrow(expect.objectContaining({code: 'invalid_input'}));
  });

  test('the form of another interface is named', () => {
    const messages = [{role: 'user', content: [{type: 'tool_result', tool_use_id: 'a'}]}];
    expect(() => sanitizeHistory({messages, ...NEVER})).toThrow('anthropic-messages');
  });

  test('an unknown profile is refused with those that come near', () => {
    expect(() => loadProfile('vlm')).toThrow('near it: vllm');
    expect(loadProfile('vllm', {origin: {provider: 'p', model: 'm'}})).toMatchObject({ids: 'any', origin: {provider: 'p'}});
  });
});

test('a text in chunks gives what the whole gives', () => {
  const options = {effective: ['f']};
  const extractor = new Extractor(options, {ids: ['a']});
  const shown = [...`x ${CALL} y`].flatMap((each) => extractor.feed(each));
  const found = extractor.finish();
  expect(found).toEqual(extract({text: `x ${CALL} y`, ...options}, {ids: ['a']}));
  expect([...shown, ...extractor.rest].map(({text = ''}) => text).join('')).toBe(found.content);
  expect(() => new Extractor({effective: 1})).toThrow(CommonCallError);
  expect(() => extractor.feed(1)).toThrow('chunk is number');
  expect(() => extractor.feed(CALL)).toThrow('the text is finished');
  expect(() => extractor.finish()).toThrow('the text is finished');
});

test('the sentinel of a stream is the end of one without a reason', () => {
  const stream = new TurnStream({plan: PLAN, request_id: 'r', ...NEVER});
  stream.feed({choices: [{index: 0, delta: {content: 'x'}}]});
  expect(stream.feed('[DONE]')).toEqual([]);
  expect(stream.finish().truncated).toBe(undefined);
});

test('a turn in chunks gives what its message gives, with ids that every provider takes', () => {
  const known = {plan: PLAN, request_id: 'r', ...NEVER};
  const stream = new TurnStream(known, {ids: ['a']});
  const choices = [{index: 0, delta: {content: `x ${CALL}`}, finish_reason: 'stop'}];
  expect(stream.feed({choices})).toEqual([{text: 'x'}]);
  expect(stream.finish()).toEqual(receive({...known, message: stream.message}, {ids: ['a']}));
  for (const wrong of [{content: 'a delta'}, {delta: {}}, {message: {}}, 'x', 5]) {
    expect(() => stream.feed(wrong)).toThrow('chunk is no chunk with choices');
  }
  expect(() => stream.feed({choices})).toThrow('the stream is finished');
  expect(() => stream.finish()).toThrow('the stream is finished');
  expect(receive({...known, message: stream.message}).dispatch[0].id).toMatch(/^[A-Za-z0-9]{9}$/);
});

test('a result that is no JSON is settled as an error that says that the tool was run', () => {
  const message = {text: `${CALL} ${CALL}`, tool_calls: null};
  const received = receive({plan: PLAN, request_id: 'r', ...NEVER, message});
  const deep = JSON.parse(`${'['.repeat(126)}${']'.repeat(126)}`);
  for (const content of [10n, deep]) {
    const outcomes = [{seq: 0, status: 'ok', content}, {seq: 1, status: 'ok', latency_ms: NaN, content: 'fine'}];
    const {history, findings, events} = settle({received, outcomes});
    expect(history.slice(1).map((one) => one.content)).toEqual([
      'The tool was run, and its result cannot be written as JSON.', 'fine',
    ]);
    expect(findings).toEqual([{code: 'media_removed', path: '/outcomes/0/content'}]);
    expect(events.map(({status}) => status).filter(Boolean)).toEqual(['error', 'ok']);
  }
});

test('what became of calls is settled whatever is said of it, with findings in the order of the outcomes', () => {
  const message = {text: CALL.repeat(11), tool_calls: null};
  const received = receive({plan: PLAN, request_id: 'r', ...NEVER, message});
  const image = [{type: 'image_url', image_url: {url: 'x'}}];
  const said = {0: {content: 10n}, 2: {content: image}, 10: {content: 10n, status: NaN}};
  const outcomes = received.dispatch.map(({seq}) =>
    ({seq, status: 'error', error_type: new Error('x'), ...said[seq]}));
  const {findings, events} = settle({received, outcomes});
  expect(findings.map(({path}) => path)).toEqual(
    ['/outcomes/0/content', '/outcomes/2/content/0', '/outcomes/10/content']);
  expect(new Set(events.map((one) => one.error_type))).toEqual(new Set(['tool_error']));
});

test('a reply is received, whatever its server put into it', () => {
  const nested = (depth) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
  const known = {plan: PLAN, request_id: 'r', ...NEVER};
  const called = (args) => [{id: 'a', function: {name: 'f', arguments: args}}];
  for (const [args, ...codes] of [
    [{x: 1e999}, 'arguments_invalid_json'], [{x: 10n}, 'arguments_invalid_json'],
    [new Map(), 'arguments_invalid_json'], [{x: nested(128)}, 'arguments_too_deep'],
    [{x: nested(5000)}, 'arguments_too_deep'], [{x: nested(127)}],
  ]) {
    const message = {role: 'assistant', tool_calls: called(args), logprobs: -1e999};
    const stream = new TurnStream(known);
    stream.feed({choices: [{delta: {tool_calls: called(args)}, finish_reason: 'stop', logprobs: NaN}]});
    for (const one of [{choices: null}, {usage: {}}, {type: 'ping'}, {object: 'error', message: 'x'}]) {
      expect(stream.feed(one)).toEqual([]);
    }
    for (const got of [receive({...known, message: messageOf({message})}), stream.finish()]) {
      expect(got.findings.map(({code}) => code)).toEqual(codes);
      expect([got.dispatch.length, got.answers.length]).toEqual([1 - codes.length, codes.length]);
    }
  }
  const profile = {opaque_members: ['r'], origin: {provider: 'p', model: 'm'}};
  const [part, [call]] = [{type: 'text', text: 'x'}, called('{}')];
  const got = receive({...known, profile, message: messageOf({
    message: {role: 'assistant', content: part, tool_calls: call, refusal: 5, truncated: 'no', r: [1e999]},
  })});
  expect(got).toMatchObject({content: 'x', dispatch: [{id: 'a'}], findings: [{code: 'opaque_removed', path: '/message/r'}]});
  expect(Object.keys(got)).not.toContain('refusal');
  expect(messageOf({message: {role: 'assistant', content: 'x', tool_calls: {}}}).tool_calls).toBe(null);
  expect(messageOf({message: {role: 'assistant', text: 'x', truncated: 1}})).toMatchObject({text: 'x', truncated: true});
  const spoken = {role: 'assistant', content: null, audio: {transcript: 'x'}};
  expect(messageOf({message: spoken}).text).toBe('x');
});

test('a message may have members of its server', () => {
  const message = messageOf({message: {role: 'assistant', content: 'a', refusal: null, annotations: []}});
  const got = receive({plan: PLAN, request_id: 'r', ...NEVER, message, profile: undefined});
  expect(got).toEqual(receive({plan: PLAN, request_id: 'r', ...NEVER, message: {text: 'a', tool_calls: null}}));
});

test('the message of a choice says that it was cut off', () => {
  const message = {role: 'assistant', content: 'a', refusal: null};
  expect(messageOf({message, finish_reason: 'length'})).toEqual({text: 'a', tool_calls: null, refusal: null, truncated: true});
  expect(() => messageOf({message: {role: 'user'}})).toThrow('of another role');
  const camel = {role: 'assistant', content: '', toolCalls: [{id: 'a', function: {name: 'read', arguments: '{}'}}]};
  expect(() => messageOf({message: camel})).toThrow('toolCalls');
  expect(() => messageOf({type: 'message', role: 'assistant', content: []})).toThrow('of another role');
});

test('a client reads the calls that can be run, and notes of the others', () => {
  const tool = {type: 'function', function: {name: 'read', parameters: {type: 'object'}}};
  const sent = prepare({request: {model: 'm', messages: [{role: 'user', content: 'q'}], tools: [tool]}, capability: true});
  const call = (name) => ({id: name, type: 'function', function: {name, arguments: '{}'}});
  const got = (reason, ...names) => {
    const message = {role: 'assistant', content: null, tool_calls: names.map(call)};
    return clientMessage(receive({sent, choice: {message, finish_reason: reason}}), reason);
  };
  expect(got('stop', 'read')).toEqual({content: null, tool_calls: [call('read')], finish_reason: 'tool_calls', notes: []});
  expect(got('tool_calls', 'none')).toMatchObject({tool_calls: [], finish_reason: 'stop', notes: [expect.stringContaining('not available')]});
  expect(got('length', 'read').finish_reason).toBe('length');
  expect(got(null).finish_reason).toBe(null);
});

test('digests are those of Node', () => {
  for (let length = 0; length < 400; length++) {
    const [bytes, key] = [randomBytes(length), randomBytes(length % 150)];
    expect(hex(sha256(bytes))).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(hex(hmacSha256(key, bytes))).toBe(createHmac('sha256', key).update(bytes).digest('hex'));
  }
});

describe('the work of a history grows with its size', () => {
  const findings = {add() {}};
  const provider = {
    flags: {repeated_roles: false, calls_in_message: 'one'},
    hasOpaqueMember: () => false,
    readableNames: () => [],
    hasOpaquePart: (content) => Array.isArray(content) && content.some(({type}) => type === 'opaque'),
  };
  const times = (count, of) => Array.from({length: count}, (_, at) => of(at));

  test('each result is looked at once where a message is split', () => {
    let reads = 0;
    const calls = times(1000, () => ({isHere: false}));
    const results = calls.map((call) => ({get call() {
      reads += 1;
      return call;
    }}));
    const entry = {message: {role: 'assistant', content: null}, calls, results, at: 0};
    const split = splitCalls([entry], provider, findings);
    expect(split.map((each) => each.calls)).toEqual(calls.map((call) => [call]));
    expect(split.every((each, at) => each.results.length === 1 && each.results[0] === results[at])).toBe(true);
    expect(reads).toBeLessThan(10_000);
  });

  test('each part is looked at a few times where messages are joined', () => {
    let reads = 0;
    const part = {get type() {
      reads += 1;
      return 'text';
    }};
    const entries = times(1000, (at) =>
      ({message: {role: 'assistant', content: [part]}, calls: [], results: [], at}));
    const [joined, ...others] = joinNeighbours(entries, provider, findings);
    expect(others).toEqual([]);
    expect(joined.message.content.length).toBe(1000);
    expect(reads).toBeLessThan(10_000);
  });
});

test('each schema of a branch is read a few times', () => {
  let reads = 0;
  const branches = Array.from({length: 1000}, (_, at) => ({properties: {p: {get const() {
    reads += 1;
    return at;
  }}}}));
  expect(spread({type: 'object', oneOf: branches}, ['oneOf']).properties.p.anyOf.length).toBe(1000);
  expect(reads).toBeLessThan(10_000);
});

test('a message may hold more calls than a function takes arguments', () => {
  const count = 150_000;
  const text = `${CALL}\n`.repeat(count) + '<tool_call>{"name": "f", "arguments": </tool_call>';
  const plan = {...PLAN, parse_native_calls: false};
  const input = {plan, message: {text, tool_calls: null}, request_id: 'r', disposition: 'answer'};
  const ids = Array.from({length: count + 1}, (_, at) => `c${at}`);
  const {result} = operations['turn.receive'](input, {ids});
  expect([result.dispatch.length, result.answers.length]).toEqual([count, 1]);
});

describe('a turn in five lines', () => {
  const parameters = {type: 'object', properties: {hours: {type: 'integer'}}};
  const tools = [{type: 'function', function: {name: 'get_tide', parameters}}];
  const messages = [{role: 'user', content: 'How is the tide?'}];
  const model = 'Qwen/Qwen3-Coder-30B-A3B-Instruct';
  const leaked = 'I look.\n<tool_call>\n<function=get_tide>\n<parameter=hours>\n5\n</parameter>\n</function>\n</tool_call>';
  const choice = {index: 0, finish_reason: 'stop', message: {role: 'assistant', content: leaked}};

  test('what was sent says how to read', () => {
    const sent = prepare({request: {model, messages, tools}, capability: true, profile: 'vllm'});
    const received = receive({sent, choice});
    const outcomes = received.dispatch.map(({seq}) => ({seq, status: 'ok', content: 'low'}));
    const {history} = settle({received, outcomes, sent});
    expect(received.content).toBe('I look.');
    expect(received.dispatch.map(({arguments_json: text}) => text)).toEqual(['{"hours":5}']);
    expect(history.map(({role}) => role)).toEqual(['assistant', 'tool']);
  });

  test('under the name of a profile, what one model reads is that of the request', () => {
    const sent = prepare({request: {model, messages, tools}, capability: true, profile: 'deepseek'});
    const message = {...choice.message, content: 'Low.', reasoning_content: 'r'};
    const received = receive({sent, choice: {...choice, message}});
    expect(settle({received, outcomes: [], sent}).history[0]).toMatchObject({_from: {provider: 'deepseek', model}});
  });

  test('a stream takes from what was sent', () => {
    const stream = new TurnStream({sent: prepare({request: {model, messages, tools}, capability: true})});
    stream.feed({choices: [{index: 0, delta: {content: leaked}}]});
    stream.feed({choices: [{index: 0, delta: {}, finish_reason: 'stop'}]});
    expect(stream.finish().dispatch.map(({name}) => name)).toEqual(['get_tide']);
  });

  test('what is given counts before what was sent', () => {
    const sent = prepare({request: {model, messages, tools}, capability: true});
    const other = {...choice, message: {...choice.message, content: '[TOOL_CALLS][{"name": "get_tide", "arguments": {"hours": 5}}]'}};
    expect(receive({sent, choice: other}).dispatch).toEqual([]);
    expect(receive({sent, choice: other, format: 'mistral-v3'}).dispatch).toHaveLength(1);
  });

  test('a model that takes no tools gets none', () => {
    expect(prepare({request: {model, messages, tools}, capability: false}).request.tools).toBeUndefined();
  });

  test.each([[model, 'qwen3-coder'], ['hermes', 'hermes'], ['nobody', null]])('the format of %s is %s', (name, format) => {
    expect(formatFor(name)).toBe(format);
  });

  test.each([
    [{}, 'say capability: true or false'],
    [{capability: 1}, 'capability is true or false'],
    [{capability: true, targets: []}, 'give one'],
    [{capability: true, format: 'qwen'}, 'near it: qwen2.5-coder, qwen3'],
    [{capability: true, profile: 'ollama'}, 'near it: ollama-chat, ollama-compatible'],
  ])('%o is refused with a reason', (options, words) => {
    expect(() => prepare({request: {model, messages}, ...options})).toThrow(words);
  });
});

describe('a turn in another interface', () => {
  const tool = {name: 'get_tide', input_schema: {type: 'object', properties: {port: {type: 'string'}}}};
  const request = {
    model: 'm', max_tokens: 99, messages: [{role: 'user', content: 'High?'}],
    tools: [{...tool, cache_control: {type: 'ephemeral'}}],
  };
  const thought = {type: 'thinking', thinking: 't', signature: 's'};
  const call = {type: 'tool_use', id: 'toolu_1', name: 'get_tide', input: {port: 'Brest'}};
  const message = {
    id: 'msg_1', type: 'message', role: 'assistant', stop_reason: 'tool_use',
    content: [thought, {type: 'text', text: 'I look.', citations: null}, call, {...call, id: 'toolu_2', name: 'none_such'}],
  };
  const here = {provider: 'anthropic-messages', model: 'm'};
  const anthropic = (given = request) => prepare({request: given, capability: true, interface: 'anthropic-messages'});

  test('is stored as it came, and comes back', () => {
    const sent = anthropic();
    expect(sent.request).toEqual(request);
    expect(sent.findings).toEqual([]);
    const received = receive({sent, reply: message});
    expect(received.content).toBe('I look.');
    expect(received.dispatch.map(({name}) => name)).toEqual(['get_tide']);
    const {history} = settle({received, outcomes: [{seq: 0, status: 'ok', content: 'noon'}], sent});
    const [said, results] = history;
    expect(said).toEqual({
      role: 'assistant', _from: here,
      content: [thought, {type: 'text', text: 'I look.'}, ...message.content.slice(2)],
    });
    expect(results.content.map((block) => block.is_error)).toEqual([undefined, true]);
    const again = anthropic({...request, messages: [...request.messages, ...history]});
    expect(again.findings).toEqual([]);
    expect(again.request.messages[1]).toEqual({role: said.role, content: said.content});
    const other = anthropic({...request, model: 'other', messages: [...request.messages, ...history]});
    expect(other.findings.map(({code}) => code)).toEqual(['opaque_removed']);
  });

  test('has calls out of its text', () => {
    const text = 'I look.\n<tool_call>{"name": "get_tide", "arguments": {"port":"Brest"}}</tool_call>';
    const sent = anthropic();
    const received = receive({sent, reply: {...message, content: [{type: 'text', text}]}});
    expect(received.dispatch.map((one) => one.arguments_json)).toEqual(['{"port":"Brest"}']);
    const {history} = settle({received, outcomes: [{seq: 0, status: 'error', error_type: 'tool_error'}], sent});
    expect(history[0].content.map(({type}) => type)).toEqual(['text', 'tool_use']);
    expect(history[1].content[0].is_error).toBe(true);
  });

  test('is streamed', () => {
    const sent = prepare({
      request: {model: 'm', input: 'High?', tools: [{type: 'function', name: 'get_tide', parameters: {type: 'object'}}]},
      capability: true, interface: 'openai-responses',
    });
    const stream = new TurnStream({sent});
    const item = {type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'get_tide', arguments: '{"port":"Brest"}'};
    const shown = [
      {type: 'response.output_text.delta', output_index: 0, delta: 'I look.'},
      {type: 'response.output_item.done', output_index: 1, item},
      {type: 'response.completed', response: {status: 'completed', output: [item]}},
    ].flatMap((event) => stream.feed(event));
    const received = stream.finish();
    expect([...shown, ...stream.rest]).toEqual([{text: 'I look.'}]);
    const {history} = settle({received, outcomes: [{seq: 0, status: 'ok', content: 'noon'}], sent});
    expect(history.at(-1)).toEqual({type: 'function_call_output', call_id: 'call_1', output: 'noon'});
    const cut = new TurnStream({sent});
    cut.feed({type: 'response.output_item.added', output_index: 0, item: {...item, arguments: ''}});
    cut.feed({type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"po'});
    expect(cut.finish()).toMatchObject({dispatch: [], truncated: true});
  });

  test('is stored with the ids of the turn where it has none', () => {
    const given = {
      model: 'm', messages: [{role: 'user', content: 'High?'}],
      tools: [{type: 'function', function: {name: 'get_tide', parameters: {type: 'object', properties: {}}}}],
    };
    const ollama = (input) => prepare({request: input, capability: true, interface: 'ollama-chat'});
    const said = {
      role: 'assistant', content: '', thinking: 't', tool_calls: [{function: {name: 'get_tide', arguments: {port: 'Brest'}}}],
    };
    const sent = ollama(given);
    expect(sent.request).toEqual(given);
    const stream = new TurnStream({sent});
    stream.feed({message: said, done: false});
    stream.feed({message: {role: 'assistant', content: ''}, done: true, done_reason: 'stop'});
    for (const received of [receive({sent, reply: {message: said, done: true, done_reason: 'stop'}}), stream.finish()]) {
      const {history} = settle({received, outcomes: [{seq: 0, status: 'ok', content: 'noon'}], sent});
      const [{id}] = received.calls;
      expect(history).toEqual([
        {...said, tool_calls: [{id, ...said.tool_calls[0]}], _from: {provider: 'ollama-chat', model: 'm'}},
        {role: 'tool', tool_name: 'get_tide', tool_call_id: id, content: 'noon'},
      ]);
      expect(ollama({...given, messages: [...given.messages, ...history]}).findings).toEqual([]);
    }
  });

  test('is refused where it is none', () => {
    const sent = anthropic();
    expect(() => prepare({request, capability: true, interface: 'anthropic'})).toThrow('near it: anthropic-messages');
    const beside = (profile) => () => prepare({request, capability: true, interface: 'anthropic-messages', profile});
    expect(beside('anthropic-compatible')).toThrow('of another form than anthropic-messages: leave it out');
    expect(beside('anthropic-messages')).not.toThrow();
    expect(() => anthropic(7)).toThrow('input.request');
    expect(() => receive({sent, reply: 'words'})).toThrow('input.reply');
    expect(() => settle({received: {}, outcomes: [], sent})).toThrow(TypeError);
    expect(() => anthropic({...request, messages: [{role: 'user', content: ' '}]})).toThrow('history_emptied');
  });
});
