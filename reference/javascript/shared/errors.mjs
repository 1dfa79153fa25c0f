// What the functions of the package throw, where the operations of the contracts give errors as data.

import {trouble} from './forms.mjs';

/** An input has no result. `code` is the contract's; the message names the place where one is known. */
export class CommonCallError extends Error {
  constructor({code, ...more}, message) {
    super(message);
    this.name = 'CommonCallError';
    Object.assign(this, {code, ...more});
  }
}

/** The result of an outcome, or throws its error. `asked` is the form of the operation's input. */
export function resultOf({result, error}, asked, input) {
  if (error === undefined) return result;
  throw new CommonCallError(error, `${asked.$id}: ${described(error, asked, input)}`);
}

function described({code, form, path}, asked, input) {
  if (code === 'invalid_input') return `${code}, ${misfit(asked, input)}`;
  if (form !== undefined) return `${code}, input${path} has the form ${form}`;
  return code;
}

/** Where an input differs from its schema, as far as that tells. */
function misfit(asked, input) {
  return trouble(input, asked, 'input') ??
    `which is out of form: schemas/v1/${asked.$id.replace('.', '/')}.schema.json`;
}
