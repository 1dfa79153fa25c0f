// The payload contract: is a tool call sound, and may a request or a history leave as it is?

import {published} from '../shared/public.mjs';
import {flattenHistory as flatten} from './flatten.mjs';
import {sanitizeHistory as history} from './history.mjs';
import {sanitizeRequest as request} from './request.mjs';
import {checkToolCall as check} from './tool_call.mjs';

export {CommonCallError} from '../shared/errors.mjs';
export {loadProfile, profileIds} from './profiles.mjs';

/** Judges a tool call as a model gave it. */
export const checkToolCall = /* @__PURE__ */ published('payload.check_tool_call', check);

/** Makes a request ready to leave. */
export const sanitizeRequest = /* @__PURE__ */ published('payload.sanitize_request', request);

/** Makes a history ready to leave. */
export const sanitizeHistory = /* @__PURE__ */ published('payload.sanitize_history', history);

/** Writes the calls and results of a history as text, for a model without tools. */
export const flattenHistory = /* @__PURE__ */ published('payload.flatten_history', flatten);
