// What the endpoint of a provider takes (payload: profile, flag).

import {FORMATS_PROFILE} from '../shared/form_data.mjs';
import {fits} from '../shared/forms.mjs';
import {own} from '../shared/json_text.mjs';

/** Each flag with its strict value and its open one. */
const FLAGS = Object.entries({
  strict_field: ['none', 'any'],
  parallel_field: [false, true],
  name_start: ['letter', 'any'],
  max_tools: [128, null],
  max_description: [1024, null],
  ids: ['alphanumeric_9', 'any'],
  content_beside_calls: ['string', 'any'],
  result_content: ['string', 'any'],
  result_media: ['none', 'none'],
  result_name: ['call', 'any'],
  developer_role: [false, true],
  system_anywhere: ['one', true],
  repeated_roles: [false, true],
  calls_in_message: ['one', 'any'],
  user_after_tool: [false, true],
  bridges: [true, true],
  assistant_last: [true, true],
  blank_texts: [true, true],
  unknown_members: ['none', 'any'],
  opaque_members: [[], []],
  readable_members: [[], []],
  opaque_required: [{}, {}],
  root_keywords: ['none', 'none'],
  refused_in_schemas: [[], []],
  refused_choices: [[], []],
  refused_thinking: [[], []],
  thinks_unasked: [false, false],
  effort_beside_tools: ['any', 'any'],
  refused_members: [{}, {}],
  refuses: [[], []],
});

/** Whether an input of an operation has a member `profile` that is none. */
export function hasBadProfile(input) {
  return Object.hasOwn(input, 'profile') && !fits(input.profile, FORMATS_PROFILE);
}

/** Whether a profile names what is opaque, and not where it goes (PAY-158, TRN-034). */
export function lacksOrigin(input) {
  const profile = own(input, 'profile') ?? {};
  return own(profile, 'opaque_members')?.length > 0 && !Object.hasOwn(profile, 'origin');
}

/** The value of every flag for the input of an operation; null is the value of a limit. */
export function flagsOf(input) {
  const profile = own(input, 'profile');
  return Object.fromEntries(FLAGS.map(([name, [strict, open]]) => {
    if (profile !== undefined && Object.hasOwn(profile, name)) return [name, profile[name]];
    const isOpen = profile === undefined || own(profile, 'base') === 'open';
    return [name, isOpen ? open : strict];
  }));
}
