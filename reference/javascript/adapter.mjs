// The adapter that the conformance kit drives: the operations of the package, by name.

import {readFileSync, realpathSync} from 'node:fs';
import {fileURLToPath} from 'node:url';

import {operations as capability} from './capability/operations.mjs';
import {operations as event} from './event/operations.mjs';
import {extract, stream} from './extraction/extract.mjs';
import {converse} from './harness.mjs';
import {operations as interfaces} from './interface/operations.mjs';
import {operations as payload} from './payload/operations.mjs';
import {checkToolCall} from './payload/tool_call.mjs';
import {operations as turn} from './turn/operations.mjs';

const OPERATIONS = new Map([
  ['payload.check_tool_call', (input) => checkToolCall(input)],
  ...Object.entries(payload),
  ...Object.entries(capability),
  ...Object.entries(event),
  ...Object.entries(turn),
  ...Object.entries(interfaces),
  // Under test nothing makes its own ids, so an absent list is an empty one.
  ['extraction.extract', (input, env) => extract(input, {ids: env.ids ?? []})],
  ['extraction.stream', (input, env) => stream(input, {ids: env.ids ?? []})],
]);

const PACKAGE = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** What the adapter answers to `start`. */
export const DECLARATION = {
  protocol: 1,
  implementation: {
    name: 'commoncall (npm)',
    version: PACKAGE.version,
    language: `JavaScript (Node ${process.versions.node})`,
  },
  operations: [...OPERATIONS.keys()],
  features: [
    'diagnostics',
    'lone-surrogates',
    'formats',
    'more-dialects',
    'otel',
    'parts',
    'streaming',
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

// Who imports this file wants `run`, and no conversation.
const isMain = process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (isMain) await converse(DECLARATION, run);
