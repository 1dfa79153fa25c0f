// hermesProtocol of @ai-sdk-tool/parser behind the protocol of answering.py.

import { createInterface } from "node:readline";
import { hermesProtocol } from "@ai-sdk-tool/parser";

const protocol = hermesProtocol();

// Any object is an argument: the schemas are not what is compared.
function toolsOf(names) {
  const inputSchema = { type: "object", properties: {}, additionalProperties: true };
  return names.map((name) => ({ type: "function", name, inputSchema }));
}

function extract(text, tools) {
  return protocol
    .parseGeneratedText({ text, tools, options: {} })
    .filter((part) => part.type === "tool-call")
    .map((part) => ({ name: part.toolName, arguments: JSON.parse(part.input) }));
}

function cpuMs(text, tools) {
  const start = process.cpuUsage();
  extract(text, tools);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function answer({ text, samples = 0, names = ["f"] }) {
  const tools = toolsOf(names);
  try {
    const calls = extract(text, tools);
    const times = Array.from({ length: samples }, () => cpuMs(text, tools));
    return samples > 0 ? { calls, ms: Math.min(...times) } : { calls };
  } catch (error) {
    return { raised: error.constructor.name };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`);
}
