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

// How many strict tools, members that are not required, and choices of types one request has.
const GRAMMAR = [20, 24, 16];

/** Kept tools; those that are over are open ones (payload: strict grammar). */
export function withinGrammar(kept) {
  let spent = GRAMMAR.map(() => 0);
  return kept.map((one) => {
    const {tool, judged} = one;
    if (own(tool.function, 'strict') !== true || judged.isOpen) return one;
    const total = spent.map((before, at) => before + judged.grammar[at]);
    const isOver = total.some((each, at) => each > GRAMMAR[at]);
    if (!isOver) spent = total;
    return {...one, judged: {...judged, isOpen: isOver}};
  });
}
