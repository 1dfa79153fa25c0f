// What programs give on the way out of a turn: what is the same for nearly everybody need not be said,
// and what the way back needs stands in what `prepare` returns.

import {formatFor, formatIds, isFormat} from '../extraction/formats.mjs';
import {lacksOrigin} from '../payload/profile.mjs';
import {loadProfile} from '../payload/profiles.mjs';
import {isObject} from '../shared/json_text.mjs';
import {othersThan} from '../shared/near.mjs';
import {toolsOf} from './tools.mjs';

/** The target of a capability that the caller states, in a registry of its own. */
const SAID = {provider: 'caller', model: 'caller'};

const DEFAULTS = {layers: [], text_protocol: false, disposition: 'answer'};

/** The input of the operation, and what the way back takes from the way out. */
export function outbound({capability, format = 'auto', ...given}) {
  if (typeof capability !== 'boolean') throw new TypeError('capability is true or false');
  if (given.registries !== undefined || given.targets !== undefined) {
    throw new TypeError('capability stands in the place of registries and targets: give one');
  }
  const target = {registries: [stating(capability)], targets: [SAID]};
  const input = {...DEFAULTS, ...given, ...target};
  if (given.profile !== undefined) input.profile = named(given.profile, input.request?.model);
  const tools = toolsOf(input.request);
  input.registered ??= tools.map((tool) => tool?.function?.name).filter((name) => typeof name === 'string');
  const {disposition, profile} = input;
  const read = {disposition, format: formatOf(format, input.request?.model), profile, tools};
  return {input, reading: Object.fromEntries(Object.entries(read).filter(([, value]) => value ?? false))};
}

/** What `receive` and `TurnStream` are given, with what they take from what was sent. */
export function inbound({sent, ...said}) {
  const given = said.profile === undefined ? said : {...said, profile: named(said.profile, sent?.request?.model)};
  if (!isObject(sent)) return given;
  const {plan, request, aliases, reading} = sent;
  const {native, ...known} = reading ?? {};
  return {plan, request: native?.request ?? request, aliases, request_id: crypto.randomUUID(), ...known, ...given};
}

function formatOf(format, model) {
  if (format === 'auto') return typeof model === 'string' ? formatFor(model) : null;
  if (format !== null && !isFormat(format)) {
    throw new RangeError(`there is no format ${JSON.stringify(format)}; ${othersThan(format, formatIds)}`);
  }
  return format;
}

/** The flags of a profile that goes by its name; where it keeps what one model alone reads, that is this model. */
function named(profile, model) {
  if (typeof profile !== 'string') return profile;
  const flags = loadProfile(profile);
  const isOpen = lacksOrigin({profile: flags}) && typeof model === 'string';
  return isOpen ? {...flags, origin: {provider: profile, model}} : flags;
}

function stating(supported) {
  const models = {[SAID.model]: {tool_calls_supported: supported}};
  return {registry_version: '1.0', revision: '1970-01-01', providers: {[SAID.provider]: {models}}};
}
