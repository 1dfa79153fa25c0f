// How one capability is read, whatever it is (vocabulary: Capabilities).

import {isObject, own} from '../shared/json_text.mjs';

export const CHOICES = ['auto', 'none', 'required', 'named'];

/** Whether a capability supports tool calls: `true` and nothing else does (vocabulary: support). */
export function supports(capability) {
  return isObject(capability) && own(capability, 'tool_calls_supported') === true;
}

/** Whether a value is an array of words that name choices. */
export function isChoices(value) {
  return Array.isArray(value) && value.every((word) => CHOICES.includes(word));
}

/** Null, or the list of choices in its fixed order (vocabulary: stated choices). */
export function statedChoices(capability) {
  if (!supports(capability)) return [];
  const choices = own(capability, 'tool_choice') ?? null;
  if (choices === null) return null;
  return isChoices(choices) ? CHOICES.filter((word) => choices.includes(word)) : [];
}

/** Null or a boolean (vocabulary: stated parallel calls). */
export function statedParallelCalls(capability) {
  if (!supports(capability)) return false;
  const parallel = own(capability, 'parallel_tool_calls') ?? null;
  return parallel === null || parallel === true ? parallel : false;
}
