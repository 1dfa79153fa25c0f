// How long extraction takes: whole texts over JSON.parse of their payloads, prose over one search for
// its markers, and chunks of 4 characters as nanoseconds a character for texts that grow fourfold. By
// hand: `node tests/javascript/bench.mjs`; each row is the least processor time of several runs.

import {extract, stream} from '../../reference/javascript/extraction/extract.mjs';

const MARKERS = /<\/?(?:tool_call|tools|tool_calls|function_call|function|think)\s*>|<\|(?:start|end)\|>/g;
const PROSE = 'The forecast for Oslo is rain, with `wind_speed` of 9 m/s (see below); 3 < 5 holds.\n' +
  'It may clear up by the evening.\n\n- Take a coat.\n- Leave the bike at home.\n\n';
const RUNS = 15;

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
  '10,000 tiny calls': times(10_000, () => ({})),
};

const payload = (args) => JSON.stringify({name: 'f', arguments: args});
const textOf = (payloads) =>
  payloads.map((each) => `Let me look.\n<tool_call>\n${each}\n</tool_call>\n`).join('');

const STREAMED = {
  'one string': (length) => textOf([payload({text: 'word '.repeat(length / 5)})]),
  calls: (length) => textOf(times(length / 1000, (n) => payload(typical(n)))),
  prose: (length) => PROSE.repeat(length / PROSE.length),
};

/** The least processor time of a function in milliseconds, in runs long enough to be measured. */
function least(run) {
  run();
  let best = Infinity;
  let count = 1;
  for (let n = 0; n < RUNS; n++) {
    const before = process.cpuUsage();
    for (let i = 0; i < count; i++) run();
    const {user, system} = process.cpuUsage(before);
    const taken = (user + system) / 1000;
    best = Math.min(best, taken / count);
    if (taken < 5) count *= 4;
  }
  return best;
}

function say(name, floor, taken) {
  console.log(`${name.padEnd(32)} ${floor.toFixed(3).padStart(9)} ms ${taken.toFixed(3).padStart(9)} ms ` +
    `${(taken / floor).toFixed(1).padStart(6)} times`);
}

const effective = ['f'];
for (const [name, all] of Object.entries(WHOLE)) {
  const payloads = all.map(payload);
  const text = textOf(payloads);
  say(name, least(() => payloads.map((each) => JSON.parse(each))), least(() => extract({text, effective})));
}
const prose = PROSE.repeat(5400);
say('prose of 1 MB', least(() => prose.search(MARKERS)), least(() => extract({text: prose, effective})));

for (const [name, textOfLength] of Object.entries(STREAMED)) {
  for (const length of [64_000, 256_000, 1_024_000]) {
    const chunks = textOfLength(length).match(/[^]{1,4}/g);
    const taken = least(() => stream({chunks, effective}));
    const each = ((taken * 1e6) / length).toFixed(0);
    console.log(`${`${name} of ${length / 1000} kB in chunks of 4`.padEnd(40)} ${each.padStart(5)} ns a character`);
  }
}
