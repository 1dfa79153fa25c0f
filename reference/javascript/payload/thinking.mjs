// Whether a model thinks before it answers, as far as its request says so (payload: thinking).

import {isObject, own} from '../shared/json_text.mjs';

/** Whether a request asks for thinking; `unasked` is what holds where it says nothing. */
export function thinks(request, unasked) {
  const said = sayings(request);
  return said.length === 0 ? unasked : said.includes(true);
}

function sayings(members) {
  const said = ['thinking', 'enable_thinking', 'reasoning_effort'].flatMap((name) => {
    const value = own(members, name);
    if (typeof value === 'boolean') return [value];
    if (isObject(value)) {
      const type = own(value, 'type');
      return typeof type === 'string' ? [type !== 'disabled'] : [];
    }
    return name === 'reasoning_effort' && typeof value === 'string' ? [value !== 'none'] : [];
  });
  for (const name of ['extra_body', 'chat_template_kwargs']) {
    const inner = own(members, name);
    if (isObject(inner)) said.push(...sayings(inner));
  }
  return said;
}
