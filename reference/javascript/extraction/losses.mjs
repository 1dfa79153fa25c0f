// The calls that were meant and could not be read, and the blocks that meant none.
// A loss is `{before, name, code}`, with the number of calls of its block that stand before it.

import {isMessage} from './dialects.mjs';
import {TOO_LARGE, UNREADABLE} from '../event/errors.mjs';

const MEANT_NO_CALL = ['declaration', 'not_a_call', 'empty'];

/** The losses of a block that is rejected as a whole (extraction: unreadable call). */
export function lossesOfBlock({header = ''}, code) {
  return header !== '' || code !== 'empty' ? [{before: 0, name: null, code}] : [];
}

/** The losses among the verdicts of a block; a rejected message is one, whatever its code. */
export function lossesOfVerdicts(verdicts, form) {
  const losses = [];
  let before = 0;
  for (const {call, code, name = null} of verdicts) {
    if (call !== undefined) before++;
    else if (isMessage(form) || !MEANT_NO_CALL.includes(code)) losses.push({before, name, code});
  }
  const isNoCall = before === 0 && losses.length === 0;
  const code = 'not_a_call';
  if (isNoCall && verdicts.some((each) => each.code === code)) losses.push({before, name: null, code});
  return losses;
}

/** The unreadable calls of a text (EXT-165). */
export function toUnreadable(pieces) {
  const unreadable = [];
  let calls = 0;
  for (const {losses = [], calls: own = 0} of pieces) {
    for (const {before, name, code} of losses) {
      const type = code === 'payload_too_large' ? TOO_LARGE : UNREADABLE;
      unreadable.push({before: calls + before, name, error_type: type});
    }
    calls += own;
  }
  return unreadable;
}

/** How many rejected blocks meant no call, and how many messages were dropped (EXT-166). */
export function countRemoved(pieces) {
  const isRemoved = ({kind, losses}) =>
    kind === 'message' || (kind === 'rejected' && losses.length === 0);
  return pieces.filter(isRemoved).length;
}
