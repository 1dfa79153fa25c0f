// Which choices an endpoint takes, and what is sent in place of one (payload: offered choice;
// PAY-042).

import {own} from '../shared/json_text.mjs';
import {offersChoice} from '../shared/stated_capability.mjs';
import {kindOfChoice} from './request_tools.mjs';
import {sentName} from './sent_name.mjs';
import {thinks} from './thinking.mjs';

/** Whether a kind of choice is offered for a request: by the model, and by the endpoint. */
export function isOffered(kind, request, capability, flags) {
  return offersChoice(capability, kind) && !refusedChoices(request, flags).includes(kind);
}

/** The kinds of choice that the endpoint refuses. */
function refusedChoices(request, flags) {
  const isThinking = flags.refused_thinking.length > 0 && thinks(request, flags.thinks_unasked);
  return [...flags.refused_choices, ...(isThinking ? flags.refused_thinking : [])];
}

/**
 * The choice that says the same as a forced one that the endpoint refuses, or null: beside a single
 * tool `required` and its name say the same (PAY-042).
 */
export function nearestChoice(request, capability, kept, flags) {
  const choice = own(request, 'tool_choice');
  const kind = kindOfChoice(choice);
  if (kept.length !== 1 || !offersChoice(capability, kind)) return null;
  if (!refusedChoices(request, flags).includes(kind)) return null;
  // Where the other one is not offered either, the error of the request says so.
  const name = sentName(kept[0].tool.function.name, flags.name_start);
  if (kind === 'required') return {type: 'function', function: {name}};
  const isThisTool = kind === 'named' && sentName(choice.function.name, flags.name_start) === name;
  return isThisTool ? 'required' : null;
}
