/** There is no result: `error` says why. */
export class RefusedError extends Error {
  constructor(error) {
    super(error.code);
    this.error = error;
  }
}
