// What the endpoint of a profile answers with an error (payload: refusal; PAY-171). A refusal is
// read off the finding and the input alone: why a step changed something is not asked.

import {isBlankText} from '../shared/characters.mjs';
import {isObject, own} from '../shared/json_text.mjs';
import {isEmptyArray, isFilledArray, isNothing} from '../shared/json_object.mjs';
import {choiceWord} from '../shared/stated_capability.mjs';
import {hasForm} from './history_ids.mjs';

const LONG_ID = 40;
const NO_TOOLS = ['tools_absent', 'tools_empty', 'tools_not_array'];
const COMBINATIONS = ['oneOf', 'anyOf', 'allOf'];
const NEIGHBOURS = ['messages_joined', 'bridge_inserted'];

/** The combinations, which go from the root of parameters in any case (PAY-047), with the names by which they are refused there. */
const COMBINED = {
  oneOf: ['oneOf'], anyOf: ['anyOf', 'type_beside_any_of'], allOf: ['allOf'], not: ['not'],
  enum: ['enum', 'enum_of_other_types', 'enum_of_others'], $ref: ['$ref'],
};

/** The refusals that are a code, wherever it stands. */
const ALONE = [
  'arguments_empty', 'arguments_not_object', 'calls_split',
  'description_cut', 'member_not_taken', 'member_renamed', 'members_unknown', 'name_aliased', 'name_blank', 'name_coerced',
  'name_missing', 'parallel_not_taken', 'parameters_added', 'result_missing', 'role_coerced',
  'system_late', 'tool_calls_empty',
];

/** Each refusal with its codes, and whether the input is as its row says at the path. */
const ROWS = new Map([
  ...ALONE.map((code) => [code, [[code], () => true]]),
  ['arguments_invalid_json', [['arguments_invalid_json', 'arguments_repaired'], () => true]],
  ['result_orphaned', [['result_orphaned', 'result_moved', 'result_late'], () => true]],
  ['tools_empty', [['tools_empty'], (given, path) =>
    isMember(path, 'tools') && isEmptyArray(given.at(path))]],
  ['tools_not_array', [['tools_not_array'], (given, path) => isMember(path, 'tools')]],
  ['choice_without_tools', [NO_TOOLS, (given, path) =>
    isMember(path, 'tool_choice') && given.lacksTools && choiceWord(given.at(path)) !== 'none']],
  ['none_without_tools', [NO_TOOLS, (given, path) =>
    isMember(path, 'tool_choice') && given.lacksTools && choiceWord(given.at(path)) === 'none']],
  ['parallel_without_tools', [NO_TOOLS, (given, path) =>
    isMember(path, 'parallel_tool_calls') && given.lacksTools]],
  ['functions_empty', [['tools_empty'], (given, path) => isMember(path, 'functions')]],
  ['function_call_without_functions', [NO_TOOLS, (given, path) => isMember(path, 'function_call')]],
  ['choice_null', [['null_omitted'], (given, path) => isMember(path, 'tool_choice')]],
  ['strict_null', [['null_omitted'], (given, path) =>
    path.at(-2) === 'function' && path.at(-1) === 'strict']],
  ['strict_true', [['strict_not_taken'], (given, path) => given.at(path) === true]],
  ['strict_false', [['strict_not_taken'], (given, path) => given.at(path) === false]],
  ['parameters_incomplete', [['parameters_completed'], (given, path) =>
    isNothing(given.at([...path, 'type'])) || !isObject(given.at([...path, 'properties']))]],
  ['properties_array', [['parameters_completed'], (given, path) =>
    Array.isArray(given.at([...path, 'properties']))]],
  ['root_not_object', [['schema_unsafe'], (given, path) =>
    ![undefined, null, 'object'].includes(given.parameter(path, 'type'))]],
  ['root_combined', [['schema_unsafe', 'constraint_removed'], (given, path) =>
    (path.at(-2) === 'parameters' ? COMBINATIONS.includes(path.at(-1)) :
      COMBINATIONS.some((name) => !isNothing(given.parameter(path, name))))]],
  ['roles_not_alternating', [NEIGHBOURS, (given, path) => !isBehindTool(given, path)]],
  ['user_behind_tool', [['bridge_inserted'], isBehindTool]],
  ['assistants_last', [NEIGHBOURS, isLastOfAssistants]],
  ['message_without_words', [['message_empty'], (given, path) =>
    isNothing(given.at([...path, 'content'])) && !isFilledArray(given.at([...path, 'tool_calls']))]],
  ['arguments_absent', [['arguments_coerced'], (given, path) => given.at(path) === undefined]],
  ['arguments_not_string', [['arguments_coerced'], (given, path) => given.at(path) !== undefined]],
  ['type_absent', [['type_coerced'], (given, path) => given.at(path) === undefined]],
  ['id_absent', [['id_replaced'], (given, path) =>
    path.at(-1) === 'id' && given.at(path) === undefined]],
  ['id_form', [['id_replaced'], (given, path) =>
    isVisibleId(given, path) && !hasForm(given.at(path), given.ids)]],
  ['id_long', [['id_replaced'], (given, path) =>
    path.at(-1) === 'id' && typeof given.at(path) === 'string' && [...given.at(path)].length > LONG_ID]],
  ['id_repeated', [['id_replaced'], (given, path) => given.repeated.has(path.join('/'))]],
  ['content_absent', [['content_coerced'], (given, path) =>
    isOfAssistant(given, path) && given.at(path) === undefined]],
  ['content_null', [['content_coerced'], (given, path) =>
    isOfAssistant(given, path) && given.at(path) === null]],
  ['content_array_empty', [['content_coerced'], (given, path) =>
    isOfAssistant(given, path) && isEmptyArray(given.at(path))]],
  ['result_content_array', [['result_content_coerced'], (given, path) =>
    Array.isArray(given.at(path))]],
]);

/**
 * A test for findings, `{code, path}`, in a request: whether the endpoint refuses it. A history is
 * a request of messages alone.
 */
export function refusedIn(request, flags) {
  const {refuses, ids} = flags;
  const given = new Given(request, ids);
  const tests = new Map(testsOfFlags(flags));
  for (const [codes, test] of refuses.map((name) => ROWS.get(name))) {
    for (const code of codes) tests.set(code, [...(tests.get(code) ?? []), test]);
  }
  return ({code, path}) => {
    const place = path[0] === 'request' ? path.slice(1) : path;
    return (tests.get(code) ?? []).some((test) => test(given, place));
  };
}

const LENGTH_AT_ROOT = ['tools', 0, 'function', 'parameters', 'a member'].length;

/** By its code what the flags themselves say that the endpoint refuses. */
function testsOfFlags({refused_in_schemas: refused}) {
  const isNamed = [(given, path) => path.length > LENGTH_AT_ROOT ||
    (own(COMBINED, path.at(-1)) ?? refused).some((name) => refused.includes(name))];
  const always = [() => true];
  const tests = [
    ['annotation_removed', isNamed], ['constraint_removed', isNamed], ['schema_not_taken', always],
    ['type_moved', always], ['schema_respelled', always], ['choice_replaced', always], ['thinking_disabled', always],
    ['effort_not_taken', always], ['text_blank', always], ['assistant_last', always], ['opaque_missing', always],
    ['opaque_added', [(given, path) => [undefined, null, ''].includes(given.at(path))]], ['bridge_missing', always],
  ];
  if (refused.includes('strict_open') || refused.includes('strict_grammar')) {
    tests.push(['strict_not_taken', [(given, path) => given.at(path) === true]]);
  }
  return tests;
}

/** A request as it was given. */
class Given {
  #request;
  #repeated = null;

  constructor(request, ids) {
    this.#request = request;
    this.ids = ids;
  }

  /** What stands at a path; undefined where nothing does. */
  at(path) {
    return path.reduce((value, part) =>
      (Array.isArray(value) || isObject(value) ? own(value, part) : undefined), this.#request);
  }

  /** A member of the parameters of a tool, where they are an object. */
  parameter(tool, name) {
    const parameters = this.at([...tool, 'function', 'parameters']);
    return isObject(parameters) ? own(parameters, name) : undefined;
  }

  /** The role of a message, if there is one. */
  role(number) {
    return this.at(['messages', number, 'role']);
  }

  get lacksTools() {
    return !isFilledArray(this.at(['tools']));
  }

  /** The paths of the ids that an earlier call has. */
  get repeated() {
    this.#repeated ??= repeatedIds(this.at(['messages']));
    return this.#repeated;
  }
}

function repeatedIds(messages) {
  const seen = new Set();
  const repeated = new Set();
  for (const [number, message] of listed(messages).entries()) {
    if (!isObject(message) || own(message, 'role') !== 'assistant') continue;
    for (const [at, call] of listed(own(message, 'tool_calls')).entries()) {
      const id = isObject(call) ? own(call, 'id') : undefined;
      if (typeof id !== 'string') continue;
      if (seen.has(id)) repeated.add(`messages/${number}/tool_calls/${at}/id`);
      seen.add(id);
    }
  }
  return repeated;
}

function listed(value) {
  return Array.isArray(value) ? value : [];
}

function isMember(path, name) {
  return path.length === 1 && path[0] === name;
}

function isBehindTool(given, path) {
  return given.role(path.at(-1) - 1) === 'tool';
}

function isLastOfAssistants(given, path) {
  const number = path.at(-1);
  const isLast = number === listed(given.at(['messages'])).length - 1;
  return isLast && given.role(number) === 'assistant' && given.role(number - 1) === 'assistant';
}

function isVisibleId(given, path) {
  const id = given.at(path);
  return path.at(-1) === 'id' && typeof id === 'string' && !isBlankText(id);
}

/** Whether a path is in an assistant message. */
function isOfAssistant(given, path) {
  return given.role(path[1]) === 'assistant';
}
