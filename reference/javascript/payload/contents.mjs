// What stands in the `content` of a message.

import {compactText} from '../shared/canonical_json.mjs';
import {isObject, own} from '../shared/json_text.mjs';
import {isEmptyArray, isFilledArray, isNothing} from '../shared/json_object.mjs';

const PART_NOT_SHOWN = 'This part of the result is no text, and is not shown.';
const PART_MOVED = 'This part of the result is no text, and stands in the message behind the results.';

const HOLDING = ['image_url', 'input_audio', 'audio_url', 'video_url', 'file'];
const OF_TOOLS = ['image', 'audio'];

/** Whether a content is absent, null, `""` or `[]`. */
export function isWordless(content) {
  return isNothing(content) || content === '' || isEmptyArray(content);
}

/** Whether a value is a part that is a text (PAY-138). */
export function isTextPart(value) {
  return isObject(value) && own(value, 'type') === 'text' && typeof own(value, 'text') === 'string';
}

/** What a part says that is a refusal, or '' (PAY-170). */
export function refusalIn(part) {
  if (!isObject(part) || own(part, 'type') !== 'refusal') return '';
  const words = own(part, 'refusal');
  return typeof words === 'string' ? words : '';
}

/** Whether a value is a list of text parts (payload: list of text parts). */
export function isTextParts(value) {
  return isFilledArray(value) && value.every(isTextPart);
}

/** Whether a value is a media part (payload: media part). */
export function isMediaPart(value) {
  if (!isObject(value)) return false;
  const type = own(value, 'type');
  if (HOLDING.includes(type)) return isObject(own(value, type));
  if (type === 'input_image') return typeof own(value, 'image_url') === 'string';
  return OF_TOOLS.includes(type) &&
    (typeof own(value, 'data') === 'string' || isObject(own(value, 'source')));
}

/** A media part as a message of the user has it, or null (payload: user part). */
export function userPart(part) {
  const type = own(part, 'type');
  if (Object.hasOwn(part, type)) return part;
  const [source, data] = [own(part, 'source'), own(part, 'data')];
  const urls = type === 'input_image' ? [own(part, 'image_url')] : [
    dataUrl(own(part, 'mimeType'), data),
    ...(isObject(source) ? [dataUrl(own(source, 'media_type'), own(source, 'data')), own(source, 'url')] : []),
  ];
  const url = urls.find((each) => typeof each === 'string');
  if (url === undefined || !['image', 'input_image'].includes(type)) return null;
  return {type: 'image_url', image_url: {url}};
}

function dataUrl(media, data) {
  if (typeof media !== 'string' || typeof data !== 'string') return null;
  return `data:${media};base64,${data}`;
}

/** Whether an endpoint takes a media part in a result (PAY-150). */
export function isTakenInResult(part, {result_content: form}) {
  return form === 'parts' && Object.hasOwn(part, part.type);
}

/** Whether a value is a list of parts (payload: list of parts). */
export function isParts(value) {
  return isFilledArray(value) && value.every((part) => isTextPart(part) || isMediaPart(part));
}

/** What stands for a media part that stands behind the results (PAY-190). */
export function moved() {
  return textPart(PART_MOVED);
}

/** What stands for a media part where it is not shown (PAY-150; payload: result text). */
export function notShown() {
  return textPart(PART_NOT_SHOWN);
}

/** A text as a part. */
export function textPart(text) {
  return {type: 'text', text};
}

/** The texts of parts in one (PAY-132, PAY-133; payload: result text). */
export function partsText(parts) {
  return parts.map((part) => part.text).join('\n');
}

/** A content as a text: as it is, or its compact JSON (PAY-092; payload: joined content). */
export function asText(content) {
  return typeof content === 'string' ? content : compactText(content);
}
