// From an operation of a contract, which gives errors as data, to a function for programs.

import {plain, withSent} from './border.mjs';
import {resultOf} from './errors.mjs';

/** The function of an operation: it copies its input, and returns the result or throws. */
export function published(operation, perform) {
  return (input, env = {}) => {
    const given = plain(input, 'input');
    return resultOf(perform(given, env), operation, given);
  };
}

/** The same where a member of the input is what a server sent: it is judged as deep as it is. */
export function publishedForReplies(operation, perform, name) {
  return (input, env = {}) => {
    const given = withSent(input, name);
    return resultOf(perform(given, {...env, isSent: true}), operation, given);
  };
}
