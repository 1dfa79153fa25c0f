// Names that come near one that is unknown.

const NEAR = 3;

/** Says which known names come near an unknown one, or all of them where none does. */
export function othersThan(wanted, known) {
  const near = typeof wanted === 'string' ? nearNames(wanted.toLowerCase(), known) : [];
  return near.length > 0 ? `near it: ${near.join(', ')}` : `there are ${known.join(', ')}`;
}

/** The few known names that come near one in lower case. */
export function nearNames(wanted, known) {
  const holding = known.filter((name) => wanted !== '' && name.includes(wanted));
  const alike = known.filter((name) => distance(wanted, name) <= Math.max(1, wanted.length / NEAR));
  return [...new Set([...holding, ...alike])].slice(0, NEAR);
}

/** How many characters have to be put in, taken out or changed. */
function distance(one, other) {
  let row = Array.from({length: other.length + 1}, (_, at) => at);
  for (const [i, char] of [...one].entries()) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j++) {
      next.push(Math.min(row[j + 1] + 1, next[j] + 1, row[j] + (char === other[j] ? 0 : 1)));
    }
    row = next;
  }
  return row[other.length];
}
