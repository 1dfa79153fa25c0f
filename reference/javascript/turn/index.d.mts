import type {
  PrepareInput, PrepareResult, ReceiveInput, ReceiveResult, SettleInput, SettleResult, TurnStreamFinding,
  TurnStreamInput, TurnStreamMessage, TurnStreamResult, TurnStreamShown,
} from '../types/turn.js';

import type {ProfileName} from '../payload/profile_names.mjs';
import type {ExtractFormat} from '../types/extraction.js';
import type {ReadInterface} from '../types/interface.js';
import type {ProfileInput} from '../types/profile.js';

export {CommonCallError, type ErrorCode} from '../shared/errors.mjs';
export type * from '../types/turn.js';

/** What need not be said: see `prepare`. */
type Said<Input> = Input extends unknown ? Partial<Omit<Input, 'request' | 'profile'>> : never;

/** What the way back takes from the way out, unless it is told otherwise. */
export type Reading = Pick<ReceiveInput, 'disposition'> & {
  format?: ExtractFormat;
  profile?: ProfileInput;
  tools: readonly unknown[];
  native?: Native;
};

/** A turn in another interface: where the request goes, and the request as `receive` knows it. */
export type Native = {
  interface: ReadInterface;
  origin: {provider: string; model: string};
  request: unknown;
  tools: unknown;
};

/** What `receive` gives for a reply of another interface; `reply` is what came, as its history has it. */
export type NativeReceived = ReceiveResult & {reply: unknown[]};

/** What `prepare` returned for a request of another interface. */
export type NativeSent<Request = unknown> = Sent<Request> & {reading: Reading & {native: Native}};

/** What `prepare` returned. */
export type Sent<Request = unknown> = PrepareResult & {request: Request; reading?: Reading};

/**
 * Makes a request ready to leave: which tools, which history, which prompt. The request that leaves is
 * of the type of the given one, which is that of the package that sends it.
 *
 * `capability` says whether the model takes tools, in the place of `registries` and `targets`. Then the rest
 * need not be said: the tools of the request are registered, no policy holds, an invalid call is answered,
 * and the format goes by the model of the request. `interface` is the form that the request has, and that what
 * comes back, is streamed and stored will have. Its endpoint is the profile where none is given.
 */
export declare function prepare<Request>(
  input: PrepareInput & {request: Request},
): PrepareResult & {request: Request};
export declare function prepare<Request>(input: Said<PrepareInput> & {
  request: Request;
  capability: boolean;
  interface: ReadInterface;
  format?: ExtractFormat | 'auto' | null;
  profile?: ProfileName | ProfileInput;
}): NativeSent<Request>;
export declare function prepare<Request>(input: Said<PrepareInput> & {
  request: Request;
  capability: boolean;
  format?: ExtractFormat | 'auto' | null;
  profile?: ProfileName | ProfileInput;
}): Sent<Request>;

/** A choice of Chat Completions. */
type Choice<Message = {role: 'assistant'}> = {message: Message; finish_reason?: string | null};

/** The message that a model gave, or the choice that holds it. */
type Given = {choice: Choice} | {message: ReceiveInput['message']};

/**
 * Reads the message that a model gave. `sent` is what `prepare` returned, with all that it knows for the
 * way back. `reply` is one of the interface that `prepare` was given.
 */
export declare function receive(
  input: Said<Omit<ReceiveInput, 'message'>> & {sent: NativeSent; reply: object}, env?: {ids?: readonly string[]},
): NativeReceived;
export declare function receive(input: ReceiveInput, env?: {ids?: readonly string[]}): ReceiveResult;
export declare function receive(
  input: Said<Omit<ReceiveInput, 'message'>> & {sent: Sent} & Given, env?: {ids?: readonly string[]},
): ReceiveResult;

/** Makes of a received turn and the outcomes of its calls the events and the messages to store. */
export declare function settle(
  input: Omit<SettleInput, 'received'> & {received: ReceiveResult; sent: NativeSent},
): Omit<SettleResult, 'history'> & {history: object[]};
export declare function settle(input: SettleInput & {sent?: Sent}): SettleResult;

/** Reads a message in chunks at once. */
export declare function receiveStream(
  input: TurnStreamInput, env?: {ids?: readonly string[]},
): TurnStreamResult;

/** The message for `receive` of a choice of Chat Completions. */
export declare function messageOf<Message extends {role: 'assistant'}>(
  choice: {message: Message; finish_reason?: string | null},
): ReceiveInput['message'];

/** A message as a client of Chat Completions reads it. */
export type ClientMessage = {
  content: string | null;
  tool_calls: {id: string; type: 'function'; function: {name: string; arguments: string}}[];
  finish_reason: string | null;
  notes: string[];
};

/**
 * A received message as a client of Chat Completions reads it: `tool_calls` are those that can be run, those that
 * stood in the text among them, and `notes` what the model would read of the others, each once. The reason of
 * the server why a message ended stays where it was cut off.
 */
export declare function clientMessage(received: ReceiveResult, finishReason?: string | null): ClientMessage;

/** The input of `receive` without its message. */
export type TurnOptions =
  | Omit<TurnStreamInput, 'chunks'>
  | (Said<Omit<TurnStreamInput, 'chunks'>> & {sent: Sent});

/** Reads a message that arrives in chunks: `feed` each, then `finish`. No call may be run before. */
export declare class TurnStream {
  constructor(options: TurnOptions, env?: {ids?: readonly string[]});
  /** What is still to be shown, after `finish`. */
  get rest(): TurnStreamShown[];
  /** The message, after `finish`; null before. */
  get message(): TurnStreamMessage | null;
  /** What was wrong with the chunks. */
  get findings(): TurnStreamFinding[];
  /** Takes a chunk of Chat Completions, or an event of the interface; returns what can be shown now. */
  feed<Chunk extends {choices: readonly unknown[]} | {error: object | string} | {type: string} | {message: object} | '[DONE]'>(chunk: Chunk): TurnStreamShown[];
  /** Takes the end; returns what `receive` gives for the whole message. */
  finish(): ReceiveResult;
}
