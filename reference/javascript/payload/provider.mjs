// What of a history only the provider of a message understands, and what any reads (payload: mark,
// opaque member, readable member).

import {MARK} from '../shared/envelope.mjs';
import {equalJson, isObject, own} from '../shared/json_text.mjs';
import {flagsOf} from './profile.mjs';

/** The names without which a history cannot be read (payload: wire member). */
const WIRE = new Set([
  'role', 'content', 'name', 'tool_calls', 'tool_call_id', 'function_call', 'id', 'type',
  'function', 'arguments',
]);

/** The provider that a history goes to. */
export class Provider {
  #origin;
  #unmarked;
  #members;

  constructor(input) {
    const profile = own(input, 'profile') ?? {};
    this.flags = flagsOf(input);
    this.#origin = own(profile, 'origin');
    this.#unmarked = own(profile, 'unmarked');
    this.#members = new Set(this.flags.opaque_members);
  }

  /** Whether a message came from this provider, as its mark says, or the caller where it has none; without an origin nobody asks. */
  isSource(message) {
    const mark = Object.hasOwn(message, MARK) ? message[MARK] : this.#unmarked;
    return equalJson(mark, this.#origin);
  }

  /** Whether members of this name are opaque; in a message the mark is none of them. */
  isOpaqueMember(name) {
    return this.#members.has(name) && !WIRE.has(name);
  }

  /** The names of the readable members of a message, which has lost its mark; what is opaque is asked for before. */
  readableNames(message) {
    if (message.role !== 'assistant') return [];
    return this.flags.readable_members.filter((name) =>
      Object.hasOwn(message, name) && !WIRE.has(name));
  }

  /** Whether an object, if it is one, has an opaque member; a message has lost its mark. */
  hasOpaqueMember(value) {
    return isObject(value) && Object.keys(value).some((name) => this.isOpaqueMember(name));
  }
}
