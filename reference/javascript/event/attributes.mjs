// What telemetry knows an event by (event: attributes of an event).

/** The name of the attribute that a member becomes. */
const NAMES = new Map([
  ['tool', 'gen_ai.tool.name'],
  ['tool_call_id', 'gen_ai.tool.call.id'],
  ['error_type', 'error.type'],
  ...['request_id', 'seq', 'args_preview_hash', 'args_hash_algorithm', 'args_hash_key_id',
    'args_schema_version'].map((name) => [name, `commoncall.${name}`]),
]);

/** The attributes of an event, of all its members or of those that are named. */
export function attributesOf(event, members = [...NAMES.keys()]) {
  const present = members.filter((name) => Object.hasOwn(event, name) && isSent(event[name]));
  return Object.fromEntries(present.map((name) => [NAMES.get(name), event[name]]));
}

/** Whether a value can be exported; neither null nor a text without a UTF-8 form can. */
function isSent(value) {
  return value !== null && (typeof value !== 'string' || value.isWellFormed());
}
