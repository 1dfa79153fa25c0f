// AI SDK: generateText with one tool, and an answer of the OpenAI form in place of a network.

import {readFileSync} from 'node:fs';
import {createOpenAICompatible} from '@ai-sdk/openai-compatible';
import {generateText} from 'ai';
import {z} from 'zod';
import {NotOffered, serve} from '../serve.mjs';

const LOCK = new URL('package-lock.json', import.meta.url);
const {version} = JSON.parse(readFileSync(LOCK, 'utf8')).packages['node_modules/ai'];

const TOOL = {description: 'A tool.', inputSchema: z.looseObject({})};

/** A model that gives this call as its answer. */
function model(call, truncated) {
  const message = {role: 'assistant', content: null, tool_calls: [call]};
  const body = JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{index: 0, message, finish_reason: truncated ? 'length' : 'tool_calls'}],
  });
  const headers = {'content-type': 'application/json'};
  const fetch = async () => new Response(body, {headers});
  return createOpenAICompatible({name: 'test', baseURL: 'https://test.invalid', fetch})('m');
}

/** Says whether the call is one that the SDK would run. */
async function check({tool_call: call, truncated}) {
  if (typeof call?.function?.arguments !== 'string') {
    throw new NotOffered('arguments that are no text');
  }
  const tools = Object.fromEntries([[call.function.name, TOOL]]);
  const whole = {...call, id: 'call_1', type: 'function'};
  const {toolCalls} = await generateText({
    model: model(whole, truncated), tools, prompt: 'Hi', maxRetries: 0,
  });
  const [found] = toolCalls;
  return found && !found.invalid
    ? {valid: true, arguments: found.input}
    : {valid: false, arguments: null};
}

await serve('ai-sdk', version, {'payload.check_tool_call': check});
