// The AI SDK before a server: `node ai_sdk.mjs URL MODEL`; prints the answers, whole and streamed.

import {createOpenAICompatible} from '@ai-sdk/openai-compatible';
import {generateText, stepCountIs, streamText, tool} from 'ai';
import {z} from 'zod';

const [url, name] = process.argv.slice(2);
const get_tide = tool({
  description: 'High water in a port.',
  inputSchema: z.object({port: z.string()}),
  execute: async ({port}) => `high at ${port}`,
});
const model = createOpenAICompatible({name: 'gateway', baseURL: url, apiKey: 'x'})(name);
const asked = {model, tools: {get_tide}, prompt: 'q', stopWhen: stepCountIs(5), maxRetries: 0};

const {text} = await generateText(asked);
const streamed = await streamText(asked).text;
console.log(JSON.stringify({text, streamed}));
