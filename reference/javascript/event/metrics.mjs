// What the Results of one request add to a counter and a histogram (EVT-043).

import {compareTexts} from '../shared/characters.mjs';

const STATUSES = ['error', 'ok'];
export const BOUNDS = Array.from({length: 14}, (_, n) => 10 * 2 ** n);

/** The metrics of Results, which come in their order. */
export function measure(results) {
  const tools = [...byTool(results)].sort(([a], [b]) => compareTexts(a, b)); // EVT-043
  return {
    tool_calls_total: tools.flatMap(([tool, own]) => countByStatus(tool, own)),
    tool_call_latency_ms: tools.flatMap(([tool, own]) => observe(tool, own)),
  };
}

/** The Results of each tool. */
function byTool(results) {
  const tools = new Map();
  for (const result of results) {
    if (!tools.has(result.tool)) tools.set(result.tool, []);
    tools.get(result.tool).push(result);
  }
  return tools;
}

/** The counters of one tool (EVT-043). */
function countByStatus(tool, results) {
  return STATUSES.flatMap((status) => {
    const value = results.filter((result) => result.status === status).length;
    return value > 0 ? [{tool, status, value}] : [];
  });
}

/** The histogram of one tool, if any latency is known (EVT-043). */
function observe(tool, results) {
  const latencies = results.map((result) => result.latency_ms).filter((ms) => ms !== undefined);
  if (latencies.length === 0) return [];
  const counts = BOUNDS.map((bound) => latencies.filter((ms) => ms <= bound).length);
  const sum = latencies.reduce((total, ms) => total + ms, 0);
  return [{tool, count: latencies.length, sum, buckets: [...counts, latencies.length]}];
}
