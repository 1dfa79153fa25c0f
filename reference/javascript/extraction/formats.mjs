// Which format a model writes.

import {escaped} from './clean.mjs';
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
  const begin = plain(`${ownName(model)}-`);
  const found = longest(model, 'model') ?? longest(begin, 'copy');
  if (found !== null || !ownName(model).includes(':')) return found;
  // A tag can leave out how a name ends, where all that begin so are of one format.
  const begun = Object.entries(MODELS).filter(([, texts]) =>
    texts.some((pattern) => plain(`${ownName(pattern)}-`).startsWith(begin)));
  return begun.length === 1 ? begun[0][0] : null;
}

/** The id of the format with the longest pattern that fits, or null. */
function longest(name, kind) {
  const found = patterns().filter((pattern) => pattern[kind].test(name));
  found.sort((one, other) => other.length - one.length || (one.id < other.id ? 1 : -1));
  return found[0]?.id ?? null;
}

let made = null;

/** Each pattern of a format, with its length, and what fits it: a model, or the plain name of a copy. */
function patterns() {
  made ??= Object.entries(MODELS).flatMap(([id, texts]) => texts.map((text) =>
    ({id, length: text.replaceAll('*', '').length, model: modelOf(text), copy: copyOf(text)})));
  return made;
}

function modelOf(pattern) {
  return whole(pattern.split('*').map(escaped).join('.*'));
}

/**
 * What begins as a name that fits a pattern, whoever owns what it names. Copies keep the name of the
 * weights, and add to its end how they are packed. Some put the owner's name before it.
 */
function copyOf(pattern) {
  const owner = escaped(plain(pattern.split('/')[0]));
  const ways = ownName(pattern).split('*').map((part) => escaped(plain(part))).join('.*');
  return whole(`(${owner}-)?${ways}${pattern.endsWith('*') ? '' : '-'}.*`);
}

function whole(ways) {
  return new RegExp(`^(?:${ways})$`, 'is');
}

function ownName(model) {
  return model.slice(model.lastIndexOf('/') + 1).replace(/:latest$/, '');
}

/** A name in small letters, with `-` between its words and its numbers. */
function plain(name) {
  return name.toLowerCase().replace(BETWEEN, '-');
}
