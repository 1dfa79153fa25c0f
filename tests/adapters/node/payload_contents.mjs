// What stands in the `content` of a message.

import {isObject, own} from './json_text.mjs';
import {isFilledArray, isNothing} from './payload_members.mjs';
import {compactText} from './payload_texts.mjs';

/** Whether the content of a message is absent, null, `""` or `[]`. */
export function hasNoWords(message) {
  const content = own(message, 'content');
  return isNothing(content) || content === '' || (Array.isArray(content) && content.length === 0);
}

/** Whether a value is a list of text parts (payload: list of text parts). */
export function isTextParts(value) {
  return isFilledArray(value) && value.every(isTextPart);
}

/** Whether a value is a part that is a text (PAY-138). */
export function isTextPart(value) {
  return isObject(value) && own(value, 'type') === 'text' && typeof own(value, 'text') === 'string';
}

/** All of a content as a text (PAY-092, PAY-101, PAY-132, PAY-133). */
export function contentText(content) {
  if (isNothing(content)) return '';
  if (typeof content === 'string') return content;
  if (isTextParts(content)) return content.map((part) => part.text).join('\n');
  return compactText(content);
}
