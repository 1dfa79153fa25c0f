// Whether a model thinks before it answers, as far as its request says so (payload: thinking), and
// how a request says no (PAY-042).

import {isObject, own} from '../shared/json_text.mjs';

const NAMES = ['thinking', 'enable_thinking', 'reasoning_effort'];
const CARRIERS = ['extra_body', 'chat_template_kwargs'];
/** Beside these a choice can be forced: a model that adapts need not think. */
const FREE = ['disabled', 'adaptive'];

/** Whether a request asks for thinking; `unasked` is what holds where it says nothing. */
export function thinks(request, unasked) {
  const said = sayings(request);
  return said.length === 0 ? unasked : said.includes(true);
}

/** `{request, paths}`: a request that does not ask for thinking, and where it changed. */
export function withoutThinking(request, unasked) {
  const paths = [];
  const quiet = quieted(request, [], paths);
  if (!unasked || sayings(quiet).length > 0) return {request: quiet, paths};
  const carrier = own(quiet, 'extra_body');
  const thinking = {type: 'disabled'};
  // An SDK that takes this carrier raises for the member elsewhere.
  if (!isObject(carrier)) return {request: {...quiet, thinking}, paths: [...paths, ['thinking']]};
  return {request: {...quiet, extra_body: {...carrier, thinking}}, paths: [...paths, ['extra_body', 'thinking']]};
}

function sayings(members) {
  const said = NAMES.map((name) => saying(name, own(members, name))).filter((one) => one !== null);
  for (const name of CARRIERS) {
    const inner = own(members, name);
    if (isObject(inner)) said.push(...sayings(inner));
  }
  return said;
}

/** What a member with the name of a thinking member says, or null. */
function saying(name, value) {
  if (typeof value === 'boolean') return value;
  if (isObject(value)) {
    const type = own(value, 'type');
    return typeof type === 'string' ? !FREE.includes(type) : null;
  }
  return name === 'reasoning_effort' && typeof value === 'string' ? value !== 'none' : null;
}

function quieted(members, path, paths) {
  return Object.fromEntries(Object.entries(members).flatMap(([name, value]) => {
    const at = [...path, name];
    if (CARRIERS.includes(name) && isObject(value)) return [[name, quieted(value, at, paths)]];
    if (!NAMES.includes(name) || saying(name, value) !== true) return [[name, value]];
    paths.push(at);
    // An endpoint that has no word for no effort refuses it.
    if (typeof value === 'string') return [];
    return [[name, value === true ? false : {type: 'disabled'}]];
  }));
}
