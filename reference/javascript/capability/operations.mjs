// The operations of the capability contract by name. None of them needs an environment (PAY-025).

import {effectiveTools} from './effective.mjs';
import {planTurn} from './plan.mjs';
import {filterPrompt} from './prompt.mjs';
import {resolve} from './resolve.mjs';

export const operations = {
  'capability.resolve': (input) => resolve(input),
  'capability.effective_tools': (input) => effectiveTools(input),
  'capability.plan_turn': (input) => planTurn(input),
  'capability.filter_prompt': (input) => filterPrompt(input),
};
