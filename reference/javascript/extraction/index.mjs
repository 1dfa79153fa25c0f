// The extraction contract: which calls are hidden in the text that the model wrote?

import {plain} from '../shared/border.mjs';
import {resultOf} from '../shared/errors.mjs';
import {EXTRACTION_EXTRACT, EXTRACTION_STREAM} from '../shared/form_data.mjs';
import {published} from '../shared/public.mjs';
import {Extraction, extract as extractText, stream as extractChunks} from './extract.mjs';

export {CommonCallError} from '../shared/errors.mjs';
export {formatFor, formatIds} from './formats.mjs';

/** Reads a whole text. `env.ids` are the ids of the calls; without them they are random. */
export const extract = /* @__PURE__ */ published(EXTRACTION_EXTRACT, extractText);

/** Reads a text in chunks at once: the result, and what each chunk showed. */
export const extractStream = /* @__PURE__ */ published(EXTRACTION_STREAM, extractChunks);

/** Reads a text as it arrives: `feed` each chunk, then `finish`. */
export class Extractor {
  #extraction;
  #ids;
  #isFinished = false;

  /** What the last reading showed, after `finish`. */
  rest = [];

  /** `options` is the input of `extractStream` without its chunks. */
  constructor(options, {ids} = {}) {
    const given = {...plain(options, 'input'), chunks: []};
    resultOf(extractChunks(given, {ids}), EXTRACTION_STREAM, given);
    this.#extraction = new Extraction(given);
    this.#ids = ids;
  }

  /** Takes a chunk; returns the events that can be shown now. */
  feed(chunk) {
    if (typeof chunk !== 'string') throw new TypeError(`chunk is ${typeof chunk}, and no text`);
    if (this.#isFinished) throw new Error('the text is finished');
    return this.#extraction.feed(chunk);
  }

  /** Takes the end; returns the result. */
  finish() {
    if (this.#isFinished) throw new Error('the text is finished');
    this.#isFinished = true;
    this.rest = this.#extraction.end();
    return resultOf(this.#extraction.outcome(this.#ids), EXTRACTION_EXTRACT, {});
  }
}
