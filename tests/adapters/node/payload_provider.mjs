// What of a history only the provider of a message understands (payload: mark, message from here,
// opaque member, opaque part).

import {equalJson, isObject, own} from './json_text.mjs';
import {flagsOf} from './payload_profile.mjs';

const WIRE = new Set([
  'role', 'content', 'name', 'tool_calls', 'tool_call_id', 'function_call', 'id', 'type',
  'function', 'arguments',
]);

/** The provider that a history goes to. */
export class Provider {
  #origin;
  #mark;
  #members;
  #parts;

  constructor(input) {
    const profile = own(input, 'profile') ?? {};
    const mark = own(profile, 'origin_member');
    this.flags = flagsOf(input);
    this.#origin = own(profile, 'origin');
    this.#mark = WIRE.has(mark) ? undefined : mark;
    this.#members = new Set(this.flags.opaque_members);
    this.#parts = new Set(this.flags.opaque_parts);
  }

  /** Whether a member of a message says where this came from. */
  isMark(name) {
    return name === this.#mark;
  }

  /** Whether a message came from this provider. */
  isSource(message) {
    if (this.#origin === undefined) return false;
    if (this.#mark === undefined || !Object.hasOwn(message, this.#mark)) return true;
    return equalJson(message[this.#mark], this.#origin);
  }

  /** Whether members of this name are opaque; in a message the mark is none of them. */
  isOpaqueMember(name) {
    return this.#members.has(name) && !WIRE.has(name);
  }

  /** Whether an element of the content of an assistant message is opaque. */
  isOpaquePart(part) {
    const type = isObject(part) ? own(part, 'type') : undefined;
    return type !== 'text' && this.#parts.has(type);
  }
}
