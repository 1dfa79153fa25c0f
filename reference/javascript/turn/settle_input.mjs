// Whether the input of turn.settle is one (TRN-040).

import {TURN_SETTLE} from '../shared/form_data.mjs';
import {isBad} from '../shared/forms.mjs';

export function isBadSettle(input) {
  if (isBad(TURN_SETTLE, input)) return true;
  const {received, outcomes} = input;
  if (!areOnce(outcomes, new Set(received.dispatch.map(({seq}) => seq)))) return true;
  return !isConsistent(received);
}

/** Whether the parts of a received turn speak of the same calls of one request. */
function isConsistent({planned, dispatch, answers, calls}) {
  const all = new Set(planned.keys());
  return planned.every(({seq, request_id: id}, at) => seq === at && id === planned[0].request_id) &&
    dispatch.length + answers.length === planned.length &&
    areOnce([...dispatch, ...answers], all) && areOnce(calls, all);
}

/** Whether each object has a `seq` of a set that no other has. */
function areOnce(objects, allowed) {
  const seqs = new Set(objects.map(({seq}) => seq));
  return seqs.size === objects.length && [...seqs].every((seq) => allowed.has(seq));
}
