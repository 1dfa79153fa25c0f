// The ids of spec/v1/profiles/*.json. The build writes this; change those.

export type ProfileName =
  | 'strict'
  | 'anthropic-compatible'
  | 'cerebras'
  | 'cerebras-strict'
  | 'dashscope'
  | 'deepseek'
  | 'gemini-compatible'
  | 'groq'
  | 'llama-cpp'
  | 'llama-cpp-alternating'
  | 'llama-cpp-llama-3'
  | 'lm-studio'
  | 'minimax'
  | 'mistral'
  | 'moonshot'
  | 'ollama-compatible'
  | 'openai'
  | 'openai-reasoning'
  | 'sglang'
  | 'vllm'
  | 'xai';
