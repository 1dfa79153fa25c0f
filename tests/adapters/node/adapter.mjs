// The adapter that the conformance kit drives: one JSON object a line (spec/harness.md).

import {operations as capability} from './capability_operations.mjs';
import {operations as event} from './event_operations.mjs';
import {extract, stream} from './extract.mjs';
import {operations as payload} from './payload_operations.mjs';
import {checkToolCall} from './tool_call.mjs';
import {operations as turn} from './turn_operations.mjs';

const OPERATIONS = new Map([
  ['payload.check_tool_call', (input) => checkToolCall(input)],
  ...Object.entries(payload),
  ...Object.entries(capability),
  ...Object.entries(event),
  ...Object.entries(turn),
  // Under test nothing makes its own ids, so an absent list is an empty one.
  ['extraction.extract', (input, env) => extract(input, {ids: env.ids ?? []})],
  ['extraction.stream', (input, env) => stream(input, {ids: env.ids ?? []})],
]);

const DECLARATION = {
  protocol: 1,
  implementation: {
    name: 'commoncall-node',
    version: '0.1.0',
    language: `JavaScript (Node ${process.versions.node})`,
  },
  operations: [...OPERATIONS.keys()],
  features: [
    'cloudevents',
    'diagnostics',
    'lone-surrogates',
    'more-dialects',
    'otel',
    'streaming',
    'trace',
    'typed-parameters',
  ],
};

/** The outcome of one request; an exception is reported by its type alone. */
export function run(operation, input, env) {
  const perform = OPERATIONS.get(operation);
  if (perform === undefined) return {skipped: {reason: 'unknown operation'}};
  try {
    return perform(input, env);
  } catch (error) {
    return {errored: {message: error?.constructor?.name ?? 'unknown'}};
  }
}

/** Answers one line; returns false when the conversation is over. */
function answer(line) {
  const message = JSON.parse(line);
  if (message.cmd === 'stop') return false;
  const {seq, operation, input, env = {}} = message;
  const reply = message.cmd === 'start' ? DECLARATION : {seq, ...run(operation, input, env)};
  process.stdout.write(`${JSON.stringify(reply)}\n`);
  return true;
}

/** Reads lines of bytes, which end with U+000A only. */
async function converse() {
  let parts = [];
  for await (const chunk of process.stdin) {
    let from = 0;
    for (let feed = chunk.indexOf(10); feed >= 0; feed = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, feed));
      if (!answer(Buffer.concat(parts).toString('utf8'))) return;
      parts = [];
      from = feed + 1;
    }
    parts.push(chunk.subarray(from));
  }
}

await converse();
