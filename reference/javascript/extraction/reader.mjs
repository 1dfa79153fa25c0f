// Reads a text once: reasoning, blocks and wrappers, and the prose between them.

import {bareForms, behindMarkers, isEnd, readBare} from './bare.mjs';
import {readEachCall, readJsonCalls, readLiteralJson, readNamedArguments, readParameterCalls} from './calls.mjs';
import {isBlank, isJsonSpace, isLetterOrDigit} from '../shared/characters.mjs';
import {isMessage} from './dialects.mjs';
import {Drafts} from './drafts.mjs';
import {canBeHeadless, readHeadless} from './headless.mjs';
import {literalCallsBegin, objectBegins, readLiteralCalls, readLiteralValues} from './literals.mjs';
import {CleanBlocks} from './clean.mjs';
import {lossesOfBlock, lossesOfVerdicts} from './losses.mjs';
import {Markers, isCloser, isLineSpace, isToken} from './markers.mjs';
import {bareBegins, hasMessages, messageEnd} from './messages.mjs';
import {openingTag, strangeCloser} from './pairs.mjs';
import {parametersBegin, readParameters} from './parameters.mjs';
import {payloadBegin, readPayload} from './payload_scanner.mjs';
import {BEHIND_PAYLOAD, NAMED, Prose, TEXT, UNDECIDED} from './prose.mjs';
import {Strings, isPartner, partnerBehind} from './quotations.mjs';
import {quotedObjectBegins, readQuotedObject} from './quoted_object.mjs';
import {stopsAt} from './source.mjs';
import {fastPath} from './strict_value.mjs';
import {ToolTags} from './tool_tags.mjs';

const isOwnCloser = (marker, opener) =>
  marker?.kind === 'close' && marker.forms.includes(opener.form);
const hasItsCloser = (marker, opener) =>
  marker?.kind === 'open' && writtenCloser(marker.form) === writtenCloser(opener.form);

/** What can stand directly behind a tag that words name. */
const BEHIND_NAME = '.,;:!?)"\'”’»」';

export class Reader {
  clean = null; // the reader of clean blocks, of a whole text
  wrappers = []; // the forms of the wrappers that are open, or may turn out to be
  tags = []; // the openers of those of which it is not known yet
  behindBlock = null; // the end of a block, behind which only white space and closers came
  mayBeLone = true; // a closer of reasoning is a token (D9.9)
  hasContent = false; // a header of a message to show has come
  marked = null; // `{partner, hasOpener}`, where what is read may be marked text

  constructor(source, output, options) {
    const {language, tools, effective, isNative, openFences, startsInReasoning} = options;
    this.options = options;
    this.source = source;
    this.output = output;
    this.startsInReasoning = startsInReasoning;
    this.frame = language.frame;
    this.foreign = language.foreign;
    this.drafted = language.drafted;
    this.isNative = isNative; // calls came beside the text, and none of it is run
    this.toolTags = options.toolTags ?? new ToolTags(language, effective ?? []);
    this.markers = new Markers(source, language, this.toolTags);
    this.holder = language.holder;
    this.bare = language.bare;
    this.headless = language.headless;
    this.mayBegin = this.bare.length > 0 || canBeHeadless(this.headless); // with calls, and no opener
    this.atBegin = this.mayBegin; // nothing visible has come but reasoning and tokens
    this.effective = effective; // null where the caller only watches
    this.tools = tools;
    this.guidedName = options.guidedName;
    this.prose = new Prose(source, this.markers, output, openFences);
    this.strings = new Strings(source);
  }

  /** Reads the whole text; each method here takes a position and returns how far it came. */
  *read() {
    let at = 0;
    this.output.hold(0);
    if (this.startsInReasoning && (yield* this.source.at(0)) !== undefined) {
      const [first] = [...this.frame.reasoning, {close: this.markers.messages?.form.opener}];
      const echo = yield* this.markers.at(yield* this.source.skip(0, isJsonSpace)); // EXT-209
      at = echo?.kind === 'think'
        ? yield* this.#readReasoning(0, echo.end, echo) : yield* this.#readReasoning(0, 0, first);
      this.strings.skip(0, at);
    } else if (!this.startsInReasoning) {
      const header = yield* this.markers.openedHeader();
      this.atBegin &&= header === null || mayPrecedeBare(header);
      at = header === null ? yield* this.#readStripped() : yield* this.#readMarker(header);
    }
    this.output.hold(Infinity);
    const {isWhole, chars} = this.source;
    const mayBeClean = isWhole && fastPath.isOn && !this.isNative && this.holder === null; // EXT-250
    if (mayBeClean) this.clean = new CleanBlocks(chars, this.markers.clean.forms);
    while ((yield* this.source.at(at)) !== undefined) {
      const isInside = this.wrappers.length > 0 || this.marked !== null;
      if (this.clean !== null && !isInside && !this.#mayBeLoneAt(at)) {
        const from = at;
        at = this.#readClean(from);
        this.mayBeLone &&= this.#isSpace(from, at);
      }
      if (isWhole && at === chars.length) break;
      at = isInside ? yield* this.#readInWrapper(at) : yield* this.#readText(at);
    }
    this.#endMarked(false);
    this.prose.finish();
  }

  /** Reasoning at the begin of messages whose tokens a server took out, if something ends it (EXT-210). */
  *#readStripped() {
    const {source, output, markers: {messages}} = this;
    const stripped = messages?.form.opener.messages.stripped;
    if (stripped === undefined) return 0;
    const {reasoning, content, call} = stripped;
    if ((yield* source.wordAt(0, [reasoning])) === null) return 0;
    for (let at = reasoning.length; (yield* source.at(at)) !== undefined; at++) {
      const word = yield* source.wordAt(at, [content, call]);
      if (word === null) continue;
      const behind = at + word.length;
      const end = word === content ? behind : at;
      output.openReasoning(0, reasoning.length);
      output.closeReasoning({kind: 'reasoning', start: 0, end}, at);
      this.strings.skip(0, end);
      if (word === content) return end;
      this.atBegin = false;
      output.hold(at);
      const {form, isActive} = messages;
      const kind = isActive ? 'open' : 'drop';
      return yield* this.#readMarker({kind, form, reserved: true, isHeader: true, start: at, end: behind, header: ''});
    }
    return 0;
  }

  /** Plain prose and clean blocks, as far as they go: returns where something else begins. */
  #readClean(from) {
    const {source: {chars}, prose, markers} = this;
    prose.skipTo(from);
    for (let at = from; ;) {
      const start = markers.clean.next(chars, at, this.toolTags);
      if (this.atBegin && !this.#isProse(at, start)) return at;
      if (start === chars.length) {
        if (this.#mayBeCut(at)) return at;
        prose.pass(start);
        return start;
      }
      // A run of backticks is a marker only before JSON, and else it begins code.
      prose.pass(start);
      if (chars[start] === '`' || prose.hidesAt(start) || this.#mayBeQuoted(start)) return start;
      const block = this.clean.at(start);
      if (block === null) return start;
      this.strings.isOver = true;
      this.output.removeBlock(block);
      at = block.end;
      this.behindBlock = at;
      prose.skipTo(at);
    }
  }

  /** Behind a block: the end of the closer or token that the end of the text cuts off, or null (EXT-203). */
  *#readCutCloser(from) {
    if (this.behindBlock === null) return null;
    const {source, output, markers} = this;
    const at = yield* source.skip(this.behindBlock, isJsonSpace);
    if (at < from) this.behindBlock = null;
    if (at < from || source.chars[at] === undefined) return null;
    this.prose.skipTo(from);
    output.hold(at);
    const isCut = (yield* markers.at(at)) === null && (yield* markers.endsInAnyCloser(at)) && !this.prose.hidesAt(at);
    output.hold(Infinity);
    // One character that is no `<`, such as a bracket of the text, is too little (EXT-203).
    if (!isCut || (source.chars.length - at === 1 && source.chars[at] !== '<')) return null;
    output.remove({kind: 'token', start: at, end: source.chars.length});
    return source.chars.length;
  }

  /** Whether nothing but white space stands between a block and a position, and what the end of the text cuts off can follow. */
  #mayBeCut(at) {
    const {chars} = this.source;
    let i = this.behindBlock ?? chars.length;
    while (isJsonSpace(chars[i])) i++;
    return i >= at && this.markers.mayBegin(chars[i]);
  }

  /** Text, up to behind what it is not. */
  *#readText(from) {
    if (this.atBegin) {
      const end = yield* this.#readBareMessage(from);
      if (end !== null) return end;
    }
    const cutEnd = yield* this.#readCutCloser(from);
    if (cutEnd !== null) return cutEnd;
    const lone = this.mayBeLone ? yield* this.#loneCloser(from) : null;
    const {at, marker} = lone ?? (yield* this.prose.read(from, TEXT));
    this.mayBeLone &&= this.#isSpace(from, at);
    this.atBegin &&= mayPrecedeBare(marker) && [...this.source.slice(from, at)].every(isJsonSpace);
    return marker ? yield* this.#readMarker(marker) : at;
  }

  /** A closer of reasoning that is a token behind a position, or null (D9.9). */
  *#loneCloser(from) {
    const {source, output, markers, prose} = this;
    prose.skipTo(from);
    const at = yield* source.skip(from, isJsonSpace);
    output.hold(at);
    let end;
    for (const close of this.frame.closes) end ??= yield* markers.reasoningCloserEnd(at, close);
    output.hold(Infinity);
    return end === undefined || prose.hidesAt(at) ? null : {at, marker: {kind: 'token', start: at, end}};
  }

  /** Whether the next visible character can begin such a closer. */
  #mayBeLoneAt(from) {
    const {chars} = this.source;
    let at = from;
    while (isJsonSpace(chars[at])) at++;
    return this.mayBeLone && this.frame.closes.some(({text = '<'}) => text[0] === chars[at]);
  }

  /** Whether only JSON white space stands between two positions. */
  #isSpace(from, to) {
    return !/[^ \t\n\r]/.test(this.source.slice(from, to));
  }

  /** What a marker in prose begins. */
  *#readMarker(marker) {
    const {kind, start, end, isEnd} = marker;
    if (kind === 'close' && !isEnd && this.#isLeftover(marker)) { // EXT-203, EXT-204
      this.output.remove({kind: 'token', start, end});
      this.strings.skip(start, end);
      if (this.behindBlock !== null) this.behindBlock = end;
      return end;
    }
    const isText = kind === 'open' ? this.#isOutOfPlace(marker) || this.#isQuoted(start)
      : kind === 'think' ? !marker.isHeader && (this.strings.holds(start) || (yield* this.#isNamed(marker)))
        : kind === 'close' && !isEnd;
    if (isText) { // EXT-200, EXT-250; EXT-040: a lone closer
      this.mayBeLone = false;
      this.output.hold(Infinity);
      this.prose.leave(marker);
      return end;
    }
    if (kind === 'open') {
      this.#beginMarked(start);
      return yield* this.#readBlock(marker);
    }
    if (isToken(marker)) this.#beginMarked(start);
    if (!isToken(marker) || isEnd || marker.isHeader) this.strings.interrupt(start);
    const behind = yield* this.#readRemoved(marker);
    this.strings.skip(start, behind);
    return behind;
  }

  /** Whether words name an opener of reasoning (D9.11). */
  *#isNamed({start, end}) {
    const {source, frame} = this;
    if (frame.control || source.chars[start] !== '<' || !(yield* this.#hasWordsBefore(start))) return false;
    const behind = yield* source.skip(end, isLineSpace);
    const char = source.chars[behind];
    return behind > end ? char >= 'a' && char <= 'z' : char !== undefined && BEHIND_NAME.includes(char);
  }

  /** A marker that is no text, with what it begins. */
  *#readRemoved(marker) {
    const {kind, start, end, form} = marker;
    if (kind === 'think') return yield* this.#readReasoning(start, end, marker);
    if (kind === 'drop') { // EXT-190
      const last = yield* messageEnd(this.source, end, this.markers.messages);
      this.output.remove({kind: 'message', start, end: last.end});
      return last.end;
    }
    return this.#removeToken(marker);
  }

  /** A token (EXT-175); behind a further header a line feed counts as text. */
  #removeToken({start, end, isHeader = false}) {
    this.output.remove({kind: 'token', start, end});
    if (isHeader && this.hasContent) this.output.addLine();
    this.hasContent ||= isHeader;
    return end;
  }

  /** Whether a closer is a control token, or only closers stand between it and a block. */
  #isLeftover({forms, start}) {
    const isBehind = this.behindBlock !== null && [...this.source.slice(this.behindBlock, start)].every(isJsonSpace);
    if (!isBehind) this.behindBlock = null;
    return isBehind || forms.some(({isControl}) => isControl);
  }

  /** Whether an opener or token at a position stands in a quotation other than marked text. */
  #isQuoted(start) {
    return this.prose.quotes || this.strings.holds(start);
  }

  /** Whether an opener counts in a message alone that holds blocks, and stands elsewhere (EXT-250). */
  #isOutOfPlace({form}) {
    return this.holder !== null && form !== this.holder && this.wrappers.length === 0;
  }

  /** Whether it is not plain that an opener of a whole text stands in no quotation. */
  #mayBeQuoted(start) {
    return this.prose.quotes || partnerBehind(this.source, start) !== undefined ||
      this.strings.goesOn(start);
  }

  /** Behind an opening mark an opener or a token may begin marked text. */
  #beginMarked(start) {
    const partner = partnerBehind(this.source, start, this.output.pieces.at(-1)?.end);
    if (partner === undefined || this.#isQuoted(start)) return;
    this.marked = {partner, hasOpener: false, hasContent: this.hasContent};
    this.output.wait(start);
  }

  /** Whether what is read may be marked text, and the partner of its mark stands at a position. */
  *#isPartner(at) {
    return this.marked?.hasOpener === true && (yield* isPartner(this.source, at, this.marked.partner));
  }

  /** Ends what may be marked text, and says whether it is (EXT-200). */
  #endMarked(isMarked) {
    if (this.marked === null) return;
    if (isMarked) { // no header stands in it, nor a block
      this.hasContent = this.marked.hasContent;
      this.behindBlock = null;
    }
    this.marked = null;
    this.output.settle(!isMarked);
  }

  /** Ends marked text at a position. */
  #leaveMarked(at) {
    this.#endMarked(true);
    return this.#endWrappers(at);
  }

  /** Whether prose stands at the begin of the text, and so no bare message. */
  #isProse(from, to) {
    let i = from;
    while (i < to && isJsonSpace(this.source.chars[i])) i++;
    const char = this.source.chars[i];
    const isHeadless = '{['.includes(char) || this.headless.lines.length > 0;
    const isTag = char === '<' && this.foreign !== undefined;
    this.atBegin = i === to || isHeadless || isTag || bareForms(this.bare, char).length > 0;
    return !this.atBegin;
  }

  /** A bare message, whose end is returned; null where there is none (EXT-116). */
  *#readBareMessage(from) {
    const {source, output} = this;
    const at = yield* source.skip(from, isJsonSpace);
    output.hold(at);
    const tag = yield* this.#foreignTag(at);
    const begin = tag === null ? at : yield* source.skip(tag.end, isJsonSpace);
    const endTag = tag === null ? '' : `</${tag.name}>`;
    const found = yield* readBare(this, begin, endTag, (one) => this.#areMeant(one, false));
    output.hold(Infinity);
    if (found?.form.isGuided) { // EXT-211
      this.atBegin = false;
      const {form, end, code, verdicts, repairs} = found;
      if (tag !== null) this.prose.pass(begin);
      const opener = {start: begin, end: begin, form};
      if (code !== undefined) return this.#reject(opener, endsAt(end), code);
      return this.#accept(opener, endsAt(end), () => verdicts, repairs);
    }
    if (found !== null) {
      this.atBegin = false;
      this.strings.isOver = true;
      this.prose.pass(begin);
      this.#accept({start: begin, form: found.form}, endsAt(found.end), () => found.verdicts, found.repairs);
      return found.end;
    }
    output.hold(at);
    const headless = yield* readHeadless(this, at); // EXT-222
    output.hold(Infinity);
    if (!this.#areMeant(headless, true)) return null;
    const {form, closer, verdicts, repairs} = headless;
    this.atBegin = false;
    this.mayBeLone = false;
    this.strings.isOver = true;
    return this.#accept({start: at, form}, closer, () => verdicts, new Map([...repairs, ['missing_opener', 1]]));
  }

  /** The opening tag of what can be a foreign pair at a position, or null. */
  *#foreignTag(at) {
    const isTag = this.foreign !== undefined && (yield* this.source.at(at)) === '<' && (yield* this.markers.at(at)) === null;
    return isTag ? yield* openingTag(this.source, at, this.foreign) : null;
  }

  /** Whether what was found without an opener has a call, and is for nothing but effective tools. */
  #areMeant(found, eachIsOne) {
    const verdicts = found?.verdicts ?? [];
    const refused = verdicts.filter(({call}) => call === undefined).length;
    if (refused === verdicts.length || (refused > 0 && eachIsOne)) return false;
    const isMeant = ({call, code, name = call?.name}) => name && code !== 'declaration' &&
      (this.effective === null || this.effective.includes(name));
    return verdicts.every(isMeant);
  }

  /** Reasoning with its tags, up to a closer (EXT-020, EXT-026). */
  *#readReasoning(start, behind, {close, label}) {
    const {source, output, markers, frame: {answer}} = this;
    const inner = close.messages ? behind : yield* this.#behindEchoes(behind, close);
    const from = label === undefined ? inner : yield* this.#labelEnd(inner, label, close);
    const ends = close.messages && [...close.messages.ends, ...bareBegins(close.messages)];
    const firsts = [...(ends ?? [close.text ?? '<']), ...answer].map(([first]) => first);
    output.openReasoning(start, from);
    this.behindBlock = null;
    const drafts = this.#draftsFrom(from);
    const stops = stopsAt(firsts);
    for (let i = from; ; i++) {
      for (;;) {
        i = source.find(i, stops);
        output.hold(drafts?.feed(source, i) ?? Infinity);
        if (source.chars[i] !== undefined || (yield* source.at(i)) === undefined) break;
      }
      const shown = drafts?.feed(source, i) ?? i;
      if (source.chars[i] === undefined) return yield* this.#endReasoning(drafts, start, i, close);
      output.hold(shown);
      const end = yield* markers.reasoningCloserEnd(i, close);
      if (end !== undefined) return yield* this.#endReasoning(drafts, start, i, close, end);
      const isAnswer = (yield* source.wordAt(i, answer)) !== null; // EXT-206
      if (isAnswer) return yield* this.#endReasoning(drafts, start, i, close, i);
    }
  }

  /** The position behind the openers of reasoning that repeat the one before a position (EXT-209). */
  *#behindEchoes(from, close) {
    for (let at = from; ;) {
      const again = yield* this.markers.at(at);
      if (again?.kind !== 'think' || again.close !== close) return at;
      at = again.end;
    }
  }

  /** The position behind a label before a line feed, which belongs to it, or a closer (extraction: reasoning). */
  *#labelEnd(at, label, close) {
    if ((yield* this.source.wordAt(at, [label])) === null) return at;
    const end = at + label.length;
    if ((yield* this.source.at(end)) === '\n') return end + 1;
    return (yield* this.markers.reasoningCloserEnd(end, close)) === undefined ? at : end;
  }

  /** What reads the blocks in reasoning, or null where none can stand there. */
  #draftsFrom(from) {
    const {drafted, options} = this;
    if (drafted === null) return null;
    const inner = {...options, toolTags: this.toolTags, language: drafted, isNative: false, startsInReasoning: false};
    return new Drafts(from, drafted.foreign, (source, output) => new Reader(source, output, inner).read());
  }

  /** The end of reasoning before a position, and behind its closer; without one the text has ended. */
  *#endReasoning(drafts, start, at, close, closerEnd) {
    const {output} = this;
    const behind = this.markers.withReasoningCloser(close);
    const to = drafts?.finish() ?? null;
    const end = closerEnd ?? at;
    if (to !== null) output.hold(to);
    const isLast = to !== null && (closerEnd === undefined || (yield* isEnd(this.source, behind, end, isCloser)));
    output.hold(Infinity);
    if (!isLast) {
      const others = drafts?.leave() ?? 0;
      const codes = ['unclosed', ...Array(others).fill('in_reasoning')];
      const lost = {before: 0, name: null, code: 'in_reasoning'};
      const losses = Array(this.isNative ? 0 : others).fill(lost);
      const piece = {kind: 'reasoning', start, end};
      this.mayBeLone = true;
      output.closeReasoning(closerEnd === undefined ? {...piece, codes, losses} : piece, at);
      return end;
    }
    output.closeReasoning({kind: 'reasoning', start, end: to}, to); // EXT-205
    this.strings.isOver = true;
    for (const {piece, calls} of drafts.pieces()) {
      if (calls.length > 0 && this.isNative) {
        const codes = codesOf(piece.verdicts.map(besideNative));
        output.remove({...piece, kind: 'rejected', calls: 0, codes, losses: []});
        continue;
      }
      const repairs = new Map([...(piece.repairs ?? []), ['reasoning_unclosed', 1]]);
      output.remove(calls.length > 0 ? {...piece, repairs} : piece);
      for (const call of calls) output.addCall(call);
    }
    this.behindBlock = end;
    if (closerEnd === undefined) return end;
    if (end > at) output.remove({kind: 'reasoning', start: at, end});
    return yield* this.#readBehindCalls(end, behind);
  }

  /** What stands behind the last calls of reasoning, to the end of the text (EXT-205). */
  *#readBehindCalls(from, markers) {
    for (let i = from; ;) {
      i = yield* this.source.skip(i, isJsonSpace);
      const marker = yield* markers.at(i);
      if (marker === null) return i;
      if (!marker.isOfReasoning) yield* this.#readMarker(marker);
      else {
        this.output.remove({kind: 'reasoning', start: i, end: marker.end});
        if (this.behindBlock !== null) this.behindBlock = marker.end;
      }
      i = marker.end;
    }
  }

  /** What follows a block or a tag inside a wrapper (EXT-049; extraction: wrapper). */
  *#readInWrapper(from) {
    this.prose.skipTo(from);
    if (yield* this.#isPartner(from)) return this.#leaveMarked(from);
    this.output.hold(from);
    const at = yield* this.source.skip(from, isJsonSpace);
    this.prose.pass(at);
    const marker = (yield* this.markers.at(at)) ?? (yield* this.markers.strayOfProseAt(at));
    if (marker !== null && this.prose.hidesAt(at)) return this.#endWrappers(at);
    if (marker?.kind === 'open' && this.#isOutOfPlace(marker)) return this.#endWrappers(at);
    const form = this.#closedWrapper(marker);
    const goesOn = marker?.kind === 'open' || form !== undefined;
    if (goesOn && this.wrappers.length > 0) this.#removeSpace(from, at);
    this.output.hold(goesOn ? at : from);
    if (marker?.kind === 'open') return yield* this.#readBlock(marker);
    if (form !== undefined) {
      while (this.wrappers.pop() !== form); // the inner ones end as well
      this.output.remove(tagPiece({...marker, form}));
      this.behindBlock = marker.end;
      return marker.end;
    }
    if (this.marked !== null && isToken(marker)) {
      this.wrappers = [];
      return this.#removeToken(marker);
    }
    const isHeld = this.holder !== null && this.wrappers.length > 0;
    if (isHeld && marker === null && this.source.chars[at] !== undefined) {
      this.wrappers = [];
      const behind = {form: this.holder, start: at, end: at};
      return yield* this.#breakMessage(behind, at, 'trailing_text'); // EXT-250
    }
    return this.#endWrappers(at);
  }

  /** Ends all wrappers, without a tag, and those that would have been ones: they are text. */
  #endWrappers(at) {
    this.#endMarked(false);
    this.tags = [];
    this.wrappers = [];
    this.output.hold(Infinity); // text is shown before more is read
    return at;
  }

  /** Openers that begin no block are no text where they are control tokens (EXT-204). */
  #removeTokens(openers) {
    for (const opener of openers.filter(({form}) => form.isControl)) {
      const {form, start, end} = opener;
      const isSection = !form.payload;
      const piece = isSection ? {kind: 'token', start, end} : this.#rejection(opener, endsAt(end), 'not_json');
      this.output.remove(piece);
    }
  }

  /** The form of the innermost open wrapper that a marker closes, if any. */
  #closedWrapper(marker) {
    return marker?.kind === 'close'
      ? this.wrappers.findLast((form) => marker.forms.includes(form)) : undefined;
  }

  /** From an opener to the end of its block, through openers that may be wrappers. */
  *#readBlock(first) {
    const {source} = this;
    const start = first.start; // from here on nothing is shown before it is decided
    this.strings.isOver = true;
    this.mayBeLone = false;
    if (this.marked !== null) this.marked.hasOpener = true;
    for (let opener = first; ;) {
      if (yield* this.#isPartner(opener.end)) return this.#leaveMarked(opener.end);
      if (opener.reserved) { // EXT-040
        const closer = hasMessages(opener.form)
          ? yield* messageEnd(source, opener.end, this.markers.messages, true)
          : yield* this.markers.reservedCloser(opener);
        return this.#reject(opener, closer, 'reserved_header');
      }
      if (opener.isStray) return yield* this.#fail(opener, opener.end, 1);
      const at = yield* source.skip(opener.end, isJsonSpace);
      const marker = yield* this.markers.at(at);
      if (marker?.kind === 'open') {
        // Its blank line ends the prose behind the openers before it.
        this.prose.skipTo(opener.end);
        if (this.prose.hidesAt(at)) {
          this.#removeTokens([...this.tags, opener]);
          return this.#endWrappers(at);
        }
        this.tags.push({...opener, behind: at});
        this.wrappers.push(opener.form);
        opener = marker;
        continue;
      }
      if (isOwnCloser(marker, opener) && (yield* this.#standAmidWords(opener, marker))) { // D72.1
        this.prose.skipTo(opener.end);
        return this.#endWrappers(opener.end);
      }
      if (opener.form.payload?.scanner === 'parameters') {
        const begin = yield* parametersBegin(source, this.markers, opener, at);
        if (begin !== null) return yield* this.#readParameters(opener, begin);
      }
      if (isOwnCloser(marker, opener)) return this.#reject(opener, marker, 'empty'); // EXT-047
      if (opener.form.payload?.scanner === 'python_calls') {
        if (yield* objectBegins(source, opener, at)) return yield* this.#readLiteralValues(opener, at);
        const begins = yield* literalCallsBegin(source, opener, at);
        if (begins) return yield* this.#readLiteralCalls(opener, at);
      }
      if (opener.form.payload?.scanner === 'python_values' && '[{'.includes(source.chars[at] ?? ' ')) {
        return yield* this.#readLiteralValues(opener, at);
      }
      if (opener.form.payload?.scanner === 'quoted_object') {
        const nameAt = yield* quotedObjectBegins(source, opener.form, at);
        if (nameAt !== null) return yield* this.#readQuotedObject(opener, nameAt);
      }
      const isEnd = source.chars[at] === undefined;
      if (isEnd && [...this.wrappers, opener.form].every((form) => form.opener.tool)) return yield* this.#readUndecided(opener, start);
      const begin = yield* this.#jsonBegin(opener, at);
      if (begin !== null) return yield* this.#readPayload(opener, begin);
      if (isEnd) { // EXT-042
        return this.#reject(opener, endsAt(at), 'truncated');
      }
      const space = source.slice(opener.end, at);
      const fails = space === '' && failsAtOnce(yield* source.characterAt(at), marker);
      if (!opener.form.payload) return yield* this.#readUndecided(opener, start); // a section
      if (opener.form.opener.tool !== undefined) return yield* this.#readUndecided(opener, start);
      if (fails || space.includes('\n')) return yield* this.#fail(opener, at);
      if (hasMessages(opener.form)) return yield* this.#fail(opener, at);
      return yield* this.#readUndecided(opener, start);
    }
  }

  /** Whether an answer names an opener and its closer (extraction: amid words). */
  *#standAmidWords({form, start, end: inner, header = ''}, closer) {
    const {source, markers} = this;
    const {end} = closer;
    if (isMessage(form) || form.isControl || this.wrappers.length > 0) return false;
    if (this.output.isInPair(start) || source.slice(inner, closer.start).includes('{')) return false;
    if (yield* this.#isPartner(end)) return false;
    const hasWords = yield* this.#hasWordsBefore(start);
    const isEmpty = this.#isSpace(inner, closer.start);
    if (hasWords && !isEmpty && header === '') return true;
    const {at: behind, marker} = yield* behindMarkers(source, markers, end, isCloser);
    if (source.chars[behind] === undefined) return false;
    if (marker?.kind === 'open' && (behind === end || source.slice(end, behind).includes('\n'))) return false;
    if (hasWords) return true;
    if (isEmpty && header === '') return false;
    const at = yield* source.skip(end, isJsonSpace);
    return !source.slice(end, at).includes('\n') && (yield* markers.at(at)) === null;
  }

  /** Whether words name an opener and the begin of another tag there (D72). */
  *#namesTag({form, start, end}, at) {
    if (this.wrappers.length > 0 || this.output.isInPair(start)) return false;
    return !form.isControl && !this.#isSpace(end, at) && (yield* this.#hasWordsBefore(start));
  }

  /** Whether text stands before a position on its line, behind all that was taken out but tags of a foreign pair. */
  *#hasWordsBefore(position) {
    const {source: {chars}, output: {pieces}, markers} = this;
    const last = pieces.findLast((piece) => piece.start < position);
    const isTag = last?.kind === 'call' && last.calls === 0;
    const isText = last === undefined || last.kind === 'code' || (isTag && (yield* markers.at(last.start)) === null);
    const from = isText ? 0 : last.end;
    let at = position;
    while (at > from && isJsonSpace(chars[at - 1]) && chars[at - 1] !== '\n') at--;
    return at > from && chars[at - 1] !== '\n';
  }

  /** Prose behind an opener (EXT-046; extraction: undecided opener). */
  *#readUndecided(opener, start) {
    const {prose, output} = this;
    prose.skipTo(opener.end);
    const code = prose.code.state();
    const isOwn = (found) => isOwnCloser(found, opener);
    let event = yield* prose.read(opener.end, UNDECIDED, start, isOwn);
    if (event.kind === 'foreign' && (yield* this.#namesTag(opener, event.at))) {
      event = yield* prose.read(event.at, NAMED, start, isOwn);
    }
    const {kind, at, marker} = event;
    const isForeign = kind === 'foreign' || marker?.isStray;
    const isNamed = isOwn(marker) && (yield* this.#standAmidWords(opener, marker));
    if (isForeign || (isOwn(marker) && !isNamed)) {
      output.dropPieces(opener.end); // what looked like code stands in the block
      prose.endPending(code, at);
      return isForeign ? yield* this.#fail(opener, at) : this.#reject(opener, marker, 'not_json');
    }
    if (opener.form.isControl && opener.form.payload) { // it is no mention (EXT-204)
      this.#removeTags();
      output.remove(this.#rejection(opener, endsAt(opener.end), 'not_json'));
    } else {
      this.#removeTokens([...this.tags, opener]);
    }
    return this.#endWrappers(at);
  }

  /** Where a payload of JSON begins, or null. */
  *#jsonBegin({form}, at) {
    const scanner = form.payload?.scanner ?? '';
    if (!scanner.startsWith('json')) return null;
    return yield* payloadBegin(this.source, this.markers, at, scanner === 'json_arguments');
  }

  /** A block whose payload is parameters (EXT-116). */
  *#readParameters(opener, begin) {
    const {source, markers, tools} = this;
    const payload = yield* readParameters(source, markers, opener.form, begin, this.wrappers);
    if (payload.failedAt !== undefined) return yield* this.#failOrTruncate(opener, payload);
    if (payload.valueAt !== undefined) return yield* this.#readJsonArguments(opener, payload);
    const judge = () => readParameterCalls(payload, opener, tools);
    if (payload.closer === null) return yield* this.#behindPayload(opener, payload, judge);
    return this.#accept(opener, payload.closer, judge, payload.repairs);
  }

  /** JSON in the place of parameters, and the text that has to stand behind it. */
  *#readJsonArguments(opener, {valueAt, end, name}) {
    const {source, markers} = this;
    const payload = yield* readPayload(source, markers, {valueAt, fence: null}, {isSingle: false});
    if (payload.failedAt !== undefined) return yield* this.#failOrTruncate(opener, payload);
    if (end !== '') {
      const at = yield* source.skip(payload.end, isJsonSpace);
      const isCut = (yield* source.wordAt(at, [end])) === null;
      const failedAt = isCut && (yield* source.endsInside(at, end)) ? source.chars.length : at;
      if (isCut) return yield* this.#failOrTruncate(opener, {failedAt});
      payload.end = at + end.length;
    }
    return yield* this.#behindPayload(opener, payload, () => readNamedArguments(payload, opener, name));
  }

  *#failOrTruncate(opener, {failedAt, brokenAt = failedAt}) {
    const isCut = failedAt >= this.source.chars.length;
    if (hasMessages(opener.form)) {
      return yield* this.#breakMessage(opener, brokenAt, isCut ? 'truncated' : 'invalid_json');
    }
    if (!isCut) return yield* this.#fail(opener, failedAt);
    return this.#reject(opener, endsAt(failedAt), 'truncated');
  }

  /** A block whose payload is calls with literals (EXT-116). */
  *#readLiteralCalls(opener, begin) {
    const payload = yield* readLiteralCalls(this.source, opener.form, begin);
    if (payload.failedAt !== undefined) return yield* this.#failOrTruncate(opener, payload);
    const judge = () => readEachCall(payload.calls, opener, this.tools);
    return yield* this.#behindPayload(opener, {...payload, repairs: new Map()}, judge);
  }

  /** A block whose payload is an object or array of literals (EXT-116). */
  *#readLiteralValues(opener, begin) {
    const payload = yield* readLiteralValues(this.source, begin);
    if (payload.failedAt !== undefined) return yield* this.#failOrTruncate(opener, payload);
    const judge = () => readLiteralJson(payload.json, opener);
    return yield* this.#behindPayload(opener, {...payload, repairs: new Map()}, judge);
  }

  /** A block whose payload is a name and an object (EXT-116). */
  *#readQuotedObject(opener, nameAt) {
    const payload = yield* readQuotedObject(this, opener.form, nameAt);
    if (payload.failedAt !== undefined) return yield* this.#failOrTruncate(opener, payload);
    const judge = () => readParameterCalls(payload, opener, this.tools);
    return yield* this.#behindPayload(opener, {...payload, repairs: new Map()}, judge);
  }

  /** A block with a payload of JSON (EXT-040, EXT-042). */
  *#readPayload(opener, begin) {
    const {source, markers} = this;
    const {fence, separator} = opener.form.payload;
    const isFenced = fence !== undefined;
    const isOpened = fence === 'open' && begin.fence === null;
    const from = isOpened ? {...begin, fence: {char: '`', length: 3}} : begin;
    const isSingle = opener.form.closer === null && fence !== 'open';
    const payload = yield* readPayload(source, markers, from, {isSingle, isFenced, separator});
    if (payload.failedAt !== undefined) return yield* this.#failOrTruncate(opener, payload);
    return yield* this.#behindPayload(opener, payload, () => readJsonCalls(payload, opener, this.effective));
  }

  /** What stands behind a complete payload decides (extraction: behind the payload). */
  *#behindPayload(opener, {end, repairs, kind, values}, judge) {
    const {source, markers} = this;
    if (opener.form.closer === null || (yield* this.#isPartner(end))) {
      return this.#accept(opener, endsAt(end), judge, repairs);
    }
    const at = yield* source.skip(end, isJsonSpace);
    const char = yield* source.at(at);
    const marker = yield* markers.at(at);
    if (isOwnCloser(marker, opener)) return this.#accept(opener, marker, judge, repairs);
    const isInMessages = hasMessages(opener.form);
    if (char === undefined && isInMessages) return this.#accept(opener, endsAt(end), judge, repairs);
    const mayBeStrange = marker === null && !isInMessages && char === '<';
    const strange = mayBeStrange ? yield* strangeCloser(source, at, this.foreign) : null;
    if (strange !== null) {
      repairs.set('missing_closer', 1);
      return this.#accept(opener, strange, judge, repairs);
    }
    const isCut = marker === null && !isInMessages && (yield* markers.endsInAnyCloser(at));
    const endsThere = isCut || marker?.kind === 'open' || isToken(marker) || marker?.isHeader === true;
    const isClosed = isInMessages ? this.#closedWrapper(marker) : marker?.kind === 'close';
    if (char === undefined || endsThere || isClosed) {
      repairs.set('missing_closer', 1);
      return this.#accept(opener, endsAt(end), judge, repairs);
    }
    const goesOn = ',}]:"'.includes(char);
    if (isInMessages) {
      const code = goesOn ? 'invalid_json' : 'trailing_text';
      return yield* this.#breakMessage(opener, kind === 'text' ? values[0].start : end, code);
    }
    if (goesOn) return yield* this.#fail(opener, at);
    return yield* this.#readTrailing(opener, end);
  }

  /** A message that is none of what it should be, from a position on (EXT-190). */
  *#breakMessage(opener, from, code) {
    const closer = yield* messageEnd(this.source, from, this.markers.messages, true);
    return this.#reject(opener, closer, code);
  }

  /** A payload that other text follows (EXT-040; extraction: behind the payload). */
  *#readTrailing(opener, end) {
    const {prose, output} = this;
    this.#removeTags();
    prose.skipTo(opener.end);
    const code = prose.code.state();
    prose.skipTo(end, false);
    const isOwn = (found) => isOwnCloser(found, opener);
    const {at, marker} = yield* prose.read(end, BEHIND_PAYLOAD, opener.start, isOwn);
    if (isOwnCloser(marker, opener)) {
      output.dropPieces(end); // what looked like code stands in the block
      prose.endPending(code, at);
      return this.#reject(opener, marker, 'trailing_text');
    }
    output.remove(this.#rejection(opener, endsAt(end), 'trailing_text'));
    return this.#endWrappers(at);
  }

  /**
   * A block with a complete payload, whose values are judged unless it is rejected as a whole
   * (EXT-160, EXT-164); without a call it is a rejected one.
   */
  #accept(opener, closer, judge, repairs = new Map()) {
    const {start, form} = opener;
    const isListed = (repair) => form.repairs?.includes(repair) ?? true;
    if (![...repairs.keys()].every(isListed)) return this.#reject(opener, closer, 'invalid_json');
    if (this.#isTooLarge(opener, closer)) return this.#reject(opener, closer);
    const verdicts = judge();
    const {isNative} = this;
    const found = isNative ? verdicts.map(besideNative) : verdicts;
    const calls = found.map(({call}) => call).filter((call) => call !== undefined);
    const codes = codesOf(found);
    this.#removeTags();
    this.behindBlock = closer.end;
    this.output.remove({
      kind: calls.length > 0 ? 'call' : 'rejected',
      dialect: form.dialect,
      start,
      end: closer.end,
      calls: calls.length,
      codes,
      repairs,
      standIn: closer.text,
      losses: isNative ? [] : lossesOfVerdicts(verdicts, form),
      verdicts,
    });
    for (const call of calls) this.output.addCall(call);
    return closer.end;
  }

  #reject(opener, closer, code) {
    this.#removeTags();
    this.output.remove(this.#rejection(opener, closer, code));
    this.behindBlock = closer.end;
    return closer.end;
  }

  /** A block that is rejected as a whole; one that is too large has no other code (EXT-164). */
  #rejection(opener, closer, otherCode) {
    const code = this.#isTooLarge(opener, closer) ? 'payload_too_large' : otherCode;
    const {form: {dialect}, start} = opener;
    const losses = this.isNative ? [] : lossesOfBlock(opener, code);
    return {kind: 'rejected', dialect, start, end: closer.end, codes: [code], losses};
  }

  /** Whether a block is longer than its dialect allows (extraction: inner text). */
  #isTooLarge({end, reserved, form: {limit}}, closer) {
    return !reserved && limit < Infinity && this.source.isLonger(end, closer.start, limit);
  }

  /** Takes out the openers of which it is now known that they are wrappers. */
  #removeTags() {
    for (const tag of this.tags) {
      const {header = '', form: {opener, payload}} = tag;
      const isLost = header !== '' && opener.tool === undefined && payload?.scanner !== 'blocks'; // D8
      this.output.remove(isLost ? this.#rejection(tag, endsAt(tag.end), 'not_json') : tagPiece(tag));
      this.#removeSpace(tag.end, tag.behind);
    }
    this.tags = [];
  }

  /** Takes out white space between the tags and blocks of a wrapper (EXT-049). */
  #removeSpace(start, end) {
    if (end > start) this.output.remove({kind: 'token', start, end});
  }

  /** The end of muted text, in which no code begins: what follows stands behind text. */
  #endMuted(at) {
    this.prose.skipTo(at, false);
    this.output.mute(at, false);
    return at;
  }

  /**
   * A failed block, and behind a blank line that ended it the text without markers, up to behind
   * what balances the block (EXT-043; extraction: failed block).
   */
  *#fail(opener, errorAt, need = 0) {
    const {source} = this;
    if (hasMessages(opener.form)) {
      return yield* this.#breakMessage(opener, errorAt, 'invalid_json');
    }
    let open = need; // openers without the closer
    let behind = 0; // the last of these, whose header can hold a blank line, and no marker
    let hasEnded = false; // whether a blank line has ended the block
    let lineStart = null; // of a line behind the error that has been blank so far
    for (let i = opener.start; ; i++) {
      if (lineStart === null) i = yield* source.until(i, this.prose.stops);
      const char = source.chars[i] ?? (yield* source.at(i));
      if (char === undefined) {
        return hasEnded ? this.#endMuted(i) : this.#reject(opener, endsAt(i), 'invalid_json');
      }
      if (i >= behind && this.markers.mayBegin(char)) {
        const marker = yield* this.markers.at(i);
        if (hasItsCloser(marker, opener)) {
          open++;
          behind = marker.end;
        }
        if (isOwnCloser(marker, opener) && i >= errorAt && --open === 0) {
          return hasEnded ? this.#endMuted(marker.end) : this.#reject(opener, marker, 'invalid_json');
        }
      } else if (char === '\n' && i >= errorAt) {
        if (lineStart !== null && !hasEnded) {
          hasEnded = true;
          this.#reject(opener, endsAt(lineStart - 1), 'invalid_json');
          this.#endWrappers(i);
          this.prose.skipTo(lineStart - 1);
          this.output.mute(lineStart - 1, true);
        }
        lineStart = i + 1;
        continue;
      }
      if (!isBlank(char)) lineStart = null;
    }
  }
}

/** Whether a marker is one that can stand before a bare message. */
function mayPrecedeBare(marker) {
  return marker?.kind === 'think' || isToken(marker);
}

/** Whether a block fails at its first character (extraction: block, row 6). */
function failsAtOnce(char, marker) {
  return char === '<' ? marker === null : '"\''.includes(char) || isLetterOrDigit(char);
}

/** The closer of a dialect as models write it (extraction: failed block). */
function writtenCloser({closer}) {
  return closer?.text ?? `</${closer?.tag}>`;
}

function codesOf(verdicts) {
  return verdicts.map(({code}) => code).filter((code) => code !== undefined);
}

/** A call of the text where calls came beside it (EXT-077). */
function besideNative(verdict) {
  return verdict.call === undefined ? verdict : {code: 'beside_native_calls'};
}

/** What ends a block without a closer at a position, in the place of one. */
function endsAt(at) {
  return {start: at, end: at};
}

/** A tag of a wrapper. */
function tagPiece({form: {dialect}, start, end}) {
  return {kind: 'call', dialect, start, end, calls: 0};
}
