// The harness protocol (spec/harness.md): a request is one JSON object a line, and so is its answer.

import {isObject, own} from './shared/json_text.mjs';

/** The longest line, its line feed included, in bytes. */
const MAX_LINE = 16 * 1024 * 1024;

/** The deepest nesting of a message. */
const MAX_DEPTH = 256;

/** A line that is no request. The message quotes nothing of it. */
class LineError extends Error {}

/** Answers one line; returns false when the conversation is over. */
function answer(line, declaration, run) {
  const message = parsed(line);
  const cmd = own(message, 'cmd');
  if (cmd === 'stop') return false;
  const reply = cmd === 'start' ? declaration : outcome(message, run);
  process.stdout.write(`${JSON.stringify(reply)}\n`);
  return true;
}

/** The answer to a request `run`. */
function outcome(message, run) {
  const [seq, operation] = [own(message, 'seq'), own(message, 'operation')];
  const complete = typeof seq === 'number' && typeof operation === 'string' &&
    Object.hasOwn(message, 'input');
  if (own(message, 'cmd') !== 'run' || !complete) {
    throw new LineError('a line that is no request of the harness protocol');
  }
  const env = Object.hasOwn(message, 'env') ? message.env : {};
  if (!isEnv(env)) return {seq, errored: {message: 'env is out of form'}};
  return {seq, ...run(operation, message.input, env)};
}

/** Whether this is what the harness protocol calls `env`. */
function isEnv(env) {
  if (!isObject(env)) return false;
  const {ids = [], clock_ms: times = []} = env;
  return Array.isArray(ids) && ids.every((id) => typeof id === 'string') &&
    Array.isArray(times) && times.every((time) => typeof time === 'number');
}

/** The message of a line of bytes. */
function parsed(line) {
  let text;
  try {
    text = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(line);
  } catch {
    throw new LineError('invalid UTF-8');
  }
  let message;
  try {
    message = JSON.parse(text);
  } catch {
    throw new LineError('a line that is not JSON'); // the error of JSON.parse quotes it
  }
  if (!isObject(message)) throw new LineError('a line that is no request of the harness protocol');
  checkValues(message);
  return message;
}

/** Sees that a message nests no deeper than it may, and that its numbers are finite. */
function checkValues(message) {
  let level = [message];
  for (let depth = 0; level.length > 0; depth++) {
    if (level.some((item) => typeof item === 'number' && !Number.isFinite(item))) {
      throw new LineError('a line with a number that overflows');
    }
    const containers = level.filter((item) => typeof item === 'object' && item !== null);
    if (depth >= MAX_DEPTH && containers.length > 0) {
      throw new LineError(`JSON that nests deeper than ${MAX_DEPTH}`);
    }
    level = containers.flatMap((item) => Object.values(item));
  }
}

/** Reads lines of bytes, which end with U+000A only; stops where a line ends the conversation. */
async function readLines(answerLine) {
  let parts = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    let from = 0;
    for (let feed = chunk.indexOf(10); feed >= 0; feed = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, feed));
      if (length + feed + 1 - from > MAX_LINE) throw new LineError('a line that is too long');
      if (!answerLine(Buffer.concat(parts))) return;
      [parts, length] = [[], 0];
      from = feed + 1;
    }
    parts.push(chunk.subarray(from));
    length += chunk.length - from;
    // What is kept has no line feed, so one more byte is due at least.
    if (length >= MAX_LINE) throw new LineError('a line that is too long');
  }
  if (length > 0) throw new LineError('a line that is cut off');
}

/**
 * Converses to the end of standard input; says in one line what went wrong. `declaration` answers
 * `start`, and `run(operation, input, env)` gives the outcome of a request.
 */
export async function converse(declaration, run) {
  try {
    await readLines((line) => answer(line, declaration, run));
  } catch (error) {
    // No stack trace: the message of an exception could quote what was sent.
    const known = error instanceof LineError;
    const what = known ? `the runner sent ${error.message}` : error?.constructor?.name ?? 'unknown';
    process.stderr.write(`adapter: ${what}\n`);
    process.exitCode = known ? 2 : 1;
  }
}
