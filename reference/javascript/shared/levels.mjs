// The level of each code of a finding (codes: level).

const CODES = {
  note: `
    annotation_removed arguments_coerced assistant_last bridge_inserted call_flattened calls_split
    choice_replaced content_coerced media_moved
    history_flattened id_replaced messages_joined name_aliased name_coerced null_omitted opaque_added
    parameters_added parameters_completed protocol_text result_flattened
    role_coerced tool_calls_empty tool_not_effective tools_absent tools_empty type_coerced
    type_moved`,
  repair: `
    choice_not_offered description_not_string message_empty name_repeated parallel_not_boolean
    parallel_not_offered parallel_not_taken result_content_coerced result_missing
    result_late result_moved result_of_skipped_call strict_not_boolean strict_not_taken
    surrogate_replaced system_late`,
  loss: `
    arguments_empty arguments_invalid_json arguments_not_object arguments_too_deep
    arguments_truncated call_id_mismatch call_not_object capability_malformed
    capability_unsupported constraint_removed delta_not_read description_cut effort_not_taken
    event_malformed function_call_removed
    function_missing function_not_object layer_malformed media_removed members_unknown
    message_not_object name_blank name_missing name_not_string native_calls_unsolicited
    opaque_missing opaque_removed override_removed part_unknown payload_not_object planned_twice
    planned_without_result result_orphaned result_twice result_without_planned role_unknown
    schema_not_taken schema_unsafe seq_gap
    text_call_rejected tool_calls_misplaced tool_calls_not_array tool_malformed tool_mismatch
    tools_not_array`,
};

/** The level of each code, by the code. */
export const LEVELS = new Map(Object.entries(CODES).flatMap(([level, codes]) =>
  codes.trim().split(/\s+/).map((code) => [code, level])));

/** `note`, `repair` or `loss`; undefined for what is no code of a finding. */
export function levelOf(code) {
  return LEVELS.get(code);
}
