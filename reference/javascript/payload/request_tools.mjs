// Tools and choices of a request, and the form in which they are sent (PAY-032, PAY-042,
// PAY-047, PAY-050).

import {isBlankText} from '../shared/characters.mjs';
import {isObject, own} from '../shared/json_text.mjs';
import {choiceWord} from '../shared/stated_capability.mjs';
import {sentName} from './sent_name.mjs';
import {strictJudge, withinGrammar} from './strict.mjs';

const WORDS = ['auto', 'none', 'required'];

/** Whether an element of `tools` is a well-formed tool (payload: well-formed tool). */
export function isWellFormedTool(tool) {
  return functionName(tool) !== null;
}

/** The kind of a choice, or null (payload: offered choice). */
export function kindOfChoice(choice) {
  const word = choiceWord(choice);
  if (WORDS.includes(word)) return word;
  return functionName(choice) === null ? null : 'named';
}

/** The `name` in the `function` of an object of the type `function`, or null where it has none. */
function functionName(value) {
  if (!isObject(value) || own(value, 'type') !== 'function') return null;
  const target = own(value, 'function');
  const name = isObject(target) ? own(target, 'name') : null;
  return typeof name === 'string' && !isBlankText(name) ? name : null;
}

/** The kept tools in their sent form, and the entries of `aliases`; changes are reported. */
export function sendTools(kept, flags, findings) {
  const known = flags.refused_in_schemas.includes('strict_grammar') ? withinGrammar(kept) : kept;
  const judgeStrict = strictJudge(known, flags.strict_field);
  const aliases = [];
  const tools = known.map(({tool, at, judged}) => {
    const path = ['request', 'tools', at];
    const inside = [...path, 'function'];
    const sent = sendFunction(tool.function, inside, {judged, flags, judgeStrict, findings});
    if (sent.name !== tool.function.name) aliases.push([sent.name, tool.function.name]); // PAY-050
    return {...withoutNulls(tool, path, findings), function: sent};
  });
  return {tools, aliases};
}

/** A choice in its sent form (PAY-047). */
export function sendChoice(choice, flags, findings) {
  const word = choiceWord(choice);
  if (word !== choice) findings.add('choice_coerced', ['request', 'tool_choice']);
  if (kindOfChoice(choice) !== 'named') return word;
  const path = ['request', 'tool_choice', 'function'];
  return {...choice, function: sendName(choice.function, path, flags, findings)};
}

/** The `function` of a kept tool in its sent form. */
function sendFunction(target, path, {judged, flags, judgeStrict, findings}) {
  const named = sendName(withoutNulls(target, path, findings, 'parameters'), path, flags, findings);
  const sent = sendDescription(named, path, flags, findings);
  if (Object.hasOwn(sent, 'strict')) {
    const code = judgeStrict(sent, judged.isOpen);
    if (code !== null) {
      delete sent.strict;
      findings.add(code, [...path, 'strict']);
    }
  }
  for (const change of judged.changes) {
    findings.add(change.code, [...path, 'parameters', ...change.path]);
  }
  return {...sent, parameters: judged.parameters};
}

/** A copy of a `function` with the sent name in it (PAY-047). */
function sendName(target, path, flags, findings) {
  const name = sentName(target.name, flags.name_start);
  if (name !== target.name) findings.add('name_aliased', [...path, 'name']);
  return {...target, name};
}

/** A `function` whose description, if it has one, is a text of the length that is taken. */
function sendDescription(target, path, flags, findings) {
  if (!Object.hasOwn(target, 'description')) return target;
  const {description, ...rest} = target;
  const at = [...path, 'description'];
  if (typeof description !== 'string') { // PAY-047
    findings.add('description_not_string', at);
    return rest;
  }
  const cut = cutText(description, flags.max_description);
  if (cut !== description) findings.add('description_cut', at);
  return {...target, description: cut};
}

/** A text of no more code points than a limit says; null is none. */
function cutText(text, limit) {
  if (limit === null || text.length <= limit) return text; // it has no more code points than units
  return [...text].slice(0, limit).join('');
}

/** A copy without the members that are null, but for one (PAY-032). */
function withoutNulls(object, path, findings, except) {
  return Object.fromEntries(Object.entries(object).filter(([name, value]) => {
    if (value !== null || name === except) return true;
    findings.add('null_omitted', [...path, name]);
    return false;
  }));
}
