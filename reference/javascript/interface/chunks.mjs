// Chunks of Chat Completions, as events of other interfaces become them.

export function chunk(delta, reason = null) {
  return {choices: [{index: 0, delta, finish_reason: reason}]};
}

const MOST_TOKENS = 1e15;

/** The chunk with which a reply ends; `stop` is the stop sequence that matched. */
export function ended(reason, usage, stop = null) {
  const end = chunk({}, reason);
  if (typeof stop === 'string' && stop !== '') end.choices[0].stop_reason = stop;
  return usage === null ? end : {...end, usage};
}

/** What a reply used, or null where nothing of its text is told. */
export function usageOf(prompt, completion, details, reasoning = null) {
  if ([...prompt, completion].every((count) => (count ?? null) === null)) return null;
  const before = prompt.reduce((sum, count) => sum + countOf(count), 0);
  const usage = {
    prompt_tokens: before, completion_tokens: countOf(completion), total_tokens: before + countOf(completion),
  };
  const told = Object.entries(details).filter(([, count]) => (count ?? null) !== null);
  if (told.length > 0) {
    usage.prompt_tokens_details = Object.fromEntries(told.map(([name, count]) => [name, countOf(count)]));
  }
  if (reasoning !== null) usage.completion_tokens_details = {reasoning_tokens: countOf(reasoning)};
  return usage;
}

/** A number of tokens; 0 for what is none. */
export function countOf(value) {
  return Number.isInteger(value) && value > 0 && value <= MOST_TOKENS ? value : 0;
}

/** The chunk with which a call begins. */
export function called(index, id = null, name = null) {
  return chunk({tool_calls: [{index, id, type: 'function', function: {name, arguments: ''}}]});
}

/** A piece of the arguments of a call. */
export function more(index, text) {
  return chunk({tool_calls: [{index, function: {arguments: text}}]});
}
