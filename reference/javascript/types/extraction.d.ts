import type {
  ExtractInput, ExtractResult, ExtractionStreamEvent, ExtractionStreamInput, ExtractionStreamResult,
} from './schemas.js';

export type * from './schemas.js';
export {CommonCallError} from './errors.js';

/** Where the ids of calls come from; without them they are random. */
export interface ExtractionEnv {
  ids?: readonly string[];
}

/** The input of `extract` without its text. */
export type ExtractorOptions = ExtractInput extends infer Each
  ? Each extends ExtractInput ? Omit<Each, 'text'> : never
  : never;

/** Reads a whole text. */
export function extract(input: ExtractInput, env?: ExtractionEnv): ExtractResult;

/** Reads a text in chunks at once: the result, and what each chunk showed. */
export function extractStream(input: ExtractionStreamInput, env?: ExtractionEnv): ExtractionStreamResult;

/** Reads a text as it arrives: `feed` each chunk, then `finish`. */
export class Extractor {
  constructor(options: ExtractorOptions, env?: ExtractionEnv);
  /** What the last reading showed, after `finish`. */
  rest: ExtractionStreamEvent[];
  /** Takes a chunk; returns the events that can be shown now. */
  feed(chunk: string): ExtractionStreamEvent[];
  /** Takes the end; returns the result. */
  finish(): ExtractResult;
}
