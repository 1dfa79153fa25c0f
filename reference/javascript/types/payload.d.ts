import type {
  CheckToolCallInput, CheckToolCallResult, FlattenHistoryInput, FlattenHistoryResult, ProfileInput, ProfileOrigin,
  SanitizeHistoryInput, SanitizeHistoryResult, SanitizeRequestInput, SanitizeRequestResult,
} from './schemas.js';

export type * from './schemas.js';
export {CommonCallError} from './errors.js';

/** Judges a tool call as a model gave it. */
export function checkToolCall(input: CheckToolCallInput): CheckToolCallResult;

/** Makes a request ready to leave. */
export function sanitizeRequest(input: SanitizeRequestInput): SanitizeRequestResult;

/** Makes a history ready to leave. */
export function sanitizeHistory(input: SanitizeHistoryInput): SanitizeHistoryResult;

/** Writes the calls and results of a history as text, for a model without tools. */
export function flattenHistory(input: FlattenHistoryInput): FlattenHistoryResult;

/** The ids of the profiles that there are. */
export const profileIds: readonly string[];

/**
 * The flags of a profile; `strict` takes what every provider takes. `origin` says where the request
 * goes: profiles that name what is opaque need it for histories.
 */
export function loadProfile(name: string, options?: {origin?: ProfileOrigin}): ProfileInput;
