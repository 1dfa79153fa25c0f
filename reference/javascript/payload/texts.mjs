// Texts that stand inside another text.

import {compactText} from '../shared/canonical_json.mjs';

const LINE_ENDS_AND_TAGS = /[<\x85\u2028\u2029]/g;

/** A text as a JSON string that ends no line and holds no tag (payload: quoted string). */
export function quotedString(text) {
  return escaped(compactText(text));
}

/** A JSON text in which no character ends a line or a tag. */
export function escaped(json) {
  return json.replace(LINE_ENDS_AND_TAGS, (char) =>
    `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
