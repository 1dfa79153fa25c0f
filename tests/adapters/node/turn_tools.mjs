// The tools that a request declares, and those of them that are not effective (TRN-004).

import {isObject, own} from './json_text.mjs';
import {isWellFormedTool} from './payload_tools.mjs';

/** The names of all declared tools (turn: declared tool). */
export function declaredNames(request) {
  return toolsOf(request).filter(isWellFormedTool).map((tool) => tool.function.name);
}

/**
 * `{request, removed, positions}`: the request without the declared tools that are not effective,
 * their positions, and the positions that the tools that are left have in the input.
 */
export function keepEffective(request, {protocol, effective}) {
  const tools = toolsOf(request);
  if (protocol !== 'native') return {request, removed: [], positions: [...tools.keys()]};
  const names = new Set(effective);
  const isGone = (tool) => isWellFormedTool(tool) && !names.has(tool.function.name);
  const positions = [...tools.keys()].filter((at) => !isGone(tools[at]));
  return {
    request: {...request, tools: positions.map((at) => tools[at])},
    removed: [...tools.keys()].filter((at) => isGone(tools[at])),
    positions,
  };
}

/** The elements of `tools`, where that is an array. */
export function toolsOf(request) {
  const tools = isObject(request) ? own(request, 'tools') : undefined;
  return Array.isArray(tools) ? tools : [];
}
