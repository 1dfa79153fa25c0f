// The ids of calls in a sanitised history (payload: usable id; PAY-077).

/** What an id that is a text and not blank has to look like, by the flag `ids`. */
const FORMS = new Map([
  ['any', /^/],
  ['verbatim', /^/],
  ['word_64', /^[A-Za-z0-9_-]{1,64}$/],
  ['word_40', /^[A-Za-z0-9_-]{1,40}$/],
  ['alphanumeric_9', /^[A-Za-z0-9]{9}$/],
]);

/**
 * The id of each call that stays, in order. A call has its `id`, where null stands for an absent
 * or blank one, and its `message`, which is another one for each message of the output.
 */
export function assignIds(calls, form) {
  const usable = calls.map(({id}) => (id !== null && hasForm(id, form) ? id : null));
  const given = new Set(usable); // the first call with an id keeps it, so all of these are taken
  const used = new Map(); // the message in which an id stood last
  let free = 0; // between the number of an earlier fresh id and this one all are taken
  return usable.map((id, before) => {
    const {message} = calls[before];
    // As `verbatim` at the earlier calls of the same message, else at all earlier ones.
    const isTaken = form === 'verbatim' ? used.get(id) === message : used.has(id);
    if (id !== null && !isTaken) {
      used.set(id, message);
      return id;
    }
    free = Math.max(free, before); // PAY-077
    while (given.has(freshId(free))) free++;
    return freshId(free++);
  });
}

/** Whether an id that is a text and not blank has the form that the flag `ids` wants. */
export function hasForm(id, form) {
  return FORMS.get(form).test(id);
}

function freshId(number) {
  return `c${String(number).padStart(8, '0')}`;
}
