// The tags of tools (extraction: tool tag). Their names are looked up where a tag stands: each
// request has others.

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
    let end = from;
    for (let char; (char = source.chars[end]) !== '>'; end++) {
      if (char !== undefined && !SENDABLE.test(char)) return null;
      if (char !== undefined) continue;
      if (!this.#begins(source.slice(from, end)) || (yield* source.at(end)) === undefined) return null;
      end--; // it has come
    }
    const name = source.slice(from, end);
    if (!this.has(name)) return null;
    const form = this.#formOf(name);
    if (isCloser) return {kind: 'close', forms: [form], start, end: end + 1};
    return {kind: 'open', form, start, end: end + 1, header: name};
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
