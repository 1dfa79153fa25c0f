// Whether the input of turn.receive is one (TRN-020).

import {TURN_RECEIVE} from '../shared/form_data.mjs';
import {fits} from '../shared/forms.mjs';
import {isTooDeep} from '../shared/json_text.mjs';
import {Provider} from '../payload/provider.mjs';
import {knownNames} from './opaque.mjs';

/** The members that go on to the extractor as they are (TRN-022). */
export const FOR_TEXT = [
  'tools', 'dialects', 'format', 'fences', 'reasoning', 'guided', 'limits',
];

/** `isSent` says that the message may nest as deep as a server sent it (TRN-078). */
export function isBadReceive(input, isSent) {
  if (!fits(input, TURN_RECEIVE)) return true;
  const known = knownNames(input.message, new Provider(input));
  if (!Object.keys(input.message).every((name) => known.includes(name))) return true;
  return isTooDeep(isSent ? {...input, message: null} : input);
}
