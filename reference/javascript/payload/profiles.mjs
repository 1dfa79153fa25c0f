// Profiles by their names.

import {othersThan} from '../shared/near.mjs';
import {PROFILES} from './profile_data.mjs';

/** The ids of the profiles that there are. */
export const profileIds = Object.freeze(Object.keys(PROFILES));

/**
 * The flags of a profile; `strict` has the strict value of each. `origin`, `{provider, model}`,
 * says where the request goes: profiles that name what is opaque need it for histories.
 */
export function loadProfile(name, {origin} = {}) {
  if (!Object.hasOwn(PROFILES, name)) {
    throw new RangeError(`no profile ${JSON.stringify(name)}; ${othersThan(name, profileIds)}`);
  }
  return {...structuredClone(PROFILES[name]), ...(origin === undefined ? {} : {origin})};
}
