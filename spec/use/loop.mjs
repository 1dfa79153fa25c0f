// A turn loop on the `openai` package, whole and streamed.

import {TurnStream, prepare, receive, settle} from 'commoncall';

const ROUNDS = 25;

/** Lets the model call tools until it answers; `request.messages` grows. */
export async function converse(client, request, run, sending, reading) {
  for (let round = 0; round < ROUNDS; round++) {
    const sent = prepare({request, registered: Object.keys(run), ...sending});
    const reply = await client.chat.completions.create(sent.request);
    const got = receive({sent, choice: reply.choices[0], request_id: reply.id, ...reading});
    if (await isAnswered(request, got, run, sent)) return got.content ?? got.refusal;
  }
  throw new Error(`the model has not answered in ${ROUNDS} rounds`);
}

/** The same, and shows the answer while it comes. */
export async function converseStreaming(client, request, run, sending, reading, show) {
  for (let round = 0; round < ROUNDS; round++) {
    const sent = prepare({request, registered: Object.keys(run), ...sending});
    const stream = new TurnStream({sent, ...reading});
    const chunks = await client.chat.completions.create({...sent.request, stream: true});
    try {
      for await (const chunk of chunks) stream.feed(chunk).forEach(show);
    } catch (error) {
      if (!isBroken(error)) throw error; // what has come is a message that was cut off
    }
    const got = stream.finish();
    stream.rest.forEach(show);
    if (await isAnswered(request, got, run, sent)) return got.content ?? got.refusal;
  }
  throw new Error(`the model has not answered in ${ROUNDS} rounds`);
}

/** Runs the calls, stores what happened, and tells whether the model has said its last. */
async function isAnswered(request, received, run, sent) {
  const outcomes = await Promise.all(received.dispatch.map((call) => outcome(call, run)));
  const {history, outputs} = settle({received, outcomes, sent});
  request.messages.push(...history);
  if (outputs.length === 0 && received.truncated) console.warn('the answer was cut off');
  return outputs.length === 0;
}

/** Runs a call that has passed every check. */
async function outcome({seq, name, arguments_json: text}, run) {
  const began = performance.now();
  try {
    const content = await run[name](JSON.parse(text));
    return {seq, status: 'ok', content, latency_ms: Math.round(performance.now() - began)};
  } catch (error) {
    return {seq, status: 'error', content: error.name, error_type: 'tool_error'}; // what the model reads of it
  }
}

/** Whether a connection broke: `fetch` and the package have no class in common for that. */
function isBroken(error) {
  return error.message === 'terminated' || error.constructor.name === 'APIConnectionError';
}
