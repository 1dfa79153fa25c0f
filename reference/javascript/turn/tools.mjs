// The tools that a request declares, and what of it is not effective (TRN-004).

import {supports} from '../capability/support.mjs';
import {isObject, own} from '../shared/json_text.mjs';
import {isFilledArray, without} from '../shared/json_object.mjs';
import {isKeptTool} from '../payload/request.mjs';
import {isWellFormedTool} from '../payload/request_tools.mjs';

/** The names of all declared tools (turn: declared tool). */
export function declaredNames(request) {
  return toolsOf(request).filter(isWellFormedTool).map((tool) => tool.function.name);
}

/**
 * `{request, removed, positions}`: the request without what is not effective, the paths of that in
 * the request, and the positions that the tools that are left have in the input (TRN-004). A model
 * without tools loses all of them in the sanitizer.
 */
export function keepEffective(request, capability, {effective}, flags) {
  const tools = toolsOf(request);
  if (!supports(capability)) return {request, removed: [], positions: [...tools.keys()]};
  const names = new Set(effective);
  const isGone = (tool) => isWellFormedTool(tool) && !names.has(tool.function.name);
  const positions = [...tools.keys()].filter((at) => !isGone(tools[at]));
  const removed = [...tools.keys()].filter((at) => isGone(tools[at])).map((at) => ['tools', at]);
  const kept = removed.length === 0
    ? request : {...request, tools: positions.map((at) => tools[at])};
  // Legacy functions are declared nowhere else, so none of them is effective.
  const hasFunctions = isObject(kept) && isFilledArray(own(kept, 'functions'));
  const hasTools = () => toolsOf(kept).some((tool) => isKeptTool(tool, flags));
  if (!hasFunctions || hasTools()) return {request: kept, removed, positions};
  const gone = ['functions'];
  return {request: without(kept, gone), removed: [...removed, gone], positions};
}

/** The elements of `tools`, where that is an array. */
export function toolsOf(request) {
  const tools = isObject(request) ? own(request, 'tools') : undefined;
  return Array.isArray(tools) ? tools : [];
}
