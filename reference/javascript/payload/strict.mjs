// Whether `strict` may stand in the functions of a request (PAY-047).

import {own} from '../shared/json_text.mjs';

/** Why the `strict` of a function goes, or null; `kept` are all kept tools as `{tool, judged}`. */
export function strictJudge(kept, strictField) {
  const isUniform = kept.every(({tool, judged}) =>
    own(tool.function, 'strict') === true && !judged.isOpen);
  const isTaken = strictField === 'any' || (strictField === 'uniform' && isUniform);
  return (target, isOpen) => {
    const strict = own(target, 'strict');
    if (typeof strict !== 'boolean') return 'strict_not_boolean'; // PAY-047
    if (strict && isOpen) return 'strict_not_taken';
    return isTaken ? null : 'strict_not_taken';
  };
}
