// The interface contract: requests of another interface in the form of the contracts, and back.

import {
  INTERFACE_READ, INTERFACE_READ_EVENTS, INTERFACE_READ_REPLY, INTERFACE_WRITE,
  INTERFACE_WRITE_EVENTS, INTERFACE_WRITE_REPLY,
} from '../shared/form_data.mjs';
import {published} from '../shared/public.mjs';
import {readEvents as events} from './events.mjs';
import {read} from './read.mjs';
import {readReply as reply} from './reply.mjs';
import {write} from './write.mjs';
import {writeEvents as eventsOf, writeReply as replyOf} from './writing.mjs';

export {CommonCallError} from '../shared/errors.mjs';

/** Reads a request of an interface; nothing of it is lost, and `writeRequest` gives it back. */
export const readRequest = /* @__PURE__ */ published(INTERFACE_READ, read);

/** Writes a request in the form of an interface. */
export const writeRequest = /* @__PURE__ */ published(INTERFACE_WRITE, write);

/** Reads the reply of a model: `message` is for `receive`, `history` for the request of the interface. */
export const readReply = /* @__PURE__ */ published(INTERFACE_READ_REPLY, reply);

/** Reads the events of a streamed reply at once. */
export const readEvents = /* @__PURE__ */ published(INTERFACE_READ_EVENTS, events);

/** Writes a reply of Chat Completions in the form of an interface. */
export const writeReply = /* @__PURE__ */ published(INTERFACE_WRITE_REPLY, replyOf);

/** Writes the chunks of a streamed reply as the events of an interface at once. */
export const writeEvents = /* @__PURE__ */ published(INTERFACE_WRITE_EVENTS, eventsOf);
