// The payload contract: is a tool call sound, and may a request or a history leave as it is?

import {
  PAYLOAD_CHECK_TOOL_CALL, PAYLOAD_FLATTEN_HISTORY, PAYLOAD_SANITIZE_HISTORY,
  PAYLOAD_SANITIZE_REQUEST,
} from '../shared/form_data.mjs';
import {published} from '../shared/public.mjs';
import {flattenHistory as flatten} from './flatten.mjs';
import {sanitizeHistory as history} from './history.mjs';
import {sanitizeRequest as request} from './request.mjs';
import {checkToolCall as check} from './tool_call.mjs';

export {CommonCallError} from '../shared/errors.mjs';
export {loadProfile, profileIds} from './profiles.mjs';

/** Judges a tool call as a model gave it. */
export const checkToolCall = /* @__PURE__ */ published(PAYLOAD_CHECK_TOOL_CALL, check);

/** Makes a request ready to leave. */
export const sanitizeRequest = /* @__PURE__ */ published(PAYLOAD_SANITIZE_REQUEST, request);

/** Makes a history ready to leave. */
export const sanitizeHistory = /* @__PURE__ */ published(PAYLOAD_SANITIZE_HISTORY, history);

/** Writes the calls and results of a history as text, for a model without tools. */
export const flattenHistory = /* @__PURE__ */ published(PAYLOAD_FLATTEN_HISTORY, flatten);
