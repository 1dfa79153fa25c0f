// Tools and choices of an interface (ITF-004, ITF-005, ITF-017, ITF-018).

import {isNothing, pick, without} from '../shared/json_object.mjs';
import {equalJson, isObject, own} from '../shared/json_text.mjs';
import {INPUT, flatName, namespaceOf, othersIn, ownOf, typeOf, typesOf} from './blocks.mjs';

const PARALLEL_CALLS = 'parallel_tool_calls';
export const BESIDE_TOOLS = ['tools', 'tool_choice', PARALLEL_CALLS];
const DISABLE_PARALLEL = 'disable_parallel_tool_use';
const ALIKE = ['name', 'description', 'strict'];

/** `[tool, namespace]` for each tool that the caller runs. */
function functionsIn(tools, form) {
  return tools.flatMap((tool) => (
    membersOf(tool, form)?.map((each) => [each, tool.name]) ?? [[tool, null]]
  )).filter(([tool]) => isFunction(tool, form));
}

/** `[tool, namespace]` for the functions of a request: of its tools, and what items of the history bring that no function before is called. */
function functionsOf(request, form) {
  const names = new Set();
  const brought = toolItems(request, form).map(({item}) => item.tools);
  return [listed(request), ...brought].flatMap((tools, at) => functionsIn(tools, form).filter(([tool, namespace]) => {
    const name = isObject(tool) ? flatName(tool, namespace) : null;
    const isKnown = typeof name === 'string' && names.has(name);
    names.add(name);
    return at === 0 || !isKnown;
  }));
}

/** `{item, home}` for each item of the history that brings tools. */
function toolItems(request, form) {
  const history = own(request, form.messages);
  return (Array.isArray(history) ? history : []).map((item, home) => ({item, home}))
    .filter(({item}) => form.tool_items.includes(typeOf(item)) && Array.isArray(own(item, 'tools')));
}

/** The tools in a namespace; null for what is none. */
function membersOf(tool, form) {
  if (form.namespace === null || typeOf(tool) !== form.namespace) return null;
  const isNamed = typeof own(tool, 'name') === 'string' && Array.isArray(own(tool, 'tools'));
  return isNamed ? tool.tools : null;
}

/** What a call of each carried function has, by its flat name (interfaces: carried function). */
export function ownsOf(carried, units, form) {
  const owns = new Map();
  for (const [tool, namespace] of functionsOf(carried, form)) {
    if (isObject(tool)) addOwn(owns, flatName(tool, namespace), ownOfTool(tool, namespace, form));
  }
  const calls = units.flatMap(({pieces}) => pieces.map(({block}) => block))
    .filter((block) => typesOf(form, 'call').includes(typeOf(block)));
  for (const call of calls) addOwn(owns, flatName(call, namespaceOf(call, form)), ownOf(call, form));
  return owns;
}

function addOwn(owns, name, has) {
  if (typeof name === 'string' && !owns.has(name)) owns.set(name, has);
}

/** What a call of a function has. */
function ownOfTool(tool, namespace, form) {
  return {
    type: isTextTool(tool, form) ? form.text_tool.call : form.call.type, name: own(tool, 'name') ?? null,
    ...(namespace === null ? {} : {[form.namespace]: namespace}),
  };
}

/** `{read, stood}`: members of the contracts, and the names of the members that they stand for. */
export function readTools(request, form) {
  const functions = functionsOf(request, form).map(([tool, namespace]) => readTool(tool, form, namespace));
  if (functions.length === 0) return {read: {}, stood: listed(request).length > 0 ? BESIDE_TOOLS : []};
  const choice = readChoice(own(request, 'tool_choice'), functions, form);
  return {read: {tools: functions, ...choice}, stood: ['tools', 'tool_choice']};
}

/** What a choice of one of the functions, or of all, is read as; nothing for any other. */
function readChoice(given, functions, form) {
  let choice = given;
  const read = {};
  if (isObject(given)) {
    const off = own(given, DISABLE_PARALLEL);
    if (typeof off === 'boolean') {
      read[PARALLEL_CALLS] = !off;
      choice = without(given, [DISABLE_PARALLEL]);
    }
  }
  const kind = Object.keys(form.choices).find((each) => equalJson(choice, form.choices[each]));
  if (kind !== undefined) return {...read, tool_choice: kind};
  const name = isObject(choice) ? flatName(choice, namespaceOf(choice, form)) : null;
  const kinds = form.text_tool === null ? [form.named] : [form.named, form.text_tool.tool];
  const isNamed = typeof name === 'string' && kinds.includes(typeOf(choice)) &&
    functions.some((tool) => own(functionOf(tool), 'name') === name);
  return isNamed ? {...read, tool_choice: {type: 'function', function: {name}}} : {};
}

/**
 * `{tools, items}`: the tools of a request and what stands beside them, and by their positions the carried
 * items that bring tools; the new names of carried functions go into `owns`.
 */
export function writtenTools(request, carried, {owns, form, findings}) {
  const [old, left, items] = [listed(carried), listed(request), new Map()];
  const functions = functionsOf(carried, form).map(([tool, namespace]) => readTool(tool, form, namespace));
  if (old.length === 0 && left.length === 0 && functions.length === 0) return {tools: pick(request, BESIDE_TOOLS), items};
  const names = new Set(functions.map((tool) => own(functionOf(tool), 'name')));
  const keeper = {form, findings, owns, left, names, isBrought: false, became: new Map(), isGone: false};
  const tools = keptAll(old, ['carried', 'tools'], null, keeper);
  keeper.isBrought = true;
  for (const {item, home} of toolItems(carried, form)) {
    items.set(home, {...item, tools: keptAll(item.tools, ['carried', form.messages, home, 'tools'], null, keeper)});
  }
  tools.push(...left.map((tool) => newTool(tool, form)));
  const listedNow = tools.length > 0 ? {tools} : old.length === 0 ? pick(carried, ['tools']) : {};
  const isNone = tools.length === 0 && [...items.values()].every((item) => item.tools.length === 0);
  // Without items the choice says what a request with functions has of it.
  const given = form.has_items ? {...carried, ...request} : carried;
  const beside = isNone ? {} : pick(given, [PARALLEL_CALLS]);
  const read = functions.length > 0 ? readChoice(own(carried, 'tool_choice'), functions, form) : {};
  reportUnwritten(request, !isNone, form, findings);
  const choice = isNone ? null : bare(writtenChoice(request, carried, {read, ...keeper}));
  reportChoice(own(carried, 'tool_choice'), choice, functions, keeper);
  return {tools: {...listedNow, ...beside, ...(isNothing(choice) ? {} : {tool_choice: choice})}, items};
}

/** Carried tools as they are now, without those that are gone. */
function keptAll(tools, place, namespace, keeper) {
  return tools.flatMap((tool, at) => kept(tool, [...place, at], namespace, keeper));
}

/** A carried tool as it is now; nothing where it is gone. */
function kept(tool, place, namespace, keeper) {
  const {form, findings, owns} = keeper;
  const members = namespace === null ? membersOf(tool, form) : null;
  if (members?.length > 0) {
    const tools = keptAll(members, [...place, 'tools'], tool.name, keeper);
    return tools.length > 0 ? [{...tool, tools}] : [];
  }
  if (!isFunction(tool, form)) return [tool];
  if (!isObject(tool)) {
    const at = keeper.left.findIndex((each) => equalJson(each, tool));
    keeper.isGone ||= at < 0;
    return at < 0 ? [] : keeper.left.splice(at, 1);
  }
  const read = readTool(tool, form, namespace);
  const {first, now} = mateOf(read, keeper);
  if (now !== null) {
    addOwn(owns, own(functionOf(now), 'name'), ownOfTool(tool, namespace, form));
    return [equalJson(first, now) ? tool : changed(tool, now, form, namespace)];
  }
  keeper.isGone = true;
  if (!equalJson(writeTool(read, form), tool)) findings.add('carried_removed', place);
  return [];
}

/** Whether a tool is one that the caller runs. */
function isFunction(tool, form) {
  return !isObject(tool) || form.function_types.includes(typeOf(tool));
}

/** Whether a tool takes a text, and no object. */
function isTextTool(tool, form) {
  return form.text_tool !== null && typeOf(tool) === form.text_tool.tool;
}

function readTool(tool, form, namespace) {
  if (!isObject(tool)) return tool;
  const named = Object.hasOwn(tool, 'name') ? {name: flatName(tool, namespace)} : {};
  const said = {...pick(tool, ALIKE), ...named};
  if (isTextTool(tool, form)) return {type: 'function', function: {...said, parameters: takingText(tool)}};
  const more = Object.hasOwn(tool, form.parameters) ? {parameters: tool[form.parameters]} : {};
  return {type: 'function', function: {...said, ...more}};
}

/** The parameters of a function in the place of a tool that takes a text. */
function takingText(tool) {
  const format = own(tool, 'format');
  const grammar = isObject(format) ? own(format, 'definition') : null;
  const taken = {type: 'string', ...(typeof grammar === 'string' ? {description: grammar} : {})};
  return {type: 'object', properties: {[INPUT]: taken}, required: [INPUT]};
}

/** A carried tool with the members of the one that it has become, and no others of these; in a namespace its name is its own. */
function changed(tool, now, form, namespace) {
  const isOfText = isTextTool(tool, form);
  const written = isOfText ? pick(writeTool(now, form), ALIKE) : writeTool(now, form);
  const taken = isOfText ? ALIKE : [...ALIKE, form.parameters];
  const gone = taken.filter((name) => !Object.hasOwn(written, name));
  return {...without(tool, gone), ...written, ...(namespace === null ? {} : pick(tool, ['name']))};
}

/** A tool that was not carried; Responses takes a `strict` that is absent for true. */
function newTool(tool, form) {
  const written = writeTool(tool, form);
  const isSilent = written !== tool && isNothing(written.strict);
  return isSilent && form.has_items ? {...written, strict: false} : written;
}

function writeTool(tool, form) {
  const given = isObject(tool) ? own(tool, 'function') : null;
  if (!isObject(given)) return tool;
  const [type] = form.function_types;
  const more = Object.hasOwn(given, 'parameters') ? {[form.parameters]: given.parameters} : {};
  return {...(type === null ? {} : {type}), ...pick(given, ALIKE), ...more};
}

function functionOf(tool) {
  return isObject(tool) && isObject(own(tool, 'function')) ? tool.function : {};
}

/** What the first carried tool of a name was, and the tool that it is now: of its name, or one that differs in that; or null. */
function mateOf(read, {left, names, isBrought, became}) {
  const name = own(read.function, 'name') ?? null;
  if (isBrought && became.has(name)) return became.get(name);
  const nameOf = (each) => own(functionOf(each), 'name') ?? null;
  const nameless = without(read.function, ['name']);
  const same = left.findIndex((each) => isObject(each) && nameOf(each) === name);
  const at = same >= 0 ? same : left.findIndex((each) => (
    isObject(each) && !names.has(nameOf(each)) && equalJson(without(functionOf(each), ['name']), nameless)
  ));
  const mate = {first: read, now: at < 0 ? null : left.splice(at, 1)[0]};
  if (typeof name === 'string' && !became.has(name)) became.set(name, mate);
  return mate;
}

/** Reports what the request says of tools and has no place (ITF-019). */
function reportUnwritten(request, hasTools, form, findings) {
  const [tools, choice, parallel] = BESIDE_TOOLS.map((name) => own(request, name) ?? null);
  if (tools !== null && !Array.isArray(tools)) findings.add('not_written', ['request', 'tools']);
  listed(request).forEach((tool, at) => {
    if (writeTool(tool, form) === tool) return; // it has no function, and goes as it is
    const lost = [...othersIn(tool, ['type', 'function']), ...othersIn(tool.function, [...ALIKE, 'parameters'], ['function'])];
    for (const inner of lost) findings.add('not_written', ['request', 'tools', at, ...inner]);
  });
  const isWritten = hasTools && nativeChoice(choice, false, new Map(), form) !== null;
  if (![null, 'auto'].includes(choice) && !isWritten) findings.add('not_written', ['request', 'tool_choice']);
  const isKnown = hasTools && (form.has_items || (parallel === false && choice !== 'none'));
  if (![null, true].includes(parallel) && !isKnown) findings.add('not_written', ['request', PARALLEL_CALLS]);
}

/** Reports a carried choice that is gone, unless what stands for it says all of it (ITF-019). */
function reportChoice(carried, choice, functions, {owns, form, findings}) {
  if (isNothing(carried) || equalJson(choice ?? null, carried)) return;
  const anew = bare(writtenChoice(readChoice(carried, functions, form), {}, {read: {}, isGone: true, owns, form}));
  if (!equalJson(anew ?? null, carried)) findings.add('carried_removed', ['carried', 'tool_choice']);
}

function writtenChoice(request, carried, {read, isGone, owns, form}) {
  const said = pick(request, form.has_items ? ['tool_choice'] : ['tool_choice', PARALLEL_CALLS]);
  if (Object.keys(said).length > 0 && equalJson(said, read)) return carried.tool_choice;
  const isOneByOne = own(said, PARALLEL_CALLS) === false;
  const native = nativeChoice(own(said, 'tool_choice'), isOneByOne, owns, form);
  if (native !== null) return isOneByOne ? {...native, [DISABLE_PARALLEL]: true} : native;
  const unread = own(carried, 'tool_choice');
  return isGone || isNothing(unread) || Object.keys(read).length > 0 ? null : unread;
}

/** A choice as the endpoint takes it: where there are no calls, none come one by one. */
function bare(choice) {
  return typeOf(choice) === 'none' ? without(choice, [DISABLE_PARALLEL]) : choice;
}

function nativeChoice(choice, isOneByOne, owns, form) {
  if (isObject(choice) && isObject(own(choice, 'function')) && Object.hasOwn(choice.function, 'name')) {
    const {name} = choice.function;
    const has = owns.get(name) ?? {name};
    const isOfText = form.text_tool !== null && has.type === form.text_tool.call;
    return {...has, type: isOfText ? form.text_tool.tool : form.named};
  }
  if (typeof choice === 'string' && Object.hasOwn(form.choices, choice)) return form.choices[choice];
  return isOneByOne ? form.choices.auto : null;
}

function listed(request) {
  const tools = own(request, 'tools');
  return Array.isArray(tools) ? [...tools] : [];
}
