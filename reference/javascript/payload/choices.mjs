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
  return thinks(request, flags.thinks_unasked) ? [...flags.refused_choices, ...flags.refused_thinking] : flags.refused_choices;
}

/**
 * `{choice, only}`, what says the same as a forced choice that the endpoint refuses, or null: beside
 * a single tool `required` and its name say the same, so the others go (PAY-042).
 */
export function nearestChoice(request, capability, kept, flags) {
  const choice = own(request, 'tool_choice');
  const kind = kindOfChoice(choice);
  const sent = (name) => sentName(name, flags.name_start);
  const names = kept.map(({tool}) => sent(tool.function.name));
  if (kind !== 'named' && !(kind === 'required' && kept.length === 1)) return null;
  const name = kind === 'named' ? sent(choice.function.name) : names[0];
  const other = kind === 'named' ? 'required' : 'named';
  if (!offersChoice(capability, kind) || isOffered(kind, request, capability, flags)) return null;
  if (!isOffered(other, request, capability, flags) || !names.includes(name)) return null;
  const named = {type: 'function', function: {name}};
  return {choice: kind === 'named' ? other : named, only: kept[names.indexOf(name)]};
}

/** Whether the endpoint refuses a choice that is forced. */
export function isForcedInVain(request, flags) {
  const kind = kindOfChoice(own(request, 'tool_choice'));
  return ['required', 'named'].includes(kind) && refusedChoices(request, flags).includes(kind);
}
