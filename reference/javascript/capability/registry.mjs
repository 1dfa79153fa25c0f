// One registry: whether it loads, and what it holds for a target.

import {hasMembers} from '../shared/envelope.mjs';
import {beginsWith, byFoldedName, foldName} from './names.mjs';
import {isObject} from '../shared/json_text.mjs';

const ENTRY = ['tool_choice', 'parallel_tool_calls', 'source'];
const PROVIDER = ['prefixes', 'default'];

/** The providers by folded name, or null (capability: registry that loads). */
export function loadRegistry(registry) {
  if (!hasMembers(registry, ['registry_version', 'revision', 'providers'])) return null;
  if (registry.registry_version !== '1.0' || typeof registry.revision !== 'string') return null;
  if (!isObject(registry.providers)) return null;
  const pairs = [];
  for (const [name, document] of Object.entries(registry.providers)) {
    const provider = loadProvider(document);
    if (provider === null) return null;
    pairs.push([name, provider]);
  }
  return byFoldedName(pairs);
}

/** One provider, or null (capability: provider that loads). */
function loadProvider(document) {
  if (!hasMembers(document, ['models'], PROVIDER)) return null;
  const {models, prefixes = []} = document;
  if (!isObject(models) || !Array.isArray(prefixes) || !prefixes.every(hasPrefix)) return null;
  const provider = {
    models: byFoldedName(Object.entries(models)),
    prefixes: byFoldedName(prefixes.map(({prefix, ...entry}) => [prefix, entry])),
    defaults: Object.hasOwn(document, 'default') ? [document.default] : [],
  };
  return provider.models === null || provider.prefixes === null ? null : provider;
}

function hasPrefix(element) {
  return isObject(element) && Object.hasOwn(element, 'prefix') &&
    typeof element.prefix === 'string' && element.prefix !== '';
}

/** `{rank, key, entry}` at the first rank that a provider has for a model, or null (CAP-001). */
export function findEntry(provider, model) {
  const folded = foldName(model);
  const exact = provider.models.get(folded);
  if (exact !== undefined) return {rank: 'exact', key: exact.name, entry: exact.value};
  const prefix = longestPrefix(provider.prefixes, folded);
  if (prefix !== null) return {rank: 'prefix', key: prefix.name, entry: prefix.value};
  if (provider.defaults.length === 0) return null;
  return {rank: 'provider_default', key: 'default', entry: provider.defaults[0]};
}

/** Of the prefixes with which a model begins the longest, or null (CAP-001). */
function longestPrefix(prefixes, model) {
  let longest = null;
  for (const [folded, prefix] of prefixes) {
    const isLonger = longest === null || prefix.name.length > longest.name.length;
    if (isLonger && beginsWith(model, folded)) longest = prefix;
  }
  return longest;
}

/** Whether an entry is malformed (capability: entry). */
export function isMalformed(entry) {
  return !hasMembers(entry, ['tool_calls_supported'], ENTRY) ||
    typeof entry.tool_calls_supported !== 'boolean';
}
