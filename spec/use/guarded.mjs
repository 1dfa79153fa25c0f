// The last look at what leaves and the first at what comes back, as a `fetch`, for each client that
// takes one: the AI SDK, the `openai` package, LangChain.

import {TurnStream, messageOf, prepare, receive, settle} from 'commoncall';

/** How often a model is asked that says nothing and calls nothing that can be run. */
const TRIES = 3;

/** A `fetch` that sends what `prepare` lets out, and gives back what can be used. */
export function guarded(sending, reading, inner = fetch) {
  return async (url, init) => {
    if (!new URL(url).pathname.endsWith('/chat/completions')) return inner(url, init);
    let body = JSON.parse(init.body);
    for (let left = TRIES; ; left--) {
      const exchange = begin(body, sending, reading);
      const response = await inner(url, {...init, body: JSON.stringify(exchange.request)});
      if (!response.ok) return response;
      if (body.stream) return new Response(response.body.pipeThrough(events(exchange)), response);
      const reply = await response.json();
      const got = receive({...exchange.known, message: messageOf(reply.choices[0])});
      const isLost = got.answers.length > 0 && got.dispatch.length === 0 && got.content === null;
      if (!isLost || left === 1) return Response.json(seen(reply, got));
      const {history} = settle({received: got, outcomes: [], profile: sending.profile});
      body = {...body, messages: [...body.messages, ...history]};
    }
  };
}

/** What may leave, and what the way back has to know of it. */
function begin(body, sending, reading) {
  const tools = body.tools ?? [];
  const registered = tools.flatMap((tool) => tool.function?.name ?? []);
  const {plan, request, aliases} = prepare({request: body, registered, ...sending});
  return {request, known: {plan, request, aliases, tools, request_id: 'r', ...reading}};
}

/** A whole reply as the client may see it. */
function seen(reply, got) {
  const [choice] = reply.choices;
  const calls = callsOf(got);
  const message = {...choice.message, content: got.content};
  if (calls.length > 0) message.tool_calls = calls;
  else delete message.tool_calls;
  const finish_reason = calls.length > 0 ? 'tool_calls' : choice.finish_reason;
  return {...reply, choices: [{...choice, message, finish_reason}]};
}

/** The calls that can be run, those that leaked into the text among them. */
function callsOf(got) {
  return got.dispatch.map(({id, name, arguments_json: text}, index) =>
    ({index, id, type: 'function', function: {name, arguments: text}}));
}

/** From the bytes of a stream to those that the client may see. */
function events({known}) {
  const stream = new TurnStream(known);
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  let [rest, head] = ['', {}];
  const write = (to, delta, finish_reason = null) => {
    const chunk = {...head, choices: [{index: 0, delta, finish_reason}]};
    to.enqueue(encoder.encode(`data: ${JSON.stringify(chunk)}\n\n`));
  };
  const show = (to) => ({text, reasoning, refusal}) =>
    write(to, {content: text, reasoning_content: reasoning, refusal});
  return new TransformStream({
    transform(bytes, to) {
      const lines = (rest + decoder.decode(bytes, {stream: true})).split('\n');
      rest = lines.pop();
      for (const line of lines) {
        const data = line.startsWith('data:') ? line.slice(5).trim() : '';
        if (data === '' || data === '[DONE]') continue;
        const chunk = JSON.parse(data);
        head = chunk;
        stream.feed(chunk).forEach(show(to));
      }
    },
    flush(to) {
      const got = stream.finish();
      stream.rest.forEach(show(to));
      const ended = stream.message.truncated ? 'length' : 'stop';
      write(to, {tool_calls: callsOf(got)}, got.dispatch.length > 0 ? 'tool_calls' : ended);
      to.enqueue(encoder.encode('data: [DONE]\n\n'));
    },
  });
}
