// Which format a model writes.

import {FORMATS} from './format_data.mjs';
import {MODELS} from './format_models.mjs';

/** The ids of the formats. */
export const formatIds = Object.freeze(FORMATS.map(({id}) => id));

/** Whether there is a format of this id. */
export function isFormat(id) {
  return formatIds.includes(id);
}

/**
 * The id of the format of a model, by the id of its repository, or null where no format names it. Of
 * two patterns that fit, the one with more characters beside `*` counts.
 */
export function formatFor(model) {
  if (isFormat(model)) return model;
  const fits = Object.entries(MODELS).flatMap(([id, patterns]) => patterns
    .filter((pattern) => isModel(pattern, model))
    .map((pattern) => ({id, length: pattern.replaceAll('*', '').length})));
  fits.sort((one, other) => other.length - one.length || (one.id < other.id ? 1 : -1));
  return fits[0]?.id ?? null;
}

function isModel(pattern, model) {
  const ways = pattern.split('*').map((part) => part.replace(/[^\w]/g, '\\$&')).join('.*');
  return new RegExp(`^${ways}$`, 'is').test(model);
}
