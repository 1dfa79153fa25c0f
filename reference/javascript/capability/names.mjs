// How names of providers and models are compared: as they are, but for ASCII case (CAP-001).

/** A text with `A` to `Z` made small, and no other character changed (vocabulary: ASCII case). */
export function foldName(name) {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Whether a folded name begins with a folded prefix, by code points: half a pair begins none. */
export function beginsWith(name, prefix) {
  if (!name.startsWith(prefix)) return false;
  const cut = name.slice(prefix.length - 1, prefix.length + 1);
  return !/^[\ud800-\udbff][\udc00-\udfff]$/.test(cut);
}

/** A Map by folded name of `[name, value]` pairs, or null where two names are equal. */
export function byFoldedName(pairs) {
  const found = new Map();
  for (const [name, value] of pairs) found.set(foldName(name), {name, value});
  return found.size === pairs.length ? found : null;
}
