// The errors of payload.sanitize_request, of which the first counts (PAY-041).

import {own} from '../shared/json_text.mjs';
import {isFilledArray} from '../shared/json_object.mjs';
import {sentName} from './sent_name.mjs';
import {isOffered} from './choices.mjs';
import {kindOfChoice} from './request_tools.mjs';

/** The error of a request without nulls, with these kept tools, or null. */
export function requestError(request, capability, kept, flags) {
  if (kept.length === 0) return null; // a list that goes does not count
  const code = codeBesideTools(request, capability, kept, flags);
  return code === null ? null : {code};
}

function codeBesideTools(request, capability, kept, flags) {
  if (isFilledArray(own(request, 'functions'))) return 'legacy_and_tools'; // PAY-041
  if (flags.max_tools !== null && kept.length > flags.max_tools) return 'too_many_tools';
  const sent = (name) => sentName(name, flags.name_start);
  const names = new Set(kept.map(({tool}) => sent(tool.function.name)));
  if (names.size < kept.length) return 'duplicate_tool';
  const choice = own(request, 'tool_choice');
  if (choice === undefined) return null;
  const kind = kindOfChoice(choice);
  if (kind === null) return 'choice_malformed';
  if (kind === 'named' && !names.has(sent(choice.function.name))) {
    return 'choice_unknown_tool';
  }
  const isForced = kind === 'required' || kind === 'named';
  return isForced && !isOffered(kind, request, capability, flags)
    ? 'choice_unsupported' : null;
}
