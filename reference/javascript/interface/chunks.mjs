// Chunks of Chat Completions, as events of other interfaces become them.

export function chunk(delta, reason = null) {
  return {choices: [{index: 0, delta, finish_reason: reason}]};
}

/** The chunk with which a call begins. */
export function called(index, id = null, name = null) {
  return chunk({tool_calls: [{index, id, type: 'function', function: {name, arguments: ''}}]});
}

/** A piece of the arguments of a call. */
export function more(index, text) {
  return chunk({tool_calls: [{index, function: {arguments: text}}]});
}
