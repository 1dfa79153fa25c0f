"""The level of each code of a finding: how much of it a reader has to look at.

Holds the definition "level" of spec/v1/codes.md, which lists the same codes. No finding carries its
level: who shows or counts findings asks for it here.
"""

from typing import Final, Literal

Level = Literal["note", "repair", "loss"]
"""Nothing is lost; a fault that was mended; something is gone or is not what it was."""

_CODES: Final[dict[Level, str]] = {
    "note": """
        annotation_removed arguments_coerced assistant_last bridge_inserted call_flattened calls_split
        choice_replaced content_coerced media_moved
        history_flattened id_replaced messages_joined name_aliased name_coerced null_omitted opaque_added
        parameters_added parameters_completed protocol_text result_flattened
        role_coerced tool_calls_empty tool_not_effective tools_absent tools_empty type_coerced
        type_moved
    """,
    "repair": """
        choice_not_offered description_not_string message_empty name_repeated parallel_not_boolean
        parallel_not_offered parallel_not_taken result_content_coerced result_missing
        result_late result_moved result_of_skipped_call strict_not_boolean strict_not_taken
        surrogate_replaced system_late
    """,
    "loss": """
        arguments_empty arguments_invalid_json arguments_not_object arguments_too_deep
        arguments_truncated call_id_mismatch call_not_object capability_malformed
        capability_unsupported constraint_removed delta_not_read description_cut effort_not_taken
        event_malformed function_call_removed
        function_missing function_not_object layer_malformed media_removed members_unknown
        message_not_object name_blank name_missing name_not_string native_calls_unsolicited
        opaque_missing opaque_removed override_removed part_unknown payload_not_object planned_twice
        planned_without_result result_orphaned result_twice result_without_planned role_unknown
        schema_not_taken schema_unsafe seq_gap text_call_rejected tool_calls_misplaced
        tool_calls_not_array tool_malformed tool_mismatch tools_not_array
    """,
}

LEVELS: Final[dict[str, Level]] = {
    code: level for level, codes in _CODES.items() for code in codes.split()
}


def level_of(code: str) -> Level:
    """Return the level of the code of a finding.

    Raises:
        ValueError: no finding has this code.
    """
    if code not in LEVELS:
        raise ValueError(f"no finding has the code {code!r}")
    return LEVELS[code]
