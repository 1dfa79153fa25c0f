// The golden cases in a page: what failed becomes its text.
import * as commoncall from 'commoncall';

import {failures} from './run_cases.mjs';

/** Whether two values of JSON are the same, whatever the order of members. */
function equal(a, b) {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [left, right] = [Object.keys(a), Object.keys(b)];
  return Array.isArray(a) === Array.isArray(b) && left.length === right.length &&
    left.every((name) => Object.hasOwn(b, name) && equal(a[name], b[name]));
}

const found = await failures(commoncall, async (path) => (await fetch(`fixtures/${path}`)).json(), equal);
document.body.textContent = JSON.stringify(found);
