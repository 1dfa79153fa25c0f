// Findings while they are collected: a code, and a path as a list of names and positions.

import {compareTexts} from './characters.mjs';

export class Findings {
  #all = [];

  /** Adds a finding; names in the path are strings, positions are numbers. */
  add(code, path, more = {}) {
    this.#all.push({code, path, more});
  }

  /** Adds what payload.check_tool_call found in the call at a path. */
  addChecked(path, findings) {
    for (const {code, path: below, ...more} of findings) {
      // Paths of the check begin with /tool_call and hold no escapes.
      this.add(code, [...path, ...below.split('/').slice(2)], more);
    }
  }

  /**
   * All in their order, each once, with paths as JSON Pointers (vocabulary: finding), and with
   * `refused` where `isRefused` says so of one.
   */
  sorted(isRefused = () => false) {
    return this.#all.toSorted(compareFindings)
      .filter((one, at, all) => at === 0 || compareFindings(all[at - 1], one) !== 0)
      .map(({code, path, more}) => ({
        code,
        path: pointer(path),
        ...more,
        ...(isRefused({code, path}) ? {refused: true} : {}),
      }));
  }
}

function pointer(path) {
  const escape = (part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1');
  return path.map((part) => `/${escape(part)}`).join('');
}

/** By paths, segment by segment, then by codes. A path comes before those that go on from it. */
function compareFindings(a, b) {
  const shared = Math.min(a.path.length, b.path.length);
  for (let i = 0; i < shared; i++) {
    const order = compareSegments(a.path[i], b.path[i]);
    if (order !== 0) return order;
  }
  return a.path.length - b.path.length || compareTexts(a.code, b.code);
}

/** At one place all segments are names, or all are positions. */
function compareSegments(a, b) {
  return typeof a === 'number' ? a - b : compareTexts(a, b);
}
