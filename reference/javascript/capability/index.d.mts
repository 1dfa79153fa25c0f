import type {
  EffectiveToolsInput, EffectiveToolsResult, FilterPromptInput, FilterPromptResult, PlanTurnInput, PlanTurnResult,
  ResolveInput, ResolveResult,
} from '../types/capability.js';

export {CommonCallError, type ErrorCode} from '../shared/errors.mjs';
export type * from '../types/capability.js';

/** Says what the registries know of the first target that they know. */
export declare function resolve(input: ResolveInput): ResolveResult;

/** Says which registered tools every layer allows. */
export declare function effectiveTools(input: EffectiveToolsInput): EffectiveToolsResult;

/** Plans a turn: which tools are sent and how calls are read. */
export declare function planTurn(input: PlanTurnInput): PlanTurnResult;

/** Leaves out of a prompt what speaks of tools that the model does not get. */
export declare function filterPrompt(input: FilterPromptInput): FilterPromptResult;
