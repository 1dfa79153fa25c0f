// Which dialects there are, which of them are active, and the forms that each has.

import {DESCRIPTORS} from './dialect_data.mjs';
import {FORMATS} from './format_data.mjs';
import {hasMessages} from './messages.mjs';

const BY_ID = new Map(DESCRIPTORS.map((descriptor) => [descriptor.id, descriptor]));
const DEFAULTS = DESCRIPTORS.filter((descriptor) => descriptor.default); // extraction: dialect
const COMMON = DESCRIPTORS.filter((descriptor) => descriptor.common);
const FORMATS_BY_ID = new Map(FORMATS.map((format) => [format.id, format]));
const SENDABLE = /^[A-Za-z0-9_-]{1,64}$/;
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
  return {reasoning, tokens, answer, framing, control};
}

/** Whether a dialect cannot be active beside another. */
function excludes(one, other) {
  return one.excludes?.includes(other.id) ?? false;
}

/** The forms to recognise: none without tools unless the caller only watches (EXT-007). */
export function activeForms(input) {
  const {effective, observe, format, dialects, guided, limits} = input;
  const isAsked = observe === true || effective.length > 0;
  if (!isAsked) return [];
  const further = [...new Set(dialects)].map((id) => BY_ID.get(id)); // EXT-007
  const {dialects: own, control} = FORMATS_BY_ID.get(format) ?? {};
  const beside = (others) => (one) => !others.some((other) => excludes(one, other) || excludes(other, one));
  const listed = own?.map((id) => BY_ID.get(id)).filter(beside(further)) ?? []; // EXT-175
  const chosen = own === undefined && dialects === undefined ? DEFAULTS : [...listed, ...further];
  const common = own === undefined && dialects !== undefined ? [] : COMMON.filter(beside(chosen));
  const active = [...new Set([...chosen, ...common])];
  const forms = withTools(active, input).flatMap((descriptor) => formsOf(descriptor, limits, control));
  return guided === undefined ? forms : [guidedForm(guided), ...forms];
}

/** Dialects, and in the place of one for each tool those (extraction: tool tag). */
function withTools(active, input) {
  const {reasoning, tokens} = frameOf(input);
  const pairs = [...reasoning.flatMap(({open, close}) => [open, close]),
    ...active.flatMap(({opener, closer}) => [opener, closer])];
  const words = active.flatMap((one) => one.words ?? []).map((tag) => ({tag}));
  const written = new Set([...tokens, ...[...pairs, ...words].map(asTag)].map((text) => text.toLowerCase()));
  const names = Array.isArray(input.effective) ? input.effective : [];
  const free = names.filter((name) => SENDABLE.test(name) && !written.has(`<${name}>`.toLowerCase()));
  return active.flatMap((one) => (one.each_tool ? [...new Set(free)].map((name) => ofTool(one, name)) : [one]));
}

function ofTool({opener, closer, ...rest}, tool) {
  const named = ({text}) => ({text: text.replace('NAME', () => tool), tool});
  return {...rest, opener: named(opener), closer: named(closer)};
}

/** A marker as an opening tag would be written. */
function asTag(marker) {
  return marker?.tag === undefined ? (marker?.text ?? '').replace('</', '<') : `<${marker.tag}>`;
}

/**
 * An opener with its closer and payload, and what is narrower there than elsewhere; a section is a
 * form without payload (EXT-116). Without a limit of its own a dialect has none (EXT-164).
 */
function formsOf(descriptor, limits, control = false) {
  const {id, section, opener, closer, payload, repairs, limit_bytes: own, values = {}} = descriptor;
  const limit = own === undefined ? Infinity : limits?.payload_bytes ?? own;
  const isControl = control && !descriptor.common; // its markers are control tokens
  const common = {dialect: id, repairs, limit, values, isControl, isCommon: descriptor.common};
  const forms = [{...common, opener, closer, payload}];
  if (section !== undefined) forms.push({...common, ...section, payload: null});
  return forms;
}

/** Whether a form is a message to a tool, which has no other use than a call. */
export function isMessage({opener}) {
  return opener?.select !== undefined || opener?.messages !== undefined;
}
