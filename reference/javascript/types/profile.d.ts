// Made of schemas/v1/bundled: python3 noxfile.py -s generators -- --write
// b66b3ee846b6db660d4f60718741aa6dab039d2a4263bdf731b4b7258ba2c3af

export type ProfileChoices = ('none' | 'required' | 'named')[];

export type ProfileLimit = number | null;

export type ProfileNames = string[];

export type ProfileRefusal =
  | 'arguments_empty'
  | 'arguments_not_object'
  | 'calls_split'
  | 'description_cut'
  | 'member_not_taken'
  | 'member_renamed'
  | 'members_unknown'
  | 'name_aliased'
  | 'name_blank'
  | 'name_coerced'
  | 'name_missing'
  | 'parallel_not_taken'
  | 'parameters_added'
  | 'result_missing'
  | 'role_coerced'
  | 'system_late'
  | 'tool_calls_empty'
  | 'arguments_invalid_json'
  | 'result_orphaned'
  | 'tools_empty'
  | 'tools_not_array'
  | 'choice_without_tools'
  | 'none_without_tools'
  | 'parallel_without_tools'
  | 'functions_empty'
  | 'function_call_without_functions'
  | 'choice_null'
  | 'strict_null'
  | 'strict_true'
  | 'strict_false'
  | 'parameters_incomplete'
  | 'properties_array'
  | 'root_not_object'
  | 'root_combined'
  | 'roles_not_alternating'
  | 'user_behind_tool'
  | 'assistants_last'
  | 'message_without_words'
  | 'arguments_absent'
  | 'arguments_not_string'
  | 'type_absent'
  | 'id_absent'
  | 'id_long'
  | 'id_form'
  | 'id_repeated'
  | 'content_absent'
  | 'content_null'
  | 'content_array_empty'
  | 'result_content_array';

/**
 * What the endpoint answers with an error.
 */
export type ProfileRefusals = ProfileRefusal[];

/**
 * The `profile` of an operation's input: flags, and what the caller knows of the history.
 */
export interface ProfileInput {
  strict_field?: 'any' | 'uniform' | 'none';
  parallel_field?: boolean;
  name_start?: 'any' | 'letter';
  max_tools?: ProfileLimit;
  max_description?: ProfileLimit;
  ids?: 'any' | 'verbatim' | 'word_64' | 'word_40' | 'alphanumeric_9';
  content_beside_calls?: 'any' | 'string';
  result_content?: 'any' | 'parts' | 'string';
  result_media?: 'none' | 'user';
  result_name?: 'any' | 'call' | 'none';
  developer_role?: boolean;
  system_anywhere?: true | 'first' | 'one';
  repeated_roles?: true | 'user_first' | false;
  calls_in_message?: 'any' | 'one';
  user_after_tool?: boolean;
  bridges?: boolean;
  assistant_last?: boolean;
  blank_texts?: boolean;
  unknown_members?: 'any' | 'none';
  opaque_members?: ProfileNames;
  readable_members?: ProfileNames;
  opaque_required?: ProfileRequired;
  root_keywords?: 'any' | 'none';
  refused_in_schemas?: ProfileNames;
  refused_choices?: ProfileChoices;
  refused_thinking?: ProfileChoices;
  thinks_unasked?: boolean;
  effort_beside_tools?: 'any' | 'some' | 'none';
  refused_members?: ProfileOthers;
  refuses?: ProfileRefusals;
  /**
   * What a flag has that is not here: its strict value, or its open one.
   */
  base?: 'strict' | 'open';
  origin?: ProfileOrigin;
  unmarked?: ProfileOrigin;
}

/**
 * Opaque members that the endpoint requires, by name.
 */
export interface ProfileRequired {
  [k: string]: {
    /**
     * Each message of the assistant, or the first call of each.
     */
    in: 'message' | 'call';
    /**
     * What the endpoint takes where the member is missing. A null `id` of it, or of an element, becomes that of the first call.
     */
    value?: unknown;
  };
}

/**
 * By its name what the endpoint calls a member that it refuses; null: nothing.
 */
export interface ProfileOthers {
  [k: string]: string | null;
}

/**
 * The provider and the model that the request goes to, or that messages without a mark came from.
 */
export interface ProfileOrigin {
  provider: string;
  model: string;
}
