import type {ErrorCode} from '../types/errors.js';

export type {ErrorCode} from '../types/errors.js';

/** An input has no result. The message names the place where one is known. */
export declare class CommonCallError extends Error {
  constructor(error: {code: ErrorCode; [more: string]: unknown}, message: string);
  readonly name: 'CommonCallError';
  /** The code of the contract. */
  readonly code: ErrorCode;
  /** Of `form_not_chat_completions`: the interface that has this form. */
  readonly form?: string;
  /** Of `form_not_chat_completions`: where it shows, as a JSON Pointer. */
  readonly path?: string;
}
