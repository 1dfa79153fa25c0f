// Made of schemas/v1/bundled: python3 noxfile.py -s generators -- --write
// 92f4a22863a684a06501cf7f60af630c13b5b7260d4901a3983baa893b56266c

export type ProfileLimit = number | null;

export type ProfileNames = string[];

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
  result_name?: 'any' | 'call' | 'none';
  developer_role?: boolean;
  system_anywhere?: boolean;
  repeated_roles?: boolean;
  calls_in_message?: 'any' | 'one';
  user_after_tool?: boolean;
  unknown_members?: 'any' | 'none';
  opaque_members?: ProfileNames;
  opaque_parts?: ProfileNames;
  origin?: ProfileOrigin;
}

/**
 * The provider and the model that the request goes to.
 */
export interface ProfileOrigin {
  provider: string;
  model: string;
}
