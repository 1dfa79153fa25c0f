// Which call each tool message of a history answers (payload: batch, result, later result).

import {isBlankText} from '../shared/characters.mjs';
import {isObject, own} from '../shared/json_text.mjs';

/** Rows of the definition "result" that pair in order, and those that pair the only one. */
const IN_ORDER = [
  {ofCall: ids('id'), ofTool: ids('tool_call_id')},
  {ofCall: callNames, ofTool: namesForId},
  {ofCall: missing('id'), ofTool: missing('tool_call_id')},
  {ofCall: any, ofTool: missing('tool_call_id')},
];
const ONLY = [
  within('batch', {ofCall: looseIds('id', 'call_id'), ofTool: looseIds('tool_call_id')}),
  IN_ORDER[0],
  {ofCall: looseIds('id', 'call_id'), ofTool: looseIds('tool_call_id')},
];
const LEFT = within('batch', {ofCall: any, ofTool: any});

/**
 * Gives each call of the rounds its `result`, a position or null, and the positions of its `later`
 * results. `given` are the messages at these positions as they stand in the input: what a profile
 * takes from a tool message still says whose result it is.
 */
export function pairResults(rounds, given, isTool) {
  const {calls, tools} = readEnds(rounds, given, isTool);
  if (tools.length === 0) return;
  for (const keys of IN_ORDER) {
    pairInOrder(calls, tools, within('batch', keys), (open, free) => open.length === free.length);
    pairInOrder(calls, tools, within('round', keys));
    pairInOrder(calls, tools, within('batch', keys));
  }
  for (const keys of ONLY) pairOnly(calls, tools, keys);
  for (const {open, free} of groups(calls, tools, LEFT)) {
    const isOne = open.length === 1 && free.length === 1;
    if (isOne && ids('id')(open[0]).length === 0) pair(open[0], free[0]);
  }
  addLater(calls, tools);
}

/** The calls and the tool messages as `{call}` and `{isFree}`, each with `at` and its scopes. */
function readEnds(rounds, given, isTool) {
  const calls = [];
  const tools = [];
  let batch = 0;
  rounds.forEach((round, number) => {
    if (number > 0 && rounds[number - 1].others.length > 0) batch++;
    const scopes = {round: number, batch};
    for (const call of round.calls) calls.push({...scopes, call, at: round.at, value: call.value});
    for (const at of round.others.filter(isTool)) {
      tools.push({...scopes, at, value: given[at], isFree: true});
    }
  });
  return {calls, tools};
}

function pairInOrder(calls, tools, keys, isWanted = () => true) {
  for (const {open, free} of groups(calls, tools, keys)) {
    if (isWanted(open, free)) open.slice(0, free.length).forEach((one, at) => pair(one, free[at]));
  }
}

/**
 * Pairs where one call is open that stands before the message or is the only one with its key. Of two
 * calls with an id, one is left alone when the other is paired: the keys of a pair are looked at next.
 */
function pairOnly(calls, tools, keys) {
  const count = new Map();
  for (const one of calls) {
    for (const key of keys.ofCall(one)) count.set(key, (count.get(key) ?? 0) + 1);
  }
  const found = new Map(groups(calls, tools, keys).map((group) => [group.key, {...group, left: group.open.length}]));
  for (const first of found.keys()) {
    let due = [first];
    while (due.length > 0) {
      const key = due.pop();
      const {open, free, left} = found.get(key) ?? {};
      if (left !== 1) continue;
      const one = open.find(({call}) => call.result === null);
      const tool = free.find((each) => each.isFree && (count.get(key) === 1 || one.at < each.at));
      if (tool === undefined) continue;
      pair(one, tool);
      due = keys.ofCall(one);
      for (const other of due) if (found.has(other)) found.get(other).left -= 1;
    }
  }
}

function pair({call}, tool) {
  call.result = tool.at;
  tool.isFree = false;
}

/** The open calls and the free messages that have a key together, in the order of messages. */
function groups(calls, tools, {ofCall, ofTool}) {
  const found = new Map();
  for (const tool of tools.filter(({isFree}) => isFree)) {
    for (const key of ofTool(tool)) {
      if (!found.has(key)) found.set(key, {key, open: [], free: []});
      found.get(key).free.push(tool);
    }
  }
  if (found.size === 0) return [];
  for (const one of calls.filter(({call}) => call.result === null)) {
    for (const key of ofCall(one)) found.get(key)?.open.push(one);
  }
  return [...found.values()].filter(({open}) => open.length > 0);
}

function addLater(calls, tools) {
  const [ofCall, ofTool] = [looseIds('id', 'call_id'), looseIds('tool_call_id')];
  const said = new Map(tools.map(({at, value}) => [at, own(value, 'content')]));
  const last = new Map();
  let next = 0;
  for (const tool of tools) {
    for (; next < calls.length && calls[next].at < tool.at; next++) {
      for (const key of ofCall(calls[next])) last.set(key, calls[next].call);
    }
    if (!tool.isFree) continue;
    for (const key of ofTool(tool)) {
      const call = last.get(key);
      if (call !== undefined && !isCopy(said.get(tool.at), said.get(call.result))) {
        call.later.push(tool.at);
      }
    }
  }
}

function isCopy(content, before) {
  return typeof content === 'string' && content === before;
}

function within(scope, {ofCall, ofTool}) {
  const inScope = (keys) => (end) => keys(end).map((key) => `${end[scope]} ${key}`);
  return {ofCall: inScope(ofCall), ofTool: inScope(ofTool)};
}

function ids(name) {
  return ({value}) => {
    const id = isObject(value) ? own(value, name) : undefined;
    return typeof id === 'string' && !isBlankText(id) ? [id] : [];
  };
}

/** What is left of ids without signs and spaces, each once. */
function looseIds(...names) {
  return (end) => [...new Set(names.flatMap((name) => ids(name)(end)).map(withoutSigns).filter((id) => id !== ''))];
}

/** An id without its ASCII characters that are neither letters nor digits. */
function withoutSigns(id) {
  return id.replaceAll(/[\0-/:-@[-`{-\x7f]/g, '');
}

/** One key where there is no id. */
function missing(name) {
  return (end) => (ids(name)(end).length > 0 ? [] : ['']);
}

function any() {
  return [''];
}

function callNames({value}) {
  const target = isObject(value) ? own(value, 'function') : undefined;
  return isObject(target) && typeof own(target, 'name') === 'string' ? [target.name] : [];
}

/** The name of a message that has no id. */
function namesForId(end) {
  if (ids('tool_call_id')(end).length > 0) return [];
  const names = [own(end.value, 'name'), own(end.value, 'tool_name')];
  return names.filter((name) => typeof name === 'string').slice(0, 1);
}
