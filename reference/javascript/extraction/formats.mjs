// Which format a model writes.

import {FORMATS} from './format_data.mjs';
import {MODELS} from './format_models.mjs';

const BETWEEN = /(?<=[a-z])(?=[0-9])|(?<=[0-9])(?=[a-z])|\.(?![0-9])|(?<![0-9])\.|[^a-z0-9.]+/g;

/** The ids of the formats. */
export const formatIds = Object.freeze(FORMATS.map(({id}) => id));

/** Whether there is a format of this id. */
export function isFormat(id) {
  return formatIds.includes(id);
}

/**
 * The id of the format of a model, or null where no format names it: by the id of its repository, or else
 * by what names the same weights elsewhere, a repository that quantised or repackaged them, a file, a tag of
 * Ollama or LM Studio. Of two patterns that fit, the one with more characters beside `*` counts.
 */
export function formatFor(model) {
  if (isFormat(model)) return model;
  const found = longest(model, isModel) ?? longest(model, isCopy);
  if (found !== null || !ownName(model).includes(':')) return found;
  // A tag can leave out how a name ends, where all that begin so are of one format.
  const begin = plain(`${ownName(model)}-`);
  const begun = Object.entries(MODELS).filter(([, patterns]) =>
    patterns.some((pattern) => plain(`${ownName(pattern)}-`).startsWith(begin)));
  return begun.length === 1 ? begun[0][0] : null;
}

/** The id of the format with the longest pattern that fits, or null. */
function longest(model, fits) {
  const found = Object.entries(MODELS).flatMap(([id, patterns]) => patterns
    .filter((pattern) => fits(pattern, model))
    .map((pattern) => ({id, length: pattern.replaceAll('*', '').length})));
  found.sort((one, other) => other.length - one.length || (one.id < other.id ? 1 : -1));
  return found[0]?.id ?? null;
}

function isModel(pattern, model) {
  return matches(pattern.split('*').map(escaped).join('.*'), model);
}

/**
 * Whether a name begins as those that fit a pattern, whoever owns what it names. Copies keep the name of the
 * weights, and add to its end how they are packed. Some put the owner's name before it.
 */
function isCopy(pattern, model) {
  const owner = escaped(plain(pattern.split('/')[0]));
  const ways = ownName(pattern).split('*').map((part) => escaped(plain(part))).join('.*');
  return matches(`(${owner}-)?${ways}${pattern.endsWith('*') ? '' : '-'}.*`, plain(`${ownName(model)}-`));
}

function matches(ways, name) {
  return new RegExp(`^(?:${ways})$`, 'is').test(name);
}

function escaped(text) {
  return text.replace(/[^\w]/g, '\\$&');
}

function ownName(model) {
  return model.slice(model.lastIndexOf('/') + 1).replace(/:latest$/, '');
}

/** A name in small letters, with `-` between its words and its numbers. */
function plain(name) {
  return name.toLowerCase().replace(BETWEEN, '-');
}
