// The operations of the capability contract by name. None of them needs an environment (CAP-052).

import {effectiveTools} from './capability_effective.mjs';
import {planTurn} from './capability_plan.mjs';
import {filterPrompt} from './capability_prompt.mjs';
import {resolve} from './capability_resolve.mjs';

export const operations = {
  'capability.resolve': (input) => resolve(input),
  'capability.effective_tools': (input) => effectiveTools(input),
  'capability.plan_turn': (input) => planTurn(input),
  'capability.filter_prompt': (input) => filterPrompt(input),
};
