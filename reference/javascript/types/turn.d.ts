import type {
  PrepareInput, PrepareResult, ReceiveInput, ReceiveResult, SettleInput, SettleResult, TurnStreamFinding, TurnStreamInput,
  TurnStreamMessage, TurnStreamResult, TurnStreamShown,
} from './schemas.js';

export type * from './schemas.js';
export {CommonCallError} from './errors.js';

/** Where the ids of calls come from; without them they are random. */
export interface TurnEnv {
  ids?: Iterable<string>;
}

/** Makes a request ready to leave: which tools, which history, which prompt. */
export function prepare(input: PrepareInput): PrepareResult;

/** Reads the message that a model gave; `plan`, `request` and `aliases` are what `prepare` returned. */
export function receive(input: ReceiveInput, env?: TurnEnv): ReceiveResult;

/** Makes of a received turn and the outcomes of its calls the events and the messages to store. */
export function settle(input: SettleInput): SettleResult;

/** Reads a message in chunks at once. */
export function receiveStream(input: TurnStreamInput, env?: TurnEnv): TurnStreamResult;

/** The message for `receive` of a choice of Chat Completions. */
export function messageOf<Message extends {role: 'assistant'}>(
  choice: {message: Message; finish_reason?: string | null},
): ReceiveInput['message'];

/** Reads a message that arrives in chunks: `feed` each, then `finish`. No call may be run before. */
export class TurnStream {
  /** `options` is the input of `receive` without its message. */
  constructor(options: Omit<ReceiveInput, 'message'>, env?: TurnEnv);
  /** Takes a chunk of Chat Completions; returns what can be shown now. */
  feed<Chunk extends {choices: readonly unknown[]} | {error: object}>(chunk: Chunk): TurnStreamShown[];
  /** Takes the end; returns what `receive` gives for the whole message. */
  finish(): ReceiveResult;
  /** What is still to be shown, after `finish`. */
  get rest(): TurnStreamShown[];
  /** The message, after `finish`; null before. */
  get message(): TurnStreamMessage | null;
  /** What was wrong with the chunks. */
  get findings(): TurnStreamFinding[];
}
