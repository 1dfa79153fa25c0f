// The calls that a list of events speaks of, and what each event does to its call.

import {PLANNED, RESULT} from './faults.mjs';
import {hasRight} from './values.mjs';
import {isObject} from '../shared/json_text.mjs';

const KINDS = [PLANNED, RESULT];

/** The calls that came so far, each with its state (event: state of a call). */
export class Calls {
  #calls = new Map(); // those that are not in the state none
  #nextSeqs = new Map(); // by request

  /** The codes of the findings of the next element, at its position. */
  pass(event, at) {
    if (!hasCall(event)) return [];
    return event.type === PLANNED ? this.#passPlanned(event, at) : this.#passResult(event);
  }

  /** The positions of the Planned that still wait for a Result (EVT-061). */
  open() {
    return [...this.#calls.values()].filter(({done}) => !done).map(({at}) => at);
  }

  /** A Planned, which begins its call (EVT-061; event: state of a call). */
  #passPlanned(event, at) {
    const key = keyOf(event);
    const {request_id: request, seq} = event;
    const next = this.#nextSeqs.get(request) ?? 0;
    this.#nextSeqs.set(request, Math.max(next, seq + 1));
    if (this.#calls.has(key)) return ['planned_twice'];
    this.#calls.set(key, {planned: event, at, done: false});
    return seq > next ? ['seq_gap'] : [];
  }

  /** A Result, which ends its call (EVT-061). */
  #passResult(event) {
    const call = this.#calls.get(keyOf(event));
    if (call === undefined) return ['result_without_planned'];
    if (call.done) return ['result_twice'];
    call.done = true;
    const codes = [];
    if (hasOtherTool(event, call.planned)) codes.push('tool_mismatch');
    if (hasOtherCallId(event, call.planned)) codes.push('call_id_mismatch');
    return codes;
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

/** Whether both have a right tool, and not the same one (EVT-061). */
function hasOtherTool(result, planned) {
  return hasRight(result, 'tool') && hasRight(planned, 'tool') && result.tool !== planned.tool;
}

/** Whether the call ids differ, and none has a wrong value; an absent one has none (EVT-061). */
function hasOtherCallId(result, planned) {
  const isJudged = [result, planned].every((event) =>
    !Object.hasOwn(event, 'tool_call_id') || hasRight(event, 'tool_call_id'));
  return isJudged && result.tool_call_id !== planned.tool_call_id;
}
