// Made of schemas/v1/bundled: python3 noxfile.py -s generators -- --write
// b66b3ee846b6db660d4f60718741aa6dab039d2a4263bdf731b4b7258ba2c3af

/** Why an input has no result. */
export type ErrorCode =
  /** a member of the operation's own input is missing, unknown or of a wrong type, or the input nests deeper than 128 */
  | 'invalid_input'
  /** the environment holds fewer ids, or fewer readings of the clock, than the result needs */
  | 'env_exhausted'
  /** the profile names what is opaque, and does not say where the request goes */
  | 'origin_missing'
  /** the request or the history has the form of another interface; `form` and `path` stand beside the code */
  | 'form_not_chat_completions'
  /** `tools` and the legacy `functions` would be sent together */
  | 'legacy_and_tools'
  /** there are more tools than the profile allows */
  | 'too_many_tools'
  /** two tools would be sent under one name */
  | 'duplicate_tool'
  /** the `tool_choice` is of no known kind */
  | 'choice_malformed'
  /** the `tool_choice` names a tool that is not sent */
  | 'choice_unknown_tool'
  /** the model does not offer the forced choice, or the endpoint does not take it */
  | 'choice_unsupported'
  /** no message of the request can be sent */
  | 'history_emptied'
  /** the request that was sent has other tools than the plan */
  | 'plan_mismatch'
  /** a chunk has a second choice, or one of another index than 0 */
  | 'choice_not_single'
  /** the arguments are no JSON text, or have none */
  | 'arguments_not_json'
  /** the arguments are JSON, but no object */
  | 'arguments_not_object';
