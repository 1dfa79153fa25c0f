// The findings of turn.prepare (TRN-010).

import {isObject} from '../shared/json_text.mjs';
import {Findings} from '../shared/findings.mjs';

export class PrepareFindings {
  #all = new Findings();
  #input;

  constructor(input) {
    this.#input = input;
  }

  add(code, path) {
    this.#all.add(code, path);
  }

  /** Adds findings of another operation, with other paths. */
  addAll(findings, toPath = (path) => path) {
    for (const {code, path, ...more} of findings) {
      this.#all.add(code, this.#segments(toPath(path)), more);
    }
  }

  /**
   * Adds those of payload.sanitize_request, with the positions that tools have in the input. What
   * goes in a turn with the text protocol stands in the prompt, whatever the registry says.
   */
  addSent(findings, positions, {protocol}) {
    const isText = protocol === 'text';
    const named = findings.map(({code, ...rest}) =>
      ({code: isText && code === 'capability_unsupported' ? 'protocol_text' : code, ...rest}));
    this.addAll(named, withPosition(positions));
  }

  sorted(isRefused) {
    return this.#all.sorted(isRefused);
  }

  /** The segments of a pointer into the input; one that leads into an array is a position. */
  #segments(path) {
    let value = this.#input;
    return path.split('/').slice(1).map((part) => {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      const segment = Array.isArray(value) ? Number(name) : name;
      const isIn = (Array.isArray(value) || isObject(value)) && Object.hasOwn(value, segment);
      value = isIn ? value[segment] : undefined;
      return segment;
    });
  }
}

/** A path of payload.sanitize_request with the position that a tool has in the input. */
function withPosition(positions) {
  return (path) =>
    path.replace(/^(\/request\/tools\/)(\d+)/, (_, front, at) => front + positions[at]);
}
