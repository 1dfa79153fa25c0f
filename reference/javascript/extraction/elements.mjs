// Values of parameters that are elements in elements (extraction: elements; EXT-221).

import {escaped} from './clean.mjs';
import {compactText} from '../shared/canonical_json.mjs';
import {trimJsonSpace} from '../shared/characters.mjs';

const DEEPEST = 32;

/** Whether the text of a parameter is elements, or should be. */
export function holdsElements(text, {elements, name_begin: begin}) {
  return elements === true && trimJsonSpace(text).startsWith(begin);
}

/**
 * Elements as JSON, or null where they are not balanced. `reads` has `leaf(text, schema)`, which
 * gives the JSON of a text, `takes(schema, value)` and `within(schema, ...names)`.
 */
export function elementsAsJson(text, schema, payload, reads) {
  const root = treeOf(text, payload);
  return root === null ? null : toJson(root, schema, reads);
}

/** The JSON of an array or object without elements, where the schema takes no text; else null. */
export function emptyElements(text, schema, {takes}) {
  if (trimJsonSpace(text) !== '' || takes(schema, '') !== false) return null;
  if (takes(schema, []) === true) return '[]';
  return takes(schema, {}) === true ? '{}' : null;
}

function treeOf(text, {name_begin: begin, name_end: end}) {
  const tag = new RegExp(`${escaped(begin)}(/?)([^<\\n/][^<\\n]{0,127}?)${escaped(end)}`, 'gu');
  const opened = [{name: '', inner: [], text: ''}];
  let at = 0;
  for (const {0: written, 1: closes, 2: name, index} of text.matchAll(tag)) {
    const between = text.slice(at, index);
    at = index + written.length;
    const last = opened.at(-1);
    if (closes !== '' && last.inner.length === 0) last.text = between;
    else if (trimJsonSpace(between) !== '') return null;
    if (closes === '') {
      opened.push({name, inner: [], text: ''});
      last.inner.push(opened.at(-1));
    } else if (opened.pop().name !== name) {
      return null;
    }
    if (opened.length > DEEPEST + 1) return null;
  }
  return opened.length === 1 && trimJsonSpace(text.slice(at)) === '' ? opened[0] : null;
}

function toJson({inner, text}, schema, reads) {
  const {takes, within, leaf} = reads;
  if (inner.length === 0) return emptyElements(text, schema, reads) ?? leaf(text, schema);
  const names = inner.map(({name}) => name);
  const isAllItems = names.every((name) => name === 'item') && takes(schema, {}) !== true;
  const isArray = takes(schema, []) === true || isAllItems;
  if (!isArray && new Set(names).size < names.length) return null;
  const below = (name) => (isArray ? within(schema, 'items') : within(schema, 'properties', name));
  const values = inner.map((element) => toJson(element, below(element.name), reads));
  if (values.includes(null)) return null;
  if (isArray) return `[${values.join(',')}]`;
  return `{${values.map((value, i) => `${compactText(names[i])}:${value}`).join(',')}}`;
}
