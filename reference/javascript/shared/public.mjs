// From an operation of a contract, which gives errors as data, to a function for programs.

import {plain} from './border.mjs';
import {resultOf} from './errors.mjs';

/** The function of an operation: it copies its input, which has a form, and returns the result or throws. */
export function published(form, perform) {
  return (input, env = {}) => {
    const given = plain(input, 'input');
    return resultOf(perform(given, env), form, given);
  };
}
