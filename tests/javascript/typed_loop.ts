// The loop of the page, with the types of the `openai` package: what `prepare` lets out goes to
// `create`, and what `settle` stores goes back, without a cast. The session `javascript` compiles it.

import {TurnStream, prepare, receive, sanitizeRequest, settle} from 'commoncall';
import type {PrepareInput, TurnOptions} from 'commoncall';
import type OpenAI from 'openai';

type Params = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming;
type Sending = Omit<PrepareInput, 'request'>;
type Reading = Pick<TurnOptions, 'disposition'>;

export async function converse(client: OpenAI, request: Params, sending: Sending, reading: Reading): Promise<string | null> {
  for (;;) {
    const sent = prepare({request, ...sending});
    const reply = await client.chat.completions.create(sent.request);
    const [choice] = reply.choices;
    if (choice === undefined) return null;
    const received = receive({sent, choice, request_id: reply.id, ...reading});
    const outcomes = received.dispatch.map(({seq, arguments_json: content}) =>
      ({seq, status: 'ok' as const, content, latency_ms: 1}));
    const {history, outputs} = settle({received, outcomes, sent});
    request.messages.push(...(history as Params['messages'])); // parts of a content can be those of any provider
    if (outputs.length === 0) return received.content;
  }
}

export async function short(client: OpenAI, request: Params): Promise<void> {
  const sent = prepare({request, capability: true, profile: 'vllm'});
  const reply = await client.chat.completions.create(sent.request);
  const received = receive({sent, choice: reply.choices[0]!});
  settle({received, outcomes: [], sent});
  // @ts-expect-error no profile has this name
  prepare({request, capability: true, profile: 'vlm'});
  // @ts-expect-error no format has this name
  prepare({request, capability: true, format: 'herms'});
}

export async function show(client: OpenAI, request: Params, sending: Sending, reading: Reading): Promise<void> {
  const sent = prepare({request, ...sending});
  const {request: ready} = sent;
  const stream = new TurnStream({sent, ...reading});
  for await (const chunk of await client.chat.completions.create({...ready, stream: true})) stream.feed(chunk);
  // @ts-expect-error what is given has no stream, so what is sent has none
  ready.stream satisfies true;
}

export function bare(client: OpenAI, request: Params): unknown {
  return client.chat.completions.create(sanitizeRequest({request, capability: null}).request);
}
