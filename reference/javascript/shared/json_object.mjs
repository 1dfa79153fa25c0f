// Copies of objects with other members; `__proto__` is a name like any other.

/** A copy without the named members. */
export function without(object, names) {
  const gone = new Set(names); // a caller can name very many
  return Object.fromEntries(Object.entries(object).filter(([name]) => !gone.has(name)));
}

/** The named members that an object has. */
export function pick(object, names) {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(object, name))
    .map((name) => [name, object[name]]));
}

/** Whether a value is an array with an element. */
export function isFilledArray(value) {
  return Array.isArray(value) && value.length > 0;
}

/** Whether a value is an array without an element. */
export function isEmptyArray(value) {
  return Array.isArray(value) && value.length === 0;
}

/** Whether a member is absent or null. */
export function isNothing(value) {
  return value === undefined || value === null;
}
