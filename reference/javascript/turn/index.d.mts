import type {
  PrepareInput, PrepareResult, ReceiveInput, ReceiveResult, SettleInput, SettleResult, TurnStreamFinding,
  TurnStreamInput, TurnStreamMessage, TurnStreamResult, TurnStreamShown,
} from '../types/turn.js';

export {CommonCallError, type ErrorCode} from '../shared/errors.mjs';
export type * from '../types/turn.js';

/**
 * Makes a request ready to leave: which tools, which history, which prompt. The request that leaves is
 * of the type of the given one, which is that of the package that sends it.
 */
export declare function prepare<Request>(
  input: PrepareInput & {request: Request},
): PrepareResult & {request: Request};

/** Reads the message that a model gave; `plan`, `request` and `aliases` are what `prepare` returned. */
export declare function receive(input: ReceiveInput, env?: {ids?: readonly string[]}): ReceiveResult;

/** Makes of a received turn and the outcomes of its calls the events and the messages to store. */
export declare function settle(input: SettleInput): SettleResult;

/** Reads a message in chunks at once. */
export declare function receiveStream(
  input: TurnStreamInput, env?: {ids?: readonly string[]},
): TurnStreamResult;

/** The message for `receive` of a choice of Chat Completions. */
export declare function messageOf<Message extends {role: 'assistant'}>(
  choice: {message: Message; finish_reason?: string | null},
): ReceiveInput['message'];

/** The input of `receive` without its message. */
export type TurnOptions = Omit<TurnStreamInput, 'chunks'>;

/** Reads a message that arrives in chunks: `feed` each, then `finish`. No call may be run before. */
export declare class TurnStream {
  constructor(options: TurnOptions, env?: {ids?: readonly string[]});
  /** What is still to be shown, after `finish`. */
  get rest(): TurnStreamShown[];
  /** The message, after `finish`; null before. */
  get message(): TurnStreamMessage | null;
  /** What was wrong with the chunks. */
  get findings(): TurnStreamFinding[];
  /** Takes a chunk of Chat Completions; returns what can be shown now. */
  feed<Chunk extends {choices: readonly unknown[]} | {error: object}>(chunk: Chunk): TurnStreamShown[];
  /** Takes the end; returns what `receive` gives for the whole message. */
  finish(): ReceiveResult;
}
