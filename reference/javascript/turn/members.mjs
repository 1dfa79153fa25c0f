// Parts of an input as the input of another operation.

/** The named members that an object has. */
export function pick(object, names) {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(object, name))
    .map((name) => [name, object[name]]));
}
