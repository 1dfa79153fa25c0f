// Whether the input of turn.prepare is one (TRN-001).

import {hasMembers, isStrings} from '../shared/envelope.mjs';
import {filterPrompt} from '../capability/prompt.mjs';
import {isTooDeep} from '../shared/json_text.mjs';
import {hasBadProfile} from '../payload/profile.mjs';

const REQUIRED = [
  'request', 'registries', 'targets', 'registered', 'layers', 'text_protocol', 'disposition',
];
const OPTIONAL = ['allow_inferred', 'strict_parsing', 'sections', 'open_turn', 'profile'];
const NO_TOOLS = {effective: [], prompt_catalogue: false, prompt_protocol: false};

export function isBadPrepare(input) {
  if (!hasMembers(input, REQUIRED, OPTIONAL)) return true;
  const {registries, targets, layers, registered, disposition} = input;
  if (![registries, targets, layers].every(Array.isArray) || !isStrings(registered)) return true;
  const {allow_inferred: isInferring = false, strict_parsing: isStrict = false} = input;
  const {text_protocol: hasText, open_turn: isOpen = false} = input;
  const flags = [hasText, isInferring, isStrict, isOpen];
  if (!flags.every((flag) => typeof flag === 'boolean')) return true;
  if (disposition !== 'skip' && disposition !== 'answer') return true;
  const {sections = []} = input;
  if (filterPrompt({sections, plan: NO_TOOLS}).error !== undefined) return true;
  return hasBadProfile(input) || isTooDeep(input);
}
