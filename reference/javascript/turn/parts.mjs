// Results that are parts: what is shown of them, and what is stored (turn: outcome in parts, stored
// result).

import {isTooDeep} from '../shared/json_text.mjs';
import {
  asTextPart, isMediaPart, isParts, isTakenInResult, notShown, partsText, userPart,
} from '../payload/contents.mjs';

const DEEPEST = 32;

/** Whether the content of an outcome is parts. */
export function isInParts(content) {
  return isParts(content) && !isTooDeep(content, DEEPEST);
}

/** The text of parts. */
export function shownText(parts) {
  return partsText(storedParts(parts, {result_content: 'string', result_media: 'none'}));
}

/** Parts as they are stored, with a fixed text for media that are not taken. */
export function storedParts(parts, flags) {
  const isKept = (part) => isTakenInResult(part, flags) ||
    (flags.result_media === 'user' && userPart(part) !== null);
  return parts.map((part) => {
    if (!isMediaPart(part)) return asTextPart(part);
    return isKept(part) ? part : notShown();
  });
}
