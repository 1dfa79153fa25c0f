// The operation capability.filter_prompt.

import {CAPABILITY_FILTER_PROMPT} from '../shared/form_data.mjs';
import {isBad} from '../shared/forms.mjs';
import {isObject} from '../shared/json_text.mjs';

/** `{result}` or `{error}`: the sections of a prompt that a turn has a use for. */
export function filterPrompt(input) {
  if (isBad(CAPABILITY_FILTER_PROMPT, input)) return {error: {code: 'invalid_input'}};
  const {sections, plan} = input;
  const first = sections.findIndex(({needs}) => needs === 'protocol');
  const effective = new Set(plan.effective);
  const stays = ({needs}, at) =>
    isNeeded(needs, plan, effective) && (needs !== 'protocol' || at === first); // CAP-046
  return {result: {sections: sections.filter(stays)}};
}

/** Whether a turn has what a section needs. */
function isNeeded(needs, plan, effective) {
  if (needs === null) return true; // CAP-046
  if (isObject(needs)) return effective.has(needs.tool);
  if (effective.size === 0) return false;
  if (needs === 'catalogue') return plan.prompt_catalogue;
  if (needs === 'protocol') return plan.prompt_protocol;
  return true;
}
