// The calls that a list of events speaks of, and what each event does to its call.

import {PLANNED, RESULT} from './faults.mjs';
import {hasRight} from './values.mjs';
import {isObject} from '../shared/json_text.mjs';

const KINDS = [PLANNED, RESULT];

/** The calls that came so far, each with its state (event: state of a call). */
export class Calls {
  #calls = new Map(); // those that are not in the state none

  /** The code of the finding of the next element, at its position, or null. */
  pass(event, at) {
    if (!hasCall(event)) return null;
    const key = keyOf(event);
    const call = this.#calls.get(key);
    if (event.type === PLANNED) {
      if (call !== undefined) return 'planned_twice';
      this.#calls.set(key, {at, done: false});
      return null;
    }
    if (call === undefined) return 'result_without_planned';
    if (call.done) return 'result_twice';
    call.done = true;
    return null;
  }

  /** The positions of the Planned that still wait for a Result (EVT-061). */
  open() {
    return [...this.#calls.values()].filter(({done}) => !done).map(({at}) => at);
  }
}

/** Whether an element has a call (event: call of an event). */
function hasCall(event) {
  return isObject(event) && Object.hasOwn(event, 'type') && KINDS.includes(event.type) &&
    hasRight(event, 'request_id') && hasRight(event, 'seq');
}

/** Two calls have the same key when they are the same; the seq holds no colon. */
function keyOf({request_id: request, seq}) {
  return `${seq}:${request}`;
}
