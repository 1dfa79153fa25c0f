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
    if (isThought(element) && isThought(last) && takes(last, element)) joinThought(last, element);
    else list.push(isThought(element) ? {...element, ...copiedWords(element)} : element);
  }
  return list;
}

function isThought(value) {
  if (!isObject(value) || own(value, 'type') !== 'thinking') return false;
  const words = own(value, 'thinking') ?? '';
  return typeof words === 'string' || Array.isArray(words);
}

function copiedWords({thinking}) {
  return Array.isArray(thinking) ? {thinking: [...thinking]} : {};
}

/** Whether a thought goes into the one before it. */
function takes(last, {thinking}) {
  const before = own(last, 'thinking') ?? null;
  const isAlike = (thinking ?? null) === null || before === null ||
    typeof before === typeof thinking;
  const signature = own(last, 'signature');
  return isAlike && !(typeof signature === 'string' && signature !== '');
}

function joinThought(last, element) {
  for (const [name, value] of Object.entries(element)) {
    const before = own(last, name);
    if (name === 'thinking' && typeof before === 'string') {
      last.thinking += value ?? '';
    } else if (before === undefined || before === null || before === '') {
      last[name] = Array.isArray(value) ? [...value] : value;
    } else if (name === 'thinking' && Array.isArray(value)) {
      last.thinking.push(...value);
    }
  }
}
