// The harness protocol around a system, for adapters in JavaScript: adapter.py says how.

import {createInterface} from 'node:readline';

// Systems print; what they print goes to the errors, so that the line to the runner stays whole.
console.log = console.info = console.debug = console.error;

/** Thrown for an input that the system has no place for. */
export class NotOffered extends Error {}

/** Answers requests until `stop`; `version` is that of the surveyed package. */
export async function serve(name, version, operations) {
  const language = `JavaScript (Node ${process.versions.node})`;
  const declaration = {
    protocol: 1,
    implementation: {name, version, language},
    operations: Object.keys(operations),
    features: [],
  };
  for await (const line of createInterface({input: process.stdin})) {
    const message = JSON.parse(line);
    if (message.cmd === 'stop') return;
    const reply = message.cmd === 'start'
      ? declaration
      : {seq: message.seq, ...await answer(operations[message.operation], message.input)};
    process.stdout.write(`${JSON.stringify(reply, finite)}\n`);
  }
}

async function answer(operation, input) {
  try {
    return {result: await operation(input)};
  } catch (error) {
    if (error instanceof NotOffered) return {skipped: {reason: error.message}};
    const text = String(error?.message).slice(0, 200);
    return {errored: {message: `${error?.constructor?.name}: ${text}`}};
  }
}

/** A number that JSON does not have as a text, which equals no arguments of a case. */
function finite(_, value) {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

/** The arguments of a call as surveys compare them: a text of JSON becomes its value. */
export function value(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
