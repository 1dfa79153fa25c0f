// Reads golden texts, and texts like them, with the fast path of the port and without: whole, and in
// chunks of 1, of 4, of any length and as one. `node fast_path.mjs [ROUNDS [SEED
// [EVERY]]]` takes one of so many golden texts, and prints as JSON how many readings were compared, and
// the first that differed.

import {readFile} from 'node:fs/promises';
import {isDeepStrictEqual} from 'node:util';

import {extract, stream} from '../../reference/javascript/extraction/extract.mjs';
import {fastPath} from '../../reference/javascript/extraction/strict_value.mjs';

const FIXTURES = new URL('../../fixtures/v1/', import.meta.url);
const [rounds = 2, seed = 1, every = 1] = process.argv.slice(2).map(Number);
const ids = Array.from({length: 1000}, (_, n) => `id-${n}`);
const PIECES = [
  ...'{}[]",:<>\\`-.eE019 \n\t', '\\u', '\\ud83d', '\\"', '{"', '"}', '[]', '{}', ',}', '\u0001', '\ud83d',
  '\ud83d\ude00', '\u{1d400}', 'null', '1e999', '-0', '7'.repeat(310), '[{"name":"f","arguments":{}}]',
  '{"name":"f","arguments":{"a":"</tool_call>"}}', '<tool_call>', '</tool_call>', '```json\n', '\n\n',
  '~~~', '``', '\n    ', '\n```\n', '<think>', '<tools>', '</function>', '{"a":1,"a":2}', '['.repeat(127),
  ']'.repeat(127), '{"a":'.repeat(128), '}'.repeat(128),
];

let state = seed;

/** A whole number below a limit; the same ones in each run. */
function chance(limit) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}

/** A text with one to three changes: a piece put in, a part left out or said twice. */
function changed(text) {
  let now = text;
  for (let n = chance(3); n >= 0; n--) {
    const at = chance(now.length + 1);
    const end = at + chance(12);
    const middle = [PIECES[chance(PIECES.length)], '', now.slice(at, end).repeat(2)][chance(3)];
    now = now.slice(0, at) + middle + now.slice(chance(2) === 0 ? at : end);
  }
  return now;
}

function chunks(text, length) {
  const parts = [];
  for (let at = 0; at < text.length;) {
    const end = at + (length ?? 1 + chance(40));
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts;
}

/** What a reading gives with the fast path and without, and whether they are the same. */
function compared(read) {
  fastPath.isOn = true;
  const fast = read();
  fastPath.isOn = false;
  const careful = read();
  return {fast, same: isDeepStrictEqual(fast, careful)};
}

/** The golden inputs: those of streams as whole texts. */
async function golden() {
  const read = async (path) => JSON.parse(await readFile(new URL(path, FIXTURES), 'utf8'));
  const {suites} = await read('manifest.json');
  const inputs = [];
  for (const {path, operation} of suites) {
    if (!operation.startsWith('extraction.')) continue;
    const {cases} = await read(path);
    for (const {input, input_json: json} of cases) {
      const {chunks: parts, ...others} = (json ? JSON.parse(json) : input) ?? {};
      const text = parts?.every?.((part) => typeof part === 'string') ? parts.join('') : others.text;
      if (typeof text === 'string') inputs.push({...others, text});
    }
  }
  return inputs;
}

const said = {asked: 0, differing: []};
const inputs = await golden();
for (const input of inputs.filter((_, place) => place % every === 0)) {
  const {text, ...options} = input;
  for (let round = 0; round <= rounds; round++) {
    const now = round === 0 ? text : changed(text);
    const whole = compared(() => extract({...options, text: now}, {ids}));
    for (const length of [1, 4, undefined, now.length]) {
      const parts = chunks(now, length);
      const streamed = compared(() => stream({...options, chunks: parts}, {ids}));
      const alike = streamed.fast.error !== undefined ||
        isDeepStrictEqual(streamed.fast.result.result, whole.fast.result); // EXT-110
      said.asked++;
      if (!whole.same || !streamed.same || !alike) said.differing.push({...options, text: now, parts});
    }
  }
}
console.log(JSON.stringify({asked: said.asked, differing: said.differing.slice(0, 3)}));
