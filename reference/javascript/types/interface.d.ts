// Made of schemas/v1/bundled: python3 noxfile.py -s generators -- --write
// b66b3ee846b6db660d4f60718741aa6dab039d2a4263bdf731b4b7258ba2c3af

/**
 * The name of a table of spec/v1/interfaces.
 */
export type ReadInterface = 'anthropic-messages' | 'openai-responses' | 'ollama-chat';

/**
 * What the operation takes (ITF-001). That it nests at most 128 deep is beyond a schema.
 */
export interface ReadInput {
  interface: ReadInterface;
  /**
   * The request as the interface has it: any JSON in each member, because it is judged later.
   */
  request: {
    [k: string]: unknown;
  };
  /**
   * Where the request goes; absent means that all that is signed stays.
   */
  origin?: {
    provider: string;
    model: string;
  };
}

/**
 * The members of the request that were read, as they were (ITF-003).
 */
export interface ReadCarried {
  [k: string]: unknown;
}

/**
 * A code and where it stands, and nothing that stood there.
 */
export interface ReadFinding {
  code: 'annotation_removed' | 'opaque_removed' | 'signature_empty' | 'thinking_disabled';
  path: string;
}

export interface ReadResult {
  /**
   * The request in the form of the contracts (ITF-002 to ITF-005).
   */
  request: {
    [k: string]: unknown;
  };
  carried: ReadCarried;
  /**
   * What was left out, once each, in the order of paths (ITF-008, ITF-009).
   */
  findings: ReadFinding[];
}

/**
 * What the operation takes (ITF-001). That it nests at most 128 deep is beyond a schema.
 */
export interface ReadEventsInput {
  interface: ReadInterface;
  /**
   * The data of each event: any JSON, because it is judged.
   */
  events: unknown[];
}

export interface ReadEventsResult {
  /**
   * The chunks as turn.stream takes them (ITF-027).
   */
  chunks: {
    [k: string]: unknown;
  }[];
  /**
   * The reply that the events are together (ITF-028).
   */
  reply: {
    [k: string]: unknown;
  } | null;
}

/**
 * What the operation takes (ITF-001). That it nests at most 128 deep is beyond a schema.
 */
export interface ReadReplyInput {
  interface: ReadInterface;
  /**
   * The reply as the interface has it: any JSON in each member, because it is judged.
   */
  reply: {
    [k: string]: unknown;
  };
}

export interface ReadReplyResult {
  /**
   * The message as turn.receive takes it (ITF-023).
   */
  message: {
    text: string | null;
    tool_calls:
      | {
          [k: string]: unknown;
        }[]
      | null;
    refusal?: string;
    truncated?: true;
  };
  /**
   * What a history of the interface gets (ITF-022).
   */
  history: unknown[];
}

/**
 * What the operation takes (ITF-001). That it nests at most 128 deep is beyond a schema.
 */
export interface WriteInput {
  interface: ReadInterface;
  /**
   * The request in the form of the contracts: what a sanitizer lets out.
   */
  request: {
    [k: string]: unknown;
  };
  /**
   * What interface.read gave beside the request; absent means that it was not read.
   */
  carried?: ReadCarried;
}

/**
 * A code and where it stands, and nothing that stood there.
 */
export interface WriteFinding {
  code:
    | 'arguments_coerced'
    | 'carried_removed'
    | 'content_coerced'
    | 'id_replaced'
    | 'not_written'
    | 'opaque_added'
    | 'opaque_removed'
    | 'text_blank';
  path: string;
}

export interface WriteResult {
  /**
   * The request as the interface has it (ITF-011 to ITF-018).
   */
  request: {
    [k: string]: unknown;
  };
  /**
   * What has no place there, or no longer one, once each, in the order of paths (ITF-019).
   */
  findings: WriteFinding[];
}

/**
 * What the operation takes (ITF-001). That it nests at most 128 deep is beyond a schema.
 */
export interface WriteEventsInput {
  interface: ReadInterface;
  /**
   * The chunks of Chat Completions, in order: any JSON, because it is judged.
   */
  chunks: unknown[];
  /**
   * What interface.read gave beside the request: calls come back as they were (ITF-038).
   */
  carried?: {
    [k: string]: unknown;
  };
}

/**
 * A code and where it stands, and nothing that stood there.
 */
export interface WriteReplyFinding {
  code: 'not_written';
  path: string;
}

export interface WriteEventsResult {
  /**
   * The data of each event, whose `type` is its name (ITF-035, ITF-036).
   */
  events: {
    [k: string]: unknown;
  }[];
  /**
   * What has no place there, once each, in the order of paths (ITF-037).
   */
  findings: WriteReplyFinding[];
}

/**
 * What the operation takes (ITF-001). That it nests at most 128 deep is beyond a schema.
 */
export interface WriteReplyInput {
  interface: ReadInterface;
  /**
   * A reply of Chat Completions: any JSON in each member, because it is judged.
   */
  reply: {
    [k: string]: unknown;
  };
  /**
   * What interface.read gave beside the request: calls come back as they were (ITF-038).
   */
  carried?: {
    [k: string]: unknown;
  };
}

export interface WriteReplyResult {
  /**
   * The reply as the interface has it (ITF-031 to ITF-034, ITF-036).
   */
  reply: {
    [k: string]: unknown;
  };
  /**
   * What has no place there, once each, in the order of paths (ITF-037).
   */
  findings: WriteReplyFinding[];
}
