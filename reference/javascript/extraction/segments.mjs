// From the pieces that were found to the diagnostic members of the result.

/** The segments of the whole text; what no piece covers is text (EXT-092). */
export function toSegments(source, pieces) {
  const segments = [];
  let done = 0;
  const addText = (end) => {
    if (end > done) segments.push({kind: 'text', text: source.slice(done, end)});
  };
  for (const {kind, start, end, dialect, calls, codes} of pieces) {
    if (start === end) continue; // reasoning that is nothing but calls
    addText(start);
    const text = source.slice(start, end);
    const segment = dialect === undefined ? {kind, text}
      : kind === 'call' ? {kind, text, dialect, calls} : {kind, text, dialect};
    if (codes?.length > 0) segment.codes = codes;
    segments.push(segment);
    done = end;
  }
  addText(source.chars.length);
  return segments;
}

/** The dialects of all blocks and wrappers in the order of their first openers (EXT-092). */
export function toMatched(pieces) {
  const dialects = new Set();
  for (const {dialect} of pieces) if (dialect !== undefined) dialects.add(dialect);
  return [...dialects];
}

/** The repairs of the blocks with a call, in the order of their codes (EXT-092). */
export function toRepairs(pieces) {
  const counts = new Map();
  for (const {calls, repairs} of pieces) {
    if (!(calls > 0)) continue;
    for (const [code, count] of repairs) counts.set(code, (counts.get(code) ?? 0) + count);
  }
  return [...counts.keys()].sort().map((code) => ({code, count: counts.get(code)}));
}

/** All that a stream shows, as one list (EXT-224). */
export function toParts(events) {
  const parts = [];
  for (const {call, text, reasoning} of events) {
    const last = parts.at(-1);
    if (call !== undefined) parts.push({type: 'tool_call', index: call});
    else if (text !== undefined && last?.type === 'text') last.text += text;
    else if (text !== undefined) parts.push({type: 'text', text});
    else if (last?.type === 'reasoning') last.text += reasoning;
    else parts.push({type: 'reasoning', text: reasoning});
  }
  // A line feed joins each reasoning to the one before.
  const later = parts.filter(({type}) => type === 'reasoning').slice(1);
  for (const part of later) part.text = part.text.slice(1);
  return parts.filter(({text}) => text !== '');
}
