// Reads a text once: reasoning, blocks and wrappers, and the prose between them.

import {isLetterOrDigit, skipJsonSpace} from './characters.mjs';
import {readCallValues} from './call_values.mjs';
import {readLines} from './lines.mjs';
import {markerReader, reasoningCloser} from './markers.mjs';
import {payloadBegin, scanPayload} from './payload_scanner.mjs';
import {BEHIND_PAYLOAD, TEXT, UNDECIDED, proseReader} from './prose.mjs';

/** The pieces of a text that are more than text, its calls without ids, and its reasoning. */
export function readText(text, {dialects, openFences, startsInReasoning}) {
  const pieces = [];
  const calls = [];
  const reasoning = [];
  const wrappers = []; // the dialects of the wrappers that are open, or may turn out to be
  const lines = readLines(text);
  const markerAt = markerReader(text, dialects);
  const noteCode = (start, end) => pieces.push({kind: 'code', start, end});
  const prose = proseReader(text, lines, markerAt, openFences, noteCode);

  const isOwnCloser = (marker, opener) =>
    marker?.kind === 'close' && marker.dialect === opener.dialect;

  /** Reads on outside blocks and returns where it got to. */
  function readOn(from) {
    if (wrappers.length > 0) return readInWrapper(from);
    const {at, marker} = prose.next(from, TEXT);
    if (marker?.kind === 'think') return readReasoning(at, marker.end);
    if (marker?.kind === 'open') return readFrom(marker);
    return marker ? at + 1 : at; // EXT-012: a lone closer is text
  }

  /** Reasoning with its tags (EXT-020 to EXT-024). */
  function readReasoning(start, from) {
    const closer = reasoningCloser(text, from);
    const end = closer?.end ?? text.length;
    reasoning.push(text.slice(from, closer?.start ?? text.length));
    pieces.push({kind: 'reasoning', start, end, codes: closer ? [] : ['unclosed']});
    return end;
  }

  /** What follows a block or a tag inside a wrapper (EXT-049; extraction: wrapper). */
  function readInWrapper(from) {
    const at = skipJsonSpace(text, from);
    const marker = markerAt(at);
    if (marker?.kind === 'open') return readFrom(marker);
    if (closesWrapper(marker)) {
      while (wrappers.pop() !== marker.dialect); // the inner ones end as well
      pieces.push(wrapperTag(marker));
      return marker.end;
    }
    leaveWrappers(at);
    return from;
  }

  function wrapperTag({dialect, start, end}) {
    return {kind: 'call', dialect, start, end, calls: 0, repairs: []};
  }

  /** Ends all wrappers at a character that belongs to none of them. */
  function leaveWrappers(at) {
    if (wrappers.length > 0) prose.forbidIndentBefore(at);
    wrappers.length = 0;
  }

  /** Reads from an opener to the end of its block, through openers that may be wrappers. */
  function readFrom(first) {
    let opener = first;
    const tags = [];
    for (;;) {
      const at = skipJsonSpace(text, opener.end);
      const marker = markerAt(at);
      const begin = payloadBegin(text, at);
      if (isOwnCloser(marker, opener)) return reject(opener, marker.end, 'empty'); // EXT-047
      if (begin !== null) return readPayload(opener, begin);
      if (marker?.kind !== 'open') return readWithoutPayload(opener, at, marker, tags);
      tags.push(wrapperTag(opener));
      pieces.push(tags.at(-1));
      wrappers.push(opener.dialect);
      opener = marker;
    }
  }

  /** Rules 4 to 7 of a block. */
  function readWithoutPayload(opener, at, marker, tags) {
    if (at === text.length) return reject(opener, at, 'truncated'); // EXT-042
    if (text.slice(opener.end, at).includes('\n')) return fail(opener, at);
    if (at === opener.end && marker === null && failsAtOnce(at)) return fail(opener, at);
    return readUndecided(opener, tags);
  }

  function failsAtOnce(at) {
    return '"\'<'.includes(text[at]) || isLetterOrDigit(text, at);
  }

  /** Prose behind an opener (EXT-045, EXT-046; extraction: undecided opener). */
  function readUndecided(opener, tags) {
    const state = prose.save();
    const mark = pieces.length;
    const {kind, at, marker} = prose.next(opener.end, UNDECIDED);
    if (kind === 'foreign' || isOwnCloser(marker, opener)) {
      pieces.length = mark;
      prose.restore(state);
      return marker ? reject(opener, marker.end, 'not_json') : fail(opener, at);
    }
    for (const tag of tags) tag.dropped = true;
    wrappers.length = 0;
    return at;
  }

  /** A block with a payload (EXT-040 to EXT-042). */
  function readPayload(opener, begin) {
    const payload = scanPayload(text, begin);
    if (payload.outcome === 'truncated') return reject(opener, text.length, 'truncated');
    if (payload.outcome === 'failed') return fail(opener, payload.at);
    const at = skipJsonSpace(text, payload.at);
    const marker = markerAt(at);
    if (isOwnCloser(marker, opener)) return accept(opener, marker.end, payload);
    if (at === text.length || marker?.kind === 'open' || closesWrapper(marker)) { // EXT-055
      payload.repairs.set('missing_closer', 1);
      return accept(opener, payload.at, payload);
    }
    return ',}]:"'.includes(text[at]) ? fail(opener, at) : readTrailing(opener, payload.at, at);
  }

  function closesWrapper(marker) {
    return marker?.kind === 'close' && wrappers.lastIndexOf(marker.dialect) >= 0;
  }

  /** A payload that other text follows (EXT-048). */
  function readTrailing(opener, end, at) {
    const state = prose.save();
    reject(opener, end, 'trailing_text');
    const mark = pieces.length;
    if (wrappers.length > 0) prose.forbidIndentBefore(at);
    const event = prose.next(end, BEHIND_PAYLOAD);
    if (!isOwnCloser(event.marker, opener)) {
      leaveWrappers(at);
      return event.at;
    }
    pieces.length = mark;
    pieces[mark - 1].end = event.marker.end;
    prose.restore(state);
    return event.marker.end;
  }

  /** A block whose call values are read; without a call it is a rejected one. */
  function accept({start, dialect}, end, payload) {
    const found = readCallValues(payload);
    const {length} = found.calls;
    for (const call of found.calls) calls.push(call);
    pieces.push({
      kind: length > 0 ? 'call' : 'rejected', dialect, start, end,
      calls: length, codes: found.codes, repairs: payload.repairs,
    });
    return end;
  }

  /** A rejected block from its opener to `end`; returns `end`. */
  function reject({start, dialect}, end, code) {
    pieces.push({kind: 'rejected', dialect, start, end, codes: [code]});
    return end;
  }

  /** A failed block (EXT-043, EXT-044; extraction: failed block). */
  function fail(opener, errorAt) {
    const closer = balancingCloser(opener, errorAt);
    const limit = closer?.start ?? text.length;
    const blank = lines.nextBlank(lines.find(errorAt) + 1);
    if (blank === lines.count || lines.at(blank).end >= limit) {
      return reject(opener, closer?.end ?? limit, 'invalid_json');
    }
    const end = reject(opener, lines.at(blank).start - 1, 'invalid_json');
    const left = skipJsonSpace(text, end);
    if (left < limit) leaveWrappers(left);
    return closer ? reject(closer, closer.end, 'invalid_json') : limit;
  }

  /** The closer that balances the own openers of a failed block, or null. */
  function balancingCloser(opener, errorAt) {
    let open = 0;
    for (let i = opener.start; i < text.length; i++) {
      const marker = text.charCodeAt(i) === 0x3c ? markerAt(i) : null;
      if (marker?.dialect !== opener.dialect) continue;
      if (marker.kind === 'open') open++;
      else if (i >= errorAt && --open === 0) return marker;
    }
    return null;
  }

  let at = startsInReasoning ? readReasoning(0, 0) : 0;
  while (at < text.length) at = readOn(at);
  return {pieces, calls, reasoning};
}
