// Blocks joined to messages and items, in the form of the interface (ITF-012 to ITF-014, ITF-016).

import {isBlankText} from '../shared/characters.mjs';
import {isNothing, without} from '../shared/json_object.mjs';
import {equalJson, isObject, own} from '../shared/json_text.mjs';
import {FAILED, typeOf, typesOf} from './blocks.mjs';
import {SYSTEM_MEMBER, roleOfItem} from './units.mjs';
import {placeOf} from './written.mjs';

/**
 * Messages and items, and the contents for the member of the system text, of `{role, blocks}` for each
 * message of the contracts; `isKept`: the provider keeps what it gives, and knows it again.
 */
export function joined(said, natives, form, findings, isKept) {
  const [made, top] = [[], []];
  said.forEach(({role, blocks}, number) => {
    const carried = blocks.find(({piece}) => piece !== null);
    const isFirstSystem = role === 'system' && carried === undefined && made.length === 0 && !form.has_items;
    if (blocks.some(({piece}) => piece?.home === SYSTEM_MEMBER) || (isFirstSystem && blocks.length > 0)) {
      top.push({role, blocks});
      return;
    }
    const newHome = carried !== undefined && !form.has_items ? carried.piece.home : -2 - number;
    for (const {block, piece} of blocks) {
      if (isItem(block, piece, natives, form)) {
        if (!isKept && isElsewhere(block, form)) {
          findings.add('opaque_removed', placeOfItem({piece, number}, form));
          continue;
        }
        made.push({item: block, piece, number});
        continue;
      }
      const home = piece === null ? newHome : piece.home;
      const isResult = typeOf(block) === form.result.type;
      let message = made.at(-1);
      if (!goesOn(message, {role, home, number, isResult, piece})) {
        message = {role, home, number, blocks: [], isOfResults: true};
        made.push(message);
      }
      message.blocks.push({block, piece});
      message.number = number;
      message.isOfResults &&= isResult;
    }
  });
  const sent = [];
  let [hasThought, hasKnownThought] = [false, false]; // of the assistant, before what comes
  for (const one of withFollowers(made, form, findings)) {
    const isItem = Object.hasOwn(one, 'item');
    const place = isItem ? placeOfItem(one, form) : ['carried', form.messages, one.home];
    const given = isItem ? withSummary(one.item, place, form, findings) : messageOf(one, natives, form);
    const element = withToldStatus(withKnownId(given, place, {form, findings, isKept}));
    const type = typeOf(element);
    const isThought = [...form.signed, 'item_reference'].includes(type);
    if (roleOf(one, form) !== 'assistant') {
      [hasThought, hasKnownThought] = [false, false];
    } else if (isThought) {
      [hasThought, hasKnownThought] = [true, hasKnownThought || Object.hasOwn(element, 'id')];
    }
    const isAlone = !isThought && !hasKnownThought && (hasThought || typesOf(form, 'call').includes(type));
    sent.push(isAlone ? withoutId(element, form) : element);
  }
  return {sent, top: top.map((one) => contentOf(one, form))};
}

/** Who says what stands in the list; null for what is neither a message nor an item. */
function roleOf(one, form) {
  if (!Object.hasOwn(one, 'item')) return one.role;
  return [null, 'message'].includes(typeOf(one.item)) ? null : roleOfItem(one.item, form);
}

/** Whether an item has nothing but the id of what the provider would have to keep (ITF-016). */
function isElsewhere(item, form) {
  if (form.signed.includes(typeOf(item))) {
    const said = ['summary', 'content', 'encrypted_content'].map((name) => own(item, name));
    return said.every((value) => isNothing(value) || value === '' || (Array.isArray(value) && value.length === 0));
  }
  return typeOf(item) === 'item_reference' || (typeOf(item) === 'image_generation_call' && isNothing(own(item, 'result')));
}

/** What the id of an item begins with, where it is told; its item can stand without it. */
function beginOfId(element, form) {
  return own(form.ids ?? {}, typeOf(element) ?? 'message');
}

function withoutId(element, form) {
  return beginOfId(element, form) !== undefined ? without(element, ['id']) : element;
}

/** What stands in the list without an id that its endpoint refuses (ITF-016). */
function withKnownId(element, place, {form, findings, isKept}) {
  const id = isObject(element) ? own(element, 'id') : undefined;
  const begin = beginOfId(element, form);
  if (id === undefined || begin === undefined) return element;
  const isKnown = typeof id === 'string' && id.startsWith(begin) && /^[A-Za-z0-9_-]{1,64}$/u.test(id);
  if (isKnown && isKept) return element;
  if (isKept && id !== null) findings.add('opaque_removed', place);
  return withoutId(element, form);
}

/** What stands in the list without a status that is null (ITF-016). */
function withToldStatus(element) {
  const isNull = isObject(element) && own(element, 'status') === null;
  return isNull ? without(element, ['status']) : element;
}

/** An item, a thought with the summary without which its endpoint refuses it (ITF-048). */
function withSummary(item, place, form, findings) {
  if (!form.signed.includes(typeOf(item)) || !isNothing(own(item, 'summary'))) return item;
  findings.add('opaque_added', [...place, 'summary']);
  return {...item, summary: []};
}

/** Without signed items that nothing of the assistant follows (ITF-016). */
function withFollowers(made, form, findings) {
  let follows = false;
  return made.toReversed().filter((one) => {
    if (!form.signed.includes(typeOf(one.item))) {
      follows = roleOf(one, form) === 'assistant';
    } else if (!follows) {
      findings.add('opaque_removed', placeOfItem(one, form));
      return false;
    }
    return true;
  }).reverse();
}

function placeOfItem({piece, number}, form) {
  return piece === null ? ['request', 'messages', number] : placeOf(piece, form);
}

/** Whether a block stands in the list itself, where the interface has such items. */
function isItem(block, piece, natives, form) {
  if (!form.has_items) return false;
  const items = [...typesOf(form, 'call'), ...typesOf(form, 'result'), ...form.own_items];
  return items.includes(typeOf(block)) || (piece !== null && piece.home >= 0 && natives[piece.home] === piece.block);
}

/** Whether a block goes into the last message (ITF-012, ITF-014). */
function goesOn(message, {role, home, number, isResult, piece}) {
  if (message === undefined || Object.hasOwn(message, 'item')) return false;
  if (piece === null && message.number === number) return true;
  return message.role === role &&
    (message.home === home || (message.isOfResults && (isResult || home < SYSTEM_MEMBER)));
}

function messageOf(made, natives, form) {
  const given = made.home >= 0 ? natives[made.home] : {};
  if (made.role === null) return made.blocks[0].block;
  const content = withFailuresOfText(contentOf(made, form), form);
  const before = isObject(given) ? own(given, 'content') ?? null : null;
  if (made.home >= 0 && equalJson(before, content)) return given;
  return {role: made.role, ...given, content};
}

/** A content in which results that failed are texts, what else they held behind the results (ITF-014). */
function withFailuresOfText(content, form) {
  if (!Array.isArray(content)) return content;
  const isResult = (block) => typeOf(block) === form.result.type;
  const isOfText = (block) => typeOf(block) === form.text.user;
  const heldBy = (block) => {
    if (!isResult(block) || own(block, 'is_error') !== true) return null;
    const held = own(block, form.result.content);
    return isNothing(held) || isBlank(held) ? [] : held;
  };
  const failed = content.map(heldBy).filter(Array.isArray);
  const moved = failed.flat().filter((block) => !isOfText(block));
  const sent = content.map((block) => {
    const held = heldBy(block);
    if (!Array.isArray(held)) return block;
    const texts = held.filter(isOfText);
    const isBare = texts.every((text) => isBlank(own(text, 'text')));
    return {...block, [form.result.content]: isBare ? [{type: form.text.user, text: FAILED}] : texts};
  });
  return sent.toSpliced(content.findLastIndex(isResult) + 1, 0, ...moved);
}

function isBlank(text) {
  return typeof text === 'string' && isBlankText(text);
}

/** A content; what was no array stays none, and one text that was made is a string. */
function contentOf({role, blocks}, form) {
  const [{block, piece}] = blocks;
  if (blocks.length === 1) {
    if (piece !== null && piece.at === null) return block;
    const isText = piece === null && Object.values(form.text).includes(typeOf(block));
    if (isText && typeof own(block, 'text') === 'string') return block.text;
  }
  const type = own(form.text, role) ?? form.text.user;
  const isWhole = (one) => typeof one.block === 'string' && (one.piece === null || one.piece.at === null);
  return blocks.map((one) => isWhole(one) ? {type, text: one.block} : one.block);
}
