// The operations of the turn contract by name.

import {prepare} from './prepare.mjs';
import {receive} from './receive.mjs';
import {settle} from './settle.mjs';
import {stream} from './stream.mjs';

export const operations = {
  'turn.prepare': (input) => prepare(input),
  // Under test nothing makes its own ids, so an absent list is an empty one.
  'turn.receive': (input, env) => receive(input, {ids: env.ids ?? []}),
  'turn.stream': (input, env) => stream(input, {ids: env.ids ?? []}),
  'turn.settle': (input) => settle(input),
};
