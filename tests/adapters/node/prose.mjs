// Prose and its code: finds the next marker that counts, and notes code that hides markers.

import {runEnd} from './characters.mjs';
import {isForeign} from './markers.mjs';

const FEED = 0x0a;
const BACKTICK = 0x60;
const TILDE = 0x7e;
const LESS = 0x3c;

/** What ends the reading beside a marker and the end of the text. */
export const TEXT = {blank: false, foreign: false};
export const BEHIND_PAYLOAD = {blank: true, foreign: false};
export const UNDECIDED = {blank: true, foreign: true};

/** A reader of prose; `note(start, end)` gets each code in which a marker was ignored. */
export function proseReader(text, lines, markerAt, openFences, note) {
  let fence = null; // the run that opened a fence whose markers count (EXT-033)
  let indented = -1; // the last line that was an indented line
  let noIndentBefore = 0; // no indented line begins in a wrapper (extraction: code)

  /** Reads from a position to the first event: marker, foreign, blank or end. */
  function next(from, watch) {
    for (let i = from; i < text.length;) {
      const code = text.charCodeAt(i);
      const k = lines.find(i);
      if (i === lines.at(k).start && beginsIndented(k)) {
        i = readIndented(k);
      } else if (code === FEED) {
        i++;
        if (watch.blank && lines.at(k).blank) return {kind: 'blank', at: i};
      } else if (code === BACKTICK || code === TILDE) {
        const behind = readRun(i, k);
        if (watch.blank && hidesBlankLine(i, behind, k)) return {kind: 'blank', at: behind};
        i = behind;
      } else {
        const event = code === LESS ? eventAt(i, watch) : null;
        if (event !== null) return event;
        i++;
      }
    }
    return {kind: 'end', at: text.length};
  }

  /** The event at a `<`, if any. */
  function eventAt(i, watch) {
    const marker = markerAt(i);
    if (marker !== null) return {kind: 'marker', at: i, marker};
    return watch.foreign && isForeign(text, i) ? {kind: 'foreign', at: i} : null;
  }

  /** Whether a line is an indented line (EXT-032); its first character is prose. */
  function beginsIndented(k) {
    const line = lines.at(k);
    if (fence !== null || !line.indented || k === 0 || line.start < noIndentBefore) return false;
    return lines.at(k - 1).blank || indented === k - 1;
  }

  /** Passes an indented line, up to the run where a fence opens on it. */
  function readIndented(k) {
    const {start, end, run} = lines.at(k);
    indented = k;
    noteCode(start, end);
    return run?.opens ? run.at : end;
  }

  /** Passes a run of backticks or tildes and the code that it begins. */
  function readRun(i, k) {
    const {run} = lines.at(k);
    const first = run !== null && run.at === i;
    if (fence !== null) {
      if (first && closes(run)) fence = null;
      return runEnd(text, i);
    }
    if (first && run.opens) return openFences ? enterFence(run, k) : passFence(run, k);
    return text.charCodeAt(i) === BACKTICK ? passInline(i, k) : runEnd(text, i);
  }

  /** Whether a run ends the fence that is open. */
  function closes(run, opener = fence) {
    return run !== null && run.closes && run.code === opener.code && run.length >= opener.length;
  }

  /** Enters a fence whose markers count; only its first line hides them (EXT-033). */
  function enterFence(run, k) {
    fence = run;
    noteCode(run.at, lines.at(k).end);
    return lines.at(k).end;
  }

  /** Passes a whole fence (EXT-030). */
  function passFence(run, k) {
    let last = k + 1;
    while (last < lines.count && !closes(lines.at(last).run, run)) last++;
    const end = last < lines.count ? lines.at(last).run.end : text.length;
    noteCode(run.at, end);
    return end;
  }

  /** Passes inline code (EXT-031). */
  function passInline(i, k) {
    const blank = lines.nextBlank(k + 1);
    const limit = blank < lines.count ? lines.at(blank).start - 1 : text.length;
    const length = runEnd(text, i) - i;
    let end = limit;
    for (let j = i + length; j < limit;) {
      const behind = text.charCodeAt(j) === BACKTICK ? runEnd(text, j) : j + 1;
      if (text.charCodeAt(j) === BACKTICK && behind - j === length) {
        end = behind;
        break;
      }
      j = behind;
    }
    noteCode(i, end);
    return end;
  }

  /** Whether the fence that was passed holds the end of a blank line. */
  function hidesBlankLine(from, to, k) {
    const blank = lines.nextBlank(k + 1);
    return blank < lines.count && lines.at(blank).end < to && to > from;
  }

  /** Notes code if a marker begins in it. */
  function noteCode(start, end) {
    for (let i = start; i < end; i++) {
      if (text.charCodeAt(i) === LESS && markerAt(i) !== null) {
        note(start, end);
        return;
      }
    }
  }

  return {
    next,
    save: () => ({fence, indented}),
    restore: (state) => ({fence, indented} = state),
    forbidIndentBefore: (position) => { noIndentBefore = position; },
  };
}
