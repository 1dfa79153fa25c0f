// The blocks of Markdown, line by line, as far as they say what is code: CommonMark 0.31.2.
//
// A line is judged by the blocks that are open before it and by its own begin, so a stream can ask
// before the line is whole: whatever visible character follows stands for the rest.

const QUOTE = 0; // among the containers; another number is the indent that a list item needs
const DEEPEST = 64; // what stands in more containers is an indented line
const CODE_INDENT = 4;
const TAB_WIDTH = 4;

const OPENING = /`{3,}(?=[^`]*$)|~{3,}/y;
const HEADING = /#{1,6}(?=[ \t]|$)/y;
const UNDERLINE = /(?:=+|-+)[ \t]*$/y;
const RULE = /(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/y;
const ITEM = /(?:[-+*]|([0-9]{1,9})[.)])(?=[ \t]|$)/y;

const NAMES = 'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|' +
  'details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|' +
  'header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|' +
  'search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul';
const ATTRIBUTE_NAME = '[A-Za-z_:][A-Za-z0-9_.:-]*';
/** A tag of HTML, in which some characters are white space. */
function tagOf(spaces) {
  const space = `[${spaces}]`;
  const value = `(?:[^${spaces}"'=<>\`]+|'[^']*'|"[^"]*")`;
  const attribute = `${space}+${ATTRIBUTE_NAME}(?:${space}*=${space}*${value})?`;
  return {
    attribute,
    tag: `(?:<[A-Za-z][A-Za-z0-9-]*(?:${attribute})*${space}*/?>|</[A-Za-z][A-Za-z0-9-]*${space}*>)`,
  };
}

const BLANK = 'blank'; // the end of HTML that a blank line ends
const HTML = [
  [/<(?:script|pre|style|textarea)(?=[ \t>]|$)/iy, /<\/(?:script|pre|style|textarea)>/i],
  [/<!--/y, /-->/],
  [/<\?/y, /\?>/],
  [/<![A-Za-z]/y, />/],
  [/<!\[CDATA\[/y, /\]\]>/],
  [new RegExp(`</?(?:${NAMES})(?=[ \\t]|/?>|$)`, 'iy'), BLANK],
];
const HTML_TAG = new RegExp(`${tagOf(' \\t').tag}[ \\t]*$`, 'y');

const SPACES = ' \\t\\n\\v\\f\\r';
const SPACE = `[${SPACES}]`;
const ANGLED = '<(?:\\\\.|[^<>\\n\\\\])*(?:>|$)';
const DESTINATION = '(?!<)(?:\\\\.|[^ \\t\\n\\v\\f\\r()\\\\])*(?:\\([^< \\t\\n\\v\\f\\r]*)?';
const TITLE = `(?:"(?:\\\\.|[^"\\\\])*"?|'(?:\\\\.|[^'\\\\])*'?|\\((?:\\\\.|[^()\\\\])*\\)?)`;

/** What can hold a run of backticks that begins no code, and in a group where the text ends in it. */
const INLINE = new RegExp([
  '\\\\.',
  '<!--(?:-?>|.*?(?:-->|($)))', '<\\?.*?(?:\\?>|($))', '<!\\[CDATA\\[.*?(?:\\]\\]>|($))',
  '<![A-Za-z][^>]*(?:($)|)',
  `<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^<> \\t\\n\\v\\f\\r]*(?:($)|)`,
  tagOf(SPACES).tag,
  `<[A-Za-z][A-Za-z0-9-]*(?:${tagOf(SPACES).attribute})*` +
    `${SPACE}+${ATTRIBUTE_NAME}${SPACE}*=${SPACE}*(?:'[^']*|"[^"]*)($)`,
  `\\]\\(${SPACE}*(?:${ANGLED}|${DESTINATION})(?:${SPACE}+${TITLE})?${SPACE}*($)`,
  '\\]\\[[^\\[\\]]*($)',
].join('|'), 'gs');

/**
 * Whether a text, in which no code is, may end in HTML, a link or its like, so that a run of
 * backticks behind it begins no code.
 */
export function mayHoldRun(text) {
  if (!/[<\]]/.test(text)) return false;
  for (const [, ...ends] of text.matchAll(INLINE)) if (ends.some((end) => end !== undefined)) return true;
  return false;
}

/** The blocks that are open before a text. */
export const NO_BLOCKS = {containers: [], isBare: false, leaf: 'none', fence: '', htmlEnd: BLANK};

/** Blocks that are open, in which the last container can be an item that began with a blank line. */
function blocksIn(containers, more = {}) {
  return {...NO_BLOCKS, containers, ...more};
}

/** A visible character of a line, or its end, and the blanks before it that still count. */
class Cursor {
  #column = 0; // behind what was read, which can be within a tab

  constructor(line) {
    this.line = line;
    this.#look(0);
  }

  #look(from) {
    const {line} = this;
    let column = this.#column;
    let at = from;
    for (; line[at] === ' ' || line[at] === '\t'; at++) {
      column += line[at] === ' ' ? 1 : TAB_WIDTH - column % TAB_WIDTH;
    }
    this.at = at;
    this.indent = column - this.#column;
    this.isBlank = at === line.length;
  }

  /** Goes over blanks, as many as there are. */
  skip(columns) {
    const skipped = Math.min(columns, this.indent);
    this.#column += skipped;
    this.indent -= skipped;
  }

  /** Goes over visible characters, and the blanks before them. */
  go(length) {
    this.#column += this.indent + length;
    this.#look(this.at + length);
  }

  matches(pattern) {
    pattern.lastIndex = this.at;
    return pattern.exec(this.line);
  }
}

/**
 * What a line is, without its end, by the blocks that are open before it: `{kind, at, blocks}`, with
 * the position of its content and the blocks that are open behind it. A line is 'blank', 'indented',
 * 'opening', 'fenced' or 'closing' of a fence, or 'text' that goes on with a block, as 'doubtful'
 * does or is code, or the 'begin' of one.
 */
export function beginLine(before, line) {
  const cursor = new Cursor(line);
  const {kept, isDeep} = keptOf(before, cursor);
  const isWhole = kept === before.containers.length;
  if (isWhole && before.leaf === 'fence') return inFence(before, cursor);
  const containers = before.containers.slice(0, kept);
  if ((isDeep || before.leaf === 'unclear') && !cursor.isBlank) {
    const {at} = cursor;
    const fence = cursor.indent < CODE_INDENT ? cursor.matches(OPENING)?.[0] : undefined;
    if (fence) return {kind: 'opening', at, blocks: blocksIn(containers, {leaf: 'fence', fence})};
    return {kind: 'doubtful', at, blocks: blocksIn(containers, {leaf: 'unclear'})};
  }
  if (isWhole && before.leaf === 'html' && !(cursor.isBlank && before.htmlEnd === BLANK)) {
    return {kind: 'text', at: cursor.at, blocks: {...before, isBare: false}};
  }
  let goesOn = before.leaf === 'paragraph' || before.leaf === 'definition';
  let isBare = false;
  while (!cursor.isBlank) {
    const interrupts = goesOn && isWhole;
    if (cursor.indent >= CODE_INDENT) {
      if (!goesOn) return {kind: 'indented', at: cursor.at, blocks: blocksIn(containers)};
      if (!isWhole && beginsBlock(cursor)) { // readers differ: the container may end here
        return {kind: 'doubtful', at: cursor.at, blocks: blocksIn(containers, {leaf: 'unclear'})};
      }
      if (before.leaf !== 'definition') break;
      return {kind: 'doubtful', at: cursor.at, blocks: {...before, isBare: false}};
    }
    const leaf = leafAt(containers, cursor, goesOn, interrupts);
    if (leaf !== null) return leaf;
    const item = cursor.matches(ITEM);
    if (line[cursor.at] === '>') {
      passQuote(cursor);
      containers.push(QUOTE);
    } else if (item !== null && (!interrupts || mayInterrupt(item))) {
      containers.push(passItem(cursor, item[0].length));
      isBare = cursor.isBlank;
    } else {
      break;
    }
    goesOn = false;
    if (containers.length > DEEPEST) {
      return {kind: 'indented', at: cursor.at, blocks: blocksIn(containers.slice(0, -1))};
    }
  }
  if (cursor.isBlank) return {kind: 'blank', at: cursor.at, blocks: blocksIn(containers, {isBare})};
  if (goesOn && before.leaf === 'definition' && !(isWhole && cursor.matches(ITEM) === null)) {
    // What ended there is the definition, or its paragraph goes on.
    return {kind: 'doubtful', at: cursor.at, blocks: blocksIn(containers, {leaf: 'unclear'})};
  }
  if (goesOn) return {kind: 'text', at: cursor.at, blocks: {...before, isBare: false}};
  return {kind: 'begin', at: cursor.at, blocks: blocksIn(containers, {leaf: 'paragraph'})};
}

/** The blocks behind a whole line if HTML begins with it that only its end shows, or null. */
export function htmlTagLine(before, line) {
  const {blocks} = beginLine(before, line);
  return blocks.leaf === 'html' && blocks.htmlEnd === BLANK ? blocks : null;
}

/** Whether a piece of a line of HTML ends that. */
export function endsHtml({leaf, htmlEnd}, text) {
  return leaf === 'html' && htmlEnd !== BLANK && htmlEnd.test(text);
}

/**
 * Goes behind the begins of the containers that go on; how many these are, and whether one of them
 * is a quotation whose sign is indented as code is, so that it may have ended.
 */
function keptOf({containers, isBare}, cursor) {
  let isDeep = false;
  for (const [kept, indent] of containers.entries()) {
    if (indent === QUOTE) {
      if (cursor.line[cursor.at] !== '>') return {kept, isDeep};
      isDeep ||= cursor.indent >= CODE_INDENT;
      passQuote(cursor);
    } else if (cursor.isBlank) {
      if (isBare && kept === containers.length - 1) return {kept, isDeep};
    } else if (cursor.indent < indent) {
      return {kept, isDeep};
    } else {
      cursor.skip(indent);
    }
  }
  return {kept: containers.length, isDeep};
}

function inFence(before, cursor) {
  const {line, at} = cursor;
  const run = before.fence;
  if (cursor.indent < CODE_INDENT && line.startsWith(run, at)) {
    let end = at + run.length;
    while (line[end] === run[0]) end++;
    if (/^[ \t]*$/.test(line.slice(end))) {
      return {kind: 'closing', at: end, blocks: {...before, leaf: 'none'}};
    }
  }
  return {kind: 'fenced', at, blocks: before};
}

/** The line where a block of one line, a fence or HTML begins at the cursor, or null. */
function leafAt(containers, cursor, goesOn, interrupts) {
  const {line, at} = cursor;
  const fence = cursor.matches(OPENING)?.[0];
  if (fence) return {kind: 'opening', at, blocks: blocksIn(containers, {leaf: 'fence', fence})};
  if (cursor.matches(HEADING)) return {kind: 'begin', at, blocks: blocksIn(containers)};
  if (line[at] === '<') {
    const html = HTML.find(([begin]) => cursor.matches(begin))?.[1];
    const htmlEnd = html ?? (!goesOn && cursor.matches(HTML_TAG) ? BLANK : undefined);
    if (htmlEnd) return {kind: 'begin', at, blocks: blocksIn(containers, {leaf: 'html', htmlEnd})};
  }
  const isLine = (interrupts && cursor.matches(UNDERLINE)) || cursor.matches(RULE);
  return isLine ? {kind: 'blank', at, blocks: blocksIn(containers)} : null;
}

/** Whether a block would begin at the cursor if it was not indented. */
function beginsBlock(cursor) {
  const {line, at} = cursor;
  return line[at] === '>' || line.startsWith('```', at) || cursor.matches(ITEM) !== null ||
    leafAt([], cursor, true, false) !== null;
}

/** Whether a list item can begin where a paragraph would go on. */
function mayInterrupt({0: marker, 1: number, index, input}) {
  return Number(number ?? 1) === 1 && /[^ \t]/.test(input.slice(index + marker.length));
}

function passQuote(cursor) {
  cursor.go(1);
  cursor.skip(1);
}

/** Goes behind the marker of a list item; the indent that its content needs. */
function passItem(cursor, length) {
  const indent = cursor.indent + length;
  cursor.go(length);
  const blanks = cursor.isBlank || cursor.indent > CODE_INDENT ? 1 : cursor.indent;
  cursor.skip(blanks);
  return indent + blanks;
}
