// Members that nobody reads, out of what chunks have of them (turn: joined elements, joined value).

import {equalJson, isObject, own} from '../shared/json_text.mjs';

/** Members by their names, while they arrive. */
export class Values {
  #values = new Map();

  /** Adds members of an object by these names, and returns the names of those that this loses. */
  add(object, names) {
    return names.filter((name) => object[name] !== null && this.#isLostBy(name, object[name]));
  }

  #isLostBy(name, value) {
    const kind = kindOf(value);
    const before = this.#values.get(name);
    if (before === undefined) {
      this.#values.set(name, {kind, value: kind === 'array' ? joinElements([], value) : value, isLost: false});
    }
    if (before === undefined || before.isLost) return false;
    if (kind !== before.kind) before.isLost = true;
    else if (kind === 'text') before.value += value;
    else if (kind === 'array') joinElements(before.value, value);
    else before.isLost = !equalJson(before.value, value);
    return before.isLost;
  }

  /** All that there are. */
  get members() {
    const kept = [...this.#values].filter(([, {isLost}]) => !isLost);
    return Object.fromEntries(kept.map(([name, {value}]) => [name, value]));
  }
}

function kindOf(value) {
  if (typeof value === 'string') return 'text';
  return Array.isArray(value) ? 'array' : 'other';
}

/** Puts elements behind those of a list of our own, and returns that (turn: joined elements). */
export function joinElements(list, elements) {
  for (const element of elements) {
    const last = list.at(-1);
    const name = nameOfWords(element);
    if (name && name === nameOfWords(last) && takes(last, element, name)) joinThought(last, element, name);
    else list.push(name ? {...element, ...copiedWords(element, name)} : element);
  }
  return list;
}

/** The member in which a thought has its words, null where that is no thought. */
function nameOfWords(value) {
  if (!isObject(value)) return null;
  const type = own(value, 'type');
  const isPiece = type === 'reasoning.text' && indexOf(value) !== null;
  if (type !== 'thinking' && !isPiece) return null;
  const name = isPiece ? 'text' : 'thinking';
  const words = own(value, name) ?? '';
  return typeof words === 'string' || Array.isArray(words) ? name : null;
}

function indexOf(value) {
  return own(value, 'index') ?? null;
}

function copiedWords(element, name) {
  return Array.isArray(own(element, name)) ? {[name]: [...element[name]]} : {};
}

/** Whether a thought goes into the one before it. */
function takes(last, element, name) {
  const [before, words] = [own(last, name) ?? null, own(element, name) ?? null];
  const isAlike = words === null || before === null || typeof before === typeof words;
  const signature = own(last, 'signature');
  return isAlike && equalJson(indexOf(last), indexOf(element)) && !(typeof signature === 'string' && signature !== '');
}

function joinThought(last, element, words) {
  for (const [name, value] of Object.entries(element)) {
    const before = own(last, name);
    if (name === words && typeof before === 'string') {
      last[words] += value ?? '';
    } else if (before === undefined || before === null || before === '') {
      last[name] = Array.isArray(value) ? [...value] : value;
    } else if (name === words && Array.isArray(value)) {
      last[words].push(...value);
    }
  }
}
