import type {
  ReadEventsInput, ReadEventsResult, ReadInput, ReadReplyInput, ReadReplyResult, ReadResult, WriteEventsInput,
  WriteEventsResult, WriteInput, WriteReplyInput, WriteReplyResult, WriteResult,
} from '../types/interface.js';

export {CommonCallError, type ErrorCode} from '../shared/errors.mjs';
export type * from '../types/interface.js';

/** Reads a request of an interface; nothing of it is lost, and `writeRequest` gives it back. */
export declare function readRequest(input: ReadInput): ReadResult;

/** Writes a request in the form of an interface. */
export declare function writeRequest(input: WriteInput): WriteResult;

/** Reads the reply of a model: `message` is for `receive`, `history` for the request of the interface. */
export declare function readReply(input: ReadReplyInput): ReadReplyResult;

/** Reads the events of a streamed reply at once. */
export declare function readEvents(input: ReadEventsInput): ReadEventsResult;

/** Writes a reply of Chat Completions in the form of an interface. */
export declare function writeReply(input: WriteReplyInput): WriteReplyResult;

/** Writes the chunks of a streamed reply as the events of an interface at once. */
export declare function writeEvents(input: WriteEventsInput): WriteEventsResult;
