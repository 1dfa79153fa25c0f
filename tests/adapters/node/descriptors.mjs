// The descriptors of the dialects: the content of spec/v1/dialects/*.json, one literal for each
// file, so that a copy of this folder alone is a whole port. Edit there, and copy (EXT-116).

const CALL_VALUES = {
  scanner: 'json_values',
  names: ['name', 'function', 'tool'],
  arguments: ['arguments', 'parameters'],
  nested: 'function',
};

export const DESCRIPTORS = [
  {
    id: 'tool_call',
    default: true,
    opener: {tag: 'tool_call'},
    closer: {tag: 'tool_call'},
    payload: CALL_VALUES,
  },
  {
    id: 'tools',
    default: true,
    opener: {tag: 'tools'},
    closer: {tag: 'tools'},
    payload: CALL_VALUES,
  },
  {
    id: 'tool_calls',
    default: true,
    opener: {tag: 'tool_calls'},
    closer: {tag: 'tool_calls'},
    payload: CALL_VALUES,
  },
  {
    id: 'function_call',
    default: true,
    opener: {tag: 'function_call'},
    closer: {tag: 'function_call'},
    payload: CALL_VALUES,
  },
  {
    id: 'function',
    default: true,
    opener: {tag: 'function'},
    closer: {tag: 'function'},
    payload: CALL_VALUES,
  },
  {
    id: 'harmony-pseudo',
    default: true,
    opener: {
      text: '<|start|>assistant',
      end: '<|message|>',
      tokens: ['<|channel|>', '<|constrain|>'],
      select: {behind: '<|channel|>', is: 'tool'},
      reserved: {
        signs: ['recipient:', 'to:', 'to=', '<|constrain|>'],
        closers: ['<|end|>', '<|call|>'],
      },
    },
    closer: {text: '<|end|>'},
    payload: {scanner: 'json_object', names: ['tool'], arguments: ['arguments'], nested: null},
    repairs: ['missing_closer'],
    limit_bytes: 8192,
    values: {members: 'exact', arguments: 'object', name: 'verbatim'},
  },
  {
    id: 'function-parameters',
    default: false,
    opener: {text: '<function=', end: '>', name: {prefix: '', counter: false}},
    closer: {tag: 'function'},
    payload: {
      scanner: 'parameters',
      name_begin: '<parameter=',
      name_end: '>',
      value_begin: '',
      value_end: '</parameter>',
    },
  },
  {
    id: 'named-args',
    default: false,
    excludes: ['tool-calls-array'],
    opener: {text: '[TOOL_CALLS]', end: '[ARGS]', name: {prefix: '', counter: false}},
    closer: null,
    payload: {scanner: 'json_arguments'},
  },
  {
    id: 'tool-calls-array',
    default: false,
    excludes: ['named-args'],
    opener: {text: '[TOOL_CALLS]'},
    closer: null,
    payload: {...CALL_VALUES, scanner: 'json_array'},
  },
  {
    id: 'named-calls',
    default: false,
    section: {
      opener: {text: '<|tool_calls_section_begin|>'},
      closer: {text: '<|tool_calls_section_end|>'},
    },
    opener: {
      text: '<|tool_call_begin|>',
      end: '<|tool_call_argument_begin|>',
      name: {prefix: 'functions.', counter: true},
    },
    closer: {text: '<|tool_call_end|>'},
    payload: {scanner: 'json_arguments'},
  },
  {
    id: 'argument-pairs',
    default: false,
    excludes: ['tool_call'],
    opener: {tag: 'tool_call'},
    closer: {tag: 'tool_call'},
    payload: {
      scanner: 'parameters',
      name_in_first_line: true,
      name_begin: '<arg_key>',
      name_end: '</arg_key>',
      value_begin: '<arg_value>',
      value_end: '</arg_value>',
    },
  },
];
