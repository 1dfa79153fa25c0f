// The capability contract: which tools does a model get in this turn, and what is it told of them?

import {published} from '../shared/public.mjs';
import {operations} from './operations.mjs';

export {CommonCallError} from '../shared/errors.mjs';

const publish = (name) => published(name, operations[name]);

/** Says what the registries know of the first target that they know. */
export const resolve = /* @__PURE__ */ publish('capability.resolve');

/** Says which registered tools every layer allows. */
export const effectiveTools = /* @__PURE__ */ publish('capability.effective_tools');

/** Plans a turn: which tools are sent and how calls are read. */
export const planTurn = /* @__PURE__ */ publish('capability.plan_turn');

/** Leaves out of a prompt what speaks of tools that the model does not get. */
export const filterPrompt = /* @__PURE__ */ publish('capability.filter_prompt');
