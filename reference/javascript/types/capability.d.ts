import type {
  EffectiveToolsInput, EffectiveToolsResult, FilterPromptInput, FilterPromptResult, PlanTurnInput, PlanTurnResult,
  ResolveInput, ResolveResult,
} from './schemas.js';

export type * from './schemas.js';
export {CommonCallError} from './errors.js';

/** Says what the registries know of the first target that they know. */
export function resolve(input: ResolveInput): ResolveResult;

/** Says which registered tools every layer allows. */
export function effectiveTools(input: EffectiveToolsInput): EffectiveToolsResult;

/** Plans a turn: which tools are sent and how calls are read. */
export function planTurn(input: PlanTurnInput): PlanTurnResult;

/** Leaves out of a prompt what speaks of tools that the model does not get. */
export function filterPrompt(input: FilterPromptInput): FilterPromptResult;
