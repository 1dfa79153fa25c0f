// The name under which a tool, a call or a result may be sent (payload: sent name).

import {hex, sha256} from '../shared/sha256.mjs';
import {utf8} from '../shared/utf8.mjs';

const SENDABLE = /^[A-Za-z0-9_-]{1,64}$/;
const KEPT = 55; // characters of a name that stay in front of `_` and eight digits
const FRONT = 't_'; // before a form that begins with another character than the flag admits

/** With what a sent name may begin, by the flag `name_start`. */
const ADMITTED = new Map([['any', /^/], ['letter', /^[A-Za-z]/]]);

/** The sent name of a name for a value of the flag `name_start`. */
export function sentName(name, nameStart) {
  const form = sendableForm(name);
  if (ADMITTED.get(nameStart).test(form)) return form;
  return `${FRONT}${form.slice(0, KEPT - FRONT.length)}_${digitsOf(form)}`;
}

/** The sendable form of a name; characters are code points, and a lone surrogate is one. */
function sendableForm(name) {
  if (SENDABLE.test(name)) return name;
  const front = [...name].slice(0, KEPT).join('').replace(/[^A-Za-z0-9_-]/gu, '_');
  return `${front}_${digitsOf(name)}`;
}

function digitsOf(text) {
  return hex(sha256(bytesOf(text))).slice(0, 8);
}

/** UTF-8 in which a lone surrogate has three bytes of its own. */
function bytesOf(text) {
  if (text.isWellFormed()) return utf8(text);
  return Uint8Array.from([...text].flatMap((char) => {
    if (char.isWellFormed()) return [...utf8(char)];
    const unit = char.charCodeAt(0);
    return [0xe0 | unit >> 12, 0x80 | unit >> 6 & 0x3f, 0x80 | unit & 0x3f];
  }));
}
