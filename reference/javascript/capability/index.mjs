// The capability contract: which tools does a model get in this turn, and what is it told of them?

import {
  CAPABILITY_EFFECTIVE_TOOLS, CAPABILITY_FILTER_PROMPT, CAPABILITY_PLAN_TURN, CAPABILITY_RESOLVE,
} from '../shared/form_data.mjs';
import {published} from '../shared/public.mjs';
import {effectiveTools as effective} from './effective.mjs';
import {planTurn as plan} from './plan.mjs';
import {filterPrompt as filter} from './prompt.mjs';
import {resolve as resolveTarget} from './resolve.mjs';

export {CommonCallError} from '../shared/errors.mjs';

/** Says what the registries know of the first target that they know. */
export const resolve = /* @__PURE__ */ published(CAPABILITY_RESOLVE, resolveTarget);

/** Says which registered tools every layer allows. */
export const effectiveTools = /* @__PURE__ */ published(CAPABILITY_EFFECTIVE_TOOLS, effective);

/** Plans a turn: which tools are sent and how calls are read. */
export const planTurn = /* @__PURE__ */ published(CAPABILITY_PLAN_TURN, plan);

/** Leaves out of a prompt what speaks of tools that the model does not get. */
export const filterPrompt = /* @__PURE__ */ published(CAPABILITY_FILTER_PROMPT, filter);
