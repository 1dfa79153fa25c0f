// Tools and choices of an interface (ITF-004, ITF-005, ITF-017, ITF-018).

import {isFilledArray, isNothing, pick, without} from '../shared/json_object.mjs';
import {equalJson, isObject, own} from '../shared/json_text.mjs';
import {INPUT, typeOf} from './blocks.mjs';

const PARALLEL_CALLS = 'parallel_tool_calls';
export const BESIDE_TOOLS = ['tools', 'tool_choice', PARALLEL_CALLS];
const DISABLE_PARALLEL = 'disable_parallel_tool_use';
const ALIKE = ['name', 'description', 'strict'];

/** `{read, stood}`: members of the contracts, and the names of the members that they stand for. */
export function readTools(request, form) {
  const tools = own(request, 'tools');
  if (!isFilledArray(tools)) return {read: {}, stood: []};
  const functions = tools.filter((tool) => isFunction(tool, form));
  if (functions.length === 0) return {read: {}, stood: BESIDE_TOOLS};
  const choice = readChoice(own(request, 'tool_choice'), functions, form);
  const read = {tools: functions.map((tool) => readTool(tool, form)), ...choice};
  return {read, stood: ['tools', 'tool_choice']};
}

/** What a choice of one of the functions, or of all, is read as; nothing for any other. */
function readChoice(given, functions, form) {
  let choice = given;
  const read = {};
  if (!form.has_items && isObject(given)) {
    const off = own(given, DISABLE_PARALLEL);
    if (typeof off === 'boolean') read[PARALLEL_CALLS] = !off;
    choice = without(given, [DISABLE_PARALLEL]);
  }
  const kind = Object.keys(form.choices).find((each) => equalJson(choice, form.choices[each]));
  if (kind !== undefined) return {...read, tool_choice: kind};
  const name = isObject(choice) ? own(choice, 'name') : undefined;
  const kinds = form.text_tool === null ? [form.named] : [form.named, form.text_tool.tool];
  const isNamed = typeof name === 'string' && kinds.includes(typeOf(choice)) &&
    functions.some((tool) => isObject(tool) && own(tool, 'name') === name);
  return isNamed ? {...read, tool_choice: {type: 'function', function: {name}}} : {};
}

/** The tools of a request and what stands beside them, as the interface has them. */
export function writtenTools(request, carried, form, findings) {
  const [old, left] = [listed(carried), listed(request)];
  if (old.length === 0 && left.length === 0) return pick(request, BESIDE_TOOLS);
  const tools = [];
  let isGone = false;
  old.forEach((tool, at) => {
    if (!isFunction(tool, form)) {
      tools.push(tool);
      return;
    }
    const read = readTool(tool, form);
    const mate = mateOf(read, left);
    if (mate >= 0) {
      const [now] = left.splice(mate, 1);
      tools.push(equalJson(read, now) ? tool : changed(tool, now, form));
      return;
    }
    isGone = true;
    const isSame = !isTextTool(tool, form) && equalJson(writeTool(read, form), tool);
    if (!isSame) findings.add('carried_removed', ['carried', 'tools', at]);
  });
  tools.push(...left.map((tool) => writeTool(tool, form)));
  if (tools.length === 0) return {};
  const beside = form.has_items ? pick({...carried, ...request}, [PARALLEL_CALLS]) : {};
  const choice = writtenChoice(request, carried, {old, isGone, form, findings});
  const isOfText = typeOf(choice) === form.named &&
    tools.some((tool) => isTextTool(tool, form) && own(tool, 'name') === own(choice, 'name'));
  const said = isOfText ? {...choice, type: form.text_tool.tool} : choice;
  return {tools, ...beside, ...(isNothing(said) ? {} : {tool_choice: said})};
}

/** Whether a tool is one that the caller runs. */
function isFunction(tool, form) {
  return !isObject(tool) || form.function_types.includes(typeOf(tool));
}

/** Whether a tool takes a text, and no object. */
export function isTextTool(tool, form) {
  return form.text_tool !== null && typeOf(tool) === form.text_tool.tool;
}

function readTool(tool, form) {
  if (!isObject(tool)) return tool;
  if (isTextTool(tool, form)) return {type: 'function', function: {...pick(tool, ALIKE), parameters: takingText(tool)}};
  const more = Object.hasOwn(tool, form.parameters) ? {parameters: tool[form.parameters]} : {};
  return {type: 'function', function: {...pick(tool, ALIKE), ...more}};
}

/** The parameters of a function in the place of a tool that takes a text. */
function takingText(tool) {
  const format = own(tool, 'format');
  const grammar = isObject(format) ? own(format, 'definition') : null;
  const taken = {type: 'string', ...(typeof grammar === 'string' ? {description: grammar} : {})};
  return {type: 'object', properties: {[INPUT]: taken}, required: [INPUT]};
}

/** A carried tool with the members of the one that it has become. */
function changed(tool, now, form) {
  const written = writeTool(now, form);
  return {...tool, ...(isTextTool(tool, form) ? pick(written, ALIKE) : written)};
}

function writeTool(tool, form) {
  const given = isObject(tool) ? own(tool, 'function') : null;
  if (!isObject(given)) return tool;
  const [type] = form.function_types;
  const more = Object.hasOwn(given, 'parameters') ? {[form.parameters]: given.parameters} : {};
  return {...(type === null ? {} : {type}), ...pick(given, ALIKE), ...more};
}

/** The position of the tool that one has become: of its name, or one that differs in that; or -1. */
function mateOf(read, tools) {
  if (!isObject(read)) return -1;
  const functionOf = (tool) => isObject(tool) && isObject(own(tool, 'function')) ? tool.function : {};
  const name = own(read.function, 'name') ?? null;
  const same = tools.findIndex((each) => isObject(each) && (own(functionOf(each), 'name') ?? null) === name);
  const nameless = without(read.function, ['name']);
  return same >= 0 ? same : tools.findIndex((each) => (
    isObject(each) && equalJson(without(functionOf(each), ['name']), nameless)
  ));
}

function writtenChoice(request, carried, {old, isGone, form, findings}) {
  const functions = old.filter((tool) => isFunction(tool, form));
  const read = functions.length > 0 ? readChoice(own(carried, 'tool_choice'), functions, form) : {};
  const said = pick(request, form.has_items ? ['tool_choice'] : ['tool_choice', PARALLEL_CALLS]);
  if (Object.keys(said).length > 0 && equalJson(said, read)) return carried.tool_choice;
  const isOneByOne = own(said, PARALLEL_CALLS) === false;
  const native = nativeChoice(own(said, 'tool_choice'), isOneByOne, form);
  if (native !== null) return isOneByOne ? {...native, [DISABLE_PARALLEL]: true} : native;
  const unread = own(carried, 'tool_choice');
  if (isNothing(unread) || Object.keys(read).length > 0) return null;
  if (isGone) findings.add('carried_removed', ['carried', 'tool_choice']);
  return isGone ? null : unread;
}

function nativeChoice(choice, isOneByOne, form) {
  if (isObject(choice) && isObject(own(choice, 'function')) && Object.hasOwn(choice.function, 'name')) {
    return {type: form.named, name: choice.function.name};
  }
  if (typeof choice === 'string' && Object.hasOwn(form.choices, choice)) return form.choices[choice];
  return isOneByOne ? form.choices.auto : null;
}

function listed(request) {
  const tools = own(request, 'tools');
  return Array.isArray(tools) ? [...tools] : [];
}
