// From the pieces that were found to segments, content and the other members of the result.

import {isBlank, skipBlanks, visibleEnd} from './characters.mjs';

/** The segments of the whole text; what no piece covers is text (EXT-092, EXT-093). */
export function toSegments(text, pieces) {
  const segments = [];
  let at = 0;
  for (const piece of joinCode(pieces)) {
    if (piece.start > at) segments.push({kind: 'text', text: text.slice(at, piece.start)});
    segments.push(toSegment(text, piece));
    at = piece.end;
  }
  if (at < text.length) segments.push({kind: 'text', text: text.slice(at)});
  return segments;
}

/** The pieces that stayed, where code that touches code becomes one piece. */
function joinCode(pieces) {
  const joined = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (piece.dropped) continue;
    if (piece.kind === 'code' && last?.kind === 'code' && piece.start <= last.end) {
      joined[joined.length - 1] = {...last, end: Math.max(last.end, piece.end)};
    } else {
      joined.push(piece);
    }
  }
  return joined;
}

/** One segment with those of its members that its kind has. */
function toSegment(text, {kind, start, end, dialect, calls, codes}) {
  const segment = {kind, text: text.slice(start, end)};
  if (dialect !== undefined) segment.dialect = dialect;
  if (kind === 'call') segment.calls = calls;
  if (codes?.length > 0) segment.codes = codes;
  return segment;
}

/** The content, or null when something went and nothing visible is left (EXT-086, EXT-087). */
export function toContent(segments) {
  const kept = [];
  let seen = false; // a visible character
  let before = false; // something was removed before the first visible character
  let behind = false; // something was removed behind the last visible character
  for (const {kind, text} of segments) {
    if (kind === 'text' || kind === 'code') {
      kept.push(text);
      if (!isBlank(text)) [seen, behind] = [true, false];
    } else {
      before ||= !seen;
      behind = true;
    }
  }
  if (!seen && behind) return null;
  const content = kept.join('');
  const end = behind ? visibleEnd(content, content.length) : content.length;
  return content.slice(before ? skipBlanks(content, 0) : 0, end);
}

/** The dialects of all blocks and wrappers in the order of their first openers (EXT-090). */
export function toMatched(segments) {
  const dialects = segments.map((segment) => segment.dialect).filter((name) => name !== undefined);
  return [...new Set(dialects)];
}

/** The repairs of the blocks with a call, in the order of their codes (EXT-091). */
export function toRepairs(pieces) {
  const counts = new Map();
  for (const {calls, repairs} of pieces) {
    if (!(calls > 0)) continue;
    for (const [code, count] of repairs) counts.set(code, (counts.get(code) ?? 0) + count);
  }
  return [...counts.keys()].sort().map((code) => ({code, count: counts.get(code)}));
}
