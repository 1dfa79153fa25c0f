// The last look at what leaves and the first at what comes back, as a `fetch`, for each client that
// takes one: the AI SDK, the `openai` package, LangChain.

import {
  TurnStream, clientMessage, loadProfile, messageOf, prepare, receive, settle,
} from 'commoncall';

/** How often a model is asked that says nothing and calls nothing that can be run. */
const TRIES = 3;

/** The members of a delta that are read; the others go on as they came. */
const READ = ['content', 'refusal', 'tool_calls', 'function_call'];

const DONE = '[DONE]';

/** A `fetch` that sends what `prepare` lets out, and gives back what can be used. */
export function guarded(sending, reading, inner = fetch) {
  return async (input, init) => {
    if (!asks(input, init)) return inner(input, init);
    const request = new Request(input, init);
    const {url, method, signal} = request;
    let body = JSON.parse(await request.text());
    for (let left = TRIES; ; left--) {
      const exchange = begin(body, sending, reading);
      const sent = {body: JSON.stringify(exchange.sent.request), headers: headersOf(request)};
      const response = await inner(url, {...init, method, signal, ...sent});
      if (!response.ok) return response;
      const {status} = response;
      if (response.headers.get('content-type')?.includes('text/event-stream')) {
        const stream = response.body.pipeThrough(events()).pipeThrough(shown(exchange));
        return new Response(stream, {status, headers: headersOf(response)});
      }
      const reply = parsed(await response.clone().text());
      const choice = choiceOf(reply);
      if (!isObject(choice?.message)) return response;
      const message = messageOf({...choice, message: {...choice.message, role: 'assistant'}});
      const got = receive({...exchange.known, message});
      const isLost = got.answers.length > 0 && got.dispatch.length === 0 && !got.content;
      if (!isLost || left === 1) {
        const choices = [seen(choice, got)];
        return Response.json({...reply, choices}, {status, headers: headersOf(response)});
      }
      const {history} = settle({received: got, outcomes: [], sent: exchange.sent});
      body = {...body, messages: [...body.messages, ...history]};
    }
  };
}

/** Whether a request asks a model. */
function asks(input, init) {
  const {pathname} = new URL(input.url ?? input, globalThis.location?.href);
  const isPost = /^post$/i.test(init?.method ?? input.method);
  return isPost && /\/chat\/completions\/*$/.test(pathname);
}

/** What may leave, and what the way back has to know of it. */
function begin(body, sending, reading) {
  const tools = body.tools ?? [];
  const registered = tools.flatMap((tool) => tool.function?.name ?? []);
  let {profile} = sending;
  if (typeof profile === 'string') {
    // What it gives belongs to the model that is asked.
    profile = loadProfile(profile, {origin: {provider: profile, model: String(body.model)}});
  }
  const origin = profile?.origin;
  const marked = (message) => message?.role === 'assistant' ? {_from: origin, ...message} : message;
  // What a client gives back of a provider's own came from there.
  const given = origin ? {...body, messages: body.messages.map(marked)} : body;
  const sent = prepare({request: given, registered, ...sending, ...(profile && {profile})});
  return {sent, known: {sent, tools, request_id: 'r', ...reading}};
}

/** Headers but for those of a body that is another one now. */
function headersOf(given) {
  const headers = new Headers(given.headers);
  const gone = ['content-length', 'content-encoding', 'transfer-encoding'];
  gone.forEach((name) => headers.delete(name));
  return headers;
}

/** A choice as the client may see it; what says nothing new stays as it came. */
function seen(choice, got) {
  const ended = choice.finish_reason;
  const {tool_calls: calls, finish_reason: reason} = clientMessage(got, ended);
  const message = {...choice.message};
  if (got.content !== (message.content ?? null)) message.content = got.content;
  if (calls.length > 0) message.tool_calls = calls;
  else if (message.tool_calls?.length > 0) delete message.tool_calls;
  if (message.function_call) delete message.function_call;
  return {...choice, message, ...(reason === (ended ?? null) ? {} : {finish_reason: reason})};
}

/** From the bytes of a stream to its events, as lines: CR LF, LF and CR end one, and nothing else. */
function events() {
  const decoder = new TextDecoder();
  let [held, pieces, event] = ['', [], []];
  return new TransformStream({
    transform(bytes, to) {
      const text = held + decoder.decode(bytes, {stream: true});
      held = text.endsWith('\r') ? '\r' : ''; // perhaps the half of an end
      const [first, ...more] = text.slice(0, text.length - held.length).split(/\r\n|[\r\n]/);
      pieces.push(first);
      for (const piece of more) {
        const line = pieces.join('');
        pieces = [piece];
        if (line !== '') event.push(line);
        else if (event.length > 0) to.enqueue(event.splice(0));
      }
    },
    flush(to) {
      event.push(pieces.join(''));
      if (chunkOf(event) !== undefined) to.enqueue(event); // half an event is none
    },
  });
}

/** From the events of a stream to the bytes that the client may see. */
function shown({known}) {
  const [stream, encoder, behind] = [new TurnStream(known), new TextEncoder(), []];
  let [head, ended, isError] = [{}, null, false];
  const write = (to, lines) => to.enqueue(encoder.encode([...lines, '', ''].join('\n')));
  const show = (to, chunk, choice, pieces) => {
    const {delta} = choice;
    for (const {text = '', reasoning = '', refusal = ''} of pieces) {
      if (text) delta.content = text;
      if (reasoning) delta.reasoning_content = (delta.reasoning_content ?? '') + reasoning;
      if (refusal) delta.refusal = refusal;
    }
    write(to, [`data: ${JSON.stringify({...chunk, choices: [choice]})}`]);
  };
  return new TransformStream({
    transform(event, to) {
      const chunk = chunkOf(event);
      const choice = choiceOf(chunk);
      if (choice) {
        ended = choice.finish_reason || ended;
        head = {...chunk, usage: undefined};
        const delta = isObject(choice.delta) ? {...choice.delta} : {};
        READ.forEach((name) => delete delta[name]);
        const open = {...choice, message: undefined, delta, finish_reason: null};
        show(to, chunk, open, stream.feed(chunk));
      } else if (chunk !== DONE) {
        // No part of the message, such as an error, goes on as it came, and usage behind the end.
        isError ||= Boolean(chunk?.error);
        if (ended) behind.push(event);
        else write(to, event);
      }
    },
    flush(to) {
      if (!isError) {
        const {tool_calls: calls, finish_reason: reason} = clientMessage(stream.finish(), ended);
        const delta = calls.length > 0 ? {tool_calls: calls.map((call, index) => ({index, ...call}))} : {};
        show(to, head, {index: 0, delta, finish_reason: reason ?? 'length'}, stream.rest);
      }
      [...behind, ['data: [DONE]']].forEach((event) => write(to, event));
    },
  });
}

/** The JSON of an event, or what says that there is no more. */
function chunkOf(event) {
  const data = event.filter((line) => line.startsWith('data:')).map((line) => line.slice(5));
  const text = data.join('\n').trim();
  return text === DONE ? DONE : parsed(text);
}

/** The first choice of a reply that is no error. */
function choiceOf(reply) {
  const choice = Array.isArray(reply?.choices) && !reply.error ? reply.choices[0] : null;
  return isObject(choice) ? choice : null;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
