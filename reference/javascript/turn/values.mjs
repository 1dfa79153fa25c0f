// Members that nobody reads, out of what chunks have of them (turn: joined value).

import {equalJson} from '../shared/json_text.mjs';

/** Members by their names, while they arrive. */
export class Values {
  #values = new Map();

  /** Adds members of an object by these names, and returns the names of those that this loses. */
  add(object, names) {
    return names.filter((name) => object[name] !== null && this.#isLostBy(name, object[name]));
  }

  #isLostBy(name, value) {
    const isText = typeof value === 'string';
    const before = this.#values.get(name);
    if (before === undefined) this.#values.set(name, {isText, value, isLost: false});
    if (before === undefined || before.isLost) return false;
    if (isText && before.isText) before.value += value;
    else before.isLost = isText || before.isText || !equalJson(before.value, value);
    return before.isLost;
  }

  /** All that there are. */
  get members() {
    const kept = [...this.#values].filter(([, {isLost}]) => !isLost);
    return Object.fromEntries(kept.map(([name, {value}]) => [name, value]));
  }
}
