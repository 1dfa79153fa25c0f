// The operation capability.filter_prompt (CAP-045 to CAP-051, CAP-056).

import {hasMembers, isStrings} from '../shared/envelope.mjs';
import {isObject, isTooDeep, own} from '../shared/json_text.mjs';

const WORDS = ['tools', 'catalogue', 'protocol'];

/** `{result}` or `{error}`: the sections of a prompt that a turn has a use for. */
export function filterPrompt(input) {
  if (isBadInput(input)) return {error: {code: 'invalid_input'}};
  const {sections, plan} = input;
  const first = sections.findIndex(({needs}) => needs === 'protocol');
  const effective = new Set(plan.effective);
  const stays = ({needs}, at) =>
    isNeeded(needs, plan, effective) && (needs !== 'protocol' || at === first); // CAP-056
  return {result: {sections: sections.filter(stays)}}; // CAP-046
}

/** Whether the input is none (CAP-045). */
function isBadInput(input) {
  if (!hasMembers(input, ['sections', 'plan'])) return true;
  const {sections, plan} = input;
  if (!Array.isArray(sections) || !sections.every(isSection) || !isObject(plan)) return true;
  return !isStrings(own(plan, 'effective')) ||
    typeof own(plan, 'prompt_catalogue') !== 'boolean' ||
    typeof own(plan, 'prompt_protocol') !== 'boolean' || isTooDeep(input);
}

/** Whether a value is a section (capability: prompt section). */
function isSection(value) {
  return hasMembers(value, ['id', 'needs', 'text']) && typeof value.id === 'string' &&
    typeof value.text === 'string' && isNeed(value.needs);
}

function isNeed(needs) {
  if (needs === null || WORDS.includes(needs)) return true;
  return hasMembers(needs, ['tool']) && typeof needs.tool === 'string';
}

/** Whether a turn has what a section needs. */
function isNeeded(needs, plan, effective) {
  if (needs === null) return true; // CAP-047
  if (isObject(needs)) return effective.has(needs.tool); // CAP-049
  if (effective.size === 0) return false;
  if (needs === 'catalogue') return plan.prompt_catalogue; // CAP-050
  if (needs === 'protocol') return plan.prompt_protocol; // CAP-051
  return true; // CAP-048
}
