import type {
  ExtractFormat, ExtractInput, ExtractResult, ExtractionStreamEvent, ExtractionStreamInput, ExtractionStreamResult,
} from '../types/extraction.js';

export {CommonCallError, type ErrorCode} from '../shared/errors.mjs';
export type * from '../types/extraction.js';

/** Reads a whole text. `env.ids` are the ids of the calls; without them they are random. */
export declare function extract(input: ExtractInput, env?: {ids?: readonly string[]}): ExtractResult;

/** Reads a text in chunks at once: the result, and what each chunk showed. */
export declare function extractStream(
  input: ExtractionStreamInput, env?: {ids?: readonly string[]},
): ExtractionStreamResult;

/** The input of `extractStream` without its chunks. */
export type ExtractOptions =
  ExtractionStreamInput extends infer Form ? (Form extends unknown ? Omit<Form, 'chunks'> : never) : never;

/** Reads a text as it arrives: `feed` each chunk, then `finish`. */
export declare class Extractor {
  constructor(options: ExtractOptions, env?: {ids?: readonly string[]});
  /** What the last reading showed, after `finish`. */
  readonly rest: ExtractionStreamEvent[];
  /** Takes a chunk; returns the events that can be shown now. */
  feed(chunk: string): ExtractionStreamEvent[];
  /** Takes the end; returns the result. */
  finish(): ExtractResult;
}

/** The ids of the formats. */
export declare const formatIds: readonly ExtractFormat[];

/** The format of a model, by the id of its repository, or null. */
export declare function formatFor(model: string): ExtractFormat | null;
