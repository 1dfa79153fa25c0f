// The names that a flattened history shows (payload: shown name; PAY-092).

import {own} from '../shared/json_text.mjs';
import {INVALID_NAME} from './rounds.mjs';

const UNKNOWN_NAME = 'unknown';

export class Names {
  #effective; // null: every name may be shown
  #isQuoted;

  constructor(input) {
    const effective = own(input, 'effective');
    this.#effective = effective === undefined ? null : new Set(effective);
    this.#isQuoted = input.form === 'quoted';
  }

  /** The shown name of a call, or null. */
  ofCall({checked: {valid, name}}) {
    if (valid) return this.#effective?.has(name) ?? true ? name : null;
    const isNamed = this.#isQuoted && this.#effective === null; // in quotes it is no call to copy
    return isNamed ? name ?? INVALID_NAME : null;
  }

  /** The shown name of a result of a call, or of a result of nothing, or null. */
  ofResult(call) {
    if (call !== undefined) return this.ofCall(call);
    return this.#effective === null ? UNKNOWN_NAME : null;
  }
}
