// What ajv in its strict mode says of values: `node strict.mjs` reads a value a line, [schema, value],
// and writes the numbers of those that it accepts.
import {readFileSync, readdirSync} from 'node:fs';
import {join, resolve} from 'node:path';

import {Ajv2020} from 'ajv/dist/2020.js';

const BUNDLED = resolve(import.meta.dirname, '../../../schemas/v1/bundled');

/** A warning is an error. */
function warn(words) {
  throw new Error(words);
}

const judges = Object.fromEntries(
  readdirSync(BUNDLED, {recursive: true})
    .filter((path) => path.endsWith('.schema.json'))
    .map((path) => {
      const ajv = new Ajv2020({strict: true, logger: {log: warn, warn, error: warn}});
      return [path.replace('.schema.json', ''), ajv.compile(JSON.parse(readFileSync(join(BUNDLED, path))))];
    }),
);
const accepted = readFileSync(0, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
  .flatMap(([schema, value], index) => (judges[schema](value) ? [index] : []));
console.log(JSON.stringify(accepted));
