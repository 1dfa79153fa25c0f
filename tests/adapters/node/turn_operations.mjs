// The operations of the turn contract by name.

import {prepare} from './turn_prepare.mjs';
import {receive} from './turn_receive.mjs';
import {settle} from './turn_settle.mjs';
import {stream} from './turn_stream.mjs';

export const operations = {
  'turn.prepare': (input) => prepare(input),
  // Under test nothing makes its own ids, so an absent list is an empty one.
  'turn.receive': (input, env) => receive(input, {ids: env.ids ?? []}),
  'turn.stream': (input, env) => stream(input, {ids: env.ids ?? []}),
  'turn.settle': (input) => settle(input),
};
