// How long extraction takes, as ratios with their goals: whole texts over JSON.parse of their payloads,
// prose over one search for its markers, chunks of 4 characters and hostile texts over their quarter.
// By hand: `node tests/javascript/bench.mjs [--record] [PART OF A NAME]`; with `--record` it writes
// bench.json beside this file. Times are processor times, the least of several runs taken in turn.

import {execFileSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';

import {extract, stream} from '../../reference/javascript/extraction/extract.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MARKERS = /<\/?(?:tool_call|tools|tool_calls|function_call|function|think)\s*>|<\|(?:start|end)\|>/g;
const PROSE = 'The forecast for Oslo is rain, with `wind_speed` of 9 m/s (see below); 3 < 5 holds.\n' +
  'It may clear up by the evening.\n\n- Take a coat.\n- Leave the bike at home.\n\n';
const WARM_UP = 150; // milliseconds
const SAMPLE = 10;
const ROUNDS = 7;
const ATTEMPTS = 3;
const GOAL = 3;
const LINEAR = 6; // at most, for four times the text: linear is 4, quadratic 16
const [SHORT, LONG] = [25_000, 100_000];

/** Arguments as tools take them: about 900 bytes, some text, some structure. */
const typical = (number) => ({
  path: `src/forecast/module_${number}.py`,
  dry_run: false,
  limit: number,
  threshold: 0.75,
  tags: ['weather', 'oslo', null],
  edits: Array.from({length: 8}, (_, line) =>
    ({line, old: `value = ${line}`, new: `value = compute(${line}, mode='x')`})),
  note: 'Rename the value and keep the order.\nThen run the tests. '.repeat(3),
});
const times = (count, of) => Array.from({length: count}, (_, n) => of(n));

const WHOLE = {
  'one string of 100 kB': [{text: 'word '.repeat(20_000)}],
  'one string of 1 MB': [{text: 'word '.repeat(200_000)}],
  'one string of emoji': [{text: '\u{1f600} \u00e9 '.repeat(100_000)}],
  'one escaped string': [{text: '"\\\n\u00e9'.repeat(100_000)}],
  'one structure of 1 MB': [{items: times(1100, typical)}],
  '100,000 numbers': [{numbers: times(100_000, (n) => n * 1.37)}],
  'one call of 1 kB': [typical(1)],
  '1,000 calls in 1 MB': times(1000, typical),
  '10,000 calls of 60 bytes': times(10_000, (n) => ({city: 'Oslo', days: n})),
  '10,000 calls without arguments': times(10_000, () => ({})),
};

const payload = (args) => JSON.stringify({name: 'get_weather', arguments: args});
const textOf = (payloads, before = 'Let me look.\n') =>
  payloads.map((each) => `${before}<tool_call>\n${each}\n</tool_call>\n`).join('');

const STREAMED = {
  'one string': (length) => textOf([payload({text: 'word '.repeat(length / 5)})]),
  calls: (length) => textOf(times(length / 1000, (n) => payload(typical(n)))),
  prose: (length) => PROSE.repeat(length / PROSE.length),
};

const OPTIONS = {effective: ['get_weather', 'f']};
const whole = (text, options = OPTIONS) => () => extract({text, ...options});
const inChunks = (text, options = OPTIONS) => {
  const chunks = text.match(/[^]{1,4}/g);
  return () => stream({chunks, ...options});
};

/** The rows: `{name, floor, candidate, goal}`. */
function* rows() {
  for (const [name, all] of Object.entries(WHOLE)) {
    const payloads = all.map(payload);
    const floor = () => payloads.map((each) => JSON.parse(each));
    yield {name, floor, candidate: whole(textOf(payloads)), goal: GOAL};
  }
  const prose = PROSE.repeat(5400);
  yield {name: 'prose of 1 MB', floor: () => prose.search(MARKERS), candidate: whole(prose), goal: GOAL};
  const payloads = WHOLE['1,000 calls in 1 MB'].map(payload);
  const floor = () => payloads.map((each) => JSON.parse(each));
  yield {name: '1,000 calls, prose with code', floor, candidate: whole(textOf(payloads, PROSE)), goal: GOAL};
  for (const [name, textOfLength] of Object.entries(STREAMED)) {
    yield growth(`${name} in chunks of 4`, [SHORT, LONG].map(textOfLength), inChunks);
  }
  for (const [name, texts, dialects] of hostile()) {
    const options = {...OPTIONS, ...(dialects === null ? {} : {dialects})};
    yield growth(`hostile: ${name}`, texts, whole, options);
    yield growth(`hostile: ${name}, in chunks of 4`, texts, inChunks, options);
  }
}

/** A text over its quarter. */
function growth(name, [short, long], read, options) {
  return {name, floor: read(short, options), candidate: read(long, options), goal: LINEAR};
}

/** The hostile texts of the reference: the name, the text in two lengths, and its dialects or null. */
function hostile() {
  const print = `import json
from tests.evidence.bench.adversarial import BY_RULE, IN_VALUES, INPUTS, OF_DIALECTS
rows = [(name, text, None) for name, text in {**INPUTS, **BY_RULE}.items()]
rows += [(name, text, [dialect]) for name, (dialect, text) in {**IN_VALUES, **OF_DIALECTS}.items()]
print(json.dumps([(name, [text(n) for n in (${SHORT}, ${LONG})], dialects) for name, text, dialects in rows]))`;
  const options = {cwd: ROOT, env: {...process.env, PYTHONPATH: 'reference'}, maxBuffer: 2 ** 28};
  return JSON.parse(execFileSync('python3', ['-c', print], options));
}

/** The processor time of some runs, in milliseconds. */
function spent(run, count) {
  const before = process.cpuUsage();
  for (let n = 0; n < count; n++) run();
  const {user, system} = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** How many runs make a sample, once a function is warm. */
function countOf(run) {
  let took = 0;
  for (let n = 0; n < 3 || took < WARM_UP; n++) {
    took += spent(run, 1);
    if (n >= 2 && took >= WARM_UP) break;
  }
  let count = 1;
  while (spent(run, count) < SAMPLE) count *= 2;
  return count;
}

function measured({floor, candidate}) {
  const counts = [countOf(floor), countOf(candidate)];
  const least = [Infinity, Infinity];
  for (let n = 0; n < ROUNDS; n++) {
    [floor, candidate].forEach((run, i) => {
      least[i] = Math.min(least[i], spent(run, counts[i]) / counts[i]);
    });
  }
  return least;
}

const [part = ''] = process.argv.slice(2).filter((word) => word !== '--record');
const record = [];
for (const row of rows()) {
  if (!row.name.includes(part)) continue;
  let best = {ratio: Infinity};
  for (let n = 0; n < ATTEMPTS && best.ratio > row.goal; n++) {
    const [floor, taken] = measured(row);
    if (taken / floor < best.ratio) best = {floor, taken, ratio: taken / floor};
  }
  const {floor, taken, ratio} = best;
  record.push({name: row.name, ratio: Number(ratio.toFixed(2)), goal: row.goal, met: ratio <= row.goal});
  console.log(`${row.name.padEnd(58)} ${floor.toFixed(3).padStart(9)} ms ${taken.toFixed(3).padStart(9)} ms ` +
    `${ratio.toFixed(2).padStart(6)} times, goal ${row.goal}${ratio > row.goal ? ', MISSED' : ''}`);
}
if (process.argv.includes('--record')) {
  const said = {date: new Date().toISOString().slice(0, 10), node: process.versions.node, rows: record};
  writeFileSync(new URL('bench.json', import.meta.url), `${JSON.stringify(said, null, 1)}\n`);
}
process.exitCode = record.every(({met}) => met) ? 0 : 1;
