// The operation capability.resolve.

import {CAPABILITY_RESOLVE} from '../shared/form_data.mjs';
import {isBad} from '../shared/forms.mjs';
import {foldName} from './names.mjs';
import {findEntry, isMalformed, loadRegistry} from './registry.mjs';
import {CHOICES, statedChoices, statedParallelCalls, supports} from './support.mjs';
import {isObject, own} from '../shared/json_text.mjs';

/** `{result}` or `{error}`: what the registries know of the models of the targets. */
export function resolve(input) {
  if (isBad(CAPABILITY_RESOLVE, input)) return {error: {code: 'invalid_input'}};
  const {registries, targets} = input;
  const load = loader(registries);
  const found = targets.map((target) => judge(target, load, registries.length));
  const first = found.find(({isOpen}) => !isOpen);
  const isOpen = found.length > 0 && first === undefined; // CAP-005
  const hits = found.map(({hit}) => hit);
  return {result: {
    tool_calls_supported: isOpen,
    tool_choice: isOpen ? commonChoices(hits) : [],
    parallel_tool_calls: isOpen ? commonParallelCalls(hits) : false,
    reason: (first ?? found[0])?.reason ?? 'no_target',
    matched: hits.map((hit) => hit && {layer: hit.layer, key: hit.key}), // CAP-022
  }};
}

/** Loads each registry when a search first comes to it (CAP-001). */
function loader(registries) {
  const loaded = new Map();
  return (layer) => {
    if (!loaded.has(layer)) loaded.set(layer, loadRegistry(registries[layer]));
    return loaded.get(layer);
  };
}

/** The hit of a target, or null, its reason, and whether it is open (capability: open target). */
function judge(target, load, layers) {
  if (!names(target, 'provider')) return closed(null, 'unknown_provider'); // CAP-005
  if (!names(target, 'model')) return closed(null, 'unknown_model');
  const {hit, reason} = search(target, load, layers);
  if (hit === null) return closed(hit, reason);
  if (isMalformed(hit.entry)) return closed(hit, 'malformed_entry');
  return {hit, reason: hit.rank, isOpen: supports(hit.entry)};
}

function closed(hit, reason) {
  return {hit, reason, isOpen: false};
}

/** Whether a target has a name at a member (capability: named target). */
function names(target, member) {
  const name = isObject(target) ? own(target, member) : undefined;
  return typeof name === 'string' && name !== '';
}

/** All ranks of one registry before the next, until the first hit (CAP-001). */
function search({provider, model}, load, layers) {
  let reason = 'unknown_provider';
  for (let layer = 0; layer < layers; layer++) {
    const providers = load(layer);
    if (providers === null) return {hit: null, reason: 'registry_invalid'}; // CAP-001
    const found = providers.get(foldName(provider));
    if (found === undefined) continue;
    reason = 'unknown_model';
    const hit = findEntry(found.value, model);
    if (hit !== null) return {hit: {layer, ...hit}};
  }
  return {hit: null, reason};
}

/** The choices that all hits leave (CAP-005). */
function commonChoices(hits) {
  const stated = hits.map(({entry}) => statedChoices(entry)).filter((choices) => choices !== null);
  if (stated.length === 0) return null;
  return CHOICES.filter((word) => stated.every((choices) => choices.includes(word)));
}

/** The parallel calls that all hits leave (CAP-005). */
function commonParallelCalls(hits) {
  const stated = hits.map(({entry}) => statedParallelCalls(entry));
  if (stated.includes(false)) return false;
  return stated.every((parallel) => parallel === true) ? true : null;
}
