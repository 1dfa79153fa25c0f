// The ids of calls in a sanitised history (PAY-080, PAY-081).

/** The id of each call that stays, in order; null stands for an id that cannot be used. */
export function assignIds(ids) {
  const given = new Set(ids); // the first call with an id keeps it, so all of these are taken
  const used = new Set();
  let free = 0; // between the number of an earlier fresh id and this one all are taken
  return ids.map((id, before) => {
    if (id !== null && !used.has(id)) { // PAY-080
      used.add(id);
      return id;
    }
    free = Math.max(free, before); // PAY-081
    while (given.has(freshId(free))) free++;
    return freshId(free++);
  });
}

function freshId(number) {
  return `c${String(number).padStart(8, '0')}`;
}
