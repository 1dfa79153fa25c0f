// The level of each code of a finding (codes: level).

import {LEVELS} from './level_data.mjs';

/** `note`, `repair` or `loss`; undefined for what is no code of a finding. */
export function levelOf(code) {
  return Object.hasOwn(LEVELS, code) ? LEVELS[code] : undefined;
}
