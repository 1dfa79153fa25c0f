import type {
  CheckToolCallInput, CheckToolCallResult, FlattenHistoryInput, FlattenHistoryResult,
  SanitizeHistoryInput, SanitizeHistoryResult, SanitizeRequestInput, SanitizeRequestResult,
} from '../types/payload.js';
import type {ProfileInput, ProfileOrigin} from '../types/profile.js';

import type {ProfileName} from './profile_names.mjs';

export type {ProfileName};
export {CommonCallError, type ErrorCode} from '../shared/errors.mjs';
export type * from '../types/payload.js';
export type * from '../types/profile.js';

/** Judges a tool call as a model gave it. */
export declare function checkToolCall(input: CheckToolCallInput): CheckToolCallResult;

/** Makes a request ready to leave, which stays of its type. */
export declare function sanitizeRequest<Request>(
  input: SanitizeRequestInput & {request: Request},
): SanitizeRequestResult & {request: Request};

/** Makes a history ready to leave. */
export declare function sanitizeHistory(input: SanitizeHistoryInput): SanitizeHistoryResult;

/** Writes the calls and results of a history as text, for a model without tools. */
export declare function flattenHistory(input: FlattenHistoryInput): FlattenHistoryResult;

/** The ids of the profiles that there are. */
export declare const profileIds: readonly ProfileName[];

/**
 * The flags of a profile; `strict` has the strict value of each. `origin` says where the request
 * goes: profiles that name what is opaque need it for histories. An unknown name is a `RangeError`.
 */
export declare function loadProfile(name: ProfileName, options?: {origin?: ProfileOrigin}): ProfileInput;
