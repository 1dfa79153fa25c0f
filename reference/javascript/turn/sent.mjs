// Whether the request that was sent fits the plan (TRN-033), and names as the runtime knows them.

import {trimBlanks} from '../shared/characters.mjs';
import {isObject, own} from '../shared/json_text.mjs';
import {isFilledArray} from '../shared/json_object.mjs';
import {choiceWord} from '../shared/stated_capability.mjs';
import {toolsOf} from './tools.mjs';

/** Whether the sent tools are what the plan expects calls of, where the request is known. */
export function fitsPlan({plan, request, aliases}) {
  if (request === undefined) return true;
  if (isObject(request) && isFilledArray(own(request, 'functions'))) return false;
  const sent = toolsOf(request);
  if (!plan.parse_native_calls) return sent.length === 0;
  const names = sent.map(functionName);
  if (!names.every((name) => typeof name === 'string')) return false;
  return areSame(names.map((name) => runtimeName(name, aliases)), plan.effective);
}

/** Whether the caller switched all tools of a request off by its choice. */
export function callsNone(request) {
  return isObject(request) && choiceWord(own(request, 'tool_choice')) === 'none';
}

/** The name that the runtime knows, or null (turn: runtime name). */
export function runtimeName(name, aliases = {}) {
  return name !== null && Object.hasOwn(aliases, name) ? aliases[name] : name;
}

/** Finds the name of an effective tool that the name of a native call leads to, or the name itself (turn: meant name). */
export function meaning({plan, aliases}) {
  const effective = new Set(plan.effective);
  return (name) => {
    const cut = name.split(/<\||"/, 1)[0];
    const visible = trimBlanks(cut);
    const bare = visible.replace(/^(?:functions|tools)[./:]/, '');
    return [name, cut, visible, bare].find((each) => effective.has(runtimeName(each, aliases))) ?? name;
  };
}

/** The `name` of the `function` of a tool or a call, whatever it is, or undefined. */
export function functionName(value) {
  const target = isObject(value) ? own(value, 'function') : undefined;
  return isObject(target) ? own(target, 'name') : undefined;
}

/** The tools that a text and native calls are read with: those that were sent where nobody gave any (turn: known tool). */
export function knownTools({tools, request, aliases}) {
  if (tools !== undefined || request === undefined) return tools === undefined ? {} : {tools};
  const named = toolsOf(request).filter((tool) => typeof functionName(tool) === 'string');
  return {tools: named.map((tool) => (
    {...tool, function: {...tool.function, name: runtimeName(tool.function.name, aliases)}}
  ))};
}

/** Whether two lists of strings have the same elements, in any order and however often. */
function areSame(some, others) {
  const [a, b] = [new Set(some), new Set(others)];
  return a.size === b.size && [...a].every((name) => b.has(name));
}
