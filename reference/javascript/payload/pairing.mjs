// Which call each tool message of a history answers (payload: batch, result, later result).

import {isBlankText} from '../shared/characters.mjs';
import {isObject, own} from '../shared/json_text.mjs';

/** Rows of the definition "result" that pair in order. */
const IN_ORDER = [
  {ofCall: ids('id'), ofTool: ids('tool_call_id')},
  {ofCall: callNames, ofTool: namesForId},
  {ofCall: any, ofTool: ({value}) => (ids('tool_call_id')({value}).length > 0 ? [] : [''])},
];
const LOOSE = {ofCall: looseIds('id', 'call_id'), ofTool: looseIds('tool_call_id')};
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
  }
  pairOnly(calls, tools);
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

/** Pairs each message with the only call left that has its loose id: one before it, or the only one of the history. */
function pairOnly(calls, tools) {
  const found = new Map(); // by loose id: how many calls have it, those that are open, and how many of them are left
  for (const one of calls) {
    for (const key of LOOSE.ofCall(one)) {
      if (!found.has(key)) found.set(key, {count: 0, open: [], left: 0});
      const group = found.get(key);
      group.count++;
      if (one.call.result === null) group.left = group.open.push(one);
    }
  }
  for (const tool of tools.filter(({isFree}) => isFree)) {
    for (const group of LOOSE.ofTool(tool).map((key) => found.get(key))) {
      if (group?.left !== 1) continue;
      group.open = group.open.filter(({call}) => call.result === null);
      const [one] = group.open;
      if (one.at > tool.at && group.count > 1) continue;
      pair(one, tool);
      for (const key of LOOSE.ofCall(one)) found.get(key).left--;
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
  for (const one of calls.filter(({call}) => call.result === null)) {
    for (const key of ofCall(one)) found.get(key)?.open.push(one);
  }
  return [...found.values()];
}

function addLater(calls, tools) {
  const said = new Map(tools.map(({at, value}) => [at, own(value, 'content')]));
  const last = new Map();
  let next = 0;
  for (const tool of tools) {
    for (; next < calls.length && calls[next].at < tool.at; next++) {
      for (const key of LOOSE.ofCall(calls[next])) last.set(key, calls[next].call);
    }
    if (!tool.isFree) continue;
    for (const key of LOOSE.ofTool(tool)) {
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

function any() {
  return [''];
}

function callNames({value}) {
  const target = isObject(value) ? own(value, 'function') : undefined;
  return isObject(target) && typeof own(target, 'name') === 'string' ? [target.name] : [];
}

/** The name of a message that has no id. */
function namesForId(end) {
  const name = own(end.value, 'name');
  return typeof name === 'string' && ids('tool_call_id')(end).length === 0 ? [name] : [];
}
