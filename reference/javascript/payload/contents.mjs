// What stands in the `content` of a message.

import {compactText} from '../shared/canonical_json.mjs';
import {isObject, own} from '../shared/json_text.mjs';
import {isEmptyArray, isFilledArray, isNothing} from '../shared/json_object.mjs';

const PART_NOT_SHOWN = 'This part of the result is no text, and is not shown.';
const PART_MOVED = 'This part of the result is no text, and stands in the message behind the results.';

const SENT = ['image_url', 'input_audio', 'audio_url', 'video_url', 'file'];
const ADDRESSED = ['image_url', 'input_image'];
const OF_TOOLS = ['image', 'audio'];
const OF_LIBRARIES = ['video', 'media', 'file', 'image-data', 'file-data'];

/** Whether a content is absent, null, `""` or `[]`. */
export function isWordless(content) {
  return isNothing(content) || content === '' || isEmptyArray(content);
}

/** Whether a value is a part that is a text (PAY-137). */
export function isTextPart(value) {
  return isObject(value) && own(value, 'type') === 'text' && typeof own(value, 'text') === 'string';
}

/** Whether a value is a part that is to be a text, and has none (PAY-137). */
export function isTextless(value) {
  return isObject(value) && own(value, 'type') === 'text' && !isTextPart(value);
}

/** What a part says that is a refusal, or '' (PAY-137). */
export function refusalIn(part) {
  if (!isObject(part) || own(part, 'type') !== 'refusal') return '';
  const words = own(part, 'refusal');
  return typeof words === 'string' ? words : '';
}

/** Whether a value is a list of text parts (payload: list of parts). */
export function isTextParts(value) {
  return isFilledArray(value) && value.every(isTextPart);
}

/** Whether a value is a media part (payload: media part). */
export function isMediaPart(value) {
  if (!isObject(value)) return false;
  const type = own(value, 'type');
  const hasData = dataOf(value) !== undefined;
  return isSentMedia(value) ||
    (ADDRESSED.includes(type) && typeof own(value, 'image_url') === 'string') ||
    (OF_TOOLS.includes(type) && (hasData || isObject(own(value, 'source')))) ||
    (OF_LIBRARIES.includes(type) && hasData && mediaTypeOf(value) !== undefined) ||
    (type === 'resource' && dataOf(own(value, 'resource')) !== undefined);
}

/** Whether a media part has the form of Chat Completions. */
function isSentMedia(part) {
  const type = own(part, 'type');
  return SENT.includes(type) && isObject(own(part, type));
}

const mediaTypeOf = (value) => textAt(value, ['mimeType', 'mime_type', 'mediaType', 'media_type']);
const dataOf = (value) => textAt(value, ['data', 'base64', 'blob']);

/** The first of some members that is a string, or undefined. */
function textAt(value, names) {
  if (!isObject(value)) return undefined;
  return names.map((name) => own(value, name)).find((each) => typeof each === 'string');
}

/** A media part as a message of the user has it, or null (payload: user part). */
export function userPart(part) {
  if (isSentMedia(part)) return part;
  const type = own(part, 'type');
  const source = own(part, 'source');
  const urls = [
    ADDRESSED.includes(type) ? own(part, 'image_url') : undefined,
    ...[part, source, own(part, 'resource')].map((holder) => {
      const [media, data] = [mediaTypeOf(holder), dataOf(holder)];
      if (media === undefined || data === undefined) return undefined;
      return type === 'image' || media.startsWith('image/') ? `data:${media};base64,${data}` : undefined;
    }),
    type === 'image' && isObject(source) ? own(source, 'url') : undefined,
  ];
  const url = urls.find((each) => typeof each === 'string');
  return url === undefined ? null : {type: 'image_url', image_url: {url}};
}

/** Whether an endpoint takes a media part in a result (PAY-083). */
export function isTakenInResult(part, {result_content: form}) {
  return form === 'parts' && isSentMedia(part);
}

/** Whether a value is a list of parts (payload: list of parts). */
export function isParts(value) {
  return isTextParts(value) || (Array.isArray(value) && value.some(isMediaPart));
}

/** What stands for a media part that stands behind the results (PAY-190). */
export function moved() {
  return textPart(PART_MOVED);
}

/** What stands for a media part where it is not shown (PAY-083; payload: result text). */
export function notShown() {
  return textPart(PART_NOT_SHOWN);
}

/** An element of a list of parts that is no media, as a text part (PAY-083). */
export function asTextPart(part) {
  return isTextPart(part) ? part : textPart(asText(part));
}

/** A text as a part. */
export function textPart(text) {
  return {type: 'text', text};
}

/** The texts of parts that are not empty in one (PAY-083; payload: result text). */
export function partsText(parts) {
  return parts.map((part) => part.text).filter((text) => text !== '').join('\n');
}

/** A content as a text: as it is, or its compact JSON (PAY-092; payload: joined content). */
export function asText(content) {
  return typeof content === 'string' ? content : compactText(content);
}
