// The operations of the contract interface.

import {readEvents} from './events.mjs';
import {read} from './read.mjs';
import {readReply} from './reply.mjs';
import {write} from './write.mjs';
import {writeEvents, writeReply} from './writing.mjs';

export const operations = {
  'interface.read': (input) => read(input),
  'interface.write': (input) => write(input),
  'interface.read_reply': (input) => readReply(input),
  'interface.read_events': (input) => readEvents(input),
  'interface.write_reply': (input) => writeReply(input),
  'interface.write_events': (input) => writeEvents(input),
};
