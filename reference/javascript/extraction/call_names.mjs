// Names of calls (EXT-060, EXT-077, EXT-064).

import {isBlankText, trimBlanks, trimJsonSpace, visibleEnd, visibleStart} from '../shared/characters.mjs';

const ATTRIBUTES = /(?:[ \t\n\r]+[A-Za-z_][A-Za-z0-9_.:-]*=(?:"[^"]*"|'[^']*'))+$/;

/**
 * The cleaned name or the code that says why there is none (EXT-060, EXT-077), where the `values`
 * of the descriptor say how a name is cleaned.
 */
export function readName(name, {name: kept}) {
  if (name === undefined || name === null) return {code: 'name_missing'};
  if (typeof name !== 'string') return {code: 'name_not_string'};
  const cleaned = kept === 'verbatim' ? keepName(name) : cleanName(name);
  return cleaned === '' ? {code: 'name_blank'} : {name: cleaned};
}

/** `{call}`, with a code beside it where its name cannot be sent (EXT-064). */
export function namedCall(name, {value, text}) {
  const call = {id: null, name, arguments: value, arguments_json: text};
  return /^[A-Za-z0-9_-]{1,64}$/.test(name) ? {call} : {call, code: 'name_not_sendable'};
}

/** The name of a parameter with a text (extraction: parameter). */
export function parameterName(written, text) {
  return cleanName(unquotedName(written, trimJsonSpace(text) === ''));
}

/**
 * A name outside JSON without blanks, attributes and a pair of quotation marks (extraction: bare name).
 * One that stands alone keeps its attributes, which may be what it lacks.
 */
export function unquotedName(written, isAlone) {
  const whole = trimBlanks(written);
  const name = isAlone ? whole : whole.replace(ATTRIBUTES, '');
  const isQuoted = name.length > 1 && name.at(-1) === name[0] && (name[0] === '"' || name[0] === "'");
  return isQuoted ? trimBlanks(name.slice(1, -1)) : name;
}

/** A name as it stands, or nothing of a blank one (extraction: cleaned name). */
function keepName(name) {
  return isBlankText(name) ? '' : name;
}

/** A name without blanks and control tokens at both ends (extraction: cleaned name). */
function cleanName(name) {
  let start = visibleStart(name);
  for (let next = tokenEnd(name, start); next > start; next = tokenEnd(name, start)) {
    start = visibleStart(name, next);
  }
  let end = visibleEnd(name);
  for (let next = tokenStart(name, end); next < end; next = tokenStart(name, end)) {
    end = visibleEnd(name, next);
  }
  return name.slice(start, Math.max(start, end));
}

/** The end of the control token that begins at a position, or that position. */
function tokenEnd(name, at) {
  if (!name.startsWith('<|', at)) return at;
  let i = at + 2;
  while (i < name.length && !'<>|'.includes(name[i])) i++;
  return i > at + 2 && name.startsWith('|>', i) ? i + 2 : at;
}

/** The begin of the control token that ends at a position, or that position. */
function tokenStart(name, end) {
  if (end < 5 || !name.startsWith('|>', end - 2)) return end;
  let i = end - 3;
  while (i >= 0 && !'<>|'.includes(name[i])) i--;
  return i < end - 3 && i > 0 && name.startsWith('<|', i - 1) ? i - 1 : end;
}
