// Tools and choices of a request, and the form in which they are sent (PAY-046 to PAY-050).

import {isBlankText} from './characters.mjs';
import {isObject, own} from './json_text.mjs';
import {isNothing} from './payload_members.mjs';
import {sentName} from './payload_sent_name.mjs';

const WORDS = ['auto', 'none', 'required'];

/** Whether an element of `tools` can be sent (payload: kept tools). */
export function isKeptTool(tool) {
  const name = functionName(tool);
  return typeof name === 'string' && !isBlankText(name);
}

/** The kind of a choice, or null (payload: kind of choice). */
export function kindOfChoice(choice) {
  if (WORDS.includes(choice)) return choice;
  return typeof functionName(choice) === 'string' ? 'named' : null;
}

/** The `name` in the `function` of an object of the type `function`, or undefined. */
function functionName(value) {
  if (!isObject(value) || own(value, 'type') !== 'function') return undefined;
  const target = own(value, 'function');
  return isObject(target) ? own(target, 'name') : undefined;
}

/** The kept tools in their sent form, and the entries of `aliases`; changes are reported. */
export function sendTools(kept, findings) {
  const aliases = [];
  const tools = kept.map(({tool, at}) => {
    const path = ['request', 'tools', at];
    const target = tool.function;
    const name = sentName(target.name);
    if (name !== target.name) aliases.push([name, target.name]); // PAY-050
    const sent = sendName(withoutNulls(target, [...path, 'function'], findings, 'parameters'),
      [...path, 'function'], findings);
    if (isNothing(own(target, 'parameters'))) { // PAY-047
      sent.parameters = {type: 'object', properties: {}};
      findings.add('parameters_added', [...path, 'function', 'parameters']);
    }
    return {...withoutNulls(tool, path, findings), function: sent};
  });
  return {tools, aliases};
}

/** A choice in its sent form (PAY-049). */
export function sendChoice(choice, findings) {
  if (kindOfChoice(choice) !== 'named') return choice;
  const path = ['request', 'tool_choice', 'function'];
  return {...choice, function: sendName(choice.function, path, findings)};
}

/** A `function` with the sent name in it (PAY-048, PAY-049). */
function sendName(target, path, findings) {
  const name = sentName(target.name);
  if (name !== target.name) findings.add('name_aliased', [...path, 'name']);
  return {...target, name};
}

/** A copy without the members that are null, but for one (PAY-046). */
function withoutNulls(object, path, findings, except) {
  return Object.fromEntries(Object.entries(object).filter(([name, value]) => {
    if (value !== null || name === except) return true;
    findings.add('null_omitted', [...path, name]);
    return false;
  }));
}
