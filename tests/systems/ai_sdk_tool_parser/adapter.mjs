// A protocol of @ai-sdk-tool/parser, as its middleware calls it on a whole text.

import {readFileSync} from 'node:fs';
import {argv} from 'node:process';
import {hermesProtocol, qwen3CoderProtocol} from '@ai-sdk-tool/parser';
import {NotOffered, serve, value} from '../serve.mjs';

const PROTOCOLS = {
  'ai-sdk-tool-parser-hermes': hermesProtocol,
  'ai-sdk-tool-parser-qwen3-coder': qwen3CoderProtocol,
};

const LOCK = new URL('package-lock.json', import.meta.url);
const {version} = JSON.parse(readFileSync(LOCK, 'utf8'))
  .packages['node_modules/@ai-sdk-tool/parser'];

/** The tools of an input; a name alone takes any object. */
function toolsOf({tools = [], effective}) {
  if (effective === 'any') throw new NotOffered('any name, which is no definition of a tool');
  if (!tools.every((tool) => typeof tool?.function?.name === 'string')) {
    throw new NotOffered('a tool without a name');
  }
  const given = tools.map(({function: {name, parameters = {}}}) => [name, parameters]);
  const all = new Map(effective.map((name) => [name, {type: 'object'}]).concat(given));
  return [...all].map(([name, inputSchema]) => ({type: 'function', name, inputSchema}));
}

function extract(input) {
  const protocol = PROTOCOLS[argv[2]]();
  const parts = protocol.parseGeneratedText({text: input.text, tools: toolsOf(input), options: {}});
  const calls = parts.filter((part) => part.type === 'tool-call');
  return {
    tool_calls: calls.map((part) => ({name: part.toolName, arguments: value(part.input)})),
  };
}

await serve(argv[2], version, {'extraction.extract': extract});
