// Results that are parts: what is shown of them, and what is stored (turn: outcome in parts, stored
// result).

import {isTooDeep} from '../shared/json_text.mjs';
import {isMediaPart, isParts, notShown, partsText} from '../payload/contents.mjs';

const DEEPEST = 32;

/** Whether the content of an outcome is parts. */
export function isInParts(content) {
  return isParts(content) && !isTooDeep(content, DEEPEST);
}

/** The text of parts. */
export function shownText(parts) {
  return partsText(storedParts(parts, 'string'));
}

/** Parts as they are stored, with a fixed text for media that are not taken. */
export function storedParts(parts, form) {
  return parts.map((part) => {
    const isTaken = form === 'parts' && Object.hasOwn(part, part.type);
    return isMediaPart(part) && !isTaken ? notShown() : part;
  });
}
