// Every golden case through the public functions; `node cases.mjs`, and the same in Deno and Bun.
import {readFile} from 'node:fs/promises';
import {isDeepStrictEqual} from 'node:util';

import * as commoncall from 'commoncall';

import {failures} from './run_cases.mjs';

const folder = process.env.FIXTURES;
const failed = await failures(
  commoncall,
  async (path) => JSON.parse(await readFile(`${folder}/${path}`, 'utf8')),
  isDeepStrictEqual,
);
console.log(JSON.stringify(failed));
