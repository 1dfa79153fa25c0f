/** An input has no result. The message names the place where one is known. */
export declare class CommonCallError extends Error {
  /** The code of the contract, such as `invalid_input`. */
  readonly code: string;
  /** The form of another interface that was recognised. */
  readonly form?: string;
  /** Where it was recognised, as a JSON Pointer into the input. */
  readonly path?: string;
}
