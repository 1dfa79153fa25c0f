// Made of schemas/v1/bundled: python3 noxfile.py -s generators -- --write
// b66b3ee846b6db660d4f60718741aa6dab039d2a4263bdf731b4b7258ba2c3af

export type PlanTurnFinding =
  | {
      code: 'capability_malformed';
      path:
        | '/capability'
        | '/capability/parallel_tool_calls'
        | '/capability/tool_calls_supported'
        | '/capability/tool_choice';
    }
  | {
      code: 'layer_malformed';
      path: string;
    };

/**
 * The plan: one decision for every place where tools matter.
 */
export type PlanTurnResult =
  | {
      /**
       * How calls travel (CAP-032).
       */
      protocol: 'native';
      /**
       * The one set of names for sending, describing, parsing and running (CAP-035).
       *
       * @minItems 1
       */
      effective: string[];
      /**
       * Whether the request has tools at all (CAP-035).
       */
      send_tools: true;
      /**
       * The choices that the request may have; null where nothing is stated (CAP-035).
       */
      send_tool_choice: null | ('auto' | 'none' | 'required' | 'named')[];
      /**
       * Whether the request may ask for parallel calls; null where nothing is stated (CAP-035).
       */
      send_parallel_tool_calls: boolean | null;
      /**
       * Whether the prompt lists the tools (CAP-035).
       */
      prompt_catalogue: false;
      /**
       * Whether the prompt teaches the syntax of calls (CAP-035).
       */
      prompt_protocol: false;
      /**
       * Whether calls in the field for them count (CAP-035).
       */
      parse_native_calls: true;
      /**
       * Whether calls in the text count (CAP-035).
       */
      parse_text_calls: boolean;
      /**
       * Always true (CAP-035).
       */
      strip_reasoning: true;
      /**
       * Whether tool turns in the history have to become text (CAP-035).
       */
      history: 'keep';
      /**
       * What could not be read (CAP-044).
       */
      findings: PlanTurnFinding[];
    }
  | {
      /**
       * How calls travel (CAP-032).
       */
      protocol: 'text';
      /**
       * The one set of names for sending, describing, parsing and running (CAP-035).
       *
       * @minItems 1
       */
      effective: string[];
      /**
       * Whether the request has tools at all (CAP-035).
       */
      send_tools: false;
      /**
       * The choices that the request may have; null where nothing is stated (CAP-035).
       *
       * @maxItems 0
       */
      send_tool_choice: ('auto' | 'none' | 'required' | 'named')[];
      /**
       * Whether the request may ask for parallel calls; null where nothing is stated (CAP-035).
       */
      send_parallel_tool_calls: false;
      /**
       * Whether the prompt lists the tools (CAP-035).
       */
      prompt_catalogue: true;
      /**
       * Whether the prompt teaches the syntax of calls (CAP-035).
       */
      prompt_protocol: true;
      /**
       * Whether calls in the field for them count (CAP-035).
       */
      parse_native_calls: false;
      /**
       * Whether calls in the text count (CAP-035).
       */
      parse_text_calls: true;
      /**
       * Always true (CAP-035).
       */
      strip_reasoning: true;
      /**
       * Whether tool turns in the history have to become text (CAP-035).
       */
      history: 'keep' | 'flatten';
      /**
       * What could not be read (CAP-044).
       */
      findings: PlanTurnFinding[];
    }
  | {
      /**
       * How calls travel (CAP-032).
       */
      protocol: 'none';
      /**
       * The one set of names for sending, describing, parsing and running (CAP-035).
       *
       * @maxItems 0
       */
      effective: string[];
      /**
       * Whether the request has tools at all (CAP-035).
       */
      send_tools: false;
      /**
       * The choices that the request may have; null where nothing is stated (CAP-035).
       *
       * @maxItems 0
       */
      send_tool_choice: ('auto' | 'none' | 'required' | 'named')[];
      /**
       * Whether the request may ask for parallel calls; null where nothing is stated (CAP-035).
       */
      send_parallel_tool_calls: false;
      /**
       * Whether the prompt lists the tools (CAP-035).
       */
      prompt_catalogue: false;
      /**
       * Whether the prompt teaches the syntax of calls (CAP-035).
       */
      prompt_protocol: false;
      /**
       * Whether calls in the field for them count (CAP-035).
       */
      parse_native_calls: false;
      /**
       * Whether calls in the text count (CAP-035).
       */
      parse_text_calls: false;
      /**
       * Always true (CAP-035).
       */
      strip_reasoning: true;
      /**
       * Whether tool turns in the history have to become text (CAP-035).
       */
      history: 'keep' | 'flatten';
      /**
       * What could not be read (CAP-044).
       */
      findings: PlanTurnFinding[];
    };

/**
 * Where the entry of each target stands; null where it has none (CAP-022).
 */
export type ResolveMatched = (null | {
  /**
   * The position of the registry.
   */
  layer: number;
  /**
   * The model, the prefix, or the word default, as the registry writes it.
   */
  key: string;
})[];

/**
 * Why, by the first target that is closed, else by the first (CAP-005).
 */
export type ResolveReason =
  | 'exact'
  | 'prefix'
  | 'provider_default'
  | 'malformed_entry'
  | 'unknown_model'
  | 'unknown_provider'
  | 'registry_invalid'
  | 'no_target';

/**
 * A capability, and why it is that.
 */
export type ResolveResult =
  | {
      /**
       * Whether every target supports tool calls (CAP-005).
       */
      tool_calls_supported: true;
      /**
       * The choices that every target takes, in this order; null where nothing is stated (CAP-005).
       */
      tool_choice: null | ('auto' | 'none' | 'required' | 'named')[];
      /**
       * Whether every target takes parallel calls; null where that is not stated (CAP-005).
       */
      parallel_tool_calls: boolean | null;
      /**
       * Why, by the first target that is closed, else by the first (CAP-005).
       */
      reason: 'exact' | 'prefix' | 'provider_default';
      matched: ResolveMatched;
    }
  | {
      /**
       * Whether every target supports tool calls (CAP-005).
       */
      tool_calls_supported: false;
      /**
       * The choices that every target takes, in this order; null where nothing is stated (CAP-005).
       *
       * @maxItems 0
       */
      tool_choice: ('auto' | 'none' | 'required' | 'named')[];
      /**
       * Whether every target takes parallel calls; null where that is not stated (CAP-005).
       */
      parallel_tool_calls: false;
      reason: ResolveReason;
      matched: ResolveMatched;
    };

/**
 * What the operation takes (CAP-004). That it nests at most 128 deep is beyond a schema.
 */
export interface EffectiveToolsInput {
  /**
   * The names of the tools that the runtime has, in their order.
   */
  registered: string[];
  /**
   * Policies, as {allow, exclude} with at least one of the two: any JSON, because each is judged.
   */
  layers: unknown[];
}

export interface EffectiveToolsFinding {
  code: 'layer_malformed';
  path: string;
}

/**
 * What the policies leave.
 */
export interface EffectiveToolsResult {
  /**
   * The names that are left, in the order of their registration (CAP-024).
   */
  effective: string[];
  /**
   * What could not be read (CAP-030).
   */
  findings: EffectiveToolsFinding[];
}

export interface FilterPromptSection {
  /**
   * A name for the section.
   */
  id: string;
  /**
   * What a turn has to have before the section is of use; null is every turn.
   */
  needs:
    | (null | 'tools' | 'catalogue' | 'protocol')
    | {
        tool: string;
      };
  /**
   * What stands in the prompt.
   */
  text: string;
}

/**
 * What the operation takes (CAP-004). That it nests at most 128 deep is beyond a schema.
 */
export interface FilterPromptInput {
  /**
   * The whole prompt, in order.
   */
  sections: FilterPromptSection[];
  /**
   * The plan of the turn. Its other members are not read.
   */
  plan: {
    effective: string[];
    prompt_catalogue: boolean;
    prompt_protocol: boolean;
    [k: string]: any;
  };
}

/**
 * What this turn has a use for.
 */
export interface FilterPromptResult {
  /**
   * Sections of the input, unchanged and in order (CAP-046).
   */
  sections: FilterPromptSection[];
}

/**
 * What the operation takes (CAP-004). That it nests at most 128 deep is beyond a schema.
 */
export interface PlanTurnInput {
  /**
   * The names of the tools that the runtime has, in their order.
   */
  registered: string[];
  /**
   * Policies, as for effective_tools: any JSON, because each is judged.
   */
  layers: unknown[];
  /**
   * What the model supports: any JSON, because it is judged.
   */
  capability: unknown;
  /**
   * Whether the runtime can describe tools in the prompt and find calls in the text.
   */
  text_protocol: boolean;
  /**
   * Whether calls count only in the form that was asked for; absent means false.
   */
  strict_parsing?: boolean;
  /**
   * The history, read for tool turns only; absent means empty. Any JSON, because each is judged.
   */
  messages?: unknown[];
}

/**
 * What the operation takes (CAP-004). That it nests at most 128 deep is beyond a schema.
 */
export interface ResolveInput {
  /**
   * The registry documents, the first before the others: any JSON, because each is judged.
   */
  registries: unknown[];
  /**
   * The models that the request can reach, as {provider, model}: any JSON, because each is judged.
   */
  targets: unknown[];
}
