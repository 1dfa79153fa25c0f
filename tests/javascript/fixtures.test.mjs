// A project that vendors the fixtures tests its port so: here the public functions of the package.
import {readFileSync} from 'node:fs';

import * as commoncall from 'commoncall';
import {describe, expect, test} from 'vitest';

const NAMES = {
  'extraction.stream': 'extractStream', 'turn.stream': 'receiveStream',
  'interface.read': 'readRequest', 'interface.write': 'writeRequest',
};
const camel = (name) => name.split('.')[1].replace(/_./g, (text) => text[1].toUpperCase());
const read = (path) => JSON.parse(readFileSync(`${process.env.FIXTURES}/${path}`, 'utf8'));
const plain = (value) => JSON.parse(JSON.stringify(value)); // has no -0

for (const {path, operation} of read('manifest.json').suites) {
  const run = commoncall[NAMES[operation] ?? camel(operation)];
  describe(path, () => {
    for (const each of read(path).cases) {
      if (each.without) continue;
      test(each.id, () => expect(plain(outcome(run, each))).toEqual(plain(each.expect)));
    }
  });
}

function outcome(run, {input, input_json: json, env: {ids = [], clock_ms: clock = []} = {}}) {
  try {
    return {result: run(json ? JSON.parse(json) : input, {ids, clock})};
  } catch ({name, message, ...error}) {
    return {error};
  }
}
