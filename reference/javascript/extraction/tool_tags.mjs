// The tags of tools (extraction: tool tag). Their names are looked up where a tag stands: each
// request has others.

import {isBlank} from '../shared/characters.mjs';

const SENDABLE = /^[A-Za-z0-9_-]{1,64}$/;

/** What no tag of a tool is, in lower case: the tags of other markers, and elements of HTML. */
export function takenBy(forms, toolForm, {reasoning, tokens}) {
  const pairs = [...reasoning.flatMap(({open, close}) => [open, close]),
    ...forms.flatMap(({opener, closer}) => [opener, closer])];
  const words = (toolForm?.words ?? []).map((tag) => ({tag}));
  return new Set([...tokens, ...[...pairs, ...words].map(asTag)].map((text) => text.toLowerCase()));
}

/** A marker as an opening tag would be written. */
function asTag(marker) {
  return marker?.tag === undefined ? (marker?.text ?? '').replace('</', '<') : `<${marker.tag}>`;
}

export class ToolTags {
  #forms = new Map(); // of the tags that came
  #sorted = null;

  constructor({toolForm, taken}, effective) {
    this.form = toolForm;
    this.taken = taken;
    this.names = new Set(toolForm === undefined ? [] : effective);
  }

  /** Whether a name has tags. */
  has(name) {
    return this.names.has(name) && SENDABLE.test(name) && !this.taken.has(`<${name}>`.toLowerCase());
  }

  /** The tag that stands at a position, or null. */
  *at(source, start) {
    if (this.names.size === 0 || (yield* source.at(start)) !== '<') return null;
    const isCloser = (yield* source.at(start + 1)) === '/';
    const from = start + (isCloser ? 2 : 1);
    const name = source.slice(from, yield* this.#nameEnd(source, from));
    if (!this.has(name)) return null;
    const end = yield* gapEnd(source, from + name.length);
    if ((yield* source.at(end)) !== '>') return null;
    const form = this.#formOf(name);
    if (isCloser) return {kind: 'close', forms: [form], start, end: end + 1};
    return {kind: 'open', form, start, end: end + 1, header: name};
  }

  /** The end of the name that begins at a position; nothing more of one is waited for that has no tags. */
  *#nameEnd(source, from) {
    let end = from;
    for (let char; ; end++) {
      char = source.chars[end];
      if (char === undefined && this.#begins(source.slice(from, end))) char = yield* source.at(end);
      if (char === undefined || !SENDABLE.test(char)) return end;
    }
  }

  /** Whether the text ends inside a closing tag that begins at a position. */
  *endsInCloser(source, start) {
    if (this.names.size === 0 || (yield* source.wordAt(start, ['</'])) === null) return false;
    const from = start + 2;
    const nameEnd = yield* this.#nameEnd(source, from);
    const name = source.slice(from, nameEnd);
    if ((yield* source.at(nameEnd)) === undefined) return this.#begins(name);
    return this.has(name) && (yield* source.at(yield* gapEnd(source, nameEnd))) === undefined;
  }

  /** Whether a name with tags begins so. */
  #begins(text) {
    this.#sorted ??= [...this.names].filter((name) => this.has(name)).sort();
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#sorted[middle] < text) low = middle + 1;
      else high = middle;
    }
    return this.#sorted[low]?.startsWith(text) ?? false;
  }

  #formOf(tool) {
    if (!this.#forms.has(tool)) {
      const named = (text) => ({text: text.replace('NAME', () => tool), tool});
      const [opener, closer] = [this.form.opener.text, this.form.closer.text].map(named);
      this.#forms.set(tool, {...this.form, opener, closer});
    }
    return this.#forms.get(tool);
  }
}

/** The end of the blanks before the `>` of a tag, one line feed among them at most. */
export function* gapEnd(source, from) {
  const end = yield* source.skip(from, isBlankOfLine);
  if ((yield* source.at(end)) !== '\n') return end;
  return yield* source.skip(end + 1, isBlankOfLine);
}

function isBlankOfLine(char) {
  return isBlank(char) && char !== '\n';
}
