// Every golden case through the public functions, as a project that vendors the fixtures would.
import {readFileSync} from 'node:fs';

import * as commoncall from 'commoncall';
import {describe, expect, test} from 'vitest';

const FIXTURES = new URL(process.env.FIXTURES ?? '../../fixtures/v1/', import.meta.url);
const NAMES = {'extraction.stream': 'extractStream', 'turn.stream': 'receiveStream', 'event.to_cloudevents': 'toCloudEvents'};
const read = (path) => JSON.parse(readFileSync(new URL(path, FIXTURES), 'utf8'));
const plain = (value) => JSON.parse(JSON.stringify(value)); // has no -0
const camel = (name) => name.split('.')[1].replace(/_./g, (text) => text[1].toUpperCase());

for (const {path, operation} of read('manifest.json').suites) {
  const run = commoncall[NAMES[operation] ?? camel(operation)];
  describe(path, () => {
    for (const each of read(path).cases) {
      if (each.features?.includes('unique-keys') || each.without?.length > 0) continue;
      test(each.id, () => expect(plain(outcome(run, each))).toEqual(plain(each.expect)));
    }
  });
}

function outcome(run, {input, input_json: json, env}) {
  try {
    return {result: run(json ? JSON.parse(json) : input, {ids: env?.ids ?? [], clock: env?.clock_ms ?? []})};
  } catch ({name, message, ...error}) {
    return {error};
  }
}
