// Gives spec/use/guarded.mjs the cases of standard input: prints what a client gets, and what left.

import {text} from 'node:stream/consumers';

import {guarded} from './guarded.mjs';

const URL_OF_MODEL = 'http://model/v1/chat/completions';

async function run({sending, reading, reply, url = URL_OF_MODEL, asks = 'url', ...init}) {
  const sent = [];
  const inner = async (to, given) => {
    const body = given?.body === undefined ? await to.text() : given.body;
    sent.push({url: to.url ?? String(to), body: JSON.parse(body), method: given?.method ?? to.method});
    const {status, headers, parts} = reply;
    const bytes = parts.map((part) => Buffer.from(part, 'base64'));
    return new Response(ReadableStream.from(bytes), {status, headers});
  };
  const request = {method: 'POST', ...init, body: JSON.stringify(init.body)};
  const given = {
    url: [url, request],
    URL: [new URL(url), request],
    request: [new Request(url, request)],
  };
  try {
    const response = await guarded(sending, reading, inner)(...given[asks]);
    const {status, headers} = response;
    return {status, headers: Object.fromEntries(headers), text: await response.text(), sent};
  } catch (error) {
    return {error: String(error.stack)};
  }
}

const cases = JSON.parse(await text(process.stdin));
console.log(JSON.stringify(await Promise.all(cases.map(run))));
