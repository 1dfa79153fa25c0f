// What a capability says of tools (vocabulary: support, stated choices, stated parallel calls).

import {isObject, own} from './json_text.mjs';

const CHOICES = ['auto', 'none', 'required', 'named'];

/** Whether a capability supports tool calls. */
export function supportsTools(capability) {
  return isObject(capability) && own(capability, 'tool_calls_supported') === true;
}

/** The stated choices of a capability: a list, or null where nothing is stated. */
function statedChoices(capability) {
  if (!supportsTools(capability)) return [];
  const stated = own(capability, 'tool_choice') ?? null;
  if (stated === null) return null;
  const isReadable = Array.isArray(stated) && stated.every((choice) => CHOICES.includes(choice));
  return isReadable ? CHOICES.filter((choice) => stated.includes(choice)) : [];
}

/** Whether a capability offers a kind of choice (payload: offered choice). */
export function offersChoice(capability, kind) {
  const stated = statedChoices(capability);
  return stated === null || stated.includes(kind);
}

/** A choice as a string where it is an object that says no more (payload: offered choice). */
export function choiceWord(choice) {
  if (!isObject(choice) || Object.keys(choice).length !== 1) return choice;
  const type = own(choice, 'type');
  if (type === 'any') return 'required';
  return type !== 'named' && CHOICES.includes(type) ? type : choice;
}

/** Whether a capability says that there are no parallel calls (PAY-042). */
export function refusesParallelCalls(capability) {
  if (!supportsTools(capability)) return true;
  const stated = own(capability, 'parallel_tool_calls') ?? null;
  return stated !== null && stated !== true;
}
