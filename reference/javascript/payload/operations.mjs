// The operations of the contract payload that make requests and histories ready to leave.

import {flattenHistory} from './flatten.mjs';
import {sanitizeHistory} from './history.mjs';
import {sanitizeRequest} from './request.mjs';

export const operations = {
  'payload.sanitize_request': (input) => sanitizeRequest(input),
  'payload.sanitize_history': (input) => sanitizeHistory(input),
  'payload.flatten_history': (input) => flattenHistory(input),
};
