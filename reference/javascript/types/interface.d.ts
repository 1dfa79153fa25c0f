// Made of schemas/v1/bundled: python3 noxfile.py -s generators -- --write
// f65befdcc97d02ee6781b60045a484f7c869c116d6746d7fb652439e693400e7

/**
 * The name of a table of spec/v1/interfaces.
 */
export type ReadInterface = 'anthropic-messages' | 'openai-responses';

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
 * The members of the request that were read, as they were (ITF-006).
 */
export interface ReadCarried {
  [k: string]: unknown;
}

/**
 * A code and where it stands, and nothing that stood there.
 */
export interface ReadFinding {
  code: 'opaque_removed' | 'thinking_disabled';
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
 * What the operation takes (ITF-010). That it nests at most 128 deep is beyond a schema.
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
  code: 'carried_removed' | 'not_written' | 'opaque_removed' | 'text_blank';
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
