// Which dialects there are, which of them are active, and the forms that each has.

import {DESCRIPTORS} from './dialect_data.mjs';
import {FORMATS} from './format_data.mjs';
import {hasMessages} from './messages.mjs';

const BY_ID = new Map(DESCRIPTORS.map((descriptor) => [descriptor.id, descriptor]));
const DEFAULTS = DESCRIPTORS.filter((descriptor) => descriptor.default); // extraction: dialect
const COMMON = DESCRIPTORS.filter((descriptor) => descriptor.common);
const FORMATS_BY_ID = new Map(FORMATS.map((format) => [format.id, format]));
const REASONING = ['think', 'thinking', 'thought', 'reasoning'] // extraction: reasoning
  .map((tag) => ({open: {tag}, close: {tag}}));

/** The form of guided output (extraction: guided payload). */
function guidedForm(guided) {
  const scanner = guided === 'required' ? 'json_array' : 'json_arguments';
  const [form] = formsOf(BY_ID.get('bare-json'));
  return {...form, payload: {...form.payload, scanner}, isGuided: true};
}

/** What stands around reasoning, tokens, and messages: as the format says, whatever is active (EXT-175). */
export function frameOf({format, reasoning: begin}) {
  const known = FORMATS_BY_ID.get(format) ?? {};
  const {reasoning: own = REASONING, tokens = [], answer = [], dialects = [], control = false} = known;
  const reasoning = begin === 'none' ? [] : own;
  const framing = dialects.flatMap((id) => formsOf(BY_ID.get(id))).filter(hasMessages);
  const closes = own.map(({close}) => close);
  return {reasoning, closes, tokens, answer, framing, control};
}

/** The forms to recognise: none without tools (EXT-007). */
export function activeForms(input) {
  const {effective, format, dialects, guided, limits, fences} = input;
  if (effective.length === 0) return [];
  const further = [...new Set(dialects)].map((id) => BY_ID.get(id)); // EXT-007
  const {dialects: own, control} = FORMATS_BY_ID.get(format) ?? {};
  const beside = (others) => (one) => !others.some((other) => other.excludes?.includes(one.id));
  const listed = own?.map((id) => BY_ID.get(id)).filter(beside(further)) ?? []; // EXT-175
  const chosen = own === undefined && dialects === undefined ? DEFAULTS : [...listed, ...further];
  const isRead = ({common: where}) => where === true || where === fences;
  const common = own === undefined && dialects !== undefined ? [] : COMMON.filter(isRead).filter(beside(chosen));
  const active = [...new Set([...chosen, ...common])];
  const isControl = ({id, common: isCommon}) => control === true && (!isCommon || own.includes(id));
  const forms = active.flatMap((descriptor) => formsOf(descriptor, limits, isControl(descriptor)));
  return guided === undefined ? forms : [guidedForm(guided), ...forms];
}

/**
 * An opener with its closer and payload, and what is narrower there than elsewhere; a section is a
 * form without payload (EXT-116). Without a limit of its own a dialect has none (EXT-164).
 */
function formsOf(descriptor, limits, isControl = false) {
  const {id, section, opener, closer, payload, repairs, limit_bytes: own, values = {}, words} = descriptor;
  const limit = own === undefined ? Infinity : limits?.payload_bytes ?? own;
  const common = {dialect: id, repairs, limit, values, isControl, isCommon: descriptor.common, words};
  const forms = [{...common, opener, closer, payload}];
  if (section !== undefined) forms.push({...common, ...section, payload: null});
  return forms;
}

/** Whether a form is a message to a tool, which has no other use than a call. */
export function isMessage({opener}) {
  return opener?.select !== undefined || opener?.messages !== undefined;
}
